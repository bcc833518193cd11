//go:build acceptance

// Package edits_test has tests alone, so the suite runs it without the race detector.
package edits_test

import (
	"testing"

	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/observe/editor/editortest"
)

// Of the language server, make test sees the first edits with the race detector.
func TestManyRandomEdits(t *testing.T) {
	editortest.RandomEdits(t, editortest.Shaders(t, exercises.Files), 10_000)
}
