package vet

import (
	"cmp"
	"fmt"
	"io"
	"maps"
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
	b.WriteString(lacking(files))
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
	if quiet(files) {
		b.WriteString("vet doesn't run shaders: wgslab simulate and wgslab test find races and wrong values.\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// lacking says first which names keep shaders from being understood, if there are several, and how
// to go on.
func lacking(files []*Report) string {
	const several, shown = 3, 5
	in, from := map[string]int{}, map[string]string{} // the first file that lacks a name of its host
	concerned := 0
	for _, f := range files {
		here := f.lacking()
		for name, host := range here {
			if in[name]++; host {
				from[name] = cmp.Or(from[name], f.Name)
			}
		}
		concerned += min(len(here), 1)
	}
	if len(in) < several {
		return ""
	}
	names := slices.SortedFunc(maps.Keys(in), func(a, b string) int { return cmp.Or(in[b]-in[a], strings.Compare(a, b)) })
	listed := english.List(names)
	if more := len(names) - shown; more > 1 {
		listed = strings.Join(names[:shown], ", ") + fmt.Sprintf(" and %d more", more)
	}
	text := fmt.Sprintf("%d names are missing in %d of %s: %s. ", len(in), concerned, english.Count(len(files), "shader", "shaders"), listed)
	for _, name := range names {
		if file := from[name]; file != "" {
			return text + fmt.Sprintf("Hosts set such names: write them under [values] in wgslab.toml, or try one.\n  wgslab vet %s -D %s=…\n\n", plaintext.OneLine(file), name)
		}
	}
	return text + "Other files or branches have them, as each finding says.\n\n"
}

// lacking returns the names that the shader or a variant lacks, and whether its host sets them.
func (f *Report) lacking() map[string]bool {
	here := map[string]bool{}
	for _, v := range append([]*Report{f}, f.variants...) {
		for _, l := range v.lacks {
			here[l.name] = here[l.name] || l.host
		}
	}
	return here
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

// quiet reports whether shaders were read and nothing was found.
func quiet(files []*Report) bool {
	return len(files) > 0 && !slices.ContainsFunc(files, func(f *Report) bool { return f.Unread || f.Tested || len(f.Findings) > 0 })
}

// summary counts the findings: "2 errors and 1 warning in 1 of 3 shaders". Files that could not be
// read are no shaders.
func summary(files []*Report) string {
	read := slices.DeleteFunc(slices.Clone(files), func(f *Report) bool { return f.Unread })
	if unread := len(files) - len(read); unread > 0 {
		could := english.Count(unread, "file", "files") + " could not be read"
		if len(read) == 0 {
			return could
		}
		return summary(read) + "; " + could
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
