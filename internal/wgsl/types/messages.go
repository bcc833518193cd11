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
	best, least := "", len(name)/3+2
	if len(name) <= 2 {
		least = 2
	}
	for _, candidate := range names {
		if candidate == "" || candidate == name || abs(len(candidate)-len(name)) >= least {
			continue
		}
		if strings.EqualFold(candidate, name) {
			return candidate
		}
		if d := distanceOf(strings.ToLower(name), strings.ToLower(candidate), least); d < least {
			best, least = candidate, d
		}
	}
	return best
}

func abs(n int) int { return max(n, -n) }

// distanceOf is how many letters must be added, dropped, changed or swapped with their neighbour to make a of b; limit
// or more where it is at least limit (Damerau and Levenshtein, optimal string alignment).
func distanceOf(a, b string, limit int) int {
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

func (c *checker) unknownName(x *syntax.IdentExpr) {
	name := x.Name.Name
	if name == "" {
		return
	}
	if advice, ok := syntax.Foreign(name); ok {
		c.report(advice.Diagnostic(name, x.Name.Span()))
		return
	}
	d := c.errorf("unknown-name", x.Name, "`%s` is not declared.", name)
	if later := c.declaredLater(name); later != nil {
		d.Message = "`" + name + "` is used before it is declared."
		d.See(later.Span(), "`%s` is declared here.", name).Try("Move the declaration up.")
		return
	}
	c.suggest(d, name, c.namesInScope())
	if d.Hint == "" {
		d.Try("Declare it first: `let %s = …;` or `var %s = …;`.", name, name)
	}
}

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
		if len(names) > 2000 {
			return names
		}
	}
	return append(names, predeclaredNames()...)
}

var predeclaredNames = sync.OnceValue(func() []string { return keysOf(predeclared()) })

func (c *checker) unknownCallee(x *syntax.CallExpr) { c.unknownName(x.Callee) }

func (c *checker) notAValue(x syntax.Expr, e *Expr) {
	d := c.errorf("not-a-value", x, "%s, not a value.", c.what(x, e))
	switch e.Mode {
	case TypeMode, GeneratorMode:
		d.Try("To make a value of it, write parentheses after it: `%s(…)`.", c.text(x))
	case FunctionMode:
		d.Try("To call it, write parentheses after it: `%s(…)`.", c.text(x))
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
			d.Try("Write `arrayLength(&%s)`.", c.text(x.X)).Replace(x.Span(), "arrayLength(&"+c.text(x.X)+")", "write `arrayLength`")
		} else {
			d.Try("Its length is %d.", a.Count)
		}
	case isPointer(t):
		d.Try("Write `(*%s).%s`.", c.text(x.X), x.Name.Name)
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
	d := c.errorf("type-mismatch", x, "%s is needed here, and %s.", capital(noun(want)), c.what(x, e))
	have := e.ValueType()
	if from, to := ElemOf(have), ElemOf(want); from != nil && to != nil && sameShape(have, want) {
		c.conversionHint(d, x, e, want)
		return d
	}
	switch {
	case isPointer(want) && !isPointer(have) && e.Reference() == nil && isVariable(x):
		d.Try("Write `&%s`.", c.text(x))
	case isPointer(want) && e.Type != nil && e.Reference() != nil && Identical(e.Reference().Elem, want.(*Pointer).Elem):
		d.Try("Write `&%s`, its address.", c.text(x)).Replace(syntax.Span{Start: x.Span().Start, End: x.Span().Start}, "&", "write `&`")
	case isPointer(have) && Identical(have.(*Pointer).Elem, want):
		d.Try("Write `*%s`, what it points to.", c.text(x)).Replace(syntax.Span{Start: x.Span().Start, End: x.Span().Start}, "*", "write `*`")
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
	d.Message += " WGSL never converts between them by itself."
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
		d.Try("Use an i32: `-i32(%s)`.", c.text(x.X))
	case x.Op == syntax.OpNot && s != nil && s.Integer():
		d.Try("To flip the bits write `~%s`; to compare, `%s == 0`.", c.text(x.X), c.text(x.X))
	case x.Op == syntax.OpComplement && s == Bool:
		d.Try("Write `!%s`.", c.text(x.X)).Replace(x.OpPos, "!", "write `!`")
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
		if va == vb {
			want := withElem(b, U32)
			d.Try("Write `%s(%s)`.", want, c.text(x.Y)).Replace(x.Y.Span(), want.String()+"("+c.text(x.Y)+")", "convert to u32")
		} else if va {
			d.Try("A vector is shifted by a vector: `vec%du(%s)`.", a.(*Vector).Size, c.text(x.Y))
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
			d.Try("Write `%s(%s)`.", want, c.text(change)).
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
		d.Try("Write `atomicStore(&%s, …);`.", c.text(x))
	}
}
