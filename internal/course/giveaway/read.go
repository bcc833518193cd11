package giveaway

import (
	"cmp"
	"slices"
	"strings"
)

// read returns the formulas in a text for people. "a at i plus 1" may be a[i] + 1 or a[i + 1], so
// it returns both.
func read(text string) []*tree {
	tokens := tokensOf(text, true)
	return append(formulas(tokens, inProse), formulas(tokens, inProseWide)...)
}

// A manner is how a reader takes what it reads.
type manner byte

const (
	inCode manner = iota
	inProse
	inProseWide // an index in words ends at the next comparison
)

// formulas returns what can be read as a formula, beginning at any token.
func formulas(tokens []token, as manner) (all []*tree) {
	for at := 0; at < len(tokens); {
		r := &reader{tokens: tokens, at: at, prose: as != inCode, wide: as == inProseWide}
		if t := r.statement(); t != nil && len(t.kids) > 0 {
			all = append(all, t)
			at = r.at
			continue
		}
		at++
	}
	return all
}

// cut returns the statements of a program in WGSL, Go or JavaScript.
func cut(program string) (all []statement) {
	tokens := tokensOf(program, false)
	for begin := 0; begin < len(tokens); {
		end := endOf(tokens, begin)
		part := tokens[begin:end]
		begin = end + 1
		for len(part) > 0 && part[0].kind == line {
			part = part[1:]
		}
		if len(part) == 0 || isDeclaration(part) {
			continue
		}
		text := program[part[0].at:part[len(part)-1].end]
		for _, t := range formulas(part, inCode) {
			all = append(all, statement{strings.Join(strings.Fields(text), " "), t})
		}
	}
	return all
}

// endOf returns the index of the token that ends the statement at begin: a semicolon or a brace
// outside of parentheses, or a line's end that a formula can have.
func endOf(tokens []token, begin int) int {
	depth, loop := 0, false
	for i := begin; i < len(tokens); i++ {
		t := tokens[i]
		switch {
		case t.kind == word && t.text == "for":
			loop = true
		case t.text == "(" || t.text == "[" || t.text == "{" && depth > 0:
			depth++
		case t.text == ")" || t.text == "]" || t.text == "}" && depth > 0:
			depth = max(0, depth-1)
		case t.text == ";" && (depth == 0 || loop), depth == 0 && (t.text == "{" || t.text == "}"):
			return i
		case t.kind == line && depth == 0 && i > begin && !(tokens[i-1].kind == sign && !slices.Contains([]string{")", "]"}, tokens[i-1].text)):
			return i
		}
	}
	return len(tokens)
}

// isDeclaration reports whether tokens are no statement: attributes, types, variables without a
// value.
func isDeclaration(part []token) bool {
	if part[0].text == "@" || len(part) > 1 && part[0].text == "var" && part[1].text == "<" {
		return true
	}
	return part[0].kind == word && slices.Contains([]string{"struct", "fn", "func", "function", "async", "enable", "alias", "import", "package", "diagnostic", "requires", "export", "type"}, part[0].text)
}

// keywords begin a statement and are no operand.
var keywords = []string{"if", "else", "for", "while", "loop", "return", "break", "continue", "switch", "case", "range", "await", "new", "defer", "is", "are", "was", "be", "starts", "stands", "lies", "begins"}

// A reader reads a formula from tokens.
type reader struct {
	tokens []token
	at     int
	prose  bool
	wide   bool
	depth  int // of the brackets around
	nested int // operands that are being read
}

// mostNested limits operands within operands: a text of brackets alone would take minutes.
const mostNested = 30

func (r *reader) peek() token {
	for r.at < len(r.tokens) {
		t := r.tokens[r.at]
		if t.kind == line && r.depth > 0 || t.kind == word && leftOut[strings.ToLower(t.text)] && !r.isName() {
			r.at++
			continue
		}
		return t
	}
	return token{kind: line}
}

// isName reports whether the next word is a variable's name, although a formula in words may have
// it anywhere: "value = a[i]" begins with one, and "the value at i" doesn't.
func (r *reader) isName() bool {
	if name := r.tokens[r.at].text; name != "value" && name != "element" || r.at+1 == len(r.tokens) {
		return false
	}
	next := r.tokens[r.at+1]
	follows := next.kind == sign && (strength[next.text] > 0 || slices.Contains([]string{"[", ".", ";", ")", "++", "--"}, next.text) || strings.HasSuffix(next.text, "="))
	return follows && (r.at == 0 || !r.tokens[r.at-1].isOperand())
}

// isOperand reports whether a token is the end of an operand.
func (t token) isOperand() bool {
	return t.kind == number || t.kind == word && !leftOut[strings.ToLower(t.text)] && !slices.Contains(keywords, t.text) || t.text == ")" || t.text == "]"
}

func (r *reader) take(text string) bool {
	if t := r.peek(); t.text == text && t.kind != number {
		r.at++
		return true
	}
	return false
}

// statement reads an assignment, or a formula.
func (r *reader) statement() *tree {
	left := r.formula(0)
	if left == nil {
		return nil
	}
	r.typed()
	t := r.peek()
	if t.kind == sign {
		switch t.text {
		case "=":
			r.at++
			if right := r.formula(0); right != nil {
				return node("=", left, right)
			}
			return left
		case "++", "--":
			r.at++
			return node("=", left, node(t.text[:1], left, leaf("number", "1")))
		case "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=":
			r.at++
			if right := r.formula(0); right != nil {
				return node("=", left, node(strings.TrimSuffix(t.text, "="), left, right))
			}
		}
	}
	if r.prose && (t.text == "to" || t.text == "in" || t.text == "into") && len(left.kids) > 0 {
		at := r.at
		r.at++
		if right := r.formula(0); right != nil {
			// "set out at i to a plus b" and "store a plus b in out at i"
			if t.text == "to" {
				return node("=", left, right)
			}
			return node("=", right, left)
		}
		r.at = at
	}
	return left
}

// typed skips the type of a declaration, ": array<f32, 64>".
func (r *reader) typed() {
	at := r.at
	if r.prose || !r.take(":") {
		return
	}
	for i := r.at; i < len(r.tokens) && i < r.at+12; i++ {
		switch r.tokens[i].text {
		case "=":
			r.at = i
			return
		case ">=": // array<f32>= without a space
			r.at = at
			return
		}
	}
	r.at = at
}

// strength orders the operations of two operands.
var strength = map[string]int{
	"||": 1, "&&": 2, "|": 3, "^": 4, "&": 5, "==": 6, "!=": 6, "<": 7, "<=": 7, ">": 7, ">=": 7, "<<": 8, ">>": 8, "+": 9, "-": 9, "*": 10, "/": 10, "%": 10,
}

// formula reads operands as long as the operations between them are stronger than least.
func (r *reader) formula(least int) *tree {
	left := r.operand()
	for left != nil {
		t := r.peek()
		s := strength[t.text]
		if t.kind != sign || s <= least {
			return left
		}
		at := r.at
		r.at++
		right := r.formula(s)
		if right == nil {
			r.at = at
			return left
		}
		left = node(t.text, left, right)
	}
	return left
}

// conversions change a number's type only.
var conversions = []string{"u32", "i32", "f32", "f16", "uint32", "uint64", "int", "int32", "float", "float32", "float64", "uint", "Number", "BigInt", "size_t"}

func (r *reader) operand() *tree {
	if r.nested == mostNested {
		return nil
	}
	r.nested++
	defer func() { r.nested-- }()
	left := r.bare()
	if left == nil {
		return nil
	}
	return r.after(left)
}

// bare reads an operand without what follows it.
func (r *reader) bare() *tree {
	t := r.peek()
	var left *tree
	switch {
	case t.kind == number:
		r.at++
		left = leaf("number", t.text)
	case t.kind == word && slices.Contains(keywords, t.text):
		return nil
	case t.kind == word:
		r.at++
		left = r.named(t.text)
	case t.text == "(":
		r.at++
		r.depth++
		left = r.formula(0)
		r.depth--
		if left == nil || !r.take(")") {
			return nil
		}
	case t.text == "-" || t.text == "!" || t.text == "~":
		r.at++
		if kid := r.operand(); kid != nil {
			return node(map[string]string{"-": "negative", "!": "!", "~": "~"}[t.text], kid)
		}
		return nil
	case t.text == "&" || t.text == "*": // an address, or what is there
		r.at++
		return r.operand()
	}
	return left
}

// pairs are functions of two operands in words.
var pairs = map[string]string{"sum": "+", "product": "*", "difference": "-", "quotient": "/", "maximum": "call max", "larger": "call max", "minimum": "call min", "smaller": "call min"}

// named reads what begins with a word: in prose it may be "the sum of a and b".
func (r *reader) named(name string) *tree {
	op, ok := pairs[strings.ToLower(name)]
	if !r.prose || !ok || !r.take("of") {
		return leaf("name", name)
	}
	at := r.at
	a := r.formula(strength["&&"])
	if a == nil || !r.take("&&") {
		r.at = at
		return leaf("name", name)
	}
	b := r.formula(strength["&&"])
	if b == nil {
		return a
	}
	return node(op, a, b)
}

// after reads what follows an operand: an index, arguments, a member.
func (r *reader) after(left *tree) *tree {
	for {
		t := r.peek()
		switch {
		case t.text == "[" && t.kind == sign:
			r.at++
			kids := r.list("]")
			if len(kids) == 0 {
				return left
			}
			left = node("index", left, kids[0])
		case t.kind == word && t.text == "at" && r.prose, t.kind == sign && t.text == "at":
			at := r.at
			r.at++
			index := r.indexInWords()
			if index == nil {
				r.at = at
				return left
			}
			left = node("index", left, index)
		case t.text == "(" && left.op == "name":
			r.at++
			left = r.call(left.text, nil)
		case t.text == "." && t.kind == sign:
			at := r.at
			r.at++
			member := r.peek()
			if member.kind != word {
				r.at = at
				return left
			}
			r.at++
			switch {
			case r.take("("):
				left = r.call(member.text, left)
			case left.op == "name":
				left = leaf("name", left.text+"."+member.text)
			}
		default:
			return left
		}
	}
}

func (r *reader) indexInWords() *tree {
	if r.wide {
		return r.formula(strength["<"])
	}
	left := r.bare()
	if next := r.peek(); left != nil && left.op == "name" && next.text == "(" && next.at == r.tokens[r.at-1].end {
		r.at++
		return r.call(left.text, nil)
	}
	return left
}

// call reads a call's arguments, behind its parenthesis. The object of a method counts only if it
// is more than a name.
func (r *reader) call(name string, of *tree) *tree {
	kids := r.list(")")
	if len(kids) == 1 && of == nil && (slices.Contains(conversions, name) || name == "must") {
		return kids[0]
	}
	if of != nil && len(of.kids) > 0 {
		kids = append([]*tree{of}, kids...)
	}
	name = strings.ToLower(name)
	return node("call "+cmp.Or(elsewhere[name], name), kids...)
}

// elsewhere are the names of functions in C, CUDA and Python.
var elsewhere = map[string]string{
	"expf": "exp", "logf": "log", "sqrtf": "sqrt", "fmax": "max", "fmaxf": "max", "maximum": "max", "fmin": "min", "fminf": "min", "minimum": "min",
	"rsqrtf": "inversesqrt", "rsqrt": "inversesqrt", "fmaf": "fma", "len": "arraylength", "fabs": "abs", "fabsf": "abs", "tanhf": "tanh", "powf": "pow",
}

// list reads formulas up to a closing sign. Fields of an object lose their names.
func (r *reader) list(end string) (kids []*tree) {
	r.depth++
	defer func() { r.depth-- }()
	for r.at < len(r.tokens) && !r.take(end) {
		if kid := r.formula(0); kid != nil && !r.isLabel() {
			kids = append(kids, kid)
			if r.peek().text == "{" {
				r.at++
				kids = append(kids, r.list("}")...)
			}
			continue
		}
		if t := r.peek(); t.text == "{" {
			r.at++
			kids = append(kids, r.list("}")...)
			continue
		}
		if r.prose && r.peek().kind == line {
			return kids
		}
		r.at++
	}
	return kids
}

// isLabel reports whether what was just read is the name of a field.
func (r *reader) isLabel() bool { return r.peek().text == ":" }
