package shader_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/machine/shader"
)

// A driver gets numbers for the lengths that are expressions; everything else, columns included, is
// the learner's.
func TestForDriver(t *testing.T) {
	const text = `const SIDE = 4u;
override WIDE = 8u;
var<workgroup> plain: array<f32, SIDE>;
var<workgroup> flat: array<f32, SIDE * SIDE>; // a comment
var<workgroup> padded: array<array<f32, SIDE + 1>, 2u * SIDE>;
var<workgroup> later: array<f32, WIDE * 2u>;
@group(0) @binding(0) var<storage, read_write> out: array<f32>;
@compute @workgroup_size(SIDE * SIDE)
fn main() {
    let v = array<f32, SIDE+1>();
    out[0] = v[0] + flat[0] + padded[0][0] + plain[0];
}
`
	got := shader.Read("try.wgsl", text).ForDriver()
	require.Equal(t, `const SIDE = 4u;
override WIDE = 8u;
var<workgroup> plain: array<f32, SIDE>;
var<workgroup> flat: array<f32, 16         >; // a comment
var<workgroup> padded: array<array<f32, 5       >, 8        >;
var<workgroup> later: array<f32, WIDE * 2u>;
@group(0) @binding(0) var<storage, read_write> out: array<f32>;
@compute @workgroup_size(SIDE * SIDE)
fn main() {
    let v = array<f32, 5     >();
    out[0] = v[0] + flat[0] + padded[0][0] + plain[0];
}
`, got)
	require.Equal(t, "fn main( {", shader.Read("try.wgsl", "fn main( {").ForDriver(), "a shader with a mistake is as it is")
}
