package host

import (
	"fmt"
	"math/rand/v2"

	"github.com/wgslab/wgslab/internal/machine/webgpu"
)

// calls is the host of hello, given but for two calls: the dispatch and the copy.
var calls = &HostTask{ID: "host-calls", Shaders: []string{"hello"}, Cases: func(*rand.Rand) (cases []Case) {
	for _, c := range []struct {
		n    int
		size uint32
	}{{64, 64}, {1000, 32}, {65, 64}, {1, 64}} {
		want := make([]float64, c.n)
		for i := range want {
			want[i] = float64(i)
		}
		cases = append(cases, Case{
			Name: fmt.Sprintf("n = %d", c.n), Sizes: row(c.size), Counts: []int{c.n}, Want: want,
			Due: webgpu.Want{Submissions: 1, Readbacks: 1}, stages: []stage{{want: elements(c.n, 0)}},
		})
	}
	return cases
}, begun: func(r *webgpu.Record) bool {
	if len(r.Submissions) != 1 || r.BytesCopied() > 0 {
		return true
	}
	for _, step := range r.Submissions[0].Steps {
		if step.Pass != nil && len(step.Pass.Dispatches) > 0 {
			return true
		}
	}
	return false
}}
