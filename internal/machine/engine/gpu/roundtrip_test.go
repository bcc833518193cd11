package gpu_test

import (
	"encoding/binary"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
)

const twice = `@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> y: array<f32>;
@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x < arrayLength(&x)) { y[id.x] = 2.0 * x[id.x]; }
}`

// The kinds of memory in which a trip can begin and end.
var roundMemory = map[string]struct {
	from, to func(*gpu.Device, int) (*gpu.Buffer, error)
}{
	"copied":          {gpu.Alloc[float32], gpu.Alloc[float32]},
	"shared":          {gpu.AllocShared[float32], gpu.Alloc[float32]},
	"shared, answers": {gpu.AllocShared[float32], gpu.AllocAnswer[float32]},
}

// roundOf prepares a trip that doubles n numbers.
func roundOf(t *testing.T, d *gpu.Device, memory string, n int) *gpu.RoundTrip {
	t.Helper()
	x, err := roundMemory[memory].from(d, n)
	require.NoError(t, err)
	y, err := roundMemory[memory].to(d, n)
	require.NoError(t, err)
	pipeline, err := d.Compile("twice", twice)
	require.NoError(t, err)
	pass, err := pipeline.Pass([3]uint32{gpu.Groups(n, 64), 1, 1}, x, y)
	require.NoError(t, err)
	round, err := d.RoundTrip(x, y, pass)
	require.NoError(t, err)
	return round
}

func floatsToBytes(values ...float32) []byte {
	var raw []byte
	for _, v := range values {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(v))
	}
	return raw
}

func TestRoundsAreOneSubmissionEach(t *testing.T) { onEach(t, testRoundsAreOneSubmissionEach) }

func testRoundsAreOneSubmissionEach(t *testing.T, on engine) {
	for memory := range roundMemory {
		t.Run(memory, func(t *testing.T) {
			d := on.open(t)
			round := roundOf(t, d, memory, 3)
			for trip := range 4 {
				before, f := d.Counts(), float32(trip)
				got := make([]float32, 3)
				require.NoError(t, gpu.Run(round, floatsToBytes(f, 1, -f), got))
				require.Equal(t, []float32{2 * f, 2, -2 * f}, got)
				require.Equal(t, 1, d.Counts().Submissions-before.Submissions)
				require.Equal(t, 1, d.Counts().Readbacks-before.Readbacks)
			}
		})
	}
}

// The trip uploads values written into its own memory without a copy, and unchanged values stay.
func TestRoundsMemory(t *testing.T) { onEach(t, testRoundsMemory) }

func testRoundsMemory(t *testing.T, on engine) {
	for memory := range roundMemory {
		t.Run(memory, func(t *testing.T) {
			round := roundOf(t, on.open(t), memory, 2)
			require.Len(t, round.Memory(), 8)
			copy(round.Memory(), floatsToBytes(3, 4))
			got := make([]float32, 2)
			require.NoError(t, gpu.Run(round, nil, got))
			require.Equal(t, []float32{6, 8}, got)
			copy(round.Memory()[4:], floatsToBytes(5))
			require.NoError(t, gpu.Run(round, nil, got[:2]))
			require.Equal(t, []float32{6, 10}, got)
		})
	}
}

// The trip is large enough that several cores copy.
func TestLargeRounds(t *testing.T) { onEach(t, testLargeRounds) }

func testLargeRounds(t *testing.T, on engine) {
	for memory := range roundMemory {
		t.Run(memory, func(t *testing.T) {
			n := 1_000_003
			if on == simulated { // it has no staging memory, so its size adds nothing
				n = 50_003
			}
			round := roundOf(t, on.open(t), memory, n)
			values, want := make([]float32, n), make([]float32, n)
			for i := range values {
				values[i], want[i] = float32(i%8191), 2*float32(i%8191)
			}
			got := make([]float32, n)
			require.NoError(t, gpu.Run(round, floatsToBytes(values...), got))
			require.True(t, slices.Equal(want, got), "each number is doubled")
		})
	}
}

func TestRoundsRefuse(t *testing.T) { onEach(t, testRoundsRefuse) }

func testRoundsRefuse(t *testing.T, on engine) {
	for memory := range roundMemory {
		t.Run(memory, func(t *testing.T) {
			d := on.open(t)
			round := roundOf(t, d, memory, 2)
			require.ErrorContains(t, gpu.Run(round, make([]byte, 12), make([]float32, 2)), "12 bytes go to a buffer of 8")
			require.ErrorContains(t, gpu.Run(round, nil, make([]float32, 3)), "12 come from one of 8")
			round.Free()
			require.ErrorContains(t, gpu.Run(round, nil, make([]float32, 2)), "freed already")
			_, err := d.RoundTrip(nil, nil)
			require.Error(t, err)
		})
	}
}
