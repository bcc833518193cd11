package edit

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// declarations adds the edits outside of functions.
func (f *finder) declarations() {
	var bound []*syntax.Attribute
	for _, d := range f.info.File.Decls {
		switch d := d.(type) {
		case *syntax.VarDecl:
			if a := syntax.FindAttribute(d.Attrs, "binding"); a != nil && len(a.Args) == 1 {
				bound = append(bound, a)
			}
			if d.Templ != nil {
				f.space(d)
			}
		case *syntax.ConstDecl:
			f.constant(d)
		case *syntax.StructDecl:
			f.structure(d)
		}
	}
	for i, a := range bound {
		for n := range bound {
			f.replace(Binding, Usual, a.Args[0].Span(), fmt.Sprint(n))
		}
		for _, b := range bound[i+1:] {
			f.exchange(Binding, Usual, b.Span(), a.Args[0].Span(), b.Args[0].Span())
		}
	}
}

// mostScaled is the largest whole number whose double still fits into an abstract integer.
const mostScaled = math.MaxInt64 / 2

// constant adds the edits of a constant that is a number. A workgroup of one invocation is not
// among them: in it nothing goes wrong that others do.
func (f *finder) constant(d *syntax.ConstDecl) {
	if negative, ok := d.Init.(*syntax.UnaryExpr); ok {
		f.negative(negative)
		return
	}
	literal, ok := d.Init.(*syntax.Literal)
	if !ok {
		return
	}
	if !isInteger(f.typeOf(literal)) {
		f.literal(literal)
		return
	}
	if literal.Int == 0 || literal.Int > mostScaled {
		return // nothing is near: 0 has no half, and the double of the other is no number of WGSL
	}
	power := int64(1) << (bits.Len64(uint64(literal.Int)) - 1) // at most the number
	if power != literal.Int {                                  // halving needs a power of two
		f.replace(Constant, Usual, literal.Span(), fmt.Sprint(power)+suffix(literal))
		f.replace(Constant, Usual, literal.Span(), fmt.Sprint(2*power)+suffix(literal))
	}
	for _, n := range []int64{literal.Int + 1, literal.Int - 1, 2 * literal.Int, literal.Int / 2, power, 2 * power} {
		if n > 1 {
			f.replace(Constant, Unusual, literal.Span(), fmt.Sprint(n)+suffix(literal))
		}
	}
}

// space adds the edits of a variable's address space.
func (f *finder) space(d *syntax.VarDecl) {
	for _, to := range []string{"<uniform>", "<storage, read>", "<storage, read_write>"} {
		f.replace(Binding, Unusual, d.Templ.Span(), to)
	}
}

// structure adds the edits that exchange two members next to each other, and those of their types.
func (f *finder) structure(d *syntax.StructDecl) {
	for _, m := range d.Members {
		for _, to := range []string{"u32", "f32"} {
			f.replace(Binding, Unusual, m.Type.Span(), to)
		}
	}
	for i := range len(d.Members) - 1 {
		f.exchange(Binding, Usual, d.Members[i].Span(), d.Members[i].Span(), d.Members[i+1].Span())
	}
}

// builtins are the builtin values of a compute shader with three components.
var builtins = []string{"global_invocation_id", "local_invocation_id", "workgroup_id", "num_workgroups"}

// entry adds the edits of an entry point's attributes and parameters.
func (f *finder) entry(function *types.Function) {
	var values []syntax.Span
	for _, p := range function.Decl.Params {
		a := syntax.FindAttribute(p.Attrs, "builtin")
		if a == nil || len(a.Args) != 1 || f.text(a.Args[0]) == "local_invocation_index" {
			continue
		}
		for _, name := range builtins {
			f.within(Builtin, Usual, a.Span(), a.Args[0].Span(), name)
		}
		for _, other := range values {
			f.exchange(Builtin, Usual, a.Span(), other, a.Args[0].Span())
		}
		values = append(values, a.Args[0].Span())
	}
	if a := syntax.FindAttribute(function.Decl.Attrs, "workgroup_size"); a != nil {
		f.size(a)
	}
}

// sizes are the usual sizes of workgroups.
var sizes = []int{8, 16, 64, 256}

func (f *finder) size(a *syntax.Attribute) {
	constants := f.values(a.Span().Start, types.U32)
	for i, arg := range a.Args {
		if i > 0 {
			f.replace(Size, Unusual, arg.Span(), "1") // one direction is enough
		}
		for _, n := range sizes {
			f.replace(Size, Unusual, arg.Span(), fmt.Sprint(n))
		}
		for _, name := range constants {
			f.replace(Size, Usual, arg.Span(), name)
		}
	}
	for i := range len(a.Args) - 1 {
		f.exchange(Size, Unusual, a.Span(), a.Args[i].Span(), a.Args[i+1].Span())
	}
}
