package syntax

import (
	"sort"
	"unicode/utf8"
)

// Span is a half-open range [Start, End) of byte offsets into a source. 32 bits are enough: Parse refuses sources
// longer than MaxSource.
type Span struct{ Start, End int32 }

// Len is the number of bytes in the span.
func (s Span) Len() int { return int(s.End - s.Start) }

// To is the smallest span that holds both s and t.
func (s Span) To(t Span) Span { return Span{min(s.Start, t.Start), max(s.End, t.End)} }

// Contains reports whether t lies within s.
func (s Span) Contains(t Span) bool { return s.Start <= t.Start && t.End <= s.End }

// Holds reports whether the byte at offset lies within s.
func (s Span) Holds(offset int) bool { return int(s.Start) <= offset && offset < int(s.End) }

// At is the empty span at s's end: where something that is missing should be written.
func (s Span) At() Span { return Span{s.End, s.End} }

// Position is a place in a source as people and editors count. Lines end where editors end them: at LF, CR and CRLF.
// (WGSL knows more line breaks, § 3.2, but they only end comments; an editor does not show them as new lines.)
type Position struct {
	Line   int // from 1
	Column int // from 1, in UTF-8 bytes
	UTF16  int // from 1, in UTF-16 code units: what LSP and JupyterLab call a character, plus 1
}

// Range is a span in positions: First is that of its first byte, Last that of its last character (in an empty span:
// First), End the place after it, as LSP has it.
type Range struct{ First, Last, End Position }

// Source is the text of one shader and its line table. It is immutable and safe for concurrent use.
type Source struct {
	Name  string // as messages show it; may be empty
	Text  string
	lines []int32 // offset of each line's first byte
}

// NewSource prepares the text for turning offsets into positions, in time linear in its length.
func NewSource(name, text string) *Source {
	lines := make([]int32, 1, 1+len(text)/32)
	if len(text) > MaxSource {
		return &Source{Name: name, Text: text, lines: lines}
	}
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\n':
			lines = append(lines, int32(i+1))
		case '\r':
			if i+1 == len(text) || text[i+1] != '\n' {
				lines = append(lines, int32(i+1))
			}
		}
	}
	return &Source{Name: name, Text: text, lines: lines}
}

// Slice is the text in the span.
func (s *Source) Slice(span Span) string { return s.Text[span.Start:span.End] }

// Lines is the number of lines; an empty text has one.
func (s *Source) Lines() int { return len(s.lines) }

// Line is the span of the line (from 1), without the line break at its end.
func (s *Source) Line(line int) Span {
	start, end := s.lines[line-1], int32(len(s.Text))
	if line < len(s.lines) {
		end = s.lines[line]
	}
	for end > start && (s.Text[end-1] == '\n' || s.Text[end-1] == '\r') {
		end--
	}
	return Span{start, end}
}

// Position is the place of a byte offset, 0 to len(Text), in O(log lines + length of the line).
func (s *Source) Position(offset int32) Position {
	offset = min(max(offset, 0), int32(len(s.Text)))
	line := sort.Search(len(s.lines), func(i int) bool { return s.lines[i] > offset })
	start := s.lines[line-1]
	return Position{Line: line, Column: int(offset-start) + 1, UTF16: utf16Len(s.Text[start:offset]) + 1}
}

// Range is the span in positions.
func (s *Source) Range(span Span) Range {
	last := span.Start
	if span.End > span.Start {
		_, size := utf8.DecodeLastRuneInString(s.Text[span.Start:span.End])
		last = span.End - int32(size)
	}
	return Range{s.Position(span.Start), s.Position(last), s.Position(span.End)}
}

// Offset is the byte offset of line and UTF-16 column, both from 1, as editors send them; places beyond the end of
// the line or text are moved to its end.
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
