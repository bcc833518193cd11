package simulator

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/machine/sim"
	"github.com/wgslab/wgslab/internal/machine/sim/ir"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// fitSteps limits the dispatches whose workgroups are counted, since each access stops the machine,
// and moreSteps those by which too few are counted.
const fitSteps, moreSteps = 2_000_000, 16_000_000

// spareGroups is how many workgroups a dimension may have without work, as a host that adds one to
// a quotient starts.
const spareGroups = 1

// A dispatched is a program with its workgroups and what is bound, as they are before it runs.
type dispatched struct{ *sim.BoundProgram }

// OddDispatch reports a dispatch of too many workgroups or too few. Too many are those from some
// number on that touch no element, or write only what others wrote before. Too few leave elements
// that further workgroups would write. It returns nil if neither is certain, or the dispatch is
// long. The buffers keep their contents.
func OddDispatch(ctx context.Context, program *sim.BoundProgram) (*findings.Finding, error) {
	b := dispatched{program}
	if b.asksForWorkgroups() {
		return nil, nil // it divides the work among as many as there are
	}
	now, err := b.touches(ctx, b.Workgroups, fitSteps)
	if err != nil || now == nil || !now.WroteNew.Any() {
		return nil, err
	}
	if f := b.tooMany(now); f != nil {
		return f, nil
	}
	return b.tooFew(ctx, now)
}

// OddDispatchOf is OddDispatch of a shader's source.
func OddDispatchOf(ctx context.Context, source *shader.Source, d shader.Dispatch) (*findings.Finding, error) {
	compiled, err := New(Options{}).Compile(ctx, source)
	if err != nil {
		return nil, err
	}
	p := compiled.(*program)
	buffers, _, err := p.bind(d)
	if err != nil {
		return nil, err
	}
	return OddDispatch(ctx, &sim.BoundProgram{Program: p.instructions, Workgroups: d.Workgroups, Buffers: buffers})
}

// asksForWorkgroups reports whether the shader takes the number of workgroups into account.
func (b dispatched) asksForWorkgroups() bool {
	return slices.ContainsFunc(b.Pipeline.Entry.Inputs, func(in types.IOVar) bool { return in.Builtin == "num_workgroups" })
}

// touches runs the dispatch with another number of workgroups. It returns nil if that is long, or
// doesn't end.
func (b dispatched) touches(ctx context.Context, workgroups [3]uint32, steps uint64) (*sim.TouchedWords, error) {
	var t sim.TouchedWords
	result, err := b.Run(ctx, workgroups, b.Copy().Buffers, sim.Options{Touched: &t, Steps: steps})
	if err != nil || !result.Finished {
		return nil, err
	}
	return &t, nil
}

// reach returns how many workgroups there are in each dimension up to the last of a set.
func reach(set sim.Words, workgroups [3]uint32) (n [3]uint32) {
	for number := range int(workgroups[0]) * int(workgroups[1]) * int(workgroups[2]) {
		if set.Has(number) {
			x, y := int(workgroups[0]), int(workgroups[1])
			for axis, at := range [3]int{number % x, number / x % y, number / x / y} {
				n[axis] = max(n[axis], uint32(at)+1)
			}
		}
	}
	return n
}

// tooMany reports workgroups without work.
func (b dispatched) tooMany(now *sim.TouchedWords) *findings.Finding {
	worked, wrote := reach(now.Worked, b.Workgroups), reach(now.WroteNew, b.Workgroups)
	for axis, n := range b.Workgroups {
		if n > worked[axis]+spareGroups {
			return b.odd(findings.SpareWorkgroups, fmt.Sprintf("only %s of %s workgroups %s work: the others touch no element. Dispatch %s",
				b.shown(worked), b.shown(b.Workgroups), english.Form(int(slices.Max(worked[:])), "has", "have"), b.shown(worked)))
		}
	}
	needed := b.Workgroups
	for axis := range needed {
		if wrote[axis] == 1 && b.allWriteBeyond(axis, now.Wrote) {
			needed[axis] = 1
		}
	}
	if needed == b.Workgroups {
		return nil
	}
	return b.odd(findings.SpareWorkgroups, fmt.Sprintf("only %s of %s workgroups %s new elements: the others write what those have written. Dispatch %s, or let the index depend on the workgroup",
		b.shown(needed), b.shown(b.Workgroups), english.Form(int(slices.Max(needed[:])), "writes", "write"), b.shown(needed)))
}

// allWriteBeyond reports whether all workgroups after the first in a dimension write.
func (b dispatched) allWriteBeyond(axis int, wrote sim.Words) bool {
	x, y := int(b.Workgroups[0]), int(b.Workgroups[1])
	for number := range x * y * int(b.Workgroups[2]) {
		if [3]int{number % x, number / x % y, number / x / y}[axis] > 0 && !wrote.Has(number) {
			return false
		}
	}
	return b.Workgroups[axis] > 1
}

// count says how many workgroups there are.
func (b dispatched) count(n [3]uint32) string {
	if n == [3]uint32{1, 1, 1} {
		return "1 workgroup"
	}
	return b.shown(n) + " workgroups"
}

// shown shows numbers of workgroups in as many dimensions as the dispatch has.
func (b dispatched) shown(n [3]uint32) string {
	axes := 3
	for axes > 1 && b.Workgroups[axes-1] == 1 && n[axes-1] == 1 {
		axes--
	}
	var texts []string
	for _, v := range n[:axes] {
		texts = append(texts, english.Thousands(int(v)))
	}
	return strings.Join(texts, " × ")
}

func (b dispatched) odd(kind findings.Kind, message string) *findings.Finding {
	name := b.Pipeline.Entry.Decl.Name.Span()
	return &findings.Finding{
		Kind: kind, Severity: findings.Remark, Message: message,
		Location: findings.Location{Span: name, Region: b.Pipeline.Info.File.Source.Region(name)},
	}
}

// tooFew reports elements that nothing writes, and that further workgroups would.
func (b dispatched) tooFew(ctx context.Context, now *sim.TouchedWords) (*findings.Finding, error) {
	larger, most, all := dispatched{&sim.BoundProgram{Program: b.Program, Workgroups: b.Workgroups, Buffers: b.Buffers}}, now, true
	for axis := range b.Workgroups {
		steps := uint64(fitSteps)
		if most != now {
			steps = moreSteps
		}
		enough, more, counted, err := larger.enough(ctx, most, axis, steps)
		if err != nil {
			return nil, err
		}
		if all = all && counted; more != nil {
			larger.Workgroups, most = enough, more
		}
	}
	left := b.unwritten(now, most)
	if left == "" {
		return nil, nil
	}
	enough := larger.shown(larger.Workgroups)
	advice := fmt.Sprintf("%s would write them. Dispatch %s", enough, enough)
	if !all {
		advice = "more would write them. Dispatch at least " + enough
	}
	return b.odd(findings.FewWorkgroups, fmt.Sprintf("nothing writes %s: the dispatch has %s, and %s", left, b.count(b.Workgroups), advice)), nil
}

// enough returns how many workgroups in one dimension write all elements that more of them write,
// and what those touch; nil if one more has no work. counted is false if that takes too long.
func (b dispatched) enough(ctx context.Context, now *sim.TouchedWords, axis int, steps uint64) (enough [3]uint32, more *sim.TouchedWords, counted bool, err error) {
	tried := b.Workgroups
	for tried[axis]++; tried[axis] <= sim.Adapter().Limits.WorkgroupsPerDimension; tried[axis] *= 2 {
		t, err := b.touches(ctx, tried, steps)
		if err != nil || t == nil {
			return enough, more, false, err
		}
		useful := reach(usefulBeyond(t, now.ReadNew.Any(), tried, axis, b.Workgroups[axis]), tried)
		if useful[axis] == 0 {
			return enough, more, true, nil
		}
		enough, more, steps = b.Workgroups, t, moreSteps
		if enough[axis] = useful[axis]; enough[axis] < tried[axis] {
			return enough, more, true, nil
		}
	}
	return enough, more, true, nil
}

// usefulBeyond returns the workgroups from a number on, in one dimension, that write new elements,
// and read new ones if that is what workgroups do. One that goes out of bounds is only useful after
// another: it may be the last, which has elements for a part of it.
func usefulBeyond(t *sim.TouchedWords, reads bool, workgroups [3]uint32, axis int, from uint32) sim.Words {
	useful := make(sim.Words, len(t.WroteNew))
	x, y := int(workgroups[0]), int(workgroups[1])
	for number := range int(workgroups[0]) * int(workgroups[1]) * int(workgroups[2]) {
		at := [3]int{number % x, number / x % y, number / x / y}[axis]
		if at < int(from) || !t.WroteNew.Has(number) || reads && !t.ReadNew.Has(number) {
			continue
		}
		useful.Add(uint32(number))
	}
	return useful
}

// unwritten names the elements that only the larger dispatch writes; "" if there are none.
func (b dispatched) unwritten(now, more *sim.TouchedWords) string {
	for i, binding := range b.Bindings {
		size := elementBytes(binding.Object.Store())
		first, n, last := 0, 0, -1
		for word := range len(more.Bindings[i].Wrote) * 64 {
			if !more.Bindings[i].Wrote.Has(word) || now.Bindings[i].Wrote.Has(word) {
				continue
			}
			if e := word * 4 / size; e != last {
				if last, n = e, n+1; n == 1 {
					first = e
				}
			}
		}
		switch {
		case n == 1:
			return fmt.Sprintf("element %d of `%s`", first, binding.Object.Name)
		case n > 1:
			return fmt.Sprintf("%s elements of `%s`, from %d on", english.Thousands(n), binding.Object.Name, first)
		}
	}
	return ""
}

// elementBytes returns the bytes from one element of a buffer or texture to the next; those of a
// word in a struct.
func elementBytes(store types.Type) int {
	if t, ok := store.(*types.Texture); ok {
		store = ir.TexelType(t)
	}
	for {
		a, ok := store.(*types.Array)
		if !ok {
			break
		}
		if _, more := a.Elem.(*types.Array); !more {
			return int(max(a.Stride(), shader.ElementBytes))
		}
		store = a.Elem
	}
	return shader.ElementBytes
}
