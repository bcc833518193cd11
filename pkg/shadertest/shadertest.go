// Package shadertest tests WGSL compute shaders in go test, without a GPU: a shader has to compute
// the same as a Go function, on sizes from one number to another.
//
//	func TestBlur(t *testing.T) {
//		shadertest.Same(t, "blur.wgsl", func(x, out []float32) {
//			for i := range out {
//				out[i] = (x[max(i, 1)-1] + x[i] + x[min(i+1, len(x)-1)]) / 3
//			}
//		})
//	}
//
// The simulator runs the shader and watches every access. A race, or an access out of bounds, fails
// the test even if all values are right. So do values that depend on the order of workgroups, or on
// the size of subgroups.
package shadertest

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/wgslab/wgslab/internal/machine/shader"
)

// Same fails the test if the shader in a file computes something else than a Go function, on sizes
// from 1 to 300. It is Setup{File: file}.Same.
func Same(t testing.TB, file string, want any) {
	t.Helper()
	Setup{File: file}.Same(t, want)
}

// A Setup is a shader to test, and how the host runs it.
type Setup struct {
	File  string // relative to the package's folder, as in all Go tests
	Entry string // the entry point; "" if there is only one

	// From and To are the sizes, both included; 0 means 1 and 300. Same tries the ends, those
	// around whole workgroups, and some between. If one fails, it looks for the smallest that does.
	From, To int

	// Inputs returns what the bindings hold before the run: the values of the Go function's
	// parameters, for a size. If it is nil, each array has n random elements, each u32 of a uniform
	// is n, and each float of one is random.
	Inputs func(n int, random *rand.Rand) []any
	// Workgroups returns how many run in x, y and z. If it is nil, there are enough in x for an
	// invocation per element of the longest array.
	Workgroups func(n int) [3]uint32

	// Tolerance is how far a float may be from the Go function's, absolutely or relative to it. 0
	// means the bounds of the errors that WGSL allows for the shader's own operations.
	Tolerance float64
	Seed      uint64 // draws the random numbers: the same seed, the same test
}

// Same fails the test if the shader leaves something else in the bindings that it may write than
// the Go function in its parameters.
//
// The function has a parameter for each binding of @group(0), in the order of their numbers: a
// slice for an array, a struct or a number for a uniform. Elements and members are float32, uint32
// and int32, arrays of them for vectors, or structs with WGSL's layout, padding included: an
// element of array<vec3f> is a [4]float32. The function changes its slices as the shader changes
// its arrays.
func (s Setup) Same(t testing.TB, want any) {
	t.Helper()
	run, err := s.prepare(want)
	var mistake *shader.CompileError
	switch {
	case errors.As(err, &mistake): // it names the file
		t.Fatalf("%v", err)
	case err != nil:
		t.Fatalf("%s: %v", s.File, err)
	}
	if failed := run.all(t.Context()); failed != "" {
		t.Fatalf("%s", failed)
	}
}

// Floats returns n random numbers between -10 and 10, for Inputs.
func Floats(random *rand.Rand, n int) []float32 {
	values := make([]float32, n)
	for i := range values {
		values[i] = float(random)
	}
	return values
}

func float(random *rand.Rand) float32 { return 20*random.Float32() - 10 }
