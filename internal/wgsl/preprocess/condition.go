package preprocess

import (
	"strconv"
	"strings"

	"github.com/wgslab/wgslab/internal/wgsl/findings"
)

// condition reports whether the condition of an #if holds.
func (r *reading) condition(l line) bool {
	words := r.withoutDefined(l)
	expanded := line{rest: r.expandList(words, true)}.words()
	if len(expanded) == 0 {
		r.problem(l.token, "The directive #%s needs a condition.", l.name).Try("Write #if NAME, #if NAME == 2 or #if defined(NAME).")
		return false
	}
	e := &evaluation{tokens: expanded}
	value := e.binary(0)
	if e.wrong == "" && len(e.tokens) > 0 {
		e.fail("`%s` doesn't belong there", e.tokens[0].text)
	}
	if e.wrong != "" {
		r.problem(l.token, "This condition has no value: %s.", e.wrong).Try("Conditions are whole numbers, names, defined(NAME) and operators.")
	}
	return value.number != 0
}

// withoutDefined replaces defined(NAME) and defined NAME by 1 or 0.
func (r *reading) withoutDefined(l line) (out []token) {
	words := l.words()
	for i := 0; i < len(words); i++ {
		if words[i].kind != word || words[i].text != "defined" {
			out = append(out, words[i])
			continue
		}
		end := i + 1
		if i+3 < len(words) && words[i+1].is("(") && words[i+3].is(")") {
			words[i+1], end = words[i+2], i+3
		}
		if i+1 >= len(words) || words[i+1].kind != word {
			r.problem(l.token, "After `defined` there is no name.").Try("Write defined(NAME).")
			return nil
		}
		text := "0"
		if r.macros[words[i+1].text] != nil {
			text = "1"
		}
		out = append(out, token{kind: number, text: text, file: l.file, span: l.span})
		i = end
	}
	return out
}

// An operand is a value of a condition.
type operand struct {
	number int64
	name   string // of a name that has no value, and counts as 0
}

// An evaluation computes a condition.
type evaluation struct {
	tokens  []token
	depth   int
	skipped int    // the operand decides nothing, as after `0 &&`: it may divide by 0
	wrong   string // the first mistake
}

func (e *evaluation) fail(format string, args ...any) {
	if e.wrong == "" {
		e.wrong = findings.Errorf("", findings.Span{}, format, args...).Message
	}
	e.tokens = nil
}

// operators has the binary operators by how tightly they bind.
var operators = [][]string{{"||"}, {"&&"}, {"|"}, {"^"}, {"&"}, {"==", "!="}, {"<=", ">=", "<", ">"}, {"<<", ">>"}, {"+", "-"}, {"*", "/", "%"}}

// binary computes an expression of operators of at least this rank.
func (e *evaluation) binary(rank int) operand {
	if rank == len(operators) {
		return e.unary()
	}
	x := e.binary(rank + 1)
	for {
		operator := e.operator(rank)
		if operator == "" {
			return x
		}
		y := e.right(operator, x, rank+1)
		switch {
		case x.name != "" && y.name != "" && (operator == "==" || operator == "!=") && e.skipped == 0:
			e.fail("neither `%s` nor `%s` is defined", x.name, y.name)
		case y.number == 0 && (operator == "/" || operator == "%"):
			if e.skipped == 0 {
				e.fail("it divides by 0")
			}
			y.number = 1
		}
		x = operand{number: apply(operator, x.number, y.number)}
	}
}

// right computes the right operand of an operator.
func (e *evaluation) right(operator string, left operand, rank int) operand {
	if operator == "&&" && left.number == 0 || operator == "||" && left.number != 0 {
		e.skipped++
		defer func() { e.skipped-- }()
	}
	return e.binary(rank)
}

// operator takes an operator of a rank, or returns "".
func (e *evaluation) operator(rank int) string {
	for _, text := range operators[rank] {
		if e.begins(text) && !e.isLonger(text) {
			e.tokens = e.tokens[len(text):]
			return text
		}
	}
	return ""
}

// begins reports whether the next characters are those of an operator, with nothing between them.
func (e *evaluation) begins(text string) bool {
	if len(e.tokens) < len(text) {
		return false
	}
	for i := range len(text) {
		if !e.tokens[i].is(text[i : i+1]) {
			return false
		}
	}
	return true
}

// isLonger reports whether an operator is only the beginning of another one.
func (e *evaluation) isLonger(text string) bool {
	for _, rank := range operators {
		for _, longer := range rank {
			if len(longer) > len(text) && strings.HasPrefix(longer, text) && e.begins(longer) {
				return true
			}
		}
	}
	return false
}

func apply(operator string, x, y int64) int64 {
	switch operator {
	case "||":
		return truth(x != 0 || y != 0)
	case "&&":
		return truth(x != 0 && y != 0)
	case "|":
		return x | y
	case "^":
		return x ^ y
	case "&":
		return x & y
	case "==":
		return truth(x == y)
	case "!=":
		return truth(x != y)
	case "<=":
		return truth(x <= y)
	case ">=":
		return truth(x >= y)
	case "<":
		return truth(x < y)
	case ">":
		return truth(x > y)
	case "<<":
		return x << min(uint64(y), 63)
	case ">>":
		return x >> min(uint64(y), 63)
	case "+":
		return x + y
	case "-":
		return x - y
	case "*":
		return x * y
	case "/":
		return x / y
	}
	return x % y
}

func truth(holds bool) int64 {
	if holds {
		return 1
	}
	return 0
}

func (e *evaluation) unary() operand {
	if e.depth++; e.depth > mostNested*4 {
		e.fail("it is nested too deeply")
	}
	defer func() { e.depth-- }()
	if len(e.tokens) == 0 {
		e.fail("something is missing at its end")
		return operand{}
	}
	t := e.tokens[0]
	e.tokens = e.tokens[1:]
	switch {
	case t.is("!"):
		return operand{number: truth(e.unary().number == 0)}
	case t.is("-"):
		return operand{number: -e.unary().number}
	case t.is("+"):
		return operand{number: e.unary().number}
	case t.is("~"):
		return operand{number: ^e.unary().number}
	case t.is("("):
		x := e.binary(0)
		if len(e.tokens) == 0 || !e.tokens[0].is(")") {
			e.fail("a parenthesis isn't closed")
			return operand{}
		}
		e.tokens = e.tokens[1:]
		return x
	case t.kind == number:
		return e.number(t.text)
	case t.kind == word && t.text == "true":
		return operand{number: 1}
	case t.kind == word && t.text == "false":
		return operand{}
	case t.kind == word:
		return operand{name: t.text}
	}
	e.fail("`%s` doesn't belong there", t.text)
	return operand{}
}

// number returns a whole number, which may have WGSL's and C's suffixes. A number that begins with
// 0 is decimal, as in WGSL.
func (e *evaluation) number(text string) operand {
	digits, base := text, 10
	if hex, ok := strings.CutPrefix(strings.ToLower(text), "0x"); ok {
		digits, base = hex, 16
	}
	digits = strings.TrimRight(digits, "uUlLi")
	n, err := strconv.ParseInt(digits, base, 64)
	if err != nil {
		e.fail("`%s` is no whole number", text)
	}
	return operand{number: n}
}
