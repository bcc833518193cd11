package editor

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff"
	"github.com/creachadair/jrpc2"

	"github.com/wgslab/wgslab/internal/observe/manifest"
	"github.com/wgslab/wgslab/internal/wgsl/assist"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/format"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

func (s *Server) hover(d *document, p *TextDocumentPositionParams) (any, error) {
	found, ok := assist.Inspect(d.string, d.offset(p.Position))
	if !ok {
		return nil, nil
	}
	return Hover{Contents: Markdown(found.Markdown())}, nil
}

// completionKinds are the protocol's numbers.
var completionKinds = map[assist.NameKind]int{
	assist.Function: 3, assist.BuiltinFunction: 3, assist.Variable: 6, assist.Constant: 21, assist.Parameter: 6, assist.Struct: 22,
	assist.Alias: 7, assist.Type: 7, assist.Member: 5, assist.Keyword: 14, assist.Attribute: 10, assist.BuiltinValue: 12,
}

func (s *Server) completion(d *document, p *TextDocumentPositionParams) (any, error) {
	found := assist.Complete(d.string, d.offset(p.Position))
	list := CompletionList{Items: []CompletionItem{}}
	at := d.rangeOf(syntax.Span{Start: int32(found.Start), End: int32(found.End)})
	called := strings.HasPrefix(d.string[found.End:], "(")
	for i, item := range found.Items {
		out := CompletionItem{
			Label: item.Text, Kind: completionKinds[item.Kind], Detail: item.Detail, SortText: fmt.Sprintf("%05d", i),
			TextEdit: TextEdit{Range: at, NewText: item.Text},
		}
		if out.Kind == 0 {
			out.Kind = 20 // a word of an enumeration
		}
		if item.Doc != "" {
			doc := Markdown(item.Doc)
			out.Documentation = &doc
		}
		if text := snippet(item); s.snippets && !called && text != "" {
			out.InsertTextFormat, out.TextEdit.NewText = 2, text
		}
		list.Items = append(list.Items, out)
	}
	return list, nil
}

// snippet returns the text of a call, or of an attribute with its arguments, as a snippet with a
// stop for each argument; "" if the name alone is enough.
func snippet(item assist.Proposal) string {
	shown := ""
	switch item.Kind {
	case assist.Function, assist.BuiltinFunction:
		shown = item.Detail
	case assist.Attribute:
		shown = strings.TrimPrefix(item.Detail, "@")
	}
	if shown == "" || !strings.Contains(shown, "(") {
		return ""
	}
	var stops []string
	for i, p := range parameters(shown) {
		name, _, _ := strings.Cut(p, ":")
		stops = append(stops, fmt.Sprintf("${%d:%s}", i+1, escapeSnippet.Replace(strings.TrimSpace(name))))
	}
	return item.Text + "(" + strings.Join(stops, ", ") + ")"
}

var escapeSnippet = strings.NewReplacer(`\`, `\\`, "$", `\$`, "}", `\}`)

// parameters returns the parameters in a signature: the texts between the commas of its first
// parentheses.
func parameters(signature string) []string {
	open := strings.IndexByte(signature, '(')
	if open < 0 {
		return nil
	}
	var found []string
	depth, start := 0, open+1
	for i := open; i < len(signature); i++ {
		switch c := signature[i]; {
		case c == '(' || c == '<' || c == '[':
			depth++
		case c == ')' || c == ']' || c == '>' && signature[i-1] != '-':
			depth--
		}
		if depth == 0 || depth == 1 && signature[i] == ',' {
			if text := strings.TrimSpace(signature[start:i]); text != "" {
				found = append(found, text)
			}
			start = i + 1
		}
		if depth == 0 {
			break
		}
	}
	return found
}

func (s *Server) signatureHelp(d *document, p *TextDocumentPositionParams) (any, error) {
	call, ok := assist.Call(d.string, d.offset(p.Position))
	if !ok || len(call.Code) == 0 {
		return nil, nil
	}
	help := SignatureHelp{ActiveParameter: call.Argument, ActiveSignature: -1}
	for i, line := range call.Code {
		info := SignatureInformation{Label: line, Parameters: []ParameterInformation{}}
		if call.Doc != "" {
			doc := Markdown(call.Doc)
			info.Documentation = &doc
		}
		for _, parameter := range parameters(line) {
			info.Parameters = append(info.Parameters, ParameterInformation{Label: parameter})
		}
		if help.ActiveSignature < 0 && call.Argument < len(info.Parameters) {
			help.ActiveSignature = i
		}
		help.Signatures = append(help.Signatures, info)
	}
	help.ActiveSignature = max(help.ActiveSignature, 0)
	return help, nil
}

// requestFailed is the protocol's code for a request that is right but can't be fulfilled.
const requestFailed = jrpc2.Code(-32803)

func (s *Server) formatting(d *document, _ *TextDocumentParams) (any, error) {
	return d.formatted(0, len(d.string))
}

func (s *Server) rangeFormatting(d *document, p *RangeParams) (any, error) {
	start, end := d.span(p.Range)
	return d.formatted(start, end)
}

// formatted returns the edits of wgslab fmt within a part of the text.
func (d *document) formatted(start, end int) (any, error) {
	text, err := manifest.Format(d.string)
	var mistake *format.SyntaxError
	switch {
	case errors.As(err, &mistake):
		return nil, jrpc2.Errorf(requestFailed, "%v", err)
	case err != nil:
		return nil, err
	}
	// The editor writes the document's line breaks, so the layout keeps them.
	text = strings.ReplaceAll(text, "\n", d.lineBreak())
	list := []findings.Edit{}
	for _, e := range udiff.Strings(d.string, text) {
		list = append(list, d.aroundBreaks(findings.Edit{Span: syntax.Span{Start: int32(e.Start), End: int32(e.End)}, New: e.New}))
	}
	list = slices.DeleteFunc(list, func(e findings.Edit) bool { return int(e.Span.Start) < start || int(e.Span.End) > end })
	return d.edits(list), nil
}

// aroundBreaks makes an edit replace a whole line break where it replaced half of one: there is no
// position between CR and LF.
func (d *document) aroundBreaks(e findings.Edit) findings.Edit {
	if d.betweenBreak(int(e.Span.Start)) {
		e.Span.Start, e.New = e.Span.Start-1, "\r"+e.New
	}
	if d.betweenBreak(int(e.Span.End)) {
		e.Span.End, e.New = e.Span.End+1, e.New+"\n"
	}
	return e
}
