package webgpu_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/machine/webgpu"
)

// BenchmarkPass measures what a pass of five calls costs before it is submitted.
func BenchmarkPass(b *testing.B) {
	w := newWorld(b, webgpu.Go)
	k := w.pipeline(fill)
	g := w.group(w.first(k), w.buffer(400, all))
	b.ReportAllocs()
	for b.Loop() {
		e, err := w.CreateCommandEncoder(webgpu.Caller(0), "")
		require.NoError(b, err)
		for range 10 {
			p, _ := e.BeginComputePass(webgpu.Caller(0), "", nil)
			_ = p.SetPipeline(webgpu.Caller(0), k)
			_ = p.SetBindGroup(webgpu.Caller(0), 0, g, nil)
			_ = p.DispatchWorkgroups(webgpu.Caller(0), 1, 1, 1)
			_ = p.End(webgpu.Caller(0))
		}
		e.Release(webgpu.Caller(0))
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(10*b.N), "ns/pass")
}
