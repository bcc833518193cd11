package main

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/cost"
)

func TestCost(t *testing.T) {
	source, err := exercises.Reference("matmul")
	require.NoError(t, err)
	code, stdout, stderr := wgslab(t, "cost", "matmul", shaderFile(t, source), "--device", "macbook")
	require.Equal(t, exitOK, code)
	require.Empty(t, stderr)
	require.Contains(t, stdout, "on a MacBook (Apple M2, 10 cores).")
	require.Contains(t, stdout, "Each element of `a` is read 192 times")

	code, stdout, _ = wgslab(t, "cost", "--json", "matmul", shaderFile(t, source))
	require.Equal(t, exitOK, code)
	var c cost.Comparison
	require.NoError(t, json.Unmarshal([]byte(stdout), &c))
	require.Equal(t, cost.Usual, c.Device.Name)
	require.InDelta(t, 192*192*192, c.Yours.Total.Done["fma"], 0)
	require.Equal(t, c.Bound, c.ReferenceBound)
}

func TestCostExitCodes(t *testing.T) {
	for name, of := range map[string]struct {
		args []string
		code int
		says string
	}{
		"does not compile": {[]string{"relu", shaderFile(t, "fn main( {")}, exitNotRight, "name of a parameter is missing"},
		"nothing":          {[]string{"relu", shaderFile(t, "")}, exitNotRight, "there is no entry point"},
		"only a function":  {[]string{"matmul", shaderFile(t, "fn helper() {}")}, exitNotRight, "there is no entry point"},
		"another name":     {[]string{"matmul", shaderFile(t, "@compute @workgroup_size(8) fn other() {}")}, exitNotRight, "there is no entry point"},
		"no compute":       {[]string{"matmul", shaderFile(t, "@vertex fn main() -> @builtin(position) vec4f { return vec4f(); }")}, exitNotRight, "there is no entry point"},
		"a pass too few":   {[]string{"scan", shaderFile(t, "@compute @workgroup_size(8) fn main() {}")}, exitNotRight, "there is no entry point"},
		"no such exercise": {[]string{"reluu"}, exitAsked, `did you mean "relu"?`},
		"no such device":   {[]string{"relu", "--device", "toaster"}, exitAsked, `no device is called "toaster"`},
		"asks for a case":  {[]string{"break-matmul", shaderFile(t, "const m = 1u;")}, exitAsked, "break-matmul asks for a case"},
		"written in Go":    {[]string{"forward"}, exitAsked, "forward is written in Go"},
	} {
		t.Run(name, func(t *testing.T) {
			code, stdout, stderr := wgslab(t, append([]string{"cost"}, of.args...)...)
			require.Equal(t, of.code, code)
			require.Empty(t, stdout)
			require.Contains(t, stderr, of.says)
		})
	}
}
