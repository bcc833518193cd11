package main

import (
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// Every command that takes a shader says at once what is no file, and what to do. A pipe without a
// writer would block.
func TestWhatIsNoShaderFile(t *testing.T) {
	t.Chdir(t.TempDir())
	pipe := filepath.Join(t.TempDir(), "pipe.wgsl")
	require.NoError(t, syscall.Mkfifo(pipe, 0o644))
	for _, command := range [][]string{
		{"check", "relu"}, {"check", "--json", "relu"}, {"trace", "relu"}, {"cost", "relu"}, {"debug", "relu"}, {"debug", "-"}, {"simulate"},
	} {
		for path, is := range map[string]string{
			pipe: "a pipe: save its content in a file, and name that", t.TempDir(): "a folder: name a file in it",
			"/dev/zero": "a device: save its content in a file, and name that",
		} {
			code, stdout, stderr := wgslab(t, append(command, path)...)
			require.Equal(t, exitAsked, code, "%s %s", command, path)
			require.Empty(t, stdout)
			require.Equal(t, "wgslab: reading the shader: "+path+" is "+is+"\n", stderr)
		}
		code, _, stderr := wgslab(t, append(command, "none.wgsl")...)
		require.Equal(t, exitAsked, code, "as for a file that is not there: %s", stderr)
	}
	file := shaderFile(t, "@group(0) @binding(0) var<storage, read_write> x: array<u32>;\n@compute @workgroup_size(1) fn main() { x[0] = 1u; }")
	code, _, stderr := wgslab(t, "simulate", file, "--bind", "0=@"+pipe)
	require.Equal(t, exitAsked, code)
	require.Contains(t, stderr, "is a pipe: save its content in a file, and name that")
}
