package reasons

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/judge/evidence"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/ground/fence"
	"github.com/wgslab/wgslab/internal/machine/engine/simulator"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/machine/sim"
	"github.com/wgslab/wgslab/internal/wgsl/edit"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// Nearest is the right shader that is nearest to a wrong one: one or two small edits away. A
// learner sees the place and the question. The edit itself is the last hint.
type Nearest struct {
	Region   findings.Region // what to underline in the learner's text; empty where something is missing
	Between  []int           // the lines around what is missing; nil where nothing is
	Kind     edit.MutationKind
	Question string            // about the place; it does not give the edit away
	Edit     string            // the edit in words
	Waits    bool              // it is a barrier between the two sides of a race
	Text     string            // the right shader
	Parts    []findings.Region // other places that the edit changes
	Also     []findings.Region // other places at which as small an edit does as well
}

// A suspicion says where the mistake may be, the most likely place first, and whether an invocation
// of a later workgroup took the place of another one: then its id is suspicious. The way is the
// lines from which the value of a wrong element came.
type suspicion struct {
	places []findings.Region
	seen   findings.Region // the place of what happened in a run; empty if that is not certain
	ids    bool
	way    map[int]bool
}

// nearest looks for the nearest right shader, most suspicious places first, as long as the budget
// lasts. It returns nil if it finds none.
func (r *finder) nearest(ctx context.Context, suspicious suspicion, budget time.Duration) *Nearest {
	ctx, cancel := context.WithTimeout(ctx, budget)
	defer cancel()
	s := r.newSearch(ctx, suspicious)
	if s == nil {
		return nil
	}
	alike, others := s.grafts()
	all := edit.All(r.Shader)
	s.try(s.withBarriers(alike, append(slices.Clone(all), others...)))
	if len(s.passing) == 0 {
		ranked := s.ranked(append(all, others...))
		s.try(ranked)
		if len(s.passing) == 0 {
			s.try(s.ranked(others))
		}
		if len(s.passing) == 0 {
			s.try(s.pairs(ranked))
		}
	}
	best, asNear := s.best()
	if best == nil {
		return nil
	}
	best = s.simpler(best, all)
	s.narrow(best)
	n := r.nearestTold(best)
	if best.Kind == edit.Graft {
		for _, mark := range best.Marks[1:] {
			n.Parts = append(n.Parts, r.wholeExpr(mark))
		}
	}
	if at := r.calculatedAt(best); len(at) > 0 {
		n.Parts, n.Region, n.Between = slices.Concat(at[1:], n.Parts, []findings.Region{n.Region}), at[0], nil
		n.Question = fmt.Sprintf(questions[edit.Graft], at[0].Line)
	}
	if at, found := r.strangeIn(best); found {
		n.Parts, n.Region, n.Between = append(n.Parts, n.Region), at, nil
		n.Question = fmt.Sprintf("For which values does line %d make no number? What should happen to them?", at.Line)
	}
	if at, elsewhere := s.seenElsewhere(best); elsewhere {
		n.Parts, n.Region, n.Between = append([]findings.Region{n.Region}, n.Parts...), at, nil
		n.Question = fmt.Sprintf(questions[edit.Graft], at.Line)
	}
	for _, other := range asNear {
		n.Also = append(n.Also, other.region)
	}
	return n
}

// withBarriers adds barriers to candidates if the simulator saw that one may be missing: another
// edit that helps as well is seldom what is wrong then.
func (s *search) withBarriers(some []candidate, all []edit.Mutation) []candidate {
	all = slices.DeleteFunc(all, func(m edit.Mutation) bool { return m.Kind != edit.Barrier })
	some = append(some, s.ranked(all)...)
	slices.SortStableFunc(some, func(a, b candidate) int { return cmp.Compare(a.distance, b.distance) })
	return some
}

// grafts returns the edits that put parts of right shaders into the learner's: those of right
// shaders that differ from it in one place, and the others.
func (s *search) grafts() (alike []candidate, others []edit.Mutation) {
	for _, right := range s.rights() {
		if right.Shader() == nil || right.Shader().Info == nil {
			continue
		}
		for _, g := range edit.Grafts(s.Shader, right.Shader()) {
			if g.Cost == edit.Slip && g.Kind == edit.Graft {
				alike = append(alike, s.ranked([]edit.Mutation{g})...)
			} else {
				others = append(others, g)
			}
		}
	}
	return alike, others
}

// mostMended is how many edits Mend checks: each runs in all divisions into subgroups.
const mostMended = 12

// Mend lists where a shader is wrong that is right in the usual subgroups: where a part of a right
// shader makes it right in all of them, or else where the diagnosis says. No trial tells which
// edits help, so it checks few.
func (in *Input) Mend(ctx context.Context, v *verdict.Verdict) {
	f := &finder{Input: *in}
	s := &search{finder: f, ctx: ctx}
	alike, others := s.grafts()
	all := append(alike, s.ranked(others)...)
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(a.distance, b.distance) })
	for _, c := range all[:min(len(all), mostMended)] {
		if s.breathe(); ctx.Err() != nil {
			return
		}
		if s.Passes(ctx, shader.Read(s.Source.Name, c.Text)) {
			v.Reasons = append(v.Reasons, *f.mending(f.nearestTold(&c)))
			break
		}
	}
	f.place(v)
	f.show(v, true)
}

// narrow leaves out the changes of a graft without which it passes as well: the right shader is
// written in another way there. What is left begins with the change in the most suspicious place.
func (s *search) narrow(c *candidate) {
	if c.Kind != edit.Graft || c.also != nil {
		return
	}
	for i := len(c.Changes) - 1; i >= 0 && len(c.Changes) > 1; i-- {
		fewer := slices.Delete(slices.Clone(c.Changes), i, i+1)
		text, err := findings.Apply(s.Source.Text, fewer)
		if s.breathe(); err != nil || s.wrongWith(text) > 0 {
			continue
		}
		c.Text, c.Changes, c.Marks = text, fewer, slices.Delete(slices.Clone(c.Marks), i, i+1)
	}
	late := func(mark syntax.Span) int {
		at := s.Shader.Source.Region(mark)
		if s.seenAt(at) {
			return s.unsuspicious(at)
		}
		return s.unsuspicious(at) + 1
	}
	changes := map[int]int{} // of each line: one where more is to change is likelier
	for _, mark := range c.Marks {
		changes[s.Shader.Source.Region(mark).Line]++
	}
	many := func(mark syntax.Span) int { return changes[s.Shader.Source.Region(mark).Line] }
	beside := func(mark syntax.Span) int {
		if s.suspicious.way[s.Shader.Source.Region(mark).Line] {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(c.Marks, func(a, b syntax.Span) int {
		return cmp.Or(cmp.Compare(late(a), late(b)), cmp.Compare(many(b), many(a)), cmp.Compare(beside(a), beside(b)))
	})
	c.Span = c.Marks[0]
	c.region = s.Shader.Source.Region(c.Span)
}

// seenElsewhere returns the place of what was seen if a graft of several changes doesn't touch it:
// then its right shader is written in another way, and replaces the mistake by something else.
func (s *search) seenElsewhere(c *candidate) (at findings.Region, elsewhere bool) {
	at = s.suspicious.seen
	if c.Kind != edit.Graft || len(c.Marks) < 2 || at.Line == 0 {
		return at, false
	}
	return at, !slices.ContainsFunc(c.Marks, func(mark syntax.Span) bool {
		touched := s.Shader.Source.Region(mark)
		return at.Line <= touched.EndLine && touched.Line <= at.EndLine
	})
}

// seenAt reports whether a mistake was seen at a place in a run.
func (s *search) seenAt(at findings.Region) bool {
	_, seen := s.FirstWhere(func(_ evidence.CaseRun, f findings.Finding) bool { return at.Line <= f.Line && f.Line <= at.EndLine })
	return seen != nil
}

// A search tries edits of one shader.
type search struct {
	*finder
	ctx        context.Context
	suspicious suspicion
	trials     []editTrial

	sync.Mutex
	passing []candidate
	better  []candidate // those that leave fewer wrong elements in the first trial, but some
}

// An editTrial is a case that an edited shader has to get right.
type editTrial struct {
	evidence.CaseRun
	engine shader.Backend // stops soon after a right shader would
	steps  uint64         // that a run takes, about
	wrong  int            // how many elements the learner's shader gets wrong
	values bool           // the values alone show a mistake
}

// A candidate is an edit, with how far it is and where.
type candidate struct {
	edit.Mutation
	distance int
	region   findings.Region
	lines    []int          // that it changes
	wrong    int            // elements in the first trial
	also     *edit.Mutation // the other edit of a pair
	gap      [2]int32       // of a barrier: the first and the last offset where it helps; zero for one
}

// The limits of a trial. An edited shader may take a multiple of the steps that the learner's and
// the reference take, and some more for each invocation: the reference's workgroups may be smaller.
const (
	slack         = 4
	muchSlack     = 16
	stepsToBegin  = 200 // of an invocation
	stepsToEnd    = 20  // of an invocation that soon returns
	mostInATrial  = evidence.MostAcross
	mostPaired    = 4 // edits that are tried together with others
	fartherBehind = 3 // how much farther an edit is in a place that nothing points to
)

// newSearch returns a search, or nil if the shader passes or cannot run.
func (r *finder) newSearch(ctx context.Context, suspicious suspicion) *search {
	if r.Shader == nil || r.Shader.Info == nil {
		return nil
	}
	s := &search{finder: r, ctx: ctx, suspicious: suspicious}
	for _, o := range r.Outcomes {
		if r.Work(o.Case) > mostInATrial {
			continue
		}
		if t := r.newTrial(o); t.wrong > 0 || r.Work(o.Case) <= evidence.MostWatched {
			s.trials = append(s.trials, t)
		}
	}
	slices.SortStableFunc(s.trials, func(a, b editTrial) int {
		return cmp.Or(cmp.Compare(a.order(), b.order()), cmp.Compare(r.Work(a.Case), r.Work(b.Case)))
	})
	if len(s.trials) == 0 || s.trials[0].wrong == 0 {
		return nil
	}
	return s
}

func (r *finder) newTrial(o evidence.CaseRun) editTrial {
	steps := max(o.Reference, r.invocations(o.Case)*stepsToEnd)
	if o.Seen != nil {
		steps = o.Seen.Steps
		if evidence.Unfinished(o.Seen) == nil {
			o.Got = o.Seen.Output // the same on every device
		}
	}
	return editTrial{
		CaseRun: o, engine: simulator.New(r.limits(o)), steps: steps,
		wrong: wrongIn(&r.Facts, o), values: evidence.Compare(o.Got, o.Want, o.Allowed).Wrong > 0,
	}
}

// order puts the trials first that reject most edits at the least cost.
func (t editTrial) order() int {
	switch {
	case t.values:
		return 0
	case t.wrong > 0:
		return 1
	}
	return 2
}

// limits returns how many steps an edited shader may take in a case.
func (r *finder) limits(o evidence.CaseRun) simulator.Options {
	limit := muchSlack*o.Reference + stepsToBegin*r.invocations(o.Case)
	if o.Seen != nil && evidence.Unfinished(o.Seen) == nil {
		limit += slack * o.Seen.Steps
	}
	return simulator.Options{Steps: limit, Watched: limit, Cores: 1} // cores would share a small limit unfairly
}

// invocations returns how many invocations run in a case.
func (r *finder) invocations(c course.Case) uint64 {
	groups := r.Workgroups(c)
	return uint64(groups[0]*groups[1]*groups[2]) * uint64(r.Size[0]*r.Size[1]*r.Size[2])
}

// wrongIn counts the wrong elements of an outcome. A mistake that leaves all of them right counts
// as one.
func wrongIn(f *evidence.Facts, o evidence.CaseRun) int {
	o.Difference = evidence.Compare(o.Got, o.Want, o.Allowed)
	if o.Difference.Wrong == 0 && !f.Right(o) {
		return 1
	}
	return o.Difference.Wrong
}

// ranked returns the edits in the order of their distance.
func (s *search) ranked(edits []edit.Mutation) []candidate {
	var ranked []candidate
	seen := s.whatWasSeen()
	for _, e := range edits {
		if e.Kind == edit.Barrier && !seen.races {
			continue
		}
		region := s.Shader.Source.Region(e.Span)
		if e.Kind == edit.Binding && s.given(region) {
			continue // the exercise declares it so: it can undo another mistake, and is none
		}
		c := candidate{Mutation: e, region: region, distance: 2*e.Cost + seen.farther(e.Kind) + s.unsuspicious(region) + s.farFromOwn(region) + s.orphaning(&e)}
		for _, change := range append([]findings.Edit{{Span: e.Span}}, e.Changes...) {
			at := s.Shader.Source.Region(change.Span)
			for line := at.Line; line <= at.EndLine; line++ {
				c.lines = append(c.lines, line)
			}
		}
		ranked = append(ranked, c)
	}
	slices.SortStableFunc(ranked, func(a, b candidate) int { return cmp.Compare(a.distance, b.distance) })
	return ranked
}

// orphaning returns how much farther an edit is after which the shader reads a variable that it
// never writes. A variable is declared to be used.
func (s *search) orphaning(e *edit.Mutation) int {
	if e.Kind != edit.Graft || len(e.Changes) != 1 {
		return 0
	}
	at := e.Changes[0].Span
	name := s.Source.Text[at.Start:at.End]
	if e.Text == "" || !identifier.MatchString(name) {
		return 0
	}
	writes := regexp.MustCompile(`\b` + name + `\b(\[[^\]]*\]|\.\w+)*\s*([-+*/%&|^]|<<|>>)?=[^=]|atomic[A-KM-Z]\w*\(&` + name + `\b`)
	if writes.MatchString(s.Source.Text) && !writes.MatchString(e.Text) && strings.Count(e.Text, name) > 1 {
		return fartherBehind
	}
	return 0
}

var identifier = regexp.MustCompile(`^[a-zA-Z_]\w*$`)

// sights are what the watcher saw in the learner's shader. They tell which kinds of edits can help.
type sights struct{ races, outside, ids bool }

func (s *search) whatWasSeen() sights {
	if s.Origin == nil {
		return sights{true, true, s.suspicious.ids} // it may be so
	}
	_, race := s.FirstOf(findings.RaceWorkgroup, findings.RaceStorage, findings.DivergentBarrier)
	_, outside := s.FirstOf(findings.OutOfBoundsWrite, findings.OutOfBoundsRead)
	// A barrier may be missing between atomic functions as well, and that is no race.
	counted := strings.Contains(s.Source.Text, "atomicLoad") && strings.Contains(s.Source.Text, "var<workgroup>")
	return sights{race != nil || counted, outside != nil, s.suspicious.ids}
}

// farther returns the distance that the findings add to an edit of a kind. A missing barrier leads
// to a race, and a missing guard mostly to an out-of-bounds access.
func (s sights) farther(k edit.MutationKind) int {
	switch {
	case k == edit.Barrier && !s.outside:
		return -2
	case k == edit.Builtin && s.ids:
		return -4
	case k == edit.Guard && !s.outside:
		return 2
	}
	return 0
}

// farFromOwn returns how much farther an edit is on a line that the exercise gave to the learner.
func (s *search) farFromOwn(at findings.Region) int {
	if s.given(at) {
		return fartherBehind
	}
	return 0
}

// given reports whether the exercise gave a line to the learner.
func (r *finder) given(at findings.Region) bool {
	if r.skeleton == nil {
		r.skeleton = map[string]bool{}
		text, err := r.Exercise.Skeleton()
		for line := range strings.Lines(text) {
			r.skeleton[strings.TrimSpace(line)] = err == nil
		}
	}
	line, _ := r.Source.Line(at.Line)
	line = strings.TrimSpace(line)
	return len(line) > 1 && r.skeleton[line]
}

// unsuspicious returns how late a place comes among the suspicious ones.
func (s *search) unsuspicious(at findings.Region) int {
	if len(s.suspicious.places) == 0 {
		return 0
	}
	i := slices.IndexFunc(s.suspicious.places, func(r findings.Region) bool { return r.Line <= at.EndLine && at.Line <= r.EndLine })
	if i < 0 {
		return fartherBehind
	}
	return min(i, fartherBehind)
}

// try tries candidates in their order, several at once. It ends after those that are as near as the
// first that passes.
func (s *search) try(ranked []candidate) {
	tries := fence.Limited(runtime.GOMAXPROCS(0))
	defer tries.Wait()
	for _, c := range ranked[:min(len(ranked), s.most())] {
		if s.breathe(); s.ctx.Err() != nil || s.farther(c) {
			return
		}
		tries.Go(func() { s.tryOne(c) })
	}
}

// The number of candidates is limited by what they cost, not by time: so a busy machine finds the
// same.
const (
	mostTries   = 400
	leastTries  = 150
	fewestTries = 20          // of a case that takes long
	stepsOfATry = 10_000      // in this time a small shader is read and compiled
	stepsOfAll  = 100_000_000 // of all tries of a case that takes long
)

// most returns how many candidates are tried.
func (s *search) most() int {
	steps := s.trials[0].steps
	least := min(leastTries, max(fewestTries, stepsOfAll/(1+steps)))
	return int(max(least, mostTries/(1+steps/stepsOfATry)))
}

// farther reports whether a nearer candidate passes.
func (s *search) farther(c candidate) bool {
	s.Lock()
	defer s.Unlock()
	return slices.ContainsFunc(s.passing, func(p candidate) bool { return p.distance < c.distance })
}

func (s *search) tryOne(c candidate) {
	if c.Text == "" { // a pair
		var err error
		if c.Text, err = findings.Apply(s.Source.Text, c.Changes); err != nil {
			return // they overlap
		}
	}
	if !s.offered(c.Text) {
		return
	}
	wrong := s.wrongWith(c.Text)
	s.Lock()
	defer s.Unlock()
	switch c.wrong = wrong; {
	case wrong == 0:
		s.passing = append(s.passing, c)
	case wrong < s.trials[0].wrong:
		s.better = append(s.better, c)
	}
}

// offered reports whether an edited shader can be put together from the given lines, in an exercise
// that gives them: where it has one barrier, the answer is no second one.
func (s *search) offered(text string) bool {
	if s.Exercise.Kind != course.Order {
		return true
	}
	frame, loose, err := s.Exercise.Offered()
	if err != nil {
		return true
	}
	left := map[string]int{}
	for _, line := range slices.Concat(frame, loose) {
		for _, token := range wordsOf(line.Text) {
			left[token]++
		}
	}
	for _, token := range wordsOf(text) {
		if left[token]--; left[token] < 0 {
			return false
		}
	}
	return true
}

// wordsOf returns the tokens of a part of a shader.
func wordsOf(text string) (all []string) {
	source := syntax.NewSource("", text)
	for _, span := range syntax.Tokens(source) {
		all = append(all, source.Slice(span))
	}
	return all
}

// wrongWith counts the wrong elements that an edited shader leaves in the first trial. It returns 0
// only for a shader that passes the whole check.
func (s *search) wrongWith(text string) int {
	edited := evidence.About(s.Exercise, shader.Read(s.Source.Name, text))
	if edited.Source.Mistake() != nil || edited.Read() != nil {
		return math.MaxInt
	}
	for i, t := range s.trials {
		wrong := t.wrongWith(s.ctx, &edited)
		if wrong > 0 && i > 0 {
			return s.trials[0].wrong
		}
		if wrong > 0 {
			return wrong
		}
	}
	if !s.Passes(s.ctx, edited.Source) {
		return s.trials[0].wrong
	}
	return 0
}

// wrongWith runs an edited shader in the case and counts the wrong elements.
func (t editTrial) wrongWith(ctx context.Context, edited *evidence.Facts) int {
	program, err := edited.Exercise.Compile(ctx, t.engine, edited.Source)
	if err != nil {
		return math.MaxInt
	}
	defer program.Free()
	d := edited.Dispatch(t.Case)
	if t.values {
		// Most edits leave other wrong values, and a run that is not watched costs half.
		result, err := program.Run(ctx, d)
		if err != nil {
			return math.MaxInt
		}
		if wrong := evidence.Compare(result.Output, t.Want, t.Allowed).Wrong; wrong > 0 {
			return wrong
		}
	}
	d.Watch = true
	result, err := program.Run(ctx, d)
	if err != nil || evidence.Unfinished(&result) != nil {
		return math.MaxInt
	}
	return wrongIn(edited, evidence.CaseRun{Case: t.Case, Compared: evidence.Compared{Want: t.Want, Allowed: t.Allowed, Got: result.Output}, Seen: &result})
}

// pairs returns the edits that leave the fewest wrong elements, each together with every other
// edit.
func (s *search) pairs(ranked []candidate) []candidate {
	slices.SortStableFunc(s.better, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.wrong, b.wrong), cmp.Compare(a.distance, b.distance), cmp.Compare(a.Span.Start, b.Span.Start), cmp.Compare(a.To, b.To))
	})
	var pairs []candidate
	for _, a := range s.better[:min(len(s.better), mostPaired)] {
		for _, b := range ranked {
			both := a
			both.Text, both.Changes, both.also = "", slices.Concat(a.Changes, b.Changes), &b.Mutation
			both.distance, both.lines = a.distance+b.distance, slices.Concat(a.lines, b.lines)
			pairs = append(pairs, both)
		}
	}
	slices.SortStableFunc(pairs, func(a, b candidate) int { return cmp.Compare(a.distance, b.distance) })
	return pairs
}

// best returns the nearest candidate that passes, and the others that are as near at other lines.
func (s *search) best() (best *candidate, asNear []candidate) {
	if len(s.passing) == 0 {
		return nil, nil
	}
	slices.SortFunc(s.passing, nearer)
	best = &s.passing[0]
	if i := slices.IndexFunc(s.passing, func(c candidate) bool { return c.Kind == edit.Barrier && c.distance == best.distance }); i >= 0 {
		best = s.lastBarrier(s.passing[i])
		s.widen(best)
		return best, nil
	}
	for i, other := range s.passing {
		if other.distance == best.distance && other.Kind == best.Kind && other.Was == best.Was && other.To == best.To {
			best = &s.passing[i] // of places with the same text, the first is mostly as it should be
		}
	}
	for _, other := range s.passing {
		if other.distance == best.distance && other.onlyRemoves() == best.onlyRemoves() && !slices.ContainsFunc(other.lines, func(line int) bool { return slices.Contains(best.lines, line) }) {
			asNear = append(asNear, other)
		}
	}
	return best, asNear
}

// nearer orders candidates. They pass in any order, since several are tried at once, so no two may
// be equal.
func nearer(a, b candidate) int {
	order := cmp.Or(cmp.Compare(a.distance, b.distance), a.onlyRemoves()-b.onlyRemoves(), cmp.Compare(a.Span.Start, b.Span.Start), cmp.Compare(a.To, b.To), a.grafts()-b.grafts())
	if order != 0 || a.also == nil || b.also == nil {
		return order
	}
	return cmp.Or(cmp.Compare(a.also.Span.Start, b.also.Span.Start), cmp.Compare(len(a.also.To), len(b.also.To)), cmp.Compare(a.also.To, b.also.To))
}

// grafts returns 1 for a part of a right shader, and 0 for others. An edit of the learner's own
// text that does the same tells more.
func (c *candidate) grafts() int {
	if c.Kind == edit.Graft {
		return 1
	}
	return 0
}

// onlyRemoves returns 1 for an edit that leaves only a part of what it replaces, and 0 for others.
// What somebody wrote is seldom too much.
func (c *candidate) onlyRemoves() int {
	if c.Kind == edit.Function && strings.Contains(c.Was, c.To) {
		return 1
	}
	return 0
}

// lastBarrier returns the last of the barriers that are as near as the best. Those between the two
// sides of a race come first, and among them those in fewer loops: one before a loop is enough
// where the loop has its own. At the start or at the end of a loop they do the same, and the end is
// where one looks for them.
func (s *search) lastBarrier(best candidate) *candidate {
	for _, other := range s.passing {
		if other.Kind != edit.Barrier || other.distance != best.distance {
			continue
		}
		better := s.waitedFor(other.Span.Start) != nil
		if better == (s.waitedFor(best.Span.Start) != nil) {
			loops := cmp.Compare(s.loopsAround(other.Span.Start), s.loopsAround(best.Span.Start))
			apart := s.apartFromRace(other.Span.Start) - s.apartFromRace(best.Span.Start)
			better = cmp.Or(apart, loops, -cmp.Compare(other.Span.Start, best.Span.Start)) < 0
		}
		if better {
			best = other
		}
	}
	return &best
}

// apartFromRace returns 0 for an offset in the function of a race, and 1 for another.
func (s *search) apartFromRace(offset int32) int {
	_, race := s.FirstOf(findings.RaceWorkgroup)
	if race == nil {
		return 0
	}
	for function := range syntax.All[*syntax.FuncDecl](s.Shader.File) {
		if at := function.Span(); at.Contains(race.Span) && at.Start < offset && offset < at.End {
			return 0
		}
	}
	return 1
}

// widen notes between which places a barrier helps: the learner may look for it anywhere there.
func (s *search) widen(best *candidate) {
	if !best.adds() {
		return
	}
	at := best.Span.Start
	best.gap = [2]int32{at, at}
	for _, other := range s.passing {
		from, to := min(at, other.Span.Start), max(at, other.Span.Start)
		if other.Kind == edit.Barrier && other.distance == best.distance && other.adds() && s.sameBeside(s.Source.Text[from:to]) {
			best.gap = [2]int32{min(best.gap[0], from), max(best.gap[1], to)}
		}
	}
}

// sameBeside reports whether a barrier helps alike before and after a part of a function: whole
// statements of one block, without a barrier. Loops and conditions among them have nothing to do
// with the race.
func (s *search) sameBeside(text string) bool {
	depth := 0
	for _, c := range text {
		switch c {
		case '{':
			depth++
		case '}':
			depth--
		}
		if depth < 0 {
			return false
		}
	}
	if depth != 0 || strings.Contains(text, "Barrier(") {
		return false
	}
	_, race := s.FirstOf(findings.RaceWorkgroup)
	return !strings.Contains(text, "{") || race != nil && !slices.Contains(notInName.Split(text, -1), race.Variable)
}

var notInName = regexp.MustCompile(`\W+`)

// simpler returns the edit that only leaves out an operand of the calculation whose operator the
// best edit exchanges, if that is enough: then an operand is too much, and no operator wrong.
func (s *search) simpler(best *candidate, all []edit.Mutation) *candidate {
	if best.Kind != edit.Operator || best.also != nil {
		return best
	}
	var fewer []edit.Mutation
	for _, m := range all {
		if m.Span == best.Span && len(m.Changes) == 1 && m.Kind != edit.Operator && m.To != "" && m.To != m.Was && strings.Contains(m.Was, m.To) {
			fewer = append(fewer, m)
		}
	}
	for _, c := range s.ranked(fewer) {
		if s.breathe(); s.ctx.Err() == nil && s.wrongWith(c.Text) == 0 {
			return &c
		}
	}
	return best
}

// strangeIn returns the operation in the body of a loop that made a NaN, if an edit only adds to
// the loop's condition: then the operation is what goes wrong, and not how often the loop runs.
func (r *finder) strangeIn(c *candidate) (at findings.Region, found bool) {
	if len(c.Changes) != 1 || c.also != nil || c.Changes[0].Span.Len() > 0 {
		return at, false
	}
	for loop := range syntax.All[*syntax.ForStmt](r.Shader.File) {
		if head := (syntax.Span{Start: loop.Span().Start, End: loop.Body.Span().Start}); !head.Contains(c.Changes[0].Span) {
			continue
		}
		for _, o := range r.examples() {
			for _, f := range o.Seen.Findings {
				if f.Kind == findings.NotANumber && loop.Body.Span().Contains(f.Span) {
					return f.Region, true
				}
			}
		}
	}
	return at, false
}

// calculatedAt returns where local variables are calculated that an edit replaces or adjusts, if
// nothing else uses them: then these calculations are wrong, and not their use. Of adjusted ones,
// the values have to say so as well.
func (r *finder) calculatedAt(c *candidate) []findings.Region {
	if c.Kind == edit.Graft && c.also == nil && len(c.Changes) > 1 {
		return r.adjustedAt(c)
	}
	if at, found := r.replacedAt(c); found {
		return []findings.Region{at}
	}
	return nil
}

// adjustedAt returns where the local variables are calculated that are in what a graft of several
// changes underlines, all in one statement.
func (r *finder) adjustedAt(c *candidate) (all []findings.Region) {
	line := r.Shader.Source.Region(c.Marks[0]).Line
	lets, uses := r.letsAndUses()
	for _, mark := range c.Marks {
		if r.Shader.Source.Region(mark).Line != line {
			return nil
		}
		for ident := range syntax.All[*syntax.IdentExpr](r.Shader.File) {
			o := r.Shader.Info.Uses[ident]
			if o == nil || !mark.Contains(ident.Span()) || lets[o.Span()] == nil || uses[o] != 1 {
				continue
			}
			at := r.Shader.Source.Region(lets[o.Span()].Init.Span())
			if at.Line != line && slices.ContainsFunc(r.suspected, func(s sim.Suspect) bool { return s.Place.Line == at.Line }) {
				all = append(all, at)
			}
		}
	}
	slices.SortFunc(all, func(a, b findings.Region) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return slices.Compact(all)
}

// letsAndUses returns the lets of the shader by the places of their names, and how often each
// object is used.
func (r *finder) letsAndUses() (map[findings.Span]*syntax.LetDecl, map[*types.Object]int) {
	lets, uses := map[findings.Span]*syntax.LetDecl{}, map[*types.Object]int{}
	for let := range syntax.All[*syntax.LetDecl](r.Shader.File) {
		lets[let.Name.Span()] = let
	}
	for ident := range syntax.All[*syntax.IdentExpr](r.Shader.File) {
		uses[r.Shader.Info.Uses[ident]]++
	}
	return lets, uses
}

// replacedAt returns where the local variable is calculated that an edit of one change replaces or
// adjusts.
func (r *finder) replacedAt(c *candidate) (at findings.Region, found bool) {
	if len(c.Changes) != 1 || c.also != nil || identifier.MatchString(strings.TrimSpace(c.Changes[0].New)) {
		return at, false
	}
	lets, uses := r.letsAndUses()
	var changed []*types.Object
	for ident := range syntax.All[*syntax.IdentExpr](r.Shader.File) {
		o := r.Shader.Info.Uses[ident]
		if o != nil && c.Changes[0].Span.Contains(ident.Span()) {
			changed = append(changed, o)
		}
	}
	for _, o := range changed {
		let := lets[o.Span()]
		if let == nil || uses[o] != 1 {
			continue
		}
		if _, plain := let.Init.(*syntax.IdentExpr); plain {
			continue
		}
		at = r.Shader.Source.Region(let.Init.Span())
		replaced := (c.Kind == edit.Graft || c.Kind == edit.Limit) && len(changed) == 1 && r.Source.Text[c.Changes[0].Span.Start:c.Changes[0].Span.End] == let.Name.Name
		adjusted := strings.Contains(c.Changes[0].New, let.Name.Name)
		if replaced || adjusted && slices.ContainsFunc(r.suspected, func(s sim.Suspect) bool { return s.Place.Line == at.Line }) {
			return at, true
		}
	}
	return at, false
}
