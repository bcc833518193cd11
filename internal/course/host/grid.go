package host

import (
	"fmt"
	"math/rand/v2"

	"github.com/wgslab/wgslab/internal/machine/webgpu"
)

// grid is the host of iota-2d: out[row][col] = 1000 · row + col.
var grid = &HostTask{ID: "host-grid", Shaders: []string{"iota-2d"}, Cases: func(*rand.Rand) (cases []Case) {
	for _, c := range []struct {
		rows, cols int
		size       [3]uint32
	}{{1, 1, [3]uint32{8, 8, 1}}, {3, 20, [3]uint32{8, 8, 1}}, {20, 3, [3]uint32{8, 8, 1}}, {17, 40, [3]uint32{16, 4, 1}}, {33, 9, [3]uint32{4, 16, 1}}} {
		want := make([]float64, c.rows*c.cols)
		for i := range want {
			want[i] = float64(1000*(i/c.cols) + i%c.cols)
		}
		cases = append(cases, Case{
			Name: fmt.Sprintf("%d × %d", c.rows, c.cols), Sizes: [][3]uint32{c.size}, Counts: []int{c.rows, c.cols}, Want: want,
			Due: webgpu.Want{Submissions: 1, Readbacks: 1}, stages: []stage{{want: with(elements(c.cols, c.rows), webgpu.Share(c.rows), uint32(c.cols)), out: 1}},
		})
	}
	return cases
}}
