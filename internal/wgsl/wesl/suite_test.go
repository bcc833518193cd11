package wesl

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// suite reads cases of the public test suite of WESL, whose folder WGSLAB_WESL names.
func suite[Case any](t *testing.T, name string) (cases []Case) {
	folder := os.Getenv("WGSLAB_WESL")
	if folder == "" {
		t.Skip("WGSLAB_WESL names no folder with WESL's test suite")
	}
	text, err := os.ReadFile(filepath.Join(folder, "src", "test-cases-json", name))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &cases); err != nil {
		t.Fatal(err)
	}
	if len(cases) == 0 {
		t.Fatalf("%s has no cases", name)
	}
	return cases
}

// linked links files of which main.wgsl is the root.
func linked(files map[string]string, features map[string]bool) *syntax.Source {
	all := fstest.MapFS{}
	for name, text := range files {
		all[filepath.ToSlash(filepath.Clean(name))] = &fstest.MapFile{Data: []byte(text)}
	}
	for _, name := range []string{"main.wgsl", "main.wesl"} {
		if main := all[name]; main != nil {
			return Link(syntax.NewSource(name, string(main.Data)), name, &Package{Files: all}, features)
		}
	}
	panic("there is no main.wgsl")
}

// parts returns the directives and declarations of a text as their tokens, sorted: their order has
// no meaning, and nor have a list's last comma and a lone semicolon.
func parts(text string) (all []string) {
	unit, _ := syntax.Parse(syntax.NewSource("", text))
	add := func(n syntax.Node) {
		part := text[n.Span().Start:n.Span().End]
		var words []string
		for _, token := range syntax.Tokens(syntax.NewSource("", part)) {
			word := part[token.Start:token.End]
			if last := len(words) - 1; (word == "}" || word == ")") && last >= 0 && words[last] == "," {
				words = words[:last]
			}
			words = append(words, word)
		}
		all = append(all, strings.Join(words, " "))
	}
	for _, d := range unit.Directives {
		add(d)
	}
	for _, d := range unit.Decls {
		if _, empty := d.(*syntax.EmptyDecl); !empty {
			add(d)
		}
	}
	slices.Sort(all)
	return all
}

// TestSuite links the cases of WESL's own test suite, and compares the declarations.
func TestSuite(t *testing.T) {
	type linkCase struct {
		Name     string
		WeslSrc  map[string]string
		Expected string `json:"expectedWgsl"`
	}
	for _, file := range []string{"importCases.json", "conditionalTranslationCases.json"} {
		for _, c := range suite[linkCase](t, file) {
			t.Run(c.Name, func(t *testing.T) {
				got := linked(c.WeslSrc, nil)
				for _, f := range got.Problems() {
					t.Errorf("a finding: %v", f)
				}
				if got, want := parts(got.Text), parts(c.Expected); !slices.Equal(got, want) {
					t.Errorf("got\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
				}
			})
		}
	}
}

// TestSuiteSyntax reads the import statements of WESL's own test suite.
func TestSuiteSyntax(t *testing.T) {
	type syntaxCase struct {
		Src   string
		Fails bool
	}
	for _, c := range suite[syntaxCase](t, "importSyntaxCases.json") {
		m := readModule(syntax.NewSource("main.wesl", c.Src), &Package{Files: fstest.MapFS{}}, []string{"main"}, nil)
		if failed := len(m.mistakes) > 0 || m.broken; failed != c.Fails {
			t.Errorf("%s: fails %v, want %v: %v", c.Src, failed, c.Fails, m.mistakes)
		}
	}
}
