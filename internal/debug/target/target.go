// Package target chooses what is debugged: a case of an exercise, or a shader with buffers that somebody gives.
package target

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/bind"
	"github.com/wgslab/wgslab/internal/debug"
	engine "github.com/wgslab/wgslab/internal/engine/sim"
	"github.com/wgslab/wgslab/internal/judge"
	"github.com/wgslab/wgslab/internal/lesson"
	"github.com/wgslab/wgslab/internal/shader"
	"github.com/wgslab/wgslab/internal/verdict"
	"github.com/wgslab/wgslab/internal/wgsl/sim"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// compile makes a program that can be stepped through.
func compile(source *syntax.Source, entry string) (*sim.Program, error) {
	info, found := sim.Analyse(source, types.AllFeatures)
	if err := refused(source, found); err != nil {
		return nil, err
	}
	point := info.Entry(entry)
	if point == nil || point.Stage != types.ComputeStage {
		return nil, fmt.Errorf("%s has no compute entry point `%s`", source.Name, entry)
	}
	pipeline, found := info.Pipeline(point, nil)
	if err := refused(source, found); err != nil {
		return nil, err
	}
	program, err := sim.Compile(pipeline, true)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", source.Name, err)
	}
	return program, nil
}

func refused(source *syntax.Source, found []*syntax.Diagnostic) error {
	for _, d := range found {
		if d.Severity == syntax.Error {
			p := source.Position(d.Span.Start)
			return fmt.Errorf("%s:%d:%d: %s", source.Name, p.Line, p.Column, strings.TrimSpace(d.Message+" "+d.Hint))
		}
	}
	return nil
}

// File is a shader with buffers as package bind reads them.
func File(name, text, entry, workgroups string, binds []string) (*debug.Target, error) {
	source := syntax.NewSource(name, text)
	program, err := compile(source, entry)
	if err != nil {
		return nil, err
	}
	t := &debug.Target{Title: filepath.Base(name), Source: source, Program: program}
	if t.Workgroups, err = bind.ParseWorkgroups(workgroups); err != nil {
		return nil, fmt.Errorf("workgroups %w", err)
	}
	for _, given := range binds {
		b, err := bind.Parse(given)
		if err != nil {
			return nil, fmt.Errorf("bind %w", err)
		}
		b.Fit(program)
		t.Buffers = append(t.Buffers, sim.Buffer{Group: b.Group, Binding: b.Binding, Data: b.Data})
	}
	return t, nil
}

// Exercise is a shader on a case of an exercise, as the seed draws them: the case of that name, or else the first that
// fails in the simulator, or else the first. Writes are elements at whose writing the run stops; where some are waited for,
// a case in which one of them is the first that is wrong is what somebody means.
func Exercise(ctx context.Context, e *lesson.Exercise, name, text string, seed uint64, wanted string, writes []string) (*debug.Target, error) {
	if e == lesson.Forward {
		return nil, fmt.Errorf("%s is written in Go: debug one of its shaders, such as linear", e.ID)
	}
	source := syntax.NewSource(name, text)
	program, err := compile(source, shader.EntryPoint)
	if err != nil {
		return nil, err
	}
	cases := e.Draw(seed)
	chosen, err := choose(ctx, e, name, text, seed, wanted, slices.Concat(writes, debug.WaitedFor(text)), cases)
	if err != nil {
		return nil, err
	}
	c := cases[chosen]
	t := &debug.Target{
		Title: e.ID + ", " + c.Name, Source: source, Program: program, Writes: writes,
		Workgroups: e.Dispatch.Workgroups(c.Extent, program.Pipeline.WorkgroupSize),
	}
	for i, b := range c.Buffers {
		t.Buffers = append(t.Buffers, sim.Buffer{Binding: uint32(i), Data: b.Clone().Bytes})
	}
	for _, b := range e.Bindings {
		t.Names = append(t.Names, b.Name)
	}
	return t, nil
}

func choose(ctx context.Context, e *lesson.Exercise, name, text string, seed uint64, wanted string, writes []string, cases []lesson.Case) (int, error) {
	if wanted == "" {
		return firstFailing(ctx, e, name, text, seed, writes)
	}
	var names []string
	for i, c := range cases {
		if c.Name == wanted {
			return i, nil
		}
		names = append(names, "`"+c.Name+"`")
	}
	return 0, fmt.Errorf("%s has no case `%s` with this seed; it has %s", e.ID, wanted, strings.Join(names, ", "))
}

// patience is how many instructions a case may take while the first is looked for that fails: a second or so.
const patience = 200_000_000

// firstFailing is the first case that is not right, or one in which an element is that is waited for; the first of all where
// every one is right, or nothing could be judged.
func firstFailing(ctx context.Context, e *lesson.Exercise, name, text string, seed uint64, writes []string) (int, error) {
	alone := engine.New(engine.Options{Steps: patience})
	v, err := judge.Run(ctx, shader.Engines{Values: alone, Watcher: alone}, e, name, text, seed)
	if err != nil {
		if ctx.Err() != nil || errors.Is(err, context.Canceled) {
			return 0, err
		}
		return 0, nil
	}
	own := v.Cases[:min(len(v.Cases), len(e.Draw(seed)))] // the judge may have added some
	meant := slices.IndexFunc(own, func(c verdict.CaseResult) bool {
		return c.FirstMismatch != nil && slices.ContainsFunc(writes, func(w string) bool {
			i, ok := debug.Index(w)
			return ok && i == c.FirstMismatch.Index
		})
	})
	if meant >= 0 {
		return meant, nil
	}
	return max(0, slices.IndexFunc(own, func(c verdict.CaseResult) bool { return !c.Pass })), nil
}
