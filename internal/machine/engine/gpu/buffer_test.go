package gpu_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"pgregory.net/rapid"
)

func TestRoundTrip(t *testing.T) { onEach(t, testRoundTrip) }

func testRoundTrip(t *testing.T, on engine) {
	d := on.open(t)
	t.Run("f32", func(t *testing.T) { roundTrip(t, d, rapid.Map(rapid.Uint32(), math.Float32frombits)) })
	t.Run("u32", func(t *testing.T) { roundTrip(t, d, rapid.Uint32()) })
	t.Run("i32", func(t *testing.T) { roundTrip(t, d, rapid.Int32()) })
}

// roundTrip checks that uploaded or written data is read back bit for bit.
func roundTrip[T gpu.Element](t *testing.T, d *gpu.Device, element *rapid.Generator[T]) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.SampledFrom([]int{1, 2, 63, 64, 65, 1000}).Draw(t, "n")
		values := rapid.SliceOfN(element, n, n).Draw(t, "values")
		b, err := gpu.Upload(d, values)
		require.NoError(t, err)
		defer b.Free()
		require.Equal(t, n, b.Len())
		require.Equal(t, uint64(4*n), b.Bytes())
		requireSameBits(t, values, b)

		front := rapid.SliceOfN(element, 0, n).Draw(t, "front")
		require.NoError(t, gpu.Write(b, front))
		requireSameBits(t, append(front, values[len(front):]...), b)
	})
}

func requireSameBits[T gpu.Element](t require.TestingT, want []T, b *gpu.Buffer) {
	got, err := gpu.Read[T](b)
	require.NoError(t, err)
	require.Equal(t, bits(want), bits(got))
}

// bits converts values to their bits, so that NaNs can be compared.
func bits[T gpu.Element](values []T) []uint32 {
	all := make([]uint32, len(values))
	for i, v := range values {
		switch v := any(v).(type) {
		case float32:
			all[i] = math.Float32bits(v)
		case uint32:
			all[i] = v
		case int32:
			all[i] = uint32(v)
		}
	}
	return all
}

func TestMillionElements(t *testing.T) { onEach(t, testMillionElements) }

func testMillionElements(t *testing.T, on engine) {
	d := on.open(t)
	values := make([]int32, 1<<20)
	for i := range values {
		values[i] = int32(i) - 1<<19
	}
	require.Equal(t, values, read[int32](t, upload(t, d, values...)))
}

func TestAllocIsZero(t *testing.T) { onEach(t, testAllocIsZero) }

func testAllocIsZero(t *testing.T, on engine) {
	d := on.open(t)
	// A new buffer must not contain data of a freed one.
	for range 3 {
		dirty := upload(t, d, 1, 2, 3, float32(4))
		dirty.Free()
		require.Equal(t, make([]float32, 1000), read[float32](t, alloc[float32](t, d, 1000)))
	}
}

func TestReadShrinksAndGrows(t *testing.T) { onEach(t, testReadShrinksAndGrows) }

func testReadShrinksAndGrows(t *testing.T, on engine) {
	d := on.open(t)
	small, large := upload(t, d, 7, 8, uint32(9)), alloc[uint32](t, d, 5000)
	for range 2 {
		require.Equal(t, []uint32{7, 8, 9}, read[uint32](t, small))
		require.Len(t, read[uint32](t, large), 5000)
	}
}

func TestUniformIsPadded(t *testing.T) { onEach(t, testUniformIsPadded) }

func testUniformIsPadded(t *testing.T, on engine) {
	d := on.open(t)
	for members, bytes := range map[int]uint64{1: 16, 3: 16, 4: 16, 5: 32} {
		all := make([]any, members)
		for i := range all {
			all[i] = uint32(i)
		}
		u, err := gpu.Uniform(d, all...)
		require.NoError(t, err)
		require.Equal(t, bytes, u.Bytes())
	}
	u, err := gpu.Uniform(d, float32(0.5), uint32(3), int32(-2))
	require.NoError(t, err)
	require.Equal(t, []int32{int32(math.Float32bits(0.5)), 3, -2, 0}, read[int32](t, u))

	k := compile(t, d, `
struct Params { alpha: f32, n: u32, offset: i32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;
@compute @workgroup_size(1) fn main() {
  out[0] = params.alpha * f32(params.n) + f32(params.offset);
}`)
	out := alloc[float32](t, d, 1)
	require.NoError(t, d.Run(bind(t, k, one, u, out)))
	require.Equal(t, []float32{-0.5}, read[float32](t, out))
}

func TestBufferMistakes(t *testing.T) { onEach(t, testBufferMistakes) }

func testBufferMistakes(t *testing.T, on engine) {
	d, other := on.open(t), on.open(t)
	b := upload(t, d, float32(1), 2)
	freed := upload(t, d, float32(1))
	freed.Free()
	freed.Free() // freeing again does nothing
	huge := int(d.Adapter().Limits.StorageBindingBytes/4) + 1
	for name, c := range map[string]struct {
		err  func() error
		want string
	}{
		"empty upload":   {func() error { _, err := gpu.Upload(d, []float32{}); return err }, "a buffer needs at least one element, but 0 were asked for"},
		"negative alloc": {func() error { _, err := gpu.Alloc[float32](d, -1); return err }, "a buffer needs at least one element, but -1 were asked for"},
		"over the limit": {func() error { _, err := gpu.Alloc[float32](d, huge); return err }, "more than " + d.Adapter().Name + " can bind"},
		"write too long": {func() error { return gpu.Write(b, make([]float32, 3)) }, "writing 12 bytes to a buffer of 8"},
		"wrong type":     {func() error { _, err := gpu.Read[uint32](b); return err }, "reading a buffer of f32 as u32"},
		"empty uniform":  {func() error { _, err := gpu.Uniform(d); return err }, "a uniform needs at least one member"},
		"uniform member": {func() error { _, err := gpu.Uniform(d, uint32(1), 2.5); return err }, "uniform member 1 is a float64; it must be a float32, uint32 or int32"},
		"read freed":     {func() error { _, err := gpu.Read[float32](freed); return err }, "the buffer was freed already"},
		"write freed":    {func() error { return gpu.Write(freed, []float32{1}) }, "the buffer was freed already"},
		"bind freed":     {func() error { _, err := compile(t, d, double).Pass(one, freed, b); return err }, "the buffer for @binding(0) was freed already"},
		"bind elsewhere": {func() error { _, err := compile(t, other, increment).Pass(one, upload(t, d, uint32(1))); return err }, "the buffer for @binding(0) was freed already, or belongs to another device"},
	} {
		t.Run(name, func(t *testing.T) { require.ErrorContains(t, c.err(), c.want) })
	}
	require.Equal(t, []float32{1, 2}, read[float32](t, b), "the device goes on")
}

// The buffer exceeds WebGPU's default of 128 MiB, and a pipeline writes it up to its last element.
func TestLargeBuffer(t *testing.T) { onEach(t, testLargeBuffer) }

func testLargeBuffer(t *testing.T, on engine) {
	const bytes = 300 << 20
	d := on.open(t)
	if limit := d.Adapter().Limits.StorageBindingBytes; limit < bytes {
		t.Skipf("%s binds at most %d bytes", d.Adapter(), limit)
	}
	large, last := alloc[uint32](t, d, bytes/4), alloc[uint32](t, d, 2)
	write := compile(t, d, `
@group(0) @binding(0) var<storage, read_write> x: array<u32>;
@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  let i = (id.x + 1u) * 1024u - 1u;
  if (i < arrayLength(&x)) { x[i] = i; }
}`)
	fetch := compile(t, d, `
@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> last: array<u32>;
@compute @workgroup_size(1) fn main() {
  last[0] = arrayLength(&x);
  last[1] = x[arrayLength(&x) - 1u];
}`)
	require.NoError(t, d.Run(
		bind(t, write, [3]uint32{gpu.Groups(bytes/4/1024, 64), 1, 1}, large),
		bind(t, fetch, one, large, last)))
	require.Equal(t, []uint32{bytes / 4, bytes/4 - 1}, read[uint32](t, last))
}

// Allocating more memory than exists returns an error, and the device still works. The test does
// not touch the buffers, so neither a CPU driver nor the simulator actually takes the memory.
func TestOutOfMemory(t *testing.T) { onEach(t, testOutOfMemory) }

func testOutOfMemory(t *testing.T, on engine) {
	d := on.open(t)
	if d.Adapter().Kind == shader.GPU {
		t.Skipf("%s has memory of its own: filling it would disturb what else runs there", d.Adapter())
	}
	const terabyte = 1 << 40
	each := int(d.Adapter().Limits.StorageBindingBytes)
	var made []*gpu.Buffer
	var err error
	for err == nil && len(made) < terabyte/each {
		var b *gpu.Buffer
		if b, err = gpu.Alloc[uint32](d, each/4); err == nil {
			made = append(made, b)
		}
	}
	require.ErrorContains(t, err, fmt.Sprintf("a buffer of %d bytes does not fit: %s has memory for", each, d.Adapter().Name))
	require.NotErrorIs(t, err, shader.ErrLost)
	made[0].Free()
	alloc[uint32](t, d, each/4)

	x := upload(t, d, uint32(41))
	require.NoError(t, d.Run(bind(t, compile(t, d, increment), one, x)))
	require.Equal(t, []uint32{42}, read[uint32](t, x))
}
