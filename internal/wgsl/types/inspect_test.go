package types

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// nested has names that hide others, and scopes of every kind, some of which begin at the same
// place.
const nested = `const a = 1;
var<private> b: i32;
fn f(a: i32) -> i32 { let b = a; { let a = b; { let b = a; } } return a + b; }
fn g() {
  let a = 1.5;
  for (var i = 0; i < 3; i++) { let a = i; if (a > 1) { let i = a; } else { let b = i; } }
  loop { let c = 1; if (c > 0) { break; } continuing { let d = c; } }
  switch (b) { case 1: { let e = b; } default: { let b = 2; { } } }
  while (b > 0) { let a = b; }
  let c = b;
  {{ let c = a; }}
}
@compute @workgroup_size(1) fn main(@builtin(local_invocation_index) i: u32) { let a = i; g(); var b = f(1); }
`

// The index of scopes finds the same object for each name, at each offset, as a list of all names
// in scope.
func TestScopesAreFound(t *testing.T) {
	file, list := syntax.Parse(syntax.NewSource("", nested))
	require.Empty(t, list)
	info, list := Check(file, Options{Features: AllFeatures})
	require.False(t, findings.HasErrors(list), "%v", list)
	found := 0
	for offset := int32(1); int(offset) <= len(nested); offset++ {
		index := &checker{info: info, module: info.module, scope: info.scopeAt(offset), upTo: offset}
		flat := &checker{info: info, module: info.module, scope: &Scope{Parent: info.Scopes[0], Objects: info.localsAt(offset)}}
		for _, name := range []string{"a", "b", "c", "d", "e", "i", "f", "vec2", "nothing"} {
			require.Same(t, flat.lookup(name), index.lookup(name), "`%s` at %q", name, nested[offset-1:])
			if o := index.lookup(name); o != nil && !o.Global {
				found++
			}
		}
	}
	require.Greater(t, found, 500)
}
