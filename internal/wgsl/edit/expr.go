package edit

import (
	"slices"
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
		f.negative(x)
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
	syntax.OpAdd: {syntax.OpSub, syntax.OpMul, syntax.OpDiv}, syntax.OpSub: {syntax.OpAdd, syntax.OpDiv, syntax.OpMul},
	syntax.OpMul: {syntax.OpAdd, syntax.OpDiv, syntax.OpSub}, syntax.OpDiv: {syntax.OpMul, syntax.OpRem, syntax.OpSub, syntax.OpAdd}, syntax.OpRem: {syntax.OpDiv, syntax.OpMul},
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
	byOne := f.isOne(x.Y)
	for i, op := range slips[x.Op] {
		if byOne && (op == syntax.OpMul || op == syntax.OpDiv) {
			continue // to multiply by 1 is to leave it out, which is an edit of its own
		}
		f.within(kind, min(Slip+i, Unusual), x.Span(), x.OpPos, op.String())
	}
	if !isCommutative(x.Op) && !isComparison(x.Op) {
		f.exchange(Operand, Usual, x.Span(), x.X.Span(), x.Y.Span())
	}
	switch x.Op {
	case syntax.OpLogicalAnd, syntax.OpLogicalOr:
		f.comparisons(x)
		f.replace(Condition, Usual, x.Span(), f.text(x.X))
		f.replace(Condition, Usual, x.Span(), f.text(x.Y))
	case syntax.OpAdd, syntax.OpSub, syntax.OpMul, syntax.OpDiv:
		kind, cost := kindOf(f.role(x), Operand), Unusual
		if byOne {
			cost = Usual
		}
		f.replace(kind, cost, x.Span(), f.operand(x.X))
		f.replace(kind, Unusual, x.Span(), f.operand(x.Y))
		f.strided(x)
	}
}

// isOne reports whether an expression is the number 1.
func (f *finder) isOne(x syntax.Expr) bool {
	text := strings.TrimRight(f.text(syntax.Unparen(x)), "uifh")
	return text == "1" || text == "1.0" || text == "1."
}

// comparisons adds the edits of both comparisons in a condition at once.
func (f *finder) comparisons(x *syntax.BinaryExpr) {
	a, both := syntax.Unparen(x.X).(*syntax.BinaryExpr)
	b, ok := syntax.Unparen(x.Y).(*syntax.BinaryExpr)
	if !both || !ok || a.Op != b.Op || !isComparison(a.Op) {
		return
	}
	f.exchange(Limit, Usual, x.Span(), a.Y.Span(), b.Y.Span())
	for _, op := range slips[a.Op] {
		f.add(Mutation{
			Kind: Comparison, Cost: Usual, Span: x.Span(), Was: a.Op.String(), To: op.String(),
			Changes: []findings.Edit{{Span: a.OpPos, New: op.String()}, {Span: b.OpPos, New: op.String()}},
		})
	}
}

// strided adds the edits of row * width + column: the row and the column exchanged, and the
// product taken of another part.
func (f *finder) strided(x *syntax.BinaryExpr) {
	if x.Op != syntax.OpAdd || !isInteger(f.typeOf(x)) {
		return
	}
	if above, ok := f.parent(1).(*syntax.BinaryExpr); ok && above.Op == syntax.OpAdd {
		return // a part of a sum
	}
	parts := summands(x)
	for i, part := range parts {
		product, ok := syntax.Unparen(part).(*syntax.BinaryExpr)
		if !ok || product.Op != syntax.OpMul {
			continue
		}
		var others []string
		for _, other := range slices.Delete(slices.Clone(parts), i, i+1) {
			others = append(others, f.text(other))
		}
		one, row, width := strings.Join(others, " + "), f.operand(product.X), f.operand(product.Y)
		if strings.Contains(one, " ") {
			one = "(" + one + ")"
		}
		f.replace(Index, Usual, x.Span(), one+" * "+width+" + "+row)
		for _, other := range f.members(x.Span().Start, types.U32) {
			f.replace(Index, Unusual, x.Span(), one+" * "+other+" + "+row)
		}
		f.replace(Index, Unusual, x.Span(), row+" * "+one+" + "+width)
		f.replace(Index, Unusual, x.Span(), "("+row+" + "+one+") * "+width)
	}
}

// summands returns the parts of a sum.
func summands(x syntax.Expr) []syntax.Expr {
	if sum, ok := x.(*syntax.BinaryExpr); ok && sum.Op == syntax.OpAdd {
		return append(summands(sum.X), summands(sum.Y)...)
	}
	return []syntax.Expr{x}
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
			f.replaceWithin(f.path[0], Component, cost+1, x, f.text(x.X)+"."+string(c))
		}
	case *types.Struct:
		for _, m := range t.Members {
			if alike(m.Type, f.typeOf(x)) {
				f.within(kindOf(f.role(x), Name), Usual, x.Span(), x.Name.Span(), m.Name)
			}
		}
		f.exchangedMembers(x)
	}
	f.other(x, Usual)
}

// name adds the edits that write another value in place of a variable.
func (f *finder) name(x *syntax.IdentExpr) {
	o := f.info.Uses[x]
	if o == nil || !isValue(o) {
		return
	}
	if _, scalar := o.Store().(*types.Scalar); scalar {
		f.other(x, Usual)
		return
	}
	for _, name := range f.values(x.Span().Start, o.Store()) {
		f.replaceAll(kindOf(f.role(x), Name), Usual, x, name)
	}
	f.exchanged(x, o)
}

// exchanged adds the edits that exchange a variable with another one of its type in the same
// statement.
func (f *finder) exchanged(x *syntax.IdentExpr, o *types.Object) {
	for y := range syntax.All[*syntax.IdentExpr](f.stretch()) {
		other := f.info.Uses[y]
		if y.Span().Start > x.Span().Start && other != nil && other != o && isValue(other) && alike(other.Store(), o.Store()) {
			f.exchange(Name, Usual, x.Span(), x.Span(), y.Span())
		}
	}
}

// exchangedMembers adds the edits that exchange a member with another one of its type in the same
// statement.
func (f *finder) exchangedMembers(x *syntax.MemberExpr) {
	for y := range syntax.All[*syntax.MemberExpr](f.stretch()) {
		if y.Span().Start > x.Span().Start && y.Name.Name != x.Name.Name && f.text(y.X) == f.text(x.X) && alike(f.typeOf(y), f.typeOf(x)) {
			f.exchange(Name, Usual, x.Span(), x.Name.Span(), y.Name.Span())
		}
	}
}

// other adds the edits that write another number of the scope in place of one that is named, a
// component or the length of an array.
func (f *finder) other(x syntax.Expr, cost int) {
	t := f.typeOf(x)
	if scalar, ok := t.(*types.Scalar); !ok || scalar == types.Bool || f.written(x) {
		return
	}
	kind, offset := kindOf(f.role(x), Name), x.Span().Start
	if _, literal := x.(*syntax.Literal); literal && kind == Index {
		t = types.U32 // an index without a suffix counts as an i32
	}
	class := f.classOf(x)
	for _, o := range f.objects(offset, t) {
		if f.lets[o.Name] != f.text(x) { // another name of the same value
			f.replaceAll(kind, class.to(classOfObject(o), cost), x, o.Name)
		}
	}
	for _, name := range f.components(offset, t) {
		if f.lets[f.text(x)] != name {
			f.replaceAll(kind, class.to(counting, cost), x, name)
		}
	}
	if kind == Index && class == counting {
		for _, width := range f.members(offset, t) {
			f.replace(kind, Unusual, x.Span(), "("+f.text(x)+" * "+width+")")
		}
	}
	if kind == Name {
		f.replace(Operand, Unusual, x.Span(), "("+f.text(x)+" * "+f.text(x)+")")
	}
	limits := f.members(offset, t)
	if t == types.U32 && kind != Index {
		limits = append(limits, f.lengths()...)
	}
	for _, name := range limits {
		f.replaceAll(kind, class.to(limiting, cost), x, name)
	}
	if r := f.role(x); isInteger(t) && (r == aBound || r == aLimit) && class != counting {
		f.replace(kind, Usual, x.Span(), f.operand(x)+" - 1")
		f.replace(kind, Usual, x.Span(), f.operand(x)+" + 1")
	}
}

// A class of whole numbers tells those that count from those that limit. One is seldom taken for
// the other.
type class uint8

const (
	unclear class = iota
	counting
	limiting
)

// to returns the cost of writing a number of another class.
func (c class) to(other class, cost int) int {
	if c != unclear && other != unclear && c != other {
		return min(cost+1, Rare)
	}
	return cost
}

func (f *finder) classOf(x syntax.Expr) class {
	switch x := x.(type) {
	case *syntax.IdentExpr:
		return classOfObject(f.info.Uses[x])
	case *syntax.MemberExpr:
		if _, vector := f.typeOf(x.X).(*types.Vector); vector {
			return counting
		}
		return limiting
	case *syntax.CallExpr:
		return limiting
	case *syntax.Literal:
		if r := f.role(x); r == aBound || r == aLimit || r == aStep || r == aStart && !f.whole(x) {
			return limiting
		}
	}
	return unclear
}

func classOfObject(o *types.Object) class {
	switch {
	case !isInteger(o.Store()):
		return unclear
	case o.Kind == types.ConstObject || o.Kind == types.OverrideObject:
		return limiting
	}
	return counting
}

// written reports whether an assignment writes to an expression, or its address is taken.
func (f *finder) written(x syntax.Expr) bool {
	above := f.parent(1)
	unary, ok := above.(*syntax.UnaryExpr)
	return syntax.Assigned(above) == x || ok && unary.Op == syntax.OpAddressOf
}

// lowest is the lowest f32.
const lowest = "-3.4028234e38"

// negative adds the edit that starts with the lowest float and not with one that is nearly low
// enough.
func (f *finder) negative(x *syntax.UnaryExpr) {
	if literal, ok := x.X.(*syntax.Literal); ok && x.Op == syntax.OpSub && (literal.Kind == syntax.FloatLit || literal.Kind == syntax.F32Lit) {
		f.replace(kindOf(f.role(x), Constant), Usual, x.Span(), lowest)
	}
}

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

func (f *finder) integer(x *syntax.Literal, kind MutationKind) {
	if _, whole := f.parent(1).(*syntax.LetDecl); whole {
		members := f.members(x.Span().Start, types.U32)
		for _, a := range append(f.values(x.Span().Start, types.U32), members...) {
			for _, b := range members {
				f.replace(kind, Unusual, x.Span(), a+" / "+b)
				f.replace(kind, Unusual, x.Span(), a+" * "+b)
			}
		}
	}
	for i, n := range []int64{x.Int + 1, x.Int - 1, 0, 1, 2 * x.Int, x.Int / 2} {
		if n >= 0 {
			f.replaceAll(kind, min(Slip+i, Unusual), x, strconv.FormatInt(n, 10)+suffix(x))
		}
	}
	f.other(x, Usual)
}

// suffix returns the suffix of a whole number in decimal.
func suffix(x *syntax.Literal) string { return strings.TrimLeft(x.Text, "0123456789") }

// pairs are the functions that are easily taken for each other.
var pairs = map[string][]string{
	"min": {"max"}, "max": {"min"}, "floor": {"ceil"}, "ceil": {"floor"}, "exp": {"exp2", "log"}, "log": {"log2", "exp"},
	"exp2": {"exp"}, "log2": {"log"}, "sin": {"cos"}, "cos": {"sin"}, "sqrt": {"inverseSqrt"}, "inverseSqrt": {"sqrt"},
}

func (f *finder) call(x *syntax.CallExpr) {
	name := x.Callee.Name.Name
	for _, to := range pairs[name] {
		f.within(Function, Slip, x.Span(), x.Callee.Span(), to)
		f.replaceWithin(f.path[0], Function, Usual, x.Callee, to)
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
	f.instead(x)
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

// instead adds the edits that compute something else from the arguments of a function for floats.
func (f *finder) instead(x *syntax.CallExpr) {
	if f.typeOf(x) != types.F32 || f.info.Calls[x].Kind != types.BuiltinCall {
		return
	}
	switch len(x.Args) {
	case 1:
		for _, to := range f.wrapped(x.Args[0]) {
			f.replace(Function, Unusual, x.Span(), to)
		}
	case 2:
		for _, op := range []string{" + ", " * ", " - "} {
			f.replace(Function, Unusual, x.Span(), "("+f.operand(x.Args[0])+op+f.operand(x.Args[1])+")")
		}
	case 3:
		f.replace(Function, Unusual, x.Span(), "max("+f.text(x.Args[0])+", "+f.text(x.Args[1])+")")
		f.replace(Function, Unusual, x.Span(), "min("+f.text(x.Args[0])+", "+f.text(x.Args[2])+")")
	}
}

// wrapped returns a float within the functions that are easily forgotten around one.
func (f *finder) wrapped(x syntax.Expr) []string {
	was := f.text(x)
	return []string{"exp(" + was + ")", "abs(" + was + ")", "sqrt(" + was + ")", "max(" + was + ", 0.0)"}
}

// combined adds the edits that compute a float from what is there and another one: a variable, a
// member, or an element of another buffer.
func (f *finder) combined(x syntax.Expr, whole bool) {
	offset := x.Span().Start
	others := append(f.values(offset, types.F32), f.members(offset, types.F32)...)
	for _, buffer := range f.buffers() {
		for _, index := range f.indexTexts() {
			others = append(others, buffer+"["+index+"]")
		}
	}
	for _, other := range others {
		if other == f.text(x) {
			continue
		}
		for _, op := range []string{" + ", " * ", " - ", " / "} {
			to := f.operand(x) + op + other
			if !whole {
				to = "(" + to + ")"
			}
			f.write(Operand, Unusual, x.Span(), op[1:]+other, findings.Edit{Span: x.Span(), New: to})
		}
	}
}

// buffers returns the arrays of floats that the host binds.
func (f *finder) buffers() []string {
	var names []string
	for _, o := range f.info.Globals {
		if array, ok := o.Store().(*types.Array); ok && array.Runtime() && array.Elem == types.F32 {
			names = append(names, o.Name)
		}
	}
	return names
}

// indexTexts returns the indices of the statement that is visited.
func (f *finder) indexTexts() []string {
	var found []string
	for x := range syntax.All[*syntax.IndexExpr](f.stretch()) {
		if !slices.Contains(found, f.text(x.Index)) {
			found = append(found, f.text(x.Index))
		}
	}
	return found
}

// stretch returns what is read at one go around the node that is visited: a simple statement, or
// the whole of an expression in the head of another.
func (f *finder) stretch() syntax.Node {
	for i, n := range slices.Backward(f.path) {
		switch n.(type) {
		case *syntax.AssignStmt, *syntax.DeclStmt, *syntax.ReturnStmt, *syntax.CallStmt, *syntax.IncDecStmt:
			return n
		case syntax.Stmt:
			return f.path[min(i+1, len(f.path)-1)]
		}
	}
	return f.info.File
}

// replaceAll adds the edit that writes another text in place of an expression, and the one that
// does so wherever the statement has the same expression.
func (f *finder) replaceAll(kind MutationKind, cost int, x syntax.Expr, to string) {
	f.replace(kind, cost, x.Span(), to)
	if f.role(x) == aStart || len(f.path) == 0 {
		return
	}
	f.replaceWithin(f.parent(1), kind, cost, x, to)
	f.replaceWithin(f.stretch(), kind, cost, x, to)
}

func (f *finder) replaceWithin(all syntax.Node, kind MutationKind, cost int, x syntax.Expr, to string) {
	same := f.sameWithin(all, f.text(x))
	if len(same) < 2 {
		return
	}
	var changes []findings.Edit
	for _, span := range same {
		changes = append(changes, findings.Edit{Span: span, New: to})
	}
	f.add(Mutation{Kind: kind, Cost: max(cost, Usual), Span: x.Span(), Was: f.text(x), To: to, Changes: changes})
}

// A part is an expression's text, and where it is looked for.
type part struct {
	all  syntax.Node
	text string
}

// sameWithin returns the spans of the expressions with the same text. An expression is asked for
// once for each text that could take its place, so the answer is kept.
func (f *finder) sameWithin(all syntax.Node, text string) []syntax.Span {
	same, known := f.same[part{all, text}]
	if known {
		return same
	}
	syntax.Walk(all, func(n syntax.Node) bool {
		x, ok := n.(syntax.Expr)
		if ok && f.text(x) == text {
			same = append(same, x.Span())
			return false
		}
		return true
	}, nil)
	f.same[part{all, text}] = same
	return same
}

// element adds the edits of a float that is computed or read: its sign, a function around it, and
// an operand that is missing.
func (f *finder) element(x syntax.Expr) {
	if f.typeOf(x) != types.F32 || f.written(x) {
		return
	}
	switch x.(type) {
	case *syntax.Literal, *syntax.ParenExpr, *syntax.UnaryExpr:
		return
	}
	if f.whole(x) {
		for _, to := range f.wrapped(x) {
			f.replace(Function, Unusual, x.Span(), to)
		}
	}
	if _, operator := x.(*syntax.BinaryExpr); !operator || f.whole(x) {
		f.combined(x, f.whole(x))
	}
	f.replace(Sign, Rare, x.Span(), "-"+f.operand(x))
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
