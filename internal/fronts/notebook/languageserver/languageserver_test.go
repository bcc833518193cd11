package languageserver

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The tests of this package start this program again, as a gopls.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "-listen" {
		beGopls(strings.TrimPrefix(os.Args[2], "unix;"))
		return
	}
	os.Exit(m.Run())
}

// beGopls answers every question with its process id, its settings and the texts that it knows.
func beGopls(path string) {
	listener, err := net.Listen("unix", path)
	if err != nil {
		os.Exit(1)
	}
	for {
		conn, err := listener.Accept()
		if err != nil {
			os.Exit(1)
		}
		go converse(conn)
	}
}

func converse(conn net.Conn) {
	defer conn.Close()
	texts, settings := map[string]string{}, json.RawMessage(nil)
	from := bufio.NewReader(conn)
	for {
		m, err := read(from)
		if err != nil {
			return
		}
		var params struct {
			InitializationOptions json.RawMessage
			TextDocument          struct{ URI, Text string }
			ContentChanges        []struct {
				Text  string
				Range *struct{}
			}
			Changes []struct{ URI string }
		}
		_ = json.Unmarshal(m.Params, &params)
		switch m.Method {
		case "initialize":
			settings = params.InitializationOptions
			_ = write(conn, request("workspace/configuration", nil)) // it waits for no answer
		case "textDocument/didOpen":
			texts[params.TextDocument.URI] = params.TextDocument.Text
		case "textDocument/didChange":
			if params.ContentChanges[0].Range == nil {
				texts[params.TextDocument.URI] = params.ContentChanges[0].Text
			}
		case "textDocument/didClose":
			delete(texts, params.TextDocument.URI)
		case "workspace/didChangeWatchedFiles":
			texts[params.Changes[0].URI] = "changed on disk"
		case "test/die":
			os.Exit(1)
		case "test/build":
			build()
		}
		if m.ID != nil && m.Method != "" {
			_ = write(conn, notification("window/logMessage", nil))
			_ = write(conn, m.succeeded(map[string]any{"pid": os.Getpid(), "settings": settings, "texts": texts}))
		}
	}
}

// build starts what stands for a go command: it goes on writing temporary files until it is ended.
func build() {
	command := exec.Command("/bin/sh", "-c", `dir=$TMPDIR/go-build1; mkdir "$dir"; while echo >"$dir/$$"; do sleep 0.01; done`)
	if command.Start() != nil {
		os.Exit(1)
	}
	for len(leftIn(os.Getenv("TMPDIR"), "go-build1/*")) == 0 {
		time.Sleep(time.Millisecond)
	}
}

func leftIn(dir, pattern string) []string {
	left, _ := filepath.Glob(filepath.Join(dir, pattern)) // fails only on a bad pattern
	return left
}

// notebook is a GoNB that asks for help.
type notebook struct {
	t    *testing.T
	conn net.Conn
	from *bufio.Reader
	asks int
}

// answer is what the fake gopls answers.
type answer struct {
	PID      int
	Settings map[string]any
	Texts    map[string]string
}

// open starts what GoNB finds as gopls, and connects as GoNB does.
func open(t *testing.T) *notebook {
	t.Helper()
	return openWith(t, clone(t))
}

// clone makes a folder of programs with a gopls.
func clone(t *testing.T) (programs string) {
	t.Helper()
	programs = t.TempDir()
	require.NoError(t, os.Symlink(os.Args[0], filepath.Join(programs, "gopls")))
	return programs
}

func openWith(t *testing.T, programs string) *notebook {
	t.Helper()
	scratch := t.TempDir()
	env := map[string]string{"PATH": programs + ":" + os.Getenv("PATH")}
	front, err := Listen(scratch, env)
	require.NoError(t, err)
	t.Cleanup(front.Close)
	socket := filepath.Join(scratch, "gopls_socket")
	standIn := exec.Command(filepath.Join(scratch, "help", "gopls"), "-listen", "unix;"+socket)
	standIn.Env = []string{"PATH=" + env["PATH"]}
	require.NoError(t, standIn.Start())
	t.Cleanup(func() {
		require.NoError(t, standIn.Process.Kill())
		_ = standIn.Wait()
	})
	n := &notebook{t: t}
	require.Eventually(t, func() bool { n.conn, err = net.Dial("unix", socket); return err == nil }, 10*time.Second, time.Millisecond)
	t.Cleanup(func() { n.conn.Close() })
	n.from = bufio.NewReader(n.conn)
	greeting := n.ask("initialize", map[string]any{"workspaceFolders": []any{map[string]any{"uri": "file:///cell", "name": "cell"}}})
	require.JSONEq(t, `{"capabilities": {}}`, string(greeting.Result))
	n.tell("initialized", struct{}{})
	return n
}

func (n *notebook) tell(method string, params any) {
	n.t.Helper()
	require.NoError(n.t, write(n.conn, notification(method, params)))
}

func (n *notebook) ask(method string, params any) message {
	n.t.Helper()
	n.asks++
	m := request(method, params)
	m.ID = encoded(n.asks)
	require.NoError(n.t, write(n.conn, m))
	reply, err := read(n.from)
	require.NoError(n.t, err)
	require.JSONEq(n.t, string(m.ID), string(reply.ID))
	return reply
}

func (n *notebook) complete() (a answer) {
	n.t.Helper()
	reply := n.ask("textDocument/completion", struct{}{})
	require.Empty(n.t, reply.Error)
	require.NoError(n.t, json.Unmarshal(reply.Result, &a))
	return a
}

func (n *notebook) opens(uri, text string) {
	n.tell("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": uri, "text": text}})
}

// changes tells the new text as GoNB does: with a range, of nothing.
func (n *notebook) changes(uri, text string) {
	n.tell("textDocument/didChange", map[string]any{
		"textDocument": map[string]any{"uri": uri}, "contentChanges": []any{map[string]any{"text": text, "range": struct{}{}}},
	})
}

// inOwnFolder lets the test's gopls be no other's.
func inOwnFolder(t *testing.T) (dir string) {
	t.Helper()
	dir, err := os.MkdirTemp("", "help")
	require.NoError(t, err)
	t.Setenv("XDG_RUNTIME_DIR", dir)
	t.Cleanup(func() {
		for _, pid := range running(t, dir) {
			require.NoError(t, syscall.Kill(pid, syscall.SIGKILL))
		}
		require.NoError(t, os.RemoveAll(dir))
	})
	return dir
}

// running lists the processes that were told to listen in a folder.
func running(t *testing.T, dir string) (pids []int) {
	t.Helper()
	lines, err := filepath.Glob("/proc/[0-9]*/cmdline")
	require.NoError(t, err)
	for _, path := range lines {
		line, _ := os.ReadFile(path) // the process may have ended
		if strings.Contains(string(line), "-listen\x00unix;"+dir) {
			var pid int
			_, err := fmt.Sscanf(path, "/proc/%d/", &pid)
			require.NoError(t, err)
			pids = append(pids, pid)
		}
	}
	return pids
}

func TestNotebooksShareTheServer(t *testing.T) {
	dir := inOwnFolder(t)
	programs := clone(t)
	a, b := openWith(t, programs), openWith(t, programs)
	a.opens("file:///cell/main.go", "package a")
	require.Empty(t, running(t, dir), "nobody has asked")
	first := a.complete()
	require.Equal(t, map[string]string{"file:///cell/main.go": "package a"}, first.Texts)
	require.Equal(t, false, first.Settings["expandWorkspaceToModule"])
	require.Equal(t, first.PID, b.complete().PID)
	require.NotEqual(t, first.PID, open(t).complete().PID, "another clone has another gopls")
	require.Len(t, running(t, dir), 2)
}

func TestWhatTheServerLearns(t *testing.T) {
	inOwnFolder(t)
	n := open(t)
	n.opens("file:///cell/main.go", "package a")
	n.opens("file:///cell/other.go", "package a")
	n.opens("file:///clone/far.go", "package far")
	n.complete()
	n.changes("file:///cell/main.go", "package b")
	n.tell("textDocument/didClose", map[string]any{"textDocument": map[string]any{"uri": "file:///cell/other.go"}})
	require.Equal(t, map[string]string{"file:///cell/main.go": "package b"}, n.complete().Texts, "GoNB's range means nothing")
	n.changes("file:///clone/far.go", "package farther")
	require.Equal(t, "changed on disk", n.complete().Texts["file:///clone/far.go"])
}

// A gopls that has ended, for whatever reason, starts again at the next question, and knows as
// much.
func TestAServerThatEnds(t *testing.T) {
	inOwnFolder(t)
	n := open(t)
	n.opens("file:///cell/main.go", "package a")
	first := n.complete()
	require.NoError(t, syscall.Kill(first.PID, syscall.SIGKILL))
	second := n.complete()
	require.NotEqual(t, first.PID, second.PID)
	require.Equal(t, first.Texts, second.Texts)

	reply := n.ask("test/die", struct{}{})
	require.Contains(t, string(reply.Error), "gopls has hung up", "it has died of this question each time")
	require.Equal(t, first.Texts, n.complete().Texts)
}

// A go command that gopls has started leaves no files, whether gopls or all of its processes are
// killed.
func TestTemporaryFiles(t *testing.T) {
	dir, tmp := inOwnFolder(t), t.TempDir()
	t.Setenv("TMPDIR", tmp)
	n := open(t)
	n.ask("test/build", struct{}{})
	require.NoError(t, syscall.Kill(n.complete().PID, syscall.SIGKILL))
	require.Eventually(t, func() bool { return len(leftIn(tmp, "wgslab-gopls-*")) == 0 }, 10*time.Second, 10*time.Millisecond)

	n.ask("test/build", struct{}{})
	group, err := syscall.Getpgid(n.complete().PID)
	require.NoError(t, err)
	require.NoError(t, syscall.Kill(-group, syscall.SIGKILL))
	require.Eventually(t, func() bool { return len(running(t, dir)) == 0 }, 10*time.Second, 10*time.Millisecond)
	require.Len(t, leftIn(tmp, "wgslab-gopls-*/go-build1"), 1)
	n.complete()
	require.Empty(t, leftIn(tmp, "wgslab-gopls-*/go-build1"), "the next gopls sweeps")
}

func TestItHangsUpWhenNobodyAsks(t *testing.T) {
	dir := inOwnFolder(t)
	restAfter = 100 * time.Millisecond
	t.Cleanup(func() { restAfter = restsAfter })
	n := open(t)
	pid := n.complete().PID
	connected := func() bool {
		out, err := exec.Command("ls", "-l", fmt.Sprintf("/proc/%d/fd", pid)).Output()
		require.NoError(t, err)
		return strings.Count(string(out), "socket:") > 1 // the first is the listener's
	}
	require.Eventually(t, func() bool { return !connected() }, 10*time.Second, 10*time.Millisecond)
	require.Equal(t, pid, n.complete().PID)
	require.Len(t, running(t, dir), 1)
}

func TestAFolderThatOthersMayEnter(t *testing.T) {
	dir := inOwnFolder(t)
	require.NoError(t, os.Mkdir(filepath.Join(dir, fmt.Sprintf("wgslab-%d", os.Getuid())), 0o777))
	require.NoError(t, os.Chmod(filepath.Join(dir, fmt.Sprintf("wgslab-%d", os.Getuid())), 0o777))
	reply := open(t).ask("textDocument/completion", struct{}{})
	require.Contains(t, string(reply.Error), "must be a folder that only you can read")
}

// Without gopls, GoNB finds none.
func TestNoServer(t *testing.T) {
	scratch, env := t.TempDir(), map[string]string{"PATH": "/nonexistent"}
	front, err := Listen(scratch, env)
	require.NoError(t, err)
	front.Close()
	require.Equal(t, map[string]string{"PATH": "/nonexistent"}, env)
	require.NoDirExists(t, filepath.Join(scratch, "help"))
}
