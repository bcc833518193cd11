package vet

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/ground/plaintext"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
)

// Text writes the findings for people: the place in the format of compilers, which terminals and
// editors link to, the line with carets, what to try, and the related places. Columns are
// characters. The last line is a summary.
func Text(w io.Writer, files []*Report) error {
	var b strings.Builder
	for _, f := range files {
		if f.Unread {
			fmt.Fprintf(&b, "%s: error: %s [%s]\n\n", plaintext.OneLine(f.Name), plaintext.OneLine(f.Findings[0].Message), findings.Unreadable)
			continue
		}
		for _, found := range f.Findings {
			f.writeFinding(&b, found)
		}
	}
	b.WriteString(summary(files) + "\n")
	_, err := io.WriteString(w, b.String())
	return err
}

func (f *Report) writeFinding(b *strings.Builder, found *findings.Finding) {
	kind := string(found.Kind)
	if found.Certainty != findings.ByRule {
		kind += ", " + found.Certainty.String()
	}
	if in := f.ofVariants(found); in != "" {
		kind += ", " + in
	}
	fmt.Fprintf(b, "%s:%d:%d: %s: %s [%s]\n", plaintext.OneLine(f.file(found.Region)), found.Line, found.Column, found.Severity, plaintext.OneLine(found.Message), kind)
	writeIndented(b, "  ", f.Excerpt(found.Region))
	if found.Hint != "" {
		b.WriteString("  " + plaintext.OneLine(found.Hint) + "\n")
	}
	for _, r := range found.Related {
		fmt.Fprintf(b, "  %s: %s\n", f.line(found.Region, r.Region), plaintext.OneLine(r.Message))
		writeIndented(b, "    ", f.Excerpt(r.Region))
	}
	b.WriteString("\n")
}

// line names the line of a place that belongs to a finding, and its file where that is another one.
func (f *Report) line(of, r findings.Region) string {
	if r.File == of.File {
		return fmt.Sprintf("line %d", r.Line)
	}
	return fmt.Sprintf("%s, line %d", plaintext.OneLine(f.file(r)), r.Line)
}

func writeIndented(b *strings.Builder, indent, text string) {
	b.WriteString(indent + strings.ReplaceAll(text, "\n", "\n"+indent) + "\n")
}

// summary counts the findings: "2 errors and 1 warning in 1 of 3 shaders". Files that could not be
// read are no shaders.
func summary(files []*Report) string {
	read := slices.DeleteFunc(slices.Clone(files), func(f *Report) bool { return f.Unread })
	if unread := len(files) - len(read); unread > 0 {
		return summary(read) + "; " + english.Count(unread, "file", "files") + " could not be read"
	}
	counts := map[findings.Severity]int{}
	concerned, variants := 0, 0
	for _, f := range read {
		variants += max(1, len(f.variants))
		for _, found := range f.Findings {
			counts[found.Severity]++
		}
		if len(f.Findings) > 0 {
			concerned++
		}
	}
	var parts []string
	for s, what := range []string{"error", "warning", "remark"} {
		if n := counts[findings.Severity(s)]; n > 0 {
			parts = append(parts, english.Count(n, what, what+"s"))
		}
	}
	shaders := english.Count(len(read), "shader", "shaders")
	if variants > len(read) {
		shaders += fmt.Sprintf(" with %d variants", variants)
	}
	if len(parts) == 0 {
		return shaders + ", nothing found"
	}
	return fmt.Sprintf("%s in %d of %s", strings.Join(parts, ", "), concerned, shaders)
}
