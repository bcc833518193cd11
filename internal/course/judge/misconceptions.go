package judge

import (
	"cmp"
	"context"
	"errors"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/judge/evidence"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
)

// misconceived diagnoses a known misconception: a shader that makes it leaves the same values. The
// one that leaves the fewest values open wins. They are tried in the order in which their texts
// resemble the learner's, so the first one without an open value ends the search.
func misconceived(f *facts) *verdict.Diagnosis {
	if !slices.ContainsFunc(f.Outcomes, f.wrongOnSomeDevice) {
		return nil
	}
	cases := f.byTelling()
	var best *course.Misconception
	least := math.MaxInt
	for _, m := range course.MostAlike(f.Source.Text, f.misconceptions) {
		if m.Slug == f.Exercise.TooMuchWork {
			continue // its values are right, and its steps many
		}
		if open, ok := f.matches(m, cases); ok && open < least && f.couldMake(m) && !f.contradicted(m, open) {
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
	d.Mismatch = f.Mismatch
	if f.Wrong == nil {
		d.Why = strings.TrimSpace(f.rightHere() + d.Why)
	}
	return d
}

// rightHere says why right values aren't enough.
func (f *facts) rightHere() string {
	for _, o := range f.Outcomes {
		if o.Seen != nil && slices.ContainsFunc(o.Seen.All(), func(left shader.Left) bool { return slices.Contains(left.Doubtful, true) }) {
			return "Here the values came out right, but they depend on out-of-bounds reads. On another GPU these may give other numbers. "
		}
	}
	return "Here the values came out right, but on another GPU they may not. "
}

// contradicted reports whether a misconception leaves the learner's values, but these are all the
// same, or it leaves some open, and no step of the learner's shader makes its mistake. Many
// mistakes leave zeros, and many a race.
func (f *facts) contradicted(m *course.Misconception, open int) bool {
	return (open > 0 || f.alikeWrong()) && f.denies(m)
}

// alikeWrong reports whether all wrong numbers are the same.
func (f *facts) alikeWrong() bool {
	first, any := 0.0, false
	for _, o := range f.Outcomes {
		for _, due := range o.All() {
			for i := range due.Want.Len() {
				got := due.Got.At(i)
				switch {
				case !isNumber(got) || due.Allowed.At(i).Allows(got, due.Want.At(i)):
				case any && got != first:
					return false
				default:
					first, any = got, true
				}
			}
		}
	}
	return any
}

// minElementsAlone is how many wrong elements a misconception explains at least where it shows
// alone: one or two agree by chance.
const minElementsAlone = 4

// misconceivedAlone diagnoses a known misconception that explains all cases in which nothing else
// went wrong. The rest may follow from it, and is told below it.
func misconceivedAlone(f *facts) *verdict.Diagnosis {
	alone := *f
	alone.Outcomes = nil
	wrong := 0
	if _, outside := f.FirstOf(findings.OutOfBoundsRead, findings.OutOfBoundsWrite); outside != nil {
		return nil // which shows where the mistake is
	}
	for _, o := range f.Outcomes {
		if o.Seen != nil && len(f.Mistakes(o)) == 0 {
			alone.Outcomes = append(alone.Outcomes, o)
			wrong += o.Difference.Wrong
		}
	}
	if wrong < minElementsAlone || len(alone.Outcomes) == len(f.Outcomes) {
		return nil
	}
	alone.Wrong = alone.firstWrong()
	alone.Mismatch = evidence.FirstMismatch(f.Exercise, *alone.Wrong)
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
	needed, err := f.Exercise.Builtins(m)
	return err == nil && len(needed) == 0 || slices.ContainsFunc(needed, f.AsksFor)
}

// roundingTolerance is how far two shaders with the same mistake may differ, relative to the value:
// they may round differently.
const roundingTolerance = 1e-5

// mostProved limits the cases that are run after enough of them in which wrong numbers agree: large
// ones cost the most and add little.
const (
	enoughProofs = 3
	mostProved   = evidence.MostWatched / 8
)

// minNumbers is how many numbers agree at least where so many can be compared. Many mistakes leave
// NaN or infinity, so these agree by chance.
const minNumbers = 4

// matches reports whether the learner's shader leaves the values of a misconception in the cases,
// and at least one of them is wrong. open counts the elements that the misconception leaves open:
// all in a case that it does not finish.
func (f *facts) matches(m *course.Misconception, cases []evidence.CaseRun) (open int, ok bool) {
	a, proofs := agreement{same: true}, 0
	_, beyond := f.FirstOf(findings.OutOfBoundsWrite)
	for _, o := range cases {
		if proofs >= enoughProofs && !a.same && f.Work(o.Case) > mostProved {
			continue
		}
		before := a.wrong
		leaves, err := f.leaves(m, o.Case)
		if err != nil {
			return 0, false
		}
		for k, left := range leaves.All() {
			if evidence.Unfinished(leaves) != nil {
				a.open += left.Output.Len()
				continue
			}
			if !a.agree(o, k, left, beyond != nil) {
				return 0, false
			}
		}
		if a.wrong > before {
			proofs++
		}
	}
	switch many := a.numbers >= min(minNumbers, a.compared); {
	case !a.telling:
		return a.open, false
	case many && a.wrong == 0 && !a.decided:
		return a.open, f.agreeOnNumbers(m, cases[0]) || f.madeAlike(m, cases[0])
	case !many:
		return a.open, f.agreeOnNumbers(m, cases[0])
	}
	return a.open, true
}

// madeAlike reports whether an operation of the learner's shader makes NaN or infinity from the
// same kind of operands as one of a misconception. Where all wrong elements are NaN, the values
// alone prove nothing.
func (f *facts) madeAlike(m *course.Misconception, o evidence.CaseRun) bool {
	theirs, err := f.leaves(m, o.Case)
	if err != nil || o.Seen == nil {
		return false
	}
	own := makings(o.Seen.Findings)
	return slices.ContainsFunc(makings(theirs.Findings), func(making string) bool { return slices.Contains(own, making) })
}

var someNumber = regexp.MustCompile(`\b[0-9.]*[1-9][0-9.]*(e[-+]?[0-9]+)?\b`)

// makings describes the operations that made strange numbers: "0 / 0 became NaN", and "sqrt(-x)
// became NaN" of any number.
func makings(all []findings.Finding) (made []string) {
	for _, f := range all {
		if f.Kind == findings.NotANumber || f.Kind == findings.Overflow || f.Kind == findings.DivisionByZero {
			_, what, _ := strings.Cut(f.Message, "`: ")
			what, _, _ = strings.Cut(what, " (")
			made = append(made, someNumber.ReplaceAllString(what, "x"))
		}
	}
	return made
}

// An agreement says how far the learner's shader leaves the values of a misconception.
type agreement struct {
	open     int  // how many elements the misconception leaves open
	compared int  // how many it doesn't
	telling  bool // a wrong element agrees, or is open
	numbers  int  // how many of those compared hold a number
	wrong    int  // how many of the numbers are wrong
	decided  bool // a wrong number is open
	same     bool // all wrong numbers are the same: many mistakes leave zeros
	first    float64
}

// agree compares an output of a case. It returns false once an element contradicts the
// misconception.
func (a *agreement) agree(o evidence.CaseRun, k int, left shader.Left, beyond bool) bool {
	due, expected, got := o.All()[k], determined(left), determinedIn(o, k)
	for i := range expected.Len() {
		tolerance := due.Allowed.At(i)
		tolerance.Relative = max(tolerance.Relative, roundingTolerance)
		switch both := doubtful(left, i) && doubted(o, k, i); {
		case leavesOpen(left, i) || unknown(o, left, i, beyond):
			a.open++
			if !tolerance.Allows(got.At(i), due.Want.At(i)) {
				a.telling = true
				a.decided = a.decided || isNumber(got.At(i))
			}
		case both && tolerance.Allows(o.Seen.All()[k].Output.At(i), left.Output.At(i)):
			a.note(left.Output.At(i), true) // both read out of bounds, and make the same of it
		case both || doubtful(left, i) != doubted(o, k, i) || !tolerance.Allows(got.At(i), expected.At(i)):
			return false
		default:
			a.note(expected.At(i), !tolerance.Allows(expected.At(i), due.Want.At(i)))
		}
	}
	return true
}

// note counts an element that agrees.
func (a *agreement) note(value float64, wrong bool) {
	a.compared++
	a.telling = a.telling || wrong
	if !isNumber(value) {
		return
	}
	a.numbers++
	if !wrong {
		return
	}
	if a.wrong == 0 {
		a.first = value
	}
	a.wrong++
	a.same = a.same && value == a.first
}

// doubtful reports whether an element depends on an out-of-bounds read.
func doubtful(left shader.Left, i int) bool { return left.Doubtful != nil && left.Doubtful[i] }

// doubted is doubtful for the learner's shader in a case that was watched; of another, nothing is
// known, and unknown leaves such elements open.
func doubted(o evidence.CaseRun, k, i int) bool {
	return o.Seen != nil && evidence.Unfinished(o.Seen) == nil && doubtful(o.Seen.All()[k], i)
}

// wrongOnSomeDevice reports whether a case has wrong values here or, as the watcher saw it, on
// another device.
func (f *facts) wrongOnSomeDevice(o evidence.CaseRun) bool {
	for k, due := range o.All() {
		if due.Difference.Wrong > 0 || evidence.Compare(determinedIn(o, k), due.Want, due.Allowed).Wrong > 0 {
			return true
		}
	}
	return false
}

// byTelling returns the cases with wrong values first, then those that are wrong on some device,
// and each kind by size: small cases with wrong values rule out most misconceptions.
func (f *facts) byTelling() []evidence.CaseRun {
	var here, elsewhere, right []evidence.CaseRun
	for _, o := range f.Outcomes {
		switch {
		case o.CountWrong() > 0:
			here = append(here, o)
		case f.wrongOnSomeDevice(o):
			elsewhere = append(elsewhere, o)
		default:
			right = append(right, o)
		}
	}
	for _, kind := range [][]evidence.CaseRun{here, elsewhere, right} {
		slices.SortStableFunc(kind, func(a, b evidence.CaseRun) int { return cmp.Compare(f.Work(a.Case), f.Work(b.Case)) })
	}
	return slices.Concat(here, elsewhere, right)
}

// determinedIn returns what a case leaves in an output on every device, as far as it was watched.
func determinedIn(o evidence.CaseRun, k int) course.Buffer {
	if o.Seen == nil || evidence.Unfinished(o.Seen) != nil {
		return o.All()[k].Got
	}
	return determined(o.Seen.All()[k])
}

// unknown reports whether an element of a case that was not watched is undetermined: it depends on
// an out-of-bounds read, or it is the last one and writes go out of bounds, which a browser's
// WebGPU may redirect there.
func unknown(o evidence.CaseRun, left shader.Left, i int, beyond bool) bool {
	return o.Seen == nil && (doubtful(left, i) || beyond && i == left.Output.Len()-1)
}

// determined returns what a run leaves on every device. NaN marks values that depend on an
// out-of-bounds read.
func determined(seen shader.Left) course.Buffer {
	out := seen.Output.Clone()
	for i, doubted := range seen.Doubtful {
		if doubted && out.Element == shader.F32 {
			out.Floats()[i] = course.PoisonF32
		}
	}
	return out
}

// leavesOpen reports whether nothing determines an element: a race decides its value, or it is a
// whole number that depends on an out-of-bounds read.
func leavesOpen(seen shader.Left, i int) bool {
	return seen.Raced != nil && seen.Raced[i] || doubtful(seen, i) && seen.Output.Element != shader.F32
}

// agreeOnNumbers reports whether the learner's shader and a misconception leave the same numbers in
// a case whose buffers hold numbers wherever they held NaN: both keep what was there, or use it. A
// NaN that a shader computes stays, and proves nothing: an element that was wrong has to become a
// number. Numbers are smaller, so that few become infinite.
func (f *facts) agreeOnNumbers(m *course.Misconception, o evidence.CaseRun) bool {
	filled := smaller(withoutNaN(o.Case))
	theirs, err := f.leaves(m, filled)
	if err != nil || evidence.Unfinished(theirs) != nil {
		return false
	}
	own, err := f.watchAgain(filled)
	if err != nil {
		return false
	}
	rounded := course.Tolerance{Relative: roundingTolerance}
	numbers := 0
	for k, left := range theirs.All() {
		due, got := o.All()[k], determinedIn(o, k)
		for i := range left.Output.Len() {
			value := own.All()[k].Output.At(i)
			if !rounded.Allows(value, left.Output.At(i)) {
				return false
			}
			if isNumber(value) && !due.Allowed.At(i).Allows(got.At(i), due.Want.At(i)) {
				numbers++
			}
		}
	}
	return numbers > 0
}

// smaller returns a case whose floats are eight times smaller: a product of many stays finite.
func smaller(c course.Case) course.Case {
	c.Buffers = slices.Clone(c.Buffers)
	for i, b := range c.Buffers {
		if b.Element != shader.F32 {
			continue
		}
		c.Buffers[i] = b.Clone()
		for j := range c.Buffers[i].Floats() {
			c.Buffers[i].Floats()[j] /= 8
		}
	}
	return c
}

// withoutNaN returns a case whose buffers hold different numbers in the places of their NaNs.
func withoutNaN(c course.Case) course.Case {
	c.Buffers = slices.Clone(c.Buffers)
	for i, b := range c.Buffers {
		if b.Element != shader.F32 {
			continue
		}
		c.Buffers[i] = b.Clone()
		for j, x := range c.Buffers[i].Floats() {
			if math.IsNaN(float64(x)) {
				c.Buffers[i].Floats()[j] = 1000.5 + float32(j)
			}
		}
	}
	return c
}

// isNumber reports whether a value is neither NaN nor infinite.
func isNumber(value float64) bool { return !math.IsNaN(value) && !math.IsInf(value, 0) }

// errSize says that a misconception's shader cannot have the learner's workgroup size.
var errSize = errors.New("no workgroup of this size")

// leaves runs a misconception in a case, with the learner's workgroup size.
func (f *facts) leaves(m *course.Misconception, c course.Case) (*shader.Result, error) {
	source, ok := m.In(f.Size)
	if !ok {
		return nil, errSize
	}
	return f.watchOther(source, c) // the simulator keeps the program with the source
}

// watchingOthers returns a function that runs another shader in a case under the watcher.
func (r *run) watchingOthers(ctx context.Context) func(*shader.Source, course.Case) (*shader.Result, error) {
	return func(source *shader.Source, c course.Case) (*shader.Result, error) {
		result, err := r.Exercise.RunOnce(ctx, r.watcher, source, c, func(d *shader.Dispatch) { d.Watch = true })
		return &result, err
	}
}

// watchingAgain returns a function that runs the learner's shader in another case under the
// watcher. It fails if the shader doesn't finish.
func (r *run) watchingAgain(ctx context.Context) func(course.Case) (*shader.Result, error) {
	return func(c course.Case) (*shader.Result, error) {
		if r.watched == nil {
			return nil, errUnwatched
		}
		d := r.Dispatch(c)
		d.Watch = true
		result, err := r.watched.Run(ctx, d)
		if err == nil && evidence.Unfinished(&result) != nil {
			err = errUnwatched
		}
		return &result, err
	}
}

// errUnwatched says that the watcher can't run the learner's shader to its end.
var errUnwatched = errors.New("the watcher can't run this shader")
