package internal_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Documents go on naming what was renamed or deleted, unless a test reads them.
func TestDocumentsNameWhatIsThere(t *testing.T) {
	named := 0
	for _, d := range documents(t) {
		for _, c := range d.code() {
			names, missing := d.look(t, c.text)
			named += names
			for _, what := range missing {
				t.Errorf("%s:%d: `%s`: %s", d.path, c.line, c.text, what)
			}
		}
	}
	require.Greater(t, named, 200, "the documents name more than that: this test no longer finds it")
}

// Each kind of name that is gone is found.
func TestGoneNamesAreFound(t *testing.T) {
	at := document{path: "internal/course/judge/README.md"}
	for text, want := range map[string]string{
		"internal/verdicts":            "there is no such file or folder",
		"../../docs/nothing.md":        "there is no such file or folder",
		"zoo/nothing_test.go":          "there is no such file or folder",
		"setup/*.fish":                 "there is no such file or folder",
		"verdict.Tale":                 "package verdict has no Tale",
		"session.Session.Judge(x)":     "package session has no Session.Judge",
		"pkg/gpu.Colonel":              "package gpu has no Colonel",
		"verdicts.Story":               "there is no package verdicts",
		"make everything":              "the Makefile has no everything",
		"wgslab judge add":             "wgslab has no command judge",
		".build/bin/wgslab exercise x": "wgslab exercise has no command x",

		"go test ./internal/verdicts -run Story": "there is no such file or folder",

		"internal/course/judge/zoo": "", "go test ./internal/course/judge/...": "", "zoo/zoo_test.go": "",
		"exercises/ID/wrong/NAME.wgsl": "", "exercises/reverse/": "", "docs/*.md": "",
		"verdict.Story": "", "session.Session.Check": "", "gpu.Backend": "", "strings.ToUp": "",
		"Story.Tale": "", "make test": "", "make corpus FOLDER=x": "", "wgslab --help": "",
		"wgslab grade x": "", "wgslab exercise show": "", "slices.Clone": "",
	} {
		_, missing := at.look(t, text)
		require.Equal(t, want, strings.Join(missing, "; "), text)
	}
	for text, want := range map[string]string{"device.CreateBuffer(x)": "", "device.CreateTent(x)": "there is no package device"} {
		_, missing := document{path: hostPage}.look(t, text)
		require.Equal(t, want, strings.Join(missing, "; "), text)
	}
}

// A document is a page for people.
type document struct{ path, text string }

func documents(t *testing.T) []document {
	t.Helper()
	var paths []string
	for _, pattern := range []string{
		"README.md", "AGENTS.md", "CONTRIBUTING.md", "RATIONALE.md", "docs/*.md", "notebooks/*.md",
		"*/README.md", "acceptance/*/README.md", "acceptance/harness/*/README.md", "editors/*/README.md",
	} {
		found, err := filepath.Glob(filepath.Join("..", filepath.FromSlash(pattern)))
		require.NoError(t, err)
		require.NotEmpty(t, found, pattern)
		paths = append(paths, found...)
	}
	// The copies that make lab makes are the learner's.
	paths = slices.DeleteFunc(paths, func(path string) bool { return path == filepath.Join("..", "lessons", "README.md") })
	require.NoError(t, filepath.WalkDir(".", func(path string, _ fs.DirEntry, err error) error {
		if filepath.Base(path) == "README.md" {
			paths = append(paths, filepath.Join("..", "internal", path))
		}
		return err
	}))
	var all []document
	for _, path := range paths {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		name, err := filepath.Rel("..", path)
		require.NoError(t, err)
		all = append(all, document{filepath.ToSlash(name), string(text)})
	}
	return all
}

// A snippet is a piece of code in a document.
type snippet struct {
	text string
	line int
}

var inBackticks = regexp.MustCompile("`([^`]+)`")

// code returns what is in backticks, and the lines of code blocks.
func (d document) code() (all []snippet) {
	inBlock := false
	for i, line := range strings.Split(d.text, "\n") {
		switch {
		case strings.HasPrefix(strings.TrimSpace(line), "```"):
			inBlock = !inBlock
		case inBlock:
			all = append(all, snippet{strings.TrimSpace(line), i + 1})
		default:
			for _, m := range inBackticks.FindAllStringSubmatch(line, -1) {
				all = append(all, snippet{m[1], i + 1})
			}
		}
	}
	return all
}

// look returns how many names a snippet holds, and what is wrong with those that name nothing.
func (d document) look(t *testing.T, text string) (names int, missing []string) {
	t.Helper()
	add := func(what string, ok bool) {
		if ok {
			names++
		}
		if what != "" {
			missing = append(missing, what)
		}
	}
	for word := range strings.FieldsSeq(text) {
		add(d.missingPath(strings.TrimSuffix(strings.TrimPrefix(word, "./"), "/...")))
	}
	add(d.missingName(t, text))
	add(missingCommand(t, text))
	return names, missing
}

var (
	ourPath = regexp.MustCompile(`^(?:\.\./)*((?:acceptance|binder|cmd|docker|docs|editors|` +
		`exercises|internal|notebooks|pkg|setup|shaders|tools|weights)/[\w./*-]*)$`)
	// nearPath matches a file that a README names from its own folder.
	nearPath = regexp.MustCompile(`^[\w./*-]+/[\w*-]+\.(?:go|js|txt|toml|wgsl|md)$`)
	// invented matches the paths of examples, and those with a placeholder.
	invented = regexp.MustCompile(`^exercises/(?:reverse|vector-scale)(?:/|$)|(?:^|/)(?:ID|NAME)(?:[./]|$)`)
)

// missingPath reports a path to nothing. ok says that the text is a path at all.
func (d document) missingPath(text string) (what string, ok bool) {
	near := path.Dir(d.path)
	m := ourPath.FindStringSubmatch(text)
	switch {
	case invented.MatchString(text):
		return "", false
	case m != nil && !exportedPart.MatchString(text):
		if exists(m[1]) || exists(path.Join(near, text)) {
			return "", true
		}
	case strings.HasPrefix(d.path, "internal/") && nearPath.MatchString(text):
		if exists(path.Join(near, text)) || exists(path.Join("internal", text)) {
			return "", true
		}
	default:
		return "", false
	}
	return "there is no such file or folder", true
}

func exists(pattern string) bool {
	found, err := filepath.Glob(filepath.Join("..", filepath.FromSlash(pattern)))
	return err == nil && len(found) > 0
}

var (
	exportedPart = regexp.MustCompile(`\.[A-Z]\w*$`)
	goName       = regexp.MustCompile(`^(?:[a-z]+/)*([a-z]\w*)\.([A-Z]\w*(?:\.[A-Z]\w*)?)(?:$|[({])`)
)

// hostPage calls methods of WebGPU's objects, which are in variables there.
const hostPage = "notebooks/webgpu.md"

// missingName reports a Go name, package.Name or package.Type.Member, that none of our packages
// has.
func (d document) missingName(t *testing.T, text string) (what string, ok bool) {
	m := goName.FindStringSubmatch(text)
	if m == nil || exists(path.Join(path.Dir(d.path), text)) {
		return "", false
	}
	ours := false
	for _, p := range packages(t) {
		if path.Base(p.ImportPath) == m[1] {
			ours = true
			if declared(t, strings.TrimPrefix(p.ImportPath, module))[m[2]] {
				return "", true
			}
		}
	}
	if ours {
		return fmt.Sprintf("package %s has no %s", m[1], m[2]), true
	}
	if slices.Contains([]string{"fmt", "os", "slices", "strings", "time"}, m[1]) {
		return "", false // Go's own
	}
	for name := range declared(t, "pkg/wgpu") {
		if d.path == hostPage && strings.HasSuffix(name, "."+m[2]) {
			return "", true // a method of the learner's variable
		}
	}
	return "there is no package " + m[1], true
}

var known = map[string]map[string]bool{}

// declared returns the names that a package declares: Name and Type.Member.
func declared(t *testing.T, folder string) map[string]bool {
	t.Helper()
	if known[folder] != nil {
		return known[folder]
	}
	names := map[string]bool{}
	files, err := filepath.Glob(filepath.Join("..", filepath.FromSlash(folder), "*.go"))
	require.NoError(t, err)
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		for _, d := range file.Decls {
			declare(names, d)
		}
	}
	known[folder] = names
	return names
}

func declare(names map[string]bool, d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		name := d.Name.Name
		if d.Recv != nil {
			of := d.Recv.List[0].Type
			if star, ok := of.(*ast.StarExpr); ok {
				of = star.X
			}
			if indexed, ok := of.(*ast.IndexExpr); ok {
				of = indexed.X
			}
			name = fmt.Sprint(of) + "." + name
		}
		names[name] = true
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				names[s.Name.Name] = true
				ast.Inspect(s.Type, func(n ast.Node) bool {
					if field, ok := n.(*ast.Field); ok {
						for _, name := range field.Names {
							names[s.Name.Name+"."+name.Name] = true
						}
					}
					return true
				})
			case *ast.ValueSpec:
				for _, name := range s.Names {
					names[name.Name] = true
				}
			}
		}
	}
}

var (
	makeCommand = regexp.MustCompile(`^make ([a-z][\w-]*)`)
	ourCommand  = regexp.MustCompile(`^(?:\S*/)?wgslab ([a-z]+)(?: ([a-z]+)\b)?`)
)

// missingCommand reports a target that the Makefile lacks, or a command that wgslab lacks.
func missingCommand(t *testing.T, text string) (what string, ok bool) {
	if m := makeCommand.FindStringSubmatch(text); m != nil {
		makefile, err := os.ReadFile(filepath.Join("..", "Makefile"))
		require.NoError(t, err)
		if !regexp.MustCompile(`(?m)^` + m[1] + `:`).Match(makefile) {
			return "the Makefile has no " + m[1], true
		}
		return "", true
	}
	m := ourCommand.FindStringSubmatch(text)
	switch {
	case m == nil:
		return "", false
	case !commands(t)[m[1]]:
		return "wgslab has no command " + m[1], true
	case m[2] != "" && len(commands(t, m[1])) > 0 && !commands(t, m[1])[m[2]]:
		return "wgslab " + m[1] + " has no command " + m[2], true
	}
	return "", true
}

var completed = map[string]map[string]bool{}

// program is the command line that wgslab built, as long as that test runs.
var program string

// wgslab builds the command line: a document names some twenty commands, and each run of go run
// would look at every source again.
func wgslab(t *testing.T) string {
	t.Helper()
	if _, err := os.Stat(program); err != nil {
		program = filepath.Join(t.TempDir(), "wgslab")
		said, err := exec.Command("go", "build", "-o", program, "../cmd/wgslab").CombinedOutput()
		require.NoError(t, err, "%s", said)
	}
	return program
}

// commands returns the commands of wgslab, or of one of its commands: what the shell completes.
func commands(t *testing.T, of ...string) map[string]bool {
	t.Helper()
	key := strings.Join(of, " ")
	if completed[key] != nil {
		return completed[key]
	}
	out, err := exec.Command(wgslab(t), slices.Concat([]string{"__complete"}, of, []string{""})...).Output()
	require.NoError(t, err)
	completed[key] = map[string]bool{}
	for line := range strings.Lines(string(out)) {
		if name, about, ok := strings.Cut(line, "\t"); ok && about != "" {
			completed[key][name] = true
		}
	}
	return completed[key]
}
