package view

import (
	"html/template"
	"strings"
	"unicode/utf8"
)

// Card is a small list of names and values, such as an adapter's properties.
type Card struct {
	Title string
	Rows  [][2]string // name, value
}

// HTML renders the card as a framed table.
func (c Card) HTML() template.HTML { return render("card", c) }

// Text renders the card with one line per row and aligned names.
func (c Card) Text() string {
	width := 0
	for _, row := range c.Rows {
		width = max(width, utf8.RuneCountInString(row[0]))
	}
	lines := titled(c.Title)
	for _, row := range c.Rows {
		lines = append(lines, "  "+padRight(row[0], width)+"  "+row[1])
	}
	return strings.Join(lines, "\n")
}

// Note is a short notice: a title, a body that keeps its line breaks, and lines of code in a
// fixed-width font.
type Note struct {
	Mark  Mark
	Title string
	Body  string
	Code  string
}

// HTML renders the note with a bar and a sign of its mark's colour.
func (n Note) HTML() template.HTML { return render("note", n) }

// Text renders the note, its body and its code indented.
func (n Note) Text() string {
	lines := []string{n.Mark.Sign() + " " + n.Title}
	for _, part := range []string{n.Body, n.Code} {
		if part != "" {
			lines = append(lines, "  "+strings.ReplaceAll(part, "\n", "\n  "))
		}
	}
	return strings.Join(lines, "\n")
}

// titled starts a text with its title and source, if they are set.
func titled(parts ...string) []string {
	var said []string
	for _, part := range parts {
		if part != "" {
			said = append(said, part)
		}
	}
	if len(said) == 0 {
		return nil
	}
	return []string{strings.Join(said, " · ")}
}

func padRight(s string, width int) string {
	return s + strings.Repeat(" ", max(0, width-utf8.RuneCountInString(s)))
}

func padLeft(s string, width int) string {
	return strings.Repeat(" ", max(0, width-utf8.RuneCountInString(s))) + s
}
