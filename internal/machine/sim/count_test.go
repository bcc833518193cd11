package sim_test

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/machine/sim"
	"github.com/wgslab/wgslab/internal/machine/sim/ir"
)

// counted counts all workgroups of a dispatch, each for itself.
func counted(t testing.TB, code string, workgroups [3]uint32, buffers ...[]byte) *sim.DispatchCounts {
	t.Helper()
	bound := make([]sim.BoundBuffer, len(buffers))
	for i, b := range buffers {
		bound[i] = sim.BoundBuffer{Binding: uint32(i), Data: b}
	}
	c, err := mustBuild(t, code).Counter(workgroups, bound, 1_000_000)
	require.NoError(t, err)
	for number := range uint64(workgroups[0] * workgroups[1] * workgroups[2]) {
		s, err := c.Count(t.Context(), sim.Sample{Workgroup: number, Weight: 1})
		require.NoError(t, err)
		require.True(t, s.Finished)
	}
	return c.Counts()
}

const twoArrays = `
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;
`

// countedShaders are small shaders that differ in how they access memory. Each runs in two
// workgroups, with 4 kB of zeros in each buffer.
var countedShaders = map[string]string{
	"side by side": twoArrays + `
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) { out[id.x] = x[id.x] + 1.0; }`,
	"with a stride, in an odd workgroup": twoArrays + `
@compute @workgroup_size(41)
fn main(@builtin(global_invocation_id) id: vec3u) { out[id.x * 5u] = x[id.x * 7u]; }`,
	"backwards and out of bounds": twoArrays + `
@compute @workgroup_size(600)
fn main(@builtin(global_invocation_id) id: vec3u) { out[1023u - id.x] = x[2u * id.x]; }`,
	"vectors": `
@group(0) @binding(0) var<storage, read> x: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> out: array<vec3f>;
@compute @workgroup_size(40)
fn main(@builtin(global_invocation_id) id: vec3u) {
  out[id.x] = vec3f(x[0].w);
  let all = x[3u * id.x];
  out[id.x + 1u] = all.xyz;
  out[id.x].y = x[id.x / 3u].z;
}`,
	"a loop that lasts differently long": twoArrays + `
@compute @workgroup_size(50)
fn main(@builtin(local_invocation_index) i: u32, @builtin(workgroup_id) group: vec3u) {
  var sum = 0.0;
  for (var j = 0u; j < i % 5u; j++) { sum += x[i + 3u * j]; }
  if (i % 3u == 0u) { out[i + 100u * group.x] = sum; }
}`,
	"a tile, by column and by row": twoArrays + `
var<workgroup> tile: array<array<f32, 16>, 16>;
@compute @workgroup_size(16, 16)
fn main(@builtin(local_invocation_id) id: vec3u) {
  tile[id.y][id.x] = x[16u * id.y + id.x];
  workgroupBarrier();
  out[16u * id.y + id.x] = tile[id.x][id.y];
}`,
	"a tree with barriers": twoArrays + `
var<workgroup> part: array<f32, 64>;
@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) i: u32, @builtin(workgroup_id) group: vec3u) {
  part[i] = x[64u * group.x + i];
  for (var step = 1u; step < 64u; step *= 2u) {
    workgroupBarrier();
    if (i % (2u * step) == 0u) { part[i] += part[i + step]; }
  }
  if (i == 0u) { out[group.x] = part[0]; }
}`,
	"atomics in both memories": `
@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> bins: array<atomic<u32>>;
var<workgroup> own: array<atomic<u32>, 40>;
@compute @workgroup_size(96)
fn main(@builtin(local_invocation_index) i: u32) {
  atomicAdd(&own[(x[i] + i) % 40u], 1u);
  workgroupBarrier();
  if (i < 40u) { atomicAdd(&bins[i / 8u], atomicLoad(&own[i])); }
}`,
	"structures, a uniform and a pointer": `
struct Pair { first: f32, rest: vec2f }
struct Size { n: u32 }
@group(0) @binding(0) var<uniform> size: Size;
@group(0) @binding(1) var<storage, read_write> pairs: array<Pair>;
fn swap(p: ptr<storage, Pair, read_write>) { let old = (*p).first; (*p).first = (*p).rest.y; (*p).rest.y = old; }
@compute @workgroup_size(33)
fn main(@builtin(global_invocation_id) id: vec3u) { if (id.x >= size.n) { swap(&pairs[id.x]); } }`,
	"halves": `
enable f16;
@group(0) @binding(0) var<storage, read> x: array<f16>;
@group(0) @binding(1) var<storage, read_write> out: array<f16>;
@compute @workgroup_size(48)
fn main(@builtin(global_invocation_id) id: vec3u) { out[id.x] = x[3u * id.x] * 2h; }`,
}

// bruteForce is what a reader of a whole trace counts at one place in the source.
type bruteForce struct {
	times, bytes, strips, lines, sectors, leastSectors, turns, leastTurns int
}

// A traceReader counts the accesses of a trace in the plainest way.
type traceReader struct {
	*sim.Trace
	buffers int // the number of bindings
	phased  map[[4]uint32]uint32
}

// turn returns how often an invocation had come to a site since the last barrier.
func (r *traceReader) turn(a sim.Access) uint32 {
	key := [4]uint32{a.Workgroup, a.Invocation, a.Site, a.Phase}
	r.phased[key]++
	return r.phased[key] - 1
}

type place struct {
	text     string
	kind     ir.AccessKind
	variable uint32
	column   int
}

func (r *traceReader) count() map[place]bruteForce {
	type strip struct {
		at                           place
		workgroup, phase, turn, warp uint32
	}
	strips := map[strip][]sim.Access{}
	for _, a := range r.Accesses {
		site := r.Sites[a.Site]
		if space := r.Variables[a.Variable].Object.Space().String(); space == "uniform" {
			continue
		}
		key := strip{place{site.Text, site.Kind, a.Variable, site.Span.Column}, a.Workgroup, a.Phase, r.turn(a), a.Invocation / 32}
		strips[key] = append(strips[key], a)
	}
	counts := map[place]bruteForce{}
	for key, accesses := range strips {
		words, sectors, lines := map[uint32]bool{}, map[uint32]bool{}, map[uint32]bool{}
		banks := map[uint32]map[uint32]int{} // by bank, how often each of its words is asked for
		c := counts[key.at]
		for _, a := range accesses {
			for b := a.Offset; b < a.Offset+a.Bytes; b++ {
				words[b/4], sectors[b/32], lines[b/128] = true, true, true
			}
			for w := a.Offset / 4; w <= (a.Offset+a.Bytes-1)/4; w++ {
				if banks[w%32] == nil {
					banks[w%32] = map[uint32]int{}
				}
				banks[w%32][w]++
			}
			c.times, c.bytes = c.times+1, c.bytes+int(a.Bytes)
		}
		c.strips++
		if int(key.at.variable) < r.buffers {
			c.lines, c.sectors, c.leastSectors = c.lines+len(lines), c.sectors+len(sectors), c.leastSectors+(len(words)+7)/8
		} else {
			c.turns, c.leastTurns = c.turns+turnsOf(banks, key.at.kind), c.leastTurns+(len(words)+31)/32
		}
		counts[key.at] = c
	}
	return counts
}

// turnsOf returns the turns of the busiest bank: one for each of its words, or for each atomic.
func turnsOf(banks map[uint32]map[uint32]int, kind ir.AccessKind) (most int) {
	for _, words := range banks {
		turns := len(words)
		if kind == ir.Atomic {
			turns = 0
			for _, n := range words {
				turns += n
			}
		}
		most = max(most, turns)
	}
	return most
}

func TestCountsAreThoseOfAWholeTrace(t *testing.T) {
	for name, code := range countedShaders {
		t.Run(name, func(t *testing.T) {
			buffers := [][]byte{make([]byte, 4096), make([]byte, 4096)}
			if name == "structures, a uniform and a pointer" {
				buffers[0] = make([]byte, 16)
			}
			kept := traced(t, code, [3]uint32{2, 1, 1}, slices.Clone(buffers[0]), slices.Clone(buffers[1]))
			require.False(t, kept.Cut)
			reader := &traceReader{kept, 2, map[[4]uint32]uint32{}}
			counts := counted(t, code, [3]uint32{2, 1, 1}, buffers...)
			got := map[place]bruteForce{}
			for _, a := range counts.Accesses {
				got[place{a.Text, a.Kind, uint32(a.Variable), a.Span.Column}] = bruteForce{
					int(a.Times), int(a.Bytes), int(a.Strips), int(a.Lines), int(a.Sectors), int(a.LeastSectors), int(a.Turns), int(a.LeastTurns),
				}
			}
			require.Equal(t, reader.count(), got)
			require.NotEmpty(t, got)
			requireTouched(t, kept, counts)
			require.Equal(t, make([]byte, 4096), buffers[1], "counting writes nothing to the host")
		})
	}
}

// requireTouched compares the sectors that the workgroups touch, each its own once.
func requireTouched(t *testing.T, kept *sim.Trace, counts *sim.DispatchCounts) {
	t.Helper()
	type sector struct{ workgroup, variable, sector uint32 }
	read, written := map[sector]bool{}, map[sector]bool{}
	for _, a := range kept.Accesses {
		for b := a.Offset; b < a.Offset+a.Bytes; b++ {
			at := sector{a.Workgroup, a.Variable, b / 32}
			if kept.Sites[a.Site].Kind != ir.Write {
				read[at] = true
			}
			if kept.Sites[a.Site].Kind != ir.Read {
				written[at] = true
			}
		}
	}
	number := func(of map[sector]bool, variable int) (n int) {
		for at := range of {
			if int(at.variable) == variable {
				n++
			}
		}
		return n
	}
	for i, v := range counts.Variables {
		if v.Shared || v.Uniform {
			continue
		}
		require.Equal(t, []int{number(read, i), number(written, i)}, []int{int(v.Read), int(v.Written)}, v.Object.Name)
	}
}

// line returns the counts of the line that holds the most of a class.
func line(c *sim.DispatchCounts, class ir.Arithmetic) sim.LineCount {
	return slices.MaxFunc(c.Lines, func(a, b sim.LineCount) int { return cmp.Compare(a.Done[class], b.Done[class]) })
}

func TestArithmeticIsCountedByClass(t *testing.T) {
	c := counted(t, twoArrays+`
@compute @workgroup_size(32)
fn main(@builtin(local_invocation_index) i: u32) {
  var sum = 0.0;
  for (var j = 0u; j < 10u; j++) {
    sum += x[j] * x[j + 1u];
    sum = exp(sum) / x[i];
  }
  out[i] = sum * 2.0 - x[i % 7u];
  out[i] = fma(sum, sum, 1.0) + dot(vec2f(sum), vec2f(2.0)) + f32(i / (j_of(i) + 1u));
}
fn j_of(i: u32) -> u32 { return i; }`, [3]uint32{1, 1, 1}, make([]byte, 256), make([]byte, 256))
	var total [ir.Classes]float64
	for _, l := range c.Lines {
		for class, n := range l.Done {
			total[class] += n
		}
	}
	// Per invocation: a sum of products in each of ten rounds, then one product less a number, fma,
	// and the product and sum of dot. Ten quotients, ten exponentials, and one division of whole
	// numbers.
	require.InDelta(t, 32*(10+1+1+1), total[ir.MultiplyAdd], 0)
	require.InDelta(t, 32*10, total[ir.Division], 0)
	require.InDelta(t, 32*10, total[ir.Function], 0)
	require.InDelta(t, 32, total[ir.IntegerDivision], 0)
	// The other product of dot, two sums, and the conversion.
	require.InDelta(t, 32*4, total[ir.Float], 0)
}

func TestIdleNeighboursAreCounted(t *testing.T) {
	c := counted(t, twoArrays+`
@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) i: u32) {
  var sum = x[i];
  if (i % 4u == 0u) { sum = sqrt(sum); }
  if (i < 32u) { sum = exp(sum); }
  out[i] = sum;
}`, [3]uint32{3, 1, 1}, make([]byte, 256), make([]byte, 256))
	var roots, exponentials sim.LineCount
	for _, l := range c.Lines {
		switch l.Line {
		case 8:
			roots = l
		case 9:
			exponentials = l
		}
	}
	require.InDelta(t, 3*16, roots.Done[ir.Function], 0)
	require.InDelta(t, 3*48, roots.Idle[ir.Function], 0, "three of four wait for the fourth")
	require.InDelta(t, 3*32, exponentials.Done[ir.Function], 0)
	require.InDelta(t, 0, exponentials.Idle[ir.Function], 0, "all of 32 neighbours take it, or none")
}

func TestBarriersSayWhoWaits(t *testing.T) {
	c := counted(t, twoArrays+`
@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) i: u32) {
  var sum = 0.0;
  if (i == 0u) { for (var j = 0u; j < 1000u; j++) { sum += x[j % 64u]; } }
  workgroupBarrier();
  out[i] = sum;
  workgroupBarrier();
}`, [3]uint32{2, 1, 1}, make([]byte, 256), make([]byte, 256))
	require.Len(t, c.Barriers, 2)
	require.Equal(t, []int{9, 11}, []int{c.Barriers[0].Line, c.Barriers[1].Line})
	require.InDelta(t, 2, c.Barriers[0].Times, 0)
	require.InDelta(t, 63.0/64, c.Barriers[0].Idle, 0.01)
	require.InDelta(t, 0, c.Barriers[1].Idle, 1e-9)
}

// A loop without a barrier is counted in full, and in little memory, however long it is.
func TestCountingALongLoopKeepsLittle(t *testing.T) {
	const rounds = 700_000
	p := mustBuild(t, fmt.Sprintf(twoArrays+`
@compute @workgroup_size(1)
fn main() { for (var k = 0u; k < %du; k++) { out[0] += x[k %% 4u]; } }`, rounds))
	buffers := []sim.BoundBuffer{{Binding: 0, Data: make([]byte, 16)}, {Binding: 1, Data: make([]byte, 4)}}
	c, err := p.Counter([3]uint32{1, 1, 1}, buffers, 100_000_000)
	require.NoError(t, err)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	s, err := c.Count(t.Context(), sim.Sample{Weight: 1})
	require.NoError(t, err)
	require.True(t, s.Finished)
	runtime.ReadMemStats(&after)
	for _, a := range c.Counts().Accesses {
		require.InDelta(t, rounds, a.Times, 0, a.Text)
		require.InDelta(t, rounds, a.Sectors, 0, a.Text)
	}
	// Growing to 32 MiB takes about 160, at each of three sites; all rounds would take three times
	// that.
	require.Less(t, (after.TotalAlloc-before.TotalAlloc)>>20, uint64(640), "MiB")
}

// A workgroup that takes too many steps is stopped, and the next one begins afresh.
func TestCountingStopsAnEndlessWorkgroup(t *testing.T) {
	p := mustBuild(t, twoArrays+`
@compute @workgroup_size(4)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) i: u32) {
  while (group.x == 0u && x[0] == 0.0) { out[i] = 1.0; }
  out[i] = 2.0;
}`)
	c, err := p.Counter([3]uint32{2, 1, 1}, []sim.BoundBuffer{{Binding: 0, Data: make([]byte, 16)}, {Binding: 1, Data: make([]byte, 16)}}, 100_000)
	require.NoError(t, err)
	first, err := c.Count(t.Context(), sim.Sample{Workgroup: 0, Weight: 0})
	require.NoError(t, err)
	require.False(t, first.Finished)
	second, err := c.Count(t.Context(), sim.Sample{Workgroup: 1, Weight: 1})
	require.NoError(t, err)
	require.True(t, second.Finished)
	for _, a := range c.Counts().Accesses {
		if a.Span.Line == 8 {
			require.InDelta(t, 4, a.Times, 0)
		}
	}
}

func TestLiveValues(t *testing.T) {
	few := counted(t, twoArrays+`
@compute @workgroup_size(1)
fn main() { out[0] = x[0] + x[1]; }`, [3]uint32{1, 1, 1}, make([]byte, 256), make([]byte, 256))
	many := counted(t, twoArrays+`
@compute @workgroup_size(1)
fn main() {
  let a = x[0]; let b = x[1]; let c = x[2]; let d = x[3]; let e = x[4]; let f = x[5]; let g = x[6]; let h = x[7];
  out[0] = a * b * c * d * e * f * g * h + h;
}`, [3]uint32{1, 1, 1}, make([]byte, 256), make([]byte, 256))
	require.Equal(t, 2, few.Live)
	require.Equal(t, 8, many.Live)
	require.InDelta(t, 1.0, line(few, ir.Float).Done[ir.Float], 0)
}

// One unit changes the words of a line, a sector in a cycle. A compare-exchange is alone.
func TestAtomicsWaitForTheirLine(t *testing.T) {
	const head = "@group(0) @binding(0) var<storage, read_write> out: array<atomic<u32>>;\n@compute @workgroup_size(64)\nfn main(@builtin(global_invocation_id) id: vec3u) {\n"
	for name, of := range map[string]struct {
		body          string
		times, cycles float64
	}{
		"one word":                   {"atomicAdd(&out[0], 1u);", 128, 4},                                                // of four strips, each in a cycle
		"a line each":                {"atomicAdd(&out[32u * (id.x % 32u)], 1u);", 4, 4},                                 // 32 lines
		"the words of a line":        {"atomicAdd(&out[id.x % 32u], 1u);", 128, 16},                                      // four sectors
		"sectors of a line":          {"atomicAdd(&out[id.x % 4u * 8u], 1u);", 128, 16},                                  // as many
		"compare and exchange":       {"_ = atomicCompareExchangeWeak(&out[0], id.x, 1u);", 128, 128 * 2 * 260},          // two ways each
		"loads and one invocation's": {"if (atomicLoad(&out[1]) == 0u && id.x == 3u) { atomicMax(&out[2], 7u); }", 1, 1}, // loads change nothing
	} {
		t.Run(name, func(t *testing.T) {
			c := counted(t, head+of.body+"\n}", [3]uint32{2, 1, 1}, make([]byte, 4096))
			require.InDelta(t, of.times, c.HotAtomics, 1e-9)
			require.InDelta(t, of.cycles, c.HotCycles, 1e-9)
			require.True(t, c.Atomic)
			require.False(t, c.Unreached)
		})
	}
	c := counted(t, head+"if (id.x > 500u) { atomicAdd(&out[0], 1u); }\n}", [3]uint32{2, 1, 1}, make([]byte, 4096))
	require.True(t, c.Unreached)
}

// A compiler can't count the rounds of a loop that goes on by an unknown number, so they don't
// overlap.
func TestRoundsThatCanBeCountedOverlap(t *testing.T) {
	cycles := func(step string) float64 {
		code := twoArrays + `
struct Dims { rounds: u32, step: u32 }
@group(0) @binding(2) var<uniform> dims: Dims;
@compute @workgroup_size(1)
fn main() {
  var sum = 0.0;
  for (var i = 0u; i < 8u * dims.rounds; i += ` + step + `) { sum += x[i]; }
  out[0] = sum;
}`
		c := counted(t, code, [3]uint32{1, 1, 1}, make([]byte, 4096), make([]byte, 4096), []byte{100, 0, 0, 0, 8, 0, 0, 0})
		return c.Mean.Misses
	}
	require.InDelta(t, 4, cycles("dims.step")/cycles("8u"), 0.5)
}
