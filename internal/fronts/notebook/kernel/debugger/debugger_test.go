package debugger_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/fronts/notebook/jupyter"
	"github.com/wgslab/wgslab/internal/fronts/notebook/jupyter/jupytertest"
	"github.com/wgslab/wgslab/internal/fronts/notebook/kernel"
	"github.com/wgslab/wgslab/internal/fronts/notebook/kernel/debugger"
	"github.com/wgslab/wgslab/internal/fronts/notebook/kernelspec"
	"github.com/wgslab/wgslab/internal/ground/ipynb/cell"
)

// The tests start this program as a kernel, and play JupyterLab: the requests and their order are
// those of its debugger.

// kernelMode in the environment makes this program a kernel.
const kernelMode = "WGSLAB_TEST_DEBUGGED_KERNEL"

var fakes string // the folder of the kernel that replaces GoNB

func TestMain(m *testing.M) {
	if os.Getenv(kernelMode) != "" {
		jupytertest.Must(kernel.Run(context.Background(), kernel.Config{
			ConnectionFile: os.Args[1],
			GoNB:           kernelspec.Spec{Name: "gonb", Argv: append(os.Args[2:], "{connection_file}")},
			Answerers:      []kernel.Answerer{kernel.ShaderFiles{}, checks{}},
			Debugger:       debugger.New,
			Log:            os.Stderr,
		}))
		return
	}
	os.Exit(jupytertest.Within(func(dir string) int {
		fakes = dir
		return m.Run()
	}))
}

// checks replaces the answerer of check cells.
type checks struct{}

func (checks) Takes(from *cell.CellSource) bool { return strings.Contains(from.Code, "check.") }

func (checks) Run(_ context.Context, _ kernel.Cell, out kernel.Output) error {
	out.Stream("stdout", "checked\n")
	return nil
}

type object = map[string]any

// lab is JupyterLab with a notebook open.
type lab struct {
	t       testing.TB
	process *jupyter.Process
	sockets *jupyter.Sockets
	session string
	seq     int

	mu      sync.Mutex
	changed *sync.Cond
	came    []jupyter.Message // on any channel
	events  int               // how many of what came await has looked at
}

func openLab(t testing.TB) *lab {
	t.Helper()
	l := &lab{t: t, session: uuid.NewString()}
	l.changed = sync.NewCond(&l.mu)
	var err error
	l.process, err = jupyter.Launch(kernelspec.Spec{
		Name: "front", Env: map[string]string{kernelMode: "1"},
		Argv: []string{os.Args[0], "{connection_file}", filepath.Join(fakes, "fakekernel"), jupytertest.Fake},
	}, t.TempDir(), uuid.NewString(), nil)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, l.process.Kill()) })
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	l.sockets, err = jupyter.Dial(ctx, l.process.Connection, l.session)
	require.NoError(t, err)
	t.Cleanup(l.sockets.Close)
	for _, channel := range []*jupyter.Channel{l.sockets.Shell, l.sockets.Control, l.sockets.IOPub} {
		go l.read(channel)
	}
	l.wait(func(m jupyter.Message) bool { return m.Header.Type == "iopub_welcome" })
	return l
}

func (l *lab) read(channel *jupyter.Channel) {
	for {
		m, err := channel.Recv()
		if err != nil {
			return
		}
		l.mu.Lock()
		l.came = append(l.came, m)
		l.changed.Broadcast()
		l.mu.Unlock()
	}
}

// patience is what nothing here should need.
const patience = 30 * time.Second

// wait gives the first message that is wanted, and its place.
func (l *lab) wait(wanted func(jupyter.Message) bool) (jupyter.Message, int) {
	return l.waitFrom(0, wanted)
}

func (l *lab) waitFrom(seen int, wanted func(jupyter.Message) bool) (jupyter.Message, int) {
	l.t.Helper()
	late := time.AfterFunc(patience, l.changed.Broadcast)
	defer late.Stop()
	deadline := time.Now().Add(patience)
	l.mu.Lock()
	defer l.mu.Unlock()
	for {
		for ; seen < len(l.came); seen++ {
			if wanted(l.came[seen]) {
				return l.came[seen], seen
			}
		}
		require.True(l.t, time.Now().Before(deadline), "nothing came")
		l.changed.Wait()
	}
}

func (l *lab) send(channel *jupyter.Channel, kind string, content any) (id string) {
	l.t.Helper()
	m, err := jupyter.NewMessage(kind, l.session, jupyter.Header{}, content)
	require.NoError(l.t, err)
	require.NoError(l.t, channel.Send(m))
	return m.Header.ID
}

// finished waits for a request's reply and its idle.
func (l *lab) finished(id string) object {
	l.t.Helper()
	reply, _ := l.wait(func(m jupyter.Message) bool { return m.Parent.ID == id && strings.HasSuffix(m.Header.Type, "_reply") })
	l.wait(func(m jupyter.Message) bool {
		return m.Parent.ID == id && m.Header.Type == "status" && strings.Contains(string(m.Content), "idle")
	})
	return content(l.t, reply)
}

func content(t testing.TB, m jupyter.Message) (c object) {
	t.Helper()
	require.NoError(t, json.Unmarshal(m.Content, &c))
	return c
}

// request is a debug_request's reply.
func (l *lab) request(command string, arguments any) object {
	l.t.Helper()
	return l.finished(l.ask(command, arguments))
}

func (l *lab) ask(command string, arguments any) (id string) {
	l.t.Helper()
	l.seq++
	return l.send(l.sockets.Control, "debug_request", object{"seq": l.seq, "type": "request", "command": command, "arguments": arguments})
}

// body is that of a reply to a request that succeeds.
func (l *lab) body(command string, arguments any) object {
	l.t.Helper()
	r := l.request(command, arguments)
	require.Equal(l.t, true, r["success"], "%s: %v", command, r)
	require.EqualValues(l.t, l.seq, r["request_seq"])
	b, _ := r["body"].(object)
	return b
}

// await waits for the next event of a name.
func (l *lab) await(name string) object {
	l.t.Helper()
	m, at := l.waitFrom(l.events, func(m jupyter.Message) bool {
		var e struct{ Event string }
		return m.Header.Type == "debug_event" && json.Unmarshal(m.Content, &e) == nil && e.Event == name
	})
	l.events = at + 1
	b, _ := content(l.t, m)["body"].(object)
	return b
}

// turnOn is what the button with the bug does.
func (l *lab) turnOn() {
	l.t.Helper()
	l.body("debugInfo", object{})
	capabilities := l.body("initialize", object{
		"clientID": "jupyterlab", "clientName": "JupyterLab", "adapterID": "gonb", "pathFormat": "path", "linesStartAt1": true,
		"columnsStartAt1": true, "supportsVariableType": true, "supportsVariablePaging": true, "supportsRunInTerminalRequest": true, "locale": "en",
	})
	require.NotEmpty(l.t, capabilities)
	l.body("attach", object{})
	l.await("initialized")
}

func (l *lab) turnOff() { l.body("disconnect", object{"restart": false, "terminateDebuggee": false}) }

// setBreakpoints is what a click beside a line does. The path is the cell's.
func (l *lab) setBreakpoints(code string, lines ...int) (path string, set []any) {
	l.t.Helper()
	path = l.body("dumpCell", object{"code": code})["sourcePath"].(string)
	list := []object{}
	for _, line := range lines {
		list = append(list, object{"line": line})
	}
	body := l.body("setBreakpoints", object{"breakpoints": list, "source": object{"path": path}, "sourceModified": false})
	return path, body["breakpoints"].([]any)
}

func (l *lab) run(code string) (id string) {
	l.t.Helper()
	return l.send(l.sockets.Shell, "execute_request", object{"code": code, "silent": false})
}

// said returns the types of the messages about a cell, except status and debug_event.
func (l *lab) said(id string) (types []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, m := range l.came {
		switch m.Header.Type {
		case "status", "debug_event", "execute_input", "execute_reply":
		default:
			if m.Parent.ID == id {
				types = append(types, m.Header.Type)
			}
		}
	}
	return types
}

// frames is what JupyterLab asks for at a stop.
func (l *lab) frames() []any {
	l.t.Helper()
	return l.body("stackTrace", object{"threadId": 1})["stackFrames"].([]any)
}

func (l *lab) top() object { return l.frames()[0].(object) }

// variables are those of a scope of the top frame.
func (l *lab) variables(scope string) map[string]string {
	l.t.Helper()
	values := map[string]string{}
	for _, s := range l.body("scopes", object{"frameId": l.top()["id"]})["scopes"].([]any) {
		if s := s.(object); s["name"] == scope {
			for _, v := range l.body("variables", object{"variablesReference": s["variablesReference"]})["variables"].([]any) {
				values[v.(object)["name"].(string)] = v.(object)["value"].(string)
			}
		}
	}
	return values
}

// rowMax is the cell of an exercise with a barrier, and where in it the lines are that tests stop
// at.
func rowMax(t testing.TB) (cell string, line func(text string) int) {
	return shaderCell(t, "row-max")
}

func shaderCell(t testing.TB, id string) (cell string, line func(text string) int) {
	t.Helper()
	source, err := exercises.Reference(id)
	require.NoError(t, err)
	cell = "%%writefile work/" + id + ".wgsl\n" + source
	return cell, func(text string) int {
		before, _, found := strings.Cut(cell, text)
		require.True(t, found, "%q is in the cell", text)
		return strings.Count(before, "\n") + 1
	}
}

func checkCell(id string) string { return course.CheckCell("Exercise", id) }

func TestChecked(t *testing.T) {
	for code, want := range map[string]string{
		checkCell("add"): "add",
		"import \"github.com/wgslab/wgslab/pkg/check\"\n\nfunc main() {\n\tcheck.Exercise(`relu`)\n}": "relu",
		"%%\nfmt.Println(1)\ncheck.Exercise(\"a\")\ncheck.Exercise(\"b\")":                            "a",
		"%%\n// check.Exercise(\"add\")":                                                              "",
		"%%\ns := `check.Exercise(\"add\")`":                                                          "",
		"%%\ncheck.Exercise(id)":                                                                      "",
		"%%\ncheck.Exercise(\"add\"":                                                                  "",
		"%%writefile work/add.wgsl\n// check.Exercise(\"add\")":                                       "",
		"%%writefile main.go\nfunc main() { check.Exercise(\"add\") }":                                "",
		"": "",
	} {
		id, ok := debugger.Checked(cell.Read(code))
		require.Equal(t, want, id, code)
		require.Equal(t, want != "", ok, code)
	}
}
