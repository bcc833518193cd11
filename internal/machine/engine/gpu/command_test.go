package gpu_test

import (
	"encoding/binary"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// twoGroups adds a number from another group to each element.
const twoGroups = `
@group(0) @binding(3) var<storage, read_write> x: array<u32>;
@group(0) @binding(4) var<storage, read_write> unused: array<u32>;
@group(2) @binding(1) var<uniform> step: vec4<u32>;
@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3<u32>) { x[id.x] += step.x; }`

func newBuffer(t *testing.T, d *gpu.Device, usage gpu.BufferUsage, words ...uint32) *gpu.Buffer {
	t.Helper()
	b, err := gpu.NewBuffer(d, uint64(4*len(words)), usage)
	require.NoError(t, err)
	if usage&gpu.UsageCopyDst != 0 && usage&gpu.UsageMapRead == 0 {
		require.NoError(t, b.WriteAt(rawOf(words), 0))
	}
	return b
}

func rawOf(words []uint32) (raw []byte) {
	for _, w := range words {
		raw = binary.LittleEndian.AppendUint32(raw, w)
	}
	return raw
}

// wordsOf reads a buffer as a host does that polls.
func wordsOf(t *testing.T, d *gpu.Device, b *gpu.Buffer) (words []uint32) {
	t.Helper()
	r, err := gpu.StartRead(b, 0, b.Bytes())
	require.NoError(t, err)
	for done := false; !done; {
		_, err := gpu.Poll(d)
		require.NoError(t, err)
		done, err = r.Done()
		require.NoError(t, err)
	}
	raw := make([]byte, b.Bytes())
	r.Copy(raw, 0)
	require.NoError(t, r.End())
	for i := range b.Len() {
		words = append(words, binary.LittleEndian.Uint32(raw[4*i:]))
	}
	return words
}

// One submission binds ranges in two groups, dispatches directly and indirectly, copies and clears.
func TestCommands(t *testing.T) { onEach(t, testCommands) }

func testCommands(t *testing.T, on engine) {
	d := on.open(t)
	k, err := gpu.CompileUsed(d, shader.Read("two-groups", twoGroups))
	require.NoError(t, err)
	x := newBuffer(t, d, gpu.UsageStorage|gpu.UsageCopySrc|gpu.UsageCopyDst, make([]uint32, 80)...)
	step := newBuffer(t, d, gpu.UsageUniform|gpu.UsageCopyDst, 5, 0, 0, 0)
	counts := newBuffer(t, d, gpu.UsageIndirect|gpu.UsageCopyDst, 9, 2, 1, 1)
	readback := newBuffer(t, d, gpu.UsageMapRead|gpu.UsageCopyDst, make([]uint32, 16)...)
	var groups []*gpu.Group
	for number, ranges := range [][]gpu.Range{{{Binding: 3, Buffer: x, Offset: 256, Bytes: 64}}, nil, {{Binding: 1, Buffer: step, Bytes: 16}}} {
		g, err := gpu.Bind(k, uint32(number), ranges)
		require.NoError(t, err)
		groups = append(groups, g)
	}
	require.NoError(t, gpu.SubmitCommands(d, []gpu.QueueCommand{
		gpu.ComputePass{Dispatches: []gpu.Pass{gpu.Dispatch(k, one, groups), gpu.DispatchIndirect(k, counts, 4, groups)}},
		gpu.BufferCopy{From: x, FromOffset: 256, To: readback, ToOffset: 16, Bytes: 40},
		gpu.BufferClear{Buffer: readback, Offset: 20, Bytes: 4},
	}))
	require.Equal(t, []uint32{0, 0, 0, 0, 10, 0, 10, 10, 5, 5, 5, 5, 0, 0, 0, 0}, wordsOf(t, d, readback))
	require.Equal(t, gpu.Counts{Submissions: 1, Readbacks: 1}, d.Counts())
}

func TestTimestampCommands(t *testing.T) { onEach(t, testTimestampCommands) }

func testTimestampCommands(t *testing.T, on engine) {
	d := on.open(t)
	if !d.Adapter().Timestamps {
		t.Skipf("%s has no timestamps", d.Adapter())
	}
	queries, err := gpu.NewQueries(d, 4)
	require.NoError(t, err)
	x := upload(t, d, uint32(1))
	pass := bind(t, compile(t, d, increment), one, x)
	resolved := newBuffer(t, d, gpu.UsageQueryResolve|gpu.UsageCopySrc, make([]uint32, 8)...)
	readback := newBuffer(t, d, gpu.UsageMapRead|gpu.UsageCopyDst, make([]uint32, 8)...)
	require.NoError(t, gpu.SubmitCommands(d, []gpu.QueueCommand{
		gpu.Timestamp{To: queries, Query: 0},
		gpu.ComputePass{Dispatches: []gpu.Pass{pass}, Times: queries, Begin: 1, End: 2},
		gpu.Timestamp{To: queries, Query: 3},
		gpu.QueryResolve{From: queries, First: 0, Count: 4, To: resolved},
		gpu.BufferCopy{From: resolved, To: readback, Bytes: 32},
	}))
	words := wordsOf(t, d, readback)
	times := make([]uint64, 4)
	for i := range times {
		times[i] = uint64(words[2*i]) | uint64(words[2*i+1])<<32
	}
	t.Log(times)
	require.IsNonDecreasing(t, times)
	require.Positive(t, times[0])
}

// A host that polls learns that a shader doesn't end.
func TestPollEndsAtTheDeadline(t *testing.T) {
	d := simulated.open(t, gpu.WithDeadline(200*time.Millisecond))
	x := upload(t, d, uint32(1))
	pass := bind(t, compile(t, d, `
@group(0) @binding(0) var<storage, read_write> x: array<u32>;
@compute @workgroup_size(1) fn main() { while x[0] > 0u { x[0] = 1u; } }`), one, x)
	require.NoError(t, d.Submit(pass))
	for {
		idle, err := gpu.Poll(d)
		require.False(t, idle)
		if err != nil {
			require.ErrorIs(t, err, shader.ErrLost)
			return
		}
	}
}
