package machinecode

import (
	"encoding/binary"
	"fmt"
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/machine/sim"
	"github.com/wgslab/wgslab/internal/machine/sim/wasm"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

func init() { wasm.Use(apart{engine{}}) }

// OwnMemory lets modules have memories of their own, as in a browser.
var OwnMemory bool

// apart is an engine whose modules have memories of their own if OwnMemory says so.
type apart struct{ wasm.CodeEngine }

func (a apart) Compile(module []byte) (wasm.Compiled, error) {
	compiled, err := a.CodeEngine.Compile(module)
	return apartCode{compiled}, err
}

type apartCode struct{ wasm.Compiled }

// stale fills the words that compiled code has changed, so that it shows who uses them anyway.
const stale = 0xDEADBEEF

func (a apartCode) Start(words []uint32, hosts []wasm.Host) (*wasm.Started, error) {
	if !OwnMemory || len(hosts) > 1 || runtime.GOOS == "js" { // where they have anyway
		return a.Compiled.Start(words, hosts)
	}
	theirs := slices.Repeat([]uint32{stale}, len(words))
	started, err := a.Compiled.Start(theirs, hosts)
	if err != nil {
		return nil, err
	}
	run := started.Calls[0]
	started.Calls[0] = func(core, first uint32) (at uint32, err error) {
		before := slices.Clone(theirs)
		at, err = run(core, first)
		for i := range words {
			if theirs[i] != before[i] {
				words[i] = stale
			}
		}
		return at, err
	}
	started.Push = func(from, to uint32) { copy(theirs[from:to], words[from:to]) }
	started.Pull = func(from, to uint32) { copy(words[from:to], theirs[from:to]) }
	return started, nil
}

// apartCases are shaders with the sizes of their buffers in words, the last of which they write to.
var apartCases = []struct {
	name, code string
	workgroups [3]uint32
	words      []int
}{
	{"a loop, and places that have nothing to do", `
@group(0) @binding(0) var<uniform> n: vec4<u32>;
@group(0) @binding(1) var<storage, read> x: array<u32>;
@group(0) @binding(2) var<storage, read_write> out: array<u32>;
@compute @workgroup_size(8, 4) fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.y > 0) { return; }
  for (var i = 0u; i < arrayLength(&x); i++) { out[id.x] += x[i] * (id.x + n.y); }
}`, [3]uint32{3, 2, 1}, []int{4, 20, 24}},
	{"workgroup memory that begins as zero", `
@group(0) @binding(0) var<storage, read_write> out: array<u32>;
var<workgroup> tile: array<u32, 8>;
@compute @workgroup_size(8) fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) i: u32) {
  for (var k = 0u; k < 5; k++) { tile[i] += id.x + k; workgroupBarrier(); out[id.x] += tile[7 - i]; workgroupBarrier(); }
}`, [3]uint32{4, 1, 1}, []int{32}},
	{"functions, private variables and atomics", `
@group(0) @binding(0) var<storage, read_write> out: array<atomic<u32>, 8>;
var<private> seen: u32 = 5;
fn twice(n: u32) -> u32 { var sum = 0u; for (var i = 0u; i < n; i++) { seen++; sum += seen; } return sum; }
@compute @workgroup_size(4) fn main(@builtin(local_invocation_index) i: u32) {
  for (var k = 0u; k < 6; k++) { atomicAdd(&out[i], twice(k + i)); atomicMax(&out[4 + k % 4], seen); }
}`, [3]uint32{3, 1, 1}, []int{8}},
	{"functions that the host computes", `
@group(0) @binding(0) var<storage, read_write> out: array<f32>;
@compute @workgroup_size(4) fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  for (var k = 0u; k < 6; k++) { out[id.x] += sin(f32(k + id.x)) + pow(f32(k), 1.5); }
}`, [3]uint32{3, 1, 1}, []int{12}},
	{"races, and indices out of bounds", `
@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> out: array<u32>;
var<workgroup> tile: array<u32, 8>;
@compute @workgroup_size(8) fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) i: u32) {
  for (var k = 0u; k < 9; k++) { tile[(i + k) % 8] = x[id.x + k]; out[id.x + k] = tile[i] / (k % 3); }
}`, [3]uint32{4, 1, 1}, []int{30, 32}},
	{"a barrier that only some reach", `
@group(0) @binding(0) var<storage, read_write> out: array<u32>;
var<workgroup> tile: array<u32, 8>;
fn meet() { workgroupBarrier(); }
@compute @workgroup_size(8) fn main(@builtin(local_invocation_index) i: u32) {
  for (var k = 0u; k < 9; k++) { tile[i] += k; if (i < 4 || k < 3) { meet(); } out[i] += tile[7 - i]; }
}`, [3]uint32{2, 1, 1}, []int{8}},
	{"workgroups too short to copy their memory", `
@group(0) @binding(0) var<storage, read_write> out: array<u32>;
var<workgroup> tile: array<u32, 2>;
@compute @workgroup_size(2) fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) i: u32) {
  tile[i] += id.x; out[id.x] += tile[i];
}`, [3]uint32{1200, 1, 1}, []int{2400}},
	{"rounds that never end", `
@group(0) @binding(0) var<storage, read_write> out: array<u32>;
var<workgroup> tile: array<u32, 4>;
fn meet(i: u32) -> u32 { tile[i] = out[i]; for (var k = 0u; k < i; k++) { tile[i]++; } workgroupBarrier(); return tile[3 - i] % 5; }
@compute @workgroup_size(4) fn main(@builtin(local_invocation_index) i: u32) {
  for (var k = 1u; k > 0; k = 1 + k % 3) { out[i] = k + meet(i); workgroupBarrier(); }
}`, [3]uint32{1, 1, 1}, []int{4}},
	{"a loop that never ends", `
@group(0) @binding(0) var<storage, read_write> out: array<u32>;
@compute @workgroup_size(2) fn main(@builtin(local_invocation_index) i: u32) {
  var k = 1u;
  while (k != 0) { k += 2; out[i] = k; if (i == 1 && k > 50) { break; } }
}`, [3]uint32{2, 1, 1}, []int{2}},
}

// A dispatch whose module has a memory of its own leaves the same and finds the same, wherever it
// moves to compiled code.
func TestMemoryOfItsOwn(t *testing.T) {
	OwnMemory = true
	defer func() { OwnMemory = false }()
	for _, c := range apartCases {
		p, err := sim.CompileEntry(shader.ReadWith("test.wgsl", c.code, types.AllFeatures).At("main"), nil, false)
		require.NoError(t, err)
		for _, watch := range []bool{false, true} {
			play := func(compile sim.Compile) (*sim.Result, []byte) {
				buffers := make([]sim.BoundBuffer, len(c.words))
				for i, n := range c.words {
					buffers[i] = sim.BoundBuffer{Binding: uint32(i), Data: counting(n)}
				}
				result, err := p.Run(t.Context(), c.workgroups, buffers, sim.Options{Watch: watch, Compile: compile, Steps: 700_000, Cores: 1})
				require.NoError(t, err)
				return result, buffers[len(buffers)-1].Data
			}
			want, left := play(sim.Never)
			moves := uint64(19)
			if want.Steps > 6000 {
				moves = 2
			}
			for after := uint64(0); after < want.Steps; after += 1 + want.Steps/moves {
				got, now := play(sim.After(after))
				about := fmt.Sprintf("%s, watched: %t, after %d of %d steps", c.name, watch, after, want.Steps)
				assert.Equal(t, left, now, about)
				assert.Equal(t, want.Steps, got.Steps, about)
				assert.Equal(t, want.Findings, got.Findings, about)
				assert.Equal(t, [2]bool{want.Finished, want.Endless}, [2]bool{got.Finished, got.Endless}, about)
			}
		}
	}
}

// counting returns words that count.
func counting(words int) (data []byte) {
	for i := range words {
		data = binary.LittleEndian.AppendUint32(data, uint32(i))
	}
	return data
}

// A module is used again for the next dispatch, whatever the size of its buffers, and for one
// inside of a larger buffer that the dispatch before wrote.
func TestDispatchesOfOneModule(t *testing.T) {
	OwnMemory = true
	defer func() { OwnMemory = false }()
	p, err := sim.CompileEntry(shader.Read("test.wgsl", `
@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> out: array<u32>;
@compute @workgroup_size(256) fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x < arrayLength(&out)) { out[id.x] = 3 * x[id.x] + out[id.x]; }
}`).At("main"), nil, false)
	require.NoError(t, err)
	var results [2][]byte
	for i, compile := range []sim.Compile{sim.Never, sim.Always} {
		a, b := counting(40_000), counting(40_000)
		for _, words := range []int{64, 20_000, 1000, 40_000, 64} {
			const from = 64
			bytes := uint64(4 * min(words, len(a)/4-from))
			forth := []sim.BoundBuffer{{Binding: 0, Data: a, Offset: 4 * from, Size: bytes}, {Binding: 1, Data: b, Size: bytes}}
			back := []sim.BoundBuffer{{Binding: 0, Data: b, Size: bytes}, {Binding: 1, Data: a, Offset: 4 * from, Size: bytes}}
			for _, buffers := range [][]sim.BoundBuffer{forth, back} {
				_, err := p.Run(t.Context(), [3]uint32{uint32(words+255) / 256, 1, 1}, buffers, sim.Options{Compile: compile, Cores: 1})
				require.NoError(t, err)
			}
		}
		results[i] = slices.Concat(a, b)
	}
	require.True(t, slices.Equal(results[0], results[1]))
}
