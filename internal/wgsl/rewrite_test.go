package wgsl_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/wgsl"
)

func TestRewriteArrayLength(t *testing.T) {
	replace := func(name string) (string, bool) { return "7u", name == "a" || name == "größe" }
	for _, c := range []struct {
		source, want string
		complete     bool
	}{
		{"if i < arrayLength(&a) {", "if i < 7u {", true},
		{"arrayLength(&a)-arrayLength( & a )", "7u-7u   ", true},
		{"arrayLength(&(a))", "7u", true},
		{"arrayLength((&a))", "7u", true},
		{"arrayLength(&((a)),)", "7u", true},
		{"arrayLength(&größe)", "7u", true},
		{"arrayLength\n(\n&a\n)\nx", "7u\n\n\n\nx", true},
		{"arrayLength( // how many\n&a /* of /* them */ */ ) + 1", "7u // how many\n /* of /* them */ */  + 1", true},
		{"// arrayLength(&a)\n/* arrayLength(&a) */", "// arrayLength(&a)\n/* arrayLength(&a) */", true},
		{"let arrayLengths = arrayLength(&a);", "let arrayLengths = 7u;", true},
		{"min(arrayLength(&a), arrayLength(&b))", "min(7u, arrayLength(&b))", false},
		{"arrayLength(p)", "arrayLength(p)", false},
		{"arrayLength(&s.a)", "arrayLength(&s.a)", false},
		{"arrayLength(&*p)", "arrayLength(&*p)", false},
		{"arrayLength(&(*p).a) + arrayLength(&a)", "arrayLength(&(*p).a) + 7u", false},
		{"fn arrayLength(x: u32) -> u32 { return x; } arrayLength(&a)", "fn arrayLength(x: u32) -> u32 { return x; } arrayLength(&a)", false},
		{"arrayLength(&a", "arrayLength(&a", false},
		{"arrayLength", "arrayLength", true},
		{"", "", true},
	} {
		rewritten, complete := wgsl.Scan(c.source).RewriteArrayLength(replace)
		require.Equal(t, c.want, rewritten, c.source)
		require.Equal(t, c.complete, complete, c.source)
		require.Equal(t, strings.Count(c.source, "\n"), strings.Count(rewritten, "\n"), c.source)
	}
}
