package ladder

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
)

// shapes lists the m, n and k that a shader must get right: one element, a single row and column,
// multiples of no block size and of all, tall and wide ones.
var shapes = [][3]int{
	{1, 1, 1}, {1, 65, 9}, {65, 1, 7}, {2, 4, 3}, {17, 65, 33}, {131, 133, 37}, {3, 257, 130}, {257, 5, 16}, {128, 128, 16},
}

// shapesOf4 lists the shapes for shaders whose buffers hold vec4s. Their n and k are multiples of
// 4; some are multiples of nothing larger, some of all block sizes.
var shapesOf4 = [][3]int{
	{1, 4, 4}, {1, 68, 12}, {65, 4, 8}, {17, 68, 36}, {131, 132, 12}, {3, 260, 20}, {257, 4, 20}, {128, 128, 16}, {129, 124, 28},
}

// A WrongError says where a shader's result differs from the product.
type WrongError struct {
	Shape       [3]int // m, n, k
	Row, Column int    // of the first wrong element; Row is m or more past the end
	Got, Want   float64
	Wrong       int // the number of wrong elements
}

func (e *WrongError) Error() string {
	m, n, k := e.Shape[0], e.Shape[1], e.Shape[2]
	where := fmt.Sprintf("%d × %d times %d × %d: ", m, k, k, n)
	switch {
	case e.Row >= m:
		return where + "it writes past the end of out"
	case math.IsNaN(e.Got):
		return where + fmt.Sprintf("row %d, column %d has no number; %s", e.Row, e.Column, verdict.CountWrong(e.Wrong, m*n))
	}
	return where + fmt.Sprintf("row %d, column %d is %.5g and should be %.5g; %s", e.Row, e.Column, e.Got, e.Want, verdict.CountWrong(e.Wrong, m*n))
}

// Check runs a shader on many shapes and compares every element with the same sum in float64. It
// returns a *WrongError, or the error of the compiler or the bindings. Shaders that bind vec4s get
// multiples of 4 only.
func Check(device *gpu.Device, e Entry) error {
	pipeline, err := device.Compile(e.Name, e.Source)
	if err != nil {
		return err
	}
	defer pipeline.Free()
	rng := rand.New(rand.NewPCG(rand.Uint64(), 0))
	list := shapesFor(pipeline)
	for _, shape := range list {
		if err := checkShape(device, pipeline, rng, shape, unwritten); err != nil {
			return err
		}
	}
	return checkShape(device, pipeline, rng, list[len(list)/2], stale)
}

func shapesFor(pipeline *gpu.Pipeline) [][3]int {
	module, err := pipeline.Source().Module()
	if err != nil {
		return shapes
	}
	for _, b := range module.Bindings {
		if b.Type.Stride > 4 { // bytes from one element of the array to the next
			return shapesOf4
		}
	}
	return shapes
}

// The values of out before a run: NaN shows elements that were never written, a number shows
// shaders that add to the old value.
var unwritten, stale = float32(math.NaN()), float32(1e6)

// behind is the number of elements past the end of out that Check watches.
const behind = 4096

func checkShape(device *gpu.Device, pipeline *gpu.Pipeline, rng *rand.Rand, shape [3]int, poison float32) error {
	m, n, k := shape[0], shape[1], shape[2]
	a, b := numbers(rng, m*k), numbers(rng, k*n)
	got, err := product(device, pipeline, a, b, shape, poison)
	if err != nil {
		return err
	}
	wrong := &WrongError{Shape: shape}
	note := func(i int, want float64) {
		if wrong.Wrong++; wrong.Wrong == 1 {
			wrong.Row, wrong.Column, wrong.Got, wrong.Want = i/n, i%n, float64(got[i]), want
		}
	}
	for i := range m * n {
		if want, tolerance := element(a, b, i/n, i%n, n, k); !(math.Abs(float64(got[i])-want) <= tolerance) {
			note(i, want)
		}
	}
	for i := m * n; i < len(got) && wrong.Wrong == 0; i++ {
		if math.Float32bits(got[i]) != math.Float32bits(poison) {
			note(i, float64(poison))
		}
	}
	if wrong.Wrong > 0 {
		return wrong
	}
	return nil
}

// element computes one element of the product, and how far 32-bit sums may differ from it. Each of
// k products and k sums rounds by at most half a unit in the last place: 2^-24 of at most the sum
// of all magnitudes, in any order of addition.
func element(a, b []float32, row, column, n, k int) (value, tolerance float64) {
	magnitude := 0.0
	for i := range k {
		term := float64(a[row*k+i]) * float64(b[i*n+column])
		value += term
		magnitude += math.Abs(term)
	}
	return value, float64(k+1)*magnitude*0x1p-24 + math.SmallestNonzeroFloat32
}

// followed appends large numbers to values, which reveal reads past the end.
func followed(values []float32) []float32 {
	all := make([]float32, len(values)+behind)
	for i := copy(all, values); i < len(all); i++ {
		all[i] = stale
	}
	return all
}

// product runs a pipeline once. It also returns the elements past the end of out.
func product(device *gpu.Device, pipeline *gpu.Pipeline, a, b []float32, shape [3]int, poison float32) ([]float32, error) {
	m, n, k := shape[0], shape[1], shape[2]
	before := make([]float32, m*n+behind)
	for i := range before {
		before[i] = poison
	}
	var kept []*gpu.Buffer
	defer func() {
		for _, b := range kept {
			b.Free()
		}
	}()
	dims, err := gpu.Uniform(device, uint32(m), uint32(n), uint32(k))
	if err != nil {
		return nil, err
	}
	kept = append(kept, dims)
	for _, data := range [][]float32{followed(a), followed(b), before} {
		buffer, err := gpu.Upload(device, data)
		if err != nil {
			return nil, err
		}
		kept = append(kept, buffer)
	}
	pass, err := pipeline.Pass(workgroups(pipeline, m, n), kept...)
	if err != nil {
		return nil, err
	}
	defer pass.Free()
	if err := device.Run(pass); err != nil {
		return nil, err
	}
	return gpu.Read[float32](kept[len(kept)-1])
}
