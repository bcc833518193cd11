package sim_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/machine/sim"
	"github.com/wgslab/wgslab/internal/machine/sim/ir"
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

func session(t *testing.T) (*sim.Stepper, []byte, *syntax.Source) {
	t.Helper()
	out := make([]byte, 8)
	params := make([]byte, 32)
	params[3], params[2] = 0x40, 0x40 // 3.0
	params[16] = 7
	s, _, source := stepping(t, stepped, map[uint32][]byte{0: params, 1: out})
	return s, out, source
}

// stepping starts a session of one workgroup.
func stepping(t require.TestingT, code string, buffers map[uint32][]byte) (*sim.Stepper, *sim.Program, *syntax.Source) {
	source := shader.Read("test.wgsl", code)
	program, err := sim.CompileEntry(source, nil, true)
	require.NoError(t, err)
	var bound []sim.BoundBuffer
	for n, data := range buffers {
		bound = append(bound, sim.BoundBuffer{Binding: n, Data: data})
	}
	s, err := program.Debug(context.Background(), [3]uint32{1, 1, 1}, bound)
	require.NoError(t, err)
	return s, program, source.Shader().Source
}

func values(s *sim.Stepper, local, frame int) map[string]string {
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
	line := func(p sim.ProgramPoint) int { return source.Position(p.Span.Start).Line }
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
	assert.ErrorIs(t, err, ir.ErrNotForDebugging)
}

// evaluate returns an expression's value as text at an invocation's position, or the error.
func evaluate(t require.TestingT, s *sim.Stepper, p *sim.Program, local, frame int, text string) string {
	e, err := p.Expression(s.Stack(local)[frame], text)
	if err != nil {
		return err.Error()
	}
	v, outside, err := s.Evaluate(e, local)
	require.NoError(t, err)
	if outside != nil {
		return v.String() + " outside"
	}
	return v.String()
}

func TestEvaluating(t *testing.T) {
	s, p, source := stepping(t, `override factor = 3u;
const half = 0.5;
struct Params { scale: f32, at: vec3u }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;
@group(0) @binding(2) var<storage> unused: array<f32>;
var<workgroup> s: array<f32, 2>;
var<workgroup> hits: atomic<u32>;
var<private> seen = 7i;
fn twice(x: f32, into: ptr<function, f32>) -> f32 {
  let y = x + x;
  *into += 1.0;
  seen++;
  return y;
}
fn idle() -> i32 { return 1; }
@compute @workgroup_size(2)
fn main(@builtin(local_invocation_index) i: u32) {
  var v = f32(i) + 1.5;
  let p = &s[i];
  atomicAdd(&hits, factor);
  if (i > 5u) { v = 0.0; } else if (i < 9u) { let w = v; *p = twice(w, &v); }
  for (var k = 0u; k < 2u; k++) { let v = k; s[k] += f32(v); }
  out[i] = v;
}`, map[uint32][]byte{0: make([]byte, 32), 1: make([]byte, 8)})
	ask := func(frame int, text string) string { return evaluate(t, s, p, 1, frame, text) }
	until := func(line int) {
		for range 100 {
			if source.Position(s.At(1).Span.Start).Line == line {
				return
			}
			s.Step(1)
		}
		t.Fatal("never came to line", line)
	}
	assert.Contains(t, ask(0, "v"), "`v` is not declared.")
	until(22)
	assert.Equal(t, "2.5", ask(0, "v"))
	assert.Equal(t, "5.0", ask(0, "v * f32(i + 1u)"))
	assert.Equal(t, "3u", ask(0, "factor"))
	assert.Equal(t, "1.0", ask(0, "half * 2"))
	assert.Equal(t, "3u", ask(0, "hits"), "a debugger may read atomics")
	assert.Equal(t, "vec3f(2.5, 2.5, 1.0)", ask(0, "vec3(vec2(v), 1)"))
	assert.Equal(t, "2u", ask(0, "arrayLength(&out)"))
	assert.Equal(t, "0.0 outside", ask(0, "out[i + 7u]"))
	assert.Equal(t, "0.0", ask(0, "*p"))
	assert.Contains(t, ask(0, "w"), "not declared")
	assert.Contains(t, ask(0, "v +"), "should follow")
	assert.Contains(t, ask(0, "1; v = 2"), "should end here")
	assert.Contains(t, ask(0, "unused[0]"), "nothing is bound to it")
	assert.Contains(t, ask(0, "out"), "element")
	assert.Contains(t, ask(0, "idle()"), "does not call")
	assert.Contains(t, ask(0, "workgroupBarrier()"), "returns nothing")
	assert.Equal(t, "6.0", ask(0, "twice(3.0, &v)"))
	assert.Equal(t, "2.5", ask(0, "v"), "what an expression writes does not stay")
	assert.Equal(t, "7", ask(0, "seen"))
	until(12)
	assert.Equal(t, "5.0", ask(0, "y"))
	assert.Equal(t, "2.5", ask(0, "*into"))
	assert.Contains(t, ask(0, "twice(x, into)"), "while it runs")
	assert.Equal(t, "2.5", ask(1, "w"))
	assert.Contains(t, ask(1, "y"), "not declared")
	until(23)
	assert.Contains(t, ask(0, "k"), "not declared", "the loop has not begun")
	s.Step(1)
	assert.Equal(t, "0u", ask(0, "k"), "before each round the loop's variable is known")
	assert.Equal(t, "0u", values(s, 1, 0)["k"])
	assert.Equal(t, "3.5", ask(0, "v"))
	s.Step(1)
	s.Step(1)
	assert.Equal(t, "0u", ask(0, "v"), "the inner v hides the other")
}

// TestAnyTextCanBeAsked checks that any typed text gives a value or an error that explains why not.
func TestAnyTextCanBeAsked(t *testing.T) {
	words := []string{
		"i", "v", "k", "s", "out", "params", "params.at", "twice", "main", "(", ")", "[", "]", "{", "}", ",", ";", ".", "+", "-", "*", "/", "%", "&", "&&", "<",
		"<<", "==", "!", "1", "2u", "0.5", "1e30f", "0", "xyz", "vec3f", "array<f32,3>", "select", "dot", "workgroupUniformLoad", "atomicAdd", "let", "//", "/*", "bitcast<u32>", "é",
	}
	s, p, _ := stepping(t, stepped, map[uint32][]byte{0: make([]byte, 32), 1: make([]byte, 8)})
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 0, 9).Draw(t, "words"), "")
		e, err := p.Expression(s.Stack(1)[0], text)
		if err != nil {
			require.NotEmpty(t, err.Error())
			return
		}
		v, _, err := s.Evaluate(e, 1)
		require.True(t, err != nil || v.Valid(), text)
	})
	_, err := p.Expression(s.Stack(1)[0], strings.Repeat("(", 1<<13))
	assert.ErrorContains(t, err, "more than 4096 bytes")
	assert.Equal(t, "the expression waits for the other invocations", func() string {
		e, err := p.Expression(s.Stack(1)[0], "workgroupUniformLoad(&s)[1]")
		require.NoError(t, err)
		_, _, err = s.Evaluate(e, 1)
		return err.Error()
	}())
}
