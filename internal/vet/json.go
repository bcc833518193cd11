package vet

import (
	"encoding/json"
	"io"

	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// place in JSON: lines and columns from 1, columns in characters, the end behind the last one.
type jsonPlace struct {
	Line      int `json:"line"`
	Column    int `json:"column"`
	EndLine   int `json:"end_line"`
	EndColumn int `json:"end_column"`
}

type jsonFinding struct {
	File string `json:"file"`
	jsonPlace
	Severity  string        `json:"severity"`
	Code      string        `json:"code"`
	Certainty string        `json:"certainty,omitempty"` // certain or likely, of what is legal
	Message   string        `json:"message"`
	Hint      string        `json:"hint"`
	Related   []jsonRelated `json:"related"`
	Fixes     []jsonFix     `json:"fixes"`
}

type jsonRelated struct {
	jsonPlace
	Message string `json:"message"`
}

type jsonFix struct {
	Title string     `json:"title"`
	Edits []jsonEdit `json:"edits"`
}

// jsonEdit puts New where the place is; an empty place inserts.
type jsonEdit struct {
	jsonPlace
	New string `json:"new"`
}

// JSON writes the findings as one array, empty where nothing was found.
func JSON(w io.Writer, files []*File) error {
	list := []jsonFinding{}
	for _, f := range files {
		for _, found := range f.Findings {
			list = append(list, f.json(found))
		}
	}
	return encode(w, list)
}

func (f *File) json(found Finding) jsonFinding {
	out := jsonFinding{
		File: f.Name, jsonPlace: f.jsonPlace(found.Span), Severity: found.Severity.String(), Code: found.Code, Certainty: found.certainty(),
		Message: found.Message, Hint: found.Hint, Related: []jsonRelated{}, Fixes: []jsonFix{},
	}
	for _, r := range found.Related {
		out.Related = append(out.Related, jsonRelated{f.jsonPlace(r.Span), r.Message})
	}
	for _, fix := range found.Fixes {
		edits := []jsonEdit{}
		for _, e := range fix.Edits {
			edits = append(edits, jsonEdit{f.jsonPlace(e.Span), e.New})
		}
		out.Fixes = append(out.Fixes, jsonFix{fix.Title, edits})
	}
	return out
}

func (f *File) jsonPlace(span syntax.Span) jsonPlace { return jsonPlace(f.place(span)) }

func encode(w io.Writer, value any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(value)
}
