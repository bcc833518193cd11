package simulator

import (
	"context"
	"fmt"
	"runtime"
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
// and moreSteps all those together that are tried with more workgroups.
const fitSteps, moreSteps = 40_000_000, 60_000_000

// A Fit says how the number of workgroups fits the work of a dispatch.
type Fit struct {
	Odd     *findings.Finding   // there are too many or too few; nil if neither is certain
	Touched *sim.TouchedWords   // nil if the dispatch is too long to tell
	Short   bool                // trying more workgroups takes too long to tell if there are too few
	missed  map[place]sim.Words // what nothing writes, if there are too few
}

// A place is where a buffer is bound.
type place struct{ group, binding uint32 }

// WrittenBy reports whether another dispatch on the same buffers writes what this one leaves out,
// or may do so.
func (f *Fit) WrittenBy(other *Fit) bool {
	if other.Touched == nil {
		return len(f.missed) > 0
	}
	for _, b := range other.Touched.Bindings {
		missed := f.missed[place{b.Group, b.Binding}]
		if missed.Without(b.Wrote).Count() < missed.Count() {
			return true
		}
	}
	return false
}

// spareGroups is how many workgroups a dimension may have without work, as a host that adds one to
// a quotient starts.
const spareGroups = 1

// A dispatched is a program with its workgroups and what is bound, as they are before it runs.
type dispatched struct {
	*sim.BoundProgram
	left *uint64 // steps
}

// FitOf counts which workgroups of a dispatch have work. Too many are those from some number on
// that touch no element, or write only what others wrote before. Too few leave elements that further
// workgroups would write. The buffers keep their contents. A dispatch takes so many steps if that is
// known.
func FitOf(ctx context.Context, program *sim.BoundProgram, takes uint64) (*Fit, error) {
	left, more := uint64(fitSteps), uint64(moreSteps)
	if runtime.GOARCH == "wasm" {
		left, more = left/3, more/3 // each takes three times as long there
	}
	if takes > left {
		return &Fit{}, nil
	}
	b := dispatched{program, &left}
	now, err := b.touches(ctx, b.Workgroups)
	if err != nil {
		return nil, err
	}
	left = more
	fit := &Fit{Touched: now}
	if now == nil || !now.WroteNew.Any() || b.asksForWorkgroups() { // then it divides the work
		return fit, nil
	}
	if fit.Odd = b.tooMany(now); fit.Odd != nil {
		return fit, nil
	}
	err = b.tooFew(ctx, fit)
	fit.Short = fit.Odd == nil && left == 0
	return fit, err
}

// OddDispatchOf is what FitOf finds in a shader's source.
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
	fit, err := FitOf(ctx, &sim.BoundProgram{Program: p.instructions, Workgroups: d.Workgroups, Buffers: buffers}, 0)
	if err != nil {
		return nil, err
	}
	return fit.Odd, nil
}

// asksForWorkgroups reports whether the shader takes the number of workgroups into account.
func (b dispatched) asksForWorkgroups() bool {
	return slices.ContainsFunc(b.Pipeline.Entry.Inputs, func(in types.IOVar) bool { return in.Builtin == "num_workgroups" })
}

// touches runs the dispatch with another number of workgroups. It returns nil if that is long, or
// doesn't end.
func (b dispatched) touches(ctx context.Context, workgroups [3]uint32) (*sim.TouchedWords, error) {
	var t sim.TouchedWords
	if result, err := b.try(ctx, workgroups, sim.Options{Touched: &t}); err != nil || result == nil {
		return nil, err
	}
	return &t, nil
}

// try runs the dispatch on copies of the buffers, with the steps that are left. It returns nil if
// they aren't enough.
func (b dispatched) try(ctx context.Context, workgroups [3]uint32, options sim.Options) (*sim.Result, error) {
	if options.Steps = *b.left; *b.left == 0 {
		return nil, nil
	}
	result, err := b.Run(ctx, workgroups, b.Copy().Buffers, options)
	if err != nil {
		return nil, err
	}
	if *b.left -= min(*b.left, result.Steps); !result.Finished {
		*b.left = 0
		return nil, nil
	}
	return result, nil
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
	needed, read := b.Workgroups, reach(now.ReadNew, b.Workgroups)
	for axis, n := range wrote {
		repeats := n == 1 || now.ReadNew.Any() && read[axis] <= n && needed[axis] > n+spareGroups
		if repeats && b.allWriteBeyond(axis, n, now.Wrote) {
			needed[axis] = n
		}
	}
	if needed == b.Workgroups {
		return nil
	}
	return b.odd(findings.SpareWorkgroups, fmt.Sprintf("only %s of %s workgroups %s new elements: the others write what those have written. Dispatch %s, or let the index depend on the workgroup",
		b.shown(needed), b.shown(b.Workgroups), english.Form(int(slices.Max(needed[:])), "writes", "write"), b.shown(needed)))
}

// allWriteBeyond reports whether all workgroups after the first n in a dimension write.
func (b dispatched) allWriteBeyond(axis int, n uint32, wrote sim.Words) bool {
	x, y := int(b.Workgroups[0]), int(b.Workgroups[1])
	for number := range x * y * int(b.Workgroups[2]) {
		if [3]int{number % x, number / x % y, number / x / y}[axis] >= int(n) && !wrote.Has(number) {
			return false
		}
	}
	return b.Workgroups[axis] > n
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

// tooFew reports elements that nothing writes, and that further workgroups would. A border that
// stays as it is, and a row's padding, are no mistake: so more workgroups must write all elements, or
// stop by themselves, and write none of what others write.
func (b dispatched) tooFew(ctx context.Context, fit *Fit) error {
	if !slices.ContainsFunc(fit.Touched.Bindings, b.leavesSome) {
		return nil
	}
	larger, now := b.with(b.Workgroups), fit.Touched
	for axis := range b.Workgroups {
		n, err := larger.enough(ctx, now, axis)
		if err != nil {
			return err
		}
		larger.Workgroups[axis] = n
	}
	if larger.Workgroups == b.Workgroups {
		return nil
	}
	more, err := b.touches(ctx, larger.Workgroups)
	if err != nil || more == nil {
		return err
	}
	for i := range b.Bindings {
		u := b.unwritten(i, now, more)
		if u.n == 0 {
			continue
		}
		advice, err := b.advice(ctx, larger, u, more)
		if err != nil || advice == "" {
			return err
		}
		fit.Odd = b.odd(findings.FewWorkgroups, fmt.Sprintf("nothing writes %s: the dispatch has %s, and %s", u.name(b.Bindings[i].Object.Name), b.count(b.Workgroups), advice))
		fit.missed = map[place]sim.Words{{b.Bindings[i].Group, b.Bindings[i].Number}: u.words}
		return nil
	}
	return nil
}

// with is the dispatch with another number of workgroups.
func (b dispatched) with(workgroups [3]uint32) dispatched {
	return dispatched{&sim.BoundProgram{Program: b.Program, Workgroups: workgroups, Buffers: b.Buffers}, b.left}
}

// leavesSome reports whether a dispatch writes some elements of a binding, and not all of them.
func (b dispatched) leavesSome(t sim.Touched) bool {
	return t.Wrote.Any() && t.Wrote.Count() < t.Bytes/4
}

// advice says what more workgroups do about unwritten elements; "" if these may be on purpose. It
// only names a number that goes nowhere out of bounds and makes no race.
func (b dispatched) advice(ctx context.Context, larger dispatched, u unwritten, more *sim.TouchedWords) (string, error) {
	if more.Outside {
		if !u.tail || !u.all {
			return "", nil
		}
		return "more would write them, but go out of bounds as well. Check the index first, then dispatch more", nil
	}
	stops, err := b.stopsAfter(ctx, larger, more)
	if err != nil || !stops && !u.all {
		return "", err
	}
	result, err := b.try(ctx, larger.Workgroups, sim.Options{Watch: true})
	if err != nil || result == nil || slices.ContainsFunc(result.Findings, harms) {
		return "", err
	}
	enough := larger.shown(larger.Workgroups)
	if !stops && !u.tail {
		return enough + " would write them", nil // a part of the rows may be on purpose
	}
	return fmt.Sprintf("%s would write them. Dispatch %s", enough, enough), nil
}

// harms reports whether a finding speaks against running a dispatch.
func harms(f findings.Finding) bool {
	return f.IsError() || f.Kind == findings.RaceStorage || f.Kind == findings.RaceWorkgroup
}

// stopsAfter reports whether even more workgroups have no work, in the dimensions with more.
func (b dispatched) stopsAfter(ctx context.Context, larger dispatched, more *sim.TouchedWords) (bool, error) {
	beyond := larger.Workgroups
	for axis := range beyond {
		if beyond[axis] > b.Workgroups[axis] {
			beyond[axis]++
		}
	}
	t, err := b.touches(ctx, beyond)
	if err != nil || t == nil || t.Outside || overlaps(t, more) {
		return false, err
	}
	for axis, from := range larger.Workgroups {
		if usefulBeyond(t, more.ReadNew.Any(), beyond, axis, from).Any() {
			return false, nil
		}
	}
	return true, nil
}

// overlaps reports whether a dispatch has workgroups that write what others write, beyond those that
// do so in another dispatch.
func overlaps(t, than *sim.TouchedWords) bool {
	for i := range t.Bindings {
		if t.Bindings[i].Twice.Count() > than.Bindings[i].Twice.Count() {
			return true
		}
	}
	return false
}

// enough returns how many workgroups in one dimension write all elements that more of them write,
// without writing those of others: as many as there are if one more has no work.
func (b dispatched) enough(ctx context.Context, now *sim.TouchedWords, axis int) (uint32, error) {
	tried, good, bad := b.Workgroups, b.Workgroups[axis], uint32(0)
	most := sim.Adapter().Limits.WorkgroupsPerDimension
	for tried[axis]++; tried[axis] <= most && tried[axis] > good; {
		t, err := b.touches(ctx, tried)
		if err != nil || t == nil {
			return good, err
		}
		if overlaps(t, now) {
			bad = tried[axis]
		} else {
			useful := reach(usefulBeyond(t, now.ReadNew.Any(), tried, axis, b.Workgroups[axis]), tried)[axis]
			if useful < tried[axis] {
				return max(good, useful), nil
			}
			good = tried[axis]
		}
		if tried[axis] *= 2; bad > 0 {
			tried[axis] = good + (bad-good)/2
		}
	}
	return good, nil
}

// usefulBeyond returns the workgroups from a number on, in one dimension, that write new elements,
// and read new ones if that is what workgroups do.
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

// An unwritten part of a buffer or texture is what only a larger dispatch writes.
type unwritten struct {
	words          sim.Words
	n, first, last int  // elements
	tail           bool // all elements before them are written, and none between them
	all            bool // the larger dispatch writes all that there is
	width          int  // of a texture of two dimensions, in texels
}

// unwritten compares what two dispatches write to a binding.
func (b dispatched) unwritten(i int, now, more *sim.TouchedWords) (u unwritten) {
	size := elementBytes(b.Bindings[i].Object.Store())
	before, after := now.Bindings[i], more.Bindings[i]
	u = unwritten{words: after.Wrote.Without(before.Wrote), last: -1, width: before.Columns}
	written := elements(after.Wrote, size)
	u.all = len(written) == before.Bytes/size
	for _, e := range elements(u.words, size) {
		if u.n++; u.n == 1 {
			u.first = e
		}
		u.last = e
	}
	u.tail = u.n == u.last-u.first+1 && len(elements(before.Wrote, size)) == u.first
	return u
}

// elements returns the elements of which a set has a word, in their order.
func elements(set sim.Words, size int) (list []int) {
	for word := range len(set) * 64 {
		if e := word * 4 / size; set.Has(word) && (len(list) == 0 || list[len(list)-1] != e) {
			list = append(list, e)
		}
	}
	return list
}

// name names the elements.
func (u unwritten) name(object string) string {
	first := fmt.Sprint(u.first)
	if u.width > 0 {
		first = fmt.Sprintf("(%d, %d)", u.first%u.width, u.first/u.width)
	}
	switch {
	case u.n == 1:
		return fmt.Sprintf("element %s of `%s`", first, object)
	case u.n == u.last-u.first+1 && u.width == 0:
		return fmt.Sprintf("%s elements of `%s`, from %s on", english.Thousands(u.n), object, first)
	}
	return fmt.Sprintf("%s elements of `%s`, such as %s", english.Thousands(u.n), object, first)
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
