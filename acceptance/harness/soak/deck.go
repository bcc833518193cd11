package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/course"
)

// What learners wait for.
const (
	serverTook      = "JupyterLab starts"
	openingTook     = "a notebook opens"
	firstCellTook   = "the first Go cell"
	cellTook        = "a later Go cell"
	verdictTook     = "Run to verdict"
	wastefulTook    = "Run to verdict, a wasteful shader"
	endlessTook     = "Run to verdict, an endless shader"
	memoryTook      = "Run to verdict, a shader that wants all memory"
	crashTook       = "Run to verdict, the driver crashes"
	completeWGSL    = "completion of WGSL"
	completeGoFirst = "completion of Go, the first of a notebook"
	completeGo      = "completion of Go"
	stopTook        = "a breakpoint's stop"
	stepTook        = "a debugger step"
	sheetTook       = "the draw sheet opens"
	strokeTook      = "the draw sheet reads a drawing"
	interruptTook   = "an interrupt ends a cell"
	restartTook     = "a restarted kernel answers"
	reconnectTook   = "the missed output, after reconnecting"
	floodTook       = "10 MB of output"
)

// waits lists them in the order of the report, with their goals.
var waits = []struct {
	name     string
	p50, p95 time.Duration // goals; 0 means none
}{
	{verdictTook, 50 * time.Millisecond, 400 * time.Millisecond},
	{serverTook, 0, 0}, {openingTook, 0, 0}, {firstCellTook, 0, 0}, {cellTook, 0, 0},
	{completeWGSL, 0, 0}, {completeGoFirst, 0, 0}, {completeGo, 0, 0},
	{stopTook, 0, 0}, {stepTook, 0, 0}, {sheetTook, 0, 0}, {strokeTook, 0, 0},
	{wastefulTook, 0, 0}, {endlessTook, 0, 0}, {memoryTook, 0, 0}, {crashTook, 0, 0},
	{interruptTook, 0, 0}, {restartTook, 0, 0}, {reconnectTook, 0, 0}, {floodTook, 0, 0},
}

// A card is one thing that a learner does.
type card struct {
	what  string
	times int // in one lesson of twenty minutes
	do    func(l *learner, ctx context.Context) error
}

var cards = []card{
	{"run a right shader", 12, (*learner).right},
	{"run a wrong shader", 14, (*learner).wrong},
	{"run a racing shader", 3, (*learner).racing},
	{"run a wasteful shader", 1, (*learner).wasteful},
	{"run an endless shader", 1, (*learner).endless},
	{"interrupt an endless shader", 1, (*learner).interruptShader},
	{"crash the driver", 1, (*learner).crash},
	{"take all memory", 1, (*learner).takeMemory},
	{"write 10 MB", 1, (*learner).flood},
	{"run a Go cell", 5, func(l *learner, ctx context.Context) error { return l.goCell(ctx, cellTook) }},
	{"run an own shader on own data", 4, (*learner).ownShader},
	{"interrupt a Go cell", 1, (*learner).interruptGo},
	{"restart in mid-cell", 1, (*learner).restartMidCell},
	{"close the lid", 1, (*learner).closeLid},
	{"complete WGSL", 8, (*learner).completeWGSL},
	{"complete Go", 4, (*learner).completeGo},
	{"debug", 2, (*learner).debug},
	{"draw", 1, (*learner).draw},
	{"open three notebooks", 1, (*learner).threeNotebooks},
	{"save", 4, (*learner).save},
	{"read", 4, (*learner).readOn},
	{"leave and come back", 1, (*learner).comeBack},
}

// lesson returns a learner's cards in the order of a seed. Everybody begins with a right shader,
// and soon completes Go, so that memory is soon what it stays.
func lesson(random *rand.Rand) (deck []card) {
	for _, c := range cards {
		deck = append(deck, slices.Repeat([]card{c}, c.times)...)
	}
	random.Shuffle(len(deck), func(i, k int) { deck[i], deck[k] = deck[k], deck[i] })
	return append([]card{cardOf("run a right shader"), cardOf("complete Go")}, deck...)
}

// cardOf returns a card by what the learner does.
func cardOf(what string) card {
	return cards[slices.IndexFunc(cards, func(c card) bool { return c.what == what })]
}

// solved are the exercises that learners solve.
var solved = []string{"vector-add", "matmul", "relu", "row-max", "softmax"}

const noAutoGet = "%noautoget\n"

func checkCell(id string) string { return course.CheckCell("Exercise", id) }

// written returns the cell that writes a shader. Each has a text of its own, which the driver has
// to compile.
func (l *learner) written(name, source string) string {
	return fmt.Sprintf("%%%%writefile work/%s.wgsl\n// %s, try %d\n%s", name, mark(l.number), l.random.Uint32(), source)
}

// runCheck writes a shader and checks it. The time counts from Run to the first display.
func (l *learner) runCheck(ctx context.Context, n *notebook, took, id, source, status string) (*request, error) {
	if err := l.write(ctx, n, id, source); err != nil {
		return nil, err
	}
	r, err := n.run(ctx, checkCell(id), status)
	if err != nil {
		return r, err
	}
	return r, l.sawVerdict(r, took)
}

// write types a shader and runs its cell.
func (l *learner) write(ctx context.Context, n *notebook, id, source string) error {
	l.pause(ctx, 8*time.Second) // to type it
	if _, err := n.run(ctx, l.written(id, source), "ok"); err != nil {
		return err
	}
	l.pause(ctx, time.Second) // to go to the next cell
	return nil
}

func (l *learner) sawVerdict(r *request, took string) error {
	if r.shown.IsZero() {
		return fmt.Errorf("a check showed no verdict: %s %s", r.reply.EName, r.reply.EValue)
	}
	l.class.took(l.number, took, r.shown.Sub(r.sent))
	return nil
}

func (l *learner) right(ctx context.Context) error {
	return l.rightIn(ctx, l.notebook, solved[l.random.IntN(len(solved))])
}

func (l *learner) rightIn(ctx context.Context, n *notebook, id string) error {
	source, err := exercises.Reference(id)
	if err != nil {
		return err
	}
	r, err := l.runCheck(ctx, n, verdictTook, id, source, "ok")
	if err == nil && !strings.Contains(r.display.String(), "✓ "+id+": right") {
		err = fmt.Errorf("a right %s got: %s", id, cut(r.display.String()))
	}
	return err
}

// A mistake is a wrong shader of an exercise.
type mistake struct{ id, diagnosis, source string }

// readMistakes reads the wrong shaders of the exercises.
func readMistakes() (all []mistake, err error) {
	for _, id := range solved {
		files, err := exercises.Files.Glob(id + "/wrong/*.wgsl")
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			source, err := exercises.Files.ReadFile(file)
			if err != nil {
				return nil, err
			}
			first, _, _ := strings.Cut(string(source), "\n")
			all = append(all, mistake{id, strings.TrimPrefix(first, "// diagnosis: "), string(source)})
		}
	}
	return all, nil
}

// mistaken runs one of the wrong shaders that are wanted.
func (l *learner) mistaken(ctx context.Context, took string, wanted func(mistake) bool) error {
	m := l.pick(wanted)
	if _, err := l.runCheck(ctx, l.notebook, took, m.id, m.source, "error"); err != nil {
		return fmt.Errorf("a wrong %s (%s): %w", m.id, m.diagnosis, err)
	}
	return nil
}

func (l *learner) pick(wanted func(mistake) bool) mistake {
	for {
		if m := l.class.mistakes[l.random.IntN(len(l.class.mistakes))]; wanted(m) {
			return m
		}
	}
}

const (
	raceDiagnosis    = "race"
	endlessDiagnosis = "did-not-finish"
)

func (l *learner) wrong(ctx context.Context) error {
	return l.mistaken(ctx, verdictTook, func(m mistake) bool { return m.diagnosis != raceDiagnosis && m.diagnosis != endlessDiagnosis })
}

func (l *learner) racing(ctx context.Context) error {
	return l.mistaken(ctx, verdictTook, func(m mistake) bool { return m.diagnosis == raceDiagnosis })
}

func (l *learner) endless(ctx context.Context) error {
	if _, err := l.runCheck(ctx, l.notebook, endlessTook, "vector-add", endlessShader, "error"); err != nil {
		return err
	}
	return l.rightIn(ctx, l.notebook, "vector-add")
}

// bindings are those of vector-add.
const bindings = `@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;
`

// endlessShader has a loop that no compiler sees as endless.
const endlessShader = bindings + `
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    for (var k = 1u; k * k != 2u; k += 2u) {
        out[id.x] = a[id.x] + b[id.x] + f32(k);
    }
}
`

// wastefulShader is right. One invocation adds all elements, again and again.
const wastefulShader = bindings + `
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let n = arrayLength(&out);
    for (var round = 0u; id.x == 0u && round < 64u; round++) {
        for (var i = 0u; i < n; i++) {
            out[i] = a[i] + b[i];
        }
    }
}
`

// memoryShader wants four gigabytes for each invocation.
const memoryShader = bindings + `
var<private> big: array<f32, 1000000000>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    big[u32(a[id.x])] = b[id.x];
    out[id.x] = big[u32(b[id.x])];
}
`

func (l *learner) wasteful(ctx context.Context) error {
	if err := l.write(ctx, l.notebook, "vector-add", wastefulShader); err != nil {
		return err
	}
	r, err := l.notebook.startCell(ctx, checkCell("vector-add"))
	if err == nil {
		err = l.notebook.wait(ctx, r) // right or not: the rule about work decides
	}
	if err == nil {
		err = l.sawVerdict(r, wastefulTook)
	}
	return err
}

func (l *learner) takeMemory(ctx context.Context) error {
	if _, err := l.runCheck(ctx, l.notebook, memoryTook, "vector-add", memoryShader, "error"); err != nil {
		return err
	}
	return l.rightIn(ctx, l.notebook, "vector-add")
}

// startEndless runs an endless shader, and returns while it runs.
func (l *learner) startEndless(ctx context.Context) (*request, error) {
	if err := l.write(ctx, l.notebook, "vector-add", endlessShader); err != nil {
		return nil, err
	}
	r, err := l.notebook.startCell(ctx, checkCell("vector-add"))
	time.Sleep(time.Second) // the shader runs for ten
	return r, err
}

func (l *learner) crash(ctx context.Context) error {
	r, err := l.startEndless(ctx)
	if err == nil {
		err = l.crashWorker()
	}
	if err == nil {
		err = l.notebook.ends(ctx, r, "error")
	}
	if err == nil {
		err = l.sawVerdict(r, crashTook)
	}
	if err != nil {
		return err
	}
	return l.rightIn(ctx, l.notebook, "vector-add")
}

func (l *learner) interruptShader(ctx context.Context) error {
	r, err := l.startEndless(ctx)
	if err != nil {
		return err
	}
	if err := l.interruptCell(ctx, r); err != nil {
		return err
	}
	return l.rightIn(ctx, l.notebook, "vector-add")
}

// interruptCell interrupts a cell that would run on.
func (l *learner) interruptCell(ctx context.Context, r *request) error {
	begun := time.Now()
	if err := l.notebook.interrupt(ctx); err != nil {
		return err
	}
	if err := l.notebook.ends(ctx, r, "error"); err != nil {
		return err
	}
	l.class.took(l.number, interruptTook, r.ended.Sub(begun))
	return nil
}

// goCell runs a Go cell that prints the learner's marker.
func (l *learner) goCell(ctx context.Context, took string) error {
	said := fmt.Sprintf("%s says %d", mark(l.number), l.random.Uint32())
	r, err := l.notebook.run(ctx, noAutoGet+fmt.Sprintf("import \"fmt\"\n\n%%%%\nfmt.Println(%q)", said), "ok")
	if err != nil {
		return err
	}
	if got := r.stream.String(); got != said+"\n" {
		return fmt.Errorf("a cell that prints %q printed %q", said, cut(got))
	}
	l.class.took(l.number, took, r.shown.Sub(r.sent))
	return nil
}

// ownShader runs a shader that writes numbers which only this learner has.
func (l *learner) ownShader(ctx context.Context) error {
	source := fmt.Sprintf(`@group(0) @binding(0) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    out[id.x] = f32(%du + id.x);
}
`, 1000*l.number)
	if err := l.write(ctx, l.notebook, "example-own", source); err != nil {
		return err
	}
	r, err := l.notebook.run(ctx, ownCell, "ok")
	if err != nil {
		return err
	}
	first := 1000 * l.number
	want := fmt.Sprintf("[%d %d %d %d]\n", first, first+1, first+2, first+3)
	if got := r.stream.String(); got != want {
		return fmt.Errorf("a shader that writes %q wrote %q", want, cut(got))
	}
	l.class.took(l.number, cellTook, r.shown.Sub(r.sent))
	return nil
}

const ownCell = noAutoGet + `import (
	"fmt"

	"github.com/wgslab/wgslab/pkg/gpu"
	"github.com/wgslab/wgslab/pkg/show"
)

%%
fmt.Println(show.Must(gpu.Compute[float32]("work/example-own.wgsl", gpu.Elements(4), gpu.Out(4))))`

func (l *learner) interruptGo(ctx context.Context) error {
	r, err := l.startGoOn(ctx)
	if err != nil {
		return err
	}
	return l.interruptCell(ctx, r)
}

// startGoOn runs a Go cell that prints a line and never ends, and returns when it has printed.
func (l *learner) startGoOn(ctx context.Context) (*request, error) {
	output := l.notebook.ledger.output()
	code := noAutoGet + fmt.Sprintf("import (\n\t\"fmt\"\n\t\"time\"\n)\n\n%%%%\nfmt.Println(%q)\ntime.Sleep(time.Hour)", mark(l.number))
	r, err := l.notebook.startCell(ctx, code)
	if err != nil {
		return r, err
	}
	select {
	case <-output:
		return r, nil
	case <-time.After(replyTimeout):
		return r, fmt.Errorf("the output of a cell was lost: it did not come within %s", replyTimeout)
	case <-ctx.Done():
		return r, ctx.Err()
	}
}

func (l *learner) restartMidCell(ctx context.Context) error {
	if _, err := l.startGoOn(ctx); err != nil {
		return err
	}
	begun := time.Now()
	if err := l.notebook.restart(ctx); err != nil {
		return err
	}
	l.class.took(l.number, restartTook, time.Since(begun))
	return l.rightIn(ctx, l.notebook, "relu")
}

// closeLid runs a cell, and is away when it prints. The server keeps the output for the return.
func (l *learner) closeLid(ctx context.Context) error {
	said := mark(l.number) + " came while the lid was closed"
	code := noAutoGet + fmt.Sprintf("import (\n\t\"fmt\"\n\t\"time\"\n)\n\n%%%%\ntime.Sleep(time.Second)\nfmt.Println(%q)", said)
	r, err := l.notebook.startCell(ctx, code)
	if err != nil {
		return err
	}
	l.notebook.disconnect()
	l.wait(ctx, time.Duration(float64(time.Minute)/l.class.Hurry))
	begun := time.Now()
	if err := l.notebook.connect(ctx); err != nil {
		return err
	}
	if err := l.notebook.ends(ctx, r, "ok"); err != nil {
		return err
	}
	if got := r.stream.String(); got != said+"\n" {
		return fmt.Errorf("behind a closed lid, a cell that prints %q printed %q", said, cut(got))
	}
	l.class.took(l.number, reconnectTook, max(0, r.ended.Sub(begun)))
	return nil
}

func (l *learner) completeWGSL(ctx context.Context) error {
	l.pause(ctx, 4*time.Second)
	matches, took, ok, err := l.notebook.complete(ctx, l.written("vector-add", bindings+"\n@compute @workgroup_size(64)\nfn main() {\n    let n = arrayLen"))
	if err != nil {
		return err
	}
	if !ok || !slices.Contains(matches, "arrayLength") {
		return fmt.Errorf("arrayLen was completed to %v", matches)
	}
	l.class.took(l.number, completeWGSL, took)
	return nil
}

func (l *learner) completeGo(ctx context.Context) error {
	l.pause(ctx, 4*time.Second)
	took := completeGo
	if !l.notebook.completed {
		took = completeGoFirst
	}
	for begun := time.Now(); ; {
		matches, _, ok, err := l.notebook.complete(ctx, noAutoGet+"import \"fmt\"\n\n%%\nfmt.Printl")
		if err != nil {
			return err
		}
		if ok && slices.Contains(matches, "Println") {
			l.notebook.completed = true
			l.class.took(l.number, took, time.Since(begun))
			return nil
		}
		if time.Since(begun) > replyTimeout {
			return fmt.Errorf("fmt.Printl was completed to %v", matches)
		}
		time.Sleep(500 * time.Millisecond) // the next key, while the language server still reads
	}
}

// debug stops in a right shader, and makes a few steps.
func (l *learner) debug(ctx context.Context) error {
	source, err := exercises.Reference("vector-add")
	if err != nil {
		return err
	}
	n := l.notebook
	for _, r := range []struct {
		command   string
		arguments any
	}{
		{"debugInfo", struct{}{}},
		{"initialize", map[string]any{"clientID": "jupyterlab", "adapterID": "gonb", "pathFormat": "path", "linesStartAt1": true, "columnsStartAt1": true}},
		{"attach", struct{}{}},
	} {
		if _, err := n.askDebugger(ctx, r.command, r.arguments); err != nil {
			return err
		}
	}
	cell := l.written("vector-add", source)
	if err := n.setBreakpoint(ctx, cell, "let i"); err != nil {
		return err
	}
	l.pause(ctx, 2*time.Second)
	if _, err := n.run(ctx, cell, "ok"); err != nil {
		return err
	}
	check, err := n.startCell(ctx, checkCell("vector-add"))
	if err != nil {
		return err
	}
	if err := l.steps(ctx, check.sent); err != nil {
		return err
	}
	if err := n.setBreakpoint(ctx, cell, ""); err != nil {
		return err
	}
	if _, err := n.askDebugger(ctx, "continue", map[string]any{"threadId": 1}); err != nil {
		return err
	}
	if err := n.ends(ctx, check, "ok"); err != nil {
		return err
	}
	_, err = n.askDebugger(ctx, "disconnect", map[string]any{"restart": false, "terminateDebuggee": false})
	return err
}

func (l *learner) steps(ctx context.Context, started time.Time) error {
	at, err := l.notebook.stopped(ctx)
	if err != nil {
		return err
	}
	l.class.took(l.number, stopTook, at.Sub(started))
	for range 3 {
		l.pause(ctx, 2*time.Second)
		begun := time.Now()
		if _, err := l.notebook.askDebugger(ctx, "next", map[string]any{"threadId": 1}); err != nil {
			return err
		}
		if at, err = l.notebook.stopped(ctx); err != nil {
			return err
		}
		l.class.took(l.number, stepTook, at.Sub(begun))
	}
	return nil
}

// askDebugger sends a request of the Debug Adapter Protocol on the control channel.
func (n *notebook) askDebugger(ctx context.Context, command string, arguments any) (body json.RawMessage, err error) {
	n.seq++
	r, err := n.ask(ctx, "control", "debug_request", map[string]any{"type": "request", "seq": n.seq, "command": command, "arguments": arguments})
	if err != nil {
		return nil, err
	}
	var answer struct {
		Success bool
		Message string
		Body    json.RawMessage
	}
	if err := json.Unmarshal(r.content, &answer); err != nil {
		return nil, err
	}
	if !answer.Success {
		return nil, fmt.Errorf("the debugger refused %s: %s", command, answer.Message)
	}
	return answer.Body, nil
}

// setBreakpoint sets a breakpoint on the line of a cell that has a text, or removes all if the text
// is empty.
func (n *notebook) setBreakpoint(ctx context.Context, cell, text string) error {
	raw, err := n.askDebugger(ctx, "dumpCell", map[string]any{"code": cell})
	if err != nil {
		return err
	}
	var dumped struct{ SourcePath string }
	if err := json.Unmarshal(raw, &dumped); err != nil {
		return err
	}
	lines := []map[string]int{}
	if text != "" {
		before, _, _ := strings.Cut(cell, text)
		lines = append(lines, map[string]int{"line": strings.Count(before, "\n") + 1})
	}
	_, err = n.askDebugger(ctx, "setBreakpoints", map[string]any{
		"breakpoints": lines, "source": map[string]string{"path": dumped.SourcePath}, "sourceModified": false,
	})
	return err
}

// stopped waits until the debugger stops, and returns when it did.
func (n *notebook) stopped(ctx context.Context) (at time.Time, err error) {
	late := time.After(replyTimeout)
	for {
		select {
		case raw := <-n.ledger.events:
			var event struct{ Event string }
			if json.Unmarshal(raw, &event) == nil && event.Event == "stopped" {
				return time.Now(), nil
			}
		case <-late:
			return at, fmt.Errorf("the debugger did not stop within %s", replyTimeout)
		case <-ctx.Done():
			return at, ctx.Err()
		}
	}
}

const drawCell = noAutoGet + "import \"github.com/wgslab/wgslab/pkg/draw\"\n%%\ndraw.Live()"

var sheetAddress = regexp.MustCompile(`http://127\.0\.0\.1:\d+/[\w-]+/`)

// draw opens lesson 8's sheet, draws a few strokes, and closes it.
func (l *learner) draw(ctx context.Context) error {
	n := l.notebook
	r, err := n.startCell(ctx, drawCell)
	if err != nil {
		return err
	}
	address, err := l.sheet(ctx, r)
	if err != nil {
		return err
	}
	l.class.took(l.number, sheetTook, time.Since(r.sent))
	for range 3 {
		l.pause(ctx, 2*time.Second)
		begun := time.Now()
		if err := l.stroke(ctx, address); err != nil {
			return err
		}
		l.class.took(l.number, strokeTook, time.Since(begun))
	}
	if err := n.interrupt(ctx); err != nil {
		return err
	}
	return n.wait(ctx, r)
}

// sheet waits for the sheet's address, and opens it.
func (l *learner) sheet(ctx context.Context, r *request) (address string, err error) {
	late := time.After(replyTimeout)
	for {
		next := l.notebook.ledger.output()
		if address = sheetAddress.FindString(l.notebook.ledger.text(r)); address != "" {
			return address, l.fetch(ctx, http.MethodGet, address, "")
		}
		select {
		case <-next:
		case <-r.done:
			return "", fmt.Errorf("the draw sheet did not open: %s", cut(r.display.String()+r.stream.String()))
		case <-late:
			return "", fmt.Errorf("the draw sheet did not open within %s", replyTimeout)
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
}

// stroke sends a drawing: a one, as the page's canvas has it.
func (l *learner) stroke(ctx context.Context, address string) error {
	const side = 140
	image := make([]byte, side*side)
	for row := 20; row < 120; row++ {
		for col := 64; col < 76; col++ {
			image[row*side+col] = 255
		}
	}
	return l.fetch(ctx, http.MethodPost, address+"classify?frame", string(image))
}

func (l *learner) fetch(ctx context.Context, method, address, body string) error {
	r, err := http.NewRequestWithContext(ctx, method, address, strings.NewReader(body))
	if err != nil {
		return err
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%s %s: %s", method, address, answer.Status)
	}
	return nil
}

// floodLines is the number of lines of 100 bytes that a cell prints.
const floodLines = 100_000

// flood prints 10 MB. Jupyter's server drops a part of it, and says so.
func (l *learner) flood(ctx context.Context) error {
	code := noAutoGet + "import (\n\t\"fmt\"\n\t\"strings\"\n)\n\n%%\n" + fmt.Sprintf(
		"for i := range %d {\n\tfmt.Printf(\"%s %%08d %%s\\n\", i, strings.Repeat(\"x\", %d))\n}", floodLines, mark(l.number), 100-11-len(mark(l.number)))
	r, err := l.notebook.run(ctx, code, "ok")
	if err != nil {
		return err
	}
	l.class.took(l.number, floodTook, r.ended.Sub(r.sent))
	return ordered(r.stream.String(), mark(l.number))
}

// ordered checks that the numbered lines that came are in order, without one that came twice. A gap
// needs the server's notice.
func ordered(text, mark string) error {
	next, limited := 0, strings.Contains(text, "rate exceeded")
	for line := range strings.Lines(text) {
		var number int
		if _, err := fmt.Sscanf(line, mark+" %d x", &number); err != nil {
			continue // the notice, or a line that it has cut
		}
		if number < next || number > next && !limited {
			return fmt.Errorf("of 10 MB, line %d came where line %d should be", number, next)
		}
		next = number + 1
	}
	if next != floodLines && !limited {
		return fmt.Errorf("of 10 MB, only %d of %d lines came", next, floodLines)
	}
	return nil
}

// threeNotebooks opens two more notebooks, works in all three, and closes two.
func (l *learner) threeNotebooks(ctx context.Context) error {
	for _, other := range []struct{ path, exercise string }{{"03-matmul.ipynb", "matmul"}, {"04-relu.ipynb", "relu"}} {
		n, err := l.openNotebook(ctx, other.path)
		if err != nil {
			return err
		}
		defer func() { l.report(ctx, n.close(context.WithoutCancel(ctx))) }()
		if err := l.rightIn(ctx, n, other.exercise); err != nil {
			return err
		}
	}
	l.pause(ctx, 10*time.Second)
	return l.rightIn(ctx, l.notebook, "vector-add")
}

func (l *learner) save(ctx context.Context) error { return l.notebook.save(ctx) }

// readOn reads the lesson: nothing of the learner's has anything to do.
func (l *learner) readOn(ctx context.Context) error {
	l.pause(ctx, 40*time.Second)
	return nil
}

// comeBack leaves, and returns after a while to what was saved.
func (l *learner) comeBack(ctx context.Context) error {
	l.leave(context.WithoutCancel(ctx))
	l.does("come back")
	l.pause(ctx, 20*time.Second)
	if l.class.isOver() {
		return nil
	}
	return l.arrive(ctx)
}
