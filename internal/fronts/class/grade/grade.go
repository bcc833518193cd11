// Package grade checks the shaders and programs of many submissions and gives points.
package grade

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/host"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/course/learner"
	"github.com/wgslab/wgslab/internal/fronts/class/gradebook"
	"github.com/wgslab/wgslab/internal/fronts/class/jail"
	"github.com/wgslab/wgslab/internal/fronts/class/submission"
	"github.com/wgslab/wgslab/internal/machine/engine"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/observe/cost"
	"golang.org/x/sync/errgroup"
)

// Options configure a grading run.
type Options struct {
	Seed     uint64             // draws the cases, the same for every student
	Parallel int                // the number of shaders checked at a time
	Deadline time.Duration      // for one wait for the device, as in a learner's own check
	Engine   shader.AdapterKind // runs the shaders
	Journal  string             // a file that keeps results until the run is complete; "" for none
	Shard    gradebook.Shard
	// Clone is the clone of wgslab whose packages learners' programs in Go are built with, or "".
	Clone string
	Go    string // Go's command; "" for the one in PATH
	// Excused is called with the reason if this machine can't run programs in Go. Their exercises
	// need execution then.
	Excused func(exercises []string, why error)
	// CostPoints is what a right shader earns if it reaches all goals by counts of its exercise.
	CostPoints float64
	// Graded is called for each student once all of that student's exercises are graded. The order
	// of the calls is undefined, but they never overlap.
	Graded func(gradebook.Student)
	// Checked is called for each shader that was checked or found in the journal.
	Checked func()
}

// HandIns returns the number of shaders and programs that a run checks, at most.
func (o Options) HandIns(submissions []submission.Submission) int {
	n := 0
	for _, s := range o.pick(submissions) {
		n += len(s.Shaders) + len(s.Programs)
	}
	return n
}

// pick returns the submissions in the run's shard.
func (o Options) pick(all []submission.Submission) []submission.Submission {
	return slices.DeleteFunc(slices.Clone(all), func(s submission.Submission) bool { return !o.Shard.Has(s.Student) })
}

// Run grades submissions, with a separate process for each shader. Whatever a shader does, it can
// only lose its own points. An error means that the machine failed or that ctx ended; the journal
// keeps the results so far.
func Run(ctx context.Context, submissions []submission.Submission, o Options) (*gradebook.ClassTable, error) {
	adapter, err := findAdapter(ctx, o.Engine)
	if err != nil {
		return nil, err
	}
	class := names(submissions)
	tools, excused, err := o.builder(ctx, submissions)
	if err != nil {
		return nil, err
	}
	submissions = o.pick(submissions)
	o.Engine = adapter.Kind // the same for every shader
	conditions, err := o.conditions(adapter.String())
	if err != nil {
		return nil, err
	}
	if tools != nil {
		conditions.Go = tools.Version
	}
	journal, err := openJournal(o.Journal, conditions)
	if err != nil {
		return nil, err
	}
	defer journal.close()
	g := &grading{Options: o, journal: journal, adapter: adapter, tools: tools, excused: excused}
	students, err := g.all(ctx, submissions)
	if err != nil {
		return nil, err
	}
	table := &gradebook.ClassTable{Seed: o.Seed, Adapter: adapter.String(), Submissions: students}
	if o.Shard.Of > 1 {
		shard := o.Shard
		shard.Class, shard.Rules = class, conditions.rules()
		table.Shard = &shard
	}
	return table, nil
}

// builder returns what builds the programs in Go; nil if the class has none. excused says that this
// machine can't run them.
func (o Options) builder(ctx context.Context, class []submission.Submission) (tools *jail.Builder, excused bool, err error) {
	needed := slices.ContainsFunc(class, func(s submission.Submission) bool {
		for id, own := range s.Programs {
			if e := onHost(id); !own.Script && !submission.Untouched(e, own) {
				return true
			}
		}
		return false
	})
	if !needed {
		return nil, false, nil
	}
	tools, why := jail.FindBuilder(ctx, o.Clone, o.Go)
	if ctx.Err() != nil {
		return nil, false, context.Cause(ctx)
	}
	if why != nil && o.Excused != nil {
		var ids []string
		for _, e := range course.OnHost {
			ids = append(ids, e.ID)
		}
		o.Excused(ids, why)
	}
	return tools, why != nil, nil
}

// onHost returns an exercise of the host's calls, or nil.
func onHost(id string) *course.Exercise {
	i := slices.IndexFunc(course.OnHost, func(e *course.Exercise) bool { return e.ID == id })
	if i < 0 {
		return nil
	}
	return course.OnHost[i]
}

// findAdapter returns the adapter for the shaders before the first one runs.
func findAdapter(ctx context.Context, kind shader.AdapterKind) (shader.Adapter, error) {
	on, err := engine.Open(ctx, kind)
	if err != nil {
		return shader.Adapter{}, err
	}
	defer on.Close()
	return on.Values.Adapter(), nil
}

func names(submissions []submission.Submission) []string {
	var all []string
	for _, s := range submissions {
		all = append(all, s.Student)
	}
	return slices.Sorted(slices.Values(all))
}

// grading is one run in progress.
type grading struct {
	Options
	journal *journal
	adapter shader.Adapter
	tools   *jail.Builder // builds programs in Go
	excused bool          // there is none: they need execution, and no host exercise counts

	mu       sync.Mutex
	students []*pending

	// sharing is read-locked by every shader that may run alongside others, and locked by one that
	// must run alone.
	sharing sync.RWMutex
}

// pending is a student with exercises that are not graded yet.
type pending struct {
	submission submission.Submission
	student    gradebook.Student
	marks      []cost.Marks // for each of the student's exercises: of a right shader, if its costs are counted
	open       int          // exercises without a result
}

// job is one shader to check.
type job struct {
	of       *pending
	exercise int // its index among the student's exercises
}

func (g *grading) all(ctx context.Context, submissions []submission.Submission) ([]gradebook.Student, error) {
	var jobs, later []job // a program is built with those of its author's pieces that are right
	for _, s := range submissions {
		m := g.begin(s)
		g.students = append(g.students, m)
		for i, e := range m.student.Exercises {
			about := onHost(e.ID)
			switch {
			case e.Verdict != "":
			case about != nil && !about.Host.Piece:
				later = append(later, job{m, i})
			default:
				jobs = append(jobs, job{m, i})
			}
		}
		if m.open == 0 {
			g.finish(m)
		}
	}
	for _, jobs := range [][]job{jobs, later} {
		if err := g.work(ctx, jobs); err != nil {
			return nil, err
		}
	}
	students := make([]gradebook.Student, 0, len(g.students))
	for _, m := range g.students {
		students = append(students, m.student)
	}
	slices.SortStableFunc(students, func(a, b gradebook.Student) int { return strings.Compare(a.Student, b.Student) })
	return students, nil
}

// begin fills in the results that need no check.
func (g *grading) begin(s submission.Submission) *pending {
	m := &pending{submission: s, student: gradebook.Student{Student: s.Student, Problems: append([]string{}, s.Problems...), Unread: s.Unread}}
	for _, e := range exercises() {
		own, handedIn := s.Shaders[e.ID]
		if e.IsOnHost() {
			own, handedIn = s.Programs[e.ID]
		}
		if e.IsBeyond() && !handedIn {
			continue
		}
		result := gradebook.ExerciseResult{ID: e.ID, MaxPoints: float64(e.Points), Beyond: e.IsBeyond()}
		var marks cost.Marks
		switch {
		case e.IsOnHost() && !handedIn:
			result.Verdict, result.Note = gradebook.Missing, "No notebook declares the function "+e.Host.Function+"."
		case e.IsOnHost() && submission.Untouched(e, own):
			result.Verdict, result.Note = gradebook.Missing, "It is unchanged from the release."
		case e.IsOnHost() && !own.Script && g.excused:
			result.Verdict, result.Note = gradebook.NeedsExecution, "It is written in Go, which this machine can't run in jail. It doesn't affect the points."
		case !handedIn:
			result.Verdict, result.Note = gradebook.Missing, "No notebook has a cell that writes this shader."
		default:
			result.Source = own.Source[:min(len(own.Source), shader.MaxSource+1)]
			if known, ok := g.journal.find(e.ID, result.Source); ok && !e.IsOnHost() {
				result, marks = graded(e, result.Source, known), known.Marks
				g.checked()
			}
		}
		if e.IsOnHost() && g.excused && (result.Verdict == gradebook.Missing || result.Verdict == gradebook.NeedsExecution) {
			result.MaxPoints = 0
		}
		if result.Verdict == "" {
			m.open++
		}
		m.student.Exercises, m.marks = append(m.student.Exercises, result), append(m.marks, marks)
	}
	return m
}

// exercises returns the exercises of a table in the order of the course.
func exercises() []*course.Exercise {
	all := append(course.Written(), course.OnHost...)
	slices.SortStableFunc(all, func(a, b *course.Exercise) int { return a.Lesson - b.Lesson })
	return all
}

// work checks the shaders of all jobs.
func (g *grading) work(ctx context.Context, jobs []job) error {
	group, ctx := errgroup.WithContext(ctx)
	queue := make(chan job)
	group.Go(func() error {
		defer close(queue)
		for _, j := range jobs {
			select {
			case queue <- j:
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		}
		return nil
	})
	parallel := max(1, min(g.Parallel, len(jobs)))
	for range parallel {
		group.Go(func() error { return g.workOff(ctx, queue, parallel) })
	}
	return group.Wait()
}

func (g *grading) workOff(ctx context.Context, queue <-chan job, parallel int) error {
	inside, err := jail.New(max(1, runtime.GOMAXPROCS(0)/parallel), g.adapter.Kind)
	if err != nil {
		return err
	}
	defer inside.Close()
	inside.Tools = g.tools
	for j := range queue {
		if err := g.gradeOne(ctx, inside, j); err != nil {
			return err
		}
	}
	return nil
}

// tries is how often the machine may fail on one shader before grading stops.
const tries = 3

func (g *grading) gradeOne(ctx context.Context, inside *jail.Jail, j job) error {
	m, e := j.of, j.of.student.Exercises[j.exercise]
	t := jail.Task{Exercise: e.ID, Name: learner.ShaderPath(e.ID), Source: e.Source, Seed: g.Seed, Deadline: g.Deadline, Engine: g.Engine, Costs: g.CostPoints > 0}
	exercise := onHost(e.ID)
	if exercise != nil {
		t.Language, t.Name, t.Engine, t.Costs = jail.Go, e.ID+".go", shader.Simulated, false
		if m.submission.Programs[e.ID].Script {
			t.Language, t.Name = jail.JavaScript, learner.ProgramPath(e.ID)
		}
		if !exercise.Host.Piece {
			var err error
			if t.Own, err = g.rightPieces(m, t.Language); err != nil {
				return fmt.Errorf("reading the host file of %s: %w", m.student.Student, err)
			}
		}
	}
	v, err := g.verdict(ctx, inside, t)
	if err != nil {
		return fmt.Errorf("checking %s of %s: %w", e.ID, m.student.Student, err)
	}
	if exercise == nil {
		if exercise, err = course.Find(e.ID); err != nil {
			return err
		}
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	m.student.Exercises[j.exercise], m.marks[j.exercise] = graded(exercise, e.Source, v), v.Marks
	g.checked()
	if m.open--; m.open == 0 {
		g.finish(m)
	}
	return nil
}

// rightPieces returns the host file of a student: the pieces that are right, in a language.
func (g *grading) rightPieces(m *pending, language jail.Language) (string, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	var right []string
	for _, e := range m.student.Exercises {
		about, isScript := onHost(e.ID), m.submission.Programs[e.ID].Script
		if about != nil && about.Host.Piece && e.Verdict == gradebook.Pass && isScript == (language == jail.JavaScript) {
			right = append(right, e.Source)
		}
	}
	return host.KeptIn(right, language == jail.JavaScript)
}

// verdict checks a shader, unless the same program was already checked. Half a class may leave a
// skeleton unchanged; those share one verdict.
func (g *grading) verdict(ctx context.Context, inside *jail.Jail, t jail.Task) (judged, error) {
	text := t.Source
	if t.Own != "" {
		text += "\x00" + t.Own // no program that compiles contains it
	}
	if known, ok := g.journal.find(t.Exercise, text); ok {
		return known, nil
	}
	g.sharing.RLock()
	r, err := g.try(ctx, inside, t)
	g.sharing.RUnlock()
	for again := 0; err == nil && again < mostDoubts && g.doubtful(t, r, again); again++ {
		if g.adapter.Kind != shader.GPU {
			t.Deadline *= deadlineFactor
		}
		g.sharing.Lock()
		r, err = g.try(ctx, inside, t)
		g.sharing.Unlock()
	}
	if err != nil {
		return judged{}, err
	}
	if t.Language == jail.WGSL {
		r.Verdict.Adapter = g.adapter.String()
	}
	found := judged{r.Verdict, r.Marks}
	return found, g.journal.add(text, found)
}

// try checks a shader again if the machine failed.
func (g *grading) try(ctx context.Context, inside *jail.Jail, t jail.Task) (jail.TaskResult, error) {
	r, err := inside.Run(ctx, t)
	for try := 1; err != nil && try < tries && ctx.Err() == nil && !errors.Is(err, shader.ErrNoAdapter); try++ {
		r, err = inside.Run(ctx, t)
	}
	return r, err
}

const (
	// deadlineFactor is the factor by which a shader's deadline grows with each retry on a busy
	// CPU.
	deadlineFactor = 4
	// mostDoubts is the maximum number of retries.
	mostDoubts = 3
	// busyBelow is the share of its time, in tenths, that a jailed process gets on a machine with
	// nothing else to do. With less, it had to wait for others.
	busyBelow = 8
)

// doubtful reports whether something else on the machine may have caused a result, except when a
// shader was stopped for its memory. A shader that takes all memory brings down others. One that
// never ends blocks a GPU for seconds, because GPUs, unlike CPUs, do not share time in short
// slices. On a busy CPU, a shader may be late because it hardly got any time.
func (g *grading) doubtful(t jail.Task, r jail.TaskResult, again int) bool {
	v := r.Verdict
	if t.Language != jail.WGSL { // the simulator and the jail count steps and CPU time
		return !r.Full && again == 0 && (v.Slug == jail.Crashed || r.Limit > 0) && g.Parallel > 1
	}
	seenWithoutRunning := v.Line > 0 && len(v.Findings) == 0
	late := v.Late || v.Slug == verdict.DidNotFinish && !seenWithoutRunning || v.Slug == verdict.TooMuchToCompile
	switch {
	case r.Full:
		return false
	case v.Slug == jail.Crashed || late && g.adapter.Kind == shader.GPU:
		return g.Parallel > 1 && again == 0 // one retry, run alone, is enough
	case r.Limit > 0:
		return r.Used < r.Limit*busyBelow/10 // the whole check was stopped, and hardly got a processor
	case late && g.Engine == shader.Simulated:
		return false // the simulator counts steps, not time
	case v.Late:
		return true // it does end: a longer deadline gives the verdict of a quiet machine
	case late:
		return r.Used < g.Deadline*busyBelow/10
	}
	return false
}

func (g *grading) checked() {
	if g.Checked != nil {
		g.Checked()
	}
}

// finish adds the points up, except those beyond the eight lessons.
func (g *grading) finish(m *pending) {
	for i := range m.student.Exercises {
		e := &m.student.Exercises[i]
		e.Costs = g.costs(e.ID, m.marks[i])
		if e.Beyond {
			continue
		}
		m.student.Points += e.Points
		m.student.MaxPoints += e.MaxPoints
		if e.Costs != nil {
			m.student.Points += e.Costs.Points
			m.student.MaxPoints += e.Costs.MaxPoints
		}
	}
	if g.Graded != nil {
		g.Graded(m.student)
	}
}

// costs returns the points for the goals of an exercise.
func (g *grading) costs(id string, marks cost.Marks) *gradebook.Costs {
	about, err := course.Find(id)
	if g.CostPoints == 0 || err != nil || !about.RewardsCosts() {
		return nil
	}
	c := &gradebook.Costs{MaxPoints: g.CostPoints, Marks: cost.Marks{}}
	if len(marks) == 0 {
		return c
	}
	c.Marks = marks
	if !slices.ContainsFunc(c.Marks, func(m cost.GoalMark) bool { return !m.Reached }) {
		c.Points = c.MaxPoints
	}
	return c
}

func graded(e *course.Exercise, source string, found judged) gradebook.ExerciseResult {
	v := found.Verdict
	result := gradebook.ExerciseResult{
		ID: e.ID, MaxPoints: float64(e.Points), Points: points(e, v), Beyond: e.IsBeyond(),
		Verdict: gradebook.Fail, Diagnosis: v.Slug, Detail: v, Source: source,
	}
	if v.Passed() {
		result.Verdict = gradebook.Pass
	}
	return result
}

// points returns all points for a right shader, the exercise's partial points for a shader that is
// right in at least half of its cases, and otherwise none.
func points(e *course.Exercise, v *verdict.Verdict) float64 {
	right := 0
	for _, c := range v.Cases {
		if c.Pass {
			right++
		}
	}
	switch {
	case v.Passed():
		return float64(e.Points)
	case v.Stage == verdict.StageCompare && v.Slug != verdict.Stub && 2*right >= len(v.Cases):
		return float64(e.Partial)
	}
	return 0
}
