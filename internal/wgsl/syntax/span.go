package syntax

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/wgslab/wgslab/internal/wgsl/findings"
)

// A Span is a range of bytes in a source.
type Span = findings.Span

// A Position is a place in a source as people and editors count it. Lines end at LF, CR and CRLF,
// as in editors. WGSL has more line breaks (§ 3.2), but they only end comments. Editors do not show
// them as new lines.
type Position struct {
	Line   int // from 1
	Column int // from 1, in UTF-8 bytes
	UTF16  int // from 1, in UTF-16 code units: what LSP and JupyterLab call a character, plus 1
}

// A Range is a span in positions. First is the position of its first byte and Last that of its last
// character; in an empty span, Last equals First. End is the position after Last, as in LSP.
type Range struct{ First, Last, End Position }

// A Source is the text of one shader and its line table. It is immutable and safe for concurrent
// use.
type Source struct {
	Name   string // as messages show it; may be empty
	Text   string
	lines  []int32 // offset of each line's first byte
	ascii  []bool  // for each line, whether it holds ASCII alone: then all columns are the same
	origin Origin  // of an expanded text; nil where a person wrote the text as it is

	problems []*findings.Finding // that kept the text from being complete
}

// An Origin knows which files a person wrote, where a tool made a shader's text from them.
type Origin interface {
	// Written returns the file that a span comes from, and the part of it that the span stands for.
	// Exact reports whether the text is the same there, so that edits of one fit the other.
	Written(span Span) (file *Source, at Span, exact bool)
	// File returns a file by its name, or nil.
	File(name string) *Source
}

// NewSource returns a Source that can turn offsets into positions. It takes time linear in the
// length of the text.
func NewSource(name, text string) *Source {
	s := &Source{Name: name, Text: text, lines: make([]int32, 1, 1+len(text)/32)}
	if len(text) > MaxSource {
		s.ascii = []bool{false}
		return s
	}
	ascii := true
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c >= utf8.RuneSelf:
			ascii = false
		case c == '\n', c == '\r' && (i+1 == len(text) || text[i+1] != '\n'):
			s.lines, s.ascii = append(s.lines, int32(i+1)), append(s.ascii, ascii)
			ascii = true
		}
	}
	s.ascii = append(s.ascii, ascii)
	return s
}

// NewExpanded returns the Source of a text that a tool made from files. Its positions, ranges and
// regions are in these files; Name is that of the file that all begins with. A text with problems
// is not parsed: Parse returns them.
func NewExpanded(name, text string, origin Origin, problems ...*findings.Finding) *Source {
	s := NewSource(name, text)
	s.origin, s.problems = origin, problems
	return s
}

// Problems returns what kept an expanded text from being complete.
func (s *Source) Problems() []*findings.Finding { return s.problems }

// Rewritten returns the Source of a text of the same length, with the places of this one.
func (s *Source) Rewritten(text string) *Source {
	if s.origin == nil {
		return NewSource(s.Name, text)
	}
	return NewExpanded(s.Name, text, s.origin)
}

// Written returns the file that a span comes from as a person wrote it, the part of it that the
// span stands for, and whether the text is the same there.
func (s *Source) Written(span Span) (file *Source, at Span, exact bool) {
	if s.origin == nil {
		return s, span, true
	}
	return s.origin.Written(span)
}

// File returns a file as a person wrote it: by the name in a Region, which is empty for the file
// that the shader begins with.
func (s *Source) File(name string) *Source {
	if s.origin == nil {
		return s
	}
	if file := s.origin.File(cmp.Or(name, s.Name)); file != nil {
		return file
	}
	return s
}

// LineAsWritten returns the number of the line, as a person wrote it, where a line of the text
// begins.
func (s *Source) LineAsWritten(line int) int {
	if s.origin == nil || line < 1 || line > len(s.lines) {
		return line
	}
	return s.Position(s.lines[line-1]).Line
}

// WrittenLine returns the first line of a region, as a person wrote it, without its line break.
func (s *Source) WrittenLine(r findings.Region) string {
	file := s.File(r.File)
	if r.Line < 1 || r.Line > file.Lines() {
		return ""
	}
	return file.Slice(file.Line(r.Line))
}

// Slice returns the text in the span.
func (s *Source) Slice(span Span) string { return s.Text[span.Start:span.End] }

// Lines returns the number of lines; an empty text has one. An expanded text has lines of its own:
// those that a person wrote are the lines of File.
func (s *Source) Lines() int { return len(s.lines) }

// Line returns the span of a line (from 1), without its line break.
func (s *Source) Line(line int) Span {
	start, end := s.lines[line-1], int32(len(s.Text))
	if line < len(s.lines) {
		end = s.lines[line]
	}
	for end > start && (s.Text[end-1] == '\n' || s.Text[end-1] == '\r') {
		end--
	}
	return Span{Start: start, End: end}
}

// LineOf returns the number of the line (from 1) that holds a byte offset, in O(log lines).
func (s *Source) LineOf(offset int32) int {
	return sort.Search(len(s.lines), func(i int) bool { return s.lines[i] > offset })
}

// Position returns the position of a byte offset, 0 to len(Text), in O(log lines), and on a line
// with other characters than ASCII in O(log lines + length of the line).
func (s *Source) Position(offset int32) Position {
	if s.origin != nil {
		file, at, _ := s.origin.Written(Span{Start: offset, End: offset})
		return file.Position(at.Start)
	}
	offset = min(max(offset, 0), int32(len(s.Text)))
	line := s.LineOf(offset)
	start := s.lines[line-1]
	at := Position{Line: line, Column: int(offset-start) + 1}
	if at.UTF16 = at.Column; !s.ascii[line-1] {
		at.UTF16 = utf16Len(s.Text[start:offset]) + 1
	}
	return at
}

// Range returns the span as positions.
func (s *Source) Range(span Span) Range {
	if s.origin != nil {
		file, at, _ := s.origin.Written(span)
		return file.Range(at)
	}
	last := span.Start
	if span.End > span.Start {
		_, size := utf8.DecodeLastRuneInString(s.Text[span.Start:span.End])
		last = span.End - int32(size)
	}
	return Range{s.Position(span.Start), s.Position(last), s.Position(span.End)}
}

// Region returns the span in human terms.
func (s *Source) Region(span Span) findings.Region {
	if s.origin != nil {
		file, at, _ := s.origin.Written(span)
		region := file.Region(at)
		if file.Name != s.Name {
			region.File = file.Name
		}
		return region
	}
	from, to := s.Position(span.Start), s.Position(span.End)
	return findings.Region{
		Line: from.Line, Column: s.characters(from.Line, span.Start),
		EndLine: to.Line, EndColumn: s.characters(to.Line, span.End),
	}
}

// characters returns the column of a byte offset on its line, in characters.
func (s *Source) characters(line int, offset int32) int {
	on := s.Line(line)
	before := Span{Start: on.Start, End: max(on.Start, min(offset, on.End))}
	if s.ascii[line-1] {
		return 1 + int(before.End-before.Start)
	}
	return 1 + utf8.RuneCountInString(s.Slice(before))
}

// Locate sets the regions of findings, of their related places and of the edits that fix them. It
// drops a fix of text that nobody wrote, such as a macro's.
func (s *Source) Locate(list ...*findings.Finding) {
	for _, f := range list {
		f.Region = s.Region(f.Span)
		for i, r := range f.Related {
			f.Related[i].Region = s.Region(r.Span)
		}
		f.Fixes = slices.DeleteFunc(f.Fixes, func(fix findings.Fix) bool {
			return slices.ContainsFunc(fix.Edits, func(e findings.Edit) bool { return !s.editable(f, e) })
		})
		for _, fix := range f.Fixes {
			for i, e := range fix.Edits {
				fix.Edits[i].Region = s.Region(e.Span)
			}
		}
	}
}

// editable reports whether an edit is one of the file that a finding is in.
func (s *Source) editable(f *findings.Finding, e findings.Edit) bool {
	file, _, exact := s.Written(e.Span)
	from, _, _ := s.Written(f.Span)
	return exact && file == from
}

// Format returns a finding on one line, as compilers print it: name:line:column: severity: message
// hint [kind].
func (s *Source) Format(f *findings.Finding) string {
	at := s.Region(f.Span)
	return fmt.Sprintf("%s:%d:%d: %s [%s]", cmp.Or(at.File, s.Name), at.Line, at.Column, f, f.Kind)
}

// Offset returns the byte offset of a line and UTF-16 column, both from 1, as editors send them. It
// moves places beyond the end of the line or text to that end.
func (s *Source) Offset(line, utf16 int) int32 {
	if line < 1 {
		return 0
	}
	if line > len(s.lines) {
		return int32(len(s.Text))
	}
	span := s.Line(line)
	units := utf16 - 1
	for i, r := range s.Slice(span) {
		if units <= 0 {
			return span.Start + int32(i)
		}
		units -= utf16Width(r)
	}
	return span.End
}

func utf16Len(text string) int {
	n := 0
	for _, r := range text {
		n += utf16Width(r)
	}
	return n
}

func utf16Width(r rune) int {
	if r > 0xFFFF {
		return 2
	}
	return 1
}

// UTF16Units returns the length of a text in UTF-16 code units, the unit of JavaScript's strings.
func UTF16Units(text string) int { return len(utf16.Encode([]rune(text))) }
