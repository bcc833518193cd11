package syntax

import "fmt"

// Severity is how grave a diagnostic is (§ 2.3): only errors make a shader invalid.
type Severity uint8

// The severities, gravest first; Off is only asked for in filters and never reported.
const (
	Error Severity = iota
	Warning
	Info
	Off
)

// String is the severity as WGSL's diagnostic controls write it.
func (s Severity) String() string {
	return [...]string{"error", "warning", "info", "off"}[s]
}

// Diagnostic is one thing that is wrong with a shader, in the learner's words. Every stage of the front end reports
// with it.
type Diagnostic struct {
	Code     string    // stable, lower case with hyphens, such as "missing-semicolon"
	Rule     string    // the WGSL diagnostic rule that triggered it, such as "derivative_uniformity"; mostly empty
	Severity Severity  // Error, Warning or Info
	Span     Span      // the culprit
	Message  string    // one sentence: what is wrong
	Hint     string    // one sentence: what to try; may be empty
	Related  []Related // what it conflicts with, or the chain of reasons, in reading order
	Fixes    []Fix     // edits that certainly help; mostly none or one
}

// Related is another place that belongs to a diagnostic, and what it has to do with it.
type Related struct {
	Span    Span
	Message string
}

// Fix is a change that mends what a diagnostic complains about.
type Fix struct {
	Title string // what it does, such as "write `vec4f`"
	Edits []Edit // do not overlap
}

// Edit replaces the text in a span; an empty span inserts, an empty New deletes.
type Edit struct {
	Span Span
	New  string
}

// Errorf is an error diagnostic at span; hint, fixes and related places are added with the methods.
func Errorf(code string, span Span, format string, args ...any) *Diagnostic {
	return &Diagnostic{Code: code, Span: span, Message: fmt.Sprintf(format, args...)}
}

// Try adds the hint: what to try.
func (d *Diagnostic) Try(format string, args ...any) *Diagnostic {
	d.Hint = fmt.Sprintf(format, args...)
	return d
}

// See adds a related place.
func (d *Diagnostic) See(span Span, format string, args ...any) *Diagnostic {
	d.Related = append(d.Related, Related{span, fmt.Sprintf(format, args...)})
	return d
}

// Replace adds a fix that replaces the text in one span.
func (d *Diagnostic) Replace(span Span, text, title string) *Diagnostic {
	d.Fixes = append(d.Fixes, Fix{Title: title, Edits: []Edit{{span, text}}})
	return d
}

// String is the severity, message and hint without a place; Format shows the place as well.
func (d *Diagnostic) String() string {
	text := d.Severity.String() + ": " + d.Message
	if d.Hint != "" {
		text += " " + d.Hint
	}
	return text
}

// Format is the diagnostic on one line, as compilers print it: name:line:column: severity: message hint.
func (d *Diagnostic) Format(source *Source) string {
	p := source.Position(d.Span.Start)
	return fmt.Sprintf("%s:%d:%d: %s [%s]", source.Name, p.Line, p.Column, d, d.Code)
}

// HasErrors reports whether one of them is an error, so that the shader is invalid.
func HasErrors(diagnostics []*Diagnostic) bool {
	for _, d := range diagnostics {
		if d.Severity == Error {
			return true
		}
	}
	return false
}
