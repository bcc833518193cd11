// Package course holds the lessons and exercises as data: the inputs of a shader, the
// reference shader, the hints, and the known misconceptions. It runs no shader, so any engine can
// run an exercise.
//
// An exercise is the folder exercises/ID: its description with the cases, its hints, the skeleton,
// the reference shader and the wrong ones.
package course

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/wgslab/wgslab/exercises"

	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// An Exercise is a shader for the learner to write. Its id, bindings and dispatch are the
// contract with notebooks, checks and graders.
type Exercise struct {
	ID       string
	Kind     TaskKind
	Lesson   int    // from 1; those of a pack come after those of the course
	Title    string // a few words
	Task     string // what the shader has to compute, in one sentence
	Stretch  bool   // beyond the lesson's core
	Points   int    // for grading
	Partial  int    // points for a shader that is right in at least half of its cases, but not in all
	Practice bool   // for learning only: it gives no points

	// After, if set, is the id of an exercise whose idea this one gives away. Its shader is folded
	// until that one is right.
	After string

	Notebook string // the notebook that has the exercise; in the course, only if it isn't the lesson's first

	Bindings []Binding
	Output   int          // the binding that the shader writes
	Also     []int        // further bindings that it writes
	InPlace  bool         // the output is also an input: the host fills it with values
	Dispatch DispatchRule // how the host chooses the number of workgroups
	Later    []Pass       // dispatches after that of the first entry point, on the same buffers
	Entry    string       // of the shader: shader.EntryPoint if there is only one pass

	// Cases draws the cases; the same rng state gives the same cases.
	Cases func(rng *rand.Rand) []Case
	// Small draws a case small enough to follow every access: few elements, but several
	// workgroups if the exercise can have them.
	Small func(rng *rand.Rand) Case
	// Large draws a case that takes long enough to be timed; nil if the exercise has none.
	Large func(rng *rand.Rand) Case
	// Past draws a case with at least the given columns and rows. The check adds it if the
	// learner's workgroups are so large that every case of Cases fits in one; nil if that cannot
	// happen.
	Past func(rng *rand.Rand, columns, rows int) Case
	// Host is the work of an exercise of kind Host.
	Host *HostWork
	// Tolerance is how far an output may be from the right one. If it is zero, the error bounds of
	// the reference shader decide.
	Tolerance Tolerance

	// WithoutWorkgroupMemory, if set, is the slug of the misconception of a shader whose values
	// are right but which does not share them in workgroup memory, the point of the exercise.
	WithoutWorkgroupMemory string

	// WithoutSubgroups is the same for a shader that calls no function of subgroups.
	WithoutSubgroups string

	// TooMuchWork, if set, is the slug of the misconception of a shader whose values are right but
	// which takes at least Case.MostSteps.
	TooMuchWork string

	// ReadsInside makes a read out of bounds a mistake even if no value depends on it.
	ReadsInside bool

	// IsTest marks a test of a shader that is no exercise's. It is a mistake there if the values
	// depend on the order of workgroups or invocations, or if too few run for an output: a check of
	// a course's exercise looks for the first only where atomic functions return something. And
	// what it says is about these cases: there are no others.
	IsTest bool

	// WrongAsIn, if set, is the id of another exercise with the same bindings. Its
	// misconceptions apply here as well.
	WrongAsIn string

	Goals []Goal // counts to keep low, for those who have a right shader

	Bug   *Bug   // of kind FindBug: the mistake to look for; nil in others
	Break *Break // of kind BreakIt: what to break; nil in others

	Hints []string // each goes a step further; the last stops short of the code

	sized          func(rng *rand.Rand, given map[string]int) (Case, error)
	compared       map[string]int // sizes at which its shaders are compared with those of others
	position       int            // in the lesson; exercises without one are first, by their ids
	files          fs.FS          // the folder is below this
	misconceptions func() ([]*Misconception, error)
	alternatives   func() ([]Alternative, error)
	inPlace        []bool // by binding, whether the host fills it with values
	anySize        bool   // the reference works in workgroups of any size
	skeleton       func() (string, error)
	reference      func() (*shader.Source, error)
	standard       func() (*shader.Source, error)
	right          func() (*rightShaders, error)
	seenFrom       func() []*Exercise // by place in Also
}

// RewardsCosts reports whether an instructor can give points for the goals by counts.
func (e *Exercise) RewardsCosts() bool { return len(e.Goals) > 0 && !e.Practice }

// Outputs returns all bindings that the shader writes.
func (e *Exercise) Outputs() []int { return append([]int{e.Output}, e.Also...) }

// Updates reports whether the host fills one of the outputs with values.
func (e *Exercise) Updates() bool {
	return slices.ContainsFunc(e.Outputs(), func(i int) bool { return e.inPlace[i] })
}

// SeenFrom returns the exercise with the output Also[i] in the place of Output, and the other way
// round.
func (e *Exercise) SeenFrom(i int) *Exercise { return e.seenFrom()[i] }

func (e *Exercise) turned() (views []*Exercise) {
	for i, output := range e.Also {
		view := *e
		view.Output, view.InPlace, view.Also = output, e.inPlace[output], slices.Clone(e.Also)
		view.Also[i] = e.Output
		view.seenFrom = sync.OnceValue(view.turned)
		views = append(views, &view)
	}
	return views
}

// DispatchRule is the rule for the number of workgroups.
type DispatchRule int

// The rules. Cover dispatches enough workgroups of the learner's size to give each element
// of the case's Extent an invocation. Each dispatches one workgroup per element.
const (
	Cover DispatchRule = iota
	Each
)

// A Pass is a further dispatch of an exercise, with an entry point of its own.
type Pass struct {
	Entry    string
	Dispatch DispatchRule
}

// Compile compiles all passes of a shader.
func (e *Exercise) Compile(ctx context.Context, on shader.Backend, source *shader.Source) (shader.Program, error) {
	return shader.CompileAll(ctx, on, e.PassesOf(source))
}

// RunOnce compiles a shader, and runs it in a case. how adds to the dispatch.
func (e *Exercise) RunOnce(ctx context.Context, on shader.Backend, source *shader.Source, c Case, how func(*shader.Dispatch)) (shader.Result, error) {
	program, err := e.Compile(ctx, on, source)
	if err != nil {
		return shader.Result{}, err
	}
	defer program.Free()
	d, err := e.Dispatched(c, source)
	if err != nil {
		return shader.Result{}, err
	}
	how(&d)
	return program.Run(ctx, d)
}

// PassesOf returns a shader at the entry point of each pass.
func (e *Exercise) PassesOf(source *shader.Source) []*shader.Source {
	var passes []*shader.Source
	for _, entry := range e.Entries() {
		passes = append(passes, source.At(entry))
	}
	return passes
}

// OnlyPass returns the exercise of one pass, which begins where the passes before it end. Its
// output is a binding that the pass writes; filled says that one of those before wrote there as
// well.
func (e *Exercise) OnlyPass(pass, output int, filled bool) *Exercise {
	one := *e
	one.Entry = e.Entries()[pass]
	if pass > 0 {
		one.Dispatch = e.Later[pass-1].Dispatch
	}
	one.Output, one.InPlace, one.Also, one.Later = output, filled || e.inPlace[output], nil, nil
	one.standard = func() (*shader.Source, error) {
		source, err := e.standard()
		if err != nil {
			return nil, err
		}
		return source.At(one.Entry), nil
	}
	one.right = func() (*rightShaders, error) {
		all, err := e.right()
		if err != nil {
			return nil, err
		}
		return &rightShaders{sources: all.sources}, nil
	}
	return &one
}

// OnlyPass returns the case of one pass, with what the buffers hold before it.
func (c Case) OnlyPass(pass int, before []Buffer) Case {
	if pass > 0 {
		c.Extent = c.Later[pass-1]
	}
	c.Buffers, c.Later = before, nil
	return c
}

// FirstPass says which pass is shown where only one is; "" if there is only one.
func (e *Exercise) FirstPass() string {
	if len(e.Later) == 0 {
		return ""
	}
	return fmt.Sprintf(", pass 1 of %d: %s", 1+len(e.Later), e.Entry)
}

// Entries returns the entry points of the passes, in order.
func (e *Exercise) Entries() []string {
	entries := []string{e.Entry}
	for _, pass := range e.Later {
		entries = append(entries, pass.Entry)
	}
	return entries
}

// Dispatched returns the run of a case: the workgroups of each pass of a shader that has compiled,
// the buffers, and which of them are the output.
func (e *Exercise) Dispatched(c Case, source *shader.Source) (shader.Dispatch, error) {
	return e.DispatchedEach(c, e.PassesOf(source))
}

// DispatchedEach returns the same if each pass is from a shader of its own.
func (e *Exercise) DispatchedEach(c Case, passes []*shader.Source) (shader.Dispatch, error) {
	d := shader.Dispatch{Buffers: c.Buffers, Output: e.Output, Also: e.Also}
	for i, source := range passes {
		module, err := source.Module()
		if err != nil {
			return d, err
		}
		entry, ok := module.Entry(source.EntryPoint())
		if !ok {
			return d, source.NoEntryPoint()
		}
		if i == 0 {
			d.Workgroups = e.Dispatch.Workgroups(c.Extent, entry.WorkgroupSize)
			continue
		}
		d.Later = append(d.Later, e.Later[i-1].Dispatch.Workgroups(c.Later[i-1], entry.WorkgroupSize))
	}
	return d, nil
}

// Workgroups applies the rule for a workgroup size.
func (d DispatchRule) Workgroups(extent [3]int, size [3]uint32) [3]uint32 {
	if d == Each {
		return [3]uint32{uint32(extent[0]), uint32(max(1, extent[1])), uint32(max(1, extent[2]))}
	}
	groups := [3]uint32{1, 1, 1}
	for axis, n := range extent {
		if n > 0 {
			groups[axis] = (uint32(n) + size[axis] - 1) / size[axis]
		}
	}
	return groups
}

// String formats the rule as the contract does.
func (d DispatchRule) String() string {
	if d == Each {
		return "one workgroup each"
	}
	return "⌈extent/workgroup size⌉"
}

// A Case is one run of the shader.
type Case struct {
	Name    string   // "n = 65"
	Buffers []Buffer // one per binding, with the values before the run
	Extent  [3]int   // the elements that the dispatch covers in x, y and z; y and z may be 0
	Later   [][3]int // the same for the passes in Exercise.Later
	Columns []int    // of each binding's matrix; 0 for a binding that holds no matrix

	// MostSteps is the multiple of the reference's steps at which a shader does too much work. It
	// is
	// 0 if the exercise sets no limit.
	MostSteps int
}

// Covered returns how many elements the case's dispatch covers.
func (c Case) Covered() int {
	return max(1, c.Extent[0]) * max(1, c.Extent[1]) * max(1, c.Extent[2])
}

// IsBeyond reports whether the exercise is in the optional part of the course.
func (e *Exercise) IsBeyond() bool { return Lesson{Number: e.Lesson}.IsBeyond() }

// A Buffer holds the contents of a binding, in the type that every engine takes.
type Buffer = shader.Buffer

// The host fills outputs with poison before a run, which shows elements that were never
// written. No right answer is poison.
const (
	PoisonU32 uint32  = 0xBAD0BAD0
	StaleF32  float32 = -7654.25 // a finite poison: shows a shader that adds to its output
)

// PoisonF32 is NaN, which no sum or product turns into a number again.
var PoisonF32 = float32(math.NaN())

// Unwritten returns an output of n poisoned float32 elements.
func Unwritten(n int) Buffer { return shader.FloatBuffer(slices.Repeat([]float32{PoisonF32}, n)) }

// ofTheCourse reads the exercises from their folders.
var ofTheCourse = sync.OnceValues(func() ([]*Exercise, []error) {
	return readCourse(exercises.Files)
})

// readCourse reads the exercises of the course, in its order. There is a *BrokenError for each
// folder that it leaves out.
func readCourse(files fs.FS) (found []*Exercise, broken []error) {
	descriptions, err := fs.Glob(files, "*/exercise.toml")
	if err != nil {
		return nil, []error{fmt.Errorf("listing the exercises of the course: %w", err)}
	}
	for _, name := range descriptions {
		id := path.Dir(name)
		if kind := KindOf(files, id); kind == Predict || kind == Host {
			continue // see questionsOfTheCourse and OnHost
		}
		e, err := readFolder(files, id)
		if err == nil {
			if err = requireLesson(e.Lesson, e.Notebook); err != nil {
				err = fmt.Errorf("%s: %w", name, err)
			}
		}
		if err != nil {
			broken = append(broken, &BrokenError{id, err})
			continue
		}
		found = append(found, e)
	}
	slices.SortStableFunc(found, inCourseOrder)
	return found, broken
}

// inCourseOrder compares two exercises by lesson, and in it by position.
func inCourseOrder(a, b *Exercise) int {
	return cmp.Or(cmp.Compare(a.Lesson, b.Lesson), cmp.Compare(a.position, b.position))
}

// A BrokenError says why an exercise is left out: its folder has a mistake.
type BrokenError struct {
	ID  string
	Err error
}

func (e *BrokenError) Error() string { return fmt.Sprintf("exercise %s: %v", e.ID, e.Err) }
func (e *BrokenError) Unwrap() error { return e.Err }

// Broken returns what is wrong with the exercises that are left out, those of the course and those
// of the pack; nil if there are none.
func Broken() error { return errors.Join(broken()...) }

func broken() []error {
	_, own := ofTheCourse()
	_, questions := questionsOfTheCourse()
	return slices.Concat(own, questions, pack().broken)
}

// all returns the exercises of the course, and then those of the pack.
var all = sync.OnceValue(func() []*Exercise {
	own, _ := ofTheCourse() // Broken has the errors
	return slices.Concat(own, pack().exercises)
})

// All returns the exercises that are shaders: those of the course, in its order, and then those of
// the pack.
func All() []*Exercise { return slices.DeleteFunc(slices.Clone(all()), isCase) }

// Written returns the exercises that the learner answers with a file: those of All, and the cases
// in which a wrong shader goes wrong. They are in the same order.
func Written() []*Exercise { return slices.Clone(all()) }

// isCase reports whether the learner writes a case, and no shader.
func isCase(e *Exercise) bool { return e.Kind == BreakIt }

// OfTheCourse returns the exercises of the course that are shaders, in its order.
func OfTheCourse() []*Exercise {
	own, _ := ofTheCourse() // Broken has the errors
	return slices.DeleteFunc(slices.Clone(own), isCase)
}

// An UnknownError reports an id that no exercise has, and the id it resembles, if any.
type UnknownError struct{ ID, Nearest string }

func (e *UnknownError) Error() string {
	if e.Nearest == "" {
		return fmt.Sprintf("no exercise is called %q; `wgslab exercises` lists them all", e.ID)
	}
	return fmt.Sprintf("no exercise is called %q; did you mean %q? `wgslab exercises` lists them all", e.ID, e.Nearest)
}

// Find returns the exercise with an id. Its error is an *UnknownError, or says what is wrong with
// the exercise, or with the whole pack.
func Find(id string) (*Exercise, error) {
	var known []string
	for _, e := range append(Written(), OnHost...) {
		if e.ID == id {
			return e, nil
		}
		known = append(known, e.ID)
	}
	if err := whyBroken(id); err != nil {
		return nil, err
	}
	nearest := syntax.Closest(id, known)
	if i := slices.IndexFunc(known, func(other string) bool { return strings.HasPrefix(other, id) }); nearest == "" && i >= 0 {
		nearest = known[i]
	}
	return nil, &UnknownError{ID: id, Nearest: nearest}
}

// whyBroken returns what is wrong with the exercise that has an id, or with a pack that can't be
// read at all and may have had it; nil if there is no such mistake.
func whyBroken(id string) error {
	for _, err := range broken() {
		var one *BrokenError
		switch {
		case !errors.As(err, &one):
			return fmt.Errorf("no exercise of the course is called %q, and no other can be read: %w", id, err)
		case one.ID == id:
			return err
		}
	}
	return nil
}

// Skeleton returns the shader that the learner starts with. It writes nothing, and may leave out
// bindings, parameters or the whole entry point.
func (e *Exercise) Skeleton() (string, error) { return e.skeleton() }

func (e *Exercise) readSkeleton() (string, error) {
	source, err := fs.ReadFile(e.files, e.ID+"/skeleton.wgsl")
	if err != nil {
		return "", fmt.Errorf("exercise %s has no skeleton: %w", e.ID, err)
	}
	return string(source), nil
}

// Reference returns the right shader that is the standard: what it leaves in a case is right.
func (e *Exercise) Reference() (*shader.Source, error) {
	if e.IsOnHost() {
		return nil, fmt.Errorf("exercise %s is no shader", e.ID)
	}
	return e.reference()
}

func (e *Exercise) readReference() (*shader.Source, error) {
	name := "reference.wgsl"
	if e.Break != nil {
		name = solutionOf
	}
	text, err := fs.ReadFile(e.files, e.ID+"/"+name)
	if err != nil {
		return nil, fmt.Errorf("exercise %s has no reference shader: %w", e.ID, err)
	}
	source := shader.Read("reference.wgsl", string(text))
	if mistake := source.Mistake(); mistake != nil {
		return nil, fmt.Errorf("the reference shader of %s: %w", e.ID, mistake)
	}
	return source, nil
}

// Standard returns the reference for computing right outputs. If it works in workgroups of any
// size, it has small ones: most cases have rows that are shorter than a workgroup, and the
// invocations without an element only cost time.
func (e *Exercise) Standard() (*shader.Source, error) { return e.standard() }

func (e *Exercise) readStandard() (*shader.Source, error) {
	reference, err := e.Reference()
	if err != nil {
		return nil, err
	}
	if !e.anySize {
		return reference, nil
	}
	module, err := reference.Module()
	if err != nil {
		return nil, err
	}
	entry, ok := module.Entry(shader.EntryPoint)
	if !ok {
		return reference, nil // running it says what is missing
	}
	const few = 4 // in each direction
	size := entry.WorkgroupSize
	for axis := range size {
		size[axis] = min(size[axis], few)
	}
	resized, ok := shader.Resized(reference.Name, reference.Text, size)
	if !ok || resized.Mistake() != nil {
		return nil, fmt.Errorf("the reference shader of %s cannot have workgroups of another size, as any_size says", e.ID)
	}
	return resized, nil
}

// Misconceptions returns the known mistakes, in the order of their files.
func (e *Exercise) Misconceptions() ([]*Misconception, error) { return e.misconceptions() }

func (e *Exercise) readMisconceptions() ([]*Misconception, error) {
	own, err := readMisconceptions(e.files, e.ID)
	for _, m := range own {
		m.asIs = len(e.Later) > 0 // each entry point has a size of its own
	}
	if err != nil || e.WrongAsIn == "" {
		return own, err
	}
	others, err := readMisconceptions(e.files, e.WrongAsIn)
	return append(own, others...), err
}

// Draw draws the cases for a seed.
func (e *Exercise) Draw(seed uint64) []Case {
	return e.Cases(rand.New(rand.NewPCG(seed, uint64(e.Lesson))))
}

// DrawSmall draws the small case, to look at closely.
func (e *Exercise) DrawSmall(seed uint64) Case {
	return e.Small(rand.New(rand.NewPCG(seed, uint64(e.Lesson))))
}

// DrawCompared draws e's large case with the sizes at which another exercise's shaders are compared
// with others. If e has no such sizes, DrawCompared draws its own small case.
func (e *Exercise) DrawCompared(other *Exercise, seed uint64) Case {
	if c, err := e.DrawSized(seed, other.compared); err == nil {
		return c
	}
	return e.DrawSmall(seed)
}

// DrawLarge draws the large case, to time; ok is false if there is none.
func (e *Exercise) DrawLarge(seed uint64) (c Case, ok bool) {
	if e.Large == nil {
		return Case{}, false
	}
	return e.Large(rand.New(rand.NewPCG(seed, uint64(e.Lesson)))), true
}

// DrawSized draws the large case with some sizes in place of its own, by their names.
func (e *Exercise) DrawSized(seed uint64, given map[string]int) (Case, error) {
	if e.sized == nil {
		return Case{}, fmt.Errorf("%s has no large case", e.ID)
	}
	return e.sized(rand.New(rand.NewPCG(seed, uint64(e.Lesson))), given)
}

// DrawPast draws a case that needs two workgroups of a size in each direction, the second
// one not full; ok is false if the exercise has none.
func (e *Exercise) DrawPast(seed uint64, size [3]uint32) (c Case, ok bool) {
	if e.Past == nil {
		return Case{}, false
	}
	return e.Past(rand.New(rand.NewPCG(seed, uint64(e.Lesson))), int(size[0])+1, int(size[1])+1), true
}
