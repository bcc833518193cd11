package wgsl

import (
	"fmt"
	"strconv"
	"strings"
)

// unsigned evaluates a constant expression of whole numbers: literals, names of
// const and override declarations (an override by its default), the operators
// + - * / % << >> & | ^ ~, brackets, u32() and i32().
func (p *parser) unsigned(tokens []token) (uint32, error) {
	value, err := p.evaluate(tokens, 0)
	if err != nil {
		return 0, err
	}
	if value < 0 || value > 1<<32-1 {
		return 0, fmt.Errorf("%s is %d, which is no u32", text(tokens), value)
	}
	return uint32(value), nil
}

// evaluate: depth counts the constants that led here.
func (p *parser) evaluate(tokens []token, depth int) (int64, error) {
	e := &expression{parser: p, tokens: joinShifts(tokens), depth: depth}
	value, err := e.binary(0)
	if err == nil && e.peek() == "," { // a trailing comma, as in @binding(0,)
		e.at++
	}
	if err == nil && e.at != len(e.tokens) {
		err = fmt.Errorf("cannot evaluate %s", text(tokens))
	}
	return value, err
}

// constant evaluates a const or override declaration, once.
func (p *parser) constant(name string, depth int) (int64, error) {
	if value, known := p.values[name]; known {
		return value, nil
	}
	if depth > maxNesting {
		return 0, fmt.Errorf("constant %s refers to itself, or to more than %d others in a row", name, maxNesting)
	}
	value, err := p.evaluate(p.consts[name], depth+1)
	if err == nil {
		p.values[name] = value
	}
	return value, err
}

// joinShifts makes `>>` one token again, as it is inside an expression.
func joinShifts(tokens []token) []token {
	var joined []token
	for i := 0; i < len(tokens); i++ {
		t := tokens[i]
		if t.text == ">" && i+1 < len(tokens) && tokens[i+1].text == ">" {
			t.text = ">>"
			i++
		}
		joined = append(joined, t)
	}
	return joined
}

type expression struct {
	parser  *parser
	tokens  []token
	at      int
	depth   int // of constants
	nesting int // of brackets and signs
}

func (e *expression) peek() string {
	if e.at < len(e.tokens) {
		return e.tokens[e.at].text
	}
	return ""
}

// precedence of the binary operators. WGSL wants brackets where & | ^ meet
// other operators, so their order among each other does not matter.
var precedence = map[string]int{
	"|": 1, "^": 1, "&": 1,
	"<<": 2, ">>": 2,
	"+": 3, "-": 3,
	"*": 4, "/": 4, "%": 4,
}

func (e *expression) binary(lowest int) (int64, error) {
	left, err := e.unary()
	for err == nil && e.at < len(e.tokens) {
		operator := e.peek()
		level, known := precedence[operator]
		if !known || level <= lowest {
			break
		}
		e.at++
		var right int64
		if right, err = e.binary(level); err == nil {
			left, err = apply(operator, left, right)
		}
	}
	return left, err
}

func apply(operator string, left, right int64) (int64, error) {
	if right == 0 && (operator == "/" || operator == "%") {
		return 0, fmt.Errorf("division by zero")
	}
	switch operator {
	case "+":
		return left + right, nil
	case "-":
		return left - right, nil
	case "*":
		return left * right, nil
	case "/":
		return left / right, nil
	case "%":
		return left % right, nil
	case "&":
		return left & right, nil
	case "|":
		return left | right, nil
	case "^":
		return left ^ right, nil
	case "<<":
		return left << min(uint64(right), 63), nil
	default:
		return left >> min(uint64(right), 63), nil
	}
}

func (e *expression) unary() (int64, error) {
	if e.nesting++; e.nesting > maxNesting {
		return 0, fmt.Errorf("an expression nests more than %d deep", maxNesting)
	}
	defer func() { e.nesting-- }()
	switch e.peek() {
	case "-":
		e.at++
		value, err := e.unary()
		return -value, err
	case "~":
		e.at++
		value, err := e.unary()
		return ^value, err
	}
	return e.primary()
}

func (e *expression) primary() (int64, error) {
	name := e.peek()
	if e.at++; name == "(" {
		value, err := e.binary(0)
		return value, e.closed(err)
	}
	if _, declared := e.parser.consts[name]; declared {
		return e.parser.constant(name, e.depth)
	}
	if name == "u32" || name == "i32" {
		return e.unary()
	}
	value, err := strconv.ParseInt(strings.TrimRight(name, "ui"), 0, 64)
	if err != nil {
		return 0, fmt.Errorf("cannot tell the value of %q before the shader runs; write whole numbers, with + - * / %% << >> & | ^", name)
	}
	return value, nil
}

// closed consumes a closing bracket.
func (e *expression) closed(err error) error {
	if err == nil && e.peek() != ")" {
		err = fmt.Errorf("a bracket is not closed")
	}
	e.at++
	return err
}
