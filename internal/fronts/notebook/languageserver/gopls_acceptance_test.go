//go:build acceptance

package languageserver

import (
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
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

// For a new user, gopls doesn't read the whole module cache: soon after its first answer it is
// idle.
func TestGoplsIsSoonIdle(t *testing.T) {
	program, err := exec.LookPath("gopls")
	require.NoError(t, err, "run `make setup` first: it builds gopls")
	builds, err := exec.Command("go", "env", "GOCACHE").Output()
	require.NoError(t, err)
	sockets := inOwnFolder(t)
	t.Setenv("GOCACHE", strings.TrimSpace(string(builds)))
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("TMPDIR", t.TempDir())

	cell := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(cell, "go.mod"), []byte("module cell\n"), 0o644))
	s := newSession(shared{program: program}, nil)
	defer s.hangUp()
	s.texts["file://"+cell+"/main.go"] = "package main\n\nfunc main() {}\n"
	greeting := map[string]any{"capabilities": struct{}{}, "workspaceFolders": []any{map[string]any{"uri": "file://" + cell, "name": "cell"}}}
	require.Empty(t, s.greet(request("initialize", greeting)).Error)
	hover := map[string]any{"textDocument": map[string]any{"uri": "file://" + cell + "/main.go"}, "position": map[string]any{"line": 2, "character": 6}}
	require.Contains(t, string(s.answer(t.Context(), request("textDocument/hover", hover)).Result), "main")

	pids := running(t, sockets)
	require.Len(t, pids, 1)
	const look = 2 * time.Second
	time.Sleep(look) // until what the answer needed is done
	before := cpuTime(t, pids[0])
	time.Sleep(look)
	require.Less(t, cpuTime(t, pids[0])-before, look/5)
}

// cpuTime returns how long a process has run.
func cpuTime(t *testing.T, pid int) time.Duration {
	t.Helper()
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	require.NoError(t, err)
	_, after, _ := strings.Cut(string(stat), ") ")
	var user, system int64
	_, err = fmt.Sscanf(strings.Join(strings.Fields(after)[11:13], " "), "%d %d", &user, &system)
	require.NoError(t, err)
	return time.Duration(user+system) * 10 * time.Millisecond
}
