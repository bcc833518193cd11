// This file computes what a right shader leaves: the simulator runs the exercise's reference
// with floats of 64 bits.

package evidence

import (
	"context"
	"fmt"
	"hash/maphash"
	"sync"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/machine/engine/simulator"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
)

// exact runs the reference shaders. It is the same simulator wherever a learner's shader runs.
var exact = simulator.New(simulator.Options{})

// A RightOutput is what a right shader leaves in a case.
type RightOutput struct {
	Right                       // in Exercise.Output
	Also      []Right           // in Exercise.Also
	Steps     uint64            // of the reference
	Undecided []findings.Region // places in the reference where rounding decides what happens next
}

// A Right is what a right shader leaves in one output.
type Right struct {
	Output  course.Buffer
	Allowed course.Tolerance // how far a right shader's output may be from it
}

// All returns what a right shader leaves in each output.
func (x *RightOutput) All() []Right { return append([]Right{x.Right}, x.Also...) }

// In returns what a right shader leaves in a case: what the reference does in the simulator, with
// floats of 64 bits. It runs once for equal cases.
func In(ctx context.Context, e *course.Exercise, c course.Case) (*RightOutput, error) {
	result, err := run(ctx, e, c)
	if err != nil {
		return nil, fmt.Errorf("running the reference of %s, case %s: %w", e.ID, c.Name, err)
	}
	x := &RightOutput{Right: rightOf(e, result.Left), Steps: result.Steps, Undecided: result.Undecided}
	for _, l := range result.Also {
		x.Also = append(x.Also, rightOf(e, l))
	}
	return x, nil
}

func rightOf(e *course.Exercise, l shader.Left) Right {
	if e.Tolerance.Absolute > 0 || e.Tolerance.Relative > 0 {
		return Right{l.Output, e.Tolerance}
	}
	return Right{l.Output, course.Tolerance{Margins: l.Margins}}
}

func run(ctx context.Context, e *course.Exercise, c course.Case) (shader.Result, error) {
	source, err := e.Standard()
	if err != nil {
		return shader.Result{}, err
	}
	key := keyOf(e, source, c)
	if known, ok := cache.get(key); ok {
		return known, nil
	}
	result, err := e.RunOnce(ctx, exact, source, c, func(d *shader.Dispatch) { d.Exact = true })
	if err == nil {
		cache.put(key, result)
	}
	return result, err
}

// mostCached limits the results that are kept: a class has the same cases for every student, about
// ten for each exercise.
const mostCached = 256

// results keeps what references left, by exercise and case.
type results struct {
	sync.Mutex
	known map[resultKey]shader.Result
}

// A resultKey holds what a reference's result depends on. It is not the exercise itself: a check of
// an edited shader, or of one pass, has a copy of its own.
type resultKey struct {
	reference *shader.Source
	passes    string // the entry points, how they are dispatched, and the outputs
	inputs    uint64 // a hash of the extents and of the buffers' contents
}

var cache = results{known: map[resultKey]shader.Result{}}

func (r *results) get(key resultKey) (shader.Result, bool) {
	r.Lock()
	defer r.Unlock()
	known, ok := r.known[key]
	return known, ok
}

func (r *results) put(key resultKey, result shader.Result) {
	r.Lock()
	defer r.Unlock()
	if len(r.known) >= mostCached {
		clear(r.known)
	}
	r.known[key] = result
}

var hashSeed = maphash.MakeSeed()

func keyOf(e *course.Exercise, reference *shader.Source, c course.Case) resultKey {
	var hash maphash.Hash
	hash.SetSeed(hashSeed)
	maphash.WriteComparable(&hash, c.Extent)
	for _, extent := range c.Later {
		maphash.WriteComparable(&hash, extent)
	}
	for _, b := range c.Buffers {
		maphash.WriteComparable(&hash, len(b.Bytes))
		_, _ = hash.Write(b.Bytes) // never fails
	}
	return resultKey{reference, fmt.Sprint(e.Entry, e.Dispatch, e.Later, e.Output, e.Also), hash.Sum64()}
}
