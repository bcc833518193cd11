package answers

import (
	"unicode/utf8"

	"github.com/wgslab/wgslab/internal/vet"
	"github.com/wgslab/wgslab/internal/wgsl/assist"
)

// A Completion is what could stand in place of the text between two offsets, the
// likeliest first.
type Completion struct {
	Start int              `json:"start"`
	End   int              `json:"end"`
	Items []CompletionItem `json:"items"`
}

// A CompletionItem is one thing that could stand there.
type CompletionItem struct {
	Text   string `json:"text"`
	Kind   string `json:"kind"`   // in a word
	Detail string `json:"detail"` // its type or signature
	Doc    string `json:"doc"`    // one sentence
}

func complete(source string, offset int) Completion {
	found := assist.Complete(source, byteOffset(source, offset))
	c := Completion{Start: units(source[:found.Start]), End: units(source[:found.End]), Items: []CompletionItem{}}
	for _, item := range found.Items {
		c.Items = append(c.Items, CompletionItem{item.Text, item.Kind.String(), item.Detail, item.Doc})
	}
	return c
}

// An Inspection is what there is to know of a name.
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

// A Problem is a mistake in the text, for an editor to underline.
type Problem struct {
	From      int    `json:"from"` // offsets
	To        int    `json:"to"`
	Line      int    `json:"line"`
	Column    int    `json:"column"`
	EndLine   int    `json:"end_line"`
	EndColumn int    `json:"end_column"`
	Severity  string `json:"severity"` // error, warning or info
	Code      string `json:"code"`
	Message   string `json:"message"`
	Hint      string `json:"hint"` // what to do; may be ""
}

func problems(source string) map[string]any { return map[string]any{"problems": problemsIn(source)} }

func problemsIn(source string) []Problem {
	list := []Problem{}
	file := vet.Read("", source)
	for _, found := range file.Findings {
		at := file.Place(found)
		list = append(list, Problem{
			From: units(source[:found.Span.Start]), To: units(source[:found.Span.End]),
			Line: at.Line, Column: at.Column, EndLine: at.EndLine, EndColumn: at.EndColumn,
			Severity: found.Severity.String(), Code: found.Code, Message: found.Message, Hint: found.Hint,
		})
	}
	return list
}

// units is how long a text is in UTF-16 code units.
func units(text string) int {
	n := 0
	for _, r := range text {
		n += unitsOf(r)
	}
	return n
}

// byteOffset is the byte offset of a place that is counted in UTF-16 code units.
func byteOffset(text string, offset int) int {
	at := 0
	for offset > 0 && at < len(text) {
		r, size := utf8.DecodeRuneInString(text[at:])
		offset -= unitsOf(r)
		at += size
	}
	return at
}

func unitsOf(r rune) int {
	if r > 0xffff {
		return 2
	}
	return 1
}
