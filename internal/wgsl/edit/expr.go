package edit

import (
	"strconv"
	"strings"

	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// expression adds the edits of an expression, without those of its parts.
func (f *finder) expression(x syntax.Expr) {
	switch x := x.(type) {
	case *syntax.BinaryExpr:
		f.binary(x)
	case *syntax.UnaryExpr:
		if x.Op == syntax.OpSub || x.Op == syntax.OpNot {
			f.within(Sign, Unusual, x.Span(), x.OpPos, "")
		}
	case *syntax.CallExpr:
		f.call(x)
	case *syntax.IndexExpr:
		f.index(x)
	case *syntax.MemberExpr:
		f.member(x)
	case *syntax.IdentExpr:
		f.name(x)
	case *syntax.Literal:
		f.literal(x)
	}
	f.element(x)
}

// slips are the operators that are easily taken for each other, the likeliest first.
var slips = map[syntax.Op][]syntax.Op{
	syntax.OpAdd: {syntax.OpSub, syntax.OpMul}, syntax.OpSub: {syntax.OpAdd, syntax.OpDiv},
	syntax.OpMul: {syntax.OpAdd, syntax.OpDiv}, syntax.OpDiv: {syntax.OpMul, syntax.OpRem, syntax.OpSub}, syntax.OpRem: {syntax.OpDiv},
	syntax.OpAnd: {syntax.OpOr}, syntax.OpOr: {syntax.OpAnd}, syntax.OpShl: {syntax.OpShr}, syntax.OpShr: {syntax.OpShl},
	syntax.OpLogicalAnd: {syntax.OpLogicalOr}, syntax.OpLogicalOr: {syntax.OpLogicalAnd},
	syntax.OpEqual: {syntax.OpNotEqual}, syntax.OpNotEqual: {syntax.OpEqual, syntax.OpLess},
	syntax.OpLess:      {syntax.OpLessEqual, syntax.OpGreater, syntax.OpGreaterEqual},
	syntax.OpLessEqual: {syntax.OpLess, syntax.OpGreaterEqual, syntax.OpGreater},
	syntax.OpGreater:   {syntax.OpGreaterEqual, syntax.OpLess, syntax.OpLessEqual}, syntax.OpGreaterEqual: {syntax.OpGreater, syntax.OpLessEqual, syntax.OpLess},
}

func isComparison(op syntax.Op) bool { return op >= syntax.OpEqual && op <= syntax.OpGreaterEqual }

func isCommutative(op syntax.Op) bool {
	switch op {
	case syntax.OpAdd, syntax.OpMul, syntax.OpAnd, syntax.OpOr, syntax.OpXor, syntax.OpLogicalAnd, syntax.OpLogicalOr, syntax.OpEqual, syntax.OpNotEqual:
		return true
	}
	return false
}

func (f *finder) binary(x *syntax.BinaryExpr) {
	kind := Operator
	if isComparison(x.Op) {
		kind = Comparison
	}
	for i, op := range slips[x.Op] {
		f.within(kind, min(Slip+i, Unusual), x.Span(), x.OpPos, op.String())
	}
	if !isCommutative(x.Op) && !isComparison(x.Op) {
		f.exchange(Operand, Usual, x.Span(), x.X.Span(), x.Y.Span())
	}
	switch x.Op {
	case syntax.OpLogicalAnd, syntax.OpLogicalOr:
		f.replace(Condition, Usual, x.Span(), f.text(x.X))
		f.replace(Condition, Usual, x.Span(), f.text(x.Y))
	case syntax.OpAdd, syntax.OpSub, syntax.OpMul, syntax.OpDiv:
		kind := kindOf(f.role(x), Operand)
		f.replace(kind, Unusual, x.Span(), f.operand(x.X))
		f.replace(kind, Unusual, x.Span(), f.operand(x.Y))
		f.strided(x)
	}
}

// strided adds the edits of row * width + column: the row and the column exchanged, and the
// product taken of another part.
func (f *finder) strided(x *syntax.BinaryExpr) {
	if x.Op != syntax.OpAdd || !isInteger(f.typeOf(x)) {
		return
	}
	for _, side := range [][2]syntax.Expr{{x.X, x.Y}, {x.Y, x.X}} {
		product, ok := syntax.Unparen(side[0]).(*syntax.BinaryExpr)
		if !ok || product.Op != syntax.OpMul {
			continue
		}
		one, row, width := f.operand(side[1]), f.operand(product.X), f.operand(product.Y)
		f.replace(Index, Usual, x.Span(), one+" * "+width+" + "+row)
		f.replace(Index, Unusual, x.Span(), row+" * "+one+" + "+width)
		f.replace(Index, Unusual, x.Span(), "("+row+" + "+one+") * "+width)
	}
}

// index adds the edits of x[a] and x[a][b].
func (f *finder) index(x *syntax.IndexExpr) {
	inner, nested := x.X.(*syntax.IndexExpr)
	if nested {
		f.exchange(Index, Usual, x.Span(), inner.Index.Span(), x.Index.Span())
	}
	if !isInteger(f.typeOf(x.Index)) {
		return
	}
	t := types.Type(types.U32)
	if f.typeOf(x.Index) == types.I32 {
		t = types.I32
	}
	was, offset := f.operand(x.Index), x.Span().Start
	for _, by := range []string{" + 1", " - 1"} {
		f.replace(Index, Unusual, x.Index.Span(), was+by)
	}
	for _, name := range append(f.values(offset, t), f.components(offset, t)...) {
		if name != was {
			f.replace(Index, Rare, x.Index.Span(), was+" + "+name)
		}
	}
	if root := f.info.Root(x.X); nested || root == nil || !root.Global {
		return
	}
	for _, row := range append(f.values(offset, t), f.components(offset, t)...) {
		for _, width := range f.members(offset, t) {
			if row != was {
				f.replace(Index, Rare, x.Index.Span(), row+" * "+width+" + "+was)
			}
		}
	}
}

// components are the names of a vector's components.
const components = "xyz"

func (f *finder) member(x *syntax.MemberExpr) {
	t := f.typeOf(x.X)
	switch t := t.(type) {
	case *types.Vector:
		if len(x.Name.Name) != 1 {
			return
		}
		for i, c := range components[:min(t.Size, 3)] {
			cost := Slip
			if i == 2 || x.Name.Name == "z" {
				cost = Unusual
			}
			f.within(kindOf(f.role(x), Component), cost, x.Span(), x.Name.Span(), string(c))
		}
	case *types.Struct:
		for _, m := range t.Members {
			if alike(m.Type, f.typeOf(x)) {
				f.within(kindOf(f.role(x), Name), Usual, x.Span(), x.Name.Span(), m.Name)
			}
		}
	}
	f.other(x, Unusual)
}

// name adds the edits that write another value in place of a variable.
func (f *finder) name(x *syntax.IdentExpr) {
	o := f.info.Uses[x]
	if o == nil || !isValue(o) {
		return
	}
	for _, name := range f.values(x.Span().Start, o.Store()) {
		f.replace(kindOf(f.role(x), Name), Usual, x.Span(), name)
	}
	f.other(x, Unusual)
}

// other adds the edits that write another number of the scope in place of one that is named, a
// component or the length of an array.
func (f *finder) other(x syntax.Expr, cost int) {
	t := f.typeOf(x)
	if scalar, ok := t.(*types.Scalar); !ok || scalar == types.Bool || f.written(x) {
		return
	}
	kind, offset := kindOf(f.role(x), Name), x.Span().Start
	for _, names := range [][]string{f.values(offset, t), f.members(offset, t), f.components(offset, t)} {
		for _, name := range names {
			f.replace(kind, cost, x.Span(), name)
		}
	}
	if t != types.U32 {
		return
	}
	for _, length := range f.lengths() {
		f.replace(kind, cost+1, x.Span(), length)
	}
	if r := f.role(x); r == aBound || r == aLimit {
		f.replace(kind, Usual, x.Span(), f.operand(x)+" - 1")
		f.replace(kind, Usual, x.Span(), f.operand(x)+" + 1")
	}
}

// written reports whether an assignment writes to an expression, or its address is taken.
func (f *finder) written(x syntax.Expr) bool {
	switch above := f.parent(1).(type) {
	case *syntax.AssignStmt:
		return above.LHS == x
	case *syntax.IncDecStmt:
		return true
	case *syntax.UnaryExpr:
		return above.Op == syntax.OpAddressOf
	}
	return false
}

// lowest is the lowest f32.
const lowest = "-3.4028234e38"

func (f *finder) literal(x *syntax.Literal) {
	kind := kindOf(f.role(x), Constant)
	switch x.Kind {
	case syntax.IntLit, syntax.I32Lit, syntax.U32Lit:
		f.integer(x, kind)
	case syntax.FloatLit, syntax.F32Lit:
		f.replace(kind, Slip, x.Span(), "("+x.Text+" + 1.0)")
		for _, to := range []string{"0.0", "1.0", lowest} {
			f.replace(kind, Usual, x.Span(), to)
		}
		f.other(x, Unusual)
	}
}

func (f *finder) integer(x *syntax.Literal, kind Kind) {
	suffix := strings.TrimLeft(x.Text, "0123456789")
	for i, n := range []int64{x.Int + 1, x.Int - 1, 0, 1, 2 * x.Int, x.Int / 2} {
		if n >= 0 {
			f.replace(kind, min(Slip+i, Unusual), x.Span(), strconv.FormatInt(n, 10)+suffix)
		}
	}
	f.other(x, Usual)
}

// pairs are the functions that are easily taken for each other.
var pairs = map[string][]string{
	"min": {"max"}, "max": {"min"}, "floor": {"ceil"}, "ceil": {"floor"}, "exp": {"exp2", "log"}, "log": {"log2", "exp"},
	"exp2": {"exp"}, "log2": {"log"}, "sin": {"cos"}, "cos": {"sin"}, "sqrt": {"inverseSqrt"}, "inverseSqrt": {"sqrt"},
}

func (f *finder) call(x *syntax.CallExpr) {
	name := x.Callee.Name.Name
	for _, to := range pairs[name] {
		f.within(Function, Slip, x.Span(), x.Callee.Span(), to)
	}
	for i := range len(x.Args) - 1 {
		f.exchange(Argument, Usual, x.Span(), x.Args[i].Span(), x.Args[i+1].Span())
	}
	switch call := f.info.Calls[x]; {
	case name == "arrayLength":
		f.other(x, Usual)
	case call == nil || call.Kind == types.UserCall:
		return
	}
	for _, arg := range x.Args {
		if alike(f.typeOf(arg), f.typeOf(x)) {
			f.replace(Function, Usual, x.Span(), f.operand(arg))
		}
	}
	f.converted(x)
}

// converted adds the edit of f32(a / b) that converts before it divides.
func (f *finder) converted(x *syntax.CallExpr) {
	if len(x.Args) != 1 || f.info.Calls[x].Kind != types.ConstructCall {
		return
	}
	inner, ok := syntax.Unparen(x.Args[0]).(*syntax.BinaryExpr)
	if ok && !isComparison(inner.Op) {
		name := x.Callee.Name.Name
		f.replace(Function, Usual, x.Span(), "("+name+"("+f.text(inner.X)+") "+inner.Op.String()+" "+name+"("+f.text(inner.Y)+"))")
	}
}

// wraps are the functions that are easily forgotten around a float.
var wraps = []string{"exp", "abs", "sqrt"}

// element adds the edits of a float that is computed or read: its sign, and a function around it.
func (f *finder) element(x syntax.Expr) {
	if f.typeOf(x) != types.F32 || f.written(x) {
		return
	}
	switch x.(type) {
	case *syntax.Literal, *syntax.ParenExpr, *syntax.UnaryExpr:
		return
	}
	if f.whole(x) {
		for _, name := range wraps {
			f.replace(Function, Unusual, x.Span(), name+"("+f.text(x)+")")
		}
		f.replace(Function, Unusual, x.Span(), "max("+f.text(x)+", 0.0)")
	}
	f.add(Edit{
		Kind: Sign, Cost: Rare, Span: x.Span(), Was: f.text(x), To: "-" + f.operand(x),
		Changes: []findings.Edit{{Span: x.Span(), New: "-" + f.operand(x)}},
	})
}

// whole reports whether an expression is all that a statement assigns, declares or returns.
func (f *finder) whole(x syntax.Expr) bool {
	switch above := f.parent(1).(type) {
	case *syntax.AssignStmt:
		return above.RHS == x
	case *syntax.LetDecl, *syntax.VarDecl, *syntax.ReturnStmt:
		return true
	}
	return false
}
