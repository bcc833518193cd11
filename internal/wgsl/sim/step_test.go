package sim_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/wgsl/sim"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

const stepped = `struct Params { scale: f32, at: vec3u }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;
var<workgroup> s: array<f32, 2>;
fn twice(x: f32) -> f32 {
  let y = x + x;
  return y;
}
@compute @workgroup_size(2)
fn main(@builtin(local_invocation_index) i: u32) {
  var v = f32(i) + 1.0;
  s[i] = twice(v) * params.scale;
  workgroupBarrier();
  for (var k = 0u; k < 2u; k++) {
    v += s[k];
  }
  out[i] = v;
}
`

func session(t *testing.T) (*sim.Session, []byte, *syntax.Source) {
	t.Helper()
	source := syntax.NewSource("test.wgsl", stepped)
	info, found := sim.Analyse(source, 0)
	require.Empty(t, found)
	pipeline, found := info.Pipeline(info.Entry("main"), nil)
	require.Empty(t, found)
	program, err := sim.Compile(pipeline, true)
	require.NoError(t, err)
	out := make([]byte, 8)
	params := make([]byte, 32)
	params[3], params[2] = 0x40, 0x40 // 3.0
	params[16] = 7
	s, err := program.Debug(context.Background(), [3]uint32{1, 1, 1}, []sim.Buffer{{Binding: 0, Data: params}, {Binding: 1, Data: out}})
	require.NoError(t, err)
	return s, out, source
}

func values(s *sim.Session, local, frame int) map[string]string {
	all := map[string]string{}
	for _, v := range s.Variables(local, frame) {
		if v.Value.Valid() {
			all[v.Object.Name] = v.Value.String()
		}
	}
	return all
}

func TestSteppingThroughAShader(t *testing.T) {
	s, out, source := session(t)
	line := func(p sim.Position) int { return source.Position(p.Span.Start).Line }
	assert.Equal(t, 2, s.Invocations())
	assert.Equal(t, 11, line(s.At(0)))
	assert.Equal(t, map[string]string{"i": "1u", "params": "Params(3.0, vec3u(7u, 0u, 0u))", "s": "array<f32, 2>(0.0, 0.0)"}, values(s, 1, 0))

	assert.Equal(t, 12, line(s.Step(1)))
	assert.Equal(t, "2.0", values(s, 1, 0)["v"])
	assert.Equal(t, 11, line(s.At(0)), "the neighbour stays where it is")

	p := s.Step(1)
	assert.Equal(t, 6, line(p))
	assert.Equal(t, "twice", p.Function.Object.Name)
	stack := s.Stack(1)
	require.Len(t, stack, 2)
	assert.Equal(t, "main", stack[1].Function.Object.Name)
	assert.Equal(t, 12, source.Position(stack[1].Span.Start).Line)
	assert.Equal(t, "2.0", values(s, 1, 0)["x"])
	assert.NotContains(t, values(s, 1, 0), "v")
	assert.Equal(t, "2.0", values(s, 1, 1)["v"])
	assert.Equal(t, 7, line(s.Step(1)))
	assert.Equal(t, "4.0", values(s, 1, 0)["y"])

	assert.Equal(t, 13, line(s.Step(1)))
	assert.Equal(t, sim.AtBarrier, s.Step(1).State)
	assert.Equal(t, "array<f32, 2>(0.0, 12.0)", values(s, 0, 0)["s"], "workgroup memory is everybody's")
	assert.False(t, s.Meet(), "the other one is not there yet")
	for s.At(0).State == sim.AtStatement {
		s.Step(0)
	}
	require.True(t, s.Meet())
	assert.Equal(t, 14, line(s.At(0)))
	for i := range 2 {
		for s.At(i).State != sim.Ended {
			s.Step(i)
		}
	}
	s.Write()
	assert.Equal(t, []byte{0, 0, 0x98, 0x41, 0, 0, 0xa0, 0x41}, out) // 19 and 20
	for _, v := range s.Variables(0, 0) {
		if v.Object.Name == "out" {
			assert.Equal(t, 2, s.Length(v))
			assert.Equal(t, types.FloatValue(types.F32, 20), s.Element(v, 1))
		}
	}
	assert.Empty(t, s.Findings())
	assert.False(t, s.Next())
}

func TestOnlyProgramsForDebuggingCanBeStepped(t *testing.T) {
	_, err := mustBuild(t, "@compute @workgroup_size(1) fn main() { var x = 1; x++; }").Debug(context.Background(), [3]uint32{1, 1, 1}, nil)
	assert.ErrorIs(t, err, sim.ErrNotForDebugging)
}
