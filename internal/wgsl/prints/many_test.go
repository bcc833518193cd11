package prints_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/wgsl"
	"github.com/wgslab/wgslab/internal/wgsl/prints"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// BenchmarkManyComments has one comment where no statement can be: the others must not cost a parse
// each because of it.
func BenchmarkManyComments(b *testing.B) {
	shader := manyComments(b)
	for b.Loop() {
		prints.Check(shader.Info)
	}
}

// Only the comment where no statement can be is reported.
func TestManyComments(t *testing.T) {
	require.Len(t, prints.Check(manyComments(t).Info), 1)
}

func manyComments(t testing.TB) *wgsl.Shader {
	shader := wgsl.Read("", "@compute @workgroup_size(1) fn main() {\n"+strings.Repeat("// print: 1\n", 5000)+"let a = (1 // print: 1\n);\n}\n", types.Options{})
	require.True(t, shader.Valid())
	return shader
}
