package dap

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/google/go-dap"

	"github.com/wgslab/wgslab/internal/observe/debug"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// thread is the id of the only thread.
const thread = 1

// The exception filters.
const (
	errorsFilter  = "findings"
	remarksFilter = "remarks"
)

var capabilities = dap.Capabilities{
	SupportsConfigurationDoneRequest:  true,
	SupportsConditionalBreakpoints:    true,
	SupportsHitConditionalBreakpoints: true,
	SupportsLogPoints:                 true,
	SupportsEvaluateForHovers:         true,
	SupportsStepBack:                  true,
	SupportsDataBreakpoints:           true,
	SupportsExceptionInfoRequest:      true,
	SupportsTerminateRequest:          true,
	SupportsDelayedStackTraceLoading:  true,
	ExceptionBreakpointFilters: []dap.ExceptionBreakpointsFilter{
		{Filter: errorsFilter, Label: "What is wrong", Description: "Races, out-of-bounds accesses, barriers that some invocations miss", Default: true},
		{Filter: remarksFilter, Label: "Possible causes of a wrong value", Description: "The first NaN, a division by zero, numbers that wrap around"},
	},
}

var (
	errNothingRuns = errors.New("nothing is being debugged")
	errRuns        = errors.New("the shader is running: pause it first")
	errNoDebug     = errors.New("this run isn't debugged: it was launched with noDebug")
	errOldFrame    = errors.New("this frame belongs to an earlier stop")
)

// handle answers a request. If the request starts a command, a.run holds it afterwards.
func (a *DebugAdapter) handle(ctx context.Context, message dap.RequestMessage) error {
	r := message.GetRequest()
	switch m := message.(type) {
	case *dap.InitializeRequest:
		a.reply(r, &dap.InitializeResponse{Body: capabilities})
	case *dap.LaunchRequest:
		a.launch(ctx, r, m.Arguments)
	case *dap.AttachRequest:
		a.launch(ctx, r, m.Arguments)
	case *dap.DisconnectRequest:
		a.run, a.session = nil, nil
		a.done(r)
		return errDisconnected
	case *dap.ThreadsRequest:
		a.threads(r)
	default:
		if a.session == nil {
			a.fail(r, errNothingRuns)
			return nil
		}
		a.withSession(ctx, message)
	}
	return nil
}

// withSession answers a request that needs a session.
func (a *DebugAdapter) withSession(ctx context.Context, message dap.RequestMessage) {
	r := message.GetRequest()
	switch m := message.(type) {
	case *dap.SetBreakpointsRequest:
		a.setBreakpoints(r, m.Arguments)
	case *dap.SetExceptionBreakpointsRequest:
		filters := m.Arguments.Filters
		a.session.StopAtFindings(slices.Contains(filters, errorsFilter), slices.Contains(filters, remarksFilter))
		a.reply(r, &dap.SetExceptionBreakpointsResponse{})
	case *dap.SetDataBreakpointsRequest:
		a.setDataBreakpoints(r, m.Arguments.Breakpoints)
	case *dap.ConfigurationDoneRequest:
		a.done(r)
		a.start()
	case *dap.TerminateRequest:
		a.done(r)
		a.terminate()
	case *dap.PauseRequest:
		if a.noDebug {
			a.fail(r, errNoDebug)
			return
		}
		a.done(r)
		if a.run != nil {
			a.run = nil
			a.stopped(a.session.Pause())
		}
	case *dap.SetFunctionBreakpointsRequest, *dap.SetInstructionBreakpointsRequest, *dap.CancelRequest:
		a.done(r)
	default:
		if a.run != nil {
			a.fail(r, errRuns)
			return
		}
		a.whileStopped(ctx, message)
	}
}

// whileStopped answers a request that needs a stopped session.
func (a *DebugAdapter) whileStopped(ctx context.Context, message dap.RequestMessage) {
	r := message.GetRequest()
	switch m := message.(type) {
	case *dap.ContinueRequest:
		a.reply(r, &dap.ContinueResponse{Body: dap.ContinueResponseBody{AllThreadsContinued: true}})
		a.run = a.session.Run(debug.Continue)
	case *dap.NextRequest:
		a.command(r, debug.StepOver)
	case *dap.StepInRequest:
		a.command(r, debug.StepIn)
	case *dap.StepOutRequest:
		a.command(r, debug.StepOut)
	case *dap.StepBackRequest:
		a.command(r, debug.Back)
	case *dap.ReverseContinueRequest:
		a.command(r, debug.ReverseContinue)
	case *dap.StackTraceRequest:
		a.reply(r, &dap.StackTraceResponse{Body: a.stackTrace(m.Arguments)})
	case *dap.ScopesRequest:
		body, err := a.scopes(m.Arguments.FrameId)
		a.answer(r, &dap.ScopesResponse{Body: body}, err)
	case *dap.VariablesRequest:
		body, err := a.variables(m.Arguments.VariablesReference)
		a.answer(r, &dap.VariablesResponse{Body: body}, err)
	case *dap.EvaluateRequest:
		a.evaluate(ctx, r, m.Arguments)
	case *dap.DataBreakpointInfoRequest:
		a.dataBreakpointInfo(r, m.Arguments)
	case *dap.ExceptionInfoRequest:
		a.exceptionInfo(r)
	case *dap.SourceRequest:
		a.reply(r, &dap.SourceResponse{Body: dap.SourceResponseBody{Content: a.target.Source.File("").Text, MimeType: "text/wgsl"}})
	default:
		a.fail(r, fmt.Errorf("%s is not supported", r.Command))
	}
}

func (a *DebugAdapter) command(r *dap.Request, c debug.Move) {
	a.done(r)
	a.run = a.session.Run(c)
}

func (a *DebugAdapter) launch(ctx context.Context, r *dap.Request, arguments json.RawMessage) {
	target, path, err := a.Load(ctx, arguments)
	if err != nil {
		a.fail(r, err)
		return
	}
	var asked struct {
		StopOnEntry bool `json:"stopOnEntry"`
		NoDebug     bool `json:"noDebug"`
	}
	if err := json.Unmarshal(arguments, &asked); err != nil && len(arguments) > 0 {
		a.fail(r, err)
		return
	}
	if err := a.Begin(ctx, target, path); err != nil {
		a.fail(r, err)
		return
	}
	a.stopOnEntry, a.noDebug = asked.StopOnEntry, asked.NoDebug
	a.done(r)
	doing := "Debugging "
	if a.noDebug {
		doing = "Running "
	}
	a.output("console", doing+target.Title+".")
	a.event(&dap.InitializedEvent{}, "initialized")
}

// Begin starts a session with a target. While Run is running, only Load may call it.
func (a *DebugAdapter) Begin(ctx context.Context, target *debug.Target, path string) error {
	s, err := debug.New(ctx, target)
	if err != nil {
		return err
	}
	a.session, a.target, a.path, a.run, a.started = s, target, path, nil, false
	a.forget()
	return nil
}

func (a *DebugAdapter) start() {
	switch {
	case a.started:
	case a.noDebug:
		a.run = a.session.Run(debug.Through)
	case a.stopOnEntry:
		a.stopped(debug.Stop{Reason: debug.Entry, Text: "Before the first statement."})
	default:
		a.run = a.session.Run(debug.Start)
	}
	a.started = true
}

func (a *DebugAdapter) threads(r *dap.Request) {
	name := "no invocation"
	if a.session != nil {
		name = a.session.Name(a.session.Invocation())
	}
	a.reply(r, &dap.ThreadsResponse{Body: dap.ThreadsResponseBody{Threads: []dap.Thread{{Id: thread, Name: name}}}})
}

func (a *DebugAdapter) source() *dap.Source {
	return &dap.Source{Name: filepath.Base(a.path), Path: a.path}
}

// sourceOf returns the file that a part of the shader is in, as a person wrote it.
func (a *DebugAdapter) sourceOf(span syntax.Span) *dap.Source {
	file := a.target.Source.Region(span).File
	if file == "" {
		return a.source()
	}
	name := filepath.Base(file)
	if whole, err := filepath.Abs(file); err == nil { // editors know no current folder
		file = whole
	}
	return &dap.Source{Name: name, Path: file}
}

func (a *DebugAdapter) setBreakpoints(r *dap.Request, asked dap.SetBreakpointsArguments) {
	body := dap.SetBreakpointsResponseBody{Breakpoints: []dap.Breakpoint{}}
	why := ""
	switch {
	case a.noDebug:
		why = "The shader runs without debugging."
	case !a.isSource(asked.Source):
		why = "The debugger is running a different shader."
	}
	if why != "" {
		for range asked.Breakpoints {
			body.Breakpoints = append(body.Breakpoints, dap.Breakpoint{Message: why})
		}
		a.reply(r, &dap.SetBreakpointsResponse{Body: body})
		return
	}
	list := a.place(asked.Breakpoints)
	for _, b := range list {
		body.Breakpoints = append(body.Breakpoints, dap.Breakpoint{
			Id: b.ID, Verified: b.Set, Message: b.Problem, Source: a.source(), Line: a.toClient(b.Line),
		})
	}
	a.reply(r, &dap.SetBreakpointsResponse{Body: body})
}

// place sets the client's breakpoints.
func (a *DebugAdapter) place(asked []dap.SourceBreakpoint) (list []*debug.Breakpoint) {
	for _, b := range asked {
		a.nextID++
		list = append(list, &debug.Breakpoint{
			ID: a.nextID, Line: a.fromClient(b.Line), Condition: b.Condition, Hits: b.HitCondition, Message: b.LogMessage,
		})
	}
	a.session.SetBreakpoints(list)
	return list
}

// isSource reports whether a client's source is the debugged shader, however the client writes the
// path.
func (a *DebugAdapter) isSource(s dap.Source) bool {
	return filepath.Clean(s.Path) == filepath.Clean(a.path)
}

func (a *DebugAdapter) setDataBreakpoints(r *dap.Request, asked []dap.DataBreakpoint) {
	body := dap.SetDataBreakpointsResponseBody{Breakpoints: []dap.Breakpoint{}}
	var right []string
	for _, b := range asked {
		a.nextID++
		placed := dap.Breakpoint{Id: a.nextID, Verified: true}
		if err := a.session.WatchWrites([]string{b.DataId}); err != nil {
			placed.Verified, placed.Message = false, err.Error()
		} else {
			right = append(right, b.DataId)
		}
		body.Breakpoints = append(body.Breakpoints, placed)
	}
	if err := a.session.WatchWrites(right); err != nil {
		a.fail(r, err)
		return
	}
	a.reply(r, &dap.SetDataBreakpointsResponse{Body: body})
}

// dataBreakpointInfo reports whether a value can have a data breakpoint: values in buffers and
// workgroup memory can.
func (a *DebugAdapter) dataBreakpointInfo(r *dap.Request, asked dap.DataBreakpointInfoArguments) {
	name := asked.Name
	if list := a.items[asked.VariablesReference]; list != nil {
		for _, it := range list() {
			if it.Name == name {
				name = it.Expression
			}
		}
	}
	before := a.session.Writes()
	err := a.session.WatchWrites([]string{name})
	if again := a.session.WatchWrites(before); err == nil {
		err = again
	}
	body := dap.DataBreakpointInfoResponseBody{DataId: name, Description: "write of " + name, AccessTypes: []dap.DataBreakpointAccessType{"write"}}
	if err != nil {
		body = dap.DataBreakpointInfoResponseBody{Description: err.Error()}
	}
	a.reply(r, &dap.DataBreakpointInfoResponse{Body: body})
}

func (a *DebugAdapter) exceptionInfo(r *dap.Request) {
	if a.finding == nil {
		a.fail(r, errors.New("nothing has gone wrong here"))
		return
	}
	a.reply(r, &dap.ExceptionInfoResponse{Body: dap.ExceptionInfoResponseBody{
		ExceptionId: string(a.finding.Kind), Description: a.finding.Message, BreakMode: "always",
	}})
}
