package gpu_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/wgslab/wgslab/pkg/gpu"
)

const doubled = `
struct Params { n: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x < params.n) {
    out[id.x] = 2.0 * x[id.x];
  }
}`

func ok[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

// The steps of every cell: open, upload, compile, run, read back.
func ExampleOpen() {
	device := ok(gpu.Open())
	defer device.Close()

	x := ok(gpu.Upload(device, []float32{1, 2, 3, 4, 5}))
	out := ok(gpu.Alloc[float32](device, 5))
	params := ok(gpu.Uniform(device, uint32(3))) // only the first three
	kernel := ok(device.Compile("double", doubled))
	groups := gpu.Groups(5, kernel.WorkgroupSize()[0])
	pass := ok(kernel.Pass([3]uint32{groups, 1, 1}, params, x, out))
	if err := device.Run(pass); err != nil {
		log.Fatal(err)
	}
	fmt.Println(ok(gpu.Read[float32](out)))
	// Output: [2 4 6 0 0]
}

func ExampleGroups() {
	fmt.Println(gpu.Groups(64, 64), gpu.Groups(65, 64))
	// Output: 1 2
}

// Write fills an existing buffer with new values.
func ExampleWrite() {
	device := ok(gpu.Open())
	defer device.Close()

	buffer := ok(gpu.Upload(device, []uint32{1, 2, 3}))
	if err := gpu.Write(buffer, []uint32{7, 8, 9}); err != nil {
		log.Fatal(err)
	}
	fmt.Println(ok(gpu.Read[uint32](buffer)))
	// Output: [7 8 9]
}

// The same steps in one call: the shader, the area to cover, and a value for each binding.
func ExampleCompute() {
	x := []float32{1, 2, 3, 4, 5}
	out, err := gpu.Compute[float32](doubled, gpu.Elements(5), gpu.Members{3}, x, gpu.Out(5))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(out)
	// Output: [2 4 6 0 0]
}

// Element (row, column) of this matrix reads "row.column".
func ExampleMatrix() {
	fmt.Println(gpu.Matrix(2, 3, func(row, col int) float64 { return float64(row) + float64(col)/10 }))
	// Output: [0 0.1 0.2 1 1.1 1.2]
}

// A picture of a dispatch needs the workgroup size that the shader declares.
func ExampleWorkgroupSize() {
	fmt.Println(ok(gpu.WorkgroupSize(doubled)))
	// Output: [4 1]
}

// A shader with one changed line, to see the effect.
func ExampleEdited() {
	dir := ok(os.MkdirTemp("", "gpu"))
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "doubled.wgsl")
	if err := os.WriteFile(file, []byte(doubled), 0o644); err != nil {
		log.Fatal(err)
	}
	halved := ok(gpu.Edited(file, "2.0 * x", "0.5 * x"))
	fmt.Println(ok(gpu.Compute[float32](halved, gpu.Elements(2), gpu.Members{2}, []float32{1, 2}, gpu.Out(2))))
	// Output: [0.5 1]
}
