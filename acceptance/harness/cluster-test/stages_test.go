//go:build linux

package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestChosenTrials(t *testing.T) {
	for _, c := range []struct {
		pattern      string
		grading, hub int
	}{
		{"", len(trials), len(hubTrials)},
		{"Grading", len(trials), 0},
		{"the deadline|a full disk", 2, 0},
		{"culling", 0, 5}, // with those before it
	} {
		t.Setenv(chosenVariable, c.pattern)
		grading, hub, err := chosen()
		require.NoError(t, err)
		require.Len(t, grading, c.grading, c.pattern)
		require.Len(t, hub, c.hub, c.pattern)
	}
	t.Setenv(chosenVariable, "nothing")
	_, _, err := chosen()
	require.ErrorContains(t, err, "matches no trial")
}
