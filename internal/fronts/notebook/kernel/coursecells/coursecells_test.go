package coursecells_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/learner"
	"github.com/wgslab/wgslab/internal/course/session"
	"github.com/wgslab/wgslab/internal/fronts/desk"
	"github.com/wgslab/wgslab/internal/fronts/desk/protocol"
	"github.com/wgslab/wgslab/internal/fronts/notebook/jupyter"
	"github.com/wgslab/wgslab/internal/fronts/notebook/jupyter/jupytertest"
	"github.com/wgslab/wgslab/internal/fronts/notebook/kernel"
	"github.com/wgslab/wgslab/internal/fronts/notebook/kernel/coursecells"
	"github.com/wgslab/wgslab/internal/fronts/notebook/kernelspec"
	"github.com/wgslab/wgslab/internal/fronts/notebook/workerpool"
	"github.com/wgslab/wgslab/internal/fronts/notebook/workerpool/serve"
	"github.com/wgslab/wgslab/internal/ground/view"
	"github.com/wgslab/wgslab/internal/machine/engine"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// The tests of this package start this program again: as a kernel, as its worker, and as the
// program that GoNB makes of a check cell.
const (
	role   = "WGSLAB_TEST_ROLE" // "kernel" or "cell"
	marked = "WGSLAB_TEST_MARK" // carried by all that a test starts
)

var fakes string // the folder of the fake kernel, which replaces GoNB

func TestMain(m *testing.M) {
	switch {
	case len(os.Args) > 1 && os.Args[1] == workerpool.Command:
		os.Exit(serve.Serve())
	case os.Getenv(role) == "kernel":
		jupytertest.Must(serveKernel(os.Args[1], os.Args[2:]))
	case os.Getenv(role) == "cell":
		jupytertest.Must(checkHere(os.Args[1], os.Args[2]))
	default:
		os.Exit(jupytertest.Within(func(dir string) int {
			fakes = dir
			return m.Run()
		}))
	}
}

func workers(c workerpool.Config) *workerpool.Workers {
	c.Command = []string{os.Args[0], workerpool.Command}
	return workerpool.New(c)
}

var usual = workerpool.Config{Deadline: time.Minute, Idle: time.Minute, Requests: 200}

func serveKernel(connectionFile string, gonb []string) error {
	w := workers(usual)
	defer w.Close()
	return kernel.Run(context.Background(), kernel.Config{
		ConnectionFile: connectionFile,
		GoNB:           kernelspec.Spec{Name: "gonb", Argv: append(gonb, "{connection_file}")},
		Answerers:      []kernel.Answerer{coursecells.ShaderCells{Worker: w}, coursecells.NewCalls(w, func(code string, _ []string) string { return code })},
		Version:        "test", Log: os.Stderr,
	})
}

// checkHere runs a check cell like GoNB, except for the seed and the views, which go to stdout as
// JSON.
func checkHere(id, seed string) error {
	number, err := strconv.ParseUint(seed, 10, 64)
	if err != nil {
		return err
	}
	open := func(ctx context.Context) (*engine.Opened, error) { return engine.Open(ctx, shader.Best) }
	encoder := json.NewEncoder(os.Stdout)
	cell := session.Session{Open: open, Read: shader.ReadCell, Record: session.Record, Display: func(views ...view.View) {
		for _, v := range views {
			jupytertest.Must(encoder.Encode(desk.Rendered(v)))
		}
	}}
	_, err = cell.Exercise(context.Background(), id, number)
	os.Exit(map[bool]int{true: 0, false: 1}[err == nil]) // with the device open: a shader may still have it
	return nil
}

// underTest is a kernel with the displays of its cells.
type underTest struct {
	t      *testing.T
	kernel *jupyter.Kernel
	dir    string
	mark   string
}

type shown struct {
	reply   jupyter.Reply
	err     error
	views   []map[string]string
	streams map[string]string
	took    time.Duration
}

func (s shown) text() string {
	var all []string
	for _, view := range s.views {
		all = append(all, view["text/plain"])
	}
	return strings.Join(all, "\n")
}

func overFake(t *testing.T) *underTest {
	return launch(t, nil, filepath.Join(fakes, "fakekernel"), jupytertest.Fake)
}

func launch(t *testing.T, env map[string]string, gonb ...string) *underTest {
	t.Helper()
	k := &underTest{t: t, dir: t.TempDir(), mark: uuid.NewString()}
	spec := kernelspec.Spec{
		Name: "tested", Argv: append([]string{os.Args[0], "{connection_file}"}, gonb...), InterruptMode: "message",
		Env: map[string]string{role: "kernel", marked: k.mark},
	}
	for name, value := range env {
		spec.Env[name] = value
	}
	var err error
	k.kernel, err = jupyter.Start(t.Context(), spec, k.dir)
	require.NoError(t, err)
	t.Cleanup(func() {
		require.NoError(t, k.kernel.Shutdown(context.Background()))
		require.Eventually(t, func() bool { return len(k.workers()) == 0 }, 10*time.Second, 10*time.Millisecond, "a worker is left")
	})
	return k
}

// workers are the processes of its workers, the eldest first.
func (k *underTest) workers() []int {
	var found []int
	started := map[int]uint64{} // numbers of processes start again some day
	entries, _ := filepath.Glob("/proc/[0-9]*")
	for _, dir := range entries {
		line, _ := os.ReadFile(filepath.Join(dir, "cmdline"))
		environ, _ := os.ReadFile(filepath.Join(dir, "environ"))
		if strings.Contains(string(line), workerpool.Command) && strings.Contains(string(environ), k.mark) {
			pid, _ := strconv.Atoi(filepath.Base(dir))
			found, started[pid] = append(found, pid), startOf(dir)
		}
	}
	slices.SortFunc(found, func(a, b int) int { return cmp.Or(cmp.Compare(started[a], started[b]), cmp.Compare(a, b)) })
	return found
}

// startOf returns when a process started, in ticks since the machine did.
func startOf(dir string) uint64 { return statOf(dir, 22) }

// usedBy returns the CPU time of a process; Linux counts it in ticks of 10 ms.
func usedBy(dir string) time.Duration {
	return time.Duration(statOf(dir, 14)+statOf(dir, 15)) * 10 * time.Millisecond
}

// statOf returns a number in the stat of proc(5); 0 if the process is gone.
func statOf(dir string, field int) uint64 {
	stat, _ := os.ReadFile(filepath.Join(dir, "stat"))
	_, after, _ := bytes.Cut(stat, []byte(") "))
	fields := bytes.Fields(after)
	if len(fields) < 20 {
		return 0
	}
	n, _ := strconv.ParseUint(string(fields[field-3]), 10, 64)
	return n
}

// execute runs a cell that makes no noise.
func (k *underTest) execute(code string) shown {
	k.t.Helper()
	s := k.run(code)
	require.Empty(k.t, s.streams["stderr"])
	return s
}

func (k *underTest) run(code string) shown { return k.within(2*time.Minute, nil, code) }

// within runs a cell and interrupts it after a while. It calls begun when the kernel has started
// the cell.
func (k *underTest) within(deadline time.Duration, begun func(), code string) shown {
	k.t.Helper()
	s, places := shown{streams: map[string]string{}}, map[string]int{}
	started := time.Now()
	s.reply, s.err = k.kernel.Execute(k.t.Context(), jupyter.Request{Code: code, Deadline: deadline, Output: func(m jupyter.Message) error {
		var content struct {
			Name, Text string
			Data       map[string]string
			Transient  struct {
				Place string `json:"display_id"`
			}
		}
		switch m.Header.Type {
		case "execute_input":
			if begun != nil {
				go begun()
			}
		case "display_data", "stream":
			require.NoError(k.t, json.Unmarshal(m.Content, &content))
			if m.Header.Type == "stream" {
				s.streams[content.Name] += content.Text
			} else {
				s.views = append(s.views, content.Data)
				places[content.Transient.Place] = len(s.views) - 1
			}
		case "update_display_data":
			require.NoError(k.t, json.Unmarshal(m.Content, &content))
			s.views[places[content.Transient.Place]] = content.Data
		}
		return nil
	}})
	s.took = time.Since(started)
	return s
}

func reference(t *testing.T, id string) string {
	t.Helper()
	source, err := exercises.Reference(id)
	require.NoError(t, err)
	return source
}

func shaderCell(id, source string) string { return "%%writefile work/" + id + ".wgsl\n" + source }

func checkCell(id string) string { return course.CheckCell("Exercise", id) }

func TestAShadersCellSaysAtOnceWhatIsWrong(t *testing.T) {
	k := overFake(t)
	right := reference(t, "vector-add")

	got := k.execute(shaderCell("vector-add", right))
	require.Equal(t, "ok", got.reply.Status)
	require.Equal(t, "• vector-add: compiles", got.text())
	require.Empty(t, got.streams)

	broken := strings.Replace(right, "a[i] + b[i]", "a[i] + c[i]", 1)
	got = k.execute(shaderCell("vector-add", broken))
	require.Equal(t, "ok", got.reply.Status, "the file is saved all the same")
	require.Contains(t, got.text(), "✗ vector-add: does not compile")
	line := 2 + strings.Count(broken[:strings.Index(broken, "c[i]")], "\n") // the cell begins with %%writefile
	require.Contains(t, got.text(), fmt.Sprintf("line %d, column ", line))
	require.Contains(t, got.text(), "^")
	require.Contains(t, got.views[0]["text/html"], "<pre")
	saved, err := os.ReadFile(filepath.Join(k.dir, learner.ShaderPath("vector-add")))
	require.NoError(t, err)
	require.Equal(t, broken+"\n", string(saved))

	racing := strings.Replace(reference(t, "row-max"), "workgroupBarrier();", "", 1)
	got = k.execute(shaderCell("row-max", racing))
	require.Equal(t, "ok", got.reply.Status)
	require.Contains(t, got.text(), "✗ row-max: compiles, and goes wrong when it runs")

	got = k.execute("%%writefile work/examples/two.wgsl\nfn twice(x: f32) -> f32 { return 2 * x; }")
	require.Equal(t, "• work/examples/two.wgsl: compiles", got.text())
}

func TestChecks(t *testing.T) {
	k := overFake(t)
	right := reference(t, "vector-add")
	k.execute(shaderCell("vector-add", right))
	got := k.execute(checkCell("vector-add"))
	require.Equal(t, "ok", got.reply.Status, got.reply.EValue)
	require.Len(t, got.views, 4, "the verdict, the reference beside it, the marks for what it costs, and other right ways")
	require.Contains(t, got.text(), "✓ vector-add: right")
	require.Contains(t, got.text(), "yours took")

	k.execute(shaderCell("vector-add", strings.Replace(right, "a[i] + b[i]", "a[i] - b[i]", 1)))
	got = k.execute(checkCell("vector-add"))
	require.Equal(t, "error", got.reply.Status)
	require.Equal(t, "NotRight", got.reply.EName)
	require.Equal(t, "vector-add: not right yet", got.reply.EValue)
	require.Len(t, got.views, 1, "one verdict, with its reasons")
	require.Contains(t, got.text(), "Which operator does the calculation on line 15 need?")
	require.Empty(t, got.streams)

	got = k.execute(checkCell("saxpy"))
	require.Equal(t, "NotChecked", got.reply.EName)
	require.Contains(t, got.text(), "in lesson 2, run the cell that starts with %%writefile work/saxpy.wgsl")

	journal, err := os.ReadFile(filepath.Join(k.dir, "work", "journal.jsonl"))
	require.NoError(t, err)
	require.Equal(t, 2, strings.Count(string(journal), "\n"))

	got = k.execute("import \"github.com/wgslab/wgslab/pkg/check\"\n%%\ncheck.Predict(\"predict-surplus\", \"a\")")
	require.Equal(t, "ok", got.reply.Status, "a wrong prediction is no error")
	require.Contains(t, got.text(), "You say: 768")
	got = k.execute("import \"github.com/wgslab/wgslab/pkg/check\"\n%%\ncheck.Recall(4, \"\")")
	require.Equal(t, "ok", got.reply.Status)
	require.Contains(t, got.text(), "`@workgroup_size(32)`", "the question that was answered wrong just now, in new words")

	got = k.execute("import \"github.com/wgslab/wgslab/pkg/course\"\n%%\ncourse.Here(2)")
	require.Equal(t, "ok", got.reply.Status)
	require.Contains(t, got.text(), "vector-add")
	got = k.execute("import \"github.com/wgslab/wgslab/pkg/trace\"\n%%\ntrace.Exercise(\"vector-add\")")
	require.Equal(t, "ok", got.reply.Status)
	require.NotEmpty(t, got.views)
}

func TestRungsOfTheLadderAreCounted(t *testing.T) {
	k := overFake(t)
	got := k.execute("%noautoget\nimport \"github.com/wgslab/wgslab/pkg/race\"\n%%\nrace.Count(\"naive\", \"coalesced\")")
	require.Equal(t, "ok", got.reply.Status, got.reply.EValue)
	require.Contains(t, got.text(), "naive takes 5.7 times as long as coalesced, at least.")
	got = k.execute("import \"github.com/wgslab/wgslab/pkg/race\"\n%%\nrace.Count(\"naive\", \"flat\")")
	require.Equal(t, "ok", got.reply.Status)
	require.Contains(t, got.text(), "No rung is called")
	k.requireNextCheckWorks()
}

// endless is an endless loop that neither its text nor a few steps reveal.
const endless = `@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  var i = id.x;
  while (i < arrayLength(&out)) {
    out[i] = a[i] + b[i];
    i += u32(a[i] > 1e30);
  }
}
`

func (k *underTest) requireNextCheckWorks() {
	k.t.Helper()
	k.execute(shaderCell("vector-add", reference(k.t, "vector-add")))
	got := k.execute(checkCell("vector-add"))
	require.Equal(k.t, "ok", got.reply.Status, got.reply.EValue)
}

func TestAnEndlessShaderIsInterrupted(t *testing.T) {
	k := overFake(t)
	got := k.execute(shaderCell("vector-add", endless))
	require.Equal(t, "ok", got.reply.Status)
	require.Contains(t, got.text(), "line 8")
	got = k.within(time.Second, nil, checkCell("vector-add"))
	require.ErrorAs(t, got.err, new(*jupyter.DeadlineError))
	require.Less(t, got.took, gpu.DefaultDeadline, "the interrupt ends it, and not the device's deadline")
	k.requireNextCheckWorks()
}

func TestAKilledWorkerIsReplaced(t *testing.T) {
	k := overFake(t)
	k.execute(shaderCell("vector-add", endless))
	require.Len(t, k.workers(), 1)
	got := k.within(time.Minute, func() {
		pid := k.workers()[0]
		dir := filepath.Join("/proc", strconv.Itoa(pid))
		before := usedBy(dir)
		for used := before; used > 0 && used < before+time.Second; used = usedBy(dir) { // only a check takes so much
			time.Sleep(time.Millisecond)
		}
		process, _ := os.FindProcess(pid)
		_ = process.Kill()
	}, checkCell("vector-add"))
	require.Equal(t, "error", got.reply.Status)
	require.Equal(t, "NotRight", got.reply.EName)
	require.Contains(t, strings.Join(strings.Fields(got.text()), " "), "signal: killed")
	require.Contains(t, got.text(), "Run this cell again")
	k.requireNextCheckWorks()

	t.Run("between two cells it goes unnoticed", func(t *testing.T) {
		for _, pid := range k.workers() {
			process, _ := os.FindProcess(pid)
			_ = process.Kill()
		}
		require.Eventually(t, func() bool { return len(k.workers()) == 0 }, 5*time.Second, 10*time.Millisecond)
		k.requireNextCheckWorks()
	})
}

// times matches the text that differs between any two runs. On a busy machine, a slow shader may be
// timed in one run and not in the next.
var times = regexp.MustCompile(`\d+ ms|yours took [^,]+, the reference [^<\n]+|` +
	`your shader takes [^<\n]+ the reference\. That would take about [^<\n]+|would take more than [^,]+`)

func masked(view protocol.View) protocol.View {
	for format, content := range view {
		view[format] = times.ReplaceAllString(content, "TIME")
	}
	return view
}
