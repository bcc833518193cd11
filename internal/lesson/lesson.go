// Package lesson holds the exercises as data: what a shader is given, what it
// must compute, which mistakes are known and what lies behind each of them. It
// runs nothing, so that any backend can run an exercise.
//
// One exercise is one file, named after its id.
package lesson

import (
	"embed"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/agnivade/levenshtein"
	"github.com/wgslab/wgslab/internal/shader"
	"github.com/wgslab/wgslab/internal/tensor"
)

// An Exercise is one shader for the learner to write. Its id, bindings and
// dispatch are the contract with notebooks, checks and graders.
type Exercise struct {
	ID      string
	Lesson  int    // 1 to 8
	Title   string // a few words
	Task    string // what the shader computes, one sentence
	Stretch bool   // beyond the lesson's core
	Points  int    // for grading
	Partial int    // of Points, for a shader that is not right, but right in at least half of its cases

	Bindings []Binding
	Output   int      // the binding that the shader writes
	InPlace  bool     // the output is an input too: the host fills it with values
	Dispatch Dispatch // how many workgroups the host asks for

	// Columns is how many columns the matrix has that a binding holds in a case; 0
	// where it holds none, and nil where no binding does.
	Columns func(c Case, binding int) int

	// Cases draws the cases; the same rng state gives the same cases.
	Cases func(rng *rand.Rand) []Case
	// Small draws a case in which every access of a shader can be followed: few
	// elements, and yet several workgroups wherever the exercise has so many.
	Small func(rng *rand.Rand) Case
	// Large draws a case that takes long enough to be timed; nil where the
	// exercise has no large one.
	Large func(rng *rand.Rand) Case
	// Past draws a case of at least so many columns and rows, for workgroups so
	// large that none of Cases takes several of them in each direction; nil where
	// there always is one.
	Past func(rng *rand.Rand, columns, rows int) Case
	// Reference computes the output of a case over its whole length.
	Reference func(c Case) Buffer
	// Tolerance is how far the output of a case may be from the reference. The
	// zero function means exact.
	Tolerance func(c Case) tensor.Tolerance

	// WithoutWorkgroupMemory, where set, is what to say of a shader whose values
	// are right but whose invocations do not share them in workgroup memory, which
	// the exercise is about. It has no Output.
	WithoutWorkgroupMemory *Misconception

	Misconceptions []Misconception
	Hints          []string // each goes a step further; the last stops short of the code
}

// A Binding is what the host binds at @group(0) @binding(its index).
type Binding struct {
	Name   string
	Access shader.Space
	Type   string // in WGSL, "array<f32>", or the struct, "Params{alpha: f32, n: u32}"
}

// Dispatch is the rule that gives the number of workgroups.
type Dispatch int

// The rules. Cover asks for enough workgroups of the learner's size that every
// element of the case's Extent has an invocation; Each asks for as many
// workgroups as the Extent counts.
const (
	Cover Dispatch = iota
	Each
)

// Workgroups applies the rule for a workgroup size.
func (d Dispatch) Workgroups(extent [2]int, size [3]uint32) [3]uint32 {
	if d == Each {
		return [3]uint32{uint32(extent[0]), 1, 1}
	}
	groups := [3]uint32{1, 1, 1}
	for axis, n := range extent {
		if n > 0 {
			groups[axis] = (uint32(n) + size[axis] - 1) / size[axis]
		}
	}
	return groups
}

// String is the rule as the contract writes it.
func (d Dispatch) String() string {
	if d == Each {
		return "one workgroup each"
	}
	return "⌈extent/workgroup size⌉"
}

// A Case is one run of the shader.
type Case struct {
	Name    string   // "n = 65"
	Buffers []Buffer // one for each binding, as the host fills them before the run
	Extent  [2]int   // elements in x and y that the dispatch covers; y may be 0
}

// A Buffer is what a binding holds, as every engine takes it.
type Buffer = shader.Buffer

// Outputs are filled with poison before a run, so that an element which nobody
// wrote is seen. No right answer is poison.
const (
	PoisonU32 uint32  = 0xBAD0BAD0
	StaleF32  float32 = -7654.25 // a finite poison: shows a shader that adds to its output
)

// PoisonF32 is NaN, which no sum or product turns into a number again.
var PoisonF32 = float32(math.NaN())

// Anything stands in a misconception's output for a value that is not
// determined; AnythingU32 does among whole numbers.
const (
	Anything    float32 = math.MaxFloat32
	AnythingU32 uint32  = 0xA11A11A1
)

// Undetermined says whether element i of a misconception's output is Anything.
func Undetermined(b Buffer, i int) bool {
	if b.Element == shader.F32 {
		return b.Floats()[i] == Anything
	}
	return b.Uints()[i] == AnythingU32
}

// Unwritten is an output of n poisoned float32 elements.
func Unwritten(n int) Buffer { return shader.FloatBuffer(slices.Repeat([]float32{PoisonF32}, n)) }

// Stale is an output of n float32 elements that somebody left there.
func Stale(n int) Buffer { return shader.FloatBuffer(slices.Repeat([]float32{StaleF32}, n)) }

// UnwrittenU32 is an output of n poisoned uint32 elements.
func UnwrittenU32(n int) Buffer { return shader.UintBuffer(slices.Repeat([]uint32{PoisonU32}, n)) }

// A Misconception is a known way to be wrong, with the output that it leads to.
// It says what happened and why, and never the corrected line.
type Misconception struct {
	Slug  string // the diagnosis, "local-id"
	Title string // what the shader does, one sentence
	Why   string // why that happens, and what it teaches
	Ask   string // a question that leads on

	// Builtins are those that the mistake is made with: a shader that asks for
	// none of them has made another one. Empty where no builtin is needed.
	Builtins []string

	// Output is what such a shader leaves in the output binding, computed in Go
	// for a workgroup size; where it writes nothing, what was there before; where
	// nobody can know, as after a race, Anything.
	Output func(c Case, size [3]uint32) Buffer
}

// all is filled by the files of the exercises, in the order of the course.
var all = []*Exercise{
	hello,
	add, vectorAdd, saxpy,
	matmul, matmulTiled,
	relu, leakyRelu,
	rowMax, softmax,
	linear,
	normalize, argmax,
	downsample,
}

// All returns the exercises that are shaders, in the order of the course.
func All() []*Exercise { return slices.Clone(all) }

// An UnknownError says that no exercise has an id, and which one is nearest.
type UnknownError struct{ ID, Nearest string }

func (e *UnknownError) Error() string {
	return fmt.Sprintf("no exercise is called %q; did you mean %q? `wgslab exercises` lists them all", e.ID, e.Nearest)
}

// Find looks an exercise up. The error is an *UnknownError.
func Find(id string) (*Exercise, error) {
	nearest := all[0].ID
	for _, e := range append(All(), Forward) {
		if e.ID == id {
			return e, nil
		}
		if levenshtein.ComputeDistance(id, e.ID) < levenshtein.ComputeDistance(id, nearest) {
			nearest = e.ID
		}
	}
	return nil, &UnknownError{ID: id, Nearest: nearest}
}

//go:embed skeleton/*.wgsl
var skeletons embed.FS

// Skeleton is the shader that the notebook starts the learner with: it compiles
// and writes nothing.
func (e *Exercise) Skeleton() (string, error) {
	source, err := skeletons.ReadFile("skeleton/" + e.ID + ".wgsl")
	if err != nil {
		return "", fmt.Errorf("exercise %s has no skeleton: %w", e.ID, err)
	}
	return string(source), nil
}

// Draw draws the cases for a seed.
func (e *Exercise) Draw(seed uint64) []Case {
	return e.Cases(rand.New(rand.NewPCG(seed, uint64(e.Lesson))))
}

// DrawSmall draws the case to look at closely.
func (e *Exercise) DrawSmall(seed uint64) Case {
	return e.Small(rand.New(rand.NewPCG(seed, uint64(e.Lesson))))
}

// DrawLarge draws the case to time; ok is false where there is none.
func (e *Exercise) DrawLarge(seed uint64) (c Case, ok bool) {
	if e.Large == nil {
		return Case{}, false
	}
	return e.Large(rand.New(rand.NewPCG(seed, uint64(e.Lesson)))), true
}

// DrawPast draws a case that takes two workgroups of a size in each direction, the
// last of them not full; ok is false where the exercise has none.
func (e *Exercise) DrawPast(seed uint64, size [3]uint32) (c Case, ok bool) {
	if e.Past == nil {
		return Case{}, false
	}
	return e.Past(rand.New(rand.NewPCG(seed, uint64(e.Lesson))), int(size[0])+1, int(size[1])+1), true
}

// Allowed is the exercise's tolerance for a case.
func (e *Exercise) Allowed(c Case) tensor.Tolerance {
	if e.Tolerance == nil {
		return tensor.Tolerance{}
	}
	return e.Tolerance(c)
}
