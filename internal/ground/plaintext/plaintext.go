// Package plaintext lays out text for terminals in columns and lines of a given width, and
// removes control characters.
package plaintext

import (
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// leastName is the minimum width of the first column.
const leastName = 12

// Columns writes rows in aligned columns. If they are wider than width, it cuts the first
// column; a width of 0 means no limit.
func Columns(b *strings.Builder, rows [][]string, width int) {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], widthOf(cell))
		}
	}
	if width > 0 {
		rest := 0
		for _, other := range widths[1:] {
			rest += 2 + other
		}
		widths[0] = min(widths[0], max(leastName, width-rest))
	}
	for _, row := range rows {
		var line strings.Builder
		for i, cell := range row {
			cell = Cut(cell, widths[i])
			line.WriteString(cell + strings.Repeat(" ", widths[i]-widthOf(cell)+2))
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
}

// Table writes rows in columns, as wide as they are.
func Table(w io.Writer, rows [][]string) error {
	var b strings.Builder
	Columns(&b, rows, 0)
	_, err := io.WriteString(w, b.String())
	return err
}

// Cut shortens text to a width in columns.
func Cut(text string, width int) string {
	if widthOf(text) <= width {
		return text
	}
	var b strings.Builder
	left, state := width-1, -1
	for text != "" {
		var cluster string
		var columns int
		cluster, text, columns, state = firstCluster(text, state)
		if left -= columns; left < 0 {
			break
		}
		b.WriteString(cluster)
	}
	return b.String() + "…"
}

// Fill joins parts into indented lines. A line is wider than width only if a single part is;
// a width of 0 means one line.
func Fill(parts []string, between, indent string, width int) string {
	var b strings.Builder
	line := indent
	for _, part := range parts {
		switch {
		case line == indent:
			line += part
		case width > 0 && widthOf(line+between+part) > width:
			b.WriteString(line + "\n")
			line = indent + part
		default:
			line += between + part
		}
	}
	b.WriteString(line + "\n")
	return b.String()
}

// OneLine replaces whatever breaks a line, controls the terminal or changes the direction of
// writing. It keeps the zero-width joiners, which Persian names and emoji need.
func OneLine(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t' || r == '\n':
			return ' '
		case r == '\u200c' || r == '\u200d' || unicode.IsGraphic(r) && r != '\u2028' && r != '\u2029':
			return r
		}
		return utf8.RuneError
	}, text)
}
