package reasons

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/judge/evidence"
	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/machine/engine/simulator"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/machine/sim"
	"github.com/wgslab/wgslab/internal/machine/sim/ir"
	"github.com/wgslab/wgslab/internal/wgsl/numeric"
)

// A probe finds out on which inputs one element of the output depends: it changes inputs and looks
// whether the element changes. So it sees what a shader does, however it is written.
type probe struct {
	ctx      context.Context
	program  shader.Program
	dispatch shader.Dispatch
	element  int
	usual    uint32    // the element's bits with unchanged inputs
	scale    []float64 // of each buffer's numbers
	failed   error
	steps    uint64 // of all runs so far
	*breather
}

// mostProbed limits the steps of a probe: it looks at small cases.
const mostProbed = 100_000_000

var errProbedEnough = errors.New("finding out what an element depends on takes too long")

// newProbe prepares a probe of a source for the first run of a case.
func (r *finder) newProbe(ctx context.Context, source *shader.Source, o evidence.CaseRun, element int) (*probe, error) {
	d, err := r.Exercise.Dispatched(o.Case, source)
	if err != nil {
		return nil, err
	}
	program, err := simulator.New(r.probing()).Compile(ctx, source)
	if err != nil {
		return nil, err
	}
	p := &probe{ctx: ctx, program: program, element: element, breather: &r.breather, dispatch: d}
	for _, b := range o.Buffers {
		p.scale = append(p.scale, scaleOf(b))
	}
	p.usual = p.value(p.dispatch)
	return p, p.failed
}

// probing returns how probes run. A pass gets places from the passes before it. With others,
// several invocations may write to one place: on one core the last is always the same.
func (r *finder) probing() simulator.Options {
	if r.pass != "" {
		return simulator.Options{Cores: 1}
	}
	return simulator.Options{}
}

func (p *probe) value(d shader.Dispatch) uint32 {
	p.breathe()
	if p.failed == nil {
		p.failed = p.ctx.Err()
	}
	if p.failed != nil {
		return 0
	}
	result, err := p.program.Run(p.ctx, d)
	if p.steps += result.Steps; err == nil && p.steps > mostProbed {
		err = errProbedEnough
	}
	if err != nil {
		p.failed = err
		return 0
	}
	return result.Output.Uints()[p.element]
}

// dependsOn returns those of the words on which the element depends. It halves groups of words as
// long as a change of a whole group changes the element.
func (p *probe) dependsOn(words []sim.Word) []sim.Word {
	if len(words) == 0 || !p.changes(words) {
		return nil
	}
	if len(words) == 1 {
		return words
	}
	middle := len(words) / 2
	return append(slices.Clip(p.dependsOn(words[:middle])), p.dependsOn(words[middle:])...)
}

// dependsAnywhere returns the words on which the element depends with the case's inputs or with
// similar ones: a 0 hides what it is multiplied with.
func (p *probe) dependsAnywhere(words []sim.Word) []sim.Word {
	here := p.dependsOn(words)
	similar := *p
	similar.dispatch.Buffers = slices.Clone(p.dispatch.Buffers)
	for i, b := range similar.dispatch.Buffers {
		if b.Element == shader.F32 {
			similar.dispatch.Buffers[i] = nearby(b)
		}
	}
	similar.usual = similar.value(similar.dispatch)
	there := similar.dependsOn(words)
	p.failed, p.steps = similar.failed, similar.steps
	return slices.DeleteFunc(slices.Clone(words), func(w sim.Word) bool { return !slices.Contains(here, w) && !slices.Contains(there, w) })
}

// nearby returns a buffer with slightly different numbers, of which few are 0 or equal.
func nearby(b course.Buffer) course.Buffer {
	other := b.Clone()
	for i := range other.Floats() {
		other.Floats()[i] += 0.37 + float32(i%7)/9
	}
	return other
}

// changes reports whether the element changes with the words, in either direction: a maximum takes
// no notice of smaller numbers.
func (p *probe) changes(words []sim.Word) bool {
	for _, up := range []bool{true, false} {
		d := p.dispatch
		d.Buffers = slices.Clone(d.Buffers)
		for _, w := range words {
			if &d.Buffers[w.Binding].Bytes[0] == &p.dispatch.Buffers[w.Binding].Bytes[0] {
				d.Buffers[w.Binding] = d.Buffers[w.Binding].Clone()
			}
			shift(d.Buffers[w.Binding], w.Index, up != (w.Index%3 == 0), p.scale[w.Binding])
		}
		if p.value(d) != p.usual && p.failed == nil {
			return true
		}
	}
	return false
}

// scaleOf returns more than the largest difference of two numbers in a buffer.
func scaleOf(b course.Buffer) float64 {
	largest := 0.0
	for _, x := range b.Floats() {
		if size := math.Abs(float64(x)); size < 1e30 { // not of NaN, and not of poison
			largest = max(largest, size)
		}
	}
	return 3 + 2*largest
}

// shift changes one word by more than the scale, and neighbours by different amounts, since a
// softmax does not change if all its inputs grow by the same. The amounts are roots, so that those
// of a group don't cancel out in a sum.
func shift(b course.Buffer, i int, up bool, scale float64) {
	if b.Element.IsWhole() {
		b.Uints()[i] = ^b.Uints()[i]
		return
	}
	_, part := math.Modf(8 * math.Sqrt(float64(i+2)))
	by := scale * (1 + part)
	if !up {
		by = -by
	}
	b.Floats()[i] = float32(float64(b.Floats()[i]) + by)
}

// inputs returns the words on which a shader may depend by value: all but the whole numbers in
// uniforms, which say how many elements there are, and what a pass finds in its output if no pass
// before it wrote there.
func (f *finder) inputs(c course.Case) []sim.Word {
	var words []sim.Word
	for i, b := range c.Buffers {
		if f.pass != "" && i == f.Exercise.Output && !f.Exercise.InPlace {
			continue
		}
		members := f.Exercise.Bindings[i].Members()
		for j := range b.Len() {
			if !b.IsUniform() || j < len(members) && members[j].Type == "f32" { // padding follows the members
				words = append(words, sim.Word{Binding: i, Index: j})
			}
		}
	}
	return words
}

// matters reports whether a word changes the element in the case or in another one with as many
// words, however far it is moved: a discrete result takes no notice of most changes.
func (p *probe) matters(w sim.Word, others []course.Case) bool {
	if p.dispatch.Buffers[w.Binding].Element.IsWhole() {
		return p.changes([]sim.Word{w}) || p.changesAsAnother(w) // changes of a group may cancel out
	}
	far := *p
	for _, times := range []float64{1, 1. / 64, 32, 4096} {
		far.scale = slices.Clone(p.scale)
		for i := range far.scale {
			far.scale[i] *= times
		}
		if far.changes([]sim.Word{w}) {
			return true
		}
		for _, c := range others {
			elsewhere := far
			elsewhere.dispatch.Buffers = c.Buffers
			if elsewhere.usual = elsewhere.value(elsewhere.dispatch); elsewhere.changes([]sim.Word{w}) {
				return true
			}
		}
	}
	return false
}

// changesAsAnother reports whether the element changes with a whole number that takes the element's
// own number, in each byte perhaps, or the value of another one of its buffer: it may be an index,
// or be counted.
func (p *probe) changesAsAnother(w sim.Word) bool {
	own, tried := p.dispatch.Buffers[w.Binding], map[uint32]bool{}
	number := uint32(p.element)
	for _, value := range append([]uint32{number, number * 0x01010101}, own.Uints()...) {
		if len(tried) == mostValues || tried[value] {
			continue
		}
		tried[value] = true
		d := p.dispatch
		d.Buffers = slices.Clone(d.Buffers)
		d.Buffers[w.Binding] = own.Clone()
		d.Buffers[w.Binding].Uints()[w.Index] = value
		if p.value(d) != p.usual && p.failed == nil {
			return true
		}
	}
	return false
}

// mostValues is how many values changesAsAnother tries.
const mostValues = 16

// mostOthers is how many other cases a probe looks at.
const mostOthers = 4

// alike returns other cases whose buffers and workgroups are as many as those of a case.
func (r *finder) alike(o evidence.CaseRun) (others []course.Case) {
	for _, other := range r.Outcomes {
		same := other.Name != o.Name && len(other.Buffers) == len(o.Buffers) && other.Extent == o.Extent
		for i := 0; same && i < len(o.Buffers); i++ {
			same = other.Buffers[i].Len() == o.Buffers[i].Len()
		}
		if same && len(others) < mostOthers {
			others = append(others, other.Case)
		}
	}
	return others
}

// mostDoubted is how many surplus words are looked at more closely.
const mostDoubted = 8

// jumps reports whether the reference compares floats or makes whole numbers of them: then no
// change of an input shows for certain that the input doesn't count.
func jumps(reference *shader.Source) bool {
	return len(truncations(reference.Shader())) > 0 || len(branches(reference.Shader())) > 0
}

// A difference says which inputs one wrong element depends on, and on which it should.
type difference struct {
	evidence.CaseRun
	element       int
	uses, missing []sim.Word // missing: a right shader depends on it, the learner's does not
	surplus       []sim.Word // the other way round
	touched       bool       // the learner's shader may use the missing ones, though their values change nothing
	doubted       []sim.Word // only one of them depends on it here, but a closer look shows that the other may
	read          bool       // the learner's shader reads the missing ones, though their values change nothing
	belongs       int        // the element whose right value it holds, -1 for none
	response      *response
}

// A response says how much an element changes if one input grows by 1.
type response struct {
	sim.Word
	becomes   uint32 // the whole number to which it grows; 0 for a float
	want, got float64
}

// differ compares what a wrong element depends on with what it should depend on.
func (r *finder) differ(ctx context.Context, o evidence.CaseRun, t *evidence.Trace, element int) (*difference, error) {
	reference, err := r.standard()
	if err != nil {
		return nil, err
	}
	right, err := r.newProbe(ctx, reference, o, element)
	if err != nil {
		return nil, err
	}
	defer right.program.Free()
	learners, err := r.newProbe(ctx, r.Source, o, element)
	if err != nil {
		return nil, err
	}
	defer learners.program.Free()
	if r.tooLarge == o.Name {
		return r.differByFlow(ctx, reference, o, element, right, learners)
	}
	inputs := r.inputs(o.Case)
	var needs, uses []sim.Word
	if needs = right.dependsAnywhere(inputs); right.failed == nil {
		uses = learners.dependsAnywhere(inputs)
	}
	if errors.Is(cmp.Or(right.failed, learners.failed), errProbedEnough) {
		r.tooLarge = o.Name // no other element takes less
		return r.differByFlow(ctx, reference, o, element, right, learners)
	}
	for _, p := range []*probe{right, learners} {
		if p.failed != nil {
			return nil, p.failed
		}
	}
	d := &difference{CaseRun: o, element: element, uses: uses, missing: without(needs, uses), surplus: without(uses, needs), belongs: -1}
	all := d.surplus
	if len(d.surplus) > 0 {
		// max(sum, 0) may hide a term of the sum: the right shader uses it, though no change shows.
		if read, err := r.fed(ctx, reference, o, element); err == nil {
			d.surplus = without(d.surplus, read)
		}
		d.surplus = without(d.surplus, r.deciding(ctx, o, d))
		d.surplus = r.confirmed(right, reference, o, d.surplus)
		d.doubted = without(all, d.surplus)
	}
	if needed := d.missing; len(needed) > 0 {
		d.missing = r.confirmed(learners, reference, o, needed)
		d.doubted = append(d.doubted, without(needed, d.missing)...)
	}
	switch {
	case len(needs) == 0 || !finite(o.Seen.Output.At(element)):
		d.missing, d.surplus = nil, nil // every input is as good, or nothing changes a NaN
	case len(d.missing) > 0 && len(d.surplus) > 0:
		d.belongs = r.belonging(right, d, inputs)
	case len(d.missing)+len(d.surplus)+len(d.doubted) == 0 && o.Want.Element == shader.F32:
		d.response = respond(right, learners, needs)
	}
	byAtomics := len(t.Touching(r.word(element), ir.Atomic)) > 0
	d.touched = byAtomics && slices.ContainsFunc(d.missing, func(w sim.Word) bool { return len(t.Touching(w, ir.Read)) > 0 })
	d.touched = d.touched || jumps(reference) // it may use them where no change shows
	if len(d.missing) > 0 && r.anyMatters(learners, o, d.missing) {
		d.missing = nil // what it does with them showed no change only because the changes were small
	}
	d.read = len(d.missing) > 0 && len(d.surplus) == 0 && !slices.ContainsFunc(d.missing, func(w sim.Word) bool { return len(t.Touching(w, ir.Read)) == 0 })
	return d, nil
}

// confirmed returns words on which a shader's element doesn't depend, unless a closer look shows
// that it depends on one of them. Then the others are as doubtful.
func (r *finder) confirmed(p *probe, reference *shader.Source, o evidence.CaseRun, words []sim.Word) []sim.Word {
	if len(words) == 0 || o.Want.Element == shader.F32 && !jumps(reference) {
		return words
	}
	others, closer := r.alike(o), *p
	closer.steps = 0
	for _, w := range words[:min(len(words), mostDoubted)] {
		if closer.matters(w, others) || closer.failed != nil {
			return nil
		}
	}
	return words
}

// anyMatters reports whether a shader's element depends on one of the words after all, however far
// they are moved: max(sum, 0) hides small changes.
func (r *finder) anyMatters(p *probe, o evidence.CaseRun, words []sim.Word) bool {
	closer := *p
	closer.steps = 0
	others := r.alike(o)
	return slices.ContainsFunc(words[:min(len(words), mostDoubted)], func(w sim.Word) bool { return closer.matters(w, others) && closer.failed == nil })
}

// deciding returns those of the surplus words that an invocation reads for the element in the
// reference too: a branch may depend on them, though no change that was tried took it.
func (r *finder) deciding(ctx context.Context, o evidence.CaseRun, d *difference) []sim.Word {
	right, err := r.reference(ctx, o)
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(d.surplus), func(w sim.Word) bool { return !readsFor(right.trace, w, r.word(d.element)) })
}

// readsFor reports whether an invocation that writes an element reads a word.
func readsFor(t *evidence.Trace, w, element sim.Word) bool {
	reads := t.Touching(w, ir.Read)
	return slices.ContainsFunc(t.Writing(element), func(write sim.Access) bool {
		return slices.ContainsFunc(reads, func(read sim.Access) bool {
			return read.Workgroup == write.Workgroup && read.Invocation == write.Invocation
		})
	})
}

// differByFlow compares the inputs from which the values were computed, in a case that is too large
// to change one input after the other. Only differences that show when all those inputs change at
// once count.
func (r *finder) differByFlow(ctx context.Context, reference *shader.Source, o evidence.CaseRun, element int, right, learners *probe) (*difference, error) {
	needs, err := r.fed(ctx, reference, o, element)
	if err != nil {
		return nil, err
	}
	uses, err := r.fed(ctx, r.Source, o, element)
	if err != nil {
		return nil, err
	}
	for _, p := range []*probe{right, learners} {
		p.failed, p.steps = nil, 0
	}
	d := &difference{CaseRun: o, element: element, uses: uses, missing: without(needs, uses), surplus: without(uses, needs), belongs: -1, touched: jumps(reference)}
	if len(needs) == 0 || !right.changes(d.missing) || learners.changes(d.missing) {
		d.missing = nil
	}
	if len(needs) == 0 || right.changes(d.surplus) || !learners.changes(d.surplus) {
		d.surplus = nil
	}
	return d, cmp.Or(right.failed, learners.failed)
}

// fed returns the inputs from which a source computes an element.
func (r *finder) fed(ctx context.Context, source *shader.Source, o evidence.CaseRun, element int) ([]sim.Word, error) {
	program, err := sim.CompileEntry(source, nil, false)
	if err != nil {
		return nil, err
	}
	d, err := r.Exercise.Dispatched(o.Case, source)
	if err != nil {
		return nil, err
	}
	found, err := program.Feeds(ctx, d.Workgroups, bound(o.Buffers), r.word(element))
	if err != nil {
		return nil, err
	}
	inputs := r.inputs(o.Case)
	return slices.DeleteFunc(found, func(w sim.Word) bool { return !slices.Contains(inputs, w) }), nil
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// alikeResponses is how far the responses of two right shaders may differ, relative to the larger.
const alikeResponses = 1e-2

// respond returns the first input to which the learner's shader responds in another way than the
// reference, floats first; nil if there is none.
func respond(right, learners *probe, words []sim.Word) *response {
	words = slices.DeleteFunc(slices.Clone(words), right.packed)
	slices.SortStableFunc(words, func(a, b sim.Word) int { return cmp.Compare(right.becomes(a), right.becomes(b)) })
	for _, w := range words {
		r := &response{Word: w, becomes: right.becomes(w), want: right.response(w), got: learners.response(w)}
		if right.failed != nil || learners.failed != nil {
			return nil
		}
		if differ(r.want, r.got) && right.steady(w, r.want) && learners.steady(w, r.got) {
			return r
		}
	}
	return nil
}

// mostCounted is the largest whole number of which a reader thinks as a number: others hold bits.
const mostCounted = 1 << 16

// packed reports whether a word is a whole number that is likely to hold bits.
func (p *probe) packed(w sim.Word) bool { return p.becomes(w) > mostCounted }

// becomes returns what responses make of a whole number: the next one. It is 0 for a float. A label
// or an index doesn't grow, but it may be another one.
func (p *probe) becomes(w sim.Word) uint32 {
	if b := p.dispatch.Buffers[w.Binding]; b.Element.IsWhole() {
		return b.Uints()[w.Index] + 1
	}
	return 0
}

func differ(want, got float64) bool {
	return math.Abs(want-got) > alikeResponses*max(math.Abs(want), math.Abs(got), 1e-3)
}

// manyTimes is how much further steady moves a word.
const manyTimes = 16

// steady reports whether the element grows in proportion if a word grows further, or doesn't grow
// at all: otherwise rounding, or a bend in the curve, may be all that a response shows.
func (p *probe) steady(w sim.Word, response float64) bool {
	if p.dispatch.Buffers[w.Binding].Element.IsWhole() {
		return true
	}
	further := p.responseTo(w, manyTimes)
	return p.failed == nil && !differ(further/manyTimes, response)
}

// response returns by how much the element grows with a word.
func (p *probe) response(w sim.Word) float64 { return p.responseTo(w, 1) }

func (p *probe) responseTo(w sim.Word, by float32) float64 {
	d := p.dispatch
	d.Buffers = slices.Clone(d.Buffers)
	b := d.Buffers[w.Binding].Clone()
	if b.Element.IsWhole() {
		b.Uints()[w.Index]++
	} else {
		b.Floats()[w.Index] += by
	}
	d.Buffers[w.Binding] = b
	return float64(math.Float32frombits(p.value(d))) - float64(math.Float32frombits(p.usual))
}

// without returns the words of a that are not in b.
func without(a, b []sim.Word) []sim.Word {
	return slices.DeleteFunc(slices.Clone(a), func(w sim.Word) bool { return slices.Contains(b, w) })
}

// belonging returns the element whose right value stands in the wrong one's place: it is equal, and
// depends on the same inputs. The result is -1 if there is none, or more than one, or if too many
// look like it: all of them together may take as long as one probe.
func (r *finder) belonging(right *probe, d *difference, inputs []sim.Word) int {
	found, steps := -1, uint64(0)
	got := d.Seen.Output.At(d.element)
	for i := range d.Want.Len() {
		if i == d.element || !d.Allowed.At(i).Allows(got, d.Want.At(i)) {
			continue
		}
		other := *right
		other.element, other.steps = i, steps
		other.usual = other.value(other.dispatch)
		uses := other.dependsAnywhere(inputs)
		if other.failed != nil {
			return -1
		}
		if steps = other.steps; !slices.Equal(uses, d.uses) {
			continue
		}
		if found >= 0 {
			return -1
		}
		found = i
	}
	return found
}

// sentence says in what the element's inputs differ; "" if they don't.
func (d *difference) sentence(e *course.Exercise) string {
	output := e.Bindings[e.Output]
	name := "`" + output.WordName(d.element) + "`"
	missing, surplus := d.listed(e, d.missing), d.listed(e, d.surplus)
	them := "it"
	if len(d.missing) > 1 {
		them = "them"
	}
	switch {
	case d.belongs >= 0:
		return fmt.Sprintf("%s holds the value that belongs in `%s`.", name, output.WordName(d.belongs))
	case len(d.missing) > 0 && len(d.surplus) > 0:
		return fmt.Sprintf("%s needs %s. Your shader uses %s instead%s.", name, missing, surplus, d.pattern())
	case d.read:
		return fmt.Sprintf("%s needs %s. Your shader reads %s, but when we changed %[3]s, the result stayed the same.", name, missing, them)
	case len(d.missing) > 0 && d.touched:
		return fmt.Sprintf("%s needs %s. When we changed %s, the result of your shader stayed the same.", name, missing, them)
	case len(d.missing) > 0 && len(d.uses) == 0:
		return fmt.Sprintf("%s needs %s, but your shader uses no input for it.", name, missing)
	case len(d.missing) > 0:
		return fmt.Sprintf("%s also needs %s. Your shader does not use %s.", name, missing, them)
	case len(d.surplus) > 0:
		return fmt.Sprintf("%s should not depend on %s, but with your shader it does.", name, surplus)
	case d.response != nil:
		grown := "grew by 1"
		if d.response.becomes > 0 {
			grown = fmt.Sprintf("were %d", d.response.becomes)
		}
		return fmt.Sprintf("If %s %s, %s should %s. With your shader it would %s.", d.listed(e, []sim.Word{d.response.Word}), grown, name, moves(d.response.want), moves(d.response.got))
	}
	return ""
}

// moves says by how much a value changes.
func moves(by float64) string {
	switch {
	case by > 0:
		return "grow by " + numeric.JSONNumber(by).Short()
	case by < 0:
		return "fall by " + numeric.JSONNumber(-by).Short()
	}
	return "stay the same"
}

// pattern describes how the surplus inputs lie to the missing ones, if that is simple.
func (d *difference) pattern() string {
	if len(d.missing) != len(d.surplus) || len(d.missing) < 2 {
		return ""
	}
	by := d.surplus[0].Index - d.missing[0].Index
	for i := range d.missing {
		if d.surplus[i].Binding != d.missing[i].Binding || d.surplus[i].Index-d.missing[i].Index != by {
			return ""
		}
	}
	if by < 0 {
		return fmt.Sprintf(": always %d too low", -by)
	}
	return fmt.Sprintf(": always %d too high", by)
}

// mostListed is the maximum number of ranges in a list of words.
const mostListed = 3

// listed lists words in ranges: `a[0]` to `a[7]`, `b[3]` and `params.slope`.
func (d *difference) listed(e *course.Exercise, words []sim.Word) string {
	var parts []string
	rest := 0
	for i := 0; i < len(words); {
		end := i + 1
		own := sim.Word{Binding: e.Output, Index: d.element}
		for end < len(words) && words[i] != own && words[end] != own && words[end].Binding == words[i].Binding && words[end].Index == words[end-1].Index+1 {
			end++
		}
		first, last := d.wordName(e, words[i]), d.wordName(e, words[end-1])
		switch {
		case len(parts) >= mostListed:
			rest += end - i
		case end-i == 1:
			parts = append(parts, first)
		case end-i == 2:
			parts = append(parts, first, last)
		default:
			parts = append(parts, first+" to "+last)
		}
		i = end
	}
	if rest > 0 {
		parts = append(parts, fmt.Sprintf("%d more", rest))
	}
	return english.List(parts)
}

func (d *difference) wordName(e *course.Exercise, w sim.Word) string {
	b := e.Bindings[w.Binding]
	switch {
	case b.Access == shader.Uniform:
		return fmt.Sprintf("`%s.%s`", b.Name, b.Members()[w.Index].Name)
	case w.Binding == e.Output && w.Index == d.element:
		return "its own old value"
	case w.Binding == e.Output:
		return fmt.Sprintf("the old `%s`", b.WordName(w.Index))
	}
	return "`" + b.WordName(w.Index) + "`"
}
