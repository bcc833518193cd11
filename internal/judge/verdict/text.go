package verdict

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Headline returns the verdict in a few words.
func (v *Verdict) Headline() string {
	if v.Passed() {
		return v.Exercise + ": right"
	}
	if v.Diagnosis == Stub {
		return v.Exercise + ": not started"
	}
	switch v.Stage {
	case StageCompile:
		return v.Exercise + ": does not compile"
	case StageBind:
		return v.Exercise + ": the bindings don't match"
	case StageRun:
		return v.Exercise + ": did not finish"
	}
	return v.Exercise + ": not right yet"
}

// Text formats the verdict for a terminal, without a final newline.
func (v *Verdict) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s\n", v.Mark().Sign(), v.Headline())
	v.writePlace(&b)
	for _, paragraph := range []string{strings.TrimSpace(v.Message + " " + v.Try), v.Why, v.Remark} {
		if paragraph != "" {
			b.WriteString("\n" + wrap(paragraph, "  ") + "\n")
		}
	}
	if v.Mismatch != nil {
		b.WriteString("\n" + v.Mismatch.text())
	}
	for _, sentence := range v.Also() {
		b.WriteString("\n" + wrap("· "+sentence, "  ") + "\n")
	}
	if v.Origin != nil {
		b.WriteString("\n" + v.Origin.text())
	}
	if v.Ask != "" {
		b.WriteString("\n" + wrap("→ "+v.Ask, "  ") + "\n")
	}
	if stop := v.Stop(); stop != nil {
		fmt.Fprintf(&b, "\n  stop where %s should be written:\n  %s\n", stop.Element, stop.Command)
	}
	b.WriteString("\n" + v.casesLine() + "\n")
	fmt.Fprintf(&b, "  seed %d, %s, %.0f ms", v.Seed, v.Adapter, v.Milliseconds)
	return Visible(b.String())
}

// Visible replaces control characters. A shader's line is shown as it is, but must not control the
// terminal.
func Visible(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return utf8.RuneError
		}
		return r
	}, text)
}

func (v *Verdict) writePlace(b *strings.Builder) {
	if v.Excerpt != "" {
		fmt.Fprintf(b, "\n  line %d, column %d\n%s\n", v.Line, v.Column, indent(v.Excerpt, "  "))
	}
	if v.Detail != "" {
		b.WriteString(indent(v.Detail, "  ") + "\n")
	}
}

func (v *Verdict) casesLine() string {
	if len(v.Cases) == 0 {
		return "  no case ran"
	}
	var parts []string
	for _, c := range v.Cases {
		mark := "✓"
		if !c.Pass {
			mark = "✗"
		}
		parts = append(parts, mark+" "+c.Name)
	}
	return wrap("cases: "+strings.Join(parts, "  "), "  ")
}

func (m *Mismatch) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "  %-12s %14s %14s\n", m.Output, "wanted", "got")
	for _, e := range m.Around {
		mark := ""
		if !e.OK {
			mark = "  ✗"
		}
		fmt.Fprintf(&b, "  %-12s %14s %14s%s\n", fmt.Sprintf("[%d]", e.Index), e.Want, e.Found(), mark)
	}
	return b.String()
}

func indent(text, by string) string {
	return by + strings.ReplaceAll(text, "\n", "\n"+by)
}

// wrap breaks a paragraph into lines of at most 78 characters.
func wrap(paragraph, by string) string {
	const width = 78
	var lines []string
	line := by
	for _, word := range strings.Fields(paragraph) {
		if line != by && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > width {
			lines = append(lines, line)
			line = by
		}
		if line != by {
			line += " "
		}
		line += word
	}
	return strings.Join(append(lines, line), "\n")
}
