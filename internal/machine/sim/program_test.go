package sim_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/machine/sim"
	_ "github.com/wgslab/wgslab/internal/machine/sim/machinecode"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// build compiles a shader with the product's own function, with every language feature.
func build(code, entry string, constants map[string]float64) (*sim.Program, error) {
	return sim.CompileEntry(shader.ReadWith("test.wgsl", code, types.AllFeatures).At(entry), constants, false)
}

func mustBuild(t testing.TB, code string) *sim.Program {
	t.Helper()
	p, err := build(code, "main", nil)
	require.NoError(t, err)
	return p
}

// The simulator says for itself what it lacks, and where: no compiler refused anything.
func TestWhatTheSimulatorLacks(t *testing.T) {
	for code, said := range map[string]string{
		"enable f16;\nvar<workgroup> w: buffer<16>;\n@compute @workgroup_size(1) fn main() { _ = *bufferView<f16>(&w, 0); }": "test.wgsl:3:46: WGSL allows this, but the simulator does not support f16 in a view of workgroup memory\n3 | ",
		"var<workgroup> w: array<f32, 100000000>;\n@compute @workgroup_size(1) fn main() { w[0] = 1.0; }":                    "test.wgsl: WGSL allows this, but the shader is too large to simulate",
	} {
		_, err := build(code, "main", nil)
		require.ErrorContains(t, err, said)
		require.NotContains(t, err.Error(), "compiler")
		require.True(t, shader.RefusedOnly(err), "another engine may run it")
	}
}

func TestSourceIsCompiledOnce(t *testing.T) {
	source := shader.Read("test.wgsl", "@compute @workgroup_size(1) fn main() {}")
	first, err := sim.CompileEntry(source, nil, false)
	require.NoError(t, err)
	again, err := sim.CompileEntry(source, nil, false)
	require.NoError(t, err)
	require.Same(t, first, again)
	wrong := shader.Read("test.wgsl", "fn main(")
	for range 2 {
		_, err = sim.CompileEntry(wrong, nil, false)
		require.Error(t, err)
	}
}

func run(t testing.TB, p *sim.Program, workgroups [3]uint32, options sim.Options, buffers ...[]byte) *sim.Result {
	t.Helper()
	bound := make([]sim.BoundBuffer, len(buffers))
	for i, b := range buffers {
		bound[i] = sim.BoundBuffer{Binding: uint32(i), Data: b}
	}
	result, err := p.Run(context.Background(), workgroups, bound, options)
	require.NoError(t, err)
	return result
}

// runRapid is run for tests with rapid.
func runRapid(t require.TestingT, p *sim.Program, options sim.Options, buffers ...[]byte) {
	bound := make([]sim.BoundBuffer, len(buffers))
	for i, b := range buffers {
		bound[i] = sim.BoundBuffer{Binding: uint32(i), Data: b}
	}
	_, err := p.Run(context.Background(), [3]uint32{1, 1, 1}, bound, options)
	require.NoError(t, err)
}
