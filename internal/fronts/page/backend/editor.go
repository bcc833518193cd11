package backend

import (
	"unicode/utf16"
	"unicode/utf8"

	"github.com/wgslab/wgslab/internal/observe/vet"
	"github.com/wgslab/wgslab/internal/wgsl/assist"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// A Completion lists replacements for the text between two offsets, the likeliest first.
type Completion struct {
	Start int              `json:"start"`
	End   int              `json:"end"`
	Items []CompletionItem `json:"items"`
}

// A CompletionItem is one replacement.
type CompletionItem struct {
	Text   string `json:"text"`
	Kind   string `json:"kind"`   // in a word
	Detail string `json:"detail"` // its type or signature
	Doc    string `json:"doc"`    // one sentence
}

func complete(source string, offset int) Completion {
	found := assist.Complete(source, byteOffset(source, offset))
	c := Completion{Start: syntax.UTF16Units(source[:found.Start]), End: syntax.UTF16Units(source[:found.End]), Items: []CompletionItem{}}
	for _, item := range found.Items {
		c.Items = append(c.Items, CompletionItem{item.Text, item.Kind.String(), item.Detail, item.Doc})
	}
	return c
}

// An Inspection describes a name.
type Inspection struct {
	Found    bool   `json:"found"`
	Text     string `json:"text"`
	Markdown string `json:"markdown"`
}

func inspect(source string, offset int) Inspection {
	found, ok := assist.Inspect(source, byteOffset(source, offset))
	if !ok {
		return Inspection{}
	}
	return Inspection{true, found.Text(), found.Markdown()}
}

// A Marker is a mistake that the editor underlines.
type Marker struct {
	findings.FindingSummary
	From int    `json:"from"` // offsets
	To   int    `json:"to"`
	Hint string `json:"hint"` // what to do; may be ""
}

func problems(source string) map[string]any {
	list := []Marker{}
	for _, found := range vet.Read("", source).Findings {
		list = append(list, Marker{found.Summary(), syntax.UTF16Units(source[:found.Span.Start]), syntax.UTF16Units(source[:found.Span.End]), found.Hint})
	}
	return map[string]any{"problems": list}
}

// byteOffset converts an offset from UTF-16 code units to bytes.
func byteOffset(text string, offset int) int {
	at := 0
	for offset > 0 && at < len(text) {
		r, size := utf8.DecodeRuneInString(text[at:])
		offset -= utf16.RuneLen(r)
		at += size
	}
	return at
}
