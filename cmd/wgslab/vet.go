package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/wgslab/wgslab/internal/judge/vet"
	"github.com/wgslab/wgslab/internal/shader"
)

// vetFormats maps each format's name to the function that writes the findings in it.
var vetFormats = map[string]func(w io.Writer, files []*vet.File) error{
	"text":  vet.Text,
	"json":  vet.JSON,
	"sarif": vet.SARIF,
}

func newVetCommand() *cobra.Command {
	var format string
	var asJSON bool
	command := &cobra.Command{
		Use:   "vet FILE…",
		Short: "Report problems in shaders without running them",
		Long: `Vet reads shaders as a WGSL compiler does. For each mistake it prints the place and
what to try. In a valid shader it looks for legal code that is a mistake, such as a
loop that never ends, and says whether it is certain or likely. Vet runs nothing and
needs no GPU. To learn whether a shader solves an exercise, use wgslab check.

FILE may also be a folder (vet reads every .wgsl file in it), a quoted pattern, or -
for standard input. Lines and columns count from 1, columns in characters. Code
scanning in CI and editors read SARIF.

Exit codes: 0 no error (warnings do not count), 1 an error, 2 wrong usage, or a file
cannot be read.`,
		Example: `  wgslab vet work/matmul.wgsl
  wgslab vet work --json
  wgslab vet 'week-*/*.wgsl' --format sarif > wgslab.sarif
  wgslab vet - < my-try.wgsl`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if asJSON {
				format = "json"
			}
			write, ok := vetFormats[format]
			if !ok {
				return fmt.Errorf("there is no format %q: choose text, json or sarif", format)
			}
			files, err := vetFiles(cmd, args)
			if err != nil {
				return err
			}
			if err := write(cmd.OutOrStdout(), files); err != nil {
				return err
			}
			for _, f := range files {
				if !f.Valid() {
					return &codedError{code: exitNotRight}
				}
			}
			return nil
		},
	}
	command.Flags().StringVar(&format, "format", "text", "text, json or sarif")
	command.Flags().BoolVar(&asJSON, "json", false, "the same as --format json")
	command.MarkFlagsMutuallyExclusive("format", "json")
	return command
}

// standardInput is the argument for standard input, and standardInputName its name in messages.
const standardInput, standardInputName = "-", "<stdin>"

// vetFiles reads the shaders, each one once. It stops at one that it cannot read, because half a
// report would look complete.
func vetFiles(cmd *cobra.Command, args []string) ([]*vet.File, error) {
	var files []*vet.File
	seen := map[string]bool{}
	for _, arg := range args {
		paths, err := findShaders(arg)
		if err != nil {
			return nil, err
		}
		for _, path := range paths {
			if seen[filepath.Clean(path)] {
				continue
			}
			seen[filepath.Clean(path)] = true
			if err := cmd.Context().Err(); err != nil {
				return nil, err
			}
			f, err := vetFile(path, cmd.InOrStdin())
			if err != nil {
				return nil, fmt.Errorf("reading the shader: %w", err)
			}
			files = append(files, f)
		}
	}
	return files, nil
}

// findShaders returns the shaders that an argument names. It skips hidden folders.
func findShaders(arg string) ([]string, error) {
	info, err := os.Stat(arg)
	switch {
	case arg == standardInput || err == nil && !info.IsDir():
		return []string{arg}, nil
	case err == nil:
		return shadersInFolder(arg)
	case errors.Is(err, fs.ErrNotExist) && strings.ContainsAny(arg, "*?["):
		return shadersByPattern(arg)
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("there is no file %s", arg)
	}
	return nil, fmt.Errorf("looking for shaders: %w", err)
}

// shadersByPattern returns the shaders that match a pattern: files, and the contents of folders.
func shadersByPattern(pattern string) ([]string, error) {
	names, err := filepath.Glob(pattern)
	if err == nil && len(names) == 0 {
		err = errors.New("no file matches")
	}
	if err != nil {
		return nil, fmt.Errorf("the pattern %s: %w", pattern, err)
	}
	var found []string
	for _, name := range names {
		below, err := findShaders(name)
		if err != nil {
			return nil, err
		}
		found = append(found, below...)
	}
	return found, nil
}

func shadersInFolder(folder string) ([]string, error) {
	var found []string
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && path != folder && strings.HasPrefix(entry.Name(), "."):
			return fs.SkipDir
		case !entry.IsDir() && filepath.Ext(path) == ".wgsl":
			found = append(found, path)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("looking for shaders in %s: %w", folder, err)
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("there is no .wgsl file in the folder %s", folder)
	}
	return found, nil
}

// vetFile reads only as much of a file as it needs to see that it is too large.
func vetFile(path string, stdin io.Reader) (*vet.File, error) {
	from := stdin
	if path == standardInput {
		path = standardInputName
	} else {
		file, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		from = file
	}
	text, err := io.ReadAll(io.LimitReader(from, shader.MaxSource+1))
	if err != nil {
		return nil, err
	}
	if len(text) > shader.MaxSource {
		return nil, fmt.Errorf("%s is larger than %d KiB", path, shader.MaxSource>>10)
	}
	return vet.Read(path, string(text)), nil
}
