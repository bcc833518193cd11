// This file prepares what the debugger runs: a shader with the buffers that a person types.

package anyshader

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/wgslab/wgslab/internal/observe/debug"

	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// ShaderRun is how to run a shader without an exercise, in the notation of package bufferspec.
type ShaderRun struct {
	Entry      string   // the entry point
	Workgroups string   // X, X,Y or X,Y,Z, or @N: those in a buffer
	Passes     []string // ENTRY=X,Y,Z each, in place of both: the last is debugged on what the others leave
	Binds      []string // the buffers
	Overrides  []string // the values of overrides
	Writes     []string // the run stops when one of these elements is written
}

// Read reads what people type: the passes, and the buffers that all share.
func (on *ShaderRun) Read() ([]EntryRun, []*Argument, error) {
	passes, err := ParseRuns(on.Passes, on.Entry, on.Workgroups)
	if err != nil {
		return nil, nil, err
	}
	buffers, err := ParseAll(on.Binds)
	if err != nil {
		return nil, nil, fmt.Errorf("bind %w", err)
	}
	return passes, buffers, nil
}

// File prepares a shader without an exercise. It runs all passes but the last.
func File(ctx context.Context, name, text string, on ShaderRun) (*debug.Target, error) {
	source := shader.ReadWith(name, text, types.AllFeatures)
	passes, buffers, err := on.Read()
	if err != nil {
		return nil, err
	}
	last := passes[len(passes)-1]
	program, err := Compile(source, last.Entry, on.Overrides, true)
	if err != nil {
		return nil, err
	}
	t := &debug.Target{Title: filepath.Base(name), Source: source.Shader().Source, Program: program, Writes: on.Writes}
	for _, pass := range passes[:len(passes)-1] {
		if err := RunPass(ctx, source, pass, buffers, on.Overrides); err != nil {
			return nil, err
		}
		t.Title += ", " + pass.Entry
	}
	if len(passes) > 1 {
		t.Title += ", then " + last.Entry
	}
	workgroups, nothing, err := last.Counts(program, buffers)
	if err == nil && nothing != nil {
		err = errors.New(nothing.Message)
	}
	if err != nil {
		return nil, err
	}
	t.Workgroups = workgroups
	t.Buffers, err = Bind(buffers, program)
	return t, err
}
