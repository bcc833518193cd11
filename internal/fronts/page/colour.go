package page

import (
	"go/scanner"
	"go/token"
	"html/template"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// The classes are those of CodeMirror's classHighlighter, so code has the same colours before and
// after an editor replaces it.

// paint writes text with a part of it in a class.
func paint(out *strings.Builder, class, text string) {
	if class == "" {
		template.HTMLEscape(out, []byte(text))
		return
	}
	out.WriteString(`<span class="tok-` + class + `">`)
	template.HTMLEscape(out, []byte(text))
	out.WriteString(`</span>`)
}

// colourGo colours the Go of cells: parts of a program, with lines for the kernel among them.
func colourGo(source string) template.HTML {
	var out strings.Builder
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(source))
	s.Init(file, []byte(source), nil, scanner.ScanComments)
	done := 0
	for {
		pos, tok, text := s.Scan()
		if tok == token.EOF {
			paint(&out, "", source[done:])
			return template.HTML(out.String())
		}
		if tok == token.SEMICOLON && text != ";" || text == "" && !tok.IsOperator() {
			continue // inserted by the scanner
		}
		if text == "" {
			text = tok.String()
		}
		at := file.Offset(pos)
		if at < done || at+len(text) > len(source) || source[at:at+len(text)] != text {
			continue
		}
		paint(&out, "", source[done:at])
		paint(&out, goClass(tok), text)
		done = at + len(text)
	}
}

func goClass(tok token.Token) string {
	switch {
	case tok == token.COMMENT:
		return "comment"
	case tok.IsKeyword():
		return "keyword"
	case tok == token.STRING || tok == token.CHAR:
		return "string"
	case tok == token.INT || tok == token.FLOAT:
		return "number"
	}
	return ""
}

// colourWGSL colours WGSL, even if it is incomplete, such as an excerpt in a text.
func colourWGSL(source string) template.HTML {
	var out strings.Builder
	from := syntax.NewSource("", source)
	done := 0
	for _, span := range syntax.Tokens(from) {
		paintBetween(&out, source[done:int(span.Start)])
		text := from.Slice(span)
		paint(&out, wgslClass(text), text)
		done = int(span.End)
	}
	paintBetween(&out, source[done:])
	return template.HTML(out.String())
}

// paintBetween writes the space and comments between two tokens.
func paintBetween(out *strings.Builder, text string) {
	if strings.TrimSpace(text) == "" {
		paint(out, "", text)
		return
	}
	paint(out, "comment", text)
}

var (
	wgslKeywords = syntax.Keywords()
	wgslTypes    = predeclaredTypes()
)

func predeclaredTypes() []string {
	var names []string
	for _, o := range types.Predeclared() {
		if o.Kind != types.BuiltinObject && o.Kind != types.EnumerantObject {
			names = append(names, o.Name)
		}
	}
	return names
}

func wgslClass(text string) string {
	switch {
	case slices.Contains(wgslKeywords, text):
		return "keyword"
	case slices.Contains(wgslTypes, text):
		return "typeName"
	case text[0] >= '0' && text[0] <= '9':
		return "number"
	}
	return ""
}
