// Package clone finds the clone of this repository that a command is for, and
// the set-up that serves it.
package clone

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Root finds the clone that a command is for: the one that holds the folder dir,
// or else one of the others, or else the program that runs.
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
	return "", fmt.Errorf("%s is not inside a clone of wgslab: start this command there, or as the clone's own .build/bin/wgslab", dir)
}

// SetUp is the clone whose .venv and tools serve the clone at root: itself, or
// that of the program that runs where root has none, as in a development
// container, which brings the tools and opens a fresh clone.
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

// programs is the clone that holds the program that runs.
func programs() (string, bool) {
	program, err := os.Executable()
	if err != nil {
		return "", false
	}
	return around(filepath.Dir(program))
}

// around finds the nearest folder above dir whose go.mod is this module's.
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
