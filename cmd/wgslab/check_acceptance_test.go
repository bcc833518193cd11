//go:build acceptance

package main

import (
	"context"
	"encoding/json"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
)

// No compiler notices this endless loop. Only the deadline ends it, in a process that ends with it.
func TestCheckLoopThatNeverGetsAnywhereEnds(t *testing.T) {
	path := shaderFile(t, addHead+"  while (a[0] == a[0]) { out[0] = a[0] + b[0]; }\n}\n")
	ctx, cancel := context.WithTimeout(t.Context(), 3*gpu.DefaultDeadline)
	defer cancel()
	command := exec.CommandContext(ctx, buildCommand(t), "check", "--json", "add", path)
	stdout, err := command.Output()
	var exit *exec.ExitError
	require.ErrorAs(t, err, &exit)
	assert.Equal(t, exitNotRight, exit.ExitCode())
	var v checked
	require.NoError(t, json.Unmarshal(stdout, &v))
	assert.Equal(t, "run", v.Stage)
	assert.Equal(t, "did-not-finish", v.Diagnosis)
}
