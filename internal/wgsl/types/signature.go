package types

import (
	"fmt"
	"strings"
)

// An Overload is one way to call a builtin: a line of builtins.txt, with ~ and / resolved.
type Overload struct {
	Builtin *Builtin
	Text    string // as the table has it
	Names   []string

	params   []*pattern
	result   *pattern // nil for nothing
	explicit []*pattern
	optional bool // explicit may be left out
	vars     [maxVars]scalarSet
	varNames []string
}

// maxVars is the maximum number of scalar variables in an overload.
const maxVars = 4

// A scalarSet has a bit for each ScalarKind.
type scalarSet uint8

func setOf(scalars ...*Scalar) (set scalarSet) {
	for _, s := range scalars {
		set |= 1 << s.Kind
	}
	return set
}

const abstractSet = 1<<AbstractIntKind | 1<<AbstractFloatKind

var scalarSets = map[string]scalarSet{
	"any":       1<<scalarKinds - 1,
	"scalar":    setOf(Bool, I32, U32, F32, F16),
	"number":    1<<scalarKinds - 1 - 1<<BoolKind,
	"concrete":  setOf(I32, U32, F32, F16),
	"float":     setOf(AbstractFloat, F32, F16),
	"integer":   setOf(AbstractInt, I32, U32),
	"signed":    setOf(AbstractInt, I32, AbstractFloat, F32, F16),
	"signedint": setOf(AbstractInt, I32),
	"number32":  setOf(I32, U32, F32),
	"int":       setOf(I32, U32),
	"f32":       setOf(F32),
	"bool":      setOf(Bool),
}

// convertible[kind] is the set of scalars that a scalar of the kind converts to automatically,
// itself included (§ 6.1.2).
var convertible = func() (sets [scalarKinds]scalarSet) {
	for src := range sets {
		sets[src] = 1 << src
		for dest, rank := range scalarRank[src] {
			if rank > 0 {
				sets[src] |= 1 << dest
			}
		}
	}
	return sets
}()

// preference is the order in which choose tries the scalars for a variable. It agrees with the
// conversion ranks from any source.
var preference = [...]*Scalar{AbstractInt, I32, U32, AbstractFloat, F32, F16, Bool}

type patternKind uint8

const (
	fixedPattern   patternKind = iota // the type typ
	scalarPattern                     // the scalar variable index
	vectorPattern                     // n components of elem
	matrixPattern                     // n columns of m rows of elem
	arrayPattern                      // runtime-sized, of elem
	atomicPattern                     // of elem
	pointerPattern                    // to elem, in one of spaces, with one of accesses
	texturePattern                    // like texture, its sampled type elem or its access one of accesses
	typePattern                       // any type
	channelPattern                    // the channel type of the texel format
	resultPattern                     // the structure that the function name returns, for elem
	bufferPattern                     // a buffer of any size
	viewPattern                       // a pointer to typ in the memory of the pointer among the arguments
)

// A pattern is a type with variables.
type pattern struct {
	kind     patternKind
	typ      Type
	index    int
	n, m     size
	elem     *pattern
	texture  Texture
	spaces   uint8 // bits 1<<AddressSpace
	accesses uint8 // bits 1<<AccessMode
	name     string
}

// A size is a number or, if negative, the variable -1-size.
type size int8

// sizeVars are the letters of size variables.
const sizeVars = "NCRK"

// binding holds the values of an overload's variables in one call.
type binding struct {
	sets   [maxVars]scalarSet
	chosen [maxVars]*Scalar
	sizes  [len(sizeVars)]int
	typ    Type
	format *TexelFormat
	into   *Pointer // the type of an argument
}

// parseOverloads reads one line of the table.
func parseOverloads(b *Builtin, line string) []*Overload {
	var expanded []*Overload
	for _, text := range expand(line) {
		p := &signatureParser{text: text, overload: &Overload{Builtin: b, Text: line}}
		expanded = append(expanded, p.parse())
	}
	return expanded
}

// expand resolves S~ and A/B, the latter only in type positions. One line becomes several.
func expand(line string) []string {
	if at := strings.IndexByte(line, '~'); at >= 0 {
		return append(expand(shapes(line, "%s")), expand(shapes(line, "vecN<%s>"))...)
	}
	signature, constraints, _ := strings.Cut(line, " where ")
	depth := 0
	for i := range len(signature) {
		switch signature[i] {
		case '<':
			depth++
		case '>':
			depth--
		case '/':
			if depth > 0 {
				continue
			}
			start := strings.LastIndex(signature[:i], ": ") + len(": ")
			end := i + alternativesEnd(signature[i:])
			var lines []string
			for _, alternative := range strings.Split(signature[start:end], "/") {
				one := signature[:start] + alternative + signature[end:]
				if constraints != "" {
					one += " where " + constraints
				}
				lines = append(lines, expand(one)...)
			}
			return lines
		}
	}
	return []string{line}
}

// shapes replaces every S~ by the form with S in it.
func shapes(line, form string) string {
	for {
		at := strings.IndexByte(line, '~')
		if at < 0 {
			return line
		}
		line = line[:at-1] + fmt.Sprintf(form, line[at-1:at]) + line[at+1:]
	}
}

// alternativesEnd returns the end of a list of alternatives: a comma or parenthesis outside of <…>.
func alternativesEnd(text string) int {
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '<':
			depth++
		case '>':
			depth--
		case ',', ')':
			if depth == 0 {
				return i
			}
		}
	}
	return len(text)
}

type signatureParser struct {
	text     string
	overload *Overload
	typeVars map[string]bool
}

func (p *signatureParser) parse() *Overload {
	signature, constraints, _ := strings.Cut(p.text, " where ")
	p.typeVars = map[string]bool{}
	for _, constraint := range strings.Split(constraints, ", ") {
		name, set, ok := strings.Cut(constraint, ": ")
		switch {
		case !ok:
		case set == "type":
			p.typeVars[name] = true
		default:
			p.overload.vars[len(p.overload.varNames)] = scalarSets[set]
			p.overload.varNames = append(p.overload.varNames, name)
		}
	}
	p.text = signature
	p.explicit()
	p.expect("(")
	for !p.take(")") {
		p.overload.Names = append(p.overload.Names, p.word())
		p.expect(": ")
		p.overload.params = append(p.overload.params, p.pattern())
		p.take(", ")
	}
	if p.take(" -> ") {
		p.overload.result = p.pattern()
	}
	return p.overload
}

func (p *signatureParser) explicit() {
	switch {
	case p.take("<"):
		p.overload.explicit = []*pattern{p.pattern()}
		p.expect(">")
	case p.take("["):
		p.overload.explicit, p.overload.optional = []*pattern{p.pattern()}, true
		p.expect("]")
	}
}

func (p *signatureParser) take(text string) bool {
	rest, ok := strings.CutPrefix(p.text, text)
	p.text = rest
	return ok
}

func (p *signatureParser) expect(text string) {
	if !p.take(text) {
		panic(fmt.Sprintf("builtins.txt: %s: expected %q before %q", p.overload.Text, text, p.text))
	}
}

func (p *signatureParser) word() string {
	end := strings.IndexFunc(p.text, func(r rune) bool { return strings.ContainsRune("<>()[],: /", r) })
	if end < 0 {
		end = len(p.text)
	}
	word := p.text[:end]
	p.text = p.text[end:]
	return word
}

func (p *signatureParser) pattern() *pattern {
	name := p.word()
	for i, v := range p.overload.varNames {
		if v == name {
			return &pattern{kind: scalarPattern, index: i}
		}
	}
	switch {
	case p.typeVars[name]:
		return &pattern{kind: typePattern}
	case name == "F.channel":
		return &pattern{kind: channelPattern}
	case name == "atomic":
		return p.withElem(&pattern{kind: atomicPattern})
	case name == "array":
		return p.withElem(&pattern{kind: arrayPattern})
	case name == "ptr":
		return p.pointer()
	case name == "buffer":
		return &pattern{kind: bufferPattern}
	case name == "view":
		return &pattern{kind: viewPattern}
	case strings.HasPrefix(name, "texture_"):
		return p.texturePattern(name)
	case strings.HasPrefix(name, "vec"):
		return p.withElem(&pattern{kind: vectorPattern, n: sizeNamed(name[3])})
	case strings.HasPrefix(name, "mat"):
		return p.withElem(&pattern{kind: matrixPattern, n: sizeNamed(name[3]), m: sizeNamed(name[5])})
	case p.take("<"):
		result := &pattern{kind: resultPattern, name: name, elem: p.pattern()}
		p.expect(">")
		return result
	}
	if fixedTypes[name] == nil {
		panic(fmt.Sprintf("builtins.txt: %s: what is %q?", p.overload.Text, name))
	}
	return &pattern{kind: fixedPattern, typ: fixedTypes[name]}
}

var fixedTypes = map[string]Type{
	"bool": Bool, "i32": I32, "u32": U32, "f32": F32, "f16": F16, "abstract-int": AbstractInt,
	"sampler": SamplerType, "sampler_comparison": ComparisonSampler,
}

func (p *signatureParser) withElem(outer *pattern) *pattern {
	p.expect("<")
	outer.elem = p.pattern()
	p.expect(">")
	return outer
}

// pointer reads `<space/space, type, access>`; the access may be A, which means read or read_write.
func (p *signatureParser) pointer() *pattern {
	pointer := &pattern{kind: pointerPattern}
	p.expect("<")
	for ok := true; ok; ok = p.take("/") {
		pointer.spaces |= 1 << spaceNamed(p.word())
	}
	p.expect(", ")
	pointer.elem = p.pattern()
	p.expect(", ")
	pointer.accesses = accessSet(p.word())
	p.expect(">")
	return pointer
}

func accessSet(name string) uint8 {
	if name == "A" {
		return 1<<Read | 1<<Write | 1<<ReadWrite
	}
	return 1 << accessNamed(name)
}

func (p *signatureParser) texturePattern(name string) *pattern {
	texture := &pattern{kind: texturePattern, texture: textureNamed(name)}
	if !p.take("<") {
		return texture
	}
	if texture.texture.Kind != StorageTexture {
		texture.elem = p.pattern()
		p.expect(">")
		return texture
	}
	p.word()
	p.expect(", ")
	for ok := true; ok; ok = p.take("/") {
		texture.accesses |= accessSet(p.word())
	}
	p.expect(">")
	return texture
}

// textureNamed returns the kind and dimension of a texture type generator.
func textureNamed(name string) Texture {
	dim := strings.TrimPrefix(name, "texture_")
	if dim == "external" {
		return Texture{Kind: ExternalTexture}
	}
	for _, of := range []struct {
		prefix string
		kind   TextureKind
	}{
		{"depth_multisampled_", DepthMultisampledTexture}, {"depth_", DepthTexture},
		{"multisampled_", MultisampledTexture}, {"storage_", StorageTexture},
	} {
		if rest, ok := strings.CutPrefix(dim, of.prefix); ok {
			return Texture{Kind: of.kind, Dim: rest}
		}
	}
	return Texture{Kind: SampledTexture, Dim: dim}
}

func spaceNamed(name string) AddressSpace {
	for i, n := range spaceNames {
		if n == name && n != "" && AddressSpace(i) != SpaceHandle {
			return AddressSpace(i)
		}
	}
	return NoSpace
}

func accessNamed(name string) AccessMode {
	for _, m := range []AccessMode{Read, Write, ReadWrite} {
		if m.String() == name {
			return m
		}
	}
	return NoAccess
}

func sizeNamed(letter byte) size {
	if i := strings.IndexByte(sizeVars, letter); i >= 0 {
		return size(-1 - i)
	}
	return size(letter - '0')
}

// matches binds the overload's variables to the types of the explicit template arguments and the
// arguments. If constant is set, abstract types are allowed: all arguments are const-expressions
// (§ 6.1.3, step 2).
func (o *Overload) matches(b *binding, explicit, args []Type, constant bool) bool {
	if len(args) != len(o.params) || len(explicit) > 0 && len(explicit) != len(o.explicit) {
		return false
	}
	if len(explicit) == 0 && len(o.explicit) > 0 && !o.optional {
		return false
	}
	*b = binding{sets: o.vars}
	if !constant {
		for i := range b.sets {
			b.sets[i] &^= abstractSet
		}
	}
	for i, t := range explicit {
		if !o.explicit[i].match(b, t, true) {
			return false
		}
	}
	for i, t := range args {
		if !o.params[i].match(b, loaded(t), false) {
			return false
		}
	}
	return b.choose(len(o.varNames))
}

// loaded returns the type that the load rule yields for a reference, and any other type unchanged.
func loaded(t Type) Type {
	if r, ok := t.(*Reference); ok && r.Access.Reads() {
		return r.Elem
	}
	return t
}

// choose selects the cheapest scalar for each variable.
func (b *binding) choose(vars int) bool {
	for i := range vars {
		if b.sets[i] == 0 {
			return false
		}
		for _, s := range preference {
			if b.sets[i]&(1<<s.Kind) != 0 {
				b.chosen[i] = s
				break
			}
		}
	}
	return true
}

// match narrows the variables so that t can convert to p; exact allows no conversion.
func (p *pattern) match(b *binding, t Type, exact bool) bool {
	switch p.kind {
	case fixedPattern:
		if exact {
			return Identical(p.typ, t)
		}
		return conversionRank(t, p.typ) < never
	case scalarPattern:
		s, ok := t.(*Scalar)
		return ok && b.narrow(p.index, s, exact)
	case vectorPattern:
		v, ok := t.(*Vector)
		return ok && b.size(p.n, v.Size) && p.elem.match(b, v.Elem, exact)
	case matrixPattern:
		m, ok := t.(*Matrix)
		return ok && b.size(p.n, m.Columns) && b.size(p.m, m.Rows) && p.elem.match(b, m.Elem, exact)
	case arrayPattern:
		a, ok := t.(*Array)
		return ok && a.Runtime() && p.elem.match(b, a.Elem, true)
	case atomicPattern:
		a, ok := t.(*Atomic)
		return ok && p.elem.match(b, a.Elem, true)
	case pointerPattern:
		ptr, ok := t.(*Pointer)
		b.into = ptr
		return ok && p.spaces&(1<<ptr.Space) != 0 && p.accesses&(1<<ptr.Access) != 0 && p.elem.match(b, ptr.Elem, true)
	case texturePattern:
		texture, ok := t.(*Texture)
		return ok && p.matchTexture(b, texture)
	case typePattern:
		b.typ = t
		return true
	case bufferPattern:
		_, ok := t.(*Buffer)
		return ok
	case channelPattern:
		return b.format != nil && conversionRank(t, b.format.Channel) < never
	}
	return false
}

func (p *pattern) matchTexture(b *binding, t *Texture) bool {
	if p.texture.Kind != t.Kind || p.texture.Dim != t.Dim {
		return false
	}
	if t.Kind == StorageTexture {
		b.format = t.Format
		return p.accesses&(1<<t.Access) != 0
	}
	return p.elem == nil || p.elem.match(b, t.Sampled, true)
}

func (b *binding) narrow(index int, s *Scalar, exact bool) bool {
	if exact {
		b.sets[index] &= 1 << s.Kind
	} else {
		b.sets[index] &= convertible[s.Kind]
	}
	return b.sets[index] != 0
}

func (b *binding) size(s size, actual int) bool {
	if s > 0 {
		return int(s) == actual
	}
	if bound := &b.sizes[-1-s]; *bound == 0 {
		*bound = actual
	}
	return b.sizes[-1-s] == actual
}

func (b *binding) sizeOf(s size) int {
	if s > 0 {
		return int(s)
	}
	return b.sizes[-1-s]
}

// build returns the type that the pattern stands for. arg is the argument's own type, for patterns
// that accept any.
func (p *pattern) build(b *binding, arg Type) Type {
	switch p.kind {
	case fixedPattern:
		return p.typ
	case scalarPattern:
		return b.chosen[p.index]
	case vectorPattern:
		return VectorOf(b.sizeOf(p.n), p.elem.build(b, nil).(*Scalar))
	case matrixPattern:
		return MatrixOf(b.sizeOf(p.n), b.sizeOf(p.m), p.elem.build(b, nil).(*Scalar))
	case typePattern:
		return b.typ
	case viewPattern:
		return &Pointer{b.into.Space, b.typ, b.into.Access}
	case channelPattern:
		return b.format.Channel
	case resultPattern:
		return builtinResult(p.name, p.elem.build(b, nil))
	}
	return loaded(arg)
}

// builtinResult returns the structure that frexp, modf and atomicCompareExchangeWeak return
// (§ 17.5.34, § 17.5.44, § 17.8.5).
func builtinResult(name string, t Type) *Struct {
	suffix := ElemOf(t).String()
	if ElemOf(t) == AbstractFloat {
		suffix = "abstract"
	}
	if v, ok := t.(*Vector); ok {
		suffix = fmt.Sprintf("vec%d_%s", v.Size, suffix)
	}
	abstract := ElemOf(t).Abstract()
	switch name {
	case "frexp":
		exp := I32
		if abstract {
			exp = AbstractInt
		}
		return resultStruct("__frexp_result_"+suffix, abstract,
			&Member{Name: "fract", Type: t}, &Member{Name: "exp", Type: withElem(t, exp)})
	case "modf":
		return resultStruct("__modf_result_"+suffix, abstract,
			&Member{Name: "fract", Type: t}, &Member{Name: "whole", Type: t})
	}
	return resultStruct("__atomic_compare_exchange_result_"+suffix, false,
		&Member{Name: "old_value", Type: t}, &Member{Name: "exchanged", Type: Bool})
}

// A choice is an overload with its types in one call.
type choice struct {
	overload *Overload
	params   []Type
	result   Type // nil for nothing
}

// resolve returns the overload that fits best (§ 6.1.3); ok is false if none fits.
func (b *Builtin) resolve(explicit, args []Type, constant bool) (best choice, ok bool) {
	var bound binding
	for _, o := range b.Overloads() {
		if !o.matches(&bound, explicit, args, constant) {
			continue
		}
		c := choice{overload: o, params: make([]Type, len(args))}
		for i, p := range o.params {
			c.params[i] = p.build(&bound, args[i])
		}
		if ok && !cheaper(c.params, best.params, args) {
			continue
		}
		if o.result != nil {
			c.result = o.result.build(&bound, nil)
		}
		best, ok = c, true
	}
	return best, ok
}

// cheaper reports whether converting the arguments to a is cheaper than to b: never more expensive,
// and cheaper at least once (§ 6.1.3).
func cheaper(a, b, args []Type) bool {
	less := false
	for i, t := range args {
		ra, rb := conversionRank(t, a[i]), conversionRank(t, b[i])
		if ra > rb {
			return false
		}
		less = less || ra < rb
	}
	return less
}
