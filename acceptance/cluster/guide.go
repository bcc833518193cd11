//go:build linux

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// guided are the commands that docs/deploy.md has for one thing to do on a cluster:
// the one that begins it, and those that follow.
type guided struct{ begin, rest string }

// readGuide takes them from a chapter of the guide as they stand there.
func readGuide(chapter string) (guided, error) {
	text, err := os.ReadFile(filepath.Join("docs", "deploy.md"))
	if err != nil {
		return guided{}, fmt.Errorf("reading the guide: %w", err)
	}
	_, after, _ := strings.Cut(string(text), "\n## "+chapter+"\n")
	after, _, _ = strings.Cut(after, "\n## ")
	_, block, _ := strings.Cut(after, "```sh\n# run by make cluster-test\n")
	block, _, _ = strings.Cut(block, "```")
	begin, rest, ok := strings.Cut(strings.ReplaceAll(block, "\\\n", ""), "\n")
	if !ok {
		return guided{}, fmt.Errorf("docs/deploy.md has no block below %q that make cluster-test runs", chapter)
	}
	return guided{begin, rest}, nil
}
