package gpu_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"pgregory.net/rapid"
)

func TestAdapter(t *testing.T) { onEach(t, testAdapter) }

func testAdapter(t *testing.T, on engine) {
	d := on.open(t)
	a := d.Adapter()
	t.Logf("%+v", a)
	require.NotEmpty(t, a.Name)
	require.Contains(t, []shader.AdapterKind{shader.GPU, shader.CPU, shader.Simulated}, a.Kind)
	require.Contains(t, a.String(), a.Name)
	// Every adapter has at least WebGPU's defaults.
	require.GreaterOrEqual(t, a.Limits.StorageBindingBytes, uint64(128<<20))
	require.GreaterOrEqual(t, a.Limits.BufferBytes, uint64(256<<20))
	require.GreaterOrEqual(t, a.Limits.UniformBindingBytes, uint64(64<<10))
	require.GreaterOrEqual(t, a.Limits.InvocationsPerWorkgroup, uint32(256))
	require.GreaterOrEqual(t, a.Limits.WorkgroupStorageBytes, uint32(16<<10))
	require.GreaterOrEqual(t, a.Limits.WorkgroupsPerDimension, uint32(65535))
	require.GreaterOrEqual(t, a.Limits.StorageBuffersPerShader, uint32(8))
}

func TestGroups(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 1<<31).Draw(t, "n")
		size := rapid.Uint32Range(1, 1024).Draw(t, "size")
		groups := int(gpu.Groups(n, size))
		require.GreaterOrEqual(t, groups*int(size), n)
		require.Less(t, (groups-1)*int(size), n+1-min(n, 1))
	})
}

// Each pass of a submission sees the writes of the earlier ones.
func TestPassesInOrder(t *testing.T) { onEach(t, testPassesInOrder) }

func testPassesInOrder(t *testing.T, on engine) {
	d := on.open(t)
	x, y, z := upload(t, d, float32(1), 2, 3), alloc[float32](t, d, 3), alloc[float32](t, d, 3)
	k := compile(t, d, double)
	require.NoError(t, d.Run(bind(t, k, one, x, y), bind(t, k, one, y, z), bind(t, k, one, z, y)))
	require.Equal(t, []float32{4, 8, 12}, read[float32](t, z))
	require.Equal(t, []float32{8, 16, 24}, read[float32](t, y))
}

func TestPassAgainAndAgain(t *testing.T) { onEach(t, testPassAgainAndAgain) }

func testPassAgainAndAgain(t *testing.T, on engine) {
	d := on.open(t)
	x := upload(t, d, uint32(0), 10)
	p := bind(t, compile(t, d, increment), one, x)
	require.Equal(t, one, p.Workgroups())
	require.Equal(t, "pipeline", p.Pipeline().Name)
	for range 50 {
		require.NoError(t, d.Submit(p, p))
	}
	require.NoError(t, d.Wait())
	require.Equal(t, []uint32{100, 110}, read[uint32](t, x))

	// A write takes effect between the submissions before and after it.
	require.NoError(t, d.Submit(p))
	require.NoError(t, gpu.Write(x, []uint32{7}))
	require.NoError(t, d.Submit(p))
	require.Equal(t, []uint32{8, 112}, read[uint32](t, x))
}

func TestDispatchCoversEveryInvocation(t *testing.T) { onEach(t, testDispatchCoversEveryInvocation) }

func testDispatchCoversEveryInvocation(t *testing.T, on engine) {
	d := on.open(t)
	out := alloc[uint32](t, d, 4*6*2)
	k := compile(t, d, `
@group(0) @binding(0) var<storage, read_write> out: array<u32>;
@compute @workgroup_size(2, 3)
fn main(@builtin(global_invocation_id) id: vec3<u32>) { out[id.x + 4u * (id.y + 6u * id.z)] = id.x + 10u * id.y + 100u * id.z; }`)
	require.Equal(t, [3]uint32{2, 3, 1}, k.WorkgroupSize())
	require.NoError(t, d.Run(bind(t, k, [3]uint32{2, 2, 2}, out)))
	var want []uint32
	for z := range uint32(2) {
		for y := range uint32(6) {
			for x := range uint32(4) {
				want = append(want, x+10*y+100*z)
			}
		}
	}
	require.Equal(t, want, read[uint32](t, out))
}

func TestCounts(t *testing.T) { onEach(t, testCounts) }

func testCounts(t *testing.T, on engine) {
	d := on.open(t)
	x := upload(t, d, uint32(0))
	p := bind(t, compile(t, d, increment), one, x)
	require.Equal(t, gpu.Counts{}, d.Counts())
	require.NoError(t, d.Run(p, p, p))
	require.NoError(t, d.Submit(p))
	read[uint32](t, x)
	read[uint32](t, x)
	require.Equal(t, gpu.Counts{Submissions: 2, Readbacks: 2}, d.Counts())
}

func TestTime(t *testing.T) { onEach(t, testTime) }

func testTime(t *testing.T, on engine) {
	d := on.open(t)
	if !d.Adapter().Timestamps {
		_, err := d.Time()
		require.ErrorContains(t, err, "has no timestamps")
		t.Skipf("%s has no timestamps", d.Adapter())
	}
	x := alloc[float32](t, d, 64)
	looping := func(times int) gpu.Pass {
		return bind(t, compile(t, d, fmt.Sprintf(`
@group(0) @binding(0) var<storage, read_write> x: array<f32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  var v = f32(id.x);
  for (var i = 0u; i < %du; i++) { v = v * 0.99 + 1.0; }
  x[id.x] = v;
}`, times)), one, x)
	}
	few := map[engine]int{driver: 1000, simulated: 10}[on]
	light, heavy := looping(few), looping(1000*few)
	_, err := d.Time(light) // calibrates the clock, once for each device
	require.NoError(t, err)
	started := time.Now()
	times, err := d.Time(light, heavy, light)
	elapsed := time.Since(started)
	require.NoError(t, err)
	t.Log(times, elapsed)
	require.Len(t, times, 3)
	require.Positive(t, times[0])
	require.Greater(t, times[1], times[0], "a thousand times the work")
	require.Greater(t, times[1], times[2], "a thousand times the work")
	require.Less(t, times[0]+times[1]+times[2], elapsed, "as the host's clock saw it")

	none, err := d.Time()
	require.NoError(t, err)
	require.Empty(t, none)
}

func TestSubmitMistakes(t *testing.T) { onEach(t, testSubmitMistakes) }

func testSubmitMistakes(t *testing.T, on engine) {
	d := on.open(t)
	x := upload(t, d, uint32(0))
	k := compile(t, d, increment)
	good := bind(t, k, one, x)
	freed := bind(t, k, one, x)
	freed.Free()
	require.EqualError(t, d.Run(gpu.Pass{}), "pass 0 is empty: it was not made by Pass")
	require.EqualError(t, d.Run(good, freed), "pass 1 was freed already, or belongs to another device")
	require.EqualError(t, on.open(t).Run(good), "pass 0 was freed already, or belongs to another device")

	gone := compile(t, d, increment)
	orphan := bind(t, gone, one, x)
	gone.Free()
	require.ErrorContains(t, d.Run(orphan), "the shader pipeline was freed already")
	_, err := gone.Pass(one, x)
	require.ErrorContains(t, err, "the shader pipeline was freed already")

	require.NoError(t, d.Run(good))
	require.NoError(t, d.Run())
	require.Equal(t, []uint32{1}, read[uint32](t, x), "the device goes on")
}

func TestClosed(t *testing.T) { onEach(t, testClosed) }

func testClosed(t *testing.T, on engine) {
	d, err := gpu.Open()
	require.NoError(t, err)
	x := upload(t, d, uint32(0))
	k := compile(t, d, increment)
	p := bind(t, k, one, x)
	require.NoError(t, d.Submit(p)) // Close waits for it
	d.Close()
	d.Close()
	x.Free()
	k.Free()
	p.Free()
	for name, err := range map[string]error{
		"submit": d.Submit(p), "wait": d.Wait(), "run": d.Run(p), "write": gpu.Write(x, []uint32{1}),
		"read":    second(gpu.Read[uint32](x)),
		"time":    second(d.Time(p)),
		"compile": second(d.Compile("late", increment)),
		"pass":    second(k.Pass(one, x)),
		"upload":  second(gpu.Upload(d, []uint32{1})),
		"uniform": second(gpu.Uniform(d, uint32(1))),
	} {
		require.ErrorIs(t, err, shader.ErrLost, name)
		require.ErrorContains(t, err, "the device is lost: it was closed", name)
	}
}

func second[T any](_ T, err error) error { return err }

// Goroutines that share a device take turns; -race checks that there is no exception.
func TestManyGoroutines(t *testing.T) { onEach(t, testManyGoroutines) }

func testManyGoroutines(t *testing.T, on engine) {
	d := on.open(t)
	shared := compile(t, d, increment)
	var group sync.WaitGroup
	failures := make(chan error, 8)
	for i := range uint32(cap(failures)) {
		group.Go(func() { failures <- useDevice(d, shared, i) })
	}
	group.Wait()
	for range cap(failures) {
		require.NoError(t, <-failures)
	}
	require.Equal(t, 8*10, d.Counts().Readbacks)
}

func useDevice(d *gpu.Device, shared *gpu.Pipeline, start uint32) error {
	for round := range uint32(10) {
		x, err := gpu.Upload(d, []uint32{start, start + 1})
		if err != nil {
			return err
		}
		own, err := d.Compile("own", increment)
		if err != nil {
			return err
		}
		for _, k := range []*gpu.Pipeline{shared, own} {
			p, err := k.Pass(one, x)
			if err != nil {
				return err
			}
			if err := d.Run(p); err != nil {
				return err
			}
			p.Free()
		}
		got, err := gpu.Read[uint32](x)
		if err != nil {
			return err
		}
		if got[0] != start+2 || got[1] != start+3 {
			return fmt.Errorf("round %d: got %v from %d", round, got, start)
		}
		own.Free()
		x.Free()
	}
	return nil
}
