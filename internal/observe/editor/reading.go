package editor

import (
	"slices"

	"github.com/creachadair/jrpc2"

	"github.com/wgslab/wgslab/internal/wgsl/assist"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

func (d *document) location(span syntax.Span) Location {
	return Location{URI: d.uri, Range: d.rangeOf(span)}
}

func (s *Server) definition(d *document, p *TextDocumentPositionParams) (any, error) {
	if span, ok := d.names().Definition(d.offset(p.Position)); ok {
		return d.location(span), nil
	}
	return nil, nil
}

func (s *Server) typeDefinition(d *document, p *TextDocumentPositionParams) (any, error) {
	if span, ok := d.names().TypeDefinition(d.offset(p.Position)); ok {
		return d.location(span), nil
	}
	return nil, nil
}

func (s *Server) references(d *document, p *ReferenceParams) (any, error) {
	list := []Location{}
	for _, m := range d.names().References(d.offset(p.Position)) {
		if !m.Declares || p.Context.IncludeDeclaration {
			list = append(list, d.location(m.Span))
		}
	}
	return list, nil
}

func (s *Server) highlights(d *document, p *TextDocumentPositionParams) (any, error) {
	list := []DocumentHighlight{}
	for _, m := range d.names().References(d.offset(p.Position)) {
		h := DocumentHighlight{Range: d.rangeOf(m.Span), Kind: 2}
		if m.Declares || m.Writes {
			h.Kind = 3
		}
		list = append(list, h)
	}
	return list, nil
}

func (s *Server) prepareRename(d *document, p *TextDocumentPositionParams) (any, error) {
	span, err := d.names().Renameable(d.offset(p.Position))
	if err != nil {
		return nil, jrpc2.Errorf(requestFailed, "%v", err)
	}
	return d.rangeOf(span), nil
}

func (s *Server) rename(d *document, p *RenameParams) (any, error) {
	edits, err := d.names().Rename(d.offset(p.Position), p.NewName)
	if err != nil {
		return nil, jrpc2.Errorf(requestFailed, "%v", err)
	}
	return d.workspaceEdit(edits), nil
}

// symbolKinds are the protocol's numbers.
var symbolKinds = map[assist.NameKind]int{
	assist.Function: 12, assist.Variable: 13, assist.Constant: 14, assist.Struct: 23, assist.Alias: 5, assist.Member: 8,
}

func (s *Server) documentSymbols(d *document, _ *TextDocumentParams) (any, error) {
	return d.symbols(d.names().Symbols()), nil
}

func (d *document) symbols(list []assist.Symbol) []DocumentSymbol {
	out := []DocumentSymbol{}
	for _, s := range list {
		symbol := DocumentSymbol{
			Name: s.Name, Detail: s.Detail, Kind: symbolKinds[s.Kind], Range: d.rangeOf(s.Span), SelectionRange: d.rangeOf(s.NameSpan),
		}
		if len(s.Children) > 0 {
			symbol.Children = d.symbols(s.Children)
		}
		out = append(out, symbol)
	}
	return out
}

func (s *Server) foldingRanges(d *document, _ *TextDocumentParams) (any, error) {
	list := []FoldingRange{}
	for _, f := range d.names().Folds() {
		out := FoldingRange{StartLine: f.First - 1, EndLine: f.Last - 1}
		if f.Comment {
			out.Kind = "comment"
		}
		list = append(list, out)
	}
	return list, nil
}

func (s *Server) selectionRanges(d *document, p *SelectionRangeParams) (any, error) {
	list := []*SelectionRange{}
	for _, at := range p.Positions {
		var outer *SelectionRange
		spans := d.names().Enclosing(d.offset(at))
		slices.Reverse(spans)
		for _, span := range spans {
			outer = &SelectionRange{Range: d.rangeOf(span), Parent: outer}
		}
		if outer == nil {
			at := int32(d.offset(at))
			outer = &SelectionRange{Range: d.rangeOf(syntax.Span{Start: at, End: at})}
		}
		list = append(list, outer)
	}
	return list, nil
}

// tokenModifiers are the modifiers of semantic tokens; each is a bit.
var tokenModifiers = []string{"declaration", "readonly", "defaultLibrary", "modification"}

func (s *Server) semanticTokens(d *document, _ *TextDocumentParams) (any, error) {
	return d.semanticTokens(0, len(d.string)), nil
}

func (s *Server) semanticTokensRange(d *document, p *RangeParams) (any, error) {
	start, end := d.span(p.Range)
	return d.semanticTokens(start, end), nil
}

func (d *document) semanticTokens(start, end int) SemanticTokens {
	out := SemanticTokens{Data: []uint32{}}
	last := Position{}
	for _, t := range d.names().Tokens() {
		if int(t.Span.End) <= start || int(t.Span.Start) >= end {
			continue
		}
		class := uint32(slices.Index(assist.Classes, t.Class))
		var modifiers uint32
		for bit, set := range []bool{t.Declares, t.Constant, t.Builtin, t.Writes} {
			if set {
				modifiers |= 1 << bit
			}
		}
		// A token of several lines, a comment, is one for each line.
		for line := d.line(int(t.Span.Start)); line < len(d.lines) && d.lines[line] < int(t.Span.End); line++ {
			from, to := max(int(t.Span.Start), d.lines[line]), min(int(t.Span.End), d.end(line))
			if from >= to {
				continue
			}
			at := d.position(from)
			character := at.Character
			if at.Line == last.Line {
				character -= last.Character
			}
			out.Data = append(out.Data, uint32(at.Line-last.Line), uint32(character), uint32(d.units(from, to)), class, modifiers)
			last = at
		}
	}
	return out
}

func (s *Server) inlayHints(d *document, p *RangeParams) (any, error) {
	list := []InlayHint{}
	start, end := d.span(p.Range)
	for _, h := range d.names().Hints(syntax.Span{Start: int32(start), End: int32(end)}) {
		at := syntax.Span{Start: h.Offset, End: h.Offset}
		out := InlayHint{Position: d.position(int(h.Offset)), Label: h.Text}
		switch h.Kind {
		case assist.TypeHint:
			out.Kind, out.TextEdits = 1, d.edits([]findings.Edit{{Span: at, New: h.Text}})
		case assist.ParameterHint:
			out.Kind, out.PaddingRight = 2, true
		case assist.OffsetHint:
			out.PaddingLeft = true
		}
		list = append(list, out)
	}
	return list, nil
}

func (d *document) callItem(f assist.Symbol) CallHierarchyItem {
	return CallHierarchyItem{
		Name: f.Name, Kind: symbolKinds[assist.Function], Detail: f.Detail, URI: d.uri,
		Range: d.rangeOf(f.Span), SelectionRange: d.rangeOf(f.NameSpan),
	}
}

func (s *Server) prepareCallHierarchy(d *document, p *TextDocumentPositionParams) (any, error) {
	if f, ok := d.names().Function(d.offset(p.Position)); ok {
		return []CallHierarchyItem{d.callItem(f)}, nil
	}
	return nil, nil
}

func (d *document) ranges(spans []syntax.Span) []Range {
	list := []Range{}
	for _, span := range spans {
		list = append(list, d.rangeOf(span))
	}
	return list
}

func (s *Server) incomingCalls(d *document, p *CallHierarchyParams) (any, error) {
	list := []CallHierarchyIncomingCall{}
	for _, c := range d.names().Callers(d.offset(p.Item.SelectionRange.Start)) {
		list = append(list, CallHierarchyIncomingCall{From: d.callItem(c.Function), FromRanges: d.ranges(c.Sites)})
	}
	return list, nil
}

func (s *Server) outgoingCalls(d *document, p *CallHierarchyParams) (any, error) {
	list := []CallHierarchyOutgoingCall{}
	for _, c := range d.names().Callees(d.offset(p.Item.SelectionRange.Start)) {
		list = append(list, CallHierarchyOutgoingCall{To: d.callItem(c.Function), FromRanges: d.ranges(c.Sites)})
	}
	return list, nil
}
