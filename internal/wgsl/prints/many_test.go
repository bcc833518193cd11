package prints_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/wgsl"
	"github.com/wgslab/wgslab/internal/wgsl/prints"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// One comment where no statement can be doesn't make each of thousands cost a parse of its own.
func TestManyComments(t *testing.T) {
	shader := wgsl.Read("", "@compute @workgroup_size(1) fn main() {\n"+strings.Repeat("// print: 1\n", 5000)+"let a = (1 // print: 1\n);\n}\n", types.Options{})
	require.True(t, shader.Valid())
	began := time.Now()
	require.Len(t, prints.Check(shader.Info), 1)
	require.Less(t, time.Since(began), 2*time.Second)
}
