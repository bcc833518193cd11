// Package wgsl reads from a WGSL shader what its host must know: the resource
// bindings with their types and sizes, the entry points, and the workgroup
// size. It does not judge whether the shader is correct; a compiler does that.
// What it reads is meant for source that has compiled.
package wgsl

import (
	"fmt"
	"sort"
)

// Module is what a shader declares at module scope.
type Module struct {
	Bindings    []Binding    // by group, then binding number
	EntryPoints []EntryPoint // compute entry points, in source order
	Workgroup   []Variable   // variables in the workgroup address space
	Endless     []Loop       // loops that no invocation can ever leave, in source order
}

// A Binding is a resource variable: `@group(0) @binding(1) var<storage> b: array<f32>;`.
type Binding struct {
	Group, Number uint32
	Name          string
	Space         Space
	Type          Type
	Line, Column  int
}

// Space is where a bound variable lives and what the shader may do to it.
type Space string

// The address spaces that a buffer can be bound to.
const (
	Uniform   Space = "uniform"
	ReadOnly  Space = "storage, read"
	ReadWrite Space = "storage, read_write"
	Handle    Space = "handle" // textures and samplers
)

// A Variable is a module-scope variable that is not a resource.
type Variable struct {
	Name string
	Type Type
	Line int
}

// An EntryPoint is a function marked `@compute`.
type EntryPoint struct {
	Name          string
	WorkgroupSize [3]uint32 // invocations in x, y, z; at least 1 each
	Line, Column  int
	Params        []Param
}

// A Param is a parameter of an entry point, such as
// `@builtin(global_invocation_id) id: vec3<u32>`.
type Param struct {
	Name    string
	Builtin string // "" when it has no @builtin attribute
}

// A Source is a shader's text, taken apart once for all that is asked of it.
type Source struct {
	Text   string
	tokens []token
}

// Scan takes a shader apart. It reads any text, also what no compiler takes.
func Scan(text string) *Source { return &Source{text, tokenise(text)} }

// Module reads the declarations of a shader.
func (s *Source) Module() (*Module, error) {
	p := &parser{
		tokens: s.tokens,
		consts: map[string][]token{}, aliases: map[string][]token{}, structs: map[string][]token{},
		values: map[string]int64{}, laidOut: map[string]Type{},
	}
	if err := p.declarations(); err != nil {
		return nil, err
	}
	return p.resolve()
}

// Entry finds an entry point by its name.
func (m *Module) Entry(name string) (EntryPoint, bool) {
	for _, entry := range m.EntryPoints {
		if entry.Name == name {
			return entry, true
		}
	}
	return EntryPoint{}, false
}

// parser keeps declarations unresolved until the whole source was seen, since
// WGSL lets a name be used before it is declared.
type parser struct {
	tokens  []token
	at      int
	consts  map[string][]token // const and override: their expressions
	aliases map[string][]token // their types
	structs map[string][]token // their bodies
	values  map[string]int64   // of the consts evaluated so far
	laidOut map[string]Type    // the aliases and structs laid out so far
	vars    []variable
	entries []entry
	endless []Loop
}

type variable struct {
	attributes map[string][]token
	name       token
	space      []token
	typ        []token
}

type entry struct {
	attributes map[string][]token
	name       token
	params     []token
}

func (p *parser) declarations() error {
	for p.at < len(p.tokens) {
		if err := p.declaration(); err != nil {
			return err
		}
	}
	return nil
}

func (p *parser) declaration() error {
	attributes := p.attributes()
	keyword := p.next()
	switch keyword.text {
	case ";":
		return nil
	case "enable", "requires", "diagnostic", "const_assert":
		p.until(";")
	case "alias":
		name := p.next()
		p.next() // =
		p.aliases[name.text] = p.until(";")
	case "struct":
		name := p.next()
		p.structs[name.text] = p.enclosed("{", "}")
	case "const", "override":
		p.constantDeclaration()
	case "var":
		p.variable(attributes)
	case "fn":
		p.function(attributes)
	default:
		return fmt.Errorf("line %d: did not expect %q at module scope", keyword.line, keyword.text)
	}
	return nil
}

func (p *parser) constantDeclaration() {
	name := p.next()
	declaration := p.until(";")
	for i, t := range declaration {
		if t.text == "=" {
			p.consts[name.text] = declaration[i+1:]
			return
		}
	}
}

func (p *parser) variable(attributes map[string][]token) {
	v := variable{attributes: attributes}
	if p.peek() == "<" {
		v.space = p.enclosed("<", ">")
	}
	v.name = p.next()
	if p.peek() == ":" {
		p.next()
		v.typ = typeOf(p.until(";"))
	} else {
		p.until(";")
	}
	p.vars = append(p.vars, v)
}

// typeOf cuts an initialiser off a declaration.
func typeOf(declaration []token) []token {
	for i, t := range declaration {
		if t.text == "=" {
			return declaration[:i]
		}
	}
	return declaration
}

func (p *parser) function(attributes map[string][]token) {
	e := entry{attributes: attributes, name: p.next()}
	e.params = p.enclosed("(", ")")
	for p.at < len(p.tokens) && p.peek() != "{" {
		p.next()
	}
	p.endless = append(p.endless, endlessLoops(p.enclosed("{", "}"))...)
	if _, compute := attributes["compute"]; compute {
		p.entries = append(p.entries, e)
	}
}

// attributes reads `@name` and `@name(arguments)` in a row.
func (p *parser) attributes() map[string][]token {
	found := map[string][]token{}
	for p.peek() == "@" {
		p.next()
		name := p.next().text
		found[name] = []token{}
		if p.peek() == "(" {
			found[name] = p.enclosed("(", ")")
		}
	}
	return found
}

func (p *parser) peek() string {
	if p.at < len(p.tokens) {
		return p.tokens[p.at].text
	}
	return ""
}

func (p *parser) next() token {
	if p.at >= len(p.tokens) {
		return token{}
	}
	p.at++
	return p.tokens[p.at-1]
}

// until consumes the tokens before mark, and mark.
func (p *parser) until(mark string) []token {
	from := p.at
	for p.at < len(p.tokens) && p.peek() != mark {
		p.at++
	}
	inside := p.tokens[from:p.at]
	p.next()
	return inside
}

// enclosed consumes a bracketed run and returns what is inside.
func (p *parser) enclosed(open, shut string) []token {
	p.next()
	from, depth := p.at, 1
	for ; p.at < len(p.tokens); p.at++ {
		switch p.peek() {
		case open:
			depth++
		case shut:
			depth--
		}
		if depth == 0 {
			break
		}
	}
	inside := p.tokens[from:p.at]
	p.next()
	return inside
}

func (p *parser) resolve() (*Module, error) {
	m := &Module{Endless: p.endless}
	for _, v := range p.vars {
		if err := p.resolveVariable(m, v); err != nil {
			return nil, fmt.Errorf("line %d: variable %s: %w", v.name.line, v.name.text, err)
		}
	}
	for _, e := range p.entries {
		resolved, err := p.resolveEntry(e)
		if err != nil {
			return nil, fmt.Errorf("line %d: entry point %s: %w", e.name.line, e.name.text, err)
		}
		m.EntryPoints = append(m.EntryPoints, resolved)
	}
	sort.SliceStable(m.Bindings, func(i, j int) bool {
		a, b := m.Bindings[i], m.Bindings[j]
		return a.Group < b.Group || a.Group == b.Group && a.Number < b.Number
	})
	return m, nil
}

func (p *parser) resolveVariable(m *Module, v variable) error {
	space := spaceOf(v.space)
	number, bound := v.attributes["binding"]
	if !bound && space != "workgroup" {
		return nil
	}
	typ, err := p.typ(v.typ, 0)
	if err != nil {
		return err
	}
	if !bound {
		m.Workgroup = append(m.Workgroup, Variable{v.name.text, typ, v.name.line})
		return nil
	}
	b := Binding{Name: v.name.text, Space: space, Type: typ, Line: v.name.line, Column: v.name.column}
	if b.Number, err = p.unsigned(number); err != nil {
		return fmt.Errorf("@binding: %w", err)
	}
	if b.Group, err = p.unsigned(v.attributes["group"]); err != nil {
		return fmt.Errorf("@group: %w", err)
	}
	m.Bindings = append(m.Bindings, b)
	return nil
}

// spaceOf reads `<storage, read_write>`; WGSL's default access is read.
func spaceOf(template []token) Space {
	if len(template) == 0 {
		return Handle
	}
	switch {
	case template[0].text == "storage" && indexOf(template, 0, "read_write") < len(template):
		return ReadWrite
	case template[0].text == "storage":
		return ReadOnly
	}
	return Space(template[0].text)
}

func (p *parser) resolveEntry(e entry) (EntryPoint, error) {
	resolved := EntryPoint{Name: e.name.text, WorkgroupSize: [3]uint32{1, 1, 1}, Line: e.name.line, Column: e.name.column, Params: params(e.params)}
	for i, size := range splitComma(e.attributes["workgroup_size"]) {
		n, err := p.unsigned(size)
		if err != nil {
			return resolved, fmt.Errorf("@workgroup_size: %w", err)
		}
		if i < 3 {
			resolved.WorkgroupSize[i] = n
		}
	}
	return resolved, nil
}

func params(tokens []token) []Param {
	var found []Param
	for _, declaration := range splitComma(tokens) {
		sub := &parser{tokens: declaration}
		attributes := sub.attributes()
		param := Param{Name: sub.next().text}
		if builtin := attributes["builtin"]; len(builtin) > 0 {
			param.Builtin = builtin[0].text
		}
		found = append(found, param)
	}
	return found
}
