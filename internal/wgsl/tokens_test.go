package wgsl_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/wgsl"
	"pgregory.net/rapid"
)

// Names that a shader declares are distinguished from those that WGSL defines, even if they are
// spelled alike.
func TestTokensNames(t *testing.T) {
	tokens := wgsl.Tokens(`
struct Dims { m: u32, @size(16) x: f32, }
alias Row = array<f32, 4>;
const WIDTH = 8u; // a comment
override deep: u32 = 2;
var<workgroup> tile: Row;
var<private> seed = 7u;
@group(0) @binding(0) var<uniform> dims: Dims;
@compute @workgroup_size(WIDTH)
fn main(@builtin(local_invocation_id) local_invocation_id: vec3<u32>) {
  let z = local_invocation_id.z /* nested /* too */ */ + dims.x;
  var y: u32 = select(z, deep, z > WIDTH);
  switch y { case WIDTH: { } default: { helper(y); } }
}
fn helper(v: u32) -> u32 { return v; }
`)
	var texts, names []string
	seen := map[string]bool{}
	for _, token := range tokens {
		texts = append(texts, token.Text)
		if token.Name != "" && !seen[token.Name] {
			seen[token.Name] = true
			names = append(names, token.Name)
		}
	}
	require.Equal(t, []string{"Dims", ".m", ".x", "Row", "WIDTH", "deep", "tile", "seed", "dims", "main", "local_invocation_id", "z", "y", "helper", "v"}, names)
	all := strings.Join(texts, " ")
	require.NotContains(t, all, "comment")
	require.NotContains(t, all, "nested")
	require.Contains(t, all, "let z = local_invocation_id . z + dims . x ;")

	for i, token := range tokens {
		switch before := texts[max(0, i-1)]; {
		case token.Text == "z" && before == ".":
			require.Empty(t, token.Name, "a vec3's z is WGSL's, whatever the shader calls z")
		case token.Text == "local_invocation_id" && before == "(":
			require.Empty(t, token.Name, "the builtin keeps its name, the parameter need not")
		}
	}
}

// Any text has tokens: non-empty parts of it, in order.
func TestTokensOfAnything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		source := rapid.OneOf(
			rapid.String(),
			rapid.StringMatching(`([a-z]{1,3}|[{}();:,.@<>=]|struct |var |fn |/\*|\*/|//|\n| |[0-9]x?){0,60}`),
		).Draw(t, "source")
		rest := source
		for _, token := range wgsl.Tokens(source) {
			require.NotEmpty(t, token.Text)
			require.Contains(t, rest, token.Text)
			_, rest, _ = strings.Cut(rest, token.Text)
		}
	})
}
