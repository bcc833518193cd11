package verdict

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/wgslab/wgslab/internal/ground/view/mark"
)

// Headline returns the verdict in a few words.
func (v *Verdict) Headline() string {
	if v.Passed() {
		return v.Exercise + ": right"
	}
	if v.Slug == Stub {
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

// Brief formats the verdict's story for a terminal, without a final newline.
func (v *Verdict) Brief() string {
	var b strings.Builder
	v.writeStory(&b)
	fmt.Fprintf(&b, "\n  %s · %s", v.Score(), v.Footer())
	if !v.Passed() {
		b.WriteString("\n  --all shows more: how the value came to be, what else we saw, all cases")
	}
	return Visible(b.String())
}

// Text formats all of the verdict as text, without a final newline.
func (v *Verdict) Text() string {
	var b strings.Builder
	v.writeStory(&b)
	v.writeMore(&b)
	b.WriteString("\n" + v.casesLine() + "\n")
	b.WriteString("  " + v.Footer())
	return Visible(b.String())
}

// Footer says with what the check ran, and how long it took if the verdict says so.
func (v *Verdict) Footer() string {
	with := fmt.Sprintf("seed %d · %s", v.Seed, v.Adapter)
	if v.Milliseconds == 0 {
		return with
	}
	return fmt.Sprintf("%s · %.0f ms", with, v.Milliseconds)
}

// Facts formats what is wrong, why and in which case, as text for people who know their shader: no
// headline, and no question that leads on.
func (v *Verdict) Facts() string {
	var b strings.Builder
	s := v.Story()
	s.Ask = ""
	v.writeFacts(&b, s)
	return strings.Trim(Visible(b.String()), "\n")
}

func (v *Verdict) writeStory(b *strings.Builder) {
	fmt.Fprintf(b, "%s %s\n", v.Mark().Sign(), v.Headline())
	v.writeFacts(b, v.Story())
}

func (v *Verdict) writeFacts(b *strings.Builder, s Story) {
	write := func(text string) {
		if text != "" {
			b.WriteString("\n" + wrap(text, "  ") + "\n")
		}
	}
	write(s.Found)
	write(s.Says)
	write(s.Because)
	if v.Passed() {
		write(v.Remark)
	}
	write(s.Where)
	if s.Excerpt != "" {
		b.WriteString("\n" + indent(s.Excerpt, "  ") + "\n")
	}
	if s.Ask != "" {
		write("→ " + s.Ask)
	}
	write(s.About)
	for _, in := range s.Inputs {
		for _, p := range in.Pictures() {
			b.WriteString(wrap(p.Label, "  ") + "\n")
		}
	}
	if s.Table != nil {
		b.WriteString(s.Table.text())
	}
}

func (v *Verdict) writeMore(b *strings.Builder) {
	m := v.More()
	for _, sentence := range slices.Concat(m.Reasons, m.Findings) {
		b.WriteString("\n" + wrap("· "+sentence, "  ") + "\n")
	}
	if m.Table != nil {
		b.WriteString("\n" + m.Table.text())
	}
	if m.Origin != nil {
		b.WriteString("\n" + m.Origin.text())
	}
	if m.Remark != "" && !v.Passed() {
		b.WriteString("\n" + wrap(m.Remark, "  ") + "\n")
	}
	if m.Detail != "" {
		b.WriteString("\n" + indent(m.Detail, "  ") + "\n")
	}
	if m.Stop != nil {
		fmt.Fprintf(b, "\n  %s:\n  %s\n", strings.ReplaceAll(m.Stop.Title(), "`", ""), m.Stop.Command)
	}
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

// casesLine lists the cases. A case's name is never broken.
func (v *Verdict) casesLine() string {
	if len(v.Cases) == 0 {
		return "  no case ran"
	}
	words := []string{"cases:"}
	for _, c := range v.Cases {
		words = append(words, mark.Of(c.Pass).Sign()+" "+c.Name)
	}
	return wrapWords(words, "  ")
}

func (m *Mismatch) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "  %-12s %14s %14s\n", m.Output, "wanted", "got")
	for _, e := range m.Around {
		mark := ""
		if !e.OK {
			mark = "  ✗"
		}
		fmt.Fprintf(&b, "  %-12s %14s %14s%s\n", e.Label(), e.Wanted(), e.Found(), mark)
	}
	return b.String()
}

func indent(text, by string) string {
	return by + strings.ReplaceAll(text, "\n", "\n"+by)
}

// wrap breaks a paragraph into lines.
func wrap(paragraph, by string) string { return wrapWords(strings.Fields(paragraph), by) }

// wrapWords sets words in lines of at most 78 characters.
func wrapWords(words []string, by string) string {
	const width = 78
	var lines []string
	line := by
	for _, word := range words {
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
