package syntax

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/wgslab/wgslab/internal/wgsl/findings"
)

// Limits that keep hostile sources cheap. Shaders written by people stay far below them.
const (
	// MaxSource is the length of the longest accepted source, in bytes.
	MaxSource = 256 << 10
	// MaxNesting is the maximum nesting of brackets, blocks and prefix operators.
	MaxNesting = 400
	// MaxHeight is the maximum height of an expression's tree: `a + b + c` has height three.
	MaxHeight = 4000
	// MaxDiagnostics is the maximum number of reported mistakes; the parser stops after the last
	// one.
	MaxDiagnostics = 100
	// MaxBraces is the maximum nesting of statements in braces within a function (§ 2.4).
	MaxBraces = 127
)

// Parse parses a shader. It always returns a tree. Unreadable parts become *BadDecl, *BadStmt,
// *BadExpr or empty names. The diagnostics are in source order. They cover the grammar, the form of
// names, numbers and attributes, and the placement of directives. Time and memory are linear in the
// length of the text.
func Parse(source *Source) (*TranslationUnit, []*findings.Finding) {
	p := &parser{src: source, text: source.Text}
	p.file = &TranslationUnit{Source: source}
	if len(source.problems) > 0 {
		return p.file, slices.Clone(source.problems)
	}
	if len(source.Text) > MaxSource {
		p.report(findings.Errorf("source-too-long", Span{}, "The shader has more than %d KiB, which is the limit.",
			MaxSource>>10).Try("Put large data into a buffer instead of the shader."))
		return p.file, p.diagnostics
	}
	if first, more := notText(source.Text); more > 0 {
		p.report(findings.Errorf("not-utf-8", Span{Start: int32(first), End: int32(first + 1)}, "The byte 0x%02X here, and %d more, are not text: this is no shader.",
			source.Text[first], more).Try("Save the file as UTF-8 text."))
		return p.file, p.diagnostics
	}
	p.tokens, p.file.Comments = lex(source.Text, &p.diagnostics)
	p.tok = p.tokens[0]
	p.parseFile()
	p.lost = false
	p.placements()
	p.file.span = Span{Start: 0, End: int32(len(source.Text))}
	slices.SortStableFunc(p.diagnostics, func(a, b *findings.Finding) int { return int(a.Span.Start - b.Span.Start) })
	return p.file, p.diagnostics
}

// notText returns the first byte that is zero or not UTF-8, and how many more there are. A file of
// anything but text has many; a single one is a mistake of the lexer's.
func notText(text string) (first, more int) {
	if utf8.ValidString(text) && strings.IndexByte(text, 0) < 0 {
		return 0, 0
	}
	first, more = -1, -1
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if r == 0 || r == utf8.RuneError && size == 1 {
			if more++; first < 0 {
				first = i
			}
		}
		i += size
	}
	return first, more
}

// ParseExpr parses a single expression, such as one typed into a debugger.
func ParseExpr(source *Source) (Expr, []*findings.Finding) {
	p := &parser{src: source, text: source.Text, file: &TranslationUnit{Source: source}, f16: true}
	p.tokens, _ = lex(source.Text, &p.diagnostics)
	p.tok = p.tokens[0]
	x := p.expr()
	if !p.is(tokEOF) {
		p.fail(findings.Errorf("unexpected-token", p.tok.span(), "The expression should end here, but there is %s.", p.describe()))
	}
	return x, p.diagnostics
}

// parser parses by recursive descent with one token of lookahead. It peeks further only to explain
// a mistake.
type parser struct {
	src         *Source
	text        string
	file        *TranslationUnit
	tokens      []token
	index       int
	tok         token // tokens[index]
	diagnostics []*findings.Finding

	full      bool            // MaxDiagnostics mistakes are reported: no more are looked for
	lost      bool            // an error was reported, and the parser has not found its way back since
	depth     int             // of nesting
	height    int             // of the expression read last
	braces    int             // of statements within a function
	unclosed  int32           // where a missing } was reported, so that it is reported once
	seenWords map[string]bool // reserved words already reported
	f16       bool            // `enable f16` was read
}

// report adds a diagnostic. After MaxDiagnostics the parser stops, but not here: a caller may go on
// to change the token that the mistake is in.
func (p *parser) report(d *findings.Finding) *findings.Finding {
	if len(p.diagnostics) < MaxDiagnostics {
		p.diagnostics = append(p.diagnostics, d)
	}
	p.full = len(p.diagnostics) == MaxDiagnostics
	return d
}

// stop moves the parser to the end of the shader.
func (p *parser) stop() {
	p.index = len(p.tokens) - 1
	p.tok = p.tokens[p.index]
}

// fail reports that the parser has lost its way. Further failures are silent until p.lost is reset.
func (p *parser) fail(d *findings.Finding) {
	if !p.lost {
		p.report(d)
	}
	p.lost = true
}

// mend reports a mistake that the parser understands and can recover from.
func (p *parser) mend(d *findings.Finding) {
	if !p.lost {
		p.report(d)
	}
}

// next moves to the next token, or to the end if enough mistakes are reported.
func (p *parser) next() {
	if p.full || p.index == len(p.tokens)-1 {
		p.stop()
		return
	}
	p.index++
	p.tok = p.tokens[p.index]
}

func (p *parser) peek(ahead int) token {
	return p.tokens[min(p.index+ahead, len(p.tokens)-1)]
}

func (p *parser) is(k kind) bool { return p.tok.kind == k }

// isWord reports whether the current token is the word.
func (p *parser) isWord(word string) bool { return p.slice(p.tok) == word }

func (p *parser) slice(t token) string { return p.text[t.start:t.end] }

// accept skips the current token if it is of the kind, and reports whether it was.
func (p *parser) accept(k kind) bool {
	if p.tok.kind == k {
		p.next()
		return true
	}
	return false
}

// end returns the end of the token before the current one.
func (p *parser) end() int32 {
	if p.index == 0 {
		return 0
	}
	return p.tokens[p.index-1].end
}

// after returns the empty span after the previous token, where a missing token should be inserted.
func (p *parser) after() Span { return Span{Start: p.end(), End: p.end()} }

// last returns the span of the token before the current one.
func (p *parser) last() Span {
	if p.index == 0 {
		return Span{}
	}
	return p.tokens[p.index-1].span()
}

// from returns the span from start to the end of the previous token.
func (p *parser) from(start int32) base { return base{Span{Start: start, End: max(start, p.end())}} }

// newLine reports whether a line break separates the previous token from the current one.
func (p *parser) newLine() bool {
	return p.index == 0 || strings.ContainsAny(p.text[p.end():p.tok.start], "\n\r")
}

// describe names the current token for a message.
func (p *parser) describe() string {
	switch {
	case p.is(tokEOF):
		return "the end of the shader"
	case p.tok.kind.keyword():
		return "the keyword `" + p.slice(p.tok) + "`"
	}
	text := p.slice(p.tok)
	if len(text) > 40 {
		text = text[:40] + "…"
	}
	return "`" + strings.ToValidUTF8(text, "?") + "`"
}

// expect skips a token of the kind, or reports that it is missing; where names
// the construct that needs it.
func (p *parser) expect(k kind, text, where string) bool {
	if p.accept(k) {
		return true
	}
	p.fail(findings.Errorf("unexpected-token", p.tok.span(), "%s should have a `%s` here, but there is %s.", where, text, p.describe()).
		Try("Write `%s` before it.", text))
	return false
}

// enter counts a level of nesting and reports whether it is within the limit; leave it with
// p.depth--.
func (p *parser) enter() bool {
	p.depth++
	if p.depth <= MaxNesting {
		return true
	}
	p.fail(findings.Errorf("too-deep", p.tok.span(), "The shader nests more than %d levels deep here.", MaxNesting).
		Try("Split it into smaller expressions or functions."))
	p.stop() // the rest is not worth reading
	return false
}

// grow adds a level to an expression's tree on top of height.
func (p *parser) grow(height int) {
	p.height = height + 1
	if p.height == MaxHeight {
		p.fail(findings.Errorf("too-deep", p.tok.span(), "This expression has more than %d parts in a row.", MaxHeight).
			Try("Split it with `let`."))
		p.stop()
	}
}

// skipTo skips to the first token at this bracket level for which stop returns true. It does not
// pass the end of the enclosing brackets.
func (p *parser) skipTo(stop func() bool) {
	depth := 0
	for !p.is(tokEOF) {
		if depth == 0 && stop() {
			return
		}
		switch p.tok.kind {
		case tokBraceL, tokParenL, tokBracketL:
			depth++
		case tokBraceR:
			if depth == 0 {
				return
			}
			depth--
		case tokParenR, tokBracketR:
			depth = max(0, depth-1)
		}
		p.next()
	}
}

// ident reads a name in a declaration or a reference. what describes the named thing, with its
// article: "a variable".
func (p *parser) ident(what string) *Ident {
	t := p.tok
	switch {
	case t.kind == tokIdent:
		p.next()
		return &Ident{base{t.span()}, p.slice(t)}
	case t.kind == tokReserved:
		p.reserved(t)
		p.next()
		return &Ident{base{t.span()}, p.slice(t)}
	case t.kind == tokUnderscore:
		p.mend(findings.Errorf("underscore", t.span(), "`_` alone is not a name in WGSL.").
			Try("Choose a name; `_ = value;` discards a value."))
		p.next()
		return &Ident{base{t.span()}, ""}
	case t.kind.keyword():
		word := p.slice(t)
		if p.index > 0 && p.tokens[p.index-1].kind == t.kind {
			p.mend(findings.Errorf("doubled-word", t.span(), "`%s` appears here twice.", word).Try("Delete one of them.").
				Replace(Span{Start: p.end(), End: t.end}, "", "delete it"))
			p.next()
			if p.is(tokTemplL) { // var var<…>
				p.templateArgs()
			}
			return p.ident(what)
		}
		p.fail(findings.Errorf("keyword-as-name", t.span(), "`%s` is a keyword of WGSL and cannot name %s.", word, what).
			Try("Choose another name, such as `%s_`.", word))
		if k := p.peek(1).kind; k == tokColon || k == tokAssign || k == tokParenL || k == tokComma {
			p.lost = false
			p.next()
			return &Ident{base{t.span()}, ""}
		}
	case t.kind == tokNumber && p.peek(0).end > t.start:
		p.fail(findings.Errorf("missing-name", t.span(), "The name of %s is missing: `%s` is a number.", what, p.slice(t)).
			Try("Names start with a letter."))
	default:
		p.fail(findings.Errorf("missing-name", p.tok.span(), "The name of %s is missing: there is %s.", what, p.describe()).
			Try("Write a name here."))
	}
	return &Ident{base{Span{Start: t.start, End: t.start}}, ""}
}

// reserved reports a reserved word, once per shader, with a fix that renames all its uses.
func (p *parser) reserved(t token) {
	word := p.slice(t)
	if p.seenWords[word] {
		return
	}
	if p.seenWords == nil {
		p.seenWords = map[string]bool{}
	}
	p.seenWords[word] = true
	name := p.freshName(word)
	d := findings.Errorf("reserved-word", t.span(), "`%s` is reserved: WGSL keeps the word for future use.", word).
		Try("Choose another name, such as `%s`.", name)
	fix := findings.Fix{Title: "call it `" + name + "`"}
	for _, other := range p.tokens {
		if other.kind == tokReserved && p.slice(other) == word {
			fix.Edits = append(fix.Edits, findings.Edit{Span: other.span(), New: name})
		}
	}
	d.Fixes = append(d.Fixes, fix)
	p.mend(d)
}

// freshName returns a name that is close to the word and that the shader does not use yet.
func (p *parser) freshName(word string) string {
	name := word + "_"
	if n, ok := betterNames[word]; ok {
		name = n
	}
	for p.uses(name) {
		name += "1"
	}
	return name
}

var betterNames = map[string]string{
	"std": "stddev", "filter": "kernel", "target": "goal", "set": "group", "get": "read_value", "type": "kind",
	"ref": "reference", "self": "this_one", "shared": "tile", "mod": "remainder", "pass": "step_index",
	"resource": "buffer", "meta": "info", "active": "is_active", "common": "base", "patch": "part",
	"partition": "part", "final": "last", "from": "source", "of": "total", "new": "fresh", "null": "none",
	"match": "hit", "move": "shift", "register": "reg", "priv": "own", "use": "used", "where": "place", "with": "other",
}

func (p *parser) uses(name string) bool {
	return slices.ContainsFunc(p.tokens, func(t token) bool { return t.kind == tokIdent && p.slice(t) == name })
}

// semicolon reads the end of a statement or declaration; what describes it ("this statement").
func (p *parser) semicolon(what string) {
	if p.accept(tokSemicolon) || p.lost {
		return
	}
	if p.foreignTail() {
		return
	}
	d := findings.Errorf("missing-semicolon", p.last(), "There is no `;` at the end of %s.", what).
		Try("Write `;` after `%s`.", p.lastText())
	d.Fixes = append(d.Fixes, findings.Fix{Title: "write `;`", Edits: []findings.Edit{{Span: p.after(), New: ";"}}})
	if p.newLine() || p.is(tokBraceR) || p.is(tokEOF) || p.tok.kind.keyword() {
		p.mend(d)
		return
	}
	p.fail(findings.Errorf("unexpected-token", p.tok.span(), "%s does not belong here: %s was complete before it.",
		upper(p.describe()), what).Try("Write `;` or an operator after `%s`, or delete %s.", p.lastText(), p.describe()))
}

func (p *parser) lastText() string {
	text := p.text[p.last().Start:p.last().End]
	if len(text) > 40 {
		return "…" + text[len(text)-20:]
	}
	return text
}

func upper(s string) string {
	if s == "" || s[0] < 'a' || s[0] > 'z' {
		return s
	}
	return string(s[0]-'a'+'A') + s[1:]
}
