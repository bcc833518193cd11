package vet

import (
	"encoding/json"
	"io"

	"github.com/wgslab/wgslab/internal/wgsl/findings"
)

// A jsonFinding is a finding in the JSON of wgslab vet.
type jsonFinding struct {
	File string `json:"file"`
	findings.FindingSummary
	Code      findings.Kind  `json:"code"`                // the kind, as editors and SARIF call it
	Certainty string         `json:"certainty,omitempty"` // certain or likely, for legal code
	Hint      string         `json:"hint"`
	Related   []jsonRelated  `json:"related"`
	Fixes     []findings.Fix `json:"fixes"`
	Variants  []string       `json:"variants,omitempty"` // those that have it, if not all do
}

type jsonRelated struct {
	findings.Region
	Message string `json:"message"`
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
		File: f.file(found.Region), FindingSummary: found.Summary(), Code: found.Kind, Certainty: found.Certainty.String(), Hint: found.Hint,
		Related: []jsonRelated{}, Fixes: append([]findings.Fix{}, found.Fixes...),
		Variants: f.Variants(found),
	}
	for _, r := range found.Related {
		out.Related = append(out.Related, jsonRelated{r.Region, r.Message})
	}
	return out
}

func encode(w io.Writer, value any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(value)
}
