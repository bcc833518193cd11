package host

import (
	"fmt"
	"math/rand/v2"

	"github.com/wgslab/wgslab/internal/machine/webgpu"
)

// add is the host of vector-add.
var add = &HostTask{ID: "host-add", Shaders: []string{"vector-add"}, Cases: func(random *rand.Rand) (cases []Case) {
	for _, c := range []struct {
		n    int
		size uint32
	}{{1, 64}, {63, 64}, {64, 64}, {65, 64}, {1000, 64}, {1000, 32}, {777, 128}} {
		a, b := drawFloats(random, c.n), drawFloats(random, c.n)
		want := make([]float64, c.n)
		for i := range want {
			want[i] = float64(a[i] + b[i])
		}
		cases = append(cases, Case{
			Name: fmt.Sprintf("n = %d", c.n), Sizes: row(c.size), Floats: [][]float32{a, b}, Want: want,
			Due:    webgpu.Want{Submissions: 1, Readbacks: 1},
			stages: []stage{{want: elements(c.n, 0), gets: []operand{sent("a", a), sent("b", b)}, out: 2}},
		})
	}
	return cases
}}

// saxpy is the host of saxpy: y = alpha · x + y for the first n elements.
var saxpy = &HostTask{ID: "host-saxpy", Shaders: []string{"saxpy"}, Cases: func(random *rand.Rand) (cases []Case) {
	for _, c := range []struct {
		length, n int
		size      uint32
	}{{1, 1, 64}, {64, 40, 64}, {65, 65, 64}, {1000, 900, 64}, {1000, 999, 32}} {
		alpha, x, y := float32(random.IntN(40)+1)/8, drawFloats(random, c.length), drawFloats(random, c.length)
		want := make([]float64, c.length)
		for i := range want {
			want[i] = float64(y[i])
			if i < c.n {
				want[i] = float64(alpha)*float64(x[i]) + float64(y[i])
			}
		}
		cases = append(cases, Case{
			Name: fmt.Sprintf("n = %d of %d", c.n, c.length), Sizes: row(c.size),
			Floats: [][]float32{x, y}, Counts: []int{c.n}, Alpha: alpha, Want: want,
			Due:    webgpu.Want{Submissions: 1, Readbacks: 1},
			stages: []stage{{want: with(elements(c.n, 0), alpha, webgpu.Share(c.n)), spare: c.length - c.n, gets: []operand{{}, sent("x", x), sent("y", y)}, out: 2}},
		})
	}
	return cases
}, Known: []WrongBytes{
	{
		"y-not-sent", "The result is alpha * x: y was 0 when your shader began.",
		"A new buffer holds zeros. The shader adds to what is there.",
		"How do the old numbers of y come into its buffer?",
		func(c Case) []float64 {
			result := make([]float64, len(c.Want))
			for i := range c.Counts[0] {
				result[i] = float64(c.Alpha) * float64(c.Floats[0][i])
			}
			return result
		},
	},
}}
