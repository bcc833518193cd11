package types_test

import (
	"fmt"

	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

func Example() {
	source := syntax.NewSource("double.wgsl", `
@group(0) @binding(0) var<storage, read_write> data: array<f32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  data[id.x] = 2 * data[id.x];
}`)
	file, _ := syntax.Parse(source)
	info, diagnostics := types.Check(file, types.Options{})
	fmt.Println(len(diagnostics), "mistakes")
	for _, entry := range info.EntryPoints {
		fmt.Println(entry.Stage, entry.Object.Name, entry.WorkgroupSize[0].Value)
		for _, r := range entry.Resources {
			fmt.Println(*r.Group, *r.Binding, r.Name, r.Space(), r.Access(), r.Store())
		}
	}
	// Output:
	// 0 mistakes
	// compute main 64
	// 0 0 data storage read_write array<f32>
}

func ExampleLookupBuiltin() {
	b := types.LookupBuiltin(types.FunctionBuiltin, "mix")
	fmt.Println(b.Doc, "§", b.Section)
	for _, signature := range b.Signatures() {
		fmt.Println(signature)
	}
	// Output:
	// Blends linearly: e1 where e3 is 0, e2 where it is 1. § 17.5.43
	// mix(e1: S~, e2: S~, e3: S~) -> S~ where S: float
	// mix(e1: vecN<S>, e2: vecN<S>, e3: S) -> vecN<S> where S: float
}
