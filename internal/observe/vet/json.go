package vet

import (
	"encoding/json"
	"io"

	"github.com/wgslab/wgslab/internal/wgsl/findings"
)

// A jsonPlace is a range in a file. Lines and columns count from 1, columns in characters; the end
// is exclusive.
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
	Code      findings.Kind `json:"code"`
	Certainty string        `json:"certainty,omitempty"` // certain or likely, for legal code
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

// A jsonEdit replaces the text at a place with New; an empty place inserts.
type jsonEdit struct {
	jsonPlace
	New string `json:"new"`
}

// JSON writes the findings as one array, which is empty if there are none.
func JSON(w io.Writer, files []*Report) error {
	list := []jsonFinding{}
	for _, f := range files {
		for _, found := range f.Findings {
			list = append(list, f.json(found))
		}
	}
	return encode(w, list)
}

func (f *Report) json(found *findings.Finding) jsonFinding {
	out := jsonFinding{
		File: f.Name, jsonPlace: jsonPlace(found.Region), Severity: found.Severity.String(), Code: found.Kind, Certainty: found.Certainty.String(),
		Message: found.Message, Hint: found.Hint, Related: []jsonRelated{}, Fixes: []jsonFix{},
	}
	for _, r := range found.Related {
		out.Related = append(out.Related, jsonRelated{jsonPlace(r.Region), r.Message})
	}
	for _, fix := range found.Fixes {
		edits := []jsonEdit{}
		for _, e := range fix.Edits {
			edits = append(edits, jsonEdit{jsonPlace(f.region(e.Span)), e.New})
		}
		out.Fixes = append(out.Fixes, jsonFix{fix.Title, edits})
	}
	return out
}

func encode(w io.Writer, value any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(value)
}
