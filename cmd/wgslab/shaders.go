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
	"github.com/wgslab/wgslab/internal/shader"
)

// standardInput is the argument for standard input, and standardInputName its name in messages.
const standardInput, standardInputName = "-", "<stdin>"

// A givenShader is a shader that the command line names.
type givenShader struct {
	path       string // "-" for standard input
	name, text string
}

// readShaders reads the shaders that the arguments name, each one once.
func readShaders(cmd *cobra.Command, args []string) ([]givenShader, error) {
	var given []givenShader
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
			g, err := readShader(path, cmd.InOrStdin())
			if err != nil {
				return nil, fmt.Errorf("reading the shader: %w", err)
			}
			given = append(given, g)
		}
	}
	return given, nil
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

// readShader reads only as much of a file as it needs to see that it is too large.
func readShader(path string, stdin io.Reader) (givenShader, error) {
	g, from := givenShader{path: path, name: path}, stdin
	if path == standardInput {
		g.name = standardInputName
	} else {
		file, err := os.Open(path)
		if err != nil {
			return g, err
		}
		defer file.Close()
		from = file
	}
	text, err := io.ReadAll(io.LimitReader(from, shader.MaxSource+1))
	if err != nil {
		return g, err
	}
	if len(text) > shader.MaxSource {
		return g, fmt.Errorf("%s is larger than %d KiB", g.name, shader.MaxSource>>10)
	}
	g.text = string(text)
	return g, nil
}
