// Package wesl links WESL, an extension of WGSL with imports and conditions, into one WGSL text
// (https://wesl-lang.dev/spec). It works on a package of files, and changes nothing but what WESL
// adds: the shader's lines stay lines, and what it uses of other files follows after them.
//
// The text's places are those of the files. A declaration keeps its name unless another one has it.
package wesl

import (
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/wgsl/expand"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// Mistake is the kind of all findings of this package.
const Mistake findings.Kind = "wesl"

// endings are those of a module's file, in the order in which they are tried.
var endings = []string{".wesl", ".wgsl"}

// A Package is a folder of modules. The path of a file below it, without its ending, is the
// module's path below package.
type Package struct {
	Files    fs.FS
	Folder   string              // how messages name the folder; empty for the one that all paths begin in
	Packages map[string]*Package // those that its modules can name
	disk     string              // the folder's absolute path, if Open found it
	renamed  map[string]string   // the names in npm of packages that are called otherwise here
}

// conditional matches what may be a condition.
var conditional = regexp.MustCompile(`@\s*(?:if|elif|else)\b`)

// Uses reports whether a text has something of WESL in it: import, @if, @elif, @else or a path
// such as a::b. It is quick where there is none.
func Uses(text string) bool {
	if !strings.Contains(text, "import") && !strings.Contains(text, "::") && !conditional.MatchString(text) {
		return false
	}
	tokens := syntax.Tokens(syntax.NewSource("", text))
	word := func(i int) string { return text[tokens[i].Start:tokens[i].End] }
	for i := range tokens {
		switch word(i) {
		case "import":
			return true
		case ":":
			if i > 0 && word(i-1) == ":" && tokens[i-1].End == tokens[i].Start {
				return true
			}
		case "if", "elif", "else":
			if i > 0 && word(i-1) == "@" {
				return true
			}
		}
	}
	return false
}

// Link returns the WGSL of the module main, the file name in a package, and of all that it uses. If
// something is wrong with its imports or conditions, the result has these Problems.
func Link(main *syntax.Source, name string, in *Package, features map[string]bool) *syntax.Source {
	segments := strings.Split(strings.TrimSuffix(path.Clean(name), path.Ext(name)), "/")
	l := &linker{features: features, modules: map[*Package]map[string]*module{in: {}}, given: map[string]bool{}}
	l.root = readModule(main, in, segments, features)
	l.modules[in][strings.Join(segments, "/")] = l.root
	l.collect()
	l.name()
	for _, m := range l.order {
		if len(m.mistakes) > 0 {
			return l.mistaken()
		}
	}
	return l.write()
}

// mistaken returns the texts of the modules with mistakes, each as it is, so that the mistakes have
// their places there.
func (l *linker) mistaken() *syntax.Source {
	to := expand.New(l.root.source)
	var problems []*findings.Finding
	for _, m := range l.order {
		slices.SortStableFunc(m.mistakes, func(a, b *findings.Finding) int { return int(a.Span.Start - b.Span.Start) })
		if m != l.root {
			to.Write("\n", l.root.source, m.via)
		}
		above := int32(to.Len())
		for _, f := range m.mistakes {
			f.Span = syntax.Span{Start: f.Span.Start + above, End: f.Span.End + above}
			for i, r := range f.Related {
				f.Related[i].Span = syntax.Span{Start: r.Span.Start + above, End: r.Span.End + above}
			}
			problems = append(problems, f)
		}
		to.Copy(m.source, syntax.Span{End: int32(len(m.source.Text))})
	}
	return to.Source(problems...)
}
