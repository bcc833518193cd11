package wgsl

import (
	"fmt"
	"math"
	"math/bits"
	"regexp"
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

// What bounds the work on a source that nobody has checked yet: how deep types
// and expressions may nest, so that a type which contains itself is an error and
// no endless recursion, and how large a type may be.
const (
	maxNesting = 32
	maxBytes   = 1 << 40
)

var scalars = map[string]uint64{"f32": 4, "u32": 4, "i32": 4, "f16": 2, "bool": 4}

// scalarSuffix are the letters of vec4f, mat3x3h and the like.
var scalarSuffix = map[string]string{"f": "f32", "u": "u32", "i": "i32", "h": "f16"}

var (
	vectorName = regexp.MustCompile(`^vec([234])([fuih]?)$`)
	matrixName = regexp.MustCompile(`^mat([234])x([234])([fh]?)$`)
	handleName = regexp.MustCompile(`^(texture_|sampler$|sampler_comparison$)`)
)

func (p *parser) typ(tokens []token, depth int) (Type, error) {
	if len(tokens) == 0 {
		return Type{}, fmt.Errorf("its type is missing")
	}
	if depth > maxNesting {
		return Type{}, fmt.Errorf("its type nests more than %d deep", maxNesting)
	}
	t, err := p.layout(tokens, depth)
	if err == nil && (t.Size > maxBytes || t.Align > maxBytes) {
		err = fmt.Errorf("%s takes more bytes than any device has", text(tokens))
	}
	t.Text = text(tokens)
	return t, err
}

func (p *parser) layout(tokens []token, depth int) (Type, error) {
	name := tokens[0].text
	if p.declares(name) {
		return p.declared(name, depth)
	}
	var arguments [][]token
	if len(tokens) > 2 && tokens[1].text == "<" {
		arguments = splitComma(tokens[2 : len(tokens)-1])
	}
	if size, ok := scalars[name]; ok {
		return Type{Element: name, Size: size, Align: size}, nil
	}
	if of := vectorName.FindStringSubmatch(name); of != nil {
		return p.vector(of[1], of[2], arguments, depth)
	}
	if of := matrixName.FindStringSubmatch(name); of != nil {
		return p.matrix(of[1], of[2], of[3], arguments, depth)
	}
	switch {
	case name == "array" && len(arguments) > 0:
		return p.array(arguments, depth)
	case name == "atomic" && len(arguments) == 1:
		return p.typ(arguments[0], depth+1)
	case handleName.MatchString(name):
		return Type{}, nil
	}
	return Type{}, fmt.Errorf("unknown type %s", text(tokens))
}

func (p *parser) declares(name string) bool {
	return p.aliases[name] != nil || p.structs[name] != nil
}

// declared lays out a type that the shader declares itself, once.
func (p *parser) declared(name string, depth int) (Type, error) {
	if t, known := p.laidOut[name]; known {
		return t, nil
	}
	var t Type
	var err error
	if alias := p.aliases[name]; alias != nil {
		t, err = p.typ(alias, depth+1)
	} else {
		t, err = p.structure(name, p.structs[name], depth)
	}
	if err == nil {
		p.laidOut[name] = t
	}
	return t, err
}

func (p *parser) array(arguments [][]token, depth int) (Type, error) {
	element, err := p.typ(arguments[0], depth+1)
	if err != nil {
		return Type{}, err
	}
	t := Type{Element: element.Element, Align: element.Align, Stride: roundUp(element.Size, element.Align), Runtime: true}
	count := uint32(1)
	if len(arguments) > 1 {
		if count, err = p.unsigned(arguments[1]); err != nil {
			return Type{}, fmt.Errorf("array length: %w", err)
		}
		t.Runtime = false
	}
	var tooLarge uint64
	if tooLarge, t.Size = bits.Mul64(uint64(count), t.Stride); tooLarge > 0 {
		t.Size = math.MaxUint64
	}
	return t, nil
}

func (p *parser) scalarOf(suffix string, arguments [][]token, depth int) (string, error) {
	scalar := scalarSuffix[suffix]
	if len(arguments) == 1 {
		t, err := p.typ(arguments[0], depth+1)
		if err != nil {
			return "", err
		}
		scalar = t.Element
	}
	if scalars[scalar] == 0 {
		return "", fmt.Errorf("cannot tell its scalar type")
	}
	return scalar, nil
}

// vector: two elements are aligned to twice an element, three and four to four.
func (p *parser) vector(elements, suffix string, arguments [][]token, depth int) (Type, error) {
	scalar, err := p.scalarOf(suffix, arguments, depth)
	if err != nil {
		return Type{}, err
	}
	n, unit := uint64(elements[0]-'0'), scalars[scalar]
	align := unit * 2
	if n > 2 {
		align = unit * 4
	}
	return Type{Element: scalar, Size: n * unit, Align: align}, nil
}

// matrix lays a matCxR out as an array of C column vectors of R elements.
func (p *parser) matrix(columns, rows, suffix string, arguments [][]token, depth int) (Type, error) {
	column, err := p.vector(rows, suffix, arguments, depth)
	if err != nil {
		return Type{}, err
	}
	n := uint64(columns[0] - '0')
	return Type{Element: column.Element, Size: n * roundUp(column.Size, column.Align), Align: column.Align}, nil
}

func (p *parser) structure(name string, body []token, depth int) (Type, error) {
	t := Type{Align: 1}
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
	var open brackets
	from := 0
	for i, t := range tokens {
		if t.text == "," && len(open) == 0 {
			parts = append(parts, tokens[from:i])
			from = i + 1
			continue
		}
		open.see(t.text)
	}
	if from < len(tokens) {
		parts = append(parts, tokens[from:])
	}
	return parts
}

// brackets are those that are open. A `<` counts as one until a bracket around
// it closes: then it was a comparison; a `>` closes only a `<`.
type brackets []string

var opening = map[string]string{")": "(", "]": "[", "}": "{"}

func (b *brackets) see(text string) {
	switch text {
	case "(", "[", "{", "<":
		*b = append(*b, text)
	case ">":
		if n := len(*b); n > 0 && (*b)[n-1] == "<" {
			*b = (*b)[:n-1]
		}
	case ")", "]", "}":
		if i := lastIndex(*b, opening[text]); i >= 0 {
			*b = (*b)[:i]
		}
	}
}

func lastIndex(list []string, wanted string) int {
	i := len(list) - 1
	for i >= 0 && list[i] != wanted {
		i--
	}
	return i
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
