//go:build acceptance

package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course/coursetest"

	"github.com/wgslab/wgslab/acceptance/internal/lab"
)

// Two learners in a hurry do everything once between them. No server, kernel or shader is a
// stand-in.
func TestTwoLearners(t *testing.T) {
	coursetest.NeedsChange(t, "acceptance/harness/soak/", "internal/fronts/notebook/", "internal/ground/childprocess/", "setup/jupyter/")
	o := Options{
		Root: lab.Root(t), Learners: 2, Length: 3 * time.Minute, Seed: 1, Hurry: 20,
		Deck:     func(learner int) []card { return cards[learner*len(cards)/2 : (learner+1)*len(cards)/2] },
		Progress: func(line string) { t.Log(line) },
	}
	report, err := Run(t.Context(), o)
	require.NoError(t, err)
	var table strings.Builder
	out := t.TempDir()
	require.NoError(t, writeTo(out, report, &table))
	t.Log(table.String())
	require.Empty(t, report.Violations)
	for _, c := range cards {
		require.Equal(t, 1, report.Did[c.what], c.what)
	}
	for _, w := range waits {
		require.Contains(t, table.String(), w.name)
	}
	require.NotEmpty(t, report.Memory)

	var saved ClassReport
	require.NoError(t, json.Unmarshal([]byte(lab.Read(t, filepath.Join(out, "soak.json"))), &saved))
	require.Equal(t, report.Waits, saved.Waits)
	for _, picture := range []string{"verdicts.png", "go.png", "memory.png"} {
		info, err := os.Stat(filepath.Join(out, picture))
		require.NoError(t, err)
		require.Greater(t, info.Size(), int64(1000), picture)
	}
}

// restarts is how often TestRestartsInMidCell restarts a kernel, unless WGSLAB_RESTARTS says so.
const restarts = 4

// After a restart in mid-cell, the kernel answers the first request, and then runs cells as before.
func TestRestartsInMidCell(t *testing.T) {
	coursetest.NeedsChange(t, "acceptance/harness/soak/", "internal/fronts/notebook/", "internal/ground/childprocess/", "setup/jupyter/")
	count := restarts
	if n, err := strconv.Atoi(os.Getenv("WGSLAB_RESTARTS")); err == nil {
		count = n
	}
	const restart = "restart in mid-cell"
	report, err := Run(t.Context(), Options{
		Root: lab.Root(t), Learners: 1, Length: 10 * time.Minute, Seed: 1, Hurry: 20,
		Deck:     func(int) []card { return slices.Repeat([]card{cardOf(restart)}, count) },
		Progress: func(line string) { t.Log(line) },
	})
	require.NoError(t, err)
	t.Log(report.Waits)
	require.Empty(t, report.Violations)
	require.Equal(t, count, report.Did[restart])
}

// When Jupyter's server is killed, its kernels end, and so does everything that they started.
func TestTheServerIsKilled(t *testing.T) {
	coursetest.NeedsChange(t, "acceptance/harness/soak/", "internal/fronts/notebook/", "internal/ground/childprocess/", "setup/jupyter/")
	var left []string
	deck := []card{{"kill the server", 1, func(l *learner, ctx context.Context) error {
		if _, err := l.startGoOn(ctx); err != nil {
			return err
		}
		before := l.class.census.of(l.number)
		l.server.Kill()
		for _, p := range before {
			if p.Outlives(goneSoon) {
				left = append(left, strings.Join(p.Arguments(), " "))
			}
		}
		left = append(left, leftFiles(filepath.Join(l.folder, "tmp"))...)
		l.server, l.notebook = nil, nil
		return nil
	}}}
	report, err := Run(t.Context(), Options{
		Root: lab.Root(t), Learners: 1, Length: 2 * time.Minute, Seed: 1, Hurry: 20,
		Deck: func(int) []card { return deck }, Progress: func(string) {},
	})
	require.NoError(t, err)
	require.Equal(t, 1, report.Did[deck[0].what])
	require.Empty(t, left)
	for _, v := range report.Violations { // the only one is what the learner saw
		require.Contains(t, v.What, "the WebSocket of")
	}
}
