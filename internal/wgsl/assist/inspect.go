package assist

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// Inspection describes a name.
type Inspection struct {
	Name    string
	Kind    NameKind
	Code    []string // its declaration, or the ways to call it, as lines of WGSL
	Doc     string   // one sentence; may be empty
	Facts   []Fact
	Layout  *Layout // of types that memory can hold
	Section string  // of the specification, such as 17.5.1; "" for what the shader declares
	Link    string  // to the section
}

// Fact is a labelled fact: "type" and "vec3u".
type Fact struct{ Label, Text string }

// Layout is the layout of a type in memory (§ 14.4), in bytes. A runtime-sized array counts with
// one element.
type Layout struct {
	Size, Align uint64
	Stride      uint64 // from one element or column to the next; 0 for other types
	Members     []MemberLayout
}

// MemberLayout is one member of a structure, in bytes.
type MemberLayout struct {
	Name, Type          string
	Offset, Size, Align uint64
}

// Inspect describes the name at a byte offset. If there is none and the cursor is in the
// parentheses of a call, it describes the called function.
func Inspect(text string, offset int) (Inspection, bool) {
	offset = clamp(text, offset)
	if len(text) > syntax.MaxSource {
		return Inspection{}, false
	}
	at := cursorAt(text, offset)
	if at.start == at.end {
		called, ok := at.callee()
		if !ok {
			return Inspection{}, false
		}
		at = cursorAt(text, called)
	}
	i := inspector{cursor: at, document: read(text), name: text[at.start:at.end]}
	if i.commented(int32(at.start)) {
		return Inspection{}, false
	}
	found, ok := i.inspect()
	found.Name = i.name
	return found, ok
}

// Word describes a word or an operator of WGSL itself, wherever a shader may have it.
func Word(name string) (Inspection, bool) {
	if found, ok := Inspect(name, 0); ok && found.Name == name {
		return found, true
	}
	i := inspector{name: strings.TrimPrefix(name, "@")}
	for _, kind := range []types.BuiltinKind{types.OperatorBuiltin, types.PrefixBuiltin} {
		if b := types.LookupBuiltin(kind, name); b != nil {
			found := i.builtin(b)
			found.Name = name
			return found, true
		}
	}
	for kind := Attribute; kind <= LanguageFeature; kind++ {
		if wordTable()[kind][i.name] != nil {
			found, ok := i.word(kind)
			found.Name = name
			return found, ok
		}
	}
	return Inspection{}, false
}

// callee returns the offset of the function's name in the innermost call whose parentheses contain
// the cursor.
func (c *cursor) callee() (offset int, ok bool) {
	for i := len(c.open) - 1; i >= 0 && c.open[i].text != "{"; i-- {
		name := c.open[i].index - 1
		if c.open[i].text != "(" || name < 0 {
			continue
		}
		if first, _ := utf8.DecodeRuneInString(c.tokens[name]); syntax.InName(first) && !syntax.IsKeyword(c.tokens[name]) {
			return c.starts[name], true
		}
	}
	return 0, false
}

// An inspector describes one name of a shader.
type inspector struct {
	cursor
	*document
	name string
}

func (i *inspector) inspect() (Inspection, bool) {
	path := i.path(int32(i.start))
	if ident, ok := path[len(path)-1].(*syntax.Ident); ok && ident.Name == i.name {
		if found, ok := i.ident(ident, path); ok {
			return found, true
		}
	}
	switch {
	case i.before(1) == ".":
		return Inspection{}, false // part of something with an error
	case syntax.IsKeyword(i.name):
		return i.word(Keyword)
	}
	for _, o := range i.info.InScope(int32(i.start)) {
		if o.Name == i.name {
			return i.object(o), true
		}
	}
	if o := types.PredeclaredNamed(i.name); o != nil {
		return i.object(o), true
	}
	return Inspection{}, false
}

// ident describes a name of the tree, by the node that it belongs to.
func (i *inspector) ident(ident *syntax.Ident, path []syntax.Node) (Inspection, bool) {
	if o := i.info.Defs[ident]; o != nil {
		return i.object(o), true
	}
	for n := len(path) - 2; n >= 0; n-- {
		switch node := path[n].(type) {
		case *syntax.IdentExpr:
			if o := i.info.Uses[node]; o != nil && node.Name == ident {
				return i.object(o), true
			}
		case *syntax.MemberExpr:
			if node.Name == ident {
				return i.member(node)
			}
		case *syntax.Member:
			if node.Name == ident {
				return i.declaredMember(node)
			}
		case *syntax.Attribute:
			return i.attributeWord(node, ident)
		case *syntax.DiagnosticControl:
			return i.oneOf(Severity, DiagnosticRule)
		case *syntax.EnableDirective:
			return i.word(Extension)
		case *syntax.RequiresDirective:
			return i.word(LanguageFeature)
		}
	}
	return Inspection{}, false
}

// word describes a name in the table words.txt.
func (i *inspector) word(kind NameKind) (Inspection, bool) {
	w := lookup(kind, i.name)
	if w == nil {
		return Inspection{}, false
	}
	found := Inspection{Kind: kind, Doc: w.doc, Section: w.section, Link: link(w.anchor)}
	if w.needs != 0 {
		found.Facts = append(found.Facts, Fact{"needs", w.needs.String()})
	}
	return found, true
}

func (i *inspector) oneOf(kinds ...NameKind) (Inspection, bool) {
	for _, kind := range kinds {
		if found, ok := i.word(kind); ok {
			return found, true
		}
	}
	return Inspection{}, false
}

// attributeWord describes the name of an attribute, or one of the words that it accepts.
func (i *inspector) attributeWord(a *syntax.Attribute, ident *syntax.Ident) (Inspection, bool) {
	if a.Name == ident {
		found, ok := i.word(Attribute)
		if example := syntax.AttributeExample(i.name); example != "" {
			found.Code = []string{example}
		}
		return found, ok
	}
	switch a.Name.Name {
	case "builtin":
		if found, ok := i.builtinValue(); ok {
			return found, true
		}
		return i.word(DepthMode)
	case "interpolate":
		return i.oneOf(Interpolation, Sampling)
	case "diagnostic":
		return i.oneOf(Severity, DiagnosticRule)
	}
	return Inspection{}, false
}

func (i *inspector) builtinValue() (Inspection, bool) {
	found, ok := i.word(BuiltinValue)
	for _, v := range types.BuiltinValues() {
		if v.Name != i.name {
			continue
		}
		use := v.Stage.String() + " input"
		if v.Output {
			use = v.Stage.String() + " output"
		}
		if v.Type != nil {
			use += ", " + v.Type.String()
		}
		found.Facts = append(found.Facts, Fact{"used as", use})
		if v.Needs != 0 && len(found.Facts) == 1 {
			found.Facts = append(found.Facts, Fact{"needs", featureNames(v.Needs)})
		}
	}
	return found, ok
}

// featureNames returns the names of the features in a set.
func featureNames(set types.Features) string {
	var names []string
	for _, name := range slices.Concat(types.Extensions(), types.LanguageFeatures()) {
		if set.Has(types.FeatureNamed(name)) {
			names = append(names, name)
		}
	}
	return strings.Join(names, " and ")
}

// object describes a name that the shader or WGSL declares.
func (i *inspector) object(o *types.Object) Inspection {
	switch {
	case o.Builtin != nil:
		return i.builtin(o.Builtin)
	case o.Ident == nil:
		return i.predeclared(o)
	}
	found := Inspection{Kind: kindOf(o), Code: []string{i.declaration(o)}, Doc: i.comment(o.Decl.Span().Start)}
	found.add("type", i.typeOf(o))
	if o.Value.Valid() {
		found.add("value", o.Value.String())
	}
	if o.Space() != types.NoSpace {
		found.add("memory", fmt.Sprintf("%s, %s", o.Space(), o.Access()))
	}
	line := i.source.Position(o.Span().Start).Line
	found.add("declared", fmt.Sprintf("on line %d", line))
	found.add("scope", i.scope(o))
	if o.Kind != types.FunctionObject {
		found.Layout = layoutOf(o.Store())
	}
	return found
}

func (found *Inspection) add(label, text string) {
	if text != "" {
		found.Facts = append(found.Facts, Fact{label, text})
	}
}

// typeOf returns the type of a value. For structures and functions, the declaration already shows
// it.
func (i *inspector) typeOf(o *types.Object) string {
	if o.Kind == types.StructObject || o.Kind == types.FunctionObject || o.Store() == nil {
		return ""
	}
	return o.Store().String()
}

// declaration returns a name's declaration without its body, if it fits on one line.
func (i *inspector) declaration(o *types.Object) string {
	if heading := i.heading(o); heading != "" {
		return heading
	}
	if o.Kind == types.StructObject {
		return "struct " + o.Name
	}
	text, _, _ := strings.Cut(i.source.Slice(o.Decl.Span()), "\n")
	return strings.TrimRight(text, "\r;, ")
}

// scope says where a name is usable.
func (i *inspector) scope(o *types.Object) string {
	s := i.info.ScopeOf(o)
	if s == nil || s.Parent == nil {
		return "the whole shader"
	}
	where := ""
	if f := i.function(o.Span().Start); f != nil {
		where = "function " + f.Name.Name + ", "
	}
	at := i.source.Range(s.Span)
	return fmt.Sprintf("%slines %d to %d", where, at.First.Line, at.Last.Line)
}

func (i *inspector) builtin(b *types.Builtin) Inspection {
	found := Inspection{Kind: BuiltinFunction, Code: Signatures(b), Doc: b.Doc, Section: b.Section, Link: link(b.Anchor)}
	if b.Needs != 0 {
		found.add("needs", featureNames(b.Needs))
	}
	if b.MustUse {
		found.add("result", "must be used")
	}
	if b.Uniform {
		found.add("control flow", "must be uniform: all invocations reach it, or none")
	}
	return found
}

// predeclared describes a type, a type generator or an enumerant.
func (i *inspector) predeclared(o *types.Object) Inspection {
	found, _ := i.word(kindOf(o))
	if long := longType(o.Type); long != "" {
		found.add("type", long)
	}
	if b := types.LookupBuiltin(types.ConstructorBuiltin, constructor(o)); b != nil {
		found.Code = Signatures(b)
	}
	if f := types.TexelFormatNamed(o.Name); f != nil {
		found.add("channels", "read as "+f.Channel.String())
	}
	found.Layout = layoutOf(o.Type)
	return found
}

// member describes the name after a dot.
func (i *inspector) member(x *syntax.MemberExpr) (Inspection, bool) {
	switch t := ownerType(i.info, x).(type) {
	case *types.Struct:
		return i.structMember(t, t.Member(i.name))
	case *types.Vector:
		e := i.info.Exprs[x]
		if e == nil || e.Type == nil {
			return Inspection{}, false
		}
		found := Inspection{Kind: Member, Section: "8.5.1", Link: link("vector-access-expr")}
		found.Doc = "Components of a vector, chosen by letter."
		found.add("type", types.Unref(e.Type).String())
		found.add("of", t.String())
		return found, true
	}
	return Inspection{}, false
}

// declaredMember describes the name of a member at its declaration.
func (i *inspector) declaredMember(decl *syntax.Member) (Inspection, bool) {
	for _, s := range i.info.Structs {
		for _, m := range s.Members {
			if m.Decl == decl {
				return i.structMember(s, m)
			}
		}
	}
	return Inspection{}, false
}

func (i *inspector) structMember(s *types.Struct, m *types.Member) (Inspection, bool) {
	if m == nil {
		return Inspection{}, false
	}
	found := Inspection{Kind: Member, Code: []string{m.Name + ": " + typeText(m.Type)}}
	if m.Decl != nil {
		found.Doc = i.comment(m.Decl.Span().Start)
		found.Code = []string{strings.Join(strings.Fields(i.source.Slice(m.Decl.Span())), " ")}
	}
	found.add("of", "struct "+s.Name)
	if types.HostShareable(s) {
		found.add("place", fmt.Sprintf("byte %d of %d", m.Offset, s.Size))
	}
	found.Layout = layoutOf(m.Type)
	return found, true
}

// layoutOf returns the layout of a type, or nil if it has none.
func layoutOf(t types.Type) *Layout {
	if t == nil || types.IsAbstract(t) || types.AlignOf(t) == 0 {
		return nil
	}
	l := &Layout{Size: types.SizeOf(t), Align: types.AlignOf(t)}
	switch t := t.(type) {
	case *types.Array:
		l.Stride = t.Stride()
	case *types.Matrix:
		l.Stride = t.Stride()
	case *types.Struct:
		for _, m := range t.Members {
			l.Members = append(l.Members, MemberLayout{m.Name, typeText(m.Type), m.Offset, m.Size, m.Align})
		}
	}
	return l
}
