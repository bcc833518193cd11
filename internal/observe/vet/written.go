package vet

import (
	"fmt"

	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// AsWritten returns the report with its spans in the file that a person wrote, where the shader is
// an expanded one. A finding in an included file is where the file is included. The report of any
// other shader is returned as it is.
func (f *Report) AsWritten() *Report {
	source := f.shader.Source
	if source.File("") == source {
		return f
	}
	w := &placed{source: source, main: source.File(""), included: map[string]findings.Span{}}
	out := &Report{Name: f.Name, Unread: f.Unread, Tested: f.Tested, shader: f.shader}
	for _, found := range f.Findings {
		out.Findings = append(out.Findings, w.finding(*found))
	}
	return out
}

// placed moves findings to the file that a person wrote.
type placed struct {
	source, main *syntax.Source
	included     map[string]findings.Span // where a file is included, by its name
}

func (w *placed) finding(f findings.Finding) *findings.Finding {
	f.Location = w.location(f.Location, &f.Message)
	var related []findings.Related
	for _, r := range f.Related {
		r.Location = w.location(r.Location, &r.Message)
		related = append(related, r)
	}
	var fixes []findings.Fix
	for _, fix := range f.Fixes {
		edits := fix.Edits
		fix.Edits = nil
		for _, e := range edits {
			file, at, _ := w.source.Written(e.Span)
			if file == w.main {
				e.Span = at
				fix.Edits = append(fix.Edits, e)
			}
		}
		if len(fix.Edits) > 0 {
			fixes = append(fixes, fix)
		}
	}
	f.Related, f.Fixes = related, fixes
	return &f
}

// location moves a place. The message of one in another file begins with that place.
func (w *placed) location(l findings.Location, message *string) findings.Location {
	file, at, _ := w.source.Written(l.Span)
	if file != w.main {
		*message = fmt.Sprintf("%s, line %d: %s", file.Name, l.Line, *message)
		at = w.includes(file.Name, l.Span.Start)
	}
	l.Span, l.Region = at, w.main.Region(at)
	return l
}

// includes returns where the main file includes another one: after the last text of its own before
// that file's.
func (w *placed) includes(file string, offset int32) findings.Span {
	if span, known := w.included[file]; known {
		return span
	}
	span := findings.Span{}
	for offset--; offset >= 0; offset-- {
		if file, at, _ := w.source.Written(findings.Span{Start: offset, End: offset + 1}); file == w.main {
			span = w.main.Line(w.main.LineOf(at.End))
			break
		}
	}
	w.included[file] = span
	return span
}
