package vet

import (
	"fmt"
	"io"
	"strings"

	"github.com/wgslab/wgslab/internal/plaintext"
	"github.com/wgslab/wgslab/internal/shader"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// Text writes the findings for people: the place as compilers write it, so that terminals and editors lead to it, the
// line with carets, what to try, and the other places that belong to it. Columns are characters. The last line counts.
func Text(w io.Writer, files []*File) error {
	var b strings.Builder
	for _, f := range files {
		for _, found := range f.Findings {
			f.writeFinding(&b, found)
		}
	}
	b.WriteString(summary(files) + "\n")
	_, err := io.WriteString(w, b.String())
	return err
}

func (f *File) writeFinding(b *strings.Builder, found Finding) {
	at := f.place(found.Span)
	code := found.Code
	if found.Rule != nil {
		code += ", " + found.certainty()
	}
	fmt.Fprintf(b, "%s:%d:%d: %s: %s [%s]\n", plaintext.OneLine(f.Name), at.Line, at.Column, found.Severity, plaintext.OneLine(found.Message), code)
	writeIndented(b, "  ", f.Excerpt(at))
	if found.Hint != "" {
		b.WriteString("  " + plaintext.OneLine(found.Hint) + "\n")
	}
	for _, r := range found.Related {
		at := f.place(r.Span)
		fmt.Fprintf(b, "  line %d: %s\n", at.Line, plaintext.OneLine(r.Message))
		writeIndented(b, "    ", f.Excerpt(at))
	}
	b.WriteString("\n")
}

// Excerpt is the line of a place with carets, of a place over several lines the first.
func (f *File) Excerpt(at shader.Span) string {
	line := plaintext.OneLine(f.line(at.Line))
	if at.EndLine > at.Line {
		at.EndLine, at.EndColumn = at.Line, 1+len([]rune(line))
	}
	return at.Excerpt(line)
}

func writeIndented(b *strings.Builder, indent, text string) {
	b.WriteString(indent + strings.ReplaceAll(text, "\n", "\n"+indent) + "\n")
}

// summary counts: "2 errors and 1 warning in 1 of 3 shaders".
func summary(files []*File) string {
	counts := map[syntax.Severity]int{}
	concerned := 0
	for _, f := range files {
		for _, found := range f.Findings {
			counts[found.Severity]++
		}
		if len(f.Findings) > 0 {
			concerned++
		}
	}
	var parts []string
	for s, what := range []string{"error", "warning", "remark"} {
		if n := counts[syntax.Severity(s)]; n > 0 {
			parts = append(parts, plaintext.Count(n, what))
		}
	}
	if len(parts) == 0 {
		return plaintext.Count(len(files), "shader") + ", nothing found"
	}
	return fmt.Sprintf("%s in %d of %s", strings.Join(parts, ", "), concerned, plaintext.Count(len(files), "shader"))
}
