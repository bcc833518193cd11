package shader_test

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// What is no file with a text is refused at once: a pipe without a writer would never end.
func TestReadFile(t *testing.T) {
	in := func(name string) string { return filepath.Join(t.TempDir(), name) }
	file, large, pipe, dangling, socket := in("a.wgsl"), in("large.wgsl"), in("pipe.wgsl"), in("dangling.wgsl"), in("socket.wgsl")
	require.NoError(t, os.WriteFile(file, []byte("fn f() {}"), 0o644))
	require.NoError(t, os.WriteFile(large, []byte(strings.Repeat("/", 3*shader.MaxSource)), 0o644))
	require.NoError(t, syscall.Mkfifo(pipe, 0o644))
	require.NoError(t, os.Symlink("nowhere", dangling))
	listener, err := net.Listen("unix", socket)
	require.NoError(t, err)
	defer listener.Close()

	text, err := shader.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, "fn f() {}", text)
	text, err = shader.ReadFile(large)
	require.NoError(t, err)
	require.Len(t, text, shader.MaxSource+1)
	for path, said := range map[string]string{
		pipe: "is a pipe", filepath.Dir(file): "is a folder", dangling: "no such file", socket: "is a socket", "/dev/null": "is a device", in("none"): "no such file",
	} {
		_, err := shader.ReadFile(path)
		require.ErrorContains(t, err, said)
	}
}

// A shell's <(…) is a pipe as well, with a writer.
func TestReadADescriptor(t *testing.T) {
	if _, err := os.Stat("/dev/fd"); err != nil {
		t.Skip("left out: this system has no /dev/fd, which names a process's own descriptors")
	}
	out, in, err := os.Pipe()
	require.NoError(t, err)
	defer out.Close()
	_, err = in.WriteString("fn f() {}")
	require.NoError(t, err)
	require.NoError(t, in.Close())
	text, err := shader.ReadFile(fmt.Sprintf("/dev/fd/%d", out.Fd()))
	require.NoError(t, err)
	require.Equal(t, "fn f() {}", text)
}
