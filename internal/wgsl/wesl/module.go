package wesl

import (
	"strings"
	"unicode/utf8"

	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// A module is one file: what is left of it under the features, and what it imports.
type module struct {
	source   *syntax.Source
	in       *Package
	path     []string // below the package: ["lighting", "shadows"]
	tokens   []syntax.Span
	gone     []bool // for each token, whether it isn't part of the result
	dropped  []dropped
	imports  map[string]*imported
	paths    map[int32]*reference // the inline paths, such as a::b, by their offset
	mistakes []*findings.Finding

	clean   string // as long as the text; spaces are where a token is gone, and a::b is a__b
	broken  bool   // it doesn't parse
	unit    *syntax.TranslationUnit
	decls   map[string]*declaration
	all     []*declaration // in order, const assertions included
	reached bool
	via     syntax.Span // where the root uses it
}

// A reference is a path to an item or a module, as written.
type reference struct {
	segments []string
	at       syntax.Span
}

func (r *reference) String() string { return strings.Join(r.segments, "::") }

// An imported is a name that an import brings into a module.
type imported struct {
	reference
	as      syntax.Span // the name, or the alias
	renamed bool
}

// readModule reads a file under the features.
func readModule(source *syntax.Source, in *Package, path []string, features map[string]bool) *module {
	m := &module{source: source, in: in, path: path, imports: map[string]*imported{}, paths: map[int32]*reference{}}
	m.tokens = syntax.Tokens(syntax.NewSource(source.Name, source.Text))
	m.gone = make([]bool, len(m.tokens))
	c := conditions{module: m, features: features, chains: map[int]bool{}, unknown: map[string]int{}}
	c.translate()
	m.findImports()
	m.findPaths()
	m.cleanText()
	var found []*findings.Finding
	m.unit, found = syntax.Parse(syntax.NewSource(source.Name, m.clean))
	m.broken = findings.HasErrors(found)
	m.declare()
	return m
}

// word returns the text of a token, or "" outside the text.
func (m *module) word(i int) string {
	if i < 0 || i >= len(m.tokens) {
		return ""
	}
	return m.slice(m.tokens[i])
}

func (m *module) slice(span syntax.Span) string { return m.source.Slice(span) }

// span returns the span of the tokens from one up to another one.
func (m *module) span(from, to int) syntax.Span {
	if from >= len(m.tokens) {
		end := int32(len(m.source.Text))
		return syntax.Span{Start: end, End: end}
	}
	return m.tokens[from].To(m.tokens[min(to, len(m.tokens))-1])
}

// A dropped part of a text is no part of the result.
type dropped struct {
	syntax.Span
	parameter bool // it is among parameters
}

func (m *module) drop(from, to int) {
	m.dropped = append(m.dropped, dropped{Span: m.span(from, to)})
	for i := from; i < to; i++ {
		m.gone[i] = true
	}
}

// isWord reports whether a token has the form of a name.
func isWord(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return text != "" && (r == '_' && text != "_" || r >= utf8.RuneSelf || 'a' <= r|0x20 && r|0x20 <= 'z')
}

// keywordsOfPaths can't be segments of a path, except where package and super begin it.
var keywordsOfPaths = map[string]bool{"as": true, "import": true, "package": true, "super": true, "self": true}

// findImports reads the import statements.
func (m *module) findImports() {
	depth := 0
	for i := 0; i < len(m.tokens); i++ {
		if m.gone[i] {
			continue
		}
		switch m.word(i) {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			depth--
		case "import":
			if depth != 0 {
				continue
			}
			r := importReader{m, i + 1, true}
			end := r.statement()
			m.drop(i, end)
			i = end - 1
		}
	}
}

// An importReader reads one import statement (Imports, Grammar, in WESL's specification).
type importReader struct {
	*module
	at int
	ok bool
}

// statement returns the token after the statement.
func (r *importReader) statement() (end int) {
	first := r.at
	var before []string
	for r.word(r.at) == "super" || r.word(r.at) == "package" && before == nil {
		before = append(before, r.word(r.at))
		r.at++
		if !r.separator() {
			r.fail("`::` and what to import")
		}
		if before[0] == "package" {
			break
		}
	}
	if r.word(r.at) == "{" {
		r.collection(before)
	} else {
		r.item(before)
	}
	if r.ok && r.word(r.at) != ";" {
		r.fail("`;`")
	}
	if !r.ok {
		r.at = first
	}
	for r.at < len(r.tokens) && r.word(r.at) != ";" {
		r.at++
	}
	return min(r.at+1, len(r.tokens))
}

// separator reads `::`.
func (r *importReader) separator() bool {
	if r.word(r.at) != ":" || r.word(r.at+1) != ":" {
		return false
	}
	r.at += 2
	return true
}

func (r *importReader) fail(wanted string) {
	if r.ok {
		here := "the end of the file"
		if r.at < len(r.tokens) {
			here = "`" + r.word(r.at) + "`"
		}
		r.report(r.span(r.at, r.at+1), "The import needs %s and has %s.", wanted, here).
			Try("Write `import package::file::name;` or `import package::file::{a, b as c};`.")
	}
	r.ok = false
}

func (r *importReader) collection(before []string) {
	r.at++
	for r.ok {
		r.item(before)
		if r.word(r.at) == "," {
			r.at++
		} else if r.word(r.at) != "}" {
			r.fail("`,` or `}`")
		}
		if r.word(r.at) == "}" {
			r.at++
			return
		}
	}
}

func (r *importReader) item(before []string) {
	name := r.word(r.at)
	if !isWord(name) || keywordsOfPaths[name] || syntax.IsKeyword(name) {
		r.fail("a name")
		return
	}
	path := append(before[:len(before):len(before)], name)
	item := &imported{reference: reference{path, r.tokens[r.at]}, as: r.tokens[r.at]}
	r.at++
	if r.separator() {
		if r.word(r.at) == "{" {
			r.collection(path)
		} else {
			r.item(path)
		}
		return
	}
	if r.word(r.at) == "as" {
		name = r.word(r.at + 1)
		if r.at++; !isWord(name) || keywordsOfPaths[name] || syntax.IsKeyword(name) {
			r.fail("a name after `as`")
			return
		}
		item.as, item.renamed = r.tokens[r.at], true
		r.at++
	}
	if old, twice := r.imports[name]; twice && old.String() != item.String() {
		r.report(item.as, "`%s` is imported twice: as %s, too.", name, old).Try("Give one of them another name with `as`.")
	}
	r.imports[name] = item
}

// findPaths finds the inline paths: names with `::` between them.
func (m *module) findPaths() {
	for i := 0; i < len(m.tokens); i++ {
		if m.gone[i] || !isWord(m.word(i)) {
			continue
		}
		end, segments := i+1, []string{m.word(i)}
		for m.word(end) == ":" && m.word(end+1) == ":" && m.tokens[end].End == m.tokens[end+1].Start && isWord(m.word(end+2)) {
			segments = append(segments, m.word(end+2))
			end += 3
		}
		if len(segments) > 1 {
			m.paths[m.tokens[i].Start] = &reference{segments, m.span(i, end)}
		}
		i = end - 1
	}
}

// cleanText makes the module's WGSL, as long as the text and with the same lines.
func (m *module) cleanText() {
	clean := []byte(m.source.Text)
	for i, token := range m.tokens {
		if !m.gone[i] {
			continue
		}
		for at := token.Start; at < token.End; at++ {
			clean[at] = ' '
		}
	}
	for _, path := range m.paths {
		for at := path.at.Start; at < path.at.End; at++ {
			if c := clean[at]; !isNamePart(c) {
				clean[at] = '_'
			}
		}
	}
	m.clean = string(clean)
}

func isNamePart(c byte) bool {
	return c >= utf8.RuneSelf || c == '_' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}
