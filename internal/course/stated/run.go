package stated

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/machine/engine/simulator"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/machine/sim"
	"github.com/wgslab/wgslab/internal/machine/sim/ir"
	"github.com/wgslab/wgslab/internal/observe/anyshader"
	"github.com/wgslab/wgslab/internal/wgsl"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// WrongValue is the kind of a failure without a kind of its own.
const WrongValue findings.Kind = "wrong-value"

// A Miss says why a test fails.
type Miss struct {
	Source  *shader.Source
	Kind    findings.Kind
	Message string   // one sentence
	More    []string // lines below it
	Region  findings.Region
}

// A Ran is what a test gave.
type Ran struct {
	Failure *Miss             // nil if it passes
	Files   map[string][]byte // to write: pictures that are expected from now on, or that show what is wrong
	Notes   []string
}

// Run runs the test in the simulator: watched, in other orders, and with other sizes of subgroups.
// With update, a picture that differs becomes the expected one. An error is about the test.
func (t *Test) Run(ctx context.Context, update bool) (*Ran, error) {
	if mistake := t.source.Mistake(); mistake != nil {
		return &Ran{Failure: t.found(&mistake.Finding)}, nil
	}
	r := &run{Test: t, update: update, out: &Ran{Files: map[string][]byte{}}}
	if err := r.prepare(); err != nil {
		return nil, err
	}
	if err := r.expect(ctx); err != nil {
		return nil, err
	}
	steps, err := r.once(ctx, manner{watch: true})
	if err == nil && r.out.Failure == nil {
		err = r.inOtherOrders(ctx, steps)
	}
	if err == nil && r.out.Failure == nil {
		err = r.inOtherSubgroups(ctx)
	}
	if err != nil {
		return nil, err
	}
	return r.out, nil
}

// A run is a test in progress.
type run struct {
	*Test
	update     bool
	out        *Ran
	bindings   []wgsl.Binding // that the passes use
	dispatches *anyshader.Dispatches
	programs   []*sim.Program
	checks     []check
}

func (t *Test) found(f *findings.Finding) *Miss {
	miss := &Miss{Source: t.source, Kind: f.Kind, Message: english.Sentence(f.Message), Region: f.Region}
	if f.Hint != "" {
		miss.More = []string{f.Hint}
	}
	return miss
}

// fail notes the first failure.
func (r *run) fail(f *Miss, manner manner) {
	if manner.told != "" {
		f.More = append(f.More, "All is right in the usual order. It is wrong if "+manner.told+".")
	}
	if r.out.Failure == nil {
		r.out.Failure = f
	}
}

// prepare binds what the test states, and compiles the passes.
func (r *run) prepare() (err error) {
	if r.bindings, err = used(r.source, r.entries); err != nil {
		return err
	}
	r.renameImmediate()
	for _, given := range []map[string][]string{r.given, r.expected} {
		for name := range given {
			if r.binding(name) == nil {
				return r.noBinding(name)
			}
		}
	}
	r.dispatches = &anyshader.Dispatches{Source: r.source}
	for i := range r.bindings {
		b, err := r.argument(&r.bindings[i])
		if err != nil {
			return err
		}
		r.dispatches.Buffers = append(r.dispatches.Buffers, b)
	}
	r.dispatches.Passes = make([]anyshader.EntryRun, len(r.entries))
	for i, entry := range r.entries {
		r.dispatches.Passes[i] = anyshader.EntryRun{Entry: entry, Workgroups: [3]uint32{1, 1, 1}}
		program, err := r.dispatches.Compile(i, false)
		if err != nil {
			return err
		}
		r.programs = append(r.programs, program)
	}
	return r.count()
}

// renameImmediate gives the variable in var<immediate> its name, if the test calls it "immediate",
// as --bind may.
func (r *run) renameImmediate() {
	list, given := r.given[anyshader.ImmediateWord]
	at := slices.IndexFunc(r.bindings, func(b wgsl.Binding) bool { return b.Group == ir.ImmediateGroup })
	if given && at >= 0 && r.binding(anyshader.ImmediateWord) == nil {
		r.given = maps.Clone(r.given)
		delete(r.given, anyshader.ImmediateWord)
		r.given[r.bindings[at].Name] = list
	}
}

// used returns the bindings that entry points use.
func used(source *shader.Source, entries []string) (all []wgsl.Binding, err error) {
	for _, entry := range entries {
		of, err := source.At(entry).Used()
		if err != nil {
			return nil, err
		}
		if e := source.Shader().Entry(entry); e.Immediate != nil {
			of = append(of, wgsl.Binding{Group: ir.ImmediateGroup, Name: e.Immediate.Name, Space: wgsl.Uniform})
		}
		for _, b := range of {
			i := slices.IndexFunc(all, func(a wgsl.Binding) bool { return a.Group == b.Group && a.Number == b.Number })
			switch {
			case i < 0:
				all = append(all, b)
			case all[i].Name != b.Name:
				return nil, fmt.Errorf("%s and %s are both @group(%d) @binding(%d): a test has one of them", all[i].Name, b.Name, b.Group, b.Number)
			}
		}
	}
	return all, nil
}

func (r *run) binding(name string) *wgsl.Binding {
	for i := range r.bindings {
		if r.bindings[i].Name == name {
			return &r.bindings[i]
		}
	}
	return nil
}

// noBinding is the error about a name that the passes don't use.
func (r *run) noBinding(name string) error {
	var names []string
	for _, b := range r.bindings {
		if b.Name != resultName {
			names = append(names, b.Name)
		}
	}
	if len(names) == 0 {
		return fmt.Errorf("the test names %s, and it uses no binding", name)
	}
	return fmt.Errorf("the test uses no binding %s: its bindings are %s", name, strings.Join(names, ", "))
}

// object returns the variable of a binding.
func (r *run) object(b *wgsl.Binding) *types.Object {
	for _, v := range r.source.Shader().Info.Globals {
		if v.Name == b.Name {
			return v
		}
	}
	return nil
}

// count sets the workgroups of the passes: those that the test states, or enough for the longest
// list or texture.
func (r *run) count() error {
	if len(r.passes) == 0 {
		if r.call == "" {
			r.dispatches.Passes[0].Workgroups = r.enough(r.programs[0].Pipeline.WorkgroupSize)
		}
		return nil
	}
	for i, text := range r.passes {
		entry, counts, _ := strings.Cut(text, "=")
		name, by := strings.CutPrefix(strings.TrimSpace(counts), "@")
		if by {
			name, offset, further := strings.Cut(name, "+")
			if b := r.binding(name); b != nil {
				counts = fmt.Sprintf("@%d.%d", b.Group, b.Number)
				if further {
					counts += "+" + offset
				}
			} else if syntaxName(name) {
				return r.noBinding(name)
			}
		}
		if counts == "" {
			counts = "1"
		}
		pass, err := anyshader.ParsePass(strings.TrimSpace(entry) + "=" + strings.TrimSpace(counts))
		if err != nil {
			return err
		}
		r.dispatches.Passes[i] = pass
	}
	return nil
}

func syntaxName(text string) bool { return text != "" && (text[0] < '0' || text[0] > '9') }

// enough returns as many workgroups as cover the first texture that the test expects, or else the
// longest buffer.
func (r *run) enough(size [3]uint32) (workgroups [3]uint32) {
	extent := [3]uint32{1, 1, 1}
	for i := range r.bindings {
		b := r.dispatches.Buffers[i]
		_, expected := r.expected[r.bindings[i].Name]
		if b.Texture != nil && expected {
			extent = b.Texture.Size
			break
		}
		if b.Texture == nil && b.Sampler == nil && r.bindings[i].Space != wgsl.Uniform {
			extent[0] = max(extent[0], r.elements(i))
		}
	}
	for axis := range workgroups {
		workgroups[axis] = (extent[axis] + size[axis] - 1) / size[axis]
	}
	return workgroups
}

// elements returns the number of elements in a buffer's array.
func (r *run) elements(i int) uint32 {
	t := r.object(&r.bindings[i]).Store()
	if anyshader.RuntimeStride(t) > 0 {
		return uint32(anyshader.RuntimeElements(t, len(r.dispatches.Buffers[i].Data)))
	}
	if array, is := t.(*types.Array); is {
		return uint32(array.Count)
	}
	return 1
}

// A manner is a way in which WGSL allows the passes to run.
type manner struct {
	watch    bool
	order    simulator.OtherOrder
	division ir.SubgroupDivision
	steps    uint64
	told     string
}

// once runs the passes on copies of the bindings, and compares.
func (r *run) once(ctx context.Context, how manner) (steps uint64, err error) {
	d := *r.dispatches
	d.Buffers = copies(d.Buffers)
	for i, program := range r.programs {
		if how.division != (ir.SubgroupDivision{}) {
			program = program.With(how.division)
		}
		pass, nothing, err := d.Bind(i, program)
		if err != nil {
			return 0, err
		}
		if nothing != nil {
			if nothing.IsError() {
				r.fail(r.found(nothing), how)
				return 0, nil
			}
			continue
		}
		var result *sim.Result
		if how.order.InTurns {
			result, err = pass.RunInTurns(ctx, pass.Workgroups, pass.Buffers, how.steps)
		} else {
			result, err = pass.Run(ctx, pass.Workgroups, pass.Buffers, sim.Options{Watch: how.watch, Order: how.order.Order, Steps: how.steps})
		}
		if err != nil {
			return 0, err
		}
		steps += result.Steps
		for _, f := range result.Findings {
			if how.watch && f.IsError() {
				r.fail(r.found(&f), how)
				return steps, nil
			}
		}
		if !result.Finished {
			r.fail(&Miss{Source: r.source, Kind: findings.StepLimit, Message: "The shader doesn't end."}, how)
			return steps, nil
		}
	}
	return steps, r.compare(d.Buffers, how)
}

func copies(all []*anyshader.Argument) (copied []*anyshader.Argument) {
	for _, b := range all {
		c := *b
		c.Data = slices.Clone(b.Data)
		copied = append(copied, &c)
	}
	return copied
}

func (r *run) inOtherOrders(ctx context.Context, steps uint64) error {
	atomics := slices.ContainsFunc(r.programs, func(p *sim.Program) bool { return p.Atomics })
	for _, order := range simulator.OtherOrders {
		if order.InTurns && !atomics {
			continue // it differs from the others only between atomic functions
		}
		_, err := r.once(ctx, manner{order: order, steps: 50*steps + 1_000_000, told: order.Told})
		if errors.Is(err, ir.ErrTooLarge) {
			continue
		}
		if err != nil || r.out.Failure != nil {
			return err
		}
	}
	return nil
}

func (r *run) inOtherSubgroups(ctx context.Context) error {
	if !r.source.Shader().Info.Enabled.Has(types.FeatureSubgroups) {
		return nil
	}
	for _, division := range simulator.OtherDivisions {
		told := fmt.Sprintf("a subgroup has %d invocations", division.Size)
		if division.Scattered {
			told += ", and neighbours are in different ones"
		}
		if _, err := r.once(ctx, manner{watch: true, division: division, told: told}); err != nil || r.out.Failure != nil {
			return err
		}
	}
	return nil
}

// numbersIn reads a list of numbers, in which a bool is 1 or 0.
func numbersIn(name string, list []string) ([]float64, error) {
	words := slices.Clone(list)
	for i, word := range words {
		switch word {
		case "true":
			words[i] = "1"
		case "false":
			words[i] = "0"
		}
	}
	numbers, err := course.Numbers(words)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return numbers, nil
}
