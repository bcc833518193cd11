// Package simulator runs shaders in internal/machine/sim. It serves checks, which run and watch one
// dispatch, and simulated devices, whose buffers persist.
package simulator

import (
	"context"
	"fmt"
	"slices"
	"unsafe"

	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/machine/sim"
	"github.com/wgslab/wgslab/internal/machine/sim/ir"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
)

// Options set the limits of the simulator.
type Options struct {
	Steps     uint64              // maximum instructions of all invocations in a dispatch; 0 means sim.DefaultSteps
	Watched   uint64              // the same for a watched dispatch; 0 means usualWatched
	Cores     int                 // maximum number of workgroups that run at once; 0 means one per core
	Compile   sim.Compile         // whether to run machine code
	Order     sim.Order           // of workgroups and invocations in a run that is not watched
	Subgroups ir.SubgroupDivision // the zero value leaves them to the shader's comment, or to the simulator
	Trace     *sim.Trace          // if not nil, records every access of the last run; allows one run at a time
}

// usualWatched is far more than a right shader takes in a case that is watched.
const usualWatched = 20_000_000

// New returns the simulator as an engine. It needs no Close; many goroutines may use it.
func New(options Options) shader.Backend {
	if options.Steps == 0 {
		options.Steps = sim.DefaultSteps
	}
	if options.Watched == 0 {
		options.Watched = usualWatched
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
	instructions, err := sim.CompileEntry(source, nil, false)
	if err != nil {
		return nil, err
	}
	if e.options.Subgroups != (ir.SubgroupDivision{}) {
		instructions = instructions.With(e.options.Subgroups)
	}
	return &program{e, source, instructions}, nil
}

// A program is a shader on this engine: its instructions, with the checks and limits of the
// contract.
type program struct {
	engine       engine
	source       *shader.Source
	instructions *sim.Program
}

func (p *program) Free() {}

// Run counts steps instead of time: a shader that exceeds its steps misses the deadline. A watched
// run reports the loop instead.
func (p *program) Run(ctx context.Context, d shader.Dispatch) (shader.Result, error) {
	buffers, copies, err := p.bind(d)
	if err != nil {
		return shader.Result{}, err
	}
	options := sim.Options{Watch: d.Watch, Exact: d.Exact, Steps: p.engine.options.Steps, Cores: p.engine.options.Cores, Trace: p.engine.options.Trace, Compile: p.engine.options.Compile, Order: p.engine.options.Order}
	if d.Watch {
		options.Steps, options.Order = p.engine.options.Watched, sim.Order{}
	}
	var rounded []findings.Finding
	if d.Rounded {
		if rounded, _, err = p.instructions.Rounded(ctx, d.Workgroups, buffers); err != nil {
			return shader.Result{}, fmt.Errorf("%s: %w", p.source.Name, err)
		}
	}
	result, err := p.run(ctx, d, buffers, options)
	if err != nil {
		return shader.Result{}, fmt.Errorf("%s: %w", p.source.Name, err)
	}
	if !result.Finished && !d.Watch {
		return shader.Result{}, &shader.DeadlineError{
			What: p.source.Name, Steps: options.Steps, Hint: "is there a loop that never ends?",
		}
	}
	left := func(i int) shader.Left {
		return shader.Left{
			Output: copies[i], Doubtful: result.Doubtful(p.instructions, 0, uint32(i)), Raced: result.Raced(p.instructions, 0, uint32(i)),
			Margins: result.Margins(p.instructions, 0, uint32(i)),
		}
	}
	out := shader.Result{
		Left: left(d.Output), Findings: append(result.Findings, rounded...), Steps: result.Steps, Wrote: result.Wrote, Undecided: result.Undecided(p.instructions),
	}
	for _, i := range d.Also {
		out.Also = append(out.Also, left(i))
	}
	return out, nil
}

func (p *program) run(ctx context.Context, d shader.Dispatch, buffers []sim.BoundBuffer, options sim.Options) (*sim.Result, error) {
	if d.InTurns {
		return p.instructions.RunInTurns(ctx, d.Workgroups, buffers, p.engine.options.Watched)
	}
	return p.instructions.Run(ctx, d.Workgroups, buffers, options)
}

// Steps estimates how many steps a dispatch takes from those of its middle workgroup, which runs
// alone. If that one takes more than most steps, it is stopped: then the dispatch takes more than
// the result, and capped is true.
func Steps(ctx context.Context, source *shader.Source, d shader.Dispatch, most uint64) (steps uint64, capped bool, err error) {
	compiled, err := New(Options{}).Compile(ctx, source)
	if err != nil {
		return 0, false, err
	}
	p := compiled.(*program)
	buffers, _, err := p.bind(d)
	if err != nil {
		return 0, false, err
	}
	groups := uint64(d.Workgroups[0]) * uint64(d.Workgroups[1]) * uint64(d.Workgroups[2])
	result, err := p.instructions.Run(ctx, d.Workgroups, buffers, sim.Options{Steps: most, Cores: 1, First: groups / 2, End: groups/2 + 1})
	if err != nil {
		return 0, false, fmt.Errorf("counting the steps of %s: %w", source.Name, err)
	}
	return result.Steps * groups, !result.Finished, nil
}

// Count prepares to count what workgroups of a dispatch cost; each may take so many steps. The
// buffers keep their contents.
func Count(ctx context.Context, source *shader.Source, d shader.Dispatch, steps uint64) (*sim.Counter, error) {
	compiled, err := New(Options{}).Compile(ctx, source)
	if err != nil {
		return nil, err
	}
	p := compiled.(*program)
	if err := p.validate(d); err != nil {
		return nil, err
	}
	counter, err := p.instructions.Counter(d.Workgroups, bound(d.Buffers), steps)
	if err != nil {
		return nil, fmt.Errorf("counting what %s costs: %w", source.Name, err)
	}
	return counter, nil
}

// Explain implements shader.Explainer.
func (p *program) Explain(ctx context.Context, d shader.Dispatch, element int) (*shader.Origin, error) {
	buffers, _, err := p.bind(d)
	if err != nil {
		return nil, err
	}
	return p.instructions.Explain(ctx, d.Workgroups, buffers, 0, uint32(d.Output), uint64(element)*shader.ElementBytes)
}

// bind checks the bound buffers and copies them for the shader to write to.
func (p *program) bind(d shader.Dispatch) ([]sim.BoundBuffer, []shader.Buffer, error) {
	copies := make([]shader.Buffer, len(d.Buffers))
	kept := map[*byte]bool{}
	for i, b := range d.Buffers {
		first := unsafe.SliceData(b.Bytes)
		if p.leaves(d, i) && !kept[first] { // two that share memory would be one buffer
			copies[i], kept[first] = b, true
			continue
		}
		copies[i] = b.Clone()
	}
	return bound(copies), copies, p.validate(d)
}

// leaves reports whether a run leaves a buffer as it is, and doesn't return it.
func (p *program) leaves(d shader.Dispatch, i int) bool {
	if i == d.Output || slices.Contains(d.Also, i) {
		return false
	}
	at := slices.IndexFunc(p.instructions.Bindings, func(b ir.Binding) bool { return b.Group == 0 && b.Number == uint32(i) })
	return at >= 0 && !p.instructions.Bindings[at].Writable
}

// bound binds the first buffer to @binding(0), the second to @binding(1) and so on.
func bound(buffers []shader.Buffer) []sim.BoundBuffer {
	all := make([]sim.BoundBuffer, len(buffers))
	for i, b := range buffers {
		all[i] = sim.BoundBuffer{Binding: uint32(i), Data: b.Bytes}
	}
	return all
}

// validate checks the bound buffers.
func (p *program) validate(d shader.Dispatch) error {
	bound := make([]shader.Bound, len(d.Buffers))
	for i, b := range d.Buffers {
		bound[i] = shader.Bound{Element: b.Element, Bytes: uint64(len(b.Bytes)), ID: i}
	}
	return p.source.CheckDispatch(p.engine.Adapter(), d.Workgroups, bound)
}
