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

	"github.com/wgslab/wgslab/internal/debug"
)

// A Notebook is a debug adapter for JupyterLab's debugger, which sends the protocol's requests, and some of its own
// (https://jupyter-client.readthedocs.io/en/stable/messaging.html#debug-request), on a kernel's control channel. The
// program that is debugged is what the kernel says: a cell that checks a shader. Shaders are cells whose first line
// writes them into a file. It counts as their line 1, here and in all that is said of lines: see InCell.
type Notebook struct {
	a        *Adapter
	event    func(json.RawMessage)
	prefix   string
	armed    atomic.Bool          // it is on
	set      atomic.Bool          // there are breakpoints
	comments atomic.Bool          // some shader's comments stop it by themselves
	answered chan json.RawMessage // the response to the request at hand; owned by the adapter's goroutine

	started     bool
	cells       map[string]string // texts by path
	breakpoints map[string][]dap.SourceBreakpoint
	left        map[string][]dap.SourceBreakpoint // those that there were when the debugger was turned off
	untold      map[string][]dap.SourceBreakpoint // of the console's, those that JupyterLab has not heard of
	filters     []string                          // nil while nobody has chosen
	watches     []string                          // by the console
	ended       chan struct{}
}

// How JupyterLab finds the path of a cell: prefix, hash, suffix. It calls cells by their number only where the path has
// the word ipykernel_ in it.
const (
	cellPrefix = "ipykernel_"
	cellSuffix = ".wgsl"
	hashMethod = "Murmur2"
	hashSeed   = 0xc70f6907
)

// NewNotebook makes one for a kernel. folder is where its cells seem to lie; no file is written there. JupyterLab
// tells kernels apart by it, and breakpoints that it keeps over a restart. event gets the content of each debug_event.
func NewNotebook(folder string, event func(json.RawMessage)) *Notebook {
	n := &Notebook{
		event: event, prefix: strings.TrimSuffix(folder, "/") + "/" + cellPrefix,
		cells: map[string]string{}, breakpoints: map[string][]dap.SourceBreakpoint{},
		untold: map[string][]dap.SourceBreakpoint{},
	}
	n.a = New(Options{Emit: n.emit, Plain: true, Ended: n.end, Fault: n.fault})
	return n
}

// Serve answers requests until the context ends.
func (n *Notebook) Serve(ctx context.Context) error { return n.a.Run(ctx) }

// refusal is the answer to a request that cannot be met. JupyterLab reads some lists without a look at success.
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

// refuse is how JupyterLab learns why: its console shows nothing of an error but that there was one.
func refuse(e *dap.ErrorResponse) dap.Message {
	if e.Command != "evaluate" {
		return newRefusal(e)
	}
	said := &dap.EvaluateResponse{Response: e.Response, Body: dap.EvaluateResponseBody{Result: e.Message}}
	said.Success, said.Message = true, ""
	return said
}

func (n *Notebook) emit(m dap.Message) {
	if e, ok := m.(*dap.ErrorResponse); ok {
		m = refuse(e)
	}
	if e, ok := m.(*dap.StoppedEvent); ok {
		m = n.withAnswers(e)
	}
	raw, err := json.Marshal(m)
	if err != nil {
		raw = json.RawMessage(`{"type":"response","success":false,"message":"the response cannot be written"}`)
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

// stoppedEvent brings along what JupyterLab asks for at a stop. Its three questions wait for each other, and each goes
// through the browser's and the kernel's server: with wgslab's extension it has the answers at once. Others leave the
// member alone.
type stoppedEvent struct {
	dap.Event
	Body struct {
		dap.StoppedEventBody
		Answers []answer `json:"wgslabAnswers"`
	} `json:"body"`
}

// An answer is the body of the response to a request that has not come yet.
type answer struct {
	Command   string         `json:"command"`
	Arguments map[string]any `json:"arguments"`
	Body      any            `json:"body"`
}

// withAnswers has those about the frame that stands at the top.
func (n *Notebook) withAnswers(e *dap.StoppedEvent) dap.EventMessage {
	with := &stoppedEvent{Event: e.Event}
	with.Body.StoppedEventBody = e.Body
	tell := func(command, argument string, value, body any) {
		with.Body.Answers = append(with.Body.Answers, answer{command, map[string]any{argument: value}, body})
	}
	tell("source", "source", dap.Source{Path: n.a.path}, dap.SourceResponseBody{Content: n.cells[n.a.path]})
	stack := n.a.stackTrace(dap.StackTraceArguments{})
	tell("stackTrace", "threadId", thread, stack)
	if len(stack.StackFrames) == 0 {
		return with
	}
	top := stack.StackFrames[0].Id
	scopes, err := n.a.scopes(top)
	if err != nil {
		return with // JupyterLab asks, and is told
	}
	tell("scopes", "frameId", top, scopes)
	for _, scope := range scopes.Scopes {
		if variables, err := n.a.variables(scope.VariablesReference); err == nil {
			tell("variables", "variablesReference", scope.VariablesReference, variables)
		}
	}
	return with
}

// Request answers the content of a debug_request with that of its debug_reply.
func (n *Notebook) Request(ctx context.Context, content json.RawMessage) (json.RawMessage, error) {
	answered := make(chan json.RawMessage, 1)
	n.a.enqueue(func(ctx context.Context) error {
		n.answered = answered
		n.receive(ctx, content)
		return nil
	})
	select {
	case reply := <-answered:
		return reply, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-n.a.closed:
		return nil, errors.New("the debugger has ended")
	}
}

// Cell tells of a cell that runs, so that breakpoints find it that were set before this kernel began.
func (n *Notebook) Cell(code string) {
	if n.heed(code) {
		n.a.enqueue(func(context.Context) error { n.know(code); return nil })
	}
}

// heed notes a shader whose comments stop it, and says whether a cell is one.
func (n *Notebook) heed(code string) bool {
	text, ok := shaderIn(code)
	if ok && debug.StopsByItself(text) {
		n.comments.Store(true)
	}
	return ok
}

// InCell is a shader's text with the lines that it has in its cell: an empty one in the place of %%writefile.
func InCell(shader string) string { return "\n" + shader }

// kept is what is carried from a kernel to the one that follows it on a restart.
type kept struct {
	Prefix  string     `json:"prefix"` // of the cells' paths: with another, JupyterLab lists breakpoints under both
	Cells   []keptCell `json:"cells"`
	Filters []string   `json:"filters"`
	Watches []string   `json:"watches"`
}

type keptCell struct {
	Code        string                 `json:"code"`
	Breakpoints []dap.SourceBreakpoint `json:"breakpoints"`
}

// Keep gives what Restore is to be given in the kernel that follows on a restart; nil where the debugger is off.
func (n *Notebook) Keep(ctx context.Context) json.RawMessage {
	answer := make(chan json.RawMessage, 1)
	n.a.enqueue(func(context.Context) error {
		if !n.started {
			answer <- nil
			return nil
		}
		k := kept{Prefix: n.prefix, Filters: n.filters, Watches: n.watches}
		for path, code := range n.cells {
			if _, ok := shaderIn(code); ok {
				k.Cells = append(k.Cells, keptCell{code, n.breakpoints[path]})
			}
		}
		raw, err := json.Marshal(k)
		answer <- raw
		return err
	})
	select {
	case raw := <-answer:
		return raw
	case <-ctx.Done():
	case <-n.a.closed:
	}
	return nil
}

// Restore turns the debugger on as it was in the kernel before. JupyterLab would do that itself, and some cells would have
// run by then; conditions it does not know. It must not be called once Serve has been.
func (n *Notebook) Restore(raw json.RawMessage) error {
	var k kept
	if err := json.Unmarshal(raw, &k); err != nil {
		return fmt.Errorf("reading what the debugger has left: %w", err)
	}
	n.prefix = k.Prefix
	for _, c := range k.Cells {
		n.heed(c.Code)
		path := n.know(c.Code)
		if len(c.Breakpoints) > 0 {
			n.breakpoints[path] = c.Breakpoints
		}
	}
	n.started, n.filters, n.watches = true, k.Filters, k.Watches
	n.note()
	return nil
}

// MayStop reports whether a run could be debugged at all: JupyterLab has turned the debugger on, and something has been
// set. It costs nothing to ask.
func (n *Notebook) MayStop() bool { return n.armed.Load() && (n.set.Load() || n.comments.Load()) }

// Wants reports whether a run of a shader with this text would be debugged: the debugger is on, and in the shader's cell
// is a breakpoint, or a comment that stops it.
func (n *Notebook) Wants(ctx context.Context, shader string) bool {
	wants := make(chan bool, 1)
	n.a.enqueue(func(context.Context) error {
		path, ok := n.cellOf(shader)
		wants <- ok && n.started && (len(n.breakpoints[path]) > 0 || debug.StopsByItself(shader))
		return nil
	})
	select {
	case w := <-wants:
		return w
	case <-ctx.Done():
	case <-n.a.closed:
	}
	return false
}

// Debug runs a target whose shader is InCell of one of the notebook's cells, until it has ended or nobody debugs it any
// more. stopped is told of every stop and of the end, and may look at the session until it returns; not once Debug has.
func (n *Notebook) Debug(ctx context.Context, target *debug.Target, stopped func(*debug.Session, debug.Stop)) error {
	begun := make(chan error, 1)
	ended := make(chan struct{})
	n.a.enqueue(func(ctx context.Context) error {
		err := n.begin(ctx, target, ended)
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
		return errors.New("the debugger has ended")
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

func (n *Notebook) begin(ctx context.Context, target *debug.Target, ended chan struct{}) error {
	path, ok := n.cellOf(strings.TrimPrefix(target.Source.Text, InCell("")))
	if !ok {
		return errors.New("no cell has this shader")
	}
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

// end lets the cell go that runs the shader, and empties the panel.
func (n *Notebook) end() {
	if n.ended == nil {
		return
	}
	n.a.event(&dap.ContinuedEvent{Body: dap.ContinuedEventBody{ThreadId: thread, AllThreadsContinued: true}}, "continued")
	close(n.ended)
	n.ended = nil
}

// fault lets the cell go where the debugger itself has met a mistake.
func (n *Notebook) fault(fault any) {
	err := fmt.Errorf("the debugger met a mistake in wgslab itself: %v; please report it", fault)
	n.a.output("stderr", err.Error())
	if n.answered != nil {
		n.a.fail(&dap.Request{}, err)
	}
	n.end()
}

func (n *Notebook) leave() {
	n.a.release()
	n.end()
}

// cellOf is the path of the cell that writes a shader's text.
func (n *Notebook) cellOf(shader string) (string, bool) {
	var paths []string
	for path, code := range n.cells {
		if text, ok := shaderIn(code); ok && strings.TrimRight(text, "\n") == strings.TrimRight(shader, "\n") {
			paths = append(paths, path)
		}
	}
	if len(paths) == 0 {
		return "", false
	}
	sort.Slice(paths, func(i, j int) bool { return len(n.breakpoints[paths[i]]) > len(n.breakpoints[paths[j]]) })
	return paths[0], true
}

// shaderIn is the shader that a cell writes into a file; false for any other cell.
func shaderIn(code string) (text string, ok bool) {
	first, rest, _ := strings.Cut(code, "\n")
	words := strings.Fields(first)
	if len(words) < 2 || words[0] != "%%writefile" || !strings.HasSuffix(words[len(words)-1], ".wgsl") {
		return "", false
	}
	return rest, true
}

// asked is what all requests have.
type asked struct {
	Seq       int             `json:"seq"`
	Command   string          `json:"command"`
	Arguments json.RawMessage `json:"arguments"`
}

// patience is how long a request may go on: one in the console, to go to a workgroup far away. Behind it waits the one
// that would interrupt it.
const patience = 5 * time.Second

func (n *Notebook) receive(ctx context.Context, raw json.RawMessage) {
	ctx, cancel := context.WithTimeoutCause(ctx, patience, fmt.Errorf("this took more than %s, and was given up", patience))
	defer cancel()
	defer n.note()
	var m asked
	if err := json.Unmarshal(raw, &m); err != nil {
		n.a.fail(&dap.Request{}, err)
		return
	}
	r := &dap.Request{ProtocolMessage: dap.ProtocolMessage{Seq: m.Seq}, Command: m.Command}
	own, ok := map[string]func(*dap.Request, json.RawMessage) error{
		"debugInfo": n.info, "initialize": n.initialize, "attach": n.attach, "disconnect": n.disconnect, "dumpCell": n.dumpCell, "source": n.source,
		"setBreakpoints": n.setBreakpoints, "setExceptionBreakpoints": n.setFilters, "configurationDone": n.ready,
		"evaluate": n.evaluate, "modules": n.modules, "inspectVariables": n.inspect, "richInspectVariables": n.richInspect, "copyToGlobals": n.copyToGlobals,
	}[m.Command]
	if !ok {
		_ = n.a.receive(ctx, raw) // its one error is a disconnect, which is not answered there
		if n.answered != nil {
			n.a.fail(r, errors.New("this is no request"))
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

// note keeps what others ask of us, and what the next shader that is debugged shows.
func (n *Notebook) note() {
	n.armed.Store(n.started)
	n.set.Store(len(n.breakpoints) > 0)
	if n.a.session != nil {
		n.watches = n.a.session.Watches()
	}
}

// errNotOwn leaves a request to the adapter.
var errNotOwn = errors.New("not the notebook's own")

// evaluate sets a breakpoint, where the console says so, as JupyterLab's own have no conditions, and keeps what is to be
// watched later. All else is the adapter's.
func (n *Notebook) evaluate(r *dap.Request, raw json.RawMessage) error {
	var asked dap.EvaluateArguments
	if err := json.Unmarshal(raw, &asked); err != nil {
		return err
	}
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

// body is a response with any body.
type body struct {
	dap.Response
	Body any `json:"body"`
}

func (n *Notebook) info(r *dap.Request, _ json.RawMessage) error {
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
	if n.stands() {
		stopped = append(stopped, thread)
	}
	n.a.reply(r, &body{Body: map[string]any{
		"isStarted": n.started, "hashMethod": hashMethod, "hashSeed": hashSeed, "tmpFilePrefix": n.prefix, "tmpFileSuffix": cellSuffix,
		"breakpoints": cells, "stoppedThreads": stopped, "richRendering": true, "exceptionPaths": []string{}, "copyToGlobals": false,
	}})
	return nil
}

// stands reports whether a shader is being debugged and has stopped.
func (n *Notebook) stands() bool { return n.a.session != nil && n.a.run == nil }

// initialize turns the debugger on: JupyterLab, which may be asking whether it is at the same time, must not hear that it
// is off between this and attach. The rest is the adapter's.
func (n *Notebook) initialize(*dap.Request, json.RawMessage) error {
	n.started = true
	return errNotOwn
}

func (n *Notebook) attach(r *dap.Request, _ json.RawMessage) error {
	n.started = true // whoever has not said initialize means it, too
	n.a.done(r)
	n.a.event(&dap.InitializedEvent{}, "initialized")
	return nil
}

// disconnect turns the debugger off; a cell that stands goes on by itself.
func (n *Notebook) disconnect(r *dap.Request, _ json.RawMessage) error {
	n.started = false
	n.left, n.breakpoints = n.breakpoints, map[string][]dap.SourceBreakpoint{}
	clear(n.untold)
	n.a.done(r)
	n.leave()
	return nil
}

func (n *Notebook) ready(r *dap.Request, _ json.RawMessage) error {
	n.a.done(r)
	return nil
}

func (n *Notebook) dumpCell(r *dap.Request, raw json.RawMessage) error {
	var cell struct {
		Code string `json:"code"`
	}
	if err := json.Unmarshal(raw, &cell); err != nil {
		return err
	}
	n.heed(cell.Code)
	n.a.reply(r, &body{Body: map[string]string{"sourcePath": n.know(cell.Code)}})
	return nil
}

// know keeps a cell, and gives its path.
func (n *Notebook) know(code string) (path string) {
	path = n.prefix + strconv.FormatUint(uint64(murmur2([]byte(code), hashSeed)), 10) + cellSuffix
	n.cells[path] = code
	return path
}

// murmur2 is MurmurHash2 by Austin Appleby, for little-endian words, which JupyterLab names cells by.
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

func (n *Notebook) source(r *dap.Request, raw json.RawMessage) error {
	var where dap.SourceArguments
	if err := json.Unmarshal(raw, &where); err != nil {
		return err
	}
	path := ""
	if where.Source != nil {
		path = where.Source.Path
	}
	code, ok := n.cells[path]
	if !ok {
		return fmt.Errorf("no cell is known as %s", path)
	}
	n.a.reply(r, &dap.SourceResponse{Body: dap.SourceResponseBody{Content: code}})
	return nil
}

// setBreakpoints keeps what is set for when the shader runs. JupyterLab sends all that it knows, and shows what it is
// answered: so it hears of the console's, and can take them away the next time. Only shaders can be stopped: other cells have none. A cell
// that is not known may become so when it runs.
func (n *Notebook) setBreakpoints(r *dap.Request, raw json.RawMessage) error {
	var asked dap.SetBreakpointsArguments
	if err := json.Unmarshal(raw, &asked); err != nil {
		return err
	}
	path := asked.Source.Path
	if code, known := n.cells[path]; !n.mayBeShader(code, known, path) {
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

// conditionAt is what the console has said of a line: JupyterLab sets all breakpoints again without it, behind Terminate, too.
func (n *Notebook) conditionAt(path string, line int) string {
	for _, b := range slices.Concat(n.breakpoints[path], n.left[path]) {
		if b.Line == line {
			return b.Condition
		}
	}
	return ""
}

func (n *Notebook) mayBeShader(code string, known bool, path string) bool {
	if known {
		_, ok := shaderIn(code)
		return ok
	}
	return strings.HasPrefix(path, n.prefix) && strings.HasSuffix(path, cellSuffix)
}

func (n *Notebook) setFilters(r *dap.Request, raw json.RawMessage) error {
	var asked dap.SetExceptionBreakpointsArguments
	if err := json.Unmarshal(raw, &asked); err != nil {
		return err
	}
	n.filters = append([]string{}, asked.Filters...)
	if n.a.session != nil {
		n.a.session.StopAtFindings(slices.Contains(n.filters, errorsFilter), slices.Contains(n.filters, remarksFilter))
	}
	n.a.done(r)
	return nil
}

func (n *Notebook) modules(r *dap.Request, _ json.RawMessage) error {
	n.a.reply(r, &dap.ModulesResponse{Body: dap.ModulesResponseBody{Modules: []dap.Module{}}})
	return nil
}

// inspect gives what the invocation sees, while a shader stands; JupyterLab asks after every cell.
func (n *Notebook) inspect(r *dap.Request, _ json.RawMessage) error {
	list := []dap.Variable{}
	if n.stands() {
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

// richInspect shows a variable with the picture of the workgroup below it.
func (n *Notebook) richInspect(r *dap.Request, raw json.RawMessage) error {
	var asked struct {
		Name  string `json:"variableName"`
		Frame int    `json:"frameId"`
	}
	if err := json.Unmarshal(raw, &asked); err != nil {
		return err
	}
	data := map[string]string{}
	if n.stands() {
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

func (n *Notebook) copyToGlobals(*dap.Request, json.RawMessage) error {
	return errors.New("a shader's values cannot be copied into Go")
}
