//go:build acceptance

package languageserver

import (
	"encoding/json"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The real gopls ends when nobody is connected any more, whatever its clients have opened.
func TestGoplsEnds(t *testing.T) {
	program, err := exec.LookPath("gopls")
	require.NoError(t, err, "run `make setup` first: it builds gopls")
	dir, err := os.MkdirTemp("", "ends") // a short path, for the socket
	require.NoError(t, err)
	defer os.RemoveAll(dir)
	const source = "package main\n\nfunc main() {}\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module cell\n"), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "main.go"), []byte(source), 0o644))

	path := filepath.Join(dir, "socket")
	gopls := exec.Command(program, "-listen", "unix;"+path, "-listen.timeout", "1s")
	gopls.Env = append(os.Environ(), "GO_TELEMETRY_CHILD=2")
	require.NoError(t, gopls.Start())
	ended := make(chan struct{})
	go func() {
		_ = gopls.Wait()
		close(ended)
	}()
	defer func() { _ = gopls.Process.Kill() }()

	for _, closes := range []bool{false, true} {
		var conn net.Conn
		require.Eventually(t, func() bool { conn, err = net.Dial("unix", path); return err == nil }, 10*time.Second, 10*time.Millisecond)
		greeting, err := json.Marshal(map[string]any{"capabilities": struct{}{}, "workspaceFolders": []any{map[string]any{"uri": "file://" + dir, "name": "cell"}}})
		require.NoError(t, err)
		s := &session{texts: map[string]string{"file://" + dir + "/main.go": source}, server: newServer(conn)}
		require.Contains(t, string(s.greet(message{ID: ownID, Params: greeting}).Result), "capabilities")
		require.NoError(t, s.introduce(t.Context()))
		if closes {
			s.note(notification("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": "file://" + dir + "/other.go", "text": "package main\n"}}))
			s.note(notification("textDocument/didClose", map[string]any{"textDocument": map[string]any{"uri": "file://" + dir + "/other.go"}}))
		}
		hover := map[string]any{"textDocument": map[string]any{"uri": "file://" + dir + "/main.go"}, "position": map[string]any{"line": 2, "character": 6}}
		reply, err := s.server.call(t.Context(), request("textDocument/hover", hover))
		require.NoError(t, err)
		require.Contains(t, string(reply.Result), "main")
		s.disconnect()
	}
	select {
	case <-ended:
	case <-time.After(30 * time.Second):
		require.Fail(t, "gopls is still there")
	}
}
