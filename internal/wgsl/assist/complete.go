package assist

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// Completion lists proposals for the cursor. Each item replaces the bytes from Start to End; the
// likeliest comes first.
type Completion struct {
	Start, End int
	Items      []Proposal
}

// Proposal is one proposal for the cursor.
type Proposal struct {
	Text   string
	Kind   NameKind
	Detail string // its type or signature; may be empty
	Doc    string // one sentence; may be empty
}

// Complete returns the proposals at a byte offset of a shader, which may be unfinished. There are
// none in comments, except print comments, and in the place of a new name.
func Complete(text string, offset int) Completion {
	offset = clamp(text, offset)
	if len(text) > syntax.MaxSource {
		return Completion{Start: offset, End: offset}
	}
	if found, ok := beginning(text, offset); ok {
		return found
	}
	text, _ = asStatement(text, offset)
	at := cursorAt(text, offset)
	found := Completion{Start: at.start, End: at.end}
	if first, _ := utf8.DecodeRuneInString(text[at.start:at.end]); unicode.IsDigit(first) {
		return found
	}
	c := &completer{cursor: at, typed: text[at.start:offset], seen: map[string]bool{}}
	if c.document, c.at = understand(text, at); !c.commented(c.at) {
		c.fill()
	}
	found.Items = c.matching()
	return found
}

// placeholder replaces the word at the cursor during parsing; no shader uses this name.
const placeholder = "wgslab_at_the_cursor"

// understand reads the shader with a placeholder at the cursor; at is its offset. If the parser
// fails before it reaches the placeholder, the text ends at the cursor instead. Everything open is
// closed, and the declarations after the cursor follow. If the cursor is at a member and its
// statement prevents parsing, understand keeps only the member's owner.
func understand(text string, c cursor) (d *document, at int32) {
	d = read(text[:c.start] + placeholder + text[c.end:])
	if d.reaches(c) {
		return d, int32(c.start)
	}
	before, open, rest := text[:c.start], c, declarationsIn(text[c.end:])
	if c.before(1) == "." && c.inFunction() {
		open = cursorAt(text, c.statementStart())
		before = text[:open.start] + "_ = " + text[c.owning():c.start]
	}
	return read(before + placeholder + open.closers() + rest), int32(len(before))
}

// reaches reports whether the tree contains the placeholder, and within a function if the cursor is
// in one.
func (d *document) reaches(c cursor) bool {
	path := d.path(int32(c.start))
	inBody := slices.ContainsFunc(path, func(n syntax.Node) bool { _, ok := n.(*syntax.BlockStmt); return ok })
	ident, ok := path[len(path)-1].(*syntax.Ident)
	return ok && ident.Name == placeholder && inBody == c.inFunction()
}

// declarationsIn returns the text from the first line that begins with a declaration.
func declarationsIn(text string) string {
	at := 0
	for line := range strings.Lines(text) {
		word, _, _ := strings.Cut(line, " ")
		if at > 0 && (slices.Contains(moduleKeywords, word) || strings.HasPrefix(line, "@") || strings.HasPrefix(line, "var<")) {
			return "\n" + text[at:]
		}
		at += len(line)
	}
	return ""
}

// path returns the nodes around the name or expression that begins at the offset, outermost first.
// It contains at least the file.
func (d *document) path(offset int32) []syntax.Node {
	var path []syntax.Node
	syntax.Walk(d.file, func(n syntax.Node) bool {
		around := n == syntax.Node(d.file) || n.Span().Holds(int(offset))
		if around {
			path = append(path, n)
		}
		return around
	}, nil)
	return path
}

// A completer collects the proposals for a cursor.
type completer struct {
	cursor
	*document
	at    int32  // offset of the placeholder in the document
	typed string // the word's text up to the cursor
	items []Proposal
	seen  map[string]bool
}

func (c *completer) add(item Proposal) {
	if !c.seen[item.Text] {
		c.seen[item.Text] = true
		c.items = append(c.items, item)
	}
}

// matching returns the items that begin with the typed text, those in the same case first.
func (c *completer) matching() []Proposal {
	var same, others []Proposal
	for _, item := range c.items {
		switch {
		case strings.HasPrefix(item.Text, c.typed):
			same = append(same, item)
		case len(item.Text) >= len(c.typed) && strings.EqualFold(item.Text[:len(c.typed)], c.typed):
			others = append(others, item)
		}
	}
	return append(same, others...)
}

// fill finds out what the cursor's context requires, and adds the proposals.
func (c *completer) fill() {
	last := c.before(1)
	switch {
	case last == "@":
		c.attributes()
	case last == ".":
		c.members()
	case c.attribute() != "":
		c.attributeArgument()
	case c.inside("<"):
		c.templateArgument()
	case c.statementBegins("enable", "requires"):
		c.features(c.statement()[0])
	case c.names():
	case last == "->", last == ":", last == "=" && c.statementBegins("alias"):
		c.typeNames()
	case c.inStruct(), c.inParameters(): // new names
	case c.inFunction():
		c.body()
	default:
		c.module()
	}
}

func (c *completer) statementBegins(keywords ...string) bool {
	s := c.statement()
	return len(s) > 0 && slices.Contains(keywords, s[0])
}

// names reports whether a new name is required: after a keyword that declares one. The value in a
// case is not a type.
func (c *completer) names() bool {
	switch c.before(1) {
	case "fn", "struct", "let", "const", "override", "alias", "var":
		return true
	case ">":
		return c.closedTemplate() && slices.Contains(c.statement(), "var") && !slices.Contains(c.statement(), ":")
	case ":":
		return c.statementBegins("case", "default")
	}
	return false
}

// keywords adds keywords.
func (c *completer) keywords(names ...string) {
	for _, name := range names {
		c.word(Keyword, name, "")
	}
}

// word adds a word of the table if the shader may use it.
func (c *completer) word(kind NameKind, name, detail string) {
	if w := lookup(kind, name); c.available(w.needs) {
		c.add(Proposal{name, kind, detail, w.doc})
	}
}

// moduleKeywords begin declarations.
var moduleKeywords = []string{"fn", "var", "const", "struct", "override", "alias", "const_assert"}

// module adds everything that can be written outside of functions.
func (c *completer) module() {
	switch {
	case len(c.open) == 0 && c.onlyAttributes():
		c.keywords("fn", "var", "override")
	case len(c.open) == 0 && (len(c.statement()) == 0 || c.newLine && c.afterOperand()):
		c.keywords(moduleKeywords...)
		if !slices.ContainsFunc(c.tokens, func(t string) bool { return slices.Contains(moduleKeywords, t) }) {
			c.keywords("enable", "requires", "diagnostic")
		}
	case !c.afterOperand():
		c.values(func(o *types.Object) bool { return o.Kind == types.ConstObject || o.Kind == types.OverrideObject })
	}
}

// onlyAttributes reports whether the declaration has only attributes so far.
func (c *completer) onlyAttributes() bool {
	s := c.statement()
	depth := 0
	for i, token := range s {
		switch {
		case token == "(":
			depth++
		case token == ")":
			depth--
		case depth == 0 && token != "@" && textAt(s, i-1) != "@":
			return false
		}
	}
	return len(s) > 0
}

// body adds everything that can be written in a function.
func (c *completer) body() {
	last := c.before(1)
	switch {
	case last == "(" && c.owner(0) == "for":
		c.keywords("var", "let", "const")
		c.assigned()
		c.called()
	case c.inside("{") && c.header(len(c.open)-1) == "switch":
		c.keywords("case", "default")
	case c.inside("{") && (last == "{" || last == "}" || last == ";" || c.newLine && c.afterOperand()):
		c.statements()
	case last == "else":
		c.keywords("if")
	case last == "break":
		if c.enclosedBy("continuing") {
			c.keywords("if")
		}
	case c.afterOperand(), last == "continue", last == "discard", last == "loop", last == "continuing":
	default:
		c.values(func(*types.Object) bool { return true })
	}
}

// header returns the keyword of the statement that an open brace belongs to, or the token in its
// place.
func (c *completer) header(n int) string {
	i := c.open[n].index
	for i > 0 && !slices.Contains([]string{";", "{", "}"}, c.tokens[i-1]) {
		i--
	}
	if c.open[n].text == "{" && i > 0 && c.tokens[i-1] == ";" && textAt(c.tokens, c.open[n].index-1) == ")" {
		return "for" // its header has semicolons
	}
	if textAt(c.tokens, i) == "else" {
		i++
	}
	return textAt(c.tokens, i)
}

func (c *completer) enclosedBy(keywords ...string) bool {
	for i := range c.open {
		if c.open[i].text == "{" && slices.Contains(keywords, c.header(i)) {
			return true
		}
	}
	return false
}

// statements adds everything that can begin a statement.
func (c *completer) statements() {
	c.assigned()
	if c.before(1) == "}" {
		c.keywords("else")
	}
	c.keywords("if", "for", "let", "var", "const", "return", "while", "loop", "switch")
	if c.enclosedBy("for", "while", "loop", "switch") {
		c.keywords("break")
	}
	if c.enclosedBy("for", "while", "loop") {
		c.keywords("continue")
	}
	if c.enclosedBy("loop") {
		c.keywords("continuing")
	}
	c.called()
	c.keywords("const_assert", "discard")
}

// assigned adds everything that can be assigned to.
func (c *completer) assigned() {
	for _, o := range c.inScope() {
		_, pointer := o.Type.(*types.Pointer)
		if o.Kind == types.VarObject && o.Access().Writes() || pointer {
			c.object(o)
		}
	}
}

// called adds functions that are called for their effect.
func (c *completer) called() {
	for _, o := range c.inScope() {
		if f := c.info.Function(o); f != nil && f.Entry == nil && !f.MustUse {
			c.object(o)
		}
	}
	for _, o := range types.Predeclared() {
		if o.Kind == types.BuiltinObject && !o.Builtin.MustUse && c.usable(o.Builtin) {
			c.object(o)
		}
	}
}

// values adds everything that can begin an expression: fitting names of the shader, functions,
// value constructors.
func (c *completer) values(fits func(*types.Object) bool) {
	inside := c.inFunction()
	var functions []*types.Object
	for _, o := range c.inScope() {
		switch {
		case o.Kind == types.FunctionObject:
			// WGSL has no recursion, and entry points cannot be called.
			if f := c.info.Function(o); inside && f != nil && f.Entry == nil && f.Result != nil {
				functions = append(functions, o)
			}
		case o.Kind == types.StructObject || o.Kind == types.AliasObject || fits(o):
			c.object(o)
		}
	}
	for _, o := range functions {
		c.object(o)
	}
	for _, o := range types.Predeclared() {
		if o.Kind == types.BuiltinObject && returns(o.Builtin) && c.usable(o.Builtin) && (inside || o.Builtin.Const) {
			c.object(o)
		}
	}
	c.predeclaredTypes(func(o *types.Object) bool {
		return o.Name == "array" || types.LookupBuiltin(types.ConstructorBuiltin, constructor(o)) != nil
	})
	c.keywords("true", "false")
}

// inScope returns the shader's objects that are visible at the cursor. It leaves out the object
// being declared, because no declaration may name itself.
func (c *completer) inScope() []*types.Object {
	return slices.DeleteFunc(c.info.InScope(c.at), func(o *types.Object) bool {
		span := o.Decl.Span()
		return o.Name == placeholder || o.Global && span.Start <= c.at && c.at < span.End
	})
}

// usable reports whether the features and the shader stage allow a call of the builtin function
// here.
func (c *completer) usable(b *types.Builtin) bool {
	if !c.available(b.Needs) {
		return false
	}
	stage := types.NoShaderStage
	if decl := c.function(c.at); decl != nil {
		for _, e := range c.info.EntryPoints {
			if e.Decl == decl {
				stage = e.Stage
			}
		}
	}
	switch stage {
	case types.ComputeStage:
		return b.Compute || !b.Fragment
	case types.FragmentStage:
		return b.Fragment || !b.Compute
	case types.VertexStage:
		return !b.Compute && !b.Fragment && !b.NoVertex
	}
	return true
}

func returns(b *types.Builtin) bool { return strings.Contains(b.Signatures()[0], " -> ") }

// object adds the name of an object.
func (c *completer) object(o *types.Object) {
	c.add(Proposal{o.Name, kindOf(o), c.signature(o), c.sentence(o)})
}

// typeNames adds everything that can begin a type.
func (c *completer) typeNames() {
	for _, o := range c.inScope() {
		if o.Kind == types.StructObject || o.Kind == types.AliasObject {
			c.object(o)
		}
	}
	c.predeclaredTypes(func(*types.Object) bool { return true })
}

// typeOrder lists the prefixes of type names, the likelier first.
var typeOrder = []string{"f32", "u32", "i32", "bool", "array", "vec", "atomic", "mat", "ptr", "f16", "texture", "sampler"}

func (c *completer) predeclaredTypes(fits func(*types.Object) bool) {
	var found []*types.Object
	for _, o := range types.Predeclared() {
		half := types.ElemOf(o.Type) == types.F16 && !c.available(types.FeatureF16)
		if (o.Kind == types.TypeObject || o.Kind == types.GeneratorObject) && !half && fits(o) {
			found = append(found, o)
		}
	}
	rank := func(o *types.Object) int {
		return slices.IndexFunc(typeOrder, func(prefix string) bool { return strings.HasPrefix(o.Name, prefix) })
	}
	slices.SortStableFunc(found, func(a, b *types.Object) int { return rank(a) - rank(b) })
	for _, o := range found {
		c.object(o)
	}
}

// constructor returns the name of a type's value constructor: vec3 for vec3f.
func constructor(o *types.Object) string {
	switch t := o.Type.(type) {
	case *types.Vector:
		return fmt.Sprintf("vec%d", t.Size)
	case *types.Matrix:
		return fmt.Sprintf("mat%dx%d", t.Columns, t.Rows)
	}
	return o.Name
}
