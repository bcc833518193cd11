package server

import (
	"sort"
	"unicode/utf8"

	"github.com/wgslab/wgslab/internal/editor/protocol"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// A text is a document's text with the table of its lines. Unlike the front end's table, it knows
// the lines of a text that is too long to be a shader, because changes of it still arrive.
type text struct {
	string
	lines []int // the offset of each line's first byte
	utf8  bool  // characters count bytes, else UTF-16 code units
}

func newText(s string, countBytes bool) *text {
	t := &text{s, []int{0}, countBytes}
	for i := range len(s) {
		if s[i] == '\n' || s[i] == '\r' && (i+1 == len(s) || s[i+1] != '\n') {
			t.lines = append(t.lines, i+1)
		}
	}
	return t
}

// end returns the end of a line, from 0, without its line break.
func (t *text) end(line int) int {
	if line+1 == len(t.lines) {
		return len(t.string)
	}
	end := t.lines[line+1]
	for end > t.lines[line] && (t.string[end-1] == '\n' || t.string[end-1] == '\r') {
		end--
	}
	return end
}

// offset returns the byte offset of a position. It moves positions outside the text into it, and
// those within a character to its start.
func (t *text) offset(p protocol.Position) int {
	if p.Line < 0 {
		return 0
	}
	if p.Line >= len(t.lines) {
		return len(t.string)
	}
	start, end := t.lines[p.Line], t.end(p.Line)
	if t.utf8 {
		at := min(max(start+p.Character, start), end)
		for at > start && at < end && !utf8.RuneStart(t.string[at]) {
			at--
		}
		return at
	}
	units := p.Character
	for i, r := range t.string[start:end] {
		if units -= width(r); units < 0 {
			return start + i
		}
	}
	return end
}

// position returns the position of a byte offset.
func (t *text) position(offset int) protocol.Position {
	offset = min(max(offset, 0), len(t.string))
	line := sort.Search(len(t.lines), func(i int) bool { return t.lines[i] > offset }) - 1
	return protocol.Position{Line: line, Character: t.units(t.string[t.lines[line]:offset])}
}

// units returns the length of a part of a line.
func (t *text) units(s string) int {
	if t.utf8 {
		return len(s)
	}
	n := 0
	for _, r := range s {
		n += width(r)
	}
	return n
}

// width returns the number of UTF-16 code units of a character.
func width(r rune) int {
	if r > 0xFFFF {
		return 2
	}
	return 1
}

func (t *text) span(r protocol.Range) (start, end int) {
	start, end = t.offset(r.Start), t.offset(r.End)
	return min(start, end), max(start, end)
}

func (t *text) rangeOf(s syntax.Span) protocol.Range {
	return protocol.Range{Start: t.position(int(s.Start)), End: t.position(int(s.End))}
}
