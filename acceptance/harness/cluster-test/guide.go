//go:build linux

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// guided holds the commands in docs/deploy.md for one task on a cluster: the first command, and the
// others.
type guided struct{ begin, rest string }

// readGuide copies the commands from a chapter of the guide.
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
