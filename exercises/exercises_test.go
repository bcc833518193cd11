package exercises_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

func open(t *testing.T) *gpu.Device {
	t.Helper()
	device, err := gpu.Open()
	require.NoError(t, err)
	t.Cleanup(device.Close)
	return device
}

// Every reference is found by its id, says first what it computes, and compiles.
func TestEveryReference(t *testing.T) {
	device := open(t)
	names, err := filepath.Glob("*/reference.wgsl")
	require.NoError(t, err)
	require.Greater(t, len(names), 14)
	for _, file := range names {
		name := filepath.Dir(file)
		t.Run(name, func(t *testing.T) {
			source, err := exercises.Reference(name)
			require.NoError(t, err)
			onDisk, err := os.ReadFile(file)
			require.NoError(t, err)
			require.Equal(t, string(onDisk), source)
			begin := "// " + name + ": "
			if strings.HasPrefix(name, "find-") {
				begin = "// The bug is in this line: " // as the learner of such a task writes it
			}
			require.True(t, strings.HasPrefix(source, begin), "it starts with what it computes")
			read := shader.Read(name, source)
			module, err := read.Module()
			require.NoError(t, err)
			for _, entry := range module.EntryPoints {
				program, err := gpu.Backend(device).Compile(t.Context(), read.At(entry.Name))
				if shader.RefusedOnly(err) && strings.Contains(source, "enable subgroups;") {
					t.Skipf("left out: the driver's compiler takes no subgroups: %v", err)
				}
				require.NoError(t, err)
				program.Free()
			}
		})
	}
}

func TestReferenceOfNothing(t *testing.T) {
	_, err := exercises.Reference("matmull")
	require.EqualError(t, err, `there is no reference shader "matmull"`)
}

// bench runs shaders on buffers, failing its test when anything goes wrong.
type bench struct {
	*testing.T
	device *gpu.Device
	rng    *rand.Rand
}

func newBench(t *testing.T) bench { return bench{t, open(t), rand.New(rand.NewPCG(1, 1))} }

func (b bench) uniform(members ...any) *gpu.Buffer {
	b.Helper()
	u, err := gpu.Uniform(b.device, members...)
	require.NoError(b, err)
	return u
}

func upload[T gpu.Element](b bench, values []T) *gpu.Buffer {
	b.Helper()
	buffer, err := gpu.Upload(b.device, values)
	require.NoError(b, err)
	return buffer
}

// poisoned is a buffer of NaNs: a test then sees an element that the shader does not write.
func (b bench) poisoned(n int) *gpu.Buffer {
	values := make([]float32, n)
	for i := range values {
		values[i] = float32(math.NaN())
	}
	return upload(b, values)
}

func (b bench) values(n int) []float32 {
	values := make([]float32, n)
	for i := range values {
		values[i] = 20*b.rng.Float32() - 10
	}
	return values
}

// run dispatches the given numbers of invocations in x and y.
func (b bench) run(name string, x, y int, buffers ...*gpu.Buffer) {
	b.Helper()
	source, err := exercises.Reference(name)
	require.NoError(b, err)
	pipeline, err := b.device.Compile(name, source)
	require.NoError(b, err)
	size := pipeline.WorkgroupSize()
	b.dispatch(pipeline, [3]uint32{gpu.Groups(x, size[0]), gpu.Groups(y, size[1]), 1}, buffers...)
}

// runRows dispatches one workgroup per row.
func (b bench) runRows(name string, rows int, buffers ...*gpu.Buffer) {
	b.Helper()
	source, err := exercises.Reference(name)
	require.NoError(b, err)
	pipeline, err := b.device.Compile(name, source)
	require.NoError(b, err)
	b.dispatch(pipeline, [3]uint32{uint32(rows), 1, 1}, buffers...)
}

func (b bench) dispatch(pipeline *gpu.Pipeline, groups [3]uint32, buffers ...*gpu.Buffer) {
	b.Helper()
	pass, err := pipeline.Pass(groups, buffers...)
	require.NoError(b, err)
	require.NoError(b, b.device.Run(pass))
}

func (b bench) require(want []float64, out *gpu.Buffer, tolerance float64) {
	b.Helper()
	got, err := gpu.Read[float32](out)
	require.NoError(b, err)
	require.Len(b, got, len(want))
	for i := range want {
		require.InDelta(b, want[i], got[i], tolerance, "element %d", i)
	}
}

// lengths around a workgroup's size, and one of many workgroups.
var lengths = []int{1, 63, 64, 65, 1000}

func TestElementwise(t *testing.T) {
	b := newBench(t)
	for _, n := range lengths {
		x, y := b.values(n), b.values(n)
		sum, scaled, relu, leaky, normal := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
		words := make([]uint32, (n+3)/4)
		for i := range n {
			sum[i] = float64(x[i] + y[i])
			scaled[i] = float64(y[i])
			if i < n/2 {
				scaled[i] += 2.5 * float64(x[i])
			}
			relu[i] = math.Max(float64(x[i]), 0)
			leaky[i] = math.Max(float64(x[i]), 0.25*float64(x[i]))
			pixel := uint32(i*7) % 256
			words[i/4] |= pixel << (8 * (i % 4))
			normal[i] = (float64(pixel)/255 - 0.1307) / 0.3081
		}
		out := b.poisoned(n)
		b.run("vector-add", n, 1, upload(b, x), upload(b, y), out)
		b.require(sum, out, 0)

		out = upload(b, y)
		b.run("saxpy", n, 1, b.uniform(float32(2.5), uint32(n/2)), upload(b, x), out)
		b.require(scaled, out, 1e-5)

		out = upload(b, x)
		b.run("relu", n, 1, out)
		b.require(relu, out, 0)

		out = upload(b, x)
		b.run("leaky-relu", n, 1, b.uniform(float32(0.25)), out)
		b.require(leaky, out, 1e-6)

		out = b.poisoned(n)
		b.run("normalize", n, 1, b.uniform(uint32(n), float32(0.1307), float32(0.3081)), upload(b, words), out)
		b.require(normal, out, 1e-5)

		numbers := upload(b, make([]uint32, n))
		b.run("hello", n, 1, numbers)
		got, err := gpu.Read[uint32](numbers)
		require.NoError(t, err)
		for i, number := range got {
			require.EqualValues(t, i, number)
		}
	}
}

func TestAdd(t *testing.T) {
	b := newBench(t)
	out := b.poisoned(1)
	b.run("add", 1, 1, upload(b, []float32{2}), upload(b, []float32{40}), out)
	b.require([]float64{42}, out, 0)
}

func TestProducts(t *testing.T) {
	b := newBench(t)
	for _, size := range [][3]int{{1, 1, 1}, {16, 16, 16}, {15, 17, 33}, {127, 1, 129}, {1, 130, 64}} {
		m, n, k := size[0], size[1], size[2]
		x, w, bias := b.values(m*k), b.values(k*n), b.values(n)
		product, linear := make([]float64, m*n), make([]float64, m*n)
		for i := range product {
			for j := range k {
				product[i] += float64(x[i/n*k+j]) * float64(w[j*n+i%n])
			}
			linear[i] = product[i] + float64(bias[i%n])
		}
		tolerance := 1e-4 * float64(k)
		dims := b.uniform(uint32(m), uint32(n), uint32(k))
		for _, name := range []string{"matmul", "matmul-tiled"} {
			out := b.poisoned(m * n)
			b.run(name, n, m, dims, upload(b, x), upload(b, w), out)
			b.require(product, out, tolerance)
		}
		out := b.poisoned(m * n)
		b.run("linear", n, m, dims, upload(b, x), upload(b, w), upload(b, bias), out)
		b.require(linear, out, tolerance)
	}
}

func TestRows(t *testing.T) {
	b := newBench(t)
	for _, size := range [][2]int{{1, 1}, {3, 10}, {5, 31}, {2, 32}, {4, 33}, {3, 64}, {3, 65}, {70, 200}} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			rows, cols := size[0], size[1]
			x := b.values(rows * cols)
			for i := range x {
				x[i] -= 200 // all negative, and exp of each is 0 in float32
			}
			largest, soft, best := make([]float64, rows), make([]float64, rows*cols), make([]uint32, rows)
			for row := range rows {
				values := x[row*cols : (row+1)*cols]
				values[cols/2] = values[cols-1] // a tie, now and then the best
				for i, value := range values {
					if value > values[best[row]] {
						best[row] = uint32(i)
					}
				}
				largest[row] = float64(values[best[row]])
				total := 0.0
				for i, value := range values {
					soft[row*cols+i] = math.Exp(float64(value) - largest[row])
					total += soft[row*cols+i]
				}
				for i := range values {
					soft[row*cols+i] /= total
				}
			}
			dims := b.uniform(uint32(rows), uint32(cols))
			out := b.poisoned(rows)
			b.runRows("row-max", rows, dims, upload(b, x), out)
			b.require(largest, out, 0)

			out = upload(b, x)
			b.runRows("softmax", rows, dims, out)
			b.require(soft, out, 1e-5)

			indices := upload(b, make([]uint32, rows))
			b.run("argmax", rows, 1, dims, upload(b, x), indices)
			got, err := gpu.Read[uint32](indices)
			require.NoError(t, err)
			require.Equal(t, best, got)
		})
	}
}

func TestDownsample(t *testing.T) {
	b := newBench(t)
	for _, size := range [][2]int{{1, 1}, {28, 28}, {280, 28}, {27, 9}, {6, 1}} {
		src, dst := size[0], size[1]
		image, want := b.values(src*src), make([]float64, dst*dst)
		side := src / dst
		for i, value := range image {
			want[i/src/side*dst+i%src/side] += float64(value) / float64(side*side)
		}
		out := b.poisoned(dst * dst)
		b.run("downsample", dst, dst, b.uniform(uint32(src), uint32(dst)), upload(b, image), out)
		b.require(want, out, 1e-4)
	}
}
