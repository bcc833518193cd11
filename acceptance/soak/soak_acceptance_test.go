//go:build acceptance

package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/acceptance/internal/checkout"
)

// Two learners in a hurry do everything once between them. No server, kernel or shader is a stand-in.
// They don't restart in mid-cell: on a busy machine, the first reply after that is sometimes lost,
// which make soak reports.
func TestTwoLearners(t *testing.T) {
	const lossy = "restart in mid-cell"
	all := slices.DeleteFunc(slices.Clone(cards), func(c card) bool { return c.what == lossy })
	o := Options{
		Root: checkout.Root(t), Learners: 2, Length: 3 * time.Minute, Seed: 1, Hurry: 20,
		Deck:     func(learner int) []card { return all[learner*len(all)/2 : (learner+1)*len(all)/2] },
		Progress: func(line string) { t.Log(line) },
	}
	report, err := Run(t.Context(), o)
	require.NoError(t, err)
	var table strings.Builder
	out := t.TempDir()
	require.NoError(t, writeTo(out, report, &table))
	t.Log(table.String())
	require.Empty(t, report.Violations)
	for _, c := range all {
		require.Equal(t, 1, report.Did[c.what], c.what)
	}
	for _, w := range waits {
		require.True(t, w.name == restartTook || strings.Contains(table.String(), w.name), w.name)
	}
	require.NotEmpty(t, report.Memory)

	var saved Report
	require.NoError(t, json.Unmarshal([]byte(checkout.Read(t, filepath.Join(out, "soak.json"))), &saved))
	require.Equal(t, report.Waits, saved.Waits)
	for _, picture := range []string{"verdicts.png", "go.png", "memory.png"} {
		info, err := os.Stat(filepath.Join(out, picture))
		require.NoError(t, err)
		require.Greater(t, info.Size(), int64(1000), picture)
	}
}
