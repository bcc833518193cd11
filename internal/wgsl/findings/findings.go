// Package findings defines what every stage reports about a shader: the front end, the rules for
// legal mistakes, the simulator and the engines. All of them use the same Finding type and the
// kinds listed in this package. The package imports nothing from this module, so every other
// package can use it.
package findings

import "fmt"

// A Finding is one problem in a shader, worded for the learner.
type Finding struct {
	Kind      Kind
	Severity  Severity
	Certainty Certainty // how sure a rule for legal shaders is; ByRule for all other findings
	Location            // where it is and, in a run, which invocation did it
	Message   string    // what is wrong, one sentence
	Hint      string    // what to try, one sentence; may be empty
	Related   []Related // what it conflicts with, or the chain of reasons, in reading order; in a race the other access
	Fixes     []Fix     // edits that certainly help; usually at most one

	// A run also knows which memory was accessed.
	Variable string // the shader's name for it; empty if there is none
	Index    int    // of the element, -1 for none; meaningless without a variable
	Length   int    // of the array, -1 for none
	Reads    bool   // one of the two accesses in a race only reads
	Case     string // the case of an exercise, or the passes of several, that the run belongs to; may be empty
	Updates  bool   // both accesses in a race belong to one statement that reads, changes and writes, such as a += b
	Parts    bool   // the two accesses in a race write different components of one vector
	May      bool   // a write happens only where an out-of-bounds read gives something else than here

	// In a race of a read with a write in one workgroup: the order that the shader means, as its
	// code has it after the last barrier.
	Overwrites bool // the write comes after the read
	NextRound  bool // the second access belongs to the next round of a loop, or call of a function
	OfCalls    bool // to the next call
}

// Severity says how serious a finding is. WGSL has the first three (§ 2.3); only errors make a
// shader invalid.
type Severity uint8

// The severities, most serious first. Only filters use Off; no finding has it.
const (
	Error   Severity = iota // the shader is wrong
	Warning                 // the shader is legal, and probably wrong
	Info                    // the shader is legal
	Off
	Remark // seen in a run: it may explain a wrong value
)

// String returns the severity as reports and WGSL's diagnostic controls write it.
func (s Severity) String() string {
	return [...]string{"error", "warning", "info", "off", "remark"}[s]
}

// Certainty says how sure a rule for legal shaders is of its finding.
type Certainty uint8

// The certainties. Only a certain finding may fail a check.
const (
	ByRule  Certainty = iota // WGSL says so, or a run showed it
	Likely                   // nearly always a mistake, but there may be a reason
	Certain                  // follows from WGSL's rules
)

// String returns the certainty as one word; it is empty for ByRule.
func (c Certainty) String() string { return [...]string{"", "likely", "certain"}[c] }

// Related is another place that belongs to a finding, and how it is related.
type Related struct {
	Location
	Message string // empty for the other side of a race: the finding's message names it
}

// Errorf returns an error at span. The methods add a hint, fixes and related places.
func Errorf(kind Kind, span Span, format string, args ...any) *Finding {
	return &Finding{Kind: kind, Location: Location{Span: span}, Message: fmt.Sprintf(format, args...)}
}

// Try sets the hint: what the learner can try.
func (f *Finding) Try(format string, args ...any) *Finding {
	f.Hint = fmt.Sprintf(format, args...)
	return f
}

// See adds a related place.
func (f *Finding) See(span Span, format string, args ...any) *Finding {
	f.Related = append(f.Related, Related{Location{Span: span}, fmt.Sprintf(format, args...)})
	return f
}

// Replace adds a fix that replaces the text in one span.
func (f *Finding) Replace(span Span, text, title string) *Finding {
	f.Fixes = append(f.Fixes, Fix{Title: title, Edits: []Edit{{Span: span, New: text}}})
	return f
}

// Else adds a fix in case that those before it don't help, with a hint of its own.
func (f *Finding) Else(span Span, text, title, hint string) *Finding {
	f.Replace(span, text, title)
	f.Fixes[len(f.Fixes)-1].Hint = hint
	return f
}

// IsError reports whether the finding makes the shader wrong.
func (f Finding) IsError() bool { return f.Severity == Error }

// Other returns the other access in a race, or the first related place, or nil if there is none.
func (f Finding) Other() *Location {
	if len(f.Related) == 0 {
		return nil
	}
	return &f.Related[0].Location
}

// String returns the severity, message and hint without a place.
func (f *Finding) String() string {
	text := f.Severity.String() + ": " + f.Message
	if f.Hint != "" {
		text += " " + f.Hint
	}
	return text
}

// HasErrors reports whether the list contains an error, which makes the shader invalid.
func HasErrors(list []*Finding) bool { return FirstError(list) != nil }

// FirstError returns the error that comes first in the text, or nil.
func FirstError(list []*Finding) *Finding {
	var first *Finding
	for _, f := range list {
		if f.IsError() && (first == nil || f.Span.Start < first.Span.Start) {
			first = f
		}
	}
	return first
}
