// Package internal_test holds the list of what packages may import. Every other import fails.
package internal_test

import (
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course/coursetest"
)

const (
	module = "github.com/wgslab/wgslab/"

	webgpu = "github.com/cogentcore/webgpu/..."
	gonbui = "github.com/janpfeifer/gonb/..."
	zmq4   = "github.com/go-zeromq/zmq4/..."
	godap  = "github.com/google/go-dap/..."
	tea    = "charm.land/..."

	esbuild  = "github.com/evanw/esbuild/..."
	goldmark = "github.com/yuin/goldmark/..."
)

// A wing is a folder of packages with one purpose.
type wing struct {
	folder string
	what   string
	may    []string // the wings that its packages may import, besides their own
	tests  []string // the wings that its tests may import as well
}

// wings lists all wings in the order in which data flows. A wing may import only wings above it;
// its tests may import the wings that they need as data or as support.
// docs/architecture.md shows the list as a table and as a drawing: go test ./internal -update
// writes both.
var wings = []wing{
	{"internal/fence", "keeps panics from costing more", nil, nil},
	{"shaders", "the WGSL that the product runs", nil, []string{"internal/shader", "internal/engine"}},
	{"exercises", "a folder for each exercise", nil, []string{"internal/shader", "internal/engine"}},
	{"weights", "the trained networks", nil, nil},
	{"internal/english", "numbers, lists and sentences for people", nil, nil},
	{"internal/wgsl", "syntax, types, flow, analysis, completion", []string{"internal/english"}, []string{"exercises", "internal/course"}},
	{"internal/shader", "the contract of an engine", []string{"internal/wgsl"}, nil},
	{"internal/sim", "runs WGSL and watches every access", []string{"internal/english", "internal/fence", "internal/wgsl", "internal/shader"}, nil},
	{"internal/engine", "GPU drivers, browsers, the simulator", []string{"internal/fence", "internal/wgsl", "internal/shader", "internal/sim"}, []string{"pkg", "internal/course"}},
	{"internal/atomicfile", "replaces files in one step", nil, nil},
	{"internal/childprocess", "ends child processes with this one", nil, nil},
	{"internal/repository", "finds the clone that a command works on", nil, nil},
	{"internal/plaintext", "text in columns, for terminals", nil, nil},
	{"internal/framing", "messages of editors' protocols", nil, nil},
	{"internal/junit", "reports of tests for CI", nil, nil},
	{"internal/view", "what a cell displays: HTML and text", []string{"internal/english", "internal/fence"}, nil},
	{"internal/ipynb", "notebook files and their cells", []string{"internal/atomicfile"}, []string{"internal/repository"}},
	{"internal/course", "the exercises as data", []string{"exercises", "internal/wgsl", "internal/shader"}, []string{"internal/ipynb", "internal/judge"}},
	{"internal/cost", "what a shader costs, counted", []string{"internal/english", "internal/shader", "internal/sim", "internal/engine", "internal/plaintext", "internal/view", "internal/course"}, []string{"exercises"}},
	{"internal/judge", "one shader, one exercise, one verdict", []string{"internal/english", "internal/fence", "internal/wgsl", "internal/shader", "internal/sim", "internal/engine", "internal/atomicfile", "internal/plaintext", "internal/view", "internal/course", "internal/cost"}, []string{"shaders", "exercises"}},
	{"internal/authoring", "new exercises, and tests of them", []string{"exercises", "internal/wgsl", "internal/shader", "internal/plaintext", "internal/ipynb", "internal/course", "internal/judge"}, []string{"internal/engine", "internal/repository"}},
	{"internal/debug", "breakpoints, steps, traces", []string{"internal/english", "internal/wgsl", "internal/shader", "internal/sim", "internal/engine", "internal/plaintext", "internal/framing", "internal/view", "internal/course", "internal/judge"}, []string{"exercises"}},
	{"internal/digits", "MNIST, the network, the sheet", []string{"internal/english", "shaders", "exercises", "weights", "internal/wgsl", "internal/shader", "internal/engine", "internal/atomicfile", "internal/view", "internal/course", "internal/judge", "internal/debug"}, nil},
	{"internal/host", "WebGPU, watched and explained", []string{"internal/english", "internal/wgsl", "internal/shader", "internal/sim", "internal/engine", "internal/atomicfile", "internal/view", "internal/course", "internal/judge", "internal/digits"}, nil},
	{"internal/writing", "a language model, and how it writes", []string{"weights", "internal/wgsl", "internal/engine", "internal/view", "internal/digits"}, []string{"exercises", "internal/shader"}},
	{"internal/ladder", "shaders against the clock, and counted", []string{"internal/english", "shaders", "exercises", "internal/shader", "internal/engine", "internal/plaintext", "internal/view", "internal/course", "internal/cost", "internal/judge"}, nil},
	{"internal/editor", "the language server", []string{"internal/english", "internal/fence", "internal/wgsl", "internal/shader", "internal/framing", "internal/judge"}, []string{"exercises"}},
	{"internal/desk", "answers requests about shaders", []string{"internal/english", "internal/fence", "internal/wgsl", "internal/shader", "internal/sim", "internal/engine", "internal/view", "internal/course", "internal/cost", "internal/judge", "internal/ladder", "internal/debug"}, []string{"exercises"}},
	{"internal/notebook", "the kernel, its workers, JupyterLab", []string{"internal/wgsl", "internal/shader", "internal/engine", "internal/atomicfile", "internal/repository", "internal/childprocess", "internal/plaintext", "internal/view", "internal/ipynb", "internal/course", "internal/judge", "internal/debug", "internal/desk"}, []string{"exercises"}},
	{"internal/page", "the course as static files", []string{"exercises", "weights", "internal/wgsl", "internal/shader", "internal/engine", "internal/atomicfile", "internal/repository", "internal/view", "internal/ipynb", "internal/course", "internal/judge", "internal/digits", "internal/desk"}, nil},
	{"internal/class", "hand-ins, grading, reports", []string{"internal/junit", "internal/english", "internal/fence", "internal/wgsl", "internal/shader", "internal/engine", "internal/atomicfile", "internal/repository", "internal/childprocess", "internal/plaintext", "internal/ipynb", "internal/course", "internal/cost", "internal/judge", "internal/notebook"}, []string{"exercises"}},
	{"pkg", "what cells and Go tests import", []string{"internal/english", "internal/fence", "exercises", "internal/wgsl", "internal/shader", "internal/engine", "internal/view", "internal/cost", "internal/judge", "internal/digits", "internal/writing", "internal/ladder", "internal/debug", "internal/host"}, []string{"internal/course"}},
	{"cmd", "the command line", []string{"internal/junit", "internal/english", "internal/fence", "exercises", "internal/wgsl", "internal/shader", "internal/sim", "internal/engine", "internal/atomicfile", "internal/repository", "internal/plaintext", "internal/ipynb", "internal/course", "internal/judge", "internal/authoring", "internal/digits", "internal/host", "internal/writing", "internal/ladder", "internal/cost", "internal/debug", "internal/editor", "internal/notebook", "internal/page", "internal/class"}, nil},
}

// pure are the packages that a web page can be made of: no C, no process, no
// display, no network.
var pure = []string{"internal/shader", "internal/course", "internal/judge", "internal/judge/verdict", "internal/judge/vet", "internal/wgsl/...", "internal/engine/simulator",
	"internal/judge/glance", "internal/debug/memtrace", "internal/debug/bufferspec", "internal/debug", "internal/debug/launch", "internal/debug/dap"}

// watched are the ways out of a program, and the libraries that a program should not carry along
// by accident. A confined package links one of them only if its rule says so.
var watched = []string{webgpu, gonbui, zmq4, godap, tea, esbuild, goldmark, "runtime/cgo", "os/exec", "net", "net/http", "testing"}

// checking is what every check links: the language, the exercises, the judge and what draws a
// verdict.
var checking = []string{"internal/english", "internal/wgsl/...", "internal/shader", "exercises", "shaders", "internal/course/...", "internal/judge/...", "internal/view/...", "internal/plaintext", "internal/atomicfile", "internal/cost", "internal/fence"}

// A rule confines packages: of this module and of what is watched, they link only what it lists,
// themselves or through others.
type rule struct {
	why      string
	packages []string
	may      []string
}

var confined = []rule{
	{"what judges a shader runs in a web page as well", pure, with(checking, "internal/sim/...", "internal/engine/simulator", "internal/debug/...", "internal/framing", godap)},
	{
		"what reads hostile files opens no socket and starts no program", []string{"internal/ipynb/nbformat", "internal/class/submission"},
		[]string{"internal/atomicfile", "internal/english", "internal/wgsl/...", "internal/shader", "exercises", "shaders", "internal/course/...", "internal/ipynb/cell"},
	},
	{
		"a check cell links neither the network nor its images", []string{"pkg/check"},
		with(checking, "internal/host/...", "pkg/wgpu", "internal/sim/...", "internal/engine/...", "internal/digits/cellrun", "internal/digits/network", "internal/digits/ownshaders", "internal/digits/training",
			"internal/debug", "internal/debug/bufferspec", "internal/debug/launch", "internal/debug/printing", "pkg/gpu", "pkg/show", webgpu, gonbui, "runtime/cgo", "net"),
	},
	{
		"the networks know no learner", []string{"internal/digits/cnn", "internal/digits/mlp", "internal/digits/mnist"},
		[]string{
			"internal/fence", "internal/english", "internal/wgsl/...", "internal/shader", "internal/sim/...", "internal/engine/...", "exercises", "internal/course/...", "shaders", "weights",
			"internal/digits/descent", "internal/digits/network", "internal/digits/parameters", "internal/digits/passes", "internal/digits/plan", "internal/digits/safetensors", "internal/digits/tensor", "internal/digits/handwriting", webgpu, "runtime/cgo", "net", "net/http",
		},
	},
	{"the debugger's core knows no editor and no exercise", []string{"internal/debug"}, []string{"internal/fence", "internal/english", "internal/wgsl/...", "internal/shader", "internal/sim/..."}},
	{"a verdict knows neither the judge nor an exercise", []string{"internal/judge/verdict"}, []string{"internal/english", "internal/view/mark", "internal/wgsl/findings"}},
	{
		"the reasons know neither the judge nor a driver", []string{"internal/judge/reasons"},
		[]string{"internal/fence", "internal/english", "internal/wgsl/...", "internal/shader", "internal/sim/...", "internal/engine/simulator", "exercises", "shaders", "internal/course/...", "internal/judge/evidence", "internal/judge/expected", "internal/judge/verdict", "internal/view/mark"},
	},
	{
		"a jailed process knows tasks, verdicts and costs, not students", []string{"internal/class/jail"},
		[]string{
			"internal/fence", "internal/english", "internal/wgsl/...", "internal/shader", "internal/sim/...", "internal/engine/...", "exercises", "shaders", "internal/course/...", "internal/cost", "internal/judge", "internal/judge/evidence", "internal/judge/expected", "internal/judge/reasons", "internal/judge/verdict", "internal/plaintext", "internal/view/...",
			"internal/childprocess", webgpu, "runtime/cgo", "os/exec",
		},
	},
	{
		"a grading run knows no report", []string{"internal/class/grade"},
		with(checking, "internal/sim/...", "internal/engine/...", "internal/ipynb/cell", "internal/ipynb/nbformat", "internal/childprocess",
			"internal/class/submission", "internal/class/jail", "internal/class/gradebook", webgpu, "runtime/cgo", "os/exec"),
	},
	{
		"the results of a class are read without its hand-ins, and start nothing", []string{"internal/class/gradebook", "internal/class/gradebook/report", "internal/class/gradebook/feedback"},
		with(checking, "internal/sim/...", "internal/engine/simulator", "internal/junit"),
	},
	{"a kernel's client knows no notebook", []string{"internal/notebook/jupyter"}, []string{"internal/atomicfile", "internal/notebook/kernelspec", zmq4, "net", "os/exec", "runtime/cgo"}},
	{
		"the kernel's front opens no GPU and knows no exercise", []string{"internal/notebook/kernel"},
		[]string{
			"internal/english", "internal/wgsl/...", "internal/shader", "internal/view/mark", "internal/judge/verdict", "internal/desk/protocol", "internal/ipynb/cell", "internal/notebook/jupyter",
			"internal/notebook/kernelspec", "internal/notebook/languageserver", "internal/atomicfile", godap, zmq4, "net", "os/exec", "runtime/cgo",
		},
	},
	{
		"a worker of the pool has the GPU, so that the kernel's front needs none", []string{"internal/notebook/kernel/coursecells", "internal/notebook/workerpool"},
		[]string{
			"internal/english", "internal/wgsl/...", "internal/shader", "internal/view/mark", "internal/judge/verdict", "internal/ipynb/cell", "internal/notebook/jupyter", "internal/notebook/kernel",
			"internal/desk/protocol", "internal/atomicfile", "internal/notebook/kernelspec", "internal/notebook/languageserver", "internal/childprocess", godap, zmq4, "net", "os/exec", "runtime/cgo",
		},
	},
	{
		"debugging in the kernel opens no GPU", []string{"internal/notebook/kernel/debugger"},
		with(checking, "internal/sim/...", "internal/engine/simulator", "internal/debug/...", "internal/framing", "internal/desk/protocol", "internal/ipynb/cell", "internal/notebook/jupyter", "internal/notebook/kernel",
			"internal/notebook/kernelspec", "internal/notebook/languageserver", zmq4, godap, "net", "os/exec", "runtime/cgo"),
	},
	{"cells are read without running them", []string{"internal/ipynb/cell"}, nil},
	{"a worker ends by the system's means alone", []string{"internal/childprocess"}, []string{"os/exec"}},
	{"a kernel spec is read without sockets", []string{"internal/notebook/kernelspec", "internal/repository"}, []string{"internal/atomicfile", "os/exec"}},
	{"a page's cells become Go without running", []string{"internal/page/cells"}, []string{"internal/atomicfile", "internal/ipynb/cell", "internal/ipynb/nbformat"}},
	{"the pass over WebAssembly knows none of our packages", []string{"internal/page/wasmjumps"}, nil},
	{"the page's server knows no judge", []string{"internal/page/server"}, []string{"net", "net/http", "runtime/cgo"}},
}

func with(names []string, more ...string) []string { return append(slices.Clone(names), more...) }

// notShipped are the packages that support tests or make the page. No command and no package that
// a notebook imports links them.
var notShipped = []string{
	"testing", "github.com/stretchr/testify/...", "pgregory.net/rapid", "internal/engine/enginetest", "internal/editor/server/servertest", "internal/class/gradebook/gradebooktest", "internal/class/jail/hostile",
	"internal/notebook/jupyter/jupytertest/...", "internal/ipynb/cell/celltest", "internal/view/viewtest", "internal/page", "internal/page/cells", esbuild, goldmark,
}

type library struct {
	name string
	by   []string
}

// libraries lists, for every library of others, the packages that may import it themselves.
// Those that may have to be replaced some day have one importer.
var libraries = []library{
	{webgpu, []string{"internal/engine/gpu"}},
	{gonbui, []string{"pkg/show"}},
	{godap, []string{"internal/debug/dap", "internal/notebook/languageserver"}},
	{tea, []string{"internal/debug/terminal"}},
	{esbuild, []string{"internal/page"}},
	{"github.com/dop251/goja", []string{"internal/host/script/javascript"}},
	{goldmark, []string{"internal/page"}},
	{zmq4, []string{"internal/notebook/jupyter", "internal/notebook/jupyter/jupytertest/fakekernel"}}, // the latter sends malformed messages on purpose
	{"github.com/aymanbagabas/go-udiff", []string{"internal/judge/diff", "internal/editor/server", "cmd/wgslab"}},
	{"github.com/cli/browser", []string{"cmd/wgslab"}},
	{"github.com/creachadair/jrpc2/...", []string{"internal/editor/server", "internal/editor/server/servertest"}},
	{"github.com/elastic/go-seccomp-bpf/...", []string{"internal/class/jail"}},
	{"github.com/gofrs/flock", []string{"internal/..."}},
	{"github.com/google/renameio/v2", []string{"internal/atomicfile"}},
	{"github.com/google/uuid", []string{"internal/notebook/..."}},
	{"github.com/pelletier/go-toml/v2", []string{"internal/course"}},
	{"github.com/rivo/uniseg", []string{"internal/plaintext"}},
	{"github.com/schollz/progressbar/v3", []string{"cmd/wgslab"}},
	{"github.com/spf13/cobra", []string{"cmd/wgslab"}},
	{"github.com/stretchr/testify/...", []string{"internal/engine/enginetest", "internal/editor/server/servertest"}},
	{"golang.org/x/sync/...", []string{"internal/..."}},
	{"golang.org/x/sys/...", []string{"internal/...", "cmd/wgslab/doctor"}},
	{"golang.org/x/term", []string{"cmd/wgslab"}},
	{"golang.org/x/text/...", []string{"internal/class/submission"}},
	{"gonum.org/v1/plot/...", []string{"pkg/show/plot"}},
	{"pgregory.net/rapid", []string{"internal/engine/enginetest", "internal/class/gradebook/gradebooktest"}},
}

// public is what a notebook may import; everything else is below internal/.
var public = []string{"pkg/check", "pkg/cost", "pkg/course", "pkg/digits", "pkg/draw", "pkg/gpu", "pkg/learn", "pkg/mnist", "pkg/race", "pkg/shadertest", "pkg/show", "pkg/show/plot", "pkg/trace", "pkg/wgpu", "pkg/write"}

// TestConfined holds all that confined packages link to their rules.
func TestConfined(t *testing.T) {
	for _, r := range confined {
		for _, p := range packages(t) {
			if !matchesAny(p.ImportPath, r.packages) {
				continue
			}
			for _, linked := range p.Deps {
				concerned := strings.HasPrefix(linked, module) || matchesAny(linked, watched)
				if concerned && !matchesAny(linked, r.packages) && !matchesAny(linked, r.may) {
					t.Errorf("%s links %s (go list -deps shows how), which the list does not allow: %s", p.ImportPath, linked, r.why)
				}
			}
		}
	}
}

func TestShippedPackagesLinkNoTestSupport(t *testing.T) {
	for _, p := range packages(t) {
		if !matchesAny(p.ImportPath, []string{"cmd/...", "pkg/..."}) || matches(p.ImportPath, "pkg/shadertest") {
			continue // only Go tests import the last one
		}
		for _, linked := range p.Deps {
			if matchesAny(linked, notShipped) {
				t.Errorf("%s links %s, which does not ship", p.ImportPath, linked)
			}
		}
	}
}

// TestWings holds every import within the module, those of tests as well, to the list of wings.
func TestWings(t *testing.T) {
	for _, p := range packages(t) {
		from := wingOf(p.ImportPath)
		if from == nil {
			continue // the tests and harnesses below acceptance/, and those in setup/
		}
		holdsTo(t, p.ImportPath, p.Imports, from, from.may)
		holdsTo(t, "a test of "+p.ImportPath, p.testImports(), from, with(from.may, from.tests...))
	}
}

// holdsTo reports the imports of a wing's package from wings that it may not import.
func holdsTo(t *testing.T, importer string, imports []string, from *wing, may []string) {
	t.Helper()
	for _, imported := range imports {
		if !strings.HasPrefix(imported, module) {
			continue
		}
		to := wingOf(imported)
		if to == nil {
			t.Errorf("%s imports %s, which is in no wing", importer, imported)
		} else if to.folder != from.folder && !matchesAny(to.folder, may) {
			t.Errorf("%s imports %s, but it may import only %s", importer, imported, strings.Join(may, ", "))
		}
	}
}

// TestWingsAreUsed keeps the list, and so the drawing, free of arrows that are gone.
func TestWingsAreUsed(t *testing.T) {
	for _, w := range wings {
		for _, name := range w.may {
			if !imports(t, w, name, func(p listed) []string { return p.Imports }) {
				t.Errorf("nothing in %s imports %s any more: take it off the list", w.folder, name)
			}
		}
		for _, name := range w.tests {
			if !imports(t, w, name, listed.testImports) {
				t.Errorf("no test in %s imports %s any more: take it off the list", w.folder, name)
			}
		}
	}
}

// imports says whether a package of the wing w has an import from the wing called name.
func imports(t *testing.T, w wing, name string, of func(listed) []string) bool {
	t.Helper()
	return slices.ContainsFunc(packages(t), func(p listed) bool {
		return matches(p.ImportPath, w.folder+"/...") && slices.ContainsFunc(of(p), func(imported string) bool { return matches(imported, name+"/...") })
	})
}

// wingOf returns the wing that holds a package.
func wingOf(importPath string) *wing {
	for i := range wings {
		if matches(importPath, wings[i].folder+"/...") {
			return &wings[i]
		}
	}
	return nil
}

// TestLibraries holds every import of a library to the list of libraries.
func TestLibraries(t *testing.T) {
	for _, p := range packages(t) {
		if wingOf(p.ImportPath) == nil {
			continue
		}
		for _, imported := range p.Imports {
			host, _, _ := strings.Cut(imported, "/")
			if !strings.Contains(host, ".") || strings.HasPrefix(imported, module) {
				continue
			}
			i := slices.IndexFunc(libraries, func(l library) bool { return matches(imported, l.name) })
			if i < 0 {
				t.Errorf("%s imports %s, which the list of libraries lacks", p.ImportPath, imported)
			} else if !matchesAny(p.ImportPath, libraries[i].by) {
				t.Errorf("%s imports %s; only %s may", p.ImportPath, imported, strings.Join(libraries[i].by, " and "))
			}
		}
	}
}

func TestPublicPackages(t *testing.T) {
	var found []string
	for _, p := range packages(t) {
		if name := strings.TrimPrefix(p.ImportPath, module); strings.HasPrefix(name, "pkg/") {
			found = append(found, name)
		}
	}
	require.Equal(t, public, found, "pkg/ holds what notebooks and Go tests of shaders import, and nothing else")
}

// A rule that names a package which is gone would never fail.
func TestRulesNameWhatIsThere(t *testing.T) {
	var named []string
	for _, r := range confined {
		named = append(append(named, r.packages...), r.may...)
	}
	named = append(named, notShipped...)
	for _, l := range libraries {
		named = append(named, l.by...)
	}
	for _, w := range wings {
		named = append(append(append(named, w.folder+"/..."), w.may...), w.tests...)
	}
	for _, pattern := range named {
		first, _, _ := strings.Cut(pattern, "/")
		if !slices.Contains([]string{"cmd", "exercises", "internal", "pkg", "shaders", "weights"}, first) {
			continue // not ours
		}
		there := slices.ContainsFunc(packages(t), func(p listed) bool { return matches(p.ImportPath, pattern) || matches(p.ImportPath, pattern+"/...") })
		require.True(t, there, "no package is called %s", pattern)
	}
}

// TestWebAssembly builds what judges for the browser, and the site's judge, whose files for the
// browser no other test of make test sees. Make acceptance builds the page, so the compilation of
// everything for another platform can wait unless a part changed that has files for the browser.
func TestWebAssembly(t *testing.T) {
	coursetest.NeedsChange(t, "go.mod", "internal/digits/cellrun/", "internal/digits/draw/", "internal/digits/epochs/", "internal/digits/mnist/", "internal/engine/", "internal/host/script/",
		"internal/page/", "pkg/learn/", "pkg/show/", "weights/")
	look(t)
	goForBrowsers(t, append([]string{"build"}, inModule(pure)...)...)
	goForBrowsers(t, "build", "-o", os.DevNull, module+"internal/page/webworker")
}

// The site's judge takes with it what a page can use, and not megabytes more.
func TestTheSitesJudgeIsSmall(t *testing.T) {
	look(t)
	linked := strings.Fields(goForBrowsers(t, "list", "-deps", module+"internal/page/webworker"))
	require.Contains(t, linked, module+"internal/judge")
	for _, p := range linked {
		if matchesAny(p, []string{webgpu, gonbui, zmq4, "os/exec", "net", "net/http", "database/sql", "testing"}) {
			t.Errorf("internal/page/webworker links %s, which is of no use in a page", p)
		}
	}
}

// goForBrowsers runs the go command for js/wasm, and gives what it prints.
func goForBrowsers(t *testing.T, arguments ...string) string {
	t.Helper()
	command := exec.Command("go", arguments...)
	command.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0", "GOFLAGS=")
	out, err := command.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return string(out)
}

// look looks at every source file. What go list and go build read, go test does
// not see, and would give an old result from its cache; it sees what the test does.
func look(t *testing.T) {
	t.Helper()
	for _, room := range []string{"cmd", "exercises", "internal", "pkg", "shaders", "weights"} {
		require.NoError(t, filepath.WalkDir(filepath.Join("..", room), func(path string, _ fs.DirEntry, err error) error {
			if err == nil && filepath.Ext(path) == ".go" {
				_, err = os.Stat(path)
			}
			return err
		}))
	}
}

// listed is what go list says of a package.
type listed struct {
	ImportPath                string
	Imports, Deps             []string // without its tests
	TestImports, XTestImports []string
}

func (p listed) testImports() []string { return with(p.TestImports, p.XTestImports...) }

var all []listed

// packages are the packages of this module.
func packages(t *testing.T) []listed {
	t.Helper()
	if all != nil {
		return all
	}
	look(t)
	list := exec.Command("go", "list", "-tags=acceptance", "-json=ImportPath,Imports,Deps,TestImports,XTestImports", module+"...")
	var said strings.Builder
	list.Stderr = &said
	out, err := list.Output()
	require.NoError(t, err, said.String())
	for decoder := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		err := decoder.Decode(&p)
		if errors.Is(err, io.EOF) {
			return all
		}
		require.NoError(t, err)
		all = append(all, p)
	}
}

func matchesAny(name string, patterns []string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool { return matches(name, pattern) })
}

// matches says whether a package is the one named, or below it for a name that
// ends with /...; names of this module's packages are given without it.
func matches(name, pattern string) bool {
	name = strings.TrimPrefix(name, module)
	if below, ok := strings.CutSuffix(pattern, "/..."); ok {
		return name == below || strings.HasPrefix(name, below+"/")
	}
	return name == pattern
}

func inModule(patterns []string) []string {
	var paths []string
	for _, p := range patterns {
		paths = append(paths, path.Join(module, p))
	}
	return paths
}
