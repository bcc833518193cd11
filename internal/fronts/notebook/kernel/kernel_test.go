package kernel

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course/coursetest"
	"github.com/wgslab/wgslab/internal/fronts/desk/protocol"
	"github.com/wgslab/wgslab/internal/fronts/notebook/jupyter"
	"github.com/wgslab/wgslab/internal/fronts/notebook/jupyter/jupytertest"
	"github.com/wgslab/wgslab/internal/fronts/notebook/kernelspec"
	"github.com/wgslab/wgslab/internal/ground/ipynb/cell"
	"github.com/wgslab/wgslab/internal/ground/ipynb/nbformat"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// The tests of this package start this program again as kernels, with one more answerer: the cells
// of type sayings.

// kernelMode in the environment makes this program a kernel. Its value is like no
// other's, so that all that a kernel starts can be known by it.
const kernelMode = "WGSLAB_TEST_KERNEL"

// testPatience in the environment is how long such a kernel waits for GoNB's help.
const testPatience = "WGSLAB_TEST_PATIENCE"

// testSettled in the environment is how many requests must wait before such a kernel empties its
// queue after a failed cell. It replaces a pause that a busy machine may outlast.
const testSettled = "WGSLAB_TEST_SETTLED"

// fakes is the folder of the fake kernel. It replaces GoNB in tests of errors that GoNB would not
// make.
var fakes string

// withConnection returns the command of a GoNB; none if no GoNB is named.
func withConnection(gonb []string) []string {
	if len(gonb) == 0 {
		return nil
	}
	return append(gonb, "{connection_file}")
}

func TestMain(m *testing.M) {
	if os.Getenv(kernelMode) != "" {
		if patience, err := time.ParseDuration(os.Getenv(testPatience)); err == nil {
			helpPatience = patience
		}
		if settled, err := strconv.Atoi(os.Getenv(testSettled)); err == nil {
			settle = func(q *queue) { q.waitFor(settled) }
		}
		jupytertest.Must(Run(context.Background(), Config{
			ConnectionFile: os.Args[1],
			GoNB:           kernelspec.Spec{Name: "gonb", Argv: withConnection(os.Args[2:])},
			Answerers:      []Answerer{ShaderFiles{}, sayings{}},
			Asks: map[string]func(CommData) (any, error){
				"upper": func(a CommData) (any, error) { return map[string]string{"text": strings.ToUpper(a.Text)}, nil },
				"tutor": func(a CommData) (any, error) {
					if a.Exercise != "add" {
						return nil, fmt.Errorf("no exercise is called %q", a.Exercise)
					}
					return map[string]any{"text": "Never solve " + a.Exercise, "hint": a.Hint}, nil
				},
			},
			Version: "test",
			Log:     os.Stderr,
		}))
		return
	}
	os.Exit(jupytertest.Within(func(dir string) int {
		fakes = dir
		return m.Run()
	}))
}

// waitFor waits until n requests wait.
func (q *queue) waitFor(n int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.waiting) < n && !q.closed {
		q.changed.Wait()
	}
}

// sayings answers cells with one word below %%say.
type sayings struct{}

func (sayings) Takes(from *cell.CellSource) bool { return strings.HasPrefix(from.Code, "%%say ") }

func (sayings) Run(ctx context.Context, c Cell, out Output) error {
	plain := func(text string) protocol.View { return protocol.View{"text/plain": text} }
	switch strings.TrimPrefix(c.Code, "%%say ") {
	case "result":
		out.Result(plain("2"))
	case "display":
		out.Display("", plain("shown"))
	case "update":
		out.Display("it", plain("first"))
		out.Update("it", plain("second"))
	case "error":
		return &protocol.Failure{Name: "Said", Message: "as it was told"}
	case "plain error":
		return errors.New("as it was told")
	case "panic":
		panic("a mistake")
	case "shows and waits":
		for _, text := range []string{"one ", "two\n"} {
			out.Stream("stdout", text)
		}
		out.Display("a", plain("first"))
		out.Display("b", plain("other"))
		out.Update("a", plain("second"))
		out.Stream("stdout", "waiting\n")
		<-ctx.Done()
	case "wait":
		out.Stream("stdout", "waiting\n")
		<-ctx.Done()
		return context.Cause(ctx)
	}
	return nil
}

func (sayings) Complete(_ context.Context, _ *cell.CellSource, cursor int) (Completion, error) {
	return Completion{Matches: []string{"result"}, Start: 6, End: cursor}, nil
}

func (sayings) Inspect(_ context.Context, from *cell.CellSource, cursor, detail int) (Inspection, error) {
	return Inspection{Found: true, Data: protocol.View{"text/plain": from.Code}}, nil
}

// kernelUnderTest is a kernel under test.
type kernelUnderTest struct {
	t       testing.TB
	process *jupyter.Process
	dir     string
	mark    string
}

// launch starts this program as a kernel, with the command gonb for its GoNB.
func launch(t testing.TB, gonb ...string) *kernelUnderTest {
	t.Helper()
	return launchIn(t, nil, gonb...)
}

// overGoNB is a kernel with the GoNB that the set-up has built.
func overGoNB(t testing.TB) *kernelUnderTest {
	t.Helper()
	argv, env := goNBCommand(t)
	return launchIn(t, env, argv...)
}

// goNBCommand is how the installed kernel spec starts GoNB, but for the connection
// file, and with what environment.
func goNBCommand(t testing.TB) (argv []string, env map[string]string) {
	t.Helper()
	root, err := filepath.Abs("../../../..")
	require.NoError(t, err)
	spec, err := kernelspec.Find(kernelspec.Name, filepath.Join(root, ".venv"))
	require.NoError(t, err, "run `make setup` first: it builds and installs GoNB")
	_, err = os.ReadFile(filepath.Join(root, ".build", "stamps", "gonb")) // for Go's test cache: another GoNB, another result
	require.NoError(t, err)
	gonb := slices.IndexFunc(spec.Argv, func(arg string) bool { return filepath.Base(arg) == "gonb" })
	require.GreaterOrEqual(t, gonb, 0)
	for _, arg := range spec.Argv[gonb:] {
		if arg != "--kernel" && arg != "{connection_file}" {
			argv = append(argv, arg)
		}
	}
	return append(argv, "--kernel"), maps.Clone(spec.Env)
}

func launchIn(t testing.TB, env map[string]string, gonb ...string) *kernelUnderTest {
	t.Helper()
	k := &kernelUnderTest{t: t, dir: t.TempDir(), mark: uuid.NewString()}
	if env == nil {
		env = make(map[string]string)
	}
	env[kernelMode] = k.mark
	var err error
	k.process, err = jupyter.Launch(kernelspec.Spec{
		Name: "front", Argv: append([]string{os.Args[0], "{connection_file}"}, gonb...), Env: env,
	}, k.dir, uuid.NewString(), nil)
	require.NoError(t, err)
	t.Cleanup(func() {
		require.NoError(t, k.process.Kill())
		k.requireNothingLeft()
	})
	return k
}

// overFake is a kernel with the fake one for its GoNB.
func overFake(t testing.TB) *kernelUnderTest {
	return launch(t, filepath.Join(fakes, "fakekernel"), jupytertest.Fake)
}

// processes are those of the kernel and of all that it has started, but for guards.
func (k *kernelUnderTest) processes() []int { return processesWith(kernelMode + "=" + k.mark) }

func processesWith(entry string) []int {
	dirs, _ := filepath.Glob("/proc/[0-9]*") // fails only on a bad pattern
	var found []int
	for _, dir := range dirs {
		environ, _ := os.ReadFile(filepath.Join(dir, "environ")) // empty for a zombie
		if slices.Contains(strings.Split(string(environ), "\x00"), entry) {
			pid, err := strconv.Atoi(filepath.Base(dir))
			if err == nil {
				found = append(found, pid)
			}
		}
	}
	return found
}

func (k *kernelUnderTest) requireNothingLeft() {
	k.t.Helper()
	require.Eventually(k.t, func() bool { return len(k.processes()) == 0 }, 10*time.Second, 5*time.Millisecond, "processes are left")
}

// named finds the kernel's process of a program.
func (k *kernelUnderTest) named(program string) int {
	k.t.Helper()
	pid := 0
	require.Eventually(k.t, func() bool {
		for _, p := range k.processes() {
			executable, _ := os.Readlink(fmt.Sprintf("/proc/%d/exe", p))
			if filepath.Base(executable) == filepath.Base(program) {
				pid = p
			}
		}
		return pid != 0
	}, 10*time.Second, time.Millisecond, "no process of %s", program)
	return pid
}

// client is a client of a kernel.
type client struct {
	t       testing.TB
	sockets *jupyter.Sockets
	session string

	mu      sync.Mutex
	changed *sync.Cond
	shell   []jupyter.Message
	control []jupyter.Message
	stdin   []jupyter.Message
	iopub   []jupyter.Message
}

// connect waits until the kernel has said that the subscription is there.
func (k *kernelUnderTest) connect() *client {
	k.t.Helper()
	ctx, cancel := context.WithTimeout(k.t.Context(), 20*time.Second)
	defer cancel()
	c := &client{t: k.t, session: uuid.NewString()}
	c.changed = sync.NewCond(&c.mu)
	var err error
	c.sockets, err = jupyter.Dial(ctx, k.process.Connection, c.session)
	require.NoError(k.t, err)
	k.t.Cleanup(c.sockets.Close)
	for _, r := range []struct {
		channel *jupyter.Channel
		list    *[]jupyter.Message
	}{{c.sockets.Shell, &c.shell}, {c.sockets.Control, &c.control}, {c.sockets.Stdin, &c.stdin}, {c.sockets.IOPub, &c.iopub}} {
		go c.read(r.channel, r.list)
	}
	welcome := c.wait(&c.iopub, func(m jupyter.Message) bool { return true })
	require.Equal(k.t, "iopub_welcome", welcome.Header.Type)
	require.JSONEq(k.t, `{"subscription": ""}`, string(welcome.Content))
	return c
}

func (c *client) read(channel *jupyter.Channel, list *[]jupyter.Message) {
	for {
		m, err := channel.Recv()
		if err != nil {
			return
		}
		c.mu.Lock()
		*list = append(*list, m)
		c.changed.Broadcast()
		c.mu.Unlock()
	}
}

// patience is what no test of this file should need.
const patience = 150 * time.Second

// wait waits for a message on a channel.
func (c *client) wait(list *[]jupyter.Message, wanted func(jupyter.Message) bool) jupyter.Message {
	c.t.Helper()
	late := time.AfterFunc(patience, func() { c.changed.Broadcast() })
	defer late.Stop()
	deadline := time.Now().Add(patience)
	c.mu.Lock()
	defer c.mu.Unlock()
	for seen := 0; ; {
		for ; seen < len(*list); seen++ {
			if wanted((*list)[seen]) {
				return (*list)[seen]
			}
		}
		if time.Now().After(deadline) {
			var last string
			if len(c.iopub) > 0 {
				m := c.iopub[len(c.iopub)-1]
				last = fmt.Sprintf("%+v %s", m.Parent, m.Content)
			}
			require.Fail(c.t, "nothing came", "the last on iopub: %s", last)
		}
		c.changed.Wait()
	}
}

// has reports whether a channel has brought an answer to a request.
func (c *client) has(list *[]jupyter.Message, id string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.ContainsFunc(*list, func(m jupyter.Message) bool { return m.Parent.ID == id })
}

// ask sends a request and gives its id.
func (c *client) ask(channel *jupyter.Channel, kind string, content any) string {
	c.t.Helper()
	m, err := jupyter.NewMessage(kind, c.session, jupyter.Header{}, content)
	require.NoError(c.t, err)
	require.NoError(c.t, channel.Send(m))
	return m.Header.ID
}

func (c *client) run(code string) string {
	c.t.Helper()
	return c.ask(c.sockets.Shell, "execute_request", map[string]any{"code": code})
}

// result is what came of a request.
type result struct {
	reply    map[string]any
	messages []jupyter.Message // on iopub, in order
}

// result waits for a request's reply and its idle.
func (c *client) result(id string) result {
	c.t.Helper()
	return c.resultOn(&c.shell, id)
}

func (c *client) resultOn(list *[]jupyter.Message, id string) result {
	c.t.Helper()
	var r result
	reply := c.wait(list, func(m jupyter.Message) bool { return m.Parent.ID == id })
	require.NoError(c.t, json.Unmarshal(reply.Content, &r.reply))
	c.wait(&c.iopub, func(m jupyter.Message) bool {
		return m.Parent.ID == id && m.Header.Type == "status" && strings.Contains(string(m.Content), "idle")
	})
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, m := range c.iopub {
		if m.Parent.ID == id {
			r.messages = append(r.messages, m)
		}
	}
	return r
}

func (c *client) execute(code string) result {
	c.t.Helper()
	return c.result(c.run(code))
}

// types are the kinds of the messages, statuses by their states.
func (r result) types() []string {
	var types []string
	for _, m := range r.messages {
		kind := m.Header.Type
		if kind == "status" {
			var status struct {
				State string `json:"execution_state"`
			}
			_ = json.Unmarshal(m.Content, &status)
			kind = status.State
		}
		types = append(types, kind)
	}
	return types
}

// text is what was printed.
func (r result) text() string {
	var text strings.Builder
	for _, m := range r.messages {
		var content struct{ Text string }
		if m.Header.Type == "stream" && json.Unmarshal(m.Content, &content) == nil {
			text.WriteString(content.Text)
		}
	}
	return text.String()
}

// shown returns all that the cell shows, as text.
func (r result) shown() string {
	text := r.text()
	for _, m := range r.messages {
		var content struct{ Data map[string]any }
		if m.Header.Type == "display_data" && json.Unmarshal(m.Content, &content) == nil {
			text += fmt.Sprintln(content.Data["text/plain"])
		}
	}
	return text
}

func TestRequestsThatTheFrontAnswers(t *testing.T) {
	t.Parallel()
	k := overFake(t)
	c := k.connect()

	info := c.result(c.ask(c.sockets.Shell, "kernel_info_request", struct{}{}))
	require.Equal(t, []string{"busy", "idle"}, info.types())
	notebooks, err := filepath.Glob("../../../../notebooks/*.ipynb")
	require.NoError(t, err)
	require.NotEmpty(t, notebooks)
	for _, path := range notebooks {
		nb, err := nbformat.Read(path)
		require.NoError(t, err)
		require.Equal(t, info.reply["language_info"], nb.Metadata["language_info"], "otherwise %s opens as changed", path)
	}
	require.Equal(t, "5.4", info.reply["protocol_version"])
	require.Equal(t, []any{}, info.reply["supported_features"])

	c.execute("%%say result")
	c.execute("%%say display")
	history := c.result(c.ask(c.sockets.Shell, "history_request", map[string]any{"hist_access_type": "tail", "n": 1, "raw": true}))
	require.Equal(t, []any{[]any{0.0, 2.0, "%%say display"}}, history.reply["history"])

	complete := c.result(c.ask(c.sockets.Shell, "is_complete_request", map[string]any{"code": "func f() {"}))
	require.Equal(t, map[string]any{"status": "incomplete", "indent": "\t"}, complete.reply)

	comms := c.result(c.ask(c.sockets.Shell, "comm_info_request", struct{}{}))
	require.Equal(t, map[string]any{}, comms.reply["comms"])
	id := c.ask(c.sockets.Shell, "comm_open", map[string]any{"comm_id": "1", "target_name": "nobody's", "data": map[string]any{}})
	c.wait(&c.iopub, func(m jupyter.Message) bool { return m.Header.Type == "comm_close" && m.Parent.ID == id })
	id = c.ask(c.sockets.Shell, "comm_open", map[string]any{"comm_id": "3", "target_name": "upper", "data": map[string]any{"text": "fn  f(){}"}})
	laid := c.wait(&c.iopub, func(m jupyter.Message) bool { return m.Header.Type == "comm_msg" && m.Parent.ID == id })
	require.JSONEq(t, `{"comm_id": "3", "data": {"text": "FN  F(){}"}}`, string(laid.Content))
	c.wait(&c.iopub, func(m jupyter.Message) bool { return m.Header.Type == "comm_close" && m.Parent.ID == id })
	for exercise, want := range map[string]string{"add": `{"hint":2,"text":"Never solve add"}`, "ad": `"no exercise is called \"ad\""`} {
		id = c.ask(c.sockets.Shell, "comm_open", map[string]any{"comm_id": "4", "target_name": "tutor", "data": map[string]any{"exercise": exercise, "hint": 2}})
		answer := c.wait(&c.iopub, func(m jupyter.Message) bool { return m.Header.Type == "comm_msg" && m.Parent.ID == id })
		require.Contains(t, string(answer.Content), want)
	}
	c.ask(c.sockets.Shell, "comm_open", map[string]any{"comm_id": "2", "target_name": gonbComm, "data": map[string]any{}})
	comms = c.result(c.ask(c.sockets.Shell, "comm_info_request", struct{}{}))
	require.Equal(t, map[string]any{"2": map[string]any{"target_name": gonbComm}}, comms.reply["comms"])

	help := c.result(c.ask(c.sockets.Shell, "complete_request", map[string]any{"code": "%%say re", "cursor_pos": 8}))
	require.Equal(t, []any{"result"}, help.reply["matches"])
	require.Equal(t, 6.0, help.reply["cursor_start"])
	help = c.result(c.ask(c.sockets.Shell, "inspect_request", map[string]any{"code": "%%say re", "cursor_pos": 8, "detail_level": 0}))
	require.Equal(t, true, help.reply["found"])

	debug := c.resultOn(&c.control, c.ask(c.sockets.Control, "debug_request", map[string]any{"command": "attach"}))
	require.Equal(t, false, debug.reply["success"])

	down := c.resultOn(&c.control, c.ask(c.sockets.Control, "shutdown_request", map[string]any{"restart": true}))
	require.Equal(t, map[string]any{"status": "ok", "restart": true}, down.reply)
	select {
	case <-k.process.Exited():
	case <-time.After(5 * time.Second):
		require.Fail(t, "the kernel goes on")
	}
	require.Contains(t, k.process.Err().Error(), "exit status 0")
	k.requireNothingLeft()
}

// A shutdown ends the running cell first. Clients wait for its idle, and a Jupyter server believes
// the last status that it saw, even of the kernel that it starts next.
func TestAShutdownInMidCell(t *testing.T) {
	t.Parallel()
	for _, code := range []string{jupytertest.Endless, jupytertest.Deaf, "%%say wait"} {
		for range 4 {
			k := overFake(t)
			c := k.connect()
			id := c.run(code)
			c.wait(&c.iopub, func(m jupyter.Message) bool { return m.Parent.ID == id && m.Header.Type == "stream" })
			c.ask(c.sockets.Control, "shutdown_request", map[string]any{"restart": true})
			<-k.process.Exited()
			require.Eventually(t, func() bool { return c.has(&c.shell, id) && c.lastStatus() == "idle" }, 5*time.Second, 5*time.Millisecond, code)
			reply := c.wait(&c.shell, func(m jupyter.Message) bool { return m.Parent.ID == id })
			require.Contains(t, string(reply.Content), `"status":"error"`)
			require.NotContains(t, string(reply.Content), "starting again", "the kernel isn't")
		}
	}
}

// lastStatus returns the last state that the kernel has published.
func (c *client) lastStatus() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	types := result{messages: c.iopub}.types()
	for i := len(types) - 1; i >= 0; i-- {
		if types[i] == "busy" || types[i] == "idle" {
			return types[i]
		}
	}
	return ""
}

// If help never comes, the client gets an empty answer of the requested kind.
func TestNoHelpInTime(t *testing.T) {
	t.Parallel()
	k := launchIn(t, map[string]string{testPatience: "100ms"}, filepath.Join(fakes, "fakekernel"), jupytertest.Fake)
	c := k.connect()
	for range 2 {
		help := c.result(c.ask(c.sockets.Shell, "complete_request", map[string]any{"code": "fmt.Pri", "cursor_pos": 7}))
		require.Equal(t, map[string]any{
			"status": "ok", "matches": []any{}, "cursor_start": 7.0, "cursor_end": 7.0, "metadata": map[string]any{},
		}, help.reply)
		help = c.result(c.ask(c.sockets.Shell, "inspect_request", map[string]any{"code": "fmt.Pri", "cursor_pos": 7}))
		require.Equal(t, map[string]any{"status": "ok", "found": false, "data": map[string]any{}, "metadata": map[string]any{}}, help.reply)
	}
	require.Equal(t, "ok", c.result(c.ask(c.sockets.Shell, "execute_request", map[string]any{"code": jupytertest.Fine})).reply["status"])
}

func TestCellsThatAreAnswered(t *testing.T) {
	t.Parallel()
	k := overFake(t)
	c := k.connect()
	for code, want := range map[string]string{
		"%%say nothing":     "ok busy execute_input idle",
		"%%say result":      "ok busy execute_input execute_result idle",
		"%%say display":     "ok busy execute_input display_data idle",
		"%%say update":      "ok busy execute_input display_data update_display_data idle",
		"%%say error":       "error busy execute_input error idle",
		"%%say plain error": "error busy execute_input error idle",
		"%%say panic":       "error busy execute_input error idle",
	} {
		got := c.execute(code)
		require.Equal(t, want, got.reply["status"].(string)+" "+strings.Join(got.types(), " "), code)
		for _, m := range got.messages {
			var content struct {
				Count *float64 `json:"execution_count"`
			}
			require.NoError(t, json.Unmarshal(m.Content, &content))
			if content.Count != nil {
				require.Equal(t, got.reply["execution_count"], *content.Count, "%s: %s", code, m.Header.Type)
			}
		}
	}
	got := c.execute("%%say error")
	require.Equal(t, "Said", got.reply["ename"])
	require.Equal(t, "as it was told", got.reply["evalue"])
	require.Equal(t, []any{"Said: as it was told"}, got.reply["traceback"])
	require.Equal(t, 8.0, got.reply["execution_count"])

	silent := c.result(c.ask(c.sockets.Shell, "execute_request", map[string]any{"code": "%%say result", "silent": true}))
	require.Equal(t, []string{"busy", "idle"}, silent.types())
	unstored := c.result(c.ask(c.sockets.Shell, "execute_request", map[string]any{"code": "%%say result", "store_history": false}))
	require.Equal(t, 8.0, unstored.reply["execution_count"], "only what is stored is counted")

	waiting := c.run("%%say wait")
	c.wait(&c.iopub, func(m jupyter.Message) bool { return m.Parent.ID == waiting && m.Header.Type == "stream" })
	c.resultOn(&c.control, c.ask(c.sockets.Control, "interrupt_request", struct{}{}))
	require.Equal(t, "Interrupted", c.result(waiting).reply["ename"])
}

func TestShaderFiles(t *testing.T) {
	t.Parallel()
	k := overFake(t)
	c := k.connect()
	got := c.execute("%%writefile work/deep/add.wgsl\n@compute fn main() {}\n")
	require.Equal(t, "ok", got.reply["status"])
	require.Equal(t, []string{"busy", "execute_input", "idle"}, got.types(), "without a word")
	c.execute("%%writefile -a \"work/deep/add.wgsl\"\n// more")
	text, err := os.ReadFile(filepath.Join(k.dir, "work/deep/add.wgsl"))
	require.NoError(t, err)
	require.Equal(t, "@compute fn main() {}\n\n// more\n", string(text))

	link := filepath.Join(k.dir, "work/link.wgsl")
	require.NoError(t, os.Symlink("deep/add.wgsl", link))
	c.execute("%%writefile work/link.wgsl\nthrough the link")
	text, err = os.ReadFile(filepath.Join(k.dir, "work/deep/add.wgsl"))
	require.NoError(t, err)
	require.Equal(t, "through the link\n", string(text))

	got = c.execute("%%writefile work/deep/add.wgsl/no.wgsl\n")
	require.Equal(t, "WriteError", got.reply["ename"])
	require.Contains(t, got.reply["evalue"], "folder")
}

// What a cell appends to is read like any shader: not if it is too large, and never from a pipe.
func TestAppendingToWhatIsNoShader(t *testing.T) {
	dir := t.TempDir()
	large, pipe := filepath.Join(dir, "large.wgsl"), filepath.Join(dir, "pipe.wgsl")
	require.NoError(t, os.WriteFile(large, bytes.Repeat([]byte("/"), shader.MaxSource+1), 0o644))
	require.NoError(t, syscall.Mkfifo(pipe, 0o644))
	write := func(file, text string, appended bool) error {
		whole, err := writeShader(file, text, appended)
		if err == nil {
			saved, err := os.ReadFile(file)
			require.NoError(t, err)
			require.Equal(t, string(saved), whole)
		}
		return err
	}
	require.ErrorContains(t, write(large, "more", true), "is larger than 256 KiB, so nothing was appended")
	info, err := os.Stat(large)
	require.NoError(t, err)
	require.EqualValues(t, shader.MaxSource+1, info.Size(), "as it was")
	require.ErrorContains(t, write(pipe, "more", true), "is a pipe")
	require.ErrorContains(t, write(dir, "more", true), "is a folder")
	require.NoError(t, write(large, "anew", false))
	require.NoError(t, write(large, " and more", true))
	text, err := os.ReadFile(large)
	require.NoError(t, err)
	require.Equal(t, "anew and more", string(text))
}

func TestCompleteness(t *testing.T) {
	for code, want := range map[string]string{
		"":                           "complete",
		"x := 1":                     "complete",
		"%%\nfmt.Println(\"hello\")": "complete",
		"func f() {\n\treturn\n}":    "complete",
		"!ls (":                      "complete",
		"%%writefile a.wgsl\nfn f(":  "complete",
		"%%writefile a.wgsl":         "incomplete",
		"%%writefile a.wgsl\n\n":     "complete",
		"func f(":                    "incomplete",
		"func f() {":                 "incomplete",
		"x := []int{1,\n":            "incomplete",
		"x :=":                       "incomplete",
		"a +":                        "incomplete",
		"/* a comment":               "incomplete",
		"s := `raw":                  "incomplete",
		"}":                          "invalid",
		"f(]":                        "invalid",
		"s := \"never ends":          "invalid",
	} {
		status, _ := completeness(code)
		require.Equal(t, want, status, "%q", code)
	}
}

// After a cell fails, the waiting cells do not run. A cell that is sent after the reply runs.
func TestStopOnError(t *testing.T) {
	t.Parallel()
	for _, failing := range []string{"%%say error", jupytertest.Fails} {
		c := launchIn(t, map[string]string{testSettled: "3"}, filepath.Join(fakes, "fakekernel"), jupytertest.Fake).connect()
		failed, one, two := c.run(failing), c.run(jupytertest.Fine), c.run("%%say result")
		info := c.ask(c.sockets.Shell, "kernel_info_request", struct{}{})
		require.Equal(t, "error", c.result(failed).reply["status"])
		require.Equal(t, "ok", c.execute(jupytertest.Fine).reply["status"], "asked after the reply")
		for _, id := range []string{one, two} {
			aborted := c.result(id)
			require.Equal(t, "aborted", aborted.reply["status"])
			require.Equal(t, []string{"busy", "idle"}, aborted.types())
		}
		require.Equal(t, "ok", c.result(info).reply["status"])

		going := c.ask(c.sockets.Shell, "execute_request", map[string]any{"code": failing, "stop_on_error": false})
		next := c.run(jupytertest.Fine)
		require.Equal(t, "error", c.result(going).reply["status"])
		require.Equal(t, "ok", c.result(next).reply["status"])
	}
}

func TestControlAnswersWhileACellRuns(t *testing.T) {
	t.Parallel()
	c := overFake(t).connect()
	waiting := c.run("%%say wait")
	c.wait(&c.iopub, func(m jupyter.Message) bool { return m.Parent.ID == waiting && m.Header.Type == "stream" })
	info := c.resultOn(&c.control, c.ask(c.sockets.Control, "kernel_info_request", struct{}{}))
	require.Equal(t, "ok", info.reply["status"])
	c.resultOn(&c.control, c.ask(c.sockets.Control, "interrupt_request", struct{}{}))
	states := c.result(waiting).types()
	require.Equal(t, "idle", states[len(states)-1])
	require.Greater(t, len(states), 5, "busy comes again after the idle of another request: %v", states)
}

// A page that is loaded while a cell runs learns which one it is, and all that it has shown.
func TestWhatARunningCellHasShown(t *testing.T) {
	t.Parallel()
	c := overFake(t).connect()
	ask := func(kind string, metadata string, content any) string {
		m, err := jupyter.NewMessage(kind, c.session, jupyter.Header{}, content)
		require.NoError(t, err)
		m.Metadata = json.RawMessage(metadata)
		require.NoError(t, c.sockets.Shell.Send(m))
		return m.Header.ID
	}
	running := func() (so soFar) {
		id := ask("comm_open", "{}", map[string]any{"comm_id": "9", "target_name": runningComm, "data": map[string]any{}})
		answer := c.wait(&c.iopub, func(m jupyter.Message) bool { return m.Header.Type == "comm_msg" && m.Parent.ID == id })
		var content struct{ Data soFar }
		require.NoError(t, json.Unmarshal(answer.Content, &content))
		return content.Data
	}
	require.Equal(t, soFar{Outputs: []shownOutput{}}, running())

	id := ask("execute_request", `{"cellId": "the-cell"}`, map[string]any{"code": "%%say shows and waits"})
	c.wait(&c.iopub, func(m jupyter.Message) bool {
		return m.Parent.ID == id && m.Header.Type == "stream" && strings.Contains(string(m.Content), "waiting")
	})
	so := running()
	require.Equal(t, soFar{Cell: "the-cell", Request: id, Count: 1, Outputs: so.Outputs}, so)
	var told []string
	for _, o := range so.Outputs {
		text, _ := json.Marshal([]any{o.Content["text"], o.Content["data"]})
		told = append(told, o.Type+" "+string(text))
	}
	require.Equal(t, []string{
		`stream ["one two\n",null]`, `display_data [null,{"text/plain":"second"}]`, `display_data [null,{"text/plain":"other"}]`, `stream ["waiting\n",null]`,
	}, told)

	c.resultOn(&c.control, c.ask(c.sockets.Control, "interrupt_request", struct{}{}))
	c.result(id)
	require.Empty(t, running().Request, "it has ended")
}

// What is kept of a cell that prints without end has a limit.
func TestTheRecorderForgetsTheOldest(t *testing.T) {
	var r recorder
	request, err := jupyter.NewMessage("execute_request", "", jupyter.Header{}, struct{}{})
	require.NoError(t, err)
	r.begin(request, 1)
	show := func(kind string, content any) {
		m, err := jupyter.NewReply(kind, "", request, content)
		require.NoError(t, err)
		require.NoError(t, r.publish(m, func(jupyter.Message) error { return nil }))
	}
	for range 10 {
		show("stream", map[string]any{"name": "stdout", "text": strings.Repeat("x", mostText/4)})
	}
	r.tell(func(so soFar) {
		require.Len(t, so.Outputs, 1)
		require.Len(t, so.Outputs[0].Content["text"], mostText)
	})
	for i := range mostOutputs {
		show("display_data", map[string]any{"data": map[string]any{"text/plain": i}})
	}
	r.tell(func(so soFar) {
		require.Len(t, so.Outputs, mostOutputs)
		require.Equal(t, "display_data", so.Outputs[0].Type)
	})
	show("clear_output", map[string]any{"wait": true})
	r.tell(func(so soFar) { require.Empty(t, so.Outputs) })
}

// GoNB's last words are passed on, its cell ends with an error that says what has
// become of it, and the next cell runs.
func TestGoNBDiesInACell(t *testing.T) {
	t.Parallel()
	for _, code := range []string{jupytertest.LastWords, jupytertest.Orphan} {
		c := overFake(t).connect()
		got := c.execute(code)
		require.Equal(t, "GoNBDied", got.reply["ename"])
		require.Contains(t, got.reply["evalue"], "signal: killed")
		require.Contains(t, got.reply["evalue"], "run those cells again")
		require.Contains(t, got.types(), "error")
		require.Contains(t, got.text(), "\n999 x", "its last words")
		got = c.execute(jupytertest.Fine)
		require.Equal(t, "ok", got.reply["status"])
		require.Equal(t, "before\n", got.text(), "told once")
	}
}

func TestGoNBDiesBetweenCells(t *testing.T) {
	t.Parallel()
	k := overFake(t)
	c := k.connect()
	require.Equal(t, "ok", c.execute(jupytertest.Fine).reply["status"])
	old := k.named("fakekernel")
	require.NoError(t, syscall.Kill(old, syscall.SIGKILL))
	require.Eventually(t, func() bool { now := k.named("fakekernel"); return now != old }, patience, time.Millisecond)
	got := c.execute(jupytertest.Fine)
	require.Equal(t, "ok", got.reply["status"])
	require.Equal(t, lostText+"before\n", got.text())
	require.Equal(t, "before\n", c.execute(jupytertest.Fine).text())
}

// A GoNB that cannot be had leaves the shader cells be.
func TestNoGoNB(t *testing.T) {
	t.Parallel()
	for want, gonb := range map[string][]string{
		"no such program": {"/no/such/gonb"},
		"no licence":      {filepath.Join(fakes, "fakekernel"), jupytertest.DiesAtOnce},
	} {
		c := launch(t, gonb...).connect()
		require.Equal(t, "ok", c.execute("%%say result").reply["status"])
		got := c.execute(jupytertest.Fine)
		require.Equal(t, "GoNBMissing", got.reply["ename"])
		require.Contains(t, got.reply["evalue"], want)
		require.Contains(t, got.reply["evalue"], "wgslab doctor")
	}
	c := launch(t).connect()
	require.Equal(t, "ok", c.execute("%%say result").reply["status"])
	got := c.execute(jupytertest.Fine)
	require.Equal(t, "GoMissing", got.reply["ename"])
	require.Contains(t, got.reply["evalue"], "shader cells and checks need no Go. For Go cells, set up the whole course: git clone ")
}

// A fault of the machine comes with what to do about it, and other errors with what they have said
// so far.
func TestRemedies(t *testing.T) {
	t.Parallel()
	full := &os.PathError{Op: "write", Path: "work/add.wgsl", Err: syscall.ENOSPC}
	require.Equal(t, "write work/add.wgsl: no space left on device. The disk is full. Delete files that you don't need, then run this cell again.",
		failureOf(fmt.Errorf("%w", full)).Message)
	require.Contains(t, notStarted(syscall.EMFILE).Error(), "Too many files are open.")
	require.Contains(t, notStarted(os.ErrNotExist).Error(), "file does not exist. Run wgslab doctor")
	require.Equal(t, "as it was told", failureOf(errors.New("as it was told")).Message)
}

// Whatever prints faster than it is read, all of it comes, in order.
func TestAFloodIsPassedOn(t *testing.T) {
	coursetest.NeedsChange(t, "internal/fronts/notebook/kernel/", "internal/fronts/notebook/jupyter/")
	t.Parallel()
	c := overFake(t).connect()
	got := c.execute(jupytertest.OneLine)
	require.Len(t, got.text(), 30_000_000+len("before\n\n"))
	got = c.execute(jupytertest.LastWords)
	lines := strings.Split(strings.TrimSpace(got.text()), "\n")[1:]
	require.Len(t, lines, 1000)
	for i, line := range lines {
		number, _, _ := strings.Cut(line, " ")
		require.Equal(t, strconv.Itoa(i), number)
	}
}

// Ten clients talk at once, and each hears what it asked for.
func TestTenClients(t *testing.T) {
	t.Parallel()
	k := overFake(t)
	var clients []*client
	for range 10 {
		clients = append(clients, k.connect())
	}
	var all sync.WaitGroup
	for i, c := range clients {
		all.Go(func() {
			for j := range 20 {
				code := []string{"%%say result", jupytertest.Fine}[(i+j)%2]
				id := c.ask(c.sockets.Shell, "execute_request", map[string]any{"code": code})
				reply := c.wait(&c.shell, func(m jupyter.Message) bool { return m.Parent.ID == id })
				if !bytes.Contains(reply.Content, []byte(`"ok"`)) {
					t.Errorf("%s", reply.Content)
				}
			}
		})
	}
	all.Wait()
	for _, c := range clients {
		c.mu.Lock()
		require.Len(t, c.shell, 20)
		c.mu.Unlock()
	}
}

// The kernel drops a senseless message or refuses it with an error, and continues.
func TestMessagesThatMakeNoSense(t *testing.T) {
	t.Parallel()
	k := overGoNB(t)
	c := k.connect()
	for _, channel := range []*jupyter.Channel{c.sockets.Shell, c.sockets.Control, c.sockets.Stdin} {
		for _, kind := range []string{
			"execute_request", "complete_request", "inspect_request", "is_complete_request", "history_request", "comm_info_request",
			"comm_open", "comm_msg", "comm_close", "debug_request", "interrupt_request", "input_reply", "frobnicate_request", "",
		} {
			for _, content := range []any{nil, 1, "text", []int{1}, struct{}{}, map[string]any{"code": 1, "comm_id": 2, "cursor_pos": "x", "value": 3}} {
				c.ask(channel, kind, content)
			}
		}
	}
	stranger := k.process.Connection
	stranger.Key = "another"
	forger, err := jupyter.Dial(t.Context(), stranger, "forger")
	require.NoError(t, err)
	defer forger.Close()
	m, err := jupyter.NewMessage("shutdown_request", "forger", jupyter.Header{}, map[string]any{"restart": false})
	require.NoError(t, err)
	require.NoError(t, forger.Control.Send(m))
	c.execute("") // behind all that; GoNB's first completion would take long
	gonb := k.named("gonb")
	for _, code := range []string{"%%say result", "%%\nfmt.Println()"} {
		require.Equal(t, "ok", c.execute(code).reply["status"])
	}
	require.Equal(t, gonb, k.named("gonb"), "GoNB has survived it, too")
}

// A request that the fake would survive and GoNB would not.
func TestRequestsAreFitForGoNB(t *testing.T) {
	request := jupyter.Message{Metadata: json.RawMessage(`[]`), Content: json.RawMessage(`{"code": "x"}`)}
	passed, err := executeForGoNB(request, executeRequest{Code: "x"})
	require.NoError(t, err)
	require.Nil(t, passed.Metadata)
	require.JSONEq(t, `{"code": "x", "silent": false, "store_history": true, "allow_stdin": false, "stop_on_error": true, "user_expressions": {}}`, string(passed.Content))
	for cursor, want := range map[int]int{-1: 0, 2: 2, 99: 3} {
		passed, err = helpForGoNB(request, helpRequest{Code: "a𝛼", CursorPos: cursor})
		require.NoError(t, err)
		require.JSONEq(t, fmt.Sprintf(`{"code": "a𝛼", "cursor_pos": %d, "detail_level": 0}`, want), string(passed.Content))
	}
}

// If any of the three processes is killed, only the ones that start again are left.
func TestWhoeverIsKilled(t *testing.T) {
	t.Parallel()
	for _, running := range []bool{false, true} {
		k := overFake(t)
		c := k.connect()
		require.Equal(t, "ok", c.execute(jupytertest.Fine).reply["status"])
		if running {
			c.run(jupytertest.Endless)
		}
		require.NoError(t, syscall.Kill(k.named(os.Args[0]), syscall.SIGKILL))
		k.requireNothingLeft()
	}
}

// GoNB gets no question about a line that is not Go.
func TestHasGoAt(t *testing.T) {
	const cell = "%noautoget\nvar é = 1\n%%\n\nfmt.Pr"
	for cursor, want := range map[int]bool{-1: false, 0: false, 10: false, 11: true, 20: true, 21: false, 24: true, 25: true, 99: true} {
		require.Equal(t, want, hasGoAt(cell, cursor), "%d", cursor)
	}
	for _, empty := range []string{"", "\n \n", "%%\n", "!ls"} {
		require.False(t, hasGoAt(empty, 1), empty)
	}
}
