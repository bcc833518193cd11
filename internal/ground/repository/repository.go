// Package repository finds the clone of this repository that a command works on, and the clone
// whose set-up serves it.
package repository

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Root finds the clone that a command works on: the one that contains the folder dir, else one of
// the others, else the running program.
func Root(dir string, others ...string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("finding the clone of wgslab: %w", err)
	}
	for _, start := range append([]string{dir}, others...) {
		if start, err = filepath.Abs(start); err != nil {
			return "", fmt.Errorf("finding the clone of wgslab: %w", err)
		}
		if root, ok := around(start); ok {
			return root, nil
		}
	}
	if root, ok := programs(); ok {
		return root, nil
	}
	return "", fmt.Errorf("%s is not inside a clone of wgslab, which this command needs: run it in one, or open the course with wgslab site", dir)
}

// SetUp returns the clone whose .venv and tools serve the clone at root. If root has none, that is
// the running program's clone. A development container works that way: it brings the tools and
// opens a fresh clone.
func SetUp(root string) string {
	if isSetUp(root) {
		return root
	}
	if other, ok := programs(); ok && isSetUp(other) {
		return other
	}
	return root
}

func isSetUp(root string) bool {
	info, err := os.Stat(filepath.Join(root, ".venv"))
	return err == nil && info.IsDir()
}

// programs returns the clone that contains the running program.
func programs() (string, bool) {
	program, err := os.Executable()
	if err != nil {
		return "", false
	}
	return around(filepath.Dir(program))
}

// around returns the nearest folder above dir whose go.mod is this module's.
func around(dir string) (string, bool) {
	for at := dir; ; at = filepath.Dir(at) {
		if text, err := os.ReadFile(filepath.Join(at, "go.mod")); err == nil && isOurs(string(text)) {
			return at, true
		}
		if at == filepath.Dir(at) {
			return "", false
		}
	}
}

func isOurs(goMod string) bool {
	return slices.Contains(strings.Split(goMod, "\n"), "module github.com/wgslab/wgslab")
}
