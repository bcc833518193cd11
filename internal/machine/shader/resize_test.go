package shader_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/machine/shader"
)

func TestResized(t *testing.T) {
	for text, want := range map[string]string{
		"@compute @workgroup_size(64) fn main() {}":                                   "@compute @workgroup_size(8, 4, 1) fn main() {}",
		"@compute @workgroup_size(64u, 1) fn main() {}":                               "@compute @workgroup_size(8u, 4, 1) fn main() {}",
		"const W = 64u; @compute @workgroup_size(W, 2) fn main() { let a = W * 64; }": "const W = 8u; @compute @workgroup_size(W, 4, 1) fn main() { let a = W * 64; }",
		"const W = 16; const H = W; @compute @workgroup_size(W, H) fn main() {}":      "", // one number for both
		"@compute @workgroup_size(W) fn main() {} const W = 16;":                      "", // after main
		"override w: u32 = 4; @compute @workgroup_size(w) fn main() {}":               "",
		"@compute @workgroup_size(2 * 32) fn main() {}":                               "",
		"@compute @workgroup_size() fn main() {}":                                     "",
		"@compute @workgroup_size(64) fn other() {}":                                  "",
		"fn main(": "",
		"":         "",
		"// @workgroup_size(64)\n@compute @workgroup_size(32, 32, 1)\nfn main() { /* */ }": "// @workgroup_size(64)\n@compute @workgroup_size(8, 4, 1)\nfn main() { /* */ }",
	} {
		resized, ok := shader.Resized("try.wgsl", text, [3]uint32{8, 4, 1})
		require.Equal(t, want != "", ok, text)
		if ok {
			require.Equal(t, want, resized.Text)
		}
	}
	square := "const W = 16; @compute @workgroup_size(W, W) fn main() {}"
	resized, ok := shader.Resized("try.wgsl", square, [3]uint32{8, 8, 1})
	require.True(t, ok)
	require.Equal(t, strings.Replace(square, "16", "8", 1), resized.Text[:strings.Index(resized.Text, ", 1)")]+") fn main() {}")
}
