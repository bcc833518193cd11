// This file prepares what the debugger runs: a shader with the buffers that a person types.

package anyshader

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/wgslab/wgslab/internal/observe/debug"

	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// ShaderRun is how to run a shader without an exercise, in the notation of this package.
type ShaderRun struct {
	Entry      string   // the entry point; "" for `main`, or the only one
	Workgroups string   // X, X,Y or X,Y,Z, or @N: those in a buffer
	Passes     []string // ENTRY=X,Y,Z each, in place of both: the last is debugged on what the others leave
	Binds      []string // the buffers
	Overrides  []string // the values of overrides
	Writes     []string // the run stops when one of these elements is written
	Dashes     string   // before these names in messages: "--" for a command line
}

// Read reads what people type: the passes, and the buffers that all share.
func (on *ShaderRun) Read(source *shader.Source) (*Dispatches, error) {
	entry, err := on.entry(source)
	if err != nil {
		return nil, err
	}
	passes, err := ParseRuns(on.Passes, entry, on.Workgroups)
	if err != nil {
		return nil, fmt.Errorf("%s%w", on.Dashes, err)
	}
	buffers, err := ParseAll(on.Binds, source)
	if err != nil {
		return nil, fmt.Errorf("%sbind %w", on.Dashes, err)
	}
	if err := declared(source, passes, buffers); err != nil {
		return nil, fmt.Errorf("%s%w", on.Dashes, err)
	}
	return &Dispatches{Source: source, Passes: passes, Buffers: buffers, Overrides: on.Overrides, dashes: on.Dashes}, nil
}

// entry returns the entry point to run if there are no passes: the given one, or `main`, or the
// only one.
func (on *ShaderRun) entry(source *shader.Source) (string, error) {
	names := ComputeEntries(source)
	switch {
	case on.Entry != "" || len(on.Passes) > 0:
		return on.Entry, nil
	case len(names) == 0 || slices.Contains(names, shader.EntryPoint):
		return shader.EntryPoint, nil
	case len(names) > 1:
		return "", fmt.Errorf("%s has the entry points %s: choose one with %sentry", filepath.Base(source.Name), english.List(names), on.Dashes)
	}
	return names[0], nil
}

// ComputeEntries returns the names of a shader's compute functions.
func ComputeEntries(source *shader.Source) (names []string) {
	if info := source.Shader().Info; info != nil {
		for _, e := range info.EntryPoints {
			if e.Stage == types.ComputeStage {
				names = append(names, e.Object.Name)
			}
		}
	}
	return names
}

// Target prepares a shader without an exercise for the debugger. It runs all passes but the last.
func Target(ctx context.Context, source *shader.Source, on ShaderRun) (*debug.Target, error) {
	d, err := on.Read(source)
	if err != nil {
		return nil, err
	}
	return LastPass(ctx, d, on.Writes)
}

// LastPass prepares the last pass, and runs those before it. The run stops when one of the elements
// is written.
func LastPass(ctx context.Context, d *Dispatches, writes []string) (*debug.Target, error) {
	last := len(d.Passes) - 1
	t, err := Pass(ctx, d, last)
	if err != nil {
		return nil, err
	}
	t.Title, t.Writes = filepath.Base(d.Source.Name), writes
	for i, pass := range d.Passes {
		switch {
		case i < last:
			t.Title += ", " + pass.Entry
		case last > 0:
			t.Title += ", then " + pass.Entry
		}
	}
	return t, nil
}

// Pass prepares a pass of a shader without an exercise. It runs those before it.
func Pass(ctx context.Context, d *Dispatches, at int) (*debug.Target, error) {
	for i := range at {
		pass, nothing, err := d.Prepare(i, false)
		if err == nil && nothing == nil {
			err = Finish(ctx, pass)
		}
		if err != nil {
			return nil, err
		}
	}
	pass, nothing, err := d.Prepare(at, true)
	if nothing != nil {
		err = errors.New(nothing.Message)
	}
	if err != nil {
		return nil, err
	}
	return &debug.Target{Source: d.Source.Shader().Source, Program: pass.Program, Workgroups: pass.Workgroups, Buffers: pass.Buffers}, nil
}
