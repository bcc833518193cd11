package sim_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/machine/sim"
	"github.com/wgslab/wgslab/internal/machine/sim/ir"
)

func traced(t testing.TB, code string, workgroups [3]uint32, buffers ...[]byte) *sim.Trace {
	t.Helper()
	var kept sim.Trace
	run(t, mustBuild(t, code), workgroups, sim.Options{Trace: &kept}, buffers...)
	return &kept
}

// told formats accesses: the invocation, the action and the place.
func told(t *sim.Trace) (said []string) {
	for _, a := range t.Accesses {
		v := t.Variables[a.Variable]
		said = append(said, fmt.Sprintf("%d.%d %s %s+%d:%d turn %d phase %d", a.Workgroup, a.Invocation, t.Sites[a.Site].Kind,
			v.Object.Name, a.Offset, a.Bytes, a.Turn, a.Phase))
	}
	return said
}

func TestTraceOfFourInvocationsTwoElementsApart(t *testing.T) {
	kept := traced(t, `
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;
@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) { out[id.x] = x[id.x * 2u]; }`, [3]uint32{2, 1, 1}, make([]byte, 32), make([]byte, 16))
	require.Equal(t, []string{
		"0.0 read x+0:4 turn 0 phase 0", "0.0 write out+0:4 turn 0 phase 0",
		"0.1 read x+8:4 turn 0 phase 0", "0.1 write out+4:4 turn 0 phase 0",
		"1.0 read x+16:4 turn 0 phase 0", "1.0 write out+8:4 turn 0 phase 0",
		"1.1 read x+24:4 turn 0 phase 0", "1.1 write out+12:4 turn 0 phase 0",
	}, told(kept))
	require.Len(t, kept.Sites, 2)
	require.Equal(t, "x[id.x * 2u]", kept.Sites[0].Text)
	require.Equal(t, 5, kept.Sites[0].Span.Line)
	require.Equal(t, []int{8, 4}, []int{kept.Variables[0].Elements, kept.Variables[1].Elements})
	require.Empty(t, kept.Meetings)
	require.False(t, kept.Cut)
}

func TestTraceKnowsTurnsAndPhases(t *testing.T) {
	kept := traced(t, `
@group(0) @binding(0) var<storage, read_write> out: array<u32>;
var<workgroup> s: array<u32, 2>;
@compute @workgroup_size(2)
fn main(@builtin(local_invocation_index) i: u32) {
  for (var round = 0u; round < 2u; round++) {
    s[i] = round;
    workgroupBarrier();
    if (i == 0u) { out[0] += s[1]; }
    workgroupBarrier();
  }
}`, [3]uint32{1, 1, 1}, make([]byte, 4))
	require.Equal(t, []string{
		"0.0 write s+0:4 turn 0 phase 0", "0.1 write s+4:4 turn 0 phase 0",
		"0.0 read out+0:4 turn 0 phase 1", "0.0 read s+4:4 turn 0 phase 1", "0.0 write out+0:4 turn 0 phase 1",
		"0.0 write s+0:4 turn 1 phase 2", "0.1 write s+4:4 turn 1 phase 2",
		"0.0 read out+0:4 turn 1 phase 3", "0.0 read s+4:4 turn 1 phase 3", "0.0 write out+0:4 turn 1 phase 3",
	}, told(kept))
	var lines []int
	for i, m := range kept.Meetings {
		require.Equal(t, uint32(i), m.Phase)
		require.Len(t, m.Waiting, 2)
		lines = append(lines, m.Waiting[0].Line)
	}
	require.Equal(t, []int{8, 10, 8, 10}, lines)
}

func TestTraceOfEndedInvocations(t *testing.T) {
	kept := traced(t, `
@group(0) @binding(0) var<storage, read_write> out: array<u32>;
@compute @workgroup_size(2)
fn main(@builtin(local_invocation_index) i: u32) {
  if (i == 1u) { return; }
  workgroupBarrier();
  out[i] = 1u;
}`, [3]uint32{1, 1, 1}, make([]byte, 8))
	require.Len(t, kept.Meetings, 1)
	require.Equal(t, 6, kept.Meetings[0].Waiting[0].Line)
	require.Zero(t, kept.Meetings[0].Waiting[1].Line, "it has ended")
}

// Offsets follow § 14.4 even in workgroup memory, where the machine itself packs values.
func TestTraceLaysVariablesOutAsBuffersAre(t *testing.T) {
	kept := traced(t, `
enable f16;
struct P { n: u32, v: vec3f }
@group(0) @binding(0) var<uniform> p: P;
@group(0) @binding(1) var<storage, read_write> v: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> h: array<f16>;
@group(0) @binding(3) var<storage, read_write> count: array<atomic<u32>>;
var<workgroup> first: u32;
var<workgroup> tile: array<array<vec3f, 4>, 2>;
@compute @workgroup_size(1)
fn main(@builtin(global_invocation_id) id: vec3u) {
  first = 3u;
  tile[id.x + 1u][id.x + 2u] = p.v;
  tile[1][2].z = 1.0;
  v[id.x + 1u] = vec4f(1.0);
  h[id.x + 3u] = 1h;
  atomicAdd(&count[id.x + 2u], 1u);
  v[0].y = tile[1][2].z;
}`, [3]uint32{1, 1, 1}, make([]byte, 32), make([]byte, 64), make([]byte, 8), make([]byte, 16))
	require.Equal(t, []string{
		"0.0 write first+0:4 turn 0 phase 0",
		"0.0 read p+16:12 turn 0 phase 0", "0.0 write tile+96:16 turn 0 phase 0",
		"0.0 write tile+104:4 turn 0 phase 0",
		"0.0 write v+16:16 turn 0 phase 0",
		"0.0 write h+6:2 turn 0 phase 0",
		"0.0 atomic count+8:4 turn 0 phase 0",
		"0.0 read tile+104:4 turn 0 phase 0", "0.0 write v+4:4 turn 0 phase 0",
	}, told(kept))
	for i, want := range []struct{ bytes, elements, columns int }{{4, 8, 0}, {16, 4, 0}, {2, 4, 0}, {4, 4, 0}, {4, 1, 0}, {16, 8, 4}} {
		v := kept.Variables[i]
		require.Equal(t, want.bytes, int(v.ElementBytes), v.Object.Name)
		require.Equal(t, want.elements, v.Elements, v.Object.Name)
		require.Equal(t, want.columns, v.Columns, v.Object.Name)
	}
}

func TestTraceLeavesOutWhatIsOutOfBounds(t *testing.T) {
	kept := traced(t, `
@group(0) @binding(0) var<storage, read_write> out: array<u32>;
@compute @workgroup_size(4)
fn main(@builtin(local_invocation_index) i: u32) { out[i] = out[i + 2u]; }`, [3]uint32{1, 1, 1}, make([]byte, 8))
	require.Equal(t, []string{"0.0 write out+0:4 turn 0 phase 0", "0.1 write out+4:4 turn 0 phase 0"}, told(kept))
}

func TestTraceIsBounded(t *testing.T) {
	code := `
@group(0) @binding(0) var<storage, read_write> out: array<u32>;
@compute @workgroup_size(4)
fn main(@builtin(local_invocation_index) i: u32) { out[i] = i; workgroupBarrier(); out[i] += 1u; }`
	for limit, want := range map[int]struct {
		accesses, meetings int
		cut                bool
	}{16: {12, 1, false}, 15: {11, 1, true}, 7: {7, 0, true}, 3: {3, 0, true}} {
		kept := sim.Trace{Limit: limit, Accesses: make([]sim.Access, 9)}
		result := run(t, mustBuild(t, code), [3]uint32{1, 1, 1}, sim.Options{Trace: &kept}, make([]byte, 16))
		require.True(t, result.Finished)
		require.Len(t, kept.Accesses, want.accesses, "limit %d", limit)
		require.Len(t, kept.Meetings, want.meetings, "limit %d", limit)
		require.Equal(t, want.cut, kept.Cut, "limit %d", limit)
	}
}

// A trace changes nothing: results, findings and steps equal those of a watched run. It is
// complete: it has every invocation's accesses, at the right elements.
func TestTraceIsWholeAndChangesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size, groups := rapid.IntRange(1, 70).Draw(t, "size"), rapid.IntRange(1, 3).Draw(t, "groups")
		stride, rounds := rapid.IntRange(1, 40).Draw(t, "stride"), rapid.IntRange(0, 5).Draw(t, "rounds")
		p, err := build(fmt.Sprintf(`
@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> out: array<u32>;
@compute @workgroup_size(%d)
fn main(@builtin(global_invocation_id) id: vec3u) {
  var sum = 0u;
  for (var r = 0u; r < %du; r++) { sum += x[id.x * %du + r]; }
  out[id.x] = sum;
}`, size, rounds, stride), "main", nil)
		require.NoError(t, err)
		all := size * groups
		x := make([]byte, 4*(all*stride+rounds))
		for i := range len(x) / 4 {
			binary.LittleEndian.PutUint32(x[4*i:], uint32(i*i))
		}
		dispatch := func(options sim.Options) ([]byte, *sim.Result) {
			out := make([]byte, 4*all)
			result, err := p.Run(context.Background(), [3]uint32{uint32(groups), 1, 1},
				[]sim.BoundBuffer{{Binding: 0, Data: x}, {Binding: 1, Data: out}}, options)
			require.NoError(t, err)
			return out, result
		}
		var kept sim.Trace
		plain, watched := dispatch(sim.Options{Watch: true})
		same, result := dispatch(sim.Options{Trace: &kept})
		require.Equal(t, plain, same)
		require.Equal(t, watched, result)
		require.Len(t, kept.Accesses, all*(rounds+1))
		for _, a := range kept.Accesses {
			who := int(a.Workgroup)*size + int(a.Invocation)
			want := uint32(4 * who)
			if kept.Sites[a.Site].Kind == ir.Read {
				want = 4 * (uint32(who*stride) + a.Turn)
			}
			require.Equal(t, want, a.Offset)
		}
	})
}

func TestADebuggedProgramIsTracedAlike(t *testing.T) {
	for _, b := range benchmarks[2:] {
		var plain, debugged sim.Trace
		for debug, kept := range map[bool]*sim.Trace{false: &plain, true: &debugged} {
			p, err := sim.CompileEntry(shader.Read("test.wgsl", b.code), nil, debug)
			require.NoError(t, err)
			run(t, p, [3]uint32{2, 1, 1}, sim.Options{Trace: kept}, make([]byte, b.bytes[0]))
		}
		require.Equal(t, told(&plain), told(&debugged))
		require.NotEmpty(t, plain.Accesses)
	}
}
