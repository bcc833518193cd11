package dap

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/go-dap"

	"github.com/wgslab/wgslab/internal/observe/debug"
)

// The limits of a call stack: the number of invocations with their own frame, and of groups for the
// rest.
const (
	mostNeighbours = 32
	mostGroups     = 16
)

func (a *DebugAdapter) stackTrace(asked dap.StackTraceArguments) dap.StackTraceResponseBody {
	all := a.stack()
	from := min(max(asked.StartFrame, 0), len(all))
	to := len(all)
	if asked.Levels > 0 {
		to = min(from+asked.Levels, to)
	}
	return dap.StackTraceResponseBody{StackFrames: all[from:to], TotalFrames: len(all)}
}

// stack returns the frames of the viewed invocation, and below them the other invocations.
func (a *DebugAdapter) stack() []dap.StackFrame {
	s := a.session
	here := s.Invocation()
	list := []dap.StackFrame{}
	for depth, f := range s.Stack(here) {
		span := a.target.Source.Range(f.Span)
		source := a.sourceOf(f.Span)
		list = append(list, dap.StackFrame{
			Id: a.frame(here, depth), Name: f.Function.Object.Name, Source: source,
			Line: a.toClient(span.First.Line), Column: a.column(span.First.Column),
			EndLine: a.toClient(span.End.Line), EndColumn: a.column(span.End.Column),
		})
	}
	picture := s.Picture()
	if len(picture.Cells) <= mostNeighbours+1 {
		for i := range picture.Cells {
			if i != here {
				list = append(list, a.neighbours(debug.InvocationGroup{Snapshot: picture.Cells[i].Snapshot, Invocations: []int{i}}))
			}
		}
		return list
	}
	for i, g := range picture.Groups() {
		if i == mostGroups {
			break
		}
		list = append(list, a.neighbours(g))
	}
	return list
}

// neighbours returns one frame for several invocations at the same place; it leads to the first of
// them.
func (a *DebugAdapter) neighbours(g debug.InvocationGroup) dap.StackFrame {
	first := g.Invocations[0]
	p := a.session.At(first)
	start := a.target.Source.Position(p.Span.Start)
	return dap.StackFrame{
		Id: a.frame(first, 0), Name: g.String(), Source: a.sourceOf(p.Span), PresentationHint: "subtle",
		Line: a.toClient(start.Line), Column: a.column(start.Column),
	}
}

func (a *DebugAdapter) frame(local, depth int) int {
	a.last++
	a.frames[a.last] = frame{local, depth}
	return a.last
}

// scopes views the frame's invocation, because the learner is looking at it.
func (a *DebugAdapter) scopes(id int) (dap.ScopesResponseBody, error) {
	body := dap.ScopesResponseBody{Scopes: []dap.Scope{}}
	f, ok := a.frames[id]
	if !ok {
		return body, errOldFrame
	}
	if f.local != a.session.Invocation() {
		if err := a.session.Look(f.local); err != nil {
			return body, err
		}
	}
	scopes := a.session.Scopes(f.local, f.depth)
	if a.Plain {
		scopes = together(scopes)
	}
	for _, scope := range scopes {
		body.Scopes = append(body.Scopes, dap.Scope{
			Name: scope.Name, PresentationHint: hints[scope.Name], NamedVariables: len(scope.Items),
			VariablesReference: a.refer(func() []debug.TreeItem { return scope.Items }),
		})
	}
	return body, nil
}

// together puts the watches above the variables, for clients that show one scope at a time.
func together(scopes []debug.Scope) []debug.Scope {
	if scopes[0].Name != debug.WatchScope {
		return scopes
	}
	first := debug.Scope{Name: debug.LocalScope, Items: scopes[0].Items}
	scopes = scopes[1:]
	if len(scopes) > 0 && scopes[0].Name == debug.LocalScope {
		first.Items = append(slices.Clone(first.Items), scopes[0].Items...)
		scopes = scopes[1:]
	}
	return append([]debug.Scope{first}, scopes...)
}

// hints tells clients which scope to open.
var hints = map[string]string{debug.LocalScope: "locals", debug.InvocationName: "arguments"}

// refer returns a number by which the client can ask for items.
func (a *DebugAdapter) refer(items func() []debug.TreeItem) int {
	a.last++
	a.items[a.last] = items
	return a.last
}

func (a *DebugAdapter) variables(reference int) (dap.VariablesResponseBody, error) {
	body := dap.VariablesResponseBody{Variables: []dap.Variable{}}
	items := a.items[reference]
	if items == nil {
		return body, errOldFrame
	}
	for _, it := range items() {
		body.Variables = append(body.Variables, a.variable(it))
	}
	return body, nil
}

func (a *DebugAdapter) variable(it debug.TreeItem) dap.Variable {
	v := dap.Variable{Name: it.Name, Value: it.Value, Type: it.Type, EvaluateName: it.Expression}
	if it.Children > 0 {
		v.VariablesReference = a.refer(it.Parts)
	}
	if a.Plain {
		v.Type = ""
		if it.Changed {
			v.Value += "  ← changed"
		}
	}
	return v
}

// evaluate answers the console, which also has commands, and requests for watches and hovers.
func (a *DebugAdapter) evaluate(ctx context.Context, r *dap.Request, asked dap.EvaluateArguments) {
	f, ok := a.frames[asked.FrameId]
	if !ok {
		f = frame{local: a.session.Invocation()}
	}
	if asked.Context != "repl" {
		it, err := a.session.Evaluate(f.local, f.depth, asked.Expression)
		if err != nil {
			a.fail(r, err)
			return
		}
		a.evaluated(r, it.Value, &it)
		return
	}
	if f.local != a.session.Invocation() {
		f = frame{local: a.session.Invocation()}
	}
	answer, err := a.session.Console(ctx, f.depth, asked.Expression)
	if err != nil {
		a.fail(r, err)
		return
	}
	a.evaluated(r, answer.Text, answer.Item)
	if answer.Moved {
		a.stopped(debug.Stop{Reason: "goto", Text: fmt.Sprintf("Now %s.", a.session.Name(a.session.Invocation()))})
	}
}

func (a *DebugAdapter) evaluated(r *dap.Request, text string, it *debug.TreeItem) {
	body := dap.EvaluateResponseBody{Result: text}
	if it != nil {
		v := a.variable(*it)
		body.Type, body.VariablesReference = v.Type, v.VariablesReference
	}
	a.reply(r, &dap.EvaluateResponse{Body: body})
}
