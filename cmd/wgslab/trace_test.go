package main

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/observe/memtrace"
)

func TestTrace(t *testing.T) {
	source, err := exercises.Reference("matmul")
	require.NoError(t, err)
	code, stdout, stderr := wgslab(t, "trace", "matmul", shaderFile(t, source))
	require.Equal(t, exitOK, code)
	require.Empty(t, stderr)
	require.Contains(t, stdout, "Each element of a and b is read 32 times.")
	require.Contains(t, stdout, "reads row 2 of a and column 3 of b")

	code, stdout, _ = wgslab(t, "trace", "--json", "matmul", shaderFile(t, source))
	require.Equal(t, exitOK, code)
	var facts memtrace.Trace
	require.NoError(t, json.Unmarshal([]byte(stdout), &facts))
	require.Equal(t, 32*32*32, facts.Variable("a").Reads.Total)
	require.Equal(t, [3]uint32{16, 16, 1}, facts.Size)
	require.Equal(t, "a[row * dims.k + i]", facts.WorstOf(memtrace.Storage).Text)
}

func TestTraceExitCodes(t *testing.T) {
	matmul, err := exercises.Reference("matmul")
	require.NoError(t, err)
	for name, of := range map[string]struct {
		args []string
		code int
		says string
	}{
		"does not compile": {[]string{"relu", shaderFile(t, "fn main( {")}, exitNotRight, "name of a parameter is missing"},
		"binds otherwise":  {[]string{"relu", shaderFile(t, matmul)}, exitNotRight, "your shader declares"},
		"no such exercise": {[]string{"reluu"}, exitAsked, `did you mean "relu"?`},
		"no file":          {[]string{"relu", "no-such.wgsl"}, exitAsked, "there is no file no-such.wgsl: give the path"},
		"written in Go":    {[]string{"forward"}, exitAsked, "forward is written in Go"},
		"nothing asked":    {nil, exitAsked, "trace got no argument, and takes FILE | ID [FILE]: for example, wgslab trace "},
	} {
		t.Run(name, func(t *testing.T) {
			code, stdout, stderr := wgslab(t, append([]string{"trace"}, of.args...)...)
			require.Equal(t, of.code, code)
			require.Empty(t, stdout)
			require.Contains(t, stderr, of.says)
		})
	}
}
