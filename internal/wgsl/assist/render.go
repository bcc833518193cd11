package assist

import (
	"fmt"
	"strings"
)

// Text returns the inspection as plain text, one thing per line.
func (i Inspection) Text() string {
	var b strings.Builder
	for _, line := range i.code() {
		b.WriteString(line + "\n")
	}
	if i.Doc != "" {
		b.WriteString(i.Doc + "\n")
	}
	for _, f := range i.facts() {
		fmt.Fprintf(&b, "%s: %s\n", f.Label, f.Text)
	}
	if l := i.Layout; l != nil && len(l.Members) > 0 {
		b.WriteString("offset  size  align  member\n")
		for _, m := range l.Members {
			fmt.Fprintf(&b, "%6d %5d %6d  %s: %s\n", m.Offset, m.Size, m.Align, m.Name, m.Type)
		}
	}
	if i.Section != "" {
		fmt.Fprintf(&b, "WGSL § %s: %s\n", i.Section, i.Link)
	}
	return b.String()
}

// Markdown returns the inspection in Markdown, as JupyterLab shows it.
func (i Inspection) Markdown() string {
	var b strings.Builder
	b.WriteString("```wgsl\n" + strings.Join(i.code(), "\n") + "\n```\n\n")
	if i.Doc != "" {
		b.WriteString(escape(i.Doc) + "\n\n")
	}
	for _, f := range i.facts() {
		fmt.Fprintf(&b, "- %s: %s\n", f.Label, escape(f.Text))
	}
	if l := i.Layout; l != nil && len(l.Members) > 0 {
		b.WriteString("\n| offset | size | align | member |\n|--:|--:|--:|:--|\n")
		for _, m := range l.Members {
			fmt.Fprintf(&b, "| %d | %d | %d | `%s: %s` |\n", m.Offset, m.Size, m.Align, m.Name, m.Type)
		}
	}
	if i.Section != "" {
		fmt.Fprintf(&b, "\n[WGSL § %s](%s)\n", i.Section, i.Link)
	}
	return b.String()
}

// mostCode is the maximum number of code lines shown; texture functions have many overloads.
const mostCode = 12

// code returns the lines of code, or else the name and its kind.
func (i Inspection) code() []string {
	switch {
	case len(i.Code) == 0:
		return []string{i.Name + " // " + i.Kind.long()}
	case len(i.Code) > mostCode:
		return append(i.Code[:mostCode:mostCode], fmt.Sprintf("// and %d more", len(i.Code)-mostCode))
	}
	return i.Code
}

// facts returns the facts, with the layout as one of them.
func (i Inspection) facts() []Fact {
	l := i.Layout
	if l == nil {
		return i.Facts
	}
	text := fmt.Sprintf("%s, aligned to %d", inBytes(l.Size), l.Align)
	if l.Stride > 0 {
		text += fmt.Sprintf(", %s from one element to the next", inBytes(l.Stride))
	}
	return append(i.Facts[:len(i.Facts):len(i.Facts)], Fact{"memory layout", text})
}

func inBytes(n uint64) string {
	if n == 1 {
		return "1 byte"
	}
	return fmt.Sprintf("%d bytes", n)
}

// markup escapes the characters that have a meaning in Markdown and HTML.
var markup = strings.NewReplacer(`\`, `\\`, "*", `\*`, "_", `\_`, "<", "&lt;", ">", "&gt;", "|", `\|`, "[", `\[`, "&", "&amp;")

// escape escapes words, but not the text between backticks, which is code already.
func escape(text string) string {
	parts := strings.Split(text, "`")
	for i := 0; i < len(parts); i += 2 {
		parts[i] = markup.Replace(parts[i])
	}
	return strings.Join(parts, "`")
}
