package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// standardInput is the argument for standard input, and standardInputName its name in messages.
const standardInput, standardInputName = "-", "<stdin>"

// A givenShader is a shader that the command line names.
type givenShader struct {
	path       string // "-" for standard input
	name, text string
	inFolder   bool  // the command line names the folder, and not the file
	err        error // why it could not be read
}

// readShaders reads the shaders that the arguments name, each one once. A shader that it can't read
// hides no other: it is in the list, with the reason. The error is that of an interruption.
func readShaders(cmd *cobra.Command, args []string) ([]givenShader, error) {
	var given []givenShader
	seen := map[string]bool{}
	for _, arg := range args {
		for _, g := range findShaders(arg) {
			if seen[filepath.Clean(g.path)] {
				continue
			}
			seen[filepath.Clean(g.path)] = true
			if err := cmd.Context().Err(); err != nil {
				return nil, err
			}
			if g.err == nil {
				g.text, g.err = readShader(g.path, cmd.InOrStdin())
			}
			given = append(given, g)
		}
	}
	return given, nil
}

// givenPath returns a shader to read.
func givenPath(path string) givenShader {
	if path == standardInput {
		return givenShader{path: path, name: standardInputName}
	}
	return givenShader{path: path, name: path}
}

// failed returns an argument, or a part of a folder, that leads to no shader.
func failed(path string, format string, args ...any) givenShader {
	return givenShader{path: path, name: path, err: fmt.Errorf(format, args...)}
}

// findShaders returns the shaders that an argument names. It skips hidden folders.
func findShaders(arg string) []givenShader {
	info, err := os.Stat(arg)
	switch {
	case arg == standardInput || err == nil && !info.IsDir():
		return []givenShader{givenPath(arg)}
	case err == nil:
		return shadersInFolder(arg)
	case errors.Is(err, fs.ErrNotExist) && strings.ContainsAny(arg, "*?["):
		return shadersByPattern(arg)
	case errors.Is(err, fs.ErrNotExist):
		return []givenShader{failed(arg, "there is no file %s", arg)}
	}
	return []givenShader{failed(arg, "looking for shaders: %w", err)}
}

// shadersByPattern returns the shaders that match a pattern: files, and the contents of folders.
func shadersByPattern(pattern string) []givenShader {
	names, err := filepath.Glob(pattern)
	switch {
	case err != nil:
		return []givenShader{failed(pattern, "the pattern %s: %w", pattern, err)}
	case len(names) == 0:
		return []givenShader{failed(pattern, "the pattern %s: no file matches", pattern)}
	}
	var found []givenShader
	for _, name := range names {
		found = append(found, findShaders(name)...)
	}
	return found
}

// isShader reports whether a file's name is that of a shader.
func isShader(file string) bool {
	return slices.Contains([]string{".wgsl", ".wesl"}, filepath.Ext(file))
}

func shadersInFolder(folder string) []givenShader {
	var found []givenShader
	_ = filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil: // of a folder; the walk goes on beside it
			found = append(found, failed(path, "looking for shaders: %w", err))
		case entry.IsDir() && path != folder && strings.HasPrefix(entry.Name(), "."):
			return fs.SkipDir
		case !entry.IsDir() && isShader(path):
			found = append(found, givenShader{path: path, name: path, inFolder: true})
		}
		return nil
	})
	if len(found) == 0 {
		return []givenShader{failed(folder, "there is no .wgsl or .wesl file in the folder %s", folder)}
	}
	return found
}

// hostLanguages are the endings of programs, whose strings may hold shaders.
var hostLanguages = []string{".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".vue", ".svelte", ".html", ".rs", ".py", ".go", ".c", ".cc", ".cpp", ".cs", ".java", ".kt", ".swift", ".zig"}

// ofHost returns an error for a program: wgslab doesn't look for the shaders in its strings.
func ofHost(path string) error {
	if !slices.Contains(hostLanguages, strings.ToLower(filepath.Ext(path))) {
		return nil
	}
	return fmt.Errorf("%s is a program and not a shader: put the text of its WGSL in a file of its own that ends in .wgsl", path)
}

// readShader reads only as much of a file as it needs to see that it is too large.
func readShader(path string, stdin io.Reader) (text string, err error) {
	if path == standardInput {
		var read []byte
		read, err = io.ReadAll(io.LimitReader(stdin, shader.MaxSource+1))
		text, path = string(read), standardInputName
	} else if err = ofHost(path); err == nil {
		text, err = shader.ReadFile(path)
	}
	if err == nil && len(text) > shader.MaxSource {
		err = fmt.Errorf("%s is larger than %d KiB", path, shader.MaxSource>>10)
	}
	return text, err
}
