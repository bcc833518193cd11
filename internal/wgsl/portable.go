package wgsl

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// A Breach is a place where a shader breaks a rule of the specification at which
// not every compiler looks: the shader runs with one and is refused by another.
type Breach struct {
	Rule         Rule
	Line, Column int    // from 1
	Text         string // the number, or the operator where the mixing shows
	Beside       string // the operator that it is mixed with
}

// Rule is what a Breach breaks.
type Rule int

// BeyondF32 is a number that no f32 can hold (section "Floating Point
// Evaluation"). Mixed are operators side by side that WGSL does not rank, so
// that parentheses have to (section "Operator Precedence and Associativity").
const (
	BeyondF32 Rule = iota
	Mixed
)

// Breaches finds the breaches of a shader that has compiled, in the order of
// the source.
func (s *Source) Breaches() []Breach {
	found := beyondF32(s.tokens)
	found = append(found, mixed(s.tokens)...)
	slices.SortStableFunc(found, func(a, b Breach) int {
		if a.Line != b.Line {
			return a.Line - b.Line
		}
		return a.Column - b.Column
	})
	return found
}

func beyondF32(tokens []token) []Breach {
	var found []Breach
	for _, t := range tokens {
		if t.text[0] < '0' || t.text[0] > '9' {
			continue
		}
		digits := t.text
		if !strings.HasPrefix(digits, "0x") && !strings.HasPrefix(digits, "0X") {
			digits = strings.TrimRight(digits, "fh")
		}
		value, err := strconv.ParseFloat(digits, 64) // hexadecimal only with p, as WGSL's floats
		if err == nil && strings.ContainsAny(digits, ".eEpP") && value > math.MaxFloat32 {
			found = append(found, Breach{Rule: BeyondF32, Line: t.line, Column: t.column, Text: t.text})
		}
	}
	return found
}

// templated are the names behind which < is a bracket.
func templated(name string) bool {
	switch name {
	case "array", "vec2", "vec3", "vec4", "ptr", "atomic", "bitcast", "var":
		return true
	}
	return strings.HasPrefix(name, "mat") && len(name) == len("mat2x2")
}

// mixed walks through the expressions: the operators of each bracket, from one
// separator to the next.
func mixed(tokens []token) []Breach {
	var found []Breach
	type bracket struct {
		open      string
		operators []token
	}
	stack := []bracket{{}}
	end := func() { // of an expression
		top := &stack[len(stack)-1]
		if breach, ok := mix(top.operators); ok {
			found = append(found, breach)
		}
		top.operators = nil
	}
	for i := 0; i < len(tokens); i++ {
		t, top := tokens[i], &stack[len(stack)-1]
		switch {
		case t.text == "(" || t.text == "[" || t.text == "{" || t.text == "<" && i > 0 && templated(tokens[i-1].text):
			stack = append(stack, bracket{open: t.text})
		case t.text == ")" || t.text == "]" || t.text == "}" || t.text == ">" && top.open == "<":
			end()
			if len(stack) > 1 {
				stack = stack[:len(stack)-1]
			}
			if t.text == "}" {
				end() // a block ends the statement that it belongs to
			}
		case t.text == "," || t.text == ";" || t.text == "=" || t.text == ":":
			end()
		default:
			operator, length := binary(tokens, i)
			if length == 0 {
				continue
			}
			i += length - 1
			if operator.text == "" { // a compound assignment
				end()
				continue
			}
			top.operators = append(top.operators, operator)
		}
	}
	end()
	return found
}

// binary is the operator with two operands that begins at token i, and of how
// many tokens it consists, 0 for none. A compound assignment has no text.
func binary(tokens []token, i int) (operator token, length int) {
	operator, length = tokens[i], 1
	if i == 0 || !endsOperand(tokens[i-1].text) {
		return operator, 0
	}
	adjacent := func(text string) bool {
		next := i + length
		return next < len(tokens) && tokens[next].text == text && tokens[next].offset == operator.offset+len(operator.text)
	}
	switch operator.text {
	case ">":
		if adjacent(">") {
			operator.text, length = ">>", 2
		} else if adjacent("=") {
			operator.text, length = ">=", 2
			return operator, length
		}
	case "<", "<=", "==", "!=", "&&", "||":
		return operator, length
	case "<<", "&", "|", "^", "+", "-", "*", "/", "%":
	default:
		return operator, 0
	}
	if adjacent("=") {
		operator.text, length = "", length+1
	}
	return operator, length
}

// endsOperand: what stands behind it is no prefix.
func endsOperand(text string) bool {
	switch text {
	case "return", "in", "case", "if", "while", "switch":
		return false
	case ")", "]":
		return true
	}
	return isWord([]rune(text)[0])
}

// mix finds the first operator of an expression that may not stand beside one
// before it.
func mix(operators []token) (Breach, bool) {
	for i, second := range operators {
		for _, first := range operators[:i] {
			if !together(first.text, second.text, operators) {
				return Breach{Rule: Mixed, Line: second.line, Column: second.column, Text: second.text, Beside: first.text}, true
			}
		}
	}
	return Breach{}, false
}

// together says whether two operators of one expression may do without
// parentheses.
func together(a, b string, all []token) bool {
	logical := func(s string) bool { return s == "&&" || s == "||" }
	bitwise := func(s string) bool { return s == "&" || s == "|" || s == "^" }
	shift := func(s string) bool { return s == "<<" || s == ">>" }
	comparison := func(s string) bool { return strings.ContainsAny(s[:1], "<>=!") && !shift(s) }
	switch {
	case logical(a) && logical(b):
		return a == b
	case logical(a) || logical(b):
		return true // bitwise operands of them are rare, and are not looked for
	case bitwise(a) || bitwise(b):
		return a == b || slices.ContainsFunc(all, func(t token) bool { return logical(t.text) })
	case shift(a) || shift(b):
		return comparison(a) || comparison(b) || slices.ContainsFunc(all, func(t token) bool { return logical(t.text) || comparison(t.text) })
	}
	return true
}
