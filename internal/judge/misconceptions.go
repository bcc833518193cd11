package judge

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/judge/verdict"
	"github.com/wgslab/wgslab/internal/shader"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// misconceived diagnoses a known misconception: a shader that makes it leaves the same values. The
// one that leaves the fewest values open wins. They are tried in the order in which their texts
// resemble the learner's, so the first one without an open value ends the search.
func misconceived(f *facts) *verdict.Diagnosis {
	if !slices.ContainsFunc(f.outcomes, f.wrongOnSomeDevice) {
		return nil
	}
	cases := f.byTelling()
	var best *course.Misconception
	least := math.MaxInt
	for _, m := range course.MostAlike(f.source.Text, f.misconceptions) {
		if m.Slug == f.exercise.TooMuchWork {
			continue // its values are right, and its steps many
		}
		if open, ok := f.matches(m, cases); ok && open < least && f.couldMake(m) {
			best, least = m, open
		}
		if least == 0 {
			break
		}
	}
	if best == nil {
		return nil
	}
	d := known(best)
	d.Mismatch = f.mismatch
	return d
}

// fewestAlone is how many wrong elements a misconception explains at least where it shows alone: one or
// two agree by chance.
const fewestAlone = 4

// misconceivedAlone diagnoses a known misconception that explains all cases in which nothing else went
// wrong. The rest may follow from it, and is told below it.
func misconceivedAlone(f *facts) *verdict.Diagnosis {
	alone := *f
	alone.outcomes = nil
	wrong := 0
	if _, outside := f.firstOf(findings.OutOfBoundsRead, findings.OutOfBoundsWrite); outside != nil {
		return nil // which shows where the mistake is
	}
	for _, o := range f.outcomes {
		if o.seen != nil && len(f.mistakes(o)) == 0 {
			alone.outcomes = append(alone.outcomes, o)
			wrong += o.difference.Wrong
		}
	}
	if wrong < fewestAlone || len(alone.outcomes) == len(f.outcomes) {
		return nil
	}
	alone.wrong = alone.firstWrong()
	alone.mismatch = mismatch(f.exercise, *alone.wrong)
	return misconceived(&alone)
}

// known turns a misconception into a diagnosis.
func known(m *course.Misconception) *verdict.Diagnosis {
	return &verdict.Diagnosis{Stage: verdict.StageCompare, Slug: m.Slug, Message: m.Title, Why: m.Why, Ask: m.Ask}
}

// named returns the diagnosis of the misconception with a slug that the exercise names. Before its
// author has written the misconception, there are no words for it.
func (f *facts) named(slug string) *verdict.Diagnosis {
	i := slices.IndexFunc(f.misconceptions, func(m *course.Misconception) bool { return m.Slug == slug })
	if i < 0 {
		return &verdict.Diagnosis{Stage: verdict.StageCompare, Slug: slug, Message: "The values are right, but this exercise asks for another way."}
	}
	return known(f.misconceptions[i])
}

// couldMake reports whether the shader uses a builtin that the mistake needs.
func (f *facts) couldMake(m *course.Misconception) bool {
	needed, err := f.exercise.Builtins(m)
	return err == nil && len(needed) == 0 || slices.ContainsFunc(needed, f.asksFor)
}

// asksFor reports whether main, or a struct parameter of main, has a builtin value.
func (f *facts) asksFor(builtin string) bool {
	asks := func(in types.IOVar) bool { return in.Builtin == builtin }
	return slices.ContainsFunc(f.entry.Inputs, asks) || slices.ContainsFunc(f.exercise.Later, func(p course.Pass) bool {
		return slices.ContainsFunc(f.shader.Entry(p.Entry).Inputs, asks)
	})
}

// alike is how far two shaders with the same mistake may differ, relative to the value: they may
// round differently.
const alike = 1e-5

// mostProved limits the cases that are run after enough of them in which a wrong number agrees: large
// ones cost the most and add little. A NaN is no such number, since many mistakes leave it.
const (
	enoughProofs = 3
	mostProved   = mostWatched / 8
)

// matches reports whether the learner's shader leaves the values of a misconception in the cases, and
// at least one of them is wrong. open counts the elements that the misconception leaves open: all in a
// case that it does not finish.
func (f *facts) matches(m *course.Misconception, cases []outcome) (open int, ok bool) {
	telling, proofs := false, 0
	_, beyond := f.firstOf(findings.OutOfBoundsWrite)
	for _, o := range cases {
		if proofs >= enoughProofs && f.work(o.Case) > mostProved {
			continue
		}
		proved := false
		leaves, err := f.leaves(m, o.Case)
		if err != nil {
			return 0, false
		}
		for k, left := range leaves.All() {
			if unfinished(leaves) != nil {
				open += left.Output.Len()
				continue
			}
			a := o.agreement(k, left, beyond != nil)
			if a.contradicts {
				return 0, false
			}
			open += a.open
			telling, proved = telling || a.telling, proved || a.proved
		}
		if proved {
			proofs++
		}
	}
	return open, telling
}

// An agreement says how far the learner's shader leaves the values of a misconception in one output of
// a case.
type agreement struct {
	contradicts bool // an element has another value
	open        int  // how many elements the misconception leaves open
	telling     bool // a wrong element agrees, or is open
	proved      bool // a wrong number agrees
}

func (o outcome) agreement(k int, left shader.Left, beyond bool) (a agreement) {
	due, expected, got := o.all()[k], determined(left), o.determined(k)
	for i := range expected.Len() {
		tolerance := due.allowed.At(i)
		tolerance.Relative = max(tolerance.Relative, alike)
		if leavesOpen(left, i) || o.unknown(left, i, beyond) {
			a.open++
			a.telling = a.telling || !tolerance.Allows(got.At(i), due.want.At(i))
			continue
		}
		if !tolerance.Allows(got.At(i), expected.At(i)) {
			return agreement{contradicts: true}
		}
		if !tolerance.Allows(expected.At(i), due.want.At(i)) {
			a.telling, a.proved = true, a.proved || !math.IsNaN(expected.At(i))
		}
	}
	return a
}

// wrongOnSomeDevice reports whether a case has wrong values here or, as the watcher saw it, on
// another device.
func (f *facts) wrongOnSomeDevice(o outcome) bool {
	for k, due := range o.all() {
		if due.difference.Wrong > 0 || compare(o.determined(k), due.want, due.allowed).Wrong > 0 {
			return true
		}
	}
	return false
}

// byTelling returns the cases with wrong values first, and each kind by size: small cases with
// wrong values rule out most misconceptions.
func (f *facts) byTelling() []outcome {
	cases := slices.Clone(f.outcomes)
	slices.SortStableFunc(cases, func(a, b outcome) int {
		return cmp.Or(cmp.Compare(min(b.wrong(), 1), min(a.wrong(), 1)), cmp.Compare(f.work(a.Case), f.work(b.Case)))
	})
	return cases
}

// determined returns what a case leaves in an output on every device, as far as it was watched.
func (o outcome) determined(k int) course.Buffer {
	if o.seen == nil || unfinished(o.seen) != nil {
		return o.all()[k].got
	}
	return determined(o.seen.All()[k])
}

// unknown reports whether an element of a case that was not watched is undetermined: it depends on
// an out-of-bounds read, or it is the last one and writes go out of bounds, which a browser's
// WebGPU may redirect there.
func (o outcome) unknown(left shader.Left, i int, beyond bool) bool {
	return o.seen == nil && (left.Doubtful != nil && left.Doubtful[i] || beyond && i == left.Output.Len()-1)
}

// determined returns what a run leaves on every device. NaN marks values that depend on an
// out-of-bounds read.
func determined(seen shader.Left) course.Buffer {
	out := seen.Output.Clone()
	for i, doubtful := range seen.Doubtful {
		if doubtful && out.Element == shader.F32 {
			out.Floats()[i] = course.PoisonF32
		}
	}
	return out
}

// leavesOpen reports whether nothing determines an element: a race decides its value, or it is a
// whole number that depends on an out-of-bounds read.
func leavesOpen(seen shader.Left, i int) bool {
	return seen.Raced != nil && seen.Raced[i] || seen.Doubtful != nil && seen.Doubtful[i] && seen.Output.Element != shader.F32
}

// errSize says that a misconception's shader cannot have the learner's workgroup size.
var errSize = errors.New("no workgroup of this size")

// leaving returns a function that runs a misconception in a case, with the learner's workgroup size.
func (r *run) leaving(ctx context.Context) func(*course.Misconception, course.Case) (*shader.Result, error) {
	return func(m *course.Misconception, c course.Case) (*shader.Result, error) {
		source, ok := m.In(r.size)
		if !ok {
			return nil, errSize
		}
		program, err := r.exercise.Compile(ctx, r.watcher, source) // the simulator keeps it with the source
		if err != nil {
			return nil, err
		}
		defer program.Free()
		d, err := r.exercise.Dispatched(c, source)
		if err != nil {
			return nil, err
		}
		d.Watch = true
		result, err := program.Run(ctx, d)
		return &result, err
	}
}
