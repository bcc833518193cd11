package syntax

import (
	"fmt"
	"strings"

	"github.com/wgslab/wgslab/internal/wgsl/findings"
)

var functionWords = wordSet("func function def fun proc void")

var functionPrefixes = wordSet("pub export static inline extern async public private unsafe protected virtual constexpr kernel __global__ __kernel __device__ __host__ __forceinline__")

var moduleWords = map[string]string{
	"import":    "A shader is one text: copy everything that it uses into it.",
	"package":   "Delete the line; a shader is one text without packages.",
	"use":       "A shader is one text: copy everything that it uses into it.",
	"using":     "Delete the line; a new name for a type is written `alias Name = type;`.",
	"namespace": "Delete it; WGSL has a single namespace.",
	"mod":       "Delete it; WGSL has a single namespace.",
	"precision": "Delete the line; `f32` says how precise a number is.",
	"class":     "Write `struct Name { member: type, }` for the data and functions beside it.",
	"interface": "Write functions; WGSL has no interfaces.",
	"trait":     "Write functions; WGSL has no traits.",
	"impl":      "Write the functions alone, with the structure as a parameter.",
	"enum":      "Write a `const` for each value.",
	"union":     "Write a `struct`, and `bitcast` where the same bits mean two things.",
	"typedef":   "Write `alias Name = type;`.",
	"template":  "WGSL has no user-defined templates; write the function for each type.",
	"macro":     "WGSL has no macros; write a function.",
	"layout":    "Write `@group(0) @binding(0) var<storage, read_write> name: array<f32>;` for a buffer, and `@compute @workgroup_size(64)` before the entry point.",
	"uniform":   "Write `@group(0) @binding(0) var<uniform> name: Type;`.",
	"buffer":    "Write `@group(0) @binding(0) var<storage, read_write> name: array<f32>;`.",
	"cbuffer":   "Write a `struct`, and `@group(0) @binding(0) var<uniform> name: ThatStruct;`.",
	"varying":   "Give it to the fragment entry point as a parameter with `@location(0)`.",
	"attribute": "Give it to the vertex entry point as a parameter with `@location(0)`.",
	"in":        "Give it to the entry point as a parameter with `@location(0)`.",
	"out":       "Return it from the entry point with `@location(0)`.",
}

var bufferWords = wordSet("StructuredBuffer RWStructuredBuffer Buffer RWBuffer ByteAddressBuffer RWByteAddressBuffer ConstantBuffer Texture2D RWTexture2D SamplerState image2D sampler2D")

// foreignGlobal reads module-scope declarations of other languages. If done is false, p.lost says
// whether it reported a declaration that it could not read. If done is true and d is nil, it has
// already added any declaration.
func (p *parser) foreignGlobal(attrs []*Attribute, start int32) (d Decl, done bool) {
	t := p.tok
	word := p.slice(t)
	switch {
	case t.kind == tokBracketL:
		p.bracketAttributes()
		return nil, true
	case !t.kind.word() || t.kind.keyword():
		return nil, false
	case functionPrefixes[word] && p.fnFollows():
		return p.prefixedFunction(attrs, start), true
	case functionWords[word] && p.peek(1).kind == tokIdent && p.peek(2).kind == tokParenL:
		return p.otherFunction(attrs, start), true
	case word == "type" && p.peek(1).kind == tokIdent:
		return p.typeDecl(), true
	case (word == "shared" || word == "groupshared" || word == "__shared__" || word == "threadgroup") && p.peek(1).kind.word():
		p.sharedVar()
		return nil, false
	case moduleWords[word] != "" && (t.kind == tokReserved || p.peek(1).kind.word() || p.peek(1).kind == tokParenL):
		p.fail(findings.Errorf("foreign-declaration", t.span(), "No WGSL declaration begins with `%s`.", word).Try("%s", moduleWords[word]))
		return nil, false
	case bufferWords[word]:
		p.fail(findings.Errorf("foreign-declaration", t.span(), "`%s` is not a WGSL type.", word).
			Try("Write `@group(0) @binding(0) var<storage, read_write> name: array<f32>;` for a buffer, `texture_2d<f32>` for a texture."))
		return nil, false
	case p.peek(1).kind == tokParenL && p.callBeforeBraceOrArrow():
		return p.missingFn(attrs, start), true
	case p.peek(1).kind == tokAssign || assignOps[p.peek(1).kind] != OpNone || p.peek(1).kind == tokDot || p.peek(1).kind == tokBracketL ||
		p.peek(1).kind == tokParenL || p.peek(1).kind == tokPlusPlus:
		p.fail(findings.Errorf("statement-outside", t.span(), "`%s` is outside of any function.", word).
			Try("Statements go inside the braces of a function; perhaps a `}` above closes one too early."))
		return nil, false
	}
	if d := p.walrus(); d != nil {
		p.semicolon(declName(d))
		return d, true
	}
	if keyword := Closest(word, globalKeywords); keyword != "" && p.peek(1).kind.word() {
		p.misspelledGlobal(keyword, attrs, start)
		return nil, true
	}
	d = p.cGlobal(attrs, start)
	return d, d != nil
}

var globalKeywords = []string{"fn", "var", "const", "struct", "override", "alias", "const_assert", "enable", "requires"}

func (p *parser) misspelledGlobal(keyword string, attrs []*Attribute, start int32) {
	p.mend(findings.Errorf("unknown-declaration", p.tok.span(), "No WGSL declaration begins with `%s`.", p.slice(p.tok)).
		Try("Did you mean `%s`?", keyword).Replace(p.tok.span(), keyword, "write `"+keyword+"`"))
	p.tokens[p.index].kind = keywordKinds[keyword]
	p.tok = p.tokens[p.index]
	if p.is(tokEnable) || p.is(tokRequires) {
		p.directive()
		return
	}
	// Read the declaration again from the keyword; the attributes have been read already.
	switch p.tok.kind {
	case tokFn:
		p.add(p.function(attrs, start))
	case tokVar:
		d := p.varDecl(attrs, start)
		p.semicolon(declName(d))
		p.add(d)
	case tokOverride:
		p.add(p.override(attrs, start))
	default:
		p.globalDecl()
	}
}

// fnFollows reports whether only prefixes such as `pub` come before `fn` or a function in C's
// order.
func (p *parser) fnFollows() bool {
	n := 1
	for n < 4 && functionPrefixes[p.slice(p.peek(n))] {
		n++
	}
	return p.peek(n).kind == tokFn || p.peek(n).kind == tokConst || functionWords[p.slice(p.peek(n))] || p.peek(n+1).kind.word() && p.peek(n+2).kind == tokParenL
}

func (p *parser) prefixedFunction(attrs []*Attribute, start int32) Decl {
	if word := p.slice(p.tok); word == "kernel" {
		p.mend(tell("Metal", "Write `@compute @workgroup_size(64)` before `fn`.").Finding(word, p.tok.span()))
	} else if !strings.HasPrefix(word, "__") { // the lexer has reported those
		p.mend(findings.Errorf("foreign-declaration", p.tok.span(), "`%s` has no meaning in WGSL: every function is visible in the whole shader.", word).
			Try("Delete it.").Replace(Span{Start: p.tok.start, End: p.peek(1).start}, "", "delete it"))
	}
	p.next()
	switch {
	case p.is(tokFn):
		return p.function(attrs, start)
	case p.is(tokConst):
		d := p.constDecl(nil, start)
		p.semicolon(declName(d))
		return d
	case functionPrefixes[p.slice(p.tok)]:
		p.next()
	}
	if p.is(tokFn) {
		return p.function(attrs, start)
	}
	if functionWords[p.slice(p.tok)] {
		return p.otherFunction(attrs, start)
	}
	return p.cGlobal(attrs, start)
}

// otherFunction reads `func name(…)`, `void name(…)` and the like.
func (p *parser) otherFunction(attrs []*Attribute, start int32) Decl {
	word := p.slice(p.tok)
	p.mend(findings.Errorf("foreign-function", p.tok.span(), "A function begins with `fn` in WGSL, not with `%s`.", word).
		Try("Write `fn %s(`.", p.slice(p.peek(1))).Replace(p.tok.span(), "fn", "write `fn`"))
	return p.function(attrs, start)
}

// missingFn reads a function without the keyword `fn`.
func (p *parser) missingFn(attrs []*Attribute, start int32) Decl {
	at := p.tok.span()
	p.mend(findings.Errorf("missing-fn", at, "There is no `fn` before `%s`.", p.slice(p.tok)).
		Try("Write `fn %s(`.", p.slice(p.tok)).Replace(Span{Start: at.Start, End: at.Start}, "fn ", "write `fn`"))
	d := &FuncDecl{Attrs: attrs, Name: p.ident("a function")}
	p.functionRest(d, start)
	return d
}

// callBeforeBraceOrArrow reports whether a token that can follow a function's parameters comes
// after `name(…)`.
func (p *parser) callBeforeBraceOrArrow() bool {
	depth := 0
	for n := 1; n < 400; n++ {
		switch p.peek(n).kind {
		case tokParenL:
			depth++
		case tokParenR:
			if depth--; depth == 0 {
				k := p.peek(n + 1).kind
				return k == tokBraceL || k == tokArrow
			}
		case tokEOF, tokSemicolon, tokBraceL, tokBraceR:
			return false
		}
	}
	return false
}

// cGlobal reads a function or variable in C's order.
func (p *parser) cGlobal(attrs []*Attribute, start int32) Decl {
	s, ok := p.cShape()
	if !ok {
		return nil
	}
	first := p.tok.start
	after := p.peek(s.qualifiers + s.typeTokens + 1).kind
	if after != tokParenL && after != tokAssign && after != tokSemicolon && after != tokBracketL {
		return nil
	}
	typ, words := p.cType(s)
	name := p.ident("a declaration")
	head := Span{Start: first, End: name.span.End}
	if after == tokParenL {
		return p.cFunction(attrs, start, head, name, typ, words)
	}
	write := name.Name + ": " + words
	if p.is(tokBracketL) {
		count := p.arrayBrackets()
		head.End = p.end()
		write = name.Name + ": array<" + words + ">"
		if count != nil {
			write = name.Name + ": array<" + words + ", " + p.textOf(count) + ">"
		}
		typ = arrayOf(typ, count, head)
	}
	constant := p.is(tokAssign)
	keyword := "var<private> "
	if constant {
		keyword = "const "
	}
	p.mend(findings.Errorf("type-before-name", head, "`%s` declares in C's order; in WGSL the name comes first, then its type.", shorten(p.text[head.Start:head.End])).
		Try("Write `%s%s`.", keyword, write).Replace(head, keyword+write, "write `"+keyword+write+"`"))
	var d Decl
	if p.accept(tokAssign) {
		c := &ConstDecl{Keyword: head, Name: name, Type: typ, Init: p.initializer()}
		c.base = p.from(start)
		d = c
	} else {
		space := &Ident{base{head}, "private"}
		v := &VarDecl{Attrs: attrs, Keyword: head, Name: name, Type: typ,
			Templ: &TemplateArgs{base{head}, []Expr{&IdentExpr{space.base, space, nil}}}}
		v.base = p.from(start)
		d = v
	}
	p.semicolon(declName(d))
	return d
}

func (p *parser) cFunction(attrs []*Attribute, start int32, head Span, name *Ident, typ Expr, words string) Decl {
	d := &FuncDecl{Attrs: attrs, Name: name}
	params := p.tok.start
	p.parameters(d)
	e := findings.Errorf("foreign-function", head, "`%s(` declares a function in C's order.", shorten(p.text[head.Start:head.End]))
	if words == "void" {
		e.Try("Write `fn %s(…) {`.", name.Name).Replace(head, "fn "+name.Name, "write `fn "+name.Name+"`")
	} else {
		e.Try("Write `fn %s(…) -> %s {`.", name.Name, words)
		e.Fixes = append(e.Fixes, findings.Fix{Title: fmt.Sprintf("write `fn %s(…) -> %s`", name.Name, words),
			Edits: []findings.Edit{{Span: head, New: "fn " + name.Name}, {Span: p.after(), New: " -> " + words}}})
		d.Result = typ
	}
	if p.end() > params {
		p.mend(e)
	}
	p.functionBody(d, start)
	return d
}

// sharedVar explains `shared float tile[64];`.
func (p *parser) sharedVar() {
	word := p.slice(p.tok)
	p.fail(findings.Errorf("foreign-declaration", p.tok.span(), "`%s` is not WGSL; memory that a workgroup shares is a `var<workgroup>`.", word).
		Try("Write `var<workgroup> tile: array<f32, 64>;`."))
}

// typeDecl reads `type Name = …` and Go's `type Name struct {…}`.
func (p *parser) typeDecl() Decl {
	t := p.tok
	if p.peek(2).kind == tokStruct {
		p.mend(findings.Errorf("foreign-declaration", t.span(), "`type … struct` is Go, not WGSL.").Try("Write `struct %s {`.", p.slice(p.peek(1))).
			Replace(Span{Start: t.start, End: p.peek(2).end}, "struct "+p.slice(p.peek(1)), "write `struct "+p.slice(p.peek(1))+"`"))
		name := p.tokens[p.index+1]
		p.tokens[p.index+1], p.tokens[p.index+2] = p.tokens[p.index+2], name
		p.next()
		return p.structDecl()
	}
	p.mend(findings.Errorf("foreign-declaration", t.span(), "Another name for a type begins with `alias` in WGSL, not with `type`.").
		Try("Write `alias`.").Replace(t.span(), "alias", "write `alias`"))
	return p.alias()
}

// bracketAttributes skips `[numthreads(8, 8, 1)]` and `[[stage(compute)]]`.
func (p *parser) bracketAttributes() {
	start := p.tok.start
	depth := 0
	for !p.is(tokEOF) {
		switch p.tok.kind {
		case tokBracketL:
			depth++
		case tokBracketR:
			depth--
		}
		p.next()
		if depth == 0 {
			break
		}
	}
	span := Span{Start: start, End: p.end()}
	text := p.text[span.Start:span.End]
	hint := "Write `@name` or `@name(value)`."
	switch {
	case strings.Contains(text, "numthreads"):
		hint = "Write `@compute @workgroup_size(8, 8)`."
	case strings.Contains(text, "stage"):
		hint = "Write `@compute`, `@vertex` or `@fragment`."
	}
	p.mend(findings.Errorf("bracket-attribute", span, "WGSL writes attributes without brackets.").Try("%s", hint))
}
