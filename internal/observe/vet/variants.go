package vet

import (
	"cmp"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
)

// A same is what makes findings of several variants one.
type same struct {
	findings.Region
	kind    findings.Kind
	message string
}

func sameness(f *findings.Finding) same { return same{f.Region, f.Kind, f.Message} }

// OfVariants reads the variants of one file, and returns what they have together. A finding that
// only some of them have names these. Variants without a name are one. lacking says where a shader
// may get a name that it lacks, or "". also, if not nil, finds more in each.
func OfVariants(names []string, sources []*shader.Source, lacking func(name string) string, also func(*shader.Source) []*findings.Finding) *Report {
	read := func(source *shader.Source) *Report {
		report := Of(source).namedOnce(lacking)
		if also != nil {
			report.Add(also(source))
		}
		return report
	}
	if len(sources) == 1 {
		return read(sources[0])
	}
	var all []*Report
	in := map[same][]string{}
	first := map[same]*findings.Finding{}
	for i, source := range sources {
		report := read(source)
		all = append(all, report)
		for _, found := range report.Findings {
			key := sameness(found)
			if first[key] == nil {
				first[key] = found
			}
			if !slices.Contains(in[key], names[i]) {
				in[key] = append(in[key], names[i])
			}
		}
	}
	together := &Report{Name: all[0].Name, shader: all[0].shader, variants: all, in: map[*findings.Finding][]string{}}
	for key, found := range first {
		together.Findings = append(together.Findings, found)
		if len(in[key]) < len(sources) {
			together.in[found] = in[key]
		}
	}
	slices.SortFunc(together.Findings, inOrder)
	return together
}

// ofHost matches the names that hosts put into shaders: those of macros.
var ofHost = regexp.MustCompile(`^[A-Z][A-Z0-9_]+$`)

// isOfHost reports whether only the host may know an undeclared name: it looks like a macro's, or
// the shader is a template in which no name is similar.
func (f *Report) isOfHost(name string, found *findings.Finding) bool {
	file, _, _ := f.shader.Source.Written(findings.Span{})
	template := file.Text != f.shader.Source.Text && filepath.Ext(f.Name) != ".wesl"
	return ofHost.MatchString(name) || template && !strings.HasPrefix(found.Hint, "Did you mean")
}

// mostPlaces is how many more places of a name a finding lists.
const mostPlaces = 5

// namedOnce makes one finding of all uses of a name that only the host can know, or that another
// file has.
func (f *Report) namedOnce(lacking func(name string) string) *Report {
	uses := map[string]int{}
	first := map[string]*findings.Finding{}
	f.Findings = slices.DeleteFunc(f.Findings, func(found *findings.Finding) bool {
		if found.Kind != findings.UnknownName {
			return false
		}
		name := f.shader.Source.Slice(found.Span)
		advice := lacking(name)
		host := advice == "" && f.isOfHost(name, found)
		if host {
			advice = fmt.Sprintf("Declare it, or pass the host's value with -D %s=… or in wgslab.toml.", name)
		}
		if advice == "" {
			return false
		}
		uses[name]++
		if first[name] == nil {
			first[name] = found
			found.Try("%s", advice).Fixes = nil
			f.lacks = append(f.lacks, lack{name, host})
			return false
		}
		if uses[name] <= 1+mostPlaces {
			first[name].Related = append(first[name].Related, findings.Related{Location: found.Location, Message: "It is used here as well."})
		}
		return true
	})
	for name, n := range uses {
		if more := n - 1 - mostPlaces; more > 0 {
			first[name].Related[mostPlaces-1].Message += fmt.Sprintf(" So it is in %s.", english.Count(more, "more place", "more places"))
		}
	}
	return f
}

// inOrder compares the places of findings, and then their texts.
func inOrder(a, b *findings.Finding) int {
	return cmp.Or(strings.Compare(a.File, b.File), a.Line-b.Line, a.Column-b.Column, strings.Compare(string(a.Kind), string(b.Kind)), strings.Compare(a.Message, b.Message))
}

// Once removes from later reports what an earlier one has said of a file that both include, or of
// the file itself.
func Once(files []*Report) {
	said := map[same]bool{}
	for _, f := range files {
		key := func(found *findings.Finding) same {
			key := sameness(found)
			key.File = cmp.Or(found.File, f.Name)
			return key
		}
		f.Findings = slices.DeleteFunc(f.Findings, func(found *findings.Finding) bool { return said[key(found)] })
		for _, found := range f.Findings {
			said[key(found)] = true
		}
	}
}

// Variants returns the names of the variants that have a finding, or nothing if all have it.
func (f *Report) Variants(found *findings.Finding) []string { return f.in[found] }

// ofVariants says in a few words which variants have a finding.
func (f *Report) ofVariants(found *findings.Finding) string {
	const most = 6
	names := f.in[found]
	switch {
	case len(names) == 0:
		return ""
	case len(names) > most:
		return fmt.Sprintf("in %d of %d variants, such as %s", len(names), len(f.variants), english.List(names[:most/2]))
	}
	return "in " + english.Form(len(names), "variant", "variants") + " " + english.List(names)
}
