package types

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// text is the expression as the shader writes it.
func (c *checker) text(x syntax.Node) string {
	if c.info.File == nil || c.info.File.Source == nil {
		return ""
	}
	return c.info.File.Source.Slice(x.Span())
}

// longestQuote is how much of the shader a message repeats, in bytes.
const longestQuote = 40

// quote is the expression in backquotes, or a word for it where it is long.
func (c *checker) quote(x syntax.Node) string {
	text := c.text(x)
	if text == "" || len(text) > longestQuote || strings.ContainsAny(text, "\n`") {
		return "this"
	}
	return "`" + text + "`"
}

// short is the text where it is short enough to repeat in a hint, else dots.
func (c *checker) short(x syntax.Node) string {
	text := c.text(x)
	if len(text) > longestQuote || strings.Contains(text, "\n") {
		return "…"
	}
	return text
}

// noun is a type as people say it: "a float" for an abstract float.
func noun(t Type) string {
	switch t {
	case AbstractInt:
		return "a whole number"
	case AbstractFloat:
		return "a float"
	}
	switch t := t.(type) {
	case *Vector:
		switch t.Elem {
		case AbstractInt:
			return fmt.Sprintf("a vec%d of whole numbers", t.Size)
		case AbstractFloat:
			return fmt.Sprintf("a vec%d of floats", t.Size)
		}
	case *Pointer:
		return "a pointer (" + t.String() + ")"
	}
	if t == nil {
		return "unknown"
	}
	return t.String()
}

// what says what an expression is: "`i` is u32".
func (c *checker) what(x syntax.Expr, e *Expr) string {
	switch e.Mode {
	case TypeMode, GeneratorMode:
		return c.quote(x) + " is a type"
	case FunctionMode:
		return c.quote(x) + " is a function"
	case EnumerantMode:
		return c.quote(x) + " is a word of WGSL"
	case NothingMode:
		return c.quote(x) + " gives nothing"
	}
	return c.quote(x) + " is " + noun(e.ValueType())
}

func (c *checker) describe(x syntax.Expr, e *Expr) string {
	return noun(e.ValueType())
}

func (c *checker) listTypes(es []*Expr) string {
	names := make([]string, 0, len(es))
	for _, e := range es {
		if name := noun(e.ValueType()); !contains(names, name) {
			names = append(names, name)
		}
	}
	return join(names)
}

// join lists words as a sentence does: a, b and c.
func join(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}

// plural is "1 element" or "2 elements"; without a noun, the number and a blank.
func plural(n int, noun string) string {
	if n == 1 || noun == "" {
		return fmt.Sprintf("%d %s", n, noun)
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func capital(text string) string {
	if text == "" || text[0] == '`' {
		return text
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

func keysOf[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// suggest adds "did you mean" where one of the names is close to what was written.
func (c *checker) suggest(d *syntax.Diagnostic, name string, names []string) *syntax.Diagnostic {
	if near := nearest(name, names); near != "" {
		d.Try("Did you mean `%s`?", near)
		if c.info.File.Source != nil && c.info.File.Source.Slice(d.Span) == name {
			d.Replace(d.Span, near, "write `"+near+"`")
		}
	}
	return d
}

// nearest is the name most like the one written, or "" where none is like it.
func nearest(name string, names []string) string {
	if len(name) > 64 {
		return ""
	}
	lower := strings.ToLower(name)
	best, least := "", tolerance(len(name))+1
	for _, candidate := range names {
		if strings.EqualFold(candidate, name) {
			return candidate
		}
		if len(name) > 3 && len(candidate) >= 3 && (strings.HasPrefix(name, candidate) || strings.HasPrefix(candidate, name)) {
			best, least = candidate, min(least, 2)
			continue
		}
		if d := distanceOf(lower, strings.ToLower(candidate), least); d < least {
			best, least = candidate, d
		}
	}
	return best
}

// tolerance is how many slips a name of so many letters may have and still be recognised.
func tolerance(letters int) int {
	switch {
	case letters < 2:
		return 0
	case letters < 5:
		return 1
	case letters < 9:
		return 2
	}
	return 3
}

func abs(n int) int { return max(n, -n) }

// distanceOf is how many letters must be added, dropped, changed or swapped with their neighbour to make a of b; limit
// or more where it is at least limit (Damerau and Levenshtein, optimal string alignment).
func distanceOf(a, b string, limit int) int {
	if abs(len(a)-len(b)) >= limit {
		return limit
	}
	before, row, next := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		next[0] = i
		least := i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			next[j] = min(row[j]+1, next[j-1]+1, row[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				next[j] = min(next[j], before[j-2]+1)
			}
			least = min(least, next[j])
		}
		if least >= limit {
			return limit
		}
		before, row, next = row, next, before
	}
	return row[len(b)]
}

// Names.

// unknownName reports a name that stands for nothing, once for each function.
func (c *checker) unknownName(x *syntax.IdentExpr) {
	name := x.Name.Name
	if name == "" || c.full() || c.muted || c.unknown[name] {
		return
	}
	c.unknown[name] = true
	if later := c.declaredLater(name); later != nil {
		c.errorf("unknown-name", x.Name, "`%s` is used before it is declared.", name).
			See(later.Span(), "`%s` is declared here.", name).Try("Move the declaration up.")
		return
	}
	if c.missingInput(x, name) {
		return
	}
	if advice, ok := syntax.Foreign(name); ok {
		c.report(advice.Diagnostic(name, x.Name.Span()))
		return
	}
	d := c.errorf("unknown-name", x.Name, "`%s` is not declared.", name)
	if owner := c.ownerOf(name); owner != "" {
		d.Message = fmt.Sprintf("`%s` alone is not declared; it is a member of `%s`.", name, owner)
		d.Try("Write `%s.%s`.", owner, name).Replace(x.Name.Span(), owner+"."+name, "write `"+owner+"."+name+"`")
		return
	}
	if c.suggest(d, name, c.namesInScope()); d.Hint == "" {
		d.Try("Declare it first: `let %s = …;` or `var %s = …;`.", name, name)
	}
}

// inputNames are what people call the built-in inputs of a compute shader.
var inputNames = map[string]string{
	"id": "global_invocation_id", "gid": "global_invocation_id", "global_id": "global_invocation_id",
	"globalId": "global_invocation_id", "invocation_id": "global_invocation_id", "thread_id": "global_invocation_id",
	"lid": "local_invocation_id", "local_id": "local_invocation_id", "localId": "local_invocation_id",
	"local_index": "local_invocation_index", "lidx": "local_invocation_index",
	"wid": "workgroup_id", "wgid": "workgroup_id", "group_id": "workgroup_id", "groupId": "workgroup_id",
}

// missingInput reports a name that is, or is mostly used for, a built-in input that the entry point did not ask for.
func (c *checker) missingInput(x *syntax.IdentExpr, name string) bool {
	builtin := inputNames[name]
	if rows := builtinValues[name]; len(rows) > 0 && !rows[0].output {
		builtin = name
	}
	if builtin == "" || c.function == nil || c.function.Entry == nil || c.function.Entry.Stage != ComputeStage {
		return false
	}
	row := builtinValues[builtin][0]
	if row.stage != ComputeStage {
		return false
	}
	d := c.errorf("missing-input", x.Name, "`%s` is not declared: the entry point `%s` must ask for it.", name, c.function.Object.Name)
	parameter := fmt.Sprintf("@builtin(%s) %s: %s", builtin, name, row.typ)
	d.Try("Give `%s` the parameter `%s`.", c.function.Object.Name, parameter)
	if at, ok := c.parameterPlace(); ok {
		if len(c.function.Params) > 0 {
			parameter = ", " + parameter
		}
		d.Replace(at, parameter, "ask for `"+builtin+"`")
	}
	return true
}

// parameterPlace is where one more parameter of the function at work is written.
func (c *checker) parameterPlace() (syntax.Span, bool) {
	d := c.function.Decl
	if n := len(d.Params); n > 0 {
		return d.Params[n-1].Span().At(), true
	}
	open := d.Name.Span().At()
	text := c.info.File.Source.Text[open.Start:]
	if !strings.HasPrefix(text, "(") {
		return open, false
	}
	return syntax.Span{Start: open.Start + 1, End: open.Start + 1}, true
}

// ownerOf is the one variable in scope that is a structure with such a member, or "".
func (c *checker) ownerOf(name string) string {
	owner := ""
	for s := c.scope; s != nil; s = s.Parent {
		if len(s.Objects) > maxSearched {
			return ""
		}
		for _, o := range s.Objects {
			if t, ok := o.Store().(*Struct); !ok || t.Member(name) == nil || o.Kind > ParamObject {
				continue
			}
			if owner != "" {
				return ""
			}
			owner = o.Name
		}
	}
	return owner
}

// maxSearched is in how many names a suggestion is looked for.
const maxSearched = 2000

// declaredLater is a local name of the function at work that is declared elsewhere in it.
func (c *checker) declaredLater(name string) *Object {
	for i := len(c.info.Scopes) - 1; i > 0; i-- {
		s := c.info.Scopes[i]
		if c.function != nil && !c.function.Decl.Span().Contains(s.Span) {
			return nil
		}
		if o := s.find(name); o != nil && c.openNow(s) {
			return o
		}
	}
	return nil
}

func (c *checker) openNow(s *Scope) bool {
	for open := c.scope; open != nil; open = open.Parent {
		if open == s {
			return true
		}
	}
	return false
}

func (c *checker) namesInScope() []string {
	var names []string
	for s := c.scope; s != nil; s = s.Parent {
		for _, o := range s.Objects {
			names = append(names, o.Name)
		}
		if len(names) > maxSearched {
			return names
		}
	}
	return append(names, predeclaredNames()...)
}

var predeclaredNames = sync.OnceValue(func() []string { return keysOf(predeclared()) })

// unknownCallee reports a call of something that is not there. Some foreign functions need more than another name.
func (c *checker) unknownCallee(x *syntax.CallExpr) {
	said := len(c.diagnostics)
	c.unknownName(x.Callee)
	if len(c.diagnostics) == said {
		return
	}
	d := c.diagnostics[said]
	switch name := x.Callee.Name.Name; {
	case name == "len" && len(x.Args) == 1:
		text := "arrayLength(&" + c.text(x.Args[0]) + ")"
		d.Try("Write `%s`.", text).Replace(x.Span(), text, "write `"+text+"`")
	case name == "mul" && len(x.Args) == 2:
		text := c.text(x.Args[0]) + " * " + c.text(x.Args[1])
		d.Try("Write `%s`.", text).Replace(x.Span(), text, "write `"+text+"`")
	}
}

func (c *checker) notAValue(x syntax.Expr, e *Expr) {
	d := c.errorf("not-a-value", x, "%s, not a value.", c.what(x, e))
	switch e.Mode {
	case TypeMode, GeneratorMode:
		d.Try("To make a value of it, write parentheses after it: `%s(…)`.", c.short(x))
	case FunctionMode:
		d.Try("To call it, write parentheses after it: `%s(…)`.", c.short(x))
	}
}

func (c *checker) unknownMember(x *syntax.MemberExpr, s *Struct) {
	names := make([]string, len(s.Members))
	for i, m := range s.Members {
		names[i] = m.Name
	}
	d := c.errorf("unknown-member", x.Name, "`%s` has no member `%s`.", s.Name, x.Name.Name)
	c.suggest(d, x.Name.Name, names)
	if d.Hint == "" && len(names) <= 8 {
		d.Try("It has %s.", join(names))
	}
	if s.Decl != nil {
		d.See(s.Decl.Name.Span(), "`%s` is declared here.", s.Name)
	}
}

func (c *checker) noMembers(x *syntax.MemberExpr, e *Expr, t Type) {
	d := c.errorf("no-members", x.Name, "%s has no members, so `.%s` means nothing here: it is %s.", capital(c.quote(x.X)), x.Name.Name, noun(t))
	a, array := t.(*Array)
	switch {
	case array && (x.Name.Name == "length" || x.Name.Name == "len" || x.Name.Name == "size"):
		if a.Runtime() {
			d.Try("Write `arrayLength(&%s)`.", c.short(x.X)).Replace(x.Span(), "arrayLength(&"+c.text(x.X)+")", "write `arrayLength`")
		} else {
			d.Try("Its length is %d.", a.Count)
		}
	case isPointer(t):
		d.Try("Write `(*%s).%s`.", c.short(x.X), x.Name.Name)
	}
}

func isPointer(t Type) bool {
	_, ok := t.(*Pointer)
	return ok
}

func (c *checker) badSwizzle(x *syntax.MemberExpr, t *Vector) {
	d := c.errorf("bad-swizzle", x.Name, "%s is %s, and `.%s` is no part of it.", capital(c.quote(x.X)), t, x.Name.Name)
	letters, colours := "xyzw"[:t.Size], "rgba"[:t.Size]
	name := x.Name.Name
	switch {
	case strings.Trim(name, "xyzwrgba") == "" && len(name) <= 4:
		d.Try("Use either the letters `%s` or `%s`, not both.", letters, colours)
	default:
		d.Try("Its parts are called %s (or %s), and up to four may stand together.", spaced(letters), spaced(colours))
	}
}

func spaced(letters string) string { return strings.Join(strings.Split(letters, ""), ", ") }

// Types.

// mismatch reports a value of one type where another is asked for.
func (c *checker) mismatch(x syntax.Expr, e *Expr, want Type) *syntax.Diagnostic {
	d := c.errorf("type-mismatch", x, "%s, and %s is needed here.", capital(c.what(x, e)), noun(want))
	have := e.ValueType()
	if from, to := ElemOf(have), ElemOf(want); from != nil && to != nil && sameShape(have, want) {
		c.conversionHint(d, x, e, want)
		return d
	}
	switch {
	case isPointer(want) && !isPointer(have) && e.Reference() == nil && isVariable(x):
		d.Try("Write `&%s`.", c.short(x))
	case isPointer(want) && e.Type != nil && e.Reference() != nil && Identical(e.Reference().Elem, want.(*Pointer).Elem):
		d.Try("Write `&%s`, its address.", c.short(x)).Replace(syntax.Span{Start: x.Span().Start, End: x.Span().Start}, "&", "write `&`")
	case isPointer(have) && Identical(have.(*Pointer).Elem, want):
		d.Try("Write `*%s`, what it points to.", c.short(x)).Replace(syntax.Span{Start: x.Span().Start, End: x.Span().Start}, "*", "write `*`")
	}
	return d
}

func isVariable(x syntax.Expr) bool {
	_, ok := syntax.Unparen(x).(*syntax.IdentExpr)
	return ok
}

func sameShape(a, b Type) bool {
	return Identical(withElem(a, F32), withElem(b, F32)) && isShaped(a) && isShaped(b)
}

func isShaped(t Type) bool {
	switch t.(type) {
	case *Scalar, *Vector:
		return true
	}
	return false
}

// fromLiteral blames the declaration of a variable whose type comes from the literal it starts with: `var i = 0` is an
// i32, and `0u` was meant. It reports whether it found one, and tells each declaration once.
func (c *checker) fromLiteral(d *syntax.Diagnostic, x syntax.Expr, want Type) bool {
	ident, ok := syntax.Unparen(x).(*syntax.IdentExpr)
	if !ok {
		return false
	}
	o := c.info.Uses[ident]
	typ, init := declared(o)
	lit, ok := init.(*syntax.Literal)
	if !ok || typ != nil || lit.Kind != syntax.IntLit {
		return false
	}
	meant, ok := withSuffix(lit, Concrete(want))
	if !ok || meant == lit.Text {
		return false
	}
	d.See(lit.Span(), "`%s` makes `%s` an i32.", lit.Text, o.Name)
	d.Try("Write `%s` where `%s` is declared.", meant, o.Name).Replace(lit.Span(), meant, "write `"+meant+"`")
	if o.bad {
		c.withdraw(d)
	}
	o.bad = true
	return true
}

// declared is what a let or var in a function is declared with.
func declared(o *Object) (typ, init syntax.Expr) {
	if o == nil {
		return nil, nil
	}
	switch d := o.Decl.(type) {
	case *syntax.LetDecl:
		return d.Type, d.Init
	case *syntax.VarDecl:
		return d.Type, d.Init
	}
	return nil, nil
}

// withdraw takes back the diagnostic that was reported last, where it only repeats an earlier one.
func (c *checker) withdraw(d *syntax.Diagnostic) {
	if n := len(c.diagnostics); n > 0 && c.diagnostics[n-1] == d {
		c.diagnostics = c.diagnostics[:n-1]
	}
}

// conversionHint: WGSL never converts between concrete types by itself.
func (c *checker) conversionHint(d *syntax.Diagnostic, x syntax.Expr, e *Expr, want Type) {
	text := c.text(x)
	if suffixed, ok := withSuffix(x, want); ok {
		d.Try("Write `%s`.", suffixed).Replace(x.Span(), suffixed, "write `"+suffixed+"`")
		return
	}
	if ElemOf(want) == Bool {
		if _, scalar := want.(*Scalar); scalar {
			d.Try("Compare it: `%s != 0`.", text)
		}
		return
	}
	d.Message = strings.TrimSuffix(d.Message, ".") + ": WGSL never converts between them by itself."
	if c.fromLiteral(d, x, want) {
		return
	}
	d.Try("Write `%s(%s)`.", want, text).Replace(x.Span(), want.String()+"("+text+")", "write `"+want.String()+"(…)`")
}

// withSuffix is a literal rewritten for the type that is wanted: 1u for 1i, 2 for 2.0.
func withSuffix(x syntax.Expr, want Type) (string, bool) {
	lit, ok := syntax.Unparen(x).(*syntax.Literal)
	if !ok || strings.HasPrefix(lit.Text, "0x") {
		return "", false
	}
	digits := strings.TrimRight(lit.Text, "iufh")
	switch want {
	case U32, I32:
		if whole, ok := strings.CutSuffix(digits, ".0"); ok {
			digits = whole
		}
		if strings.ContainsAny(digits, ".eE") {
			return "", false
		}
		if want == U32 {
			return digits + "u", true
		}
		return digits, true
	case F32:
		if lit.Kind == syntax.BoolLit {
			return "", false
		}
		if !strings.ContainsAny(digits, ".eE") {
			digits += ".0"
		}
		return digits, true
	}
	return "", false
}

func (c *checker) badUnary(x *syntax.UnaryExpr, e *Expr) {
	d := c.errorf("bad-operand", x, "`%s` does not go with %s: %s.", x.Op, noun(e.ValueType()), c.what(x.X, e))
	s := ElemOf(e.ValueType())
	switch {
	case x.Op == syntax.OpSub && s == U32:
		d.Message = fmt.Sprintf("%s, and a u32 has no sign.", capital(c.what(x.X, e)))
		d.Try("Use an i32: `-i32(%s)`.", c.short(x.X))
	case x.Op == syntax.OpNot && s != nil && s.Integer():
		d.Try("To flip the bits write `~%s`; to compare, `%s == 0`.", c.short(x.X), c.short(x.X))
	case x.Op == syntax.OpComplement && s == Bool:
		d.Try("Write `!%s`.", c.short(x.X)).Replace(x.OpPos, "!", "write `!`")
	}
}

// badBinary reports operands that do not go together.
func (c *checker) badBinary(x *syntax.BinaryExpr, left, right *Expr) {
	a, b := left.ValueType(), right.ValueType()
	d := c.errorf("bad-operands", x, "%s and %s: `%s` does not go with these two.", capital(c.what(x.X, left)), c.what(x.Y, right), x.Op)
	sa, sb := ElemOf(a), ElemOf(b)
	_, va := a.(*Vector)
	_, vb := b.(*Vector)
	switch {
	case (x.Op == syntax.OpLogicalAnd || x.Op == syntax.OpLogicalOr) && sa == Bool && sb == Bool:
		op := x.Op.String()[:1]
		d.Message = fmt.Sprintf("`%s` takes two single bools, and these are vectors of them.", x.Op)
		d.Try("Write `%s`, which works component by component; or `all(…)` and `any(…)` to make one bool of each.", op).
			Replace(x.OpPos, op, "write `"+op+"`")
	case (x.Op == syntax.OpShl || x.Op == syntax.OpShr) && sa != nil && sa.Integer() && sb != nil:
		d.Message = fmt.Sprintf("%s shifts by a u32, and %s.", capital("`"+x.Op.String()+"`"), c.what(x.Y, right))
		if va == vb && isShaped(b) {
			want := withElem(b, U32)
			d.Try("Write `%s(%s)`.", want, c.short(x.Y)).Replace(x.Y.Span(), want.String()+"("+c.text(x.Y)+")", "convert to u32")
		} else if va {
			d.Try("A vector is shifted by a vector: `vec%du(%s)`.", a.(*Vector).Size, c.short(x.Y))
		}
	case sa != nil && sb != nil && sa != sb && sa != Bool && sb != Bool && isShaped(a) && isShaped(b):
		c.mixedOperands(d, x, left, right)
	case va && vb && sa == sb:
		d.Message = fmt.Sprintf("%s and %s: vectors must be of the same size.", capital(c.what(x.X, left)), c.what(x.Y, right))
	case sa == Bool && sb == Bool && x.Op != syntax.OpEqual && x.Op != syntax.OpNotEqual:
		d.Message = fmt.Sprintf("`%s` works on numbers, and these are bools.", x.Op)
	}
}

// mixedOperands: i32 and u32, or u32 and a float.
func (c *checker) mixedOperands(d *syntax.Diagnostic, x *syntax.BinaryExpr, left, right *Expr) {
	a, b := left.ValueType(), right.ValueType()
	d.Message = fmt.Sprintf("%s and %s: WGSL never converts between them by itself.", capital(c.what(x.X, left)), c.what(x.Y, right))
	if c.fromLiteral(d, x.X, b) || c.fromLiteral(d, x.Y, a) {
		return
	}
	change, other, want := x.Y, right, withElem(b, ElemOf(a))
	if ElemOf(b).Float() && !ElemOf(a).Float() || ElemOf(a).Abstract() {
		concrete := Concrete(b)
		change, other, want = x.X, left, withElem(a, ElemOf(concrete))
	}
	if ElemOf(want).Abstract() {
		want = Concrete(want)
	}
	text := c.text(change)
	if suffixed, ok := withSuffix(change, want); ok && other.Type == other.ValueType() && fits(other, want) {
		d.Try("Write `%s`.", suffixed).Replace(change.Span(), suffixed, "write `"+suffixed+"`")
		return
	}
	d.Try("Write `%s(%s)`.", want, text).Replace(change.Span(), want.String()+"("+text+")", "write `"+want.String()+"(…)`")
}

// fits reports whether a literal keeps its value in the type.
func fits(e *Expr, want Type) bool {
	s, ok := want.(*Scalar)
	if !ok || !e.Value.Valid() {
		return false
	}
	n := e.Value.number()
	return !s.Integer() || n == float64(int64(n))
}

func (c *checker) badCompound(s *syntax.AssignStmt, left, right *Expr, target Type) {
	d := c.errorf("bad-operands", s, "%s is %s and %s: `%s=` does not go with these two.", capital(c.quote(s.LHS)), noun(target), c.what(s.RHS, right), s.Op)
	from, to := ElemOf(right.ValueType()), ElemOf(target)
	if from != nil && to != nil && from != to && sameShape(right.ValueType(), target) {
		want := target
		if s.Op == syntax.OpShl || s.Op == syntax.OpShr {
			want = withElem(target, U32)
		}
		c.conversionHint(d, s.RHS, right, want)
	}
}

// badCall reports arguments that fit no overload of a builtin function.
func (c *checker) badCall(x *syntax.CallExpr, b *Builtin, explicit []Type, es []*Expr) {
	counts := map[int]bool{}
	for _, o := range b.Overloads() {
		counts[len(o.params)] = true
	}
	if !counts[len(es)] {
		wanted := make([]string, 0, len(counts))
		for n := range 20 {
			if counts[n] {
				wanted = append(wanted, fmt.Sprint(n))
			}
		}
		d := c.errorf("argument-count", x, "`%s` takes %s, not %d.", b.Name, argumentsText(wanted), len(es))
		d.Span = x.Parens
		d.Try("It is written `%s`.", b.Signatures()[0])
		return
	}
	if len(explicit) == 0 && b.Overloads()[0].explicit != nil && !b.Overloads()[0].optional {
		c.errorf("missing-template", x.Callee, "`%s` needs the type in angle brackets.", b.Name).Try("Write, for example, `%s<u32>(…)`.", b.Name)
		return
	}
	d := c.errorf("bad-arguments", x, "`%s` cannot take %s.", b.Name, c.listAll(es))
	d.Try("It is written `%s`.", signatureFor(b, len(es)))
	if len(es) > 0 && wantsPointer(b) {
		if r := es[0].Reference(); r != nil {
			d.Message = fmt.Sprintf("`%s` takes the address of a variable, and %s.", b.Name, c.what(x.Args[0], es[0]))
			start := x.Args[0].Span().Start
			d.Try("Write `%s(&%s…`.", b.Name, c.text(x.Args[0])).
				Replace(syntax.Span{Start: start, End: start}, "&", "write `&`")
			return
		}
	}
	c.mixedArguments(d, x, es)
}

func argumentsText(counts []string) string {
	text := strings.Join(counts, " or ")
	if text == "1" {
		return "1 argument"
	}
	if text == "0" {
		return "no arguments"
	}
	return text + " arguments"
}

// listAll lists the arguments' types in order.
func (c *checker) listAll(es []*Expr) string {
	names := make([]string, len(es))
	for i, e := range es {
		names[i] = noun(e.ValueType())
	}
	if len(names) == 0 {
		return "no arguments"
	}
	return join(names)
}

func signatureFor(b *Builtin, args int) string {
	for _, o := range b.Overloads() {
		if len(o.params) == args {
			return b.Name + o.Text
		}
	}
	return b.Signatures()[0]
}

func wantsPointer(b *Builtin) bool {
	o := b.Overloads()[0]
	return len(o.params) > 0 && o.params[0].kind == pointerPattern
}

// mixedArguments: max(i, 1.5) with an integer i.
func (c *checker) mixedArguments(d *syntax.Diagnostic, x *syntax.CallExpr, es []*Expr) {
	for i, e := range es {
		for j, other := range es[:i] {
			a, b := ElemOf(other.ValueType()), ElemOf(e.ValueType())
			if a == nil || b == nil || a == b || a == Bool || b == Bool || a.Abstract() && b.Abstract() ||
				!sameShape(other.ValueType(), e.ValueType()) {
				continue
			}
			if rankOf(a, b) < never || rankOf(b, a) < never {
				continue
			}
			d.Message = fmt.Sprintf("%s and %s: WGSL never converts between them by itself.", capital(c.what(x.Args[j], other)), c.what(x.Args[i], e))
			want := Concrete(other.ValueType())
			change := x.Args[i]
			if b.Float() && !a.Float() {
				want, change = Concrete(e.ValueType()), x.Args[j]
			}
			d.Try("Write `%s(%s)`.", want, c.short(change)).
				Replace(change.Span(), want.String()+"("+c.text(change)+")", "write `"+want.String()+"(…)`")
			return
		}
	}
}

func (c *checker) badConstructor(x *syntax.CallExpr, b *Builtin, explicit []Type, es []*Expr) {
	name := c.text(x.Callee)
	d := c.errorf("bad-arguments", x, "`%s` cannot be made of %s.", name, c.listAll(es))
	want := 0
	switch {
	case strings.HasPrefix(b.Name, "vec"):
		want = int(b.Name[3] - '0')
	case strings.HasPrefix(b.Name, "mat"):
		want = int(b.Name[3]-'0') * int(b.Name[5]-'0')
	default:
		d.Try("`%s(…)` takes one number or bool.", name)
		return
	}
	have, whole := 0, true
	for _, e := range es {
		switch t := e.ValueType().(type) {
		case *Scalar:
			have++
		case *Vector:
			have += t.Size
		default:
			whole = false
		}
	}
	switch {
	case whole && have != want:
		d.Try("It has %d components, and these are %d.", want, have)
	case len(explicit) > 0:
		d.Try("Convert the parts to %s first.", explicit[0])
	default:
		d.Try("All parts must be of one type.")
	}
}

// Memory.

func (c *checker) notAssignable(x syntax.Expr, e *Expr) {
	ident, ok := syntax.Unparen(x).(*syntax.IdentExpr)
	if !ok {
		if root := c.rootObject(x); root != nil && root.Kind != VarObject {
			c.constantTarget(x, root)
			return
		}
		d := c.errorf("not-assignable", x, "%s is a value and cannot be assigned to.", capital(c.quote(x)))
		if m, ok := syntax.Unparen(x).(*syntax.MemberExpr); ok && len(m.Name.Name) > 1 {
			d.Message = fmt.Sprintf("%s takes several components at once, which can only be read.", capital(c.quote(x)))
			d.Try("Assign the components one by one, or the whole vector.")
		}
		return
	}
	c.constantTarget(x, c.info.Uses[ident])
}

func (c *checker) rootObject(x syntax.Expr) *Object {
	for {
		switch e := x.(type) {
		case *syntax.ParenExpr:
			x = e.X
		case *syntax.IndexExpr:
			x = e.X
		case *syntax.MemberExpr:
			x = e.X
		case *syntax.IdentExpr:
			return c.info.Uses[e]
		default:
			return nil
		}
	}
}

func (c *checker) constantTarget(x syntax.Expr, o *Object) {
	d := c.errorf("not-assignable", x, "`%s` is a `%s` and never changes.", o.Name, o.Kind)
	d.See(o.Span(), "`%s` is declared here.", o.Name)
	switch o.Kind {
	case LetObject, ConstObject:
		d.Try("Declare it with `var` to change it.")
		if let, ok := o.Decl.(*syntax.LetDecl); ok {
			d.Replace(let.Keyword, "var", "write `var`")
		}
	case ParamObject:
		d.Message = fmt.Sprintf("`%s` is a parameter, and parameters never change.", o.Name)
		d.Try("Copy it first: `var my_%s = %s;`.", o.Name, o.Name)
	case OverrideObject:
	default:
		d.Message = fmt.Sprintf("`%s` is a %s and cannot be assigned to.", o.Name, o.Kind)
	}
}

func (c *checker) readOnly(x syntax.Expr, r *Reference) {
	root := c.rootObject(x)
	if root == nil {
		c.errorf("read-only", x, "%s can only be read.", capital(c.quote(x)))
		return
	}
	d := c.errorf("read-only", x, "`%s` is in %s memory that can only be read.", root.Name, r.Space).
		See(root.Span(), "`%s` is declared here.", root.Name)
	decl, ok := root.Decl.(*syntax.VarDecl)
	if !ok || r.Space != SpaceStorage || decl.Templ == nil {
		return
	}
	d.Message = fmt.Sprintf("`%s` is declared for reading only.", root.Name)
	d.Try("Declare it `var<storage, read_write>`.")
	d.Fixes = append(d.Fixes, syntax.Fix{
		Title: "declare it `read_write`",
		Edits: []syntax.Edit{{Span: decl.Templ.Span(), New: "<storage, read_write>"}},
	})
}

func (c *checker) atomicAssignment(x syntax.Expr, r *Reference) {
	d := c.errorf("atomic-access", x, "%s is %s, which only the atomic functions may touch.", capital(c.quote(x)), r.Elem)
	if _, ok := r.Elem.(*Atomic); ok {
		d.Try("Write `atomicStore(&%s, …);`.", c.short(x))
	}
}
