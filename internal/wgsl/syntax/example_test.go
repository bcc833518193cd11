package syntax_test

import (
	"fmt"

	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// A mistake consists of a sentence about the problem, a hint, and an edit that fixes it.
func ExampleParse() {
	const text = "fn double(float x) -> f32 { return 2.0 * x; }"
	source := syntax.NewSource("double.wgsl", text)
	_, diagnostics := syntax.Parse(source)
	for _, d := range diagnostics {
		fmt.Println(source.Format(d))
		mended, _ := findings.Apply(text, d.Fixes[0].Edits)
		fmt.Println(mended)
	}
	// Output:
	// double.wgsl:1:11: error: The type comes after the name in WGSL. Write `x: f32`. [type-before-name]
	// fn double(x: f32) -> f32 { return 2.0 * x; }
}

// The example changes the workgroup size and keeps the rest of the text.
func ExampleApply() {
	const text = "@compute @workgroup_size(64) // one row\nfn main() { }"
	file, _ := syntax.Parse(syntax.NewSource("", text))
	main := file.Decls[0].(*syntax.FuncDecl)
	size := syntax.FindAttribute(main.Attrs, "workgroup_size").Args[0]
	changed, _ := findings.Apply(text, []findings.Edit{{Span: size.Span(), New: "128"}})
	fmt.Println(changed)
	// Output:
	// @compute @workgroup_size(128) // one row
	// fn main() { }
}
