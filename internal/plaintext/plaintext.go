// Package plaintext sets text for terminals: columns, lines of a width, and
// nothing in it that would steer the terminal.
package plaintext

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// Count is a number of things: "1 student", "2 students".
func Count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// leastName is how narrow the first column may get.
const leastName = 12

// Columns sets rows in columns. Where they are wider than width, the first
// one is cut; 0 is as wide as it takes.
func Columns(b *strings.Builder, rows [][]string, width int) {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], uniseg.StringWidth(cell))
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
			cell = cut(cell, widths[i])
			line.WriteString(cell + strings.Repeat(" ", widths[i]-uniseg.StringWidth(cell)+2))
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
}

// cut shortens text to a width in columns.
func cut(text string, width int) string {
	if uniseg.StringWidth(text) <= width {
		return text
	}
	var b strings.Builder
	left, state := width-1, -1
	for text != "" {
		var cluster string
		var columns int
		cluster, text, columns, state = uniseg.FirstGraphemeClusterInString(text, state)
		if left -= columns; left < 0 {
			break
		}
		b.WriteString(cluster)
	}
	return b.String() + "…"
}

// Fill sets parts in lines no wider than width where that can be, each after the
// indent.
func Fill(parts []string, between, indent string, width int) string {
	var b strings.Builder
	line := indent
	for _, part := range parts {
		switch {
		case line == indent:
			line += part
		case width > 0 && uniseg.StringWidth(line+between+part) > width:
			b.WriteString(line + "\n")
			line = indent + part
		default:
			line += between + part
		}
	}
	b.WriteString(line + "\n")
	return b.String()
}

// OneLine makes text fit to be shown in one line: what is no character, ends a line or
// steers a terminal or the direction of writing is replaced. The joiners stay,
// which Persian names and emoji are written with.
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
