//go:build linux

package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// guided are the commands that docs/deploy.md has for grading on a cluster: the one
// that begins it, and those that follow.
type guided struct{ begin, rest string }

// readGuide takes them from the guide as they stand there.
func readGuide() (guided, error) {
	text, err := os.ReadFile(filepath.Join("docs", "deploy.md"))
	if err != nil {
		return guided{}, fmt.Errorf("reading the guide: %w", err)
	}
	_, block, _ := strings.Cut(string(text), "```sh\n# run by make cluster-test\n")
	block, _, _ = strings.Cut(block, "```")
	begin, rest, ok := strings.Cut(block, "\n")
	if !ok {
		return guided{}, errors.New("docs/deploy.md has no block that make cluster-test runs")
	}
	return guided{begin, rest}, nil
}
