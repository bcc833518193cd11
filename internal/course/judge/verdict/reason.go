package verdict

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/wgsl/findings"
)

// Why says how a place of a verdict was found.
type Why string

// The ways, the most reliable first.
const (
	ByNearest   Why = "nearest"       // a small edit there makes the shader right
	ByProgram   Why = "program"       // a right shader takes the same there, and makes something else
	NotWritten  Why = "not-written"   // it kept an element from being written
	Dependency  Why = "dependency"    // it reads other inputs than the element needs
	ByFinding   Why = "finding"       // something went wrong there in a run
	ByDiagnosis Why = "misconception" // the diagnosis is about it
	ByComputing Why = "origin"        // it computed the wrong value
)

// A Place is where the mistake may be.
type Place struct {
	Line   int  `json:"line"`
	Column int  `json:"column"`
	Why    Why  `json:"why"`
	Sure   bool `json:"sure"` // it is nearly always the place, as measured on shaders of learners
	Tied   bool `json:"-"`    // as likely as the place before it

	// Between are two lines between which something is missing; the place is at one of them.
	Between []int `json:"between,omitempty"`
}

// A Reason says why a shader is wrong, and where, without knowing the mistake by name.
type Reason struct {
	Why  Why
	Text string
	findings.Region
	Vague      bool              // it says what is wrong with the result, and little about where
	Parts      []findings.Region // other places that are wrong as well
	Also       []findings.Region // other places that are as likely
	Excerpt    string            // the source line with carets
	Between    []int             // two lines between which something is missing; nil where nothing is
	Hint       string            // what to change, for a learner who asks for it; "" if unknown
	Inputs     []Inputs          // a picture of each input that is used wrongly
	Invocation string            // of NotWritten: a condition in WGSL that holds for the invocation in question
}

// Placing orders reasons by how reliable their places are, the most reliable first.
func (r *Reason) Placing() int {
	switch {
	case r.Why == ByNearest:
		return 0
	case r.Why == ByComputing:
		return 2
	case r.Vague:
		return 3
	}
	return 1
}

// Observed reports whether the reason is something that happened in a run.
func (r *Reason) Observed() bool { return r.Why != ByNearest }

// Question reports whether the reason is a question about its place.
func (r *Reason) Question() bool { return r.Why == ByNearest }

// MarshalJSON implements json.Marshaler: of a reason, programs get how it was found, its words and
// its line, 0 for none.
func (r Reason) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Why  Why    `json:"why"`
		Text string `json:"text"`
		Line int    `json:"line"`
	}{r.Why, r.Text, r.Line})
}

// Reasons lists why a shader is wrong, what was observed first.
type Reasons []Reason

// MarshalJSON implements json.Marshaler.
func (r Reasons) MarshalJSON() ([]byte, error) {
	return json.Marshal(append([]Reason{}, r...))
}

// WithoutHints returns the reasons without what to change, for a shader that is graded.
func (r Reasons) WithoutHints() Reasons {
	without := slices.Clone(r)
	for i := range without {
		without[i].Hint = ""
	}
	return without
}

// Text returns the reasons' sentences.
func (r Reasons) Text() string {
	var sentences []string
	for _, reason := range r {
		sentences = append(sentences, reason.Text)
	}
	return strings.Join(sentences, "\n")
}

// AddPlace adds a place, unless its line is listed already.
func (v *Verdict) AddPlace(at findings.Region, why Why, sure bool) {
	if at.Line == 0 || slices.ContainsFunc(v.Places, func(p Place) bool { return p.Line == at.Line }) {
		return
	}
	v.Places = append(v.Places, Place{Line: at.Line, Column: at.Column, Why: why, Sure: sure})
}

// AddTied adds a place that is as likely as the last one, unless its line is listed already.
func (v *Verdict) AddTied(at findings.Region, why Why) {
	n := len(v.Places)
	if v.AddPlace(at, why, false); len(v.Places) > n {
		v.Places[n].Tied = n > 0
	}
}
