//go:build acceptance

package wgpu_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The network of lesson 6, as a learner writes it on a raw encoder, runs on the other package after
// a change of its import path, and gives the same probabilities to the last bit.
func TestLesson6OnBothPackages(t *testing.T) {
	root, err := filepath.Abs(filepath.Join("..", ".."))
	require.NoError(t, err)
	text, err := os.ReadFile(filepath.Join(root, "exercises", "host-forward", "reference.go"))
	require.NoError(t, err)
	network := strings.NewReplacer("//go:build ignore\n", "", "\t\"github.com/wgslab/wgslab/pkg/check\"\n", "", "check.HostShader", "HostShader").Replace(string(text))
	arguments := []string{}
	for _, id := range []string{"linear", "relu", "softmax"} {
		arguments = append(arguments, filepath.Join(root, "exercises", id, "reference.wgsl"))
	}
	arguments = append(arguments, "65", "1")
	mine, theirs := build(t, "forward", ours, network), build(t, "forward", real, network)
	simulated := run(t, mine, "simulator", arguments...)
	require.Equal(t, 650, strings.Count(simulated, "\n"))
	there := run(t, theirs, "", arguments...)
	require.Equal(t, there, run(t, mine, "", arguments...))
}
