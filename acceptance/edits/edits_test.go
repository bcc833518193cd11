//go:build acceptance

// Package edits_test has tests alone, so the suite runs it without the race detector.
package edits_test

import (
	"testing"

	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/editor/server/servertest"
)

// Of the language server, make test sees the first edits with the race detector.
func TestManyRandomEdits(t *testing.T) {
	servertest.RandomEdits(t, servertest.Shaders(t, exercises.Files), 10_000)
}
