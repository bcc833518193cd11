package editor

import (
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// A text is a document's text with the table of its lines. Unlike the front end's table, it knows
// the lines of a text that is too long to be a shader, because changes of it still arrive.
type text struct {
	string
	lines []int  // the offset of each line's first byte
	utf8  bool   // characters count bytes, else UTF-16 code units
	wide  []wide // the characters with fewer units than bytes, unless utf8
}

// A wide is a character with fewer units than bytes. The table of them makes the units of a long
// line cheap to count.
type wide struct {
	end   int // of the character, in bytes
	saved int // by which the units of the text up to there are fewer than its bytes
}

func newText(s string, countBytes bool) *text {
	t := &text{string: s, lines: []int{0}, utf8: countBytes}
	saved := 0
	for i, r := range s {
		switch {
		case r == '\n' || r == '\r' && !t.betweenBreak(i+1):
			t.lines = append(t.lines, i+1)
		case r >= utf8.RuneSelf && !countBytes:
			size := utf8.RuneLen(r)
			saved += size - width(r)
			t.wide = append(t.wide, wide{i + size, saved})
		}
	}
	return t
}

// betweenBreak reports whether an offset is between the two characters of a line break.
func (t *text) betweenBreak(offset int) bool {
	return 0 < offset && offset < len(t.string) && t.string[offset-1:offset+1] == "\r\n"
}

// lineBreak returns the line break that the text begins with: an editor's document has one kind.
func (t *text) lineBreak() string {
	if at := strings.IndexByte(t.string, '\n'); t.betweenBreak(at) {
		return "\r\n"
	}
	return "\n"
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
func (t *text) offset(p Position) int {
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

// line returns the number of the line, from 0, that holds a byte offset.
func (t *text) line(offset int) int {
	return sort.Search(len(t.lines), func(i int) bool { return t.lines[i] > offset }) - 1
}

// position returns the position of a byte offset. A line break has no place within it.
func (t *text) position(offset int) Position {
	offset = min(max(offset, 0), len(t.string))
	if t.betweenBreak(offset) {
		offset--
	}
	line := t.line(offset)
	return Position{Line: line, Character: t.units(t.lines[line], offset)}
}

// units returns the length of a part of a line.
func (t *text) units(start, end int) int { return end - start - (t.saved(end) - t.saved(start)) }

// saved returns by how much the units of the text up to an offset are fewer than its bytes.
func (t *text) saved(offset int) int {
	n := sort.Search(len(t.wide), func(i int) bool { return t.wide[i].end > offset })
	if n == 0 {
		return 0
	}
	return t.wide[n-1].saved
}

// width returns the number of UTF-16 code units of a character.
func width(r rune) int {
	if r > 0xFFFF {
		return 2
	}
	return 1
}

func (t *text) span(r Range) (start, end int) {
	start, end = t.offset(r.Start), t.offset(r.End)
	return min(start, end), max(start, end)
}

func (t *text) rangeOf(s syntax.Span) Range {
	return Range{Start: t.position(int(s.Start)), End: t.position(int(s.End))}
}
