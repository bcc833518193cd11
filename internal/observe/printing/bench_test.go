package printing_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/machine/sim"
	"github.com/wgslab/wgslab/internal/observe/debug"
	"github.com/wgslab/wgslab/internal/observe/printing"
)

// manyComments is a shader with n lines, each with a name of its own and a comment that prints one.
// Where the shader is longer, the time of each comment must stay: time and memory grow with n.
func manyComments(n int) string {
	var b strings.Builder
	b.WriteString(head)
	for k := range n {
		fmt.Fprintf(&b, "    let v%d = i; // print: i\n", k)
	}
	return b.String() + "}\n"
}

func BenchmarkManyComments(b *testing.B) {
	for _, n := range []int{1000, 2000, 4000} {
		text := manyComments(n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				source := shader.Read("try.wgsl", text)
				_, err := printing.Run(b.Context(), source, func(marked *shader.Source) (*debug.Target, error) {
					program, err := sim.CompileEntry(marked, nil, true)
					return &debug.Target{Program: program, Workgroups: [3]uint32{1, 1, 1}, Buffers: []sim.BoundBuffer{{Data: make([]byte, 24)}}}, err
				})
				require.NoError(b, err)
			}
		})
	}
}
