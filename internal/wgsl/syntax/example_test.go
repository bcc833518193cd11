package syntax_test

import (
	"fmt"

	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// A mistake is a sentence that says what is wrong, one that says what to try, and an edit that mends it.
func ExampleParse() {
	const text = "fn double(float x) -> f32 { return 2.0 * x; }"
	source := syntax.NewSource("double.wgsl", text)
	_, diagnostics := syntax.Parse(source)
	for _, d := range diagnostics {
		fmt.Println(d.Format(source))
		mended, _ := syntax.Apply(text, d.Fixes[0].Edits)
		fmt.Println(mended)
	}
	// Output:
	// double.wgsl:1:11: error: The type stands after the name in WGSL. Write `x: f32`. [type-before-name]
	// fn double(x: f32) -> f32 { return 2.0 * x; }
}

// Another workgroup size, everything else as it was written.
func ExampleApply() {
	const text = "@compute @workgroup_size(64) // one row\nfn main() { }"
	file, _ := syntax.Parse(syntax.NewSource("", text))
	main := file.Decls[0].(*syntax.FuncDecl)
	size := syntax.FindAttribute(main.Attrs, "workgroup_size").Args[0]
	changed, _ := syntax.Apply(text, []syntax.Edit{{Span: size.Span(), New: "128"}})
	fmt.Println(changed)
	// Output:
	// @compute @workgroup_size(128) // one row
	// fn main() { }
}
