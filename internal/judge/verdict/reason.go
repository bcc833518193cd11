package verdict

import (
	"bytes"
	_ "embed"
	"html/template"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/judge/mark"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
)

// Why says how a place of a verdict was found.
type Why string

// The ways, the most reliable first.
const (
	ByNearest   Why = "nearest"       // a small edit there makes the shader right
	NotWritten  Why = "not-written"   // it kept an element from being written
	Dependency  Why = "dependency"    // it reads other inputs than the element needs
	ByFinding   Why = "finding"       // something went wrong there in a run
	ByDiagnosis Why = "misconception" // the diagnosis is about it
	ByComputing Why = "origin"        // it computed the wrong value
)

// A Place is where the mistake may be.
type Place struct {
	Line   int `json:"line"`
	Column int `json:"column"`
	Why    Why `json:"why"`
}

// A Reason says why a shader is wrong, and where, without knowing the mistake by name.
type Reason struct {
	Why  Why
	Text string
	findings.Region
	Excerpt string   // the source line with carets
	Hint    string   // what to change, for a learner who asks for it; "" if unknown
	Inputs  []Inputs // a picture of each input that is used wrongly
}

// Reasons is the view of why a shader is wrong. It follows the verdict, since finding out takes
// longer.
type Reasons []Reason

//go:embed reasons.html
var reasonsSource string

var reasonsPanel = template.Must(template.New("reasons").Funcs(template.FuncMap{"code": CodeSpans, "color": mark.Mark.Color}).Parse(reasonsSource))

// WithoutHints returns the reasons without what to change, for a shader that is graded.
func (r Reasons) WithoutHints() Reasons {
	without := slices.Clone(r)
	for i := range without {
		without[i].Hint = ""
	}
	return without
}

// HTML formats the reasons for a notebook cell.
func (r Reasons) HTML() template.HTML {
	var b bytes.Buffer
	if err := reasonsPanel.Execute(&b, r); err != nil {
		return template.HTML("<pre>" + template.HTMLEscapeString(r.Text()) + "</pre>")
	}
	return template.HTML(Visible(b.String()))
}

// Text formats the reasons for a terminal, without a final newline.
func (r Reasons) Text() string {
	var parts []string
	for _, reason := range r {
		part := wrap("· "+reason.Text, "  ")
		if reason.Excerpt != "" {
			part += "\n" + indent(reason.Excerpt, "    ")
		}
		parts = append(parts, part)
	}
	return Visible("  Where to look\n\n" + strings.Join(parts, "\n\n"))
}

// AddPlace adds a place, unless its line is listed already.
func (v *Verdict) AddPlace(at findings.Region, why Why) {
	if at.Line == 0 || slices.ContainsFunc(v.Places, func(p Place) bool { return p.Line == at.Line }) {
		return
	}
	v.Places = append(v.Places, Place{at.Line, at.Column, why})
}
