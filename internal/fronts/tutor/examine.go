package tutor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/cases"
	"github.com/wgslab/wgslab/internal/course/goals"
	"github.com/wgslab/wgslab/internal/course/judge"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/ground/view"
	"github.com/wgslab/wgslab/internal/machine/engine/simulator"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/observe/cost"
	"github.com/wgslab/wgslab/internal/observe/debug"
	"github.com/wgslab/wgslab/internal/observe/memtrace"
	"github.com/wgslab/wgslab/internal/observe/printing"
)

// usualSeed draws the cases of a program that no check has seen yet.
const usualSeed = 1

// mostSteps limits a shader in each run, to about three seconds.
const mostSteps = 500_000_000

// mostTime limits a run in the debugger, which counts no steps.
const mostTime = 5 * time.Second

// mostRows is how many values of an expression are told.
const mostRows = 100

type examineInput struct {
	Exercise   string `json:"exercise" jsonschema:"the exercise's id"`
	What       string `json:"what,omitempty" jsonschema:"verdict (unless given), print, step, memory or cost"`
	Expression string `json:"expression,omitempty" jsonschema:"for print: what to show, such as i, a[i]; for step: a condition such as i == 3u, at which to stop"`
	Line       int    `json:"line,omitempty" jsonschema:"for print and step: the line of the learner's shader"`
	Case       string `json:"case,omitempty" jsonschema:"for print and step: the name of the case, such as n = 65; unless given, one that fails"`
}

func (s *Server) addExamine() {
	add(s, tool[examineInput]{
		name: "examine", title: "What the learner's program does",
		description: `Runs the learner's program as it is now, records nothing, and returns facts. verdict: right or wrong, why, where, wanted and found values, how a wrong value came to be. print: the values of an expression at a line, for each invocation. step: all variables of an invocation that reaches a line. memory: who reads and writes what. cost: what it costs on a GPU.`,
		example:     examineInput{Exercise: "vector-add", What: "print", Expression: "i, a[i]", Line: 8},
		do:          s.examine,
	})
}

func (s *Server) examine(ctx context.Context, in examineInput) (any, error) {
	e, err := course.Find(in.Exercise)
	if err != nil {
		return nil, err
	}
	p, err := s.folder.program(e)
	if err != nil {
		return nil, err
	}
	if p.Text == "" {
		return nil, nothingYet(e)
	}
	if in.What == "" || in.What == "verdict" {
		return s.verdictNow(ctx, e, p)
	}
	how, known := map[string]func(context.Context, *examined) (any, error){"print": printed, "step": stepped, "memory": memory, "cost": costs}[in.What]
	switch {
	case !known:
		return nil, fmt.Errorf("%q can't be examined: use verdict, print, step, memory or cost", in.What)
	case e.IsOnHost() || e.Break != nil:
		return nil, fmt.Errorf("%s is no shader, and only shaders have %s: ask for the verdict", e.ID, in.What)
	}
	seed, err := s.seed(e, p)
	if err != nil {
		return nil, err
	}
	x := &examined{Exercise: e, Source: shader.Read(filepath.Join("work", p.File), p.Text), Program: p, Asked: in, Seed: seed}
	if mistake := x.Source.Mistake(); mistake != nil {
		return nil, fmt.Errorf("the shader doesn't compile yet, so there is nothing to run: line %d: %s", mistake.Line, mistake.Message)
	}
	err = s.checking(ctx, func() (err error) {
		answer, failed := how(ctx, x)
		x.Answer = answer
		return failed
	})
	return x.Answer, err
}

// examined is a shader that is looked at.
type examined struct {
	Exercise *course.Exercise
	Source   *shader.Source
	Program  program
	Asked    examineInput
	Seed     uint64
	Answer   any
}

// target prepares a run of a shader on the case that was asked for, or else one that fails.
func (x *examined) target(ctx context.Context, source *shader.Source) (*debug.Target, error) {
	return cases.Target(ctx, x.Exercise, source, x.Seed, x.Asked.Case, nil)
}

// line returns an error unless the line is one of the program's.
func (x *examined) line() error {
	if n := x.Program.lines(); x.Asked.Line < 1 || x.Asked.Line > n {
		return fmt.Errorf("line is %d: the learner's shader has lines 1 to %d", x.Asked.Line, n)
	}
	return nil
}

// printed shows an expression at a line, for each invocation.
func printed(ctx context.Context, x *examined) (any, error) {
	p, err := rows(ctx, x)
	if err != nil {
		return nil, err
	}
	if more := len(p.Rows) - mostRows; more > 0 {
		p.Rows, p.LeftOut = p.Rows[:mostRows], p.LeftOut+more
	}
	return map[string]any{"exercise": x.Exercise.ID, "seed": x.Seed, "printed": p}, nil
}

// rows runs the shader with a print comment at a line.
func rows(ctx context.Context, x *examined) (*printing.Printed, error) {
	if err := x.line(); err != nil {
		return nil, err
	}
	expression := strings.Join(strings.Fields(x.Asked.Expression), " ")
	if expression == "" {
		return nil, errors.New("expression is missing: name what to print, such as i, a[i]")
	}
	lines := strings.Split(x.Program.Text, "\n")
	for i := range lines { // the learner's own comments would print as well
		lines[i] = strings.Replace(strings.TrimRight(lines[i], "\r"), "// print", "//  ", 1)
	}
	at := &lines[x.Asked.Line-1]
	if code, comment, found := strings.Cut(*at, "//"); found && !strings.Contains(comment, "*/") {
		*at = code
	}
	*at += " // print: " + expression
	all, err := printing.Run(ctx, shader.Read(x.Source.Name, strings.Join(lines, "\n")), func(marked *shader.Source) (*debug.Target, error) { return x.target(ctx, marked) })
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("nothing can be printed on line %d: choose a line with a statement", x.Asked.Line)
	}
	p := all[0]
	if p.Problem != "" {
		return nil, fmt.Errorf("%q has no value after line %d: %s", expression, x.Asked.Line, p.Problem)
	}
	return p, nil
}

// stepped stops at a line, and shows all variables of the invocation that reached it first.
func stepped(ctx context.Context, x *examined) (any, error) {
	if err := x.line(); err != nil {
		return nil, err
	}
	t, err := x.target(ctx, x.Source)
	if err != nil {
		return nil, err
	}
	session, err := debug.New(ctx, t)
	if err != nil {
		return nil, err
	}
	b := &debug.Breakpoint{ID: 1, Line: x.Asked.Line, Condition: x.Asked.Expression}
	if session.SetBreakpoints([]*debug.Breakpoint{b}); !b.Set {
		return nil, fmt.Errorf("the run can't stop at line %d: %s", x.Asked.Line, b.Problem)
	}
	soon, cancel := context.WithTimeout(ctx, mostTime)
	defer cancel()
	stop, err := session.Run(debug.Start).On(soon)
	if soon.Err() != nil && ctx.Err() == nil {
		return nil, fmt.Errorf("the run came to no stop within %s: is there a loop that never ends?", mostTime)
	}
	if err != nil {
		return nil, err
	}
	answer := map[string]any{"exercise": x.Exercise.ID, "run": t.Title, "stopped": stop.Text, "reason": string(stop.Reason)}
	if session.Done() {
		return answer, nil
	}
	variables := map[string]map[string]string{}
	for _, scope := range session.Scopes(session.Invocation(), 0) {
		variables[scope.Name] = map[string]string{}
		for _, it := range scope.Items {
			variables[scope.Name][it.Name] = it.Value
		}
	}
	answer["variables"] = variables
	return answer, nil
}

// memory shows who reads and writes what, on a small case.
func memory(ctx context.Context, x *examined) (any, error) {
	t, err := cases.Trace(ctx, x.Exercise, x.Source)
	if err != nil {
		return nil, err
	}
	var texts []string
	for _, v := range view.Drawn("The pictures", func() []view.View { return memtrace.Of(t) }) {
		texts = append(texts, view.Text(v))
	}
	return map[string]any{"exercise": x.Exercise.ID, "case": t.Case, "text": strings.Join(texts, "\n\n")}, nil
}

// costs counts what the shader costs.
func costs(ctx context.Context, x *examined) (any, error) {
	on, err := cost.FindDevice(cost.Usual)
	if err != nil {
		return nil, err
	}
	c, err := goals.Compare(ctx, x.Exercise, x.Source, on)
	if err != nil {
		return nil, err
	}
	return map[string]any{"exercise": x.Exercise.ID, "summary": c.Summary, "text": c.Text()}, nil
}

// verdictAnswer is a verdict without what the reference looks like.
type verdictAnswer struct {
	Right   bool            `json:"right"`
	Verdict json.RawMessage `json:"verdict"`
	Text    string          `json:"text,omitempty"`
	Values  []wrongValue    `json:"values,omitempty"` // in the first wrong case: what should be there and what is

	full *verdict.Verdict // of a shader
}

// A wrongValue is an element of the output near the first wrong one.
type wrongValue struct {
	Element string `json:"element"`
	Wanted  string `json:"wanted"`
	Found   string `json:"found"`
	Right   bool   `json:"right"`
}

// knownVerdicts keeps the latest verdict of each exercise: what is said is compared with it.
type knownVerdicts struct {
	mu  sync.Mutex
	now map[string]knownVerdict
}

type knownVerdict struct {
	text   string
	seed   uint64
	answer *verdictAnswer
}

func (k *knownVerdicts) find(id, text string, seed uint64) *verdictAnswer {
	k.mu.Lock()
	defer k.mu.Unlock()
	if found := k.now[id]; found.text == text && found.seed == seed {
		return found.answer
	}
	return nil
}

func (k *knownVerdicts) keep(id, text string, seed uint64, a *verdictAnswer) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.now == nil {
		k.now = map[string]knownVerdict{}
	}
	k.now[id] = knownVerdict{text, seed, a}
}

// seed returns the seed with which the learner's program was checked, so that the tutor sees the
// learner's numbers.
func (s *Server) seed(e *course.Exercise, p program) (uint64, error) {
	tries, err := s.folder.tries(e.ID)
	if err != nil || len(tries) == 0 || tries[len(tries)-1].Seed == 0 {
		return usualSeed, err
	}
	return tries[len(tries)-1].Seed, nil
}

// verdictNow checks the learner's program.
func (s *Server) verdictNow(ctx context.Context, e *course.Exercise, p program) (answer *verdictAnswer, err error) {
	seed, err := s.seed(e, p)
	if err != nil {
		return nil, err
	}
	if found := s.known.find(e.ID, p.Text, seed); found != nil {
		return found, nil
	}
	err = s.checking(ctx, func() (err error) {
		if answer = s.known.find(e.ID, p.Text, seed); answer != nil {
			return nil // another call has found out while this one waited
		}
		if e.IsOnHost() {
			answer, err = s.hostVerdict(ctx, e, p.File, seed)
			return err
		}
		v, err := explain(ctx, e, p, seed)
		if err == nil {
			answer, err = answerOf(v)
		}
		return err
	})
	if err == nil {
		s.known.keep(e.ID, p.Text, seed, answer)
	}
	return answer, err
}

// engines are those of a check here: the simulator alone, which limits every shader by its steps.
func engines() shader.Engines {
	backend := simulator.New(simulator.Options{Steps: mostSteps})
	return shader.Engines{Values: backend, Watcher: backend}
}

func explain(ctx context.Context, e *course.Exercise, p program, seed uint64) (*verdict.Verdict, error) {
	return judge.Explain(ctx, engines(), e, shader.Read(filepath.Join("work", p.File), p.Text), seed, nil)
}

// answerOf returns a verdict without its hints: each says what to change, as the nearest right
// shader has it.
func answerOf(v *verdict.Verdict) (*verdictAnswer, error) {
	v.Reasons = v.Reasons.WithoutHints()
	text, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("writing the verdict: %w", err)
	}
	a := &verdictAnswer{Right: v.Passed(), Verdict: text, Text: v.Text(), full: v}
	if v.Mismatch != nil {
		for _, o := range v.Mismatch.Around {
			a.Values = append(a.Values, wrongValue{v.Mismatch.Output + o.Label(), o.Wanted(), o.Found(), o.OK})
		}
	}
	return a, nil
}

// hostVerdict checks a host program in a process of its own.
func (s *Server) hostVerdict(ctx context.Context, e *course.Exercise, file string, seed uint64) (*verdictAnswer, error) {
	if s.options.CheckHost == nil {
		return nil, fmt.Errorf("%s is a host program, and this server checks only shaders", e.ID)
	}
	if !filepath.IsAbs(file) {
		file = filepath.Join(s.folder.work, file)
	}
	text, err := s.options.CheckHost(ctx, e.ID, file, seed)
	if err != nil {
		return nil, err
	}
	var v struct {
		Outcome verdict.Outcome `json:"verdict"`
	}
	if err := json.Unmarshal(text, &v); err != nil {
		return nil, fmt.Errorf("reading the verdict on %s: %w", filepath.Base(file), err)
	}
	return &verdictAnswer{Right: v.Outcome == verdict.Pass, Verdict: text}, nil
}
