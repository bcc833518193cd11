package dap

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/google/go-dap"

	"github.com/wgslab/wgslab/internal/observe/debug"
)

// A NotebookAdapter is a debug adapter for JupyterLab's debugger. JupyterLab sends the protocol's
// requests, and some of its own
// (https://jupyter-client.readthedocs.io/en/stable/messaging.html#debug-request), on a kernel's
// control channel. The kernel starts each run, when a cell checks a shader. Breakpoints are in the
// cell that writes the shader to its file. The cell's first line names the file and counts as line
// 1: see shader.InCell.
//
// JupyterLab identifies a cell by a path that contains a hash of the cell's source. The kernel
// reports which file each cell writes. A check, which knows the file, can then find the cell and
// its breakpoints.
type NotebookAdapter struct {
	a        *DebugAdapter
	read     func(code string) (ShaderFile, bool)
	event    func(json.RawMessage)
	prefix   string
	armed    atomic.Bool            // the debugger is on
	set      atomic.Bool            // there are breakpoints
	comments atomic.Bool            // comments in some shader stop it by themselves
	answered chan<- json.RawMessage // the response to the current request; owned by the adapter's goroutine

	started     bool
	cells       map[string]cell     // by path
	writers     map[string][]string // the paths of the cells that write a file, the latest to run last
	breakpoints map[string][]dap.SourceBreakpoint
	left        map[string][]dap.SourceBreakpoint // the breakpoints at the time when the debugger was turned off
	untold      map[string][]dap.SourceBreakpoint // set in the console and not yet reported to JupyterLab
	filters     []string                          // nil until the client sets them
	watches     []string                          // set in the console
	ended       chan struct{}
}

// A ShaderFile is the text of a shader that a cell writes to a file, and the file's absolute path.
type ShaderFile struct{ File, Text string }

// A cell is one of the notebook's cells.
type cell struct {
	code   string
	shader *ShaderFile // nil if the cell writes none
}

// JupyterLab builds the path of a cell from prefix, hash and suffix. It shows a cell's number only
// if the path contains ipykernel_.
const (
	cellPrefix = "ipykernel_"
	cellSuffix = ".wgsl"
	hashMethod = "Murmur2"
	hashSeed   = 0xc70f6907
)

// NewNotebook returns the debug adapter of a kernel. folder is the fictitious folder in the cells'
// paths, by which JupyterLab distinguishes kernels; nothing is written there. read returns the
// shader that a cell would write. event receives the content of each debug_event.
func NewNotebook(folder string, read func(code string) (ShaderFile, bool), event func(json.RawMessage)) *NotebookAdapter {
	n := &NotebookAdapter{
		read: read, event: event, prefix: strings.TrimSuffix(folder, "/") + "/" + cellPrefix,
		cells: map[string]cell{}, writers: map[string][]string{},
		breakpoints: map[string][]dap.SourceBreakpoint{}, untold: map[string][]dap.SourceBreakpoint{},
	}
	n.a = New(Options{Emit: n.emit, Plain: true, Ended: n.end, Fault: n.fault})
	return n
}

// Serve answers requests until the context ends.
func (n *NotebookAdapter) Serve(ctx context.Context) error { return n.a.Run(ctx) }

// A refusal is the answer to a request that fails. It has empty lists, because JupyterLab reads
// some lists without checking success.
type refusal struct {
	dap.Response
	Body struct {
		dap.ErrorResponseBody
		Frames    []dap.StackFrame `json:"stackFrames"`
		Scopes    []dap.Scope      `json:"scopes"`
		Variables []dap.Variable   `json:"variables"`
	} `json:"body"`
}

func newRefusal(e *dap.ErrorResponse) *refusal {
	r := &refusal{Response: e.Response}
	r.Body.ErrorResponseBody = e.Body
	r.Body.Frames, r.Body.Scopes, r.Body.Variables = []dap.StackFrame{}, []dap.Scope{}, []dap.Variable{}
	return r
}

// refuse answers a failed request. A failed evaluate becomes a success whose result is the error,
// because JupyterLab's console shows only that there was an error.
func refuse(e *dap.ErrorResponse) dap.Message {
	if e.Command != "evaluate" {
		return newRefusal(e)
	}
	said := &dap.EvaluateResponse{Response: e.Response, Body: dap.EvaluateResponseBody{Result: e.Message}}
	said.Success, said.Message = true, ""
	return said
}

func (n *NotebookAdapter) emit(m dap.Message) {
	n.note() // first: whoever gets the answer may run a cell at once
	if e, ok := m.(*dap.ErrorResponse); ok {
		m = refuse(e)
	}
	if e, ok := m.(*dap.StoppedEvent); ok {
		m = n.withAnswers(e)
	}
	raw, err := json.Marshal(m)
	if err != nil {
		raw = json.RawMessage(`{"type":"response","success":false,"message":"encoding the response failed"}`)
	}
	if _, ok := m.(dap.EventMessage); ok {
		n.event(raw)
		return
	}
	if n.answered != nil {
		n.answered <- raw
		n.answered = nil
	}
}

// A stoppedEvent includes the answers to JupyterLab's next three requests. These would go one after
// the other through the browser's and the kernel's server; with wgslab's extension, the answers are
// there at once. Other clients ignore the member.
type stoppedEvent struct {
	dap.Event
	Body struct {
		dap.StoppedEventBody
		Answers []laterResponse `json:"wgslabAnswers"`
	} `json:"body"`
}

// A laterResponse is the body of a response to a later request.
type laterResponse struct {
	Command   string         `json:"command"`
	Arguments map[string]any `json:"arguments"`
	Body      any            `json:"body"`
}

// withAnswers adds the answers about the top frame.
func (n *NotebookAdapter) withAnswers(e *dap.StoppedEvent) dap.EventMessage {
	with := &stoppedEvent{Event: e.Event}
	with.Body.StoppedEventBody = e.Body
	tell := func(command, argument string, value, body any) {
		with.Body.Answers = append(with.Body.Answers, laterResponse{command, map[string]any{argument: value}, body})
	}
	tell("source", "source", dap.Source{Path: n.a.path}, dap.SourceResponseBody{Content: n.cells[n.a.path].code})
	stack := n.a.stackTrace(dap.StackTraceArguments{})
	tell("stackTrace", "threadId", thread, stack)
	if len(stack.StackFrames) == 0 {
		return with
	}
	top := stack.StackFrames[0].Id
	scopes, err := n.a.scopes(top)
	if err != nil {
		return with // JupyterLab asks and gets the error
	}
	tell("scopes", "frameId", top, scopes)
	for _, scope := range scopes.Scopes {
		if variables, err := n.a.variables(scope.VariablesReference); err == nil {
			tell("variables", "variablesReference", scope.VariablesReference, variables)
		}
	}
	return with
}

// Request takes the content of a debug_request and returns the content of its debug_reply.
func (n *NotebookAdapter) Request(ctx context.Context, content json.RawMessage) (json.RawMessage, error) {
	return ask(ctx, n.a, func(ctx context.Context, answered chan<- json.RawMessage) {
		n.answered = answered
		n.receive(ctx, content)
	})
}

// errEnded reports that the adapter handles no more messages.
var errEnded = errors.New("the debugger has ended")

// ask runs a function in the adapter's goroutine and waits for its answer.
func ask[T any](ctx context.Context, a *DebugAdapter, what func(context.Context, chan<- T)) (answer T, err error) {
	answered := make(chan T, 1)
	a.enqueue(func(ctx context.Context) error { what(ctx, answered); return nil })
	select {
	case answer = <-answered:
		return answer, nil
	case <-ctx.Done():
		return answer, ctx.Err()
	case <-a.closed:
		return answer, errEnded
	}
}

// Writes records that a cell is running and writes a shader.
func (n *NotebookAdapter) Writes(code string, s ShaderFile) {
	if debug.StopsByItself(s.Text) {
		n.comments.Store(true)
	}
	n.a.enqueue(func(context.Context) error { n.ran(code, s); return nil })
}

// ran records a cell as the last writer of its file, and returns its path.
func (n *NotebookAdapter) ran(code string, s ShaderFile) (path string) {
	path = n.pathOf(code)
	n.cells[path] = cell{code, &s}
	others := slices.DeleteFunc(n.writers[s.File], func(other string) bool { return other == path })
	n.writers[s.File] = append(others, path)
	return path
}

// saved is the state that a restarted kernel takes over from the previous one.
type saved struct {
	Prefix  string      `json:"prefix"` // of the cells' paths; with a new one, JupyterLab would list breakpoints twice
	Cells   []savedCell `json:"cells"`
	Filters []string    `json:"filters"`
	Watches []string    `json:"watches"`
}

type savedCell struct {
	Code        string                 `json:"code"`
	Shader      ShaderFile             `json:"shader"`
	Breakpoints []dap.SourceBreakpoint `json:"breakpoints"`
}

// Save returns the state for Restore in the restarted kernel, or nil if the debugger is off.
func (n *NotebookAdapter) Save(ctx context.Context) json.RawMessage {
	raw, _ := ask(ctx, n.a, func(_ context.Context, answer chan<- json.RawMessage) {
		if !n.started {
			answer <- nil
			return
		}
		k := saved{Prefix: n.prefix, Filters: n.filters, Watches: n.watches}
		for _, paths := range n.writers {
			for _, path := range paths {
				c := n.cells[path]
				k.Cells = append(k.Cells, savedCell{c.code, *c.shader, n.breakpoints[path]})
			}
		}
		raw, _ := json.Marshal(k) // texts and numbers never fail
		answer <- raw
	})
	return raw
}

// Restore turns the debugger on with the state of the previous kernel, the result of its Save.
// JupyterLab would do so itself, but only after some cells have run, and without conditions.
// Restore must be called before Serve.
func (n *NotebookAdapter) Restore(raw json.RawMessage) error {
	var k saved
	if err := json.Unmarshal(raw, &k); err != nil {
		return fmt.Errorf("reading what the previous kernel's debugger saved: %w", err)
	}
	n.prefix = k.Prefix
	for _, c := range k.Cells {
		if debug.StopsByItself(c.Shader.Text) {
			n.comments.Store(true)
		}
		path := n.ran(c.Code, c.Shader)
		if len(c.Breakpoints) > 0 {
			n.breakpoints[path] = c.Breakpoints
		}
	}
	n.started, n.filters, n.watches = true, k.Filters, k.Watches
	n.note()
	return nil
}

// MayStop reports whether any run could stop: JupyterLab has turned the debugger on, and there is a
// breakpoint or a comment that stops. The call is cheap.
func (n *NotebookAdapter) MayStop() bool {
	return n.armed.Load() && (n.set.Load() || n.comments.Load())
}

// Wants returns the path of the cell that wrote a shader, for Debug. ok is false if a run of the
// shader needs no debugging: the debugger is off, or the cell has neither a breakpoint nor a
// comment that stops the shader.
func (n *NotebookAdapter) Wants(ctx context.Context, s ShaderFile) (path string, ok bool) {
	path, _ = ask(ctx, n.a, func(_ context.Context, wants chan<- string) {
		path := n.writerOf(s)
		if !n.started || len(n.breakpoints[path]) == 0 && !debug.StopsByItself(s.Text) {
			path = ""
		}
		wants <- path
	})
	return path, path != ""
}

// writerOf returns the path of the cell that last wrote a file, or "" if the file's content has
// changed since.
func (n *NotebookAdapter) writerOf(s ShaderFile) string {
	for _, path := range slices.Backward(n.writers[s.File]) {
		if strings.TrimRight(n.cells[path].shader.Text, "\n") == strings.TrimRight(s.Text, "\n") {
			return path
		}
	}
	return ""
}

// Debug runs a target whose shader is shader.InCell of the cell at path, until the run ends or the
// debugger releases it. It calls stopped at every stop and at the end; stopped may use the session
// until it returns.
func (n *NotebookAdapter) Debug(ctx context.Context, path string, target *debug.Target, stopped func(*debug.Session, debug.Stop)) error {
	begun := make(chan error, 1)
	ended := make(chan struct{})
	n.a.enqueue(func(ctx context.Context) error {
		err := n.begin(ctx, path, target, ended)
		if err == nil {
			n.a.Stopped = stopped
		}
		begun <- err
		return nil
	})
	select {
	case err := <-begun:
		if err != nil {
			return err
		}
	case <-n.a.closed:
		return errEnded
	case <-ctx.Done():
		n.a.enqueue(func(context.Context) error { n.leave(); return nil })
		return context.Cause(ctx)
	}
	select {
	case <-ended:
		return nil
	case <-n.a.closed:
		return nil
	case <-ctx.Done():
		n.a.enqueue(func(context.Context) error { n.leave(); return nil })
		select {
		case <-ended:
		case <-n.a.closed:
		}
		return context.Cause(ctx)
	}
}

func (n *NotebookAdapter) begin(ctx context.Context, path string, target *debug.Target, ended chan struct{}) error {
	if n.ended != nil {
		return errors.New("another shader is being debugged")
	}
	if err := n.a.Begin(ctx, target, path); err != nil {
		return err
	}
	n.ended = ended
	s := n.a.session
	if n.filters != nil {
		s.StopAtFindings(slices.Contains(n.filters, errorsFilter), slices.Contains(n.filters, remarksFilter))
	}
	for _, text := range n.watches {
		s.Watch(text)
	}
	n.a.place(n.breakpoints[path])
	n.a.run = s.Run(debug.Start)
	return nil
}

// end releases the cell that runs the shader and clears the panel.
func (n *NotebookAdapter) end() {
	if n.ended == nil {
		return
	}
	n.a.event(&dap.ContinuedEvent{Body: dap.ContinuedEventBody{ThreadId: thread, AllThreadsContinued: true}}, "continued")
	close(n.ended)
	n.ended = nil
}

// fault releases the cell after a bug in the debugger itself.
func (n *NotebookAdapter) fault(fault any) {
	err := fmt.Errorf("the debugger ran into a bug in wgslab: %v; please report it", fault)
	n.a.output("stderr", err.Error())
	if n.answered != nil {
		n.a.fail(&dap.Request{}, err)
	}
	n.end()
}

func (n *NotebookAdapter) leave() {
	n.a.release()
	n.end()
}

// asked has the members that all requests share.
type asked struct {
	Seq       int             `json:"seq"`
	Command   string          `json:"command"`
	Arguments json.RawMessage `json:"arguments"`
}

// requestTimeout is the time limit of a request, such as a console command that goes to a distant
// workgroup. The request that would interrupt it has to wait in the queue.
const requestTimeout = 5 * time.Second

func (n *NotebookAdapter) receive(ctx context.Context, raw json.RawMessage) {
	ctx, cancel := context.WithTimeoutCause(ctx, requestTimeout, fmt.Errorf("this took more than %s; wgslab gave up", requestTimeout))
	defer cancel()
	defer n.note()
	var m asked
	if err := json.Unmarshal(raw, &m); err != nil {
		n.a.fail(&dap.Request{}, err)
		return
	}
	r := &dap.Request{ProtocolMessage: dap.ProtocolMessage{Seq: m.Seq}, Command: m.Command}
	own, ok := map[string]func(*dap.Request, json.RawMessage) error{
		"debugInfo": n.info, "initialize": n.initialize, "attach": n.attach, "disconnect": n.disconnect,
		"dumpCell": reading(n.dumpCell), "source": reading(n.source),
		"setBreakpoints": reading(n.setBreakpoints), "setExceptionBreakpoints": reading(n.setFilters), "configurationDone": n.ready,
		"evaluate": reading(n.evaluate), "modules": n.modules, "inspectVariables": n.inspect, "richInspectVariables": reading(n.richInspect), "copyToGlobals": n.copyToGlobals,
	}[m.Command]
	if !ok {
		_ = n.a.receive(ctx, raw) // its only error is a disconnect, which gets no answer there
		if n.answered != nil {
			n.a.fail(r, errors.New("this isn't a request"))
		}
		return
	}
	err := own(r, m.Arguments)
	if errors.Is(err, errNotOwn) {
		err = n.a.receive(ctx, raw)
	}
	if err != nil {
		n.a.fail(r, err)
	}
}

// reading returns a handler that decodes a request's arguments.
func reading[A any](handle func(*dap.Request, A) error) func(*dap.Request, json.RawMessage) error {
	return func(r *dap.Request, raw json.RawMessage) error {
		var asked A
		if err := json.Unmarshal(raw, &asked); err != nil {
			return err
		}
		return handle(r, asked)
	}
}

// note updates the state that other goroutines read, and the state that the next debugged shader
// starts with.
func (n *NotebookAdapter) note() {
	n.armed.Store(n.started)
	n.set.Store(len(n.breakpoints) > 0)
	if n.a.session != nil {
		n.watches = n.a.session.Watches()
	}
}

// errNotOwn passes a request on to the adapter.
var errNotOwn = errors.New("not the notebook's own")

// evaluate handles the console's breakpoints, which may have conditions, unlike JupyterLab's own.
// It also records watches for later runs. It passes everything else to the adapter.
func (n *NotebookAdapter) evaluate(r *dap.Request, asked dap.EvaluateArguments) error {
	if strings.TrimSpace(asked.Expression) == "help" {
		n.a.evaluated(r, debug.BreakHelp+"\n"+debug.ConsoleHelp, nil)
		return nil
	}
	if watch, is := strings.CutPrefix(strings.TrimSpace(asked.Expression), "watch "); is && n.a.session == nil {
		n.watches = append(n.watches, strings.TrimSpace(watch))
		n.a.evaluated(r, "Its value is shown when a shader stops.", nil)
		return nil
	}
	b, is := debug.ReadBreak(asked.Expression)
	if !is || n.a.session == nil {
		return errNotOwn
	}
	path := n.a.path
	before := n.breakpoints[path]
	others := slices.DeleteFunc(slices.Clone(before), func(other dap.SourceBreakpoint) bool { return other.Line == b.Line })
	after := append(others, dap.SourceBreakpoint{Line: b.Line, Condition: b.Condition})
	set := n.a.place(after)
	placed := set[len(set)-1]
	if !placed.Set {
		n.a.place(before)
		return errors.New(placed.Problem)
	}
	after[len(after)-1].Line = placed.Line
	n.breakpoints[path] = after
	n.untold[path] = append(n.untold[path], after[len(after)-1])
	n.a.evaluated(r, fmt.Sprintf("Stops at line %d.", placed.Line), nil)
	return nil
}

// A body is a response with any body.
type body struct {
	dap.Response
	Body any `json:"body"`
}

func (n *NotebookAdapter) info(r *dap.Request, _ json.RawMessage) error {
	type cell struct {
		Source      string                 `json:"source"`
		Breakpoints []dap.SourceBreakpoint `json:"breakpoints"`
	}
	cells := []cell{}
	for path, list := range n.breakpoints {
		cells = append(cells, cell{path, list})
	}
	sort.Slice(cells, func(i, j int) bool { return cells[i].Source < cells[j].Source })
	stopped := []int{}
	if n.stopped() {
		stopped = append(stopped, thread)
	}
	n.a.reply(r, &body{Body: map[string]any{
		"isStarted": n.started, "hashMethod": hashMethod, "hashSeed": hashSeed, "tmpFilePrefix": n.prefix, "tmpFileSuffix": cellSuffix,
		"breakpoints": cells, "stoppedThreads": stopped, "richRendering": true, "exceptionPaths": []string{}, "copyToGlobals": false,
	}})
	return nil
}

// stopped reports whether a debugged shader is stopped.
func (n *NotebookAdapter) stopped() bool { return n.a.session != nil && n.a.run == nil }

// initialize turns the debugger on before the adapter does the rest. JupyterLab may ask for the
// state between initialize and attach, and must not hear that the debugger is off.
func (n *NotebookAdapter) initialize(*dap.Request, json.RawMessage) error {
	n.started = true
	return errNotOwn
}

func (n *NotebookAdapter) attach(r *dap.Request, _ json.RawMessage) error {
	n.started = true // a client may leave out initialize
	n.a.done(r)
	n.a.event(&dap.InitializedEvent{}, "initialized")
	return nil
}

// disconnect turns the debugger off; a stopped cell continues.
func (n *NotebookAdapter) disconnect(r *dap.Request, _ json.RawMessage) error {
	n.started = false
	n.left, n.breakpoints = n.breakpoints, map[string][]dap.SourceBreakpoint{}
	clear(n.untold)
	n.a.done(r)
	n.leave()
	return nil
}

func (n *NotebookAdapter) ready(r *dap.Request, _ json.RawMessage) error {
	n.a.done(r)
	return nil
}

func (n *NotebookAdapter) dumpCell(r *dap.Request, asked struct{ Code string }) error {
	n.a.reply(r, &body{Body: map[string]string{"sourcePath": n.shown(asked.Code)}})
	return nil
}

// shown records a cell that JupyterLab shows, and returns its path. A cell that has run takes
// precedence as the writer of its file. A cell that has not may have written the file for an
// earlier kernel.
func (n *NotebookAdapter) shown(code string) (path string) {
	path = n.pathOf(code)
	if _, known := n.cells[path]; known {
		return path
	}
	c := cell{code: code}
	if s, ok := n.read(code); ok {
		c.shader = &s
		n.writers[s.File] = slices.Insert(n.writers[s.File], 0, path)
		if debug.StopsByItself(s.Text) {
			n.comments.Store(true)
		}
	}
	n.cells[path] = c
	return path
}

// pathOf returns the path by which JupyterLab identifies a cell.
func (n *NotebookAdapter) pathOf(code string) string {
	return n.prefix + strconv.FormatUint(uint64(murmur2([]byte(code), hashSeed)), 10) + cellSuffix
}

// murmur2 computes MurmurHash2 by Austin Appleby, for little-endian words. JupyterLab names cells
// with it.
func murmur2(data []byte, seed uint32) uint32 {
	const m = 0x5bd1e995
	h := seed ^ uint32(len(data))
	for ; len(data) >= 4; data = data[4:] {
		k := (uint32(data[0]) | uint32(data[1])<<8 | uint32(data[2])<<16 | uint32(data[3])<<24) * m
		h = h*m ^ (k^k>>24)*m
	}
	var rest uint32
	for i, b := range data {
		rest |= uint32(b) << (8 * i)
	}
	if len(data) > 0 {
		h = (h ^ rest) * m
	}
	h = (h ^ h>>13) * m
	return h ^ h>>15
}

func (n *NotebookAdapter) source(r *dap.Request, where dap.SourceArguments) error {
	path := ""
	if where.Source != nil {
		path = where.Source.Path
	}
	c, ok := n.cells[path]
	if !ok {
		return fmt.Errorf("there is no cell %s", path)
	}
	n.a.reply(r, &dap.SourceResponse{Body: dap.SourceResponseBody{Content: c.code}})
	return nil
}

// setBreakpoints records breakpoints for the next run of the shader. JupyterLab sends all that it
// knows and shows those in the answer. The answer therefore includes the console's, so that
// JupyterLab can remove them later. Only shaders can stop: other cells get no breakpoints. An
// unknown cell may become a shader's when it runs.
func (n *NotebookAdapter) setBreakpoints(r *dap.Request, asked dap.SetBreakpointsArguments) error {
	path := asked.Source.Path
	if !n.mayBeShader(path) {
		n.a.reply(r, &dap.SetBreakpointsResponse{Body: dap.SetBreakpointsResponseBody{Breakpoints: []dap.Breakpoint{}}})
		return nil
	}
	for _, b := range n.untold[path] {
		if !slices.ContainsFunc(asked.Breakpoints, func(other dap.SourceBreakpoint) bool { return other.Line == b.Line }) {
			asked.Breakpoints = append(asked.Breakpoints, b)
		}
	}
	delete(n.untold, path)
	for i, b := range asked.Breakpoints {
		asked.Breakpoints[i].Condition = cmp.Or(b.Condition, n.conditionAt(path, b.Line))
	}
	delete(n.left, path)
	n.breakpoints[path] = asked.Breakpoints
	if len(asked.Breakpoints) == 0 {
		delete(n.breakpoints, path)
	}
	if n.a.session != nil && n.a.isSource(asked.Source) {
		n.a.setBreakpoints(r, asked)
		return nil
	}
	list := []dap.Breakpoint{}
	for _, b := range asked.Breakpoints {
		list = append(list, dap.Breakpoint{Verified: b.Line > 1, Line: b.Line, Source: &dap.Source{Path: path}})
	}
	n.a.reply(r, &dap.SetBreakpointsResponse{Body: dap.SetBreakpointsResponseBody{Breakpoints: list}})
	return nil
}

// conditionAt returns the condition that the console set for a line. JupyterLab sets all
// breakpoints again without conditions, even after Terminate.
func (n *NotebookAdapter) conditionAt(path string, line int) string {
	for _, b := range slices.Concat(n.breakpoints[path], n.left[path]) {
		if b.Line == line {
			return b.Condition
		}
	}
	return ""
}

func (n *NotebookAdapter) mayBeShader(path string) bool {
	if c, known := n.cells[path]; known {
		return c.shader != nil
	}
	return strings.HasPrefix(path, n.prefix) && strings.HasSuffix(path, cellSuffix)
}

func (n *NotebookAdapter) setFilters(r *dap.Request, asked dap.SetExceptionBreakpointsArguments) error {
	n.filters = append([]string{}, asked.Filters...)
	if n.a.session != nil {
		n.a.session.StopAtFindings(slices.Contains(n.filters, errorsFilter), slices.Contains(n.filters, remarksFilter))
	}
	n.a.done(r)
	return nil
}

func (n *NotebookAdapter) modules(r *dap.Request, _ json.RawMessage) error {
	n.a.reply(r, &dap.ModulesResponse{Body: dap.ModulesResponseBody{Modules: []dap.Module{}}})
	return nil
}

// inspect returns the variables of the invocation while a shader is stopped; JupyterLab asks after
// every cell.
func (n *NotebookAdapter) inspect(r *dap.Request, _ json.RawMessage) error {
	list := []dap.Variable{}
	if n.stopped() {
		s := n.a.session
		for _, scope := range s.Scopes(s.Invocation(), 0) {
			for _, it := range scope.Items {
				list = append(list, n.a.variable(it))
			}
		}
	}
	n.a.reply(r, &dap.VariablesResponse{Body: dap.VariablesResponseBody{Variables: list}})
	return nil
}

// inspected names a variable to show.
type inspected struct {
	Name  string `json:"variableName"`
	Frame int    `json:"frameId"`
}

// richInspect shows a variable with the picture of the workgroup below it.
func (n *NotebookAdapter) richInspect(r *dap.Request, asked inspected) error {
	data := map[string]string{}
	if n.stopped() {
		s := n.a.session
		f, ok := n.a.frames[asked.Frame]
		if !ok {
			f = frame{local: s.Invocation()}
		}
		it, err := s.Evaluate(f.local, f.depth, asked.Name)
		if err != nil {
			return err
		}
		text := it.Name + " = " + it.Value
		p := s.Picture()
		data["text/plain"] = text + "\n" + p.Text()
		data["text/html"] = "<pre>" + html.EscapeString(text) + "</pre>" + p.HTML()
	}
	n.a.reply(r, &body{Body: map[string]any{"data": data, "metadata": map[string]any{}}})
	return nil
}

func (n *NotebookAdapter) copyToGlobals(*dap.Request, json.RawMessage) error {
	return errors.New("a shader's values cannot be copied into Go")
}
