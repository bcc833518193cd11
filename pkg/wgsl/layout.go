package wgsl

import (
	"fmt"
	"strconv"
	"strings"
)

// A Type is a host-shareable type with its layout in memory, by the rules of
// the WGSL specification, section "Alignment and Size".
type Type struct {
	Text    string // as the shader writes it, aliases kept
	Element string // the scalar it is made of: f32, u32, i32, f16; "" for mixed structs
	Size    uint64 // bytes; for a runtime-sized array, with one element
	Align   uint64 // bytes
	Runtime bool   // ends in an array whose length the buffer decides
	Stride  uint64 // bytes from one element to the next, for arrays
	Members []Member
}

// A Member is one field of a struct.
type Member struct {
	Name   string
	Offset uint64 // bytes
	Type   Type
}

// maxNesting bounds how deep types may nest, so that a type which contains
// itself is an error and no endless recursion.
const maxNesting = 32

var scalars = map[string]uint64{"f32": 4, "u32": 4, "i32": 4, "f16": 2, "bool": 4}

func (p *parser) typ(tokens []token, depth int) (Type, error) {
	if len(tokens) == 0 {
		return Type{}, fmt.Errorf("its type is missing")
	}
	if depth > maxNesting {
		return Type{}, fmt.Errorf("its type nests more than %d deep", maxNesting)
	}
	t, err := p.layout(tokens, depth)
	if t.Text == "" {
		t.Text = text(tokens)
	}
	return t, err
}

func (p *parser) layout(tokens []token, depth int) (Type, error) {
	name := tokens[0].text
	var arguments [][]token
	if len(tokens) > 2 && tokens[1].text == "<" {
		arguments = splitComma(tokens[2 : len(tokens)-1])
	}
	if size, ok := scalars[name]; ok {
		return Type{Element: name, Size: size, Align: size}, nil
	}
	switch {
	case name == "array" && len(arguments) > 0:
		return p.array(arguments, depth)
	case name == "atomic" && len(arguments) == 1:
		return p.typ(arguments[0], depth+1)
	case strings.HasPrefix(name, "vec") && len(name) >= 4:
		return p.vector(name, arguments)
	case strings.HasPrefix(name, "mat") && len(name) >= 6:
		return p.matrix(name, arguments)
	}
	if alias, ok := p.aliases[name]; ok {
		return p.typ(alias, depth+1)
	}
	if body, ok := p.structs[name]; ok {
		return p.structure(name, body, depth)
	}
	if strings.HasPrefix(name, "texture") || strings.HasPrefix(name, "sampler") {
		return Type{}, nil
	}
	return Type{}, fmt.Errorf("unknown type %s", text(tokens))
}

func (p *parser) array(arguments [][]token, depth int) (Type, error) {
	element, err := p.typ(arguments[0], depth+1)
	if err != nil {
		return Type{}, err
	}
	t := Type{Element: element.Element, Align: element.Align, Stride: roundUp(element.Size, element.Align), Runtime: true, Members: nil}
	count := uint64(1)
	if len(arguments) > 1 {
		n, err := p.unsigned(arguments[1])
		if err != nil {
			return Type{}, fmt.Errorf("array length: %w", err)
		}
		count, t.Runtime = uint64(n), false
	}
	t.Size = count * t.Stride
	return t, nil
}

// scalarSuffix are the letters of vec4f, mat3x3h and the like.
var scalarSuffix = map[byte]string{'f': "f32", 'u': "u32", 'i': "i32", 'h': "f16"}

func scalarOf(suffix string, arguments [][]token) (string, error) {
	if len(arguments) == 1 && len(arguments[0]) == 1 {
		return arguments[0][0].text, nil
	}
	if len(suffix) == 1 && scalarSuffix[suffix[0]] != "" {
		return scalarSuffix[suffix[0]], nil
	}
	return "", fmt.Errorf("cannot tell its scalar type")
}

func (p *parser) vector(name string, arguments [][]token) (Type, error) {
	scalar, err := scalarOf(name[4:], arguments)
	if err != nil {
		return Type{}, err
	}
	if alias, ok := p.aliases[scalar]; ok && len(alias) == 1 {
		scalar = alias[0].text
	}
	n, unit := uint64(name[3]-'0'), scalars[scalar]
	align := unit * 2
	if n > 2 {
		align = unit * 4
	}
	return Type{Element: scalar, Size: n * unit, Align: align}, nil
}

// matrix lays a matCxR out as an array of C column vectors of R elements.
func (p *parser) matrix(name string, arguments [][]token) (Type, error) {
	column, err := p.vector("vec"+name[5:6]+name[6:], arguments)
	if err != nil {
		return Type{}, err
	}
	columns := uint64(name[3] - '0')
	return Type{Element: column.Element, Size: columns * roundUp(column.Size, column.Align), Align: column.Align}, nil
}

func (p *parser) structure(name string, body []token, depth int) (Type, error) {
	t := Type{Text: name, Align: 1}
	for _, declaration := range splitComma(body) {
		member, err := p.member(declaration, depth)
		if err != nil {
			return Type{}, fmt.Errorf("struct %s: %w", name, err)
		}
		member.Offset = roundUp(t.Size, member.Type.Align)
		t.Size = member.Offset + member.Type.Size
		t.Align = max(t.Align, member.Type.Align)
		t.Runtime = member.Type.Runtime
		t.Members = append(t.Members, member)
	}
	t.Element = commonElement(t.Members)
	t.Size = roundUp(t.Size, t.Align)
	return t, nil
}

func (p *parser) member(declaration []token, depth int) (Member, error) {
	sub := &parser{tokens: declaration}
	attributes := sub.attributes()
	name := sub.next()
	sub.next() // :
	typ, err := p.typ(sub.tokens[min(sub.at, len(sub.tokens)):], depth+1)
	if err != nil {
		return Member{}, fmt.Errorf("member %s: %w", name.text, err)
	}
	if expression, ok := attributes["align"]; ok {
		align, err := p.unsigned(expression)
		if err != nil {
			return Member{}, fmt.Errorf("member %s: @align: %w", name.text, err)
		}
		typ.Align = uint64(align)
	}
	if expression, ok := attributes["size"]; ok {
		size, err := p.unsigned(expression)
		if err != nil {
			return Member{}, fmt.Errorf("member %s: @size: %w", name.text, err)
		}
		typ.Size = uint64(size)
	}
	return Member{Name: name.text, Type: typ}, nil
}

func commonElement(members []Member) string {
	common := ""
	for i, m := range members {
		if i > 0 && m.Type.Element != common {
			return ""
		}
		common = m.Type.Element
	}
	return common
}

func roundUp(n, multiple uint64) uint64 {
	if multiple == 0 {
		return n
	}
	return (n + multiple - 1) / multiple * multiple
}

// splitComma cuts a list at its commas, not inside brackets; a trailing comma
// is allowed, as everywhere in WGSL.
func splitComma(tokens []token) [][]token {
	var parts [][]token
	from, depth := 0, 0
	for i, t := range tokens {
		switch t.text {
		case "(", "<", "[":
			depth++
		case ")", ">", "]":
			depth--
		case ",":
			if depth == 0 {
				parts = append(parts, tokens[from:i])
				from = i + 1
			}
		}
	}
	if from < len(tokens) {
		parts = append(parts, tokens[from:])
	}
	return parts
}

func text(tokens []token) string {
	var b strings.Builder
	for i, t := range tokens {
		b.WriteString(t.text)
		if t.text == "," && i < len(tokens)-1 {
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// unsigned evaluates a constant expression of integers: literals, names of
// const and override declarations (an override by its default), + - * / % << >>
// and brackets.
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

func (p *parser) evaluate(tokens []token, depth int) (int64, error) {
	if depth > maxNesting {
		return 0, fmt.Errorf("constant %s refers to itself", text(tokens))
	}
	e := &expression{parser: p, tokens: joinShifts(tokens), depth: depth}
	value, err := e.binary(0)
	if err == nil && e.at != len(e.tokens) {
		err = fmt.Errorf("cannot evaluate %s", text(tokens))
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
	parser *parser
	tokens []token
	at     int
	depth  int
}

var precedence = map[string]int{"<<": 1, ">>": 1, "+": 2, "-": 2, "*": 3, "/": 3, "%": 3}

func (e *expression) binary(lowest int) (int64, error) {
	left, err := e.primary()
	for err == nil && e.at < len(e.tokens) {
		operator := e.tokens[e.at].text
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
	case "<<":
		return left << min(uint64(right), 63), nil
	default:
		return left >> min(uint64(right), 63), nil
	}
}

func (e *expression) primary() (int64, error) {
	if e.at >= len(e.tokens) {
		return 0, fmt.Errorf("an expression ends too early")
	}
	t := e.tokens[e.at]
	e.at++
	if t.text == "(" {
		value, err := e.binary(0)
		e.at++ // )
		return value, err
	}
	if constant, ok := e.parser.consts[t.text]; ok {
		return e.parser.evaluate(constant, e.depth+1)
	}
	if t.text == "u32" || t.text == "i32" {
		return e.primary()
	}
	value, err := strconv.ParseInt(strings.TrimRight(t.text, "ui"), 0, 64)
	if err != nil {
		return 0, fmt.Errorf("%q is no whole number that is known before the shader runs", t.text)
	}
	return value, nil
}
