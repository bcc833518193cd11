// Package sim runs shaders in the simulator, where there is no driver at all or
// where somebody wants to know what the shader did: internal/wgsl/sim as one of
// the engines that a check can use.
package sim

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/wgslab/wgslab/internal/shader"
	"github.com/wgslab/wgslab/internal/wgsl/sim"
)

// Options say how far the simulator goes.
type Options struct {
	Steps   uint64     // after how many instructions of all invocations a dispatch is given up; 0 for sim.DefaultSteps
	Watched uint64     // the same for one that is watched; 0 for a hundredth of sim.DefaultSteps
	Trace   *sim.Trace // where not nil: keeps every access of the last run; such an engine is for one at a time
}

// New is the simulator as an engine. It holds nothing that must be closed and may be used by many at once.
func New(options Options) shader.Backend {
	if options.Steps == 0 {
		options.Steps = sim.DefaultSteps
	}
	if options.Watched == 0 {
		options.Watched = sim.DefaultSteps / 100
	}
	return engine{options}
}

type engine struct{ options Options }

func (engine) Adapter() shader.Adapter { return sim.Adapter() }

func (e engine) Compile(ctx context.Context, source *shader.Source) (shader.Program, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if mistake := source.Unrunnable(); mistake != nil {
		return nil, mistake
	}
	if _, err := source.Entry(e.Adapter()); err != nil {
		return nil, err
	}
	if err := source.CheckLayout(); err != nil {
		return nil, err
	}
	compiled, err := sim.CompileSource(source)
	if err != nil {
		return nil, err
	}
	return &program{e, source, compiled}, nil
}

type program struct {
	engine   engine
	source   *shader.Source
	compiled *sim.Program
}

func (p *program) Free() {}

// Run takes a step for a moment of time: a shader that has not ended after as many as it may take misses the deadline,
// unless somebody watches, who finds the loop that it goes round.
func (p *program) Run(ctx context.Context, d shader.Dispatch) (shader.Result, error) {
	began := time.Now()
	buffers, copies, err := p.bind(d)
	if err != nil {
		return shader.Result{}, err
	}
	options := sim.Options{Watch: d.Watch, Steps: p.engine.options.Steps, Trace: p.engine.options.Trace}
	if d.Watch {
		options.Steps = p.engine.options.Watched
	}
	result, err := p.compiled.Run(ctx, d.Workgroups, buffers, options)
	if err != nil {
		return shader.Result{}, fmt.Errorf("%s: %w", p.source.Name, err)
	}
	if !result.Finished && !d.Watch {
		return shader.Result{}, &shader.DeadlineError{
			What: p.source.Name, Deadline: time.Since(began).Round(time.Millisecond),
			Hint: fmt.Sprintf("the simulator gave up after %d steps", result.Steps),
		}
	}
	doubtful, err := p.doubtful(ctx, d, result, copies[d.Output])
	return shader.Result{Output: copies[d.Output], Findings: result.Findings, Steps: result.Steps, Wrote: result.Wrote, Doubtful: doubtful}, err
}

// doubtful are the elements of an output that depend on what was read out of bounds: another run, in which that is
// strange, leaves something else there.
func (p *program) doubtful(ctx context.Context, d shader.Dispatch, result *sim.Result, output shader.Buffer) ([]bool, error) {
	if !slices.ContainsFunc(result.Findings, func(f shader.Finding) bool {
		return f.Kind == sim.OutOfBoundsRead && f.Severity == shader.SeverityError
	}) {
		return nil, nil
	}
	buffers, copies, err := p.bind(d)
	if err != nil {
		return nil, err
	}
	if _, err := p.compiled.Run(ctx, d.Workgroups, buffers, sim.Options{Strange: true, Steps: p.engine.options.Watched}); err != nil {
		return nil, err
	}
	doubtful := make([]bool, output.Len())
	for i := range doubtful {
		doubtful[i] = !output.Same(i, copies[d.Output])
	}
	return doubtful, nil
}

// Explain implements shader.Explainer.
func (p *program) Explain(ctx context.Context, d shader.Dispatch, element int) (*shader.Origin, error) {
	buffers, _, err := p.bind(d)
	if err != nil {
		return nil, err
	}
	return p.compiled.Explain(ctx, d.Workgroups, buffers, 0, uint32(d.Output), uint64(element)*shader.ElementBytes)
}

// bind checks what is bound and copies it, for the shader to write to.
func (p *program) bind(d shader.Dispatch) ([]sim.Buffer, []shader.Buffer, error) {
	bound := make([]shader.Bound, len(d.Buffers))
	copies := make([]shader.Buffer, len(d.Buffers))
	buffers := make([]sim.Buffer, len(d.Buffers))
	for i, b := range d.Buffers {
		bound[i] = shader.Bound{Element: b.Element, Bytes: uint64(len(b.Bytes)), ID: i}
		copies[i] = b.Clone()
		buffers[i] = sim.Buffer{Binding: uint32(i), Data: copies[i].Bytes}
	}
	return buffers, copies, p.source.CheckDispatch(p.engine.Adapter(), d.Workgroups, bound)
}
