package syntax

import (
	"slices"
	"strings"
)

// Bounds that keep hostile sources cheap. No shader that a person writes comes near them.
const (
	// MaxSource is the longest source that is read, in bytes.
	MaxSource = 1 << 20
	// MaxNesting is how deep brackets, blocks and operators before their operand may nest.
	MaxNesting = 400
	// MaxHeight is how tall an expression's tree may grow: `a + b + c` is three high.
	MaxHeight = 4000
	// MaxDiagnostics is how many mistakes are reported; the parser reads no further than the last of them.
	MaxDiagnostics = 100
	// MaxBraces is how deep statements in braces may nest in a function (§ 2.4).
	MaxBraces = 127
)

// Parse reads a shader. There is always a tree, whatever is wrong with the text, with *BadDecl, *BadStmt and *BadExpr
// and names that are empty where something could not be read. The diagnostics are in source order; they cover the
// grammar, the form of names, numbers and attributes, and the placement of directives. Time and memory are linear in
// the text.
func Parse(source *Source) (*File, []*Diagnostic) {
	p := &parser{src: source, text: source.Text}
	p.file = &File{Source: source}
	if len(source.Text) > MaxSource {
		p.report(Errorf("source-too-long", Span{}, "The shader is %d MiB long; %d MiB is the most that is read.",
			len(source.Text)>>20, MaxSource>>20).Try("Put large data into a buffer instead of the shader."))
		return p.file, p.diagnostics
	}
	p.tokens, p.file.Comments = lex(source.Text, &p.diagnostics)
	p.tok = p.tokens[0]
	p.parseFile()
	p.lost = false
	p.placements()
	p.file.span = Span{0, int32(len(source.Text))}
	slices.SortStableFunc(p.diagnostics, func(a, b *Diagnostic) int { return int(a.Span.Start - b.Span.Start) })
	return p.file, p.diagnostics
}

// ParseExpr reads an expression that stands alone, as a debugger is given one.
func ParseExpr(source *Source) (Expr, []*Diagnostic) {
	p := &parser{src: source, text: source.Text, file: &File{Source: source}, f16: true}
	p.tokens, _ = lex(source.Text, &p.diagnostics)
	p.tok = p.tokens[0]
	x := p.expr()
	if !p.is(tokEOF) {
		p.fail(Errorf("unexpected-token", p.tok.span(), "The expression should end here, but there is %s.", p.describe()))
	}
	return x, p.diagnostics
}

// parser reads by recursive descent with one token of lookahead, and peeks further only to name a mistake.
type parser struct {
	src         *Source
	text        string
	file        *File
	tokens      []token
	index       int
	tok         token // tokens[index]
	diagnostics []*Diagnostic

	lost      bool            // an error was reported and nothing has been found since to hold on to
	depth     int             // of nesting
	height    int             // of the expression that was read last
	braces    int             // of statements within a function
	unclosed  int32           // where a missing } was reported, so that it is told once
	seenWords map[string]bool // reserved words already reported
	f16       bool            // `enable f16` was read
}

// report keeps a diagnostic. After the last one that is reported the parser stops.
func (p *parser) report(d *Diagnostic) *Diagnostic {
	if len(p.diagnostics) < MaxDiagnostics {
		p.diagnostics = append(p.diagnostics, d)
	}
	if len(p.diagnostics) == MaxDiagnostics {
		p.stop()
	}
	return d
}

// stop makes the parser see the end of the shader. While the lexer is at work there is nothing to stop.
func (p *parser) stop() {
	if len(p.tokens) > 0 {
		p.index = len(p.tokens) - 1
		p.tok = p.tokens[p.index]
	}
}

// fail reports that the parser has lost its way; until it is back (see resume), further failures are silent.
func (p *parser) fail(d *Diagnostic) {
	if !p.lost {
		p.report(d)
	}
	p.lost = true
}

// mend reports a mistake that the parser understands and can go on from.
func (p *parser) mend(d *Diagnostic) {
	if !p.lost {
		p.report(d)
	}
}

func (p *parser) next() {
	if p.index < len(p.tokens)-1 {
		p.index++
	}
	p.tok = p.tokens[p.index]
}

func (p *parser) peek(ahead int) token {
	return p.tokens[min(p.index+ahead, len(p.tokens)-1)]
}

func (p *parser) is(k kind) bool { return p.tok.kind == k }

// isWord reports whether the current token is that word.
func (p *parser) isWord(word string) bool { return p.slice(p.tok) == word }

func (p *parser) slice(t token) string { return p.text[t.start:t.end] }

// accept passes over a token of that kind if it is the current one.
func (p *parser) accept(k kind) bool {
	if p.tok.kind == k {
		p.next()
		return true
	}
	return false
}

// end is where the token before the current one ends.
func (p *parser) end() int32 {
	if p.index == 0 {
		return 0
	}
	return p.tokens[p.index-1].end
}

// after is the empty span behind the token before the current one: where something missing belongs.
func (p *parser) after() Span { return Span{p.end(), p.end()} }

// last is the span of the token before the current one.
func (p *parser) last() Span {
	if p.index == 0 {
		return Span{}
	}
	return p.tokens[p.index-1].span()
}

// from is the span from start to the token before the current one.
func (p *parser) from(start int32) base { return base{Span{start, max(start, p.end())}} }

// newLine reports whether a line ends between the token before the current one and the current one.
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

// expect passes over a token of that kind, or reports that it is missing after what.
func (p *parser) expect(k kind, text, where string) bool {
	if p.accept(k) {
		return true
	}
	p.fail(Errorf("unexpected-token", p.tok.span(), "%s should have a `%s` here, but there is %s.", where, text, p.describe()).
		Try("Write `%s` before it.", text))
	return false
}

// enter counts a level of nesting and reports whether there may be another; leave it with p.depth--.
func (p *parser) enter() bool {
	p.depth++
	if p.depth <= MaxNesting {
		return true
	}
	p.fail(Errorf("too-deep", p.tok.span(), "The shader nests more than %d levels deep here.", MaxNesting).
		Try("Split it into smaller expressions or functions."))
	p.stop() // whatever follows is not worth reading
	return false
}

// grow counts another level of an expression's tree above height.
func (p *parser) grow(height int) {
	p.height = height + 1
	if p.height == MaxHeight {
		p.fail(Errorf("too-deep", p.tok.span(), "This expression has more than %d parts in a row.", MaxHeight).
			Try("Split it with `let`."))
		p.stop()
	}
}

// skipTo passes over tokens to the first at this level of brackets that stop accepts, and no further than the end of
// the brackets that the parser is in.
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

// ident reads a name that is declared or mentioned. what says what it names, with its article: "a variable".
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
		p.mend(Errorf("underscore", t.span(), "`_` alone is not a name in WGSL.").
			Try("Choose a name; `_ = value;` throws a value away."))
		p.next()
		return &Ident{base{t.span()}, ""}
	case t.kind.keyword():
		word := p.slice(t)
		if p.index > 0 && p.tokens[p.index-1].kind == t.kind {
			p.mend(Errorf("doubled-word", t.span(), "`%s` stands here twice.", word).Try("Delete one of them.").
				Replace(Span{p.end(), t.end}, "", "delete it"))
			p.next()
			if p.is(tokTemplL) { // var var<…>
				p.templateArgs()
			}
			return p.ident(what)
		}
		p.fail(Errorf("keyword-as-name", t.span(), "`%s` is a keyword of WGSL and cannot name %s.", word, what).
			Try("Choose another name, such as `%s_`.", word))
		if k := p.peek(1).kind; k == tokColon || k == tokAssign || k == tokParenL || k == tokComma {
			p.lost = false
			p.next()
			return &Ident{base{t.span()}, ""}
		}
	case t.kind == tokNumber && p.peek(0).end > t.start:
		p.fail(Errorf("missing-name", t.span(), "The name of %s is missing: `%s` is a number.", what, p.slice(t)).
			Try("Names start with a letter."))
	default:
		p.fail(Errorf("missing-name", p.tok.span(), "The name of %s is missing: there is %s.", what, p.describe()).
			Try("Write a name here."))
	}
	return &Ident{base{Span{t.start, t.start}}, ""}
}

// reserved reports a reserved word, once in a shader, with a fix that renames all its uses.
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
	d := Errorf("reserved-word", t.span(), "`%s` is reserved: WGSL keeps the word for its own future.", word).
		Try("Choose another name, such as `%s`.", name)
	fix := Fix{Title: "call it `" + name + "`"}
	for _, other := range p.tokens {
		if other.kind == tokReserved && p.slice(other) == word {
			fix.Edits = append(fix.Edits, Edit{other.span(), name})
		}
	}
	d.Fixes = append(d.Fixes, fix)
	p.mend(d)
}

// freshName is a name close to the word that the shader does not use yet.
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
	for _, t := range p.tokens {
		if t.kind == tokIdent && p.slice(t) == name {
			return true
		}
	}
	return false
}

// semicolon ends a statement or declaration, described by what ("this statement").
func (p *parser) semicolon(what string) {
	if p.accept(tokSemicolon) || p.lost {
		return
	}
	if p.foreignTail() {
		return
	}
	d := Errorf("missing-semicolon", p.last(), "There is no `;` at the end of %s.", what).
		Try("Write `;` after `%s`.", p.lastText())
	d.Fixes = append(d.Fixes, Fix{"write `;`", []Edit{{p.after(), ";"}}})
	if p.newLine() || p.is(tokBraceR) || p.is(tokEOF) || p.tok.kind.keyword() {
		p.mend(d)
		return
	}
	p.fail(Errorf("unexpected-token", p.tok.span(), "%s does not belong here: %s was complete before it.",
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
