package findings

import (
	"fmt"
	"strconv"
	"strings"
)

// A Span is a half-open range [Start, End) of byte offsets in a source. 32 bits are enough: the
// parser refuses longer sources.
type Span struct{ Start, End int32 }

// Len returns the number of bytes in the span.
func (s Span) Len() int { return int(s.End - s.Start) }

// To returns the smallest span that contains both s and t.
func (s Span) To(t Span) Span { return Span{min(s.Start, t.Start), max(s.End, t.End)} }

// Contains reports whether t is within s.
func (s Span) Contains(t Span) bool { return s.Start <= t.Start && t.End <= s.End }

// Holds reports whether the byte at offset is within s.
func (s Span) Holds(offset int) bool { return int(s.Start) <= offset && offset < int(s.End) }

// At returns the empty span at the end of s, where a missing token should be inserted.
func (s Span) At() Span { return Span{s.End, s.End} }

// A Location is a part of a shader's text and, in a run, the invocation that executed it.
type Location struct {
	Span                            // for programs; findings of a driver's compiler have none
	Region                          // for people; the front end sets it for all findings at once
	Workgroup, Invocation [3]uint32 // workgroup_id and local_invocation_id
}

// A Region is a part of a text in human terms: lines and columns from 1, columns in characters. The
// end column is the one after the last character. The zero Region means no place.
type Region struct {
	File      string `json:"file,omitempty"` // empty in the file that the shader begins with
	Line      int    `json:"line"`
	Column    int    `json:"column"`
	EndLine   int    `json:"end_line"`
	EndColumn int    `json:"end_column"`
}

// LineName names the line in a sentence: line 12, or line 2 of noise.wgsl.
func (r Region) LineName() string {
	name := "line " + strconv.Itoa(r.Line)
	if r.File != "" {
		name += " of " + r.File[strings.LastIndexAny(r.File, `/\`)+1:]
	}
	return name
}

// SameLine reports whether another region begins on the line of this one.
func (r Region) SameLine(other Region) bool { return r.File == other.File && r.Line == other.Line }

// Excerpt returns the region's first line with carets below the region, for a fixed-width font; ""
// for no place. It shortens a very long line around the region.
func (r Region) Excerpt(line string) string {
	if r.Line == 0 {
		return ""
	}
	line, column, length := window(line, r.Column, r.length(line))
	number := strconv.Itoa(r.Line)
	// Tabs stay tabs in the margin, so that the carets stay below their place.
	indent := strings.Map(func(r rune) rune {
		if r == '\t' {
			return r
		}
		return ' '
	}, firstRunes(line, column-1))
	gutter := strings.Repeat(" ", len(number))
	return fmt.Sprintf("%s | %s\n%s | %s%s", number, line, gutter, indent, strings.Repeat("^", length))
}

// length returns how many characters of its first line a region covers, at least 1.
func (r Region) length(line string) int {
	end := r.EndColumn
	if r.EndLine != r.Line {
		end = 1 + len([]rune(line))
	}
	return max(1, end-r.Column)
}

// window shortens a line to a readable part around a column.
func window(line string, column, length int) (string, int, int) {
	const before, after = 100, 160
	runes := []rune(line)
	if len(runes) <= before+after {
		return line, column, length
	}
	if from := column - 1 - before; from > 0 {
		runes, column = append([]rune{'…'}, runes[min(from, len(runes)):]...), before+2
	}
	if end := column - 1 + after; end < len(runes) {
		runes, length = append(runes[:end:end], '…'), min(length, after)
	}
	return string(runes), column, length
}

func firstRunes(s string, n int) string {
	runes := []rune(s)
	return string(runes[:max(0, min(n, len(runes)))])
}
