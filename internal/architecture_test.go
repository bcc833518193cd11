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

// A room is a folder of packages with one purpose.
type room struct {
	folder string
	what   string
	may    []string // the rooms that its packages may import, besides their own
	tests  []string // the rooms that its tests may import as well
}

// rooms lists all rooms in the order in which data flows. A room may import only rooms above it;
// its tests may import the rooms that they need as data or as support.
// docs/architecture.md shows the list as a table and as a drawing: go test ./internal -update
// writes both.
var rooms = []room{
	{"internal/ground", "what every room uses: text, files, views, notebook files", nil, nil},
	{"internal/wgsl", "the language: syntax, types, analysis, edits, format", []string{"internal/ground"}, []string{"exercises", "internal/course"}},
	{"shaders", "the WGSL that the product runs", nil, []string{"internal/machine"}},
	{"exercises", "a folder for each exercise", nil, []string{"internal/machine"}},
	{"weights", "the trained networks", nil, nil},
	{"internal/machine", "runs shaders: simulator, drivers, browsers, WebGPU's rules", []string{"internal/ground", "internal/wgsl"}, []string{"internal/course", "pkg"}},
	{"internal/observe", "any shader: run, lint, trace, cost, debug, editors", []string{"internal/ground", "internal/wgsl", "internal/machine"}, []string{"exercises", "internal/course"}},
	{"internal/course", "exercises, judge, host programs, the learner's record", []string{"exercises", "shaders", "internal/ground", "internal/wgsl", "internal/machine", "internal/observe"}, nil},
	{"internal/networks", "digits and texts: data, training, reading, writing", []string{"exercises", "shaders", "weights", "internal/ground", "internal/wgsl", "internal/machine", "internal/course"}, nil},
	{"internal/fronts", "notebook, page and class: they pass requests on", []string{"exercises", "weights", "internal/ground", "internal/wgsl", "internal/machine", "internal/observe", "internal/course", "internal/networks"}, nil},
	{"pkg", "what cells and Go tests import", []string{"exercises", "internal/ground", "internal/wgsl", "internal/machine", "internal/observe", "internal/course", "internal/networks"}, nil},
	{"cmd", "the command line", []string{"exercises", "internal/ground", "internal/wgsl", "internal/machine", "internal/observe", "internal/course", "internal/networks", "internal/fronts"}, nil},
}

// pure are the packages that a web page can be made of: no C, no process, no
// display, no network.
var pure = []string{"internal/machine/shader", "internal/course", "internal/course/judge/...", "internal/course/cases", "internal/observe/vet", "internal/wgsl/...", "internal/machine/engine/simulator",
	"internal/observe/memtrace", "internal/observe/anyshader", "internal/observe/debug", "internal/observe/printing", "internal/observe/dap"}

// watched are the ways out of a program, and the libraries that a program should not carry along
// by accident. A confined package links one of them only if its rule says so.
var watched = []string{webgpu, gonbui, zmq4, godap, tea, esbuild, goldmark, "runtime/cgo", "os/exec", "net", "net/http", "testing"}

// checking is what every check links: the language, the exercises, the judge and what draws a
// verdict.
var checking = []string{"internal/ground/english", "internal/wgsl/...", "internal/machine/shader", "exercises", "shaders", "internal/course", "internal/course/goals", "internal/course/judge/...", "internal/course/session", "internal/course/learner", "internal/ground/view/...", "internal/ground/plaintext", "internal/ground/atomicfile", "internal/observe/cost", "internal/ground/fence"}

// A rule confines packages: of this module and of what is watched, they link only what it lists,
// themselves or through others.
type rule struct {
	why      string
	packages []string
	may      []string
}

var confined = []rule{
	{"what judges a shader runs in a web page as well", pure, with(checking, "internal/machine/sim/...", "internal/machine/engine/simulator", "internal/observe/debug/...", "internal/ground/framing", godap)},
	{
		"what reads hostile files opens no socket and starts no program", []string{"internal/ground/ipynb/nbformat", "internal/fronts/class/submission"},
		[]string{"internal/ground/atomicfile", "internal/ground/english", "internal/wgsl/...", "internal/machine/shader", "exercises", "shaders", "internal/course", "internal/ground/ipynb/cell"},
	},
	{
		"a check cell links neither the network nor its images", []string{"pkg/check"},
		with(checking, "internal/course/cases", "internal/ground/ipynb/cell", "internal/course/host/...", "internal/machine/webgpu", "internal/observe/memtrace", "internal/observe/vet", "pkg/wgpu", "internal/machine/sim/...", "internal/machine/engine/...", "internal/networks/cellrun", "internal/course/network", "internal/course/ownshaders", "internal/course/training",
			"internal/observe/debug", "internal/observe/anyshader", "internal/observe/anyshader", "internal/observe/printing", "pkg/gpu", "pkg/show", webgpu, gonbui, "runtime/cgo", "net"),
	},
	{
		"the networks know no learner", []string{"internal/networks/cnn", "internal/networks/mlp", "internal/networks/mnist"},
		[]string{
			"internal/ground/fence", "internal/ground/english", "internal/wgsl/...", "internal/machine/shader", "internal/machine/sim/...", "internal/machine/engine/...", "exercises", "internal/course", "internal/course/network", "shaders", "weights",
			"internal/networks/descent", "internal/course/network", "internal/networks/parameters", "internal/networks/plan", "internal/networks/handwriting", webgpu, "runtime/cgo", "net", "net/http",
		},
	},
	{"the debugger's core knows no editor and no exercise", []string{"internal/observe/debug"}, []string{"internal/ground/fence", "internal/ground/english", "internal/ground/view/mark", "internal/wgsl/...", "internal/machine/shader", "internal/machine/sim/..."}},
	{"a verdict knows neither the judge nor an exercise", []string{"internal/course/judge/verdict"}, []string{"internal/ground/english", "internal/ground/view/mark", "internal/wgsl/findings", "internal/wgsl/numeric"}},
	{
		"the reasons know neither the judge nor a driver", []string{"internal/course/judge/reasons"},
		[]string{"internal/ground/fence", "internal/ground/english", "internal/wgsl/...", "internal/machine/shader", "internal/machine/sim/...", "internal/machine/engine/simulator", "exercises", "shaders", "internal/course", "internal/course/judge/evidence", "internal/course/judge/verdict", "internal/ground/view/mark"},
	},
	{
		"a jailed process knows tasks, verdicts and costs, not students", []string{"internal/fronts/class/jail"},
		with(checking, "internal/machine/sim/...", "internal/machine/engine/...", "internal/machine/webgpu", "internal/observe/vet", "internal/course/host", "internal/course/network", "internal/course/ownshaders", "internal/course/training", "internal/ground/ipynb/cell", "internal/ground/childprocess", webgpu, "runtime/cgo", "os/exec"),
	},
	{
		"a grading run opens no socket", []string{"internal/fronts/class/grade"},
		with(checking, "internal/machine/sim/...", "internal/machine/engine/...", "internal/ground/ipynb/cell", "internal/ground/ipynb/nbformat", "internal/ground/childprocess", "internal/machine/webgpu", "internal/observe/vet",
			"internal/course/host", "internal/course/network", "internal/course/ownshaders", "internal/course/training", "internal/fronts/class/submission", "internal/fronts/class/jail", "internal/fronts/class/gradebook", "internal/ground/junit", webgpu, "runtime/cgo", "os/exec"),
	},
	{
		"the results of a class are read without its hand-ins, and start nothing", []string{"internal/fronts/class/gradebook"},
		with(checking, "internal/machine/sim/...", "internal/machine/engine/simulator", "internal/ground/junit"),
	},
	{"a kernel's client knows no notebook", []string{"internal/fronts/notebook/jupyter"}, []string{"internal/ground/atomicfile", "internal/fronts/notebook/kernelspec", zmq4, "net", "os/exec", "runtime/cgo"}},
	{
		"the kernel's front opens no GPU and knows no exercise", []string{"internal/fronts/notebook/kernel"},
		[]string{
			"internal/ground/english", "internal/wgsl/...", "internal/machine/shader", "internal/ground/view/mark", "internal/course/judge/verdict", "internal/fronts/desk/protocol", "internal/ground/ipynb/cell", "internal/fronts/notebook/jupyter",
			"internal/fronts/notebook/kernelspec", "internal/fronts/notebook/languageserver", "internal/ground/atomicfile", godap, zmq4, "net", "os/exec", "runtime/cgo",
		},
	},
	{
		"a worker of the pool has the GPU, so that the kernel's front needs none", []string{"internal/fronts/notebook/kernel/coursecells", "internal/fronts/notebook/workerpool"},
		[]string{
			"internal/ground/english", "internal/wgsl/...", "internal/machine/shader", "internal/ground/view/mark", "internal/course/judge/verdict", "internal/ground/ipynb/cell", "internal/fronts/notebook/jupyter", "internal/fronts/notebook/kernel",
			"internal/fronts/desk/protocol", "internal/ground/atomicfile", "internal/fronts/notebook/kernelspec", "internal/fronts/notebook/languageserver", "internal/ground/childprocess", godap, zmq4, "net", "os/exec", "runtime/cgo",
		},
	},
	{
		"debugging in the kernel opens no GPU", []string{"internal/fronts/notebook/kernel/debugger"},
		with(checking, "internal/machine/sim/...", "internal/machine/engine/simulator", "internal/course/cases", "internal/observe/...", "internal/ground/framing", "internal/fronts/desk/protocol", "internal/ground/ipynb/cell", "internal/fronts/notebook/jupyter", "internal/fronts/notebook/kernel",
			"internal/fronts/notebook/kernelspec", "internal/fronts/notebook/languageserver", zmq4, godap, "net", "os/exec", "runtime/cgo"),
	},
	{"cells are read without running them", []string{"internal/ground/ipynb/cell"}, nil},
	{"a worker ends by the system's means alone", []string{"internal/ground/childprocess"}, []string{"os/exec"}},
	{"a kernel spec is read without sockets", []string{"internal/fronts/notebook/kernelspec", "internal/ground/repository"}, []string{"internal/ground/atomicfile", "os/exec"}},
	{"a page's cells become Go without running", []string{"internal/fronts/page/cells"}, []string{"internal/ground/atomicfile", "internal/ground/ipynb/cell", "internal/ground/ipynb/nbformat"}},
	{"the pass over WebAssembly knows none of our packages", []string{"internal/fronts/page/wasmjumps"}, nil},
	{"the page's server knows no judge", []string{"internal/fronts/page/server"}, []string{"net", "net/http", "runtime/cgo"}},
}

func with(names []string, more ...string) []string { return append(slices.Clone(names), more...) }

// notShipped are the packages that support tests or make the page. No command and no package that
// a notebook imports links them.
var notShipped = []string{
	"testing", "github.com/stretchr/testify/...", "pgregory.net/rapid", "internal/machine/engine/enginetest", "internal/observe/editor/editortest", "internal/fronts/class/gradebook/gradebooktest", "internal/fronts/class/jail/hostile",
	"internal/fronts/notebook/jupyter/jupytertest/...", "internal/ground/ipynb/cell/celltest", "internal/ground/view/viewtest", "internal/fronts/page", "internal/fronts/page/cells", esbuild, goldmark,
}

type library struct {
	name string
	by   []string
}

// libraries lists, for every library of others, the packages that may import it themselves.
// Those that may have to be replaced some day have one importer.
var libraries = []library{
	{webgpu, []string{"internal/machine/engine/gpu"}},
	{gonbui, []string{"pkg/show"}},
	{godap, []string{"internal/observe/dap", "internal/fronts/notebook/languageserver"}},
	{tea, []string{"internal/observe/terminal"}},
	{esbuild, []string{"internal/fronts/page"}},
	{"github.com/dop251/goja", []string{"internal/course/host/script/javascript"}},
	{goldmark, []string{"internal/fronts/page"}},
	{zmq4, []string{"internal/fronts/notebook/jupyter", "internal/fronts/notebook/jupyter/jupytertest/fakekernel"}}, // the latter sends malformed messages on purpose
	{"github.com/aymanbagabas/go-udiff", []string{"internal/course/judge/verdict", "internal/observe/editor", "cmd/wgslab"}},
	{"github.com/cli/browser", []string{"cmd/wgslab"}},
	{"github.com/fsnotify/fsnotify", []string{"cmd/wgslab"}},
	{"github.com/creachadair/jrpc2/...", []string{"internal/observe/editor", "internal/observe/editor/editortest"}},
	{"github.com/elastic/go-seccomp-bpf/...", []string{"internal/fronts/class/jail"}},
	{"github.com/gofrs/flock", []string{"internal/..."}},
	{"github.com/google/jsonschema-go/...", []string{"internal/fronts/tutor"}},
	{"github.com/google/renameio/v2", []string{"internal/ground/atomicfile"}},
	{"github.com/google/uuid", []string{"internal/fronts/notebook/..."}},
	{"github.com/modelcontextprotocol/go-sdk/...", []string{"internal/fronts/tutor"}},
	{"github.com/pelletier/go-toml/v2", []string{"internal/course", "internal/observe/manifest", "internal/wgsl/wesl"}},
	{"github.com/pelletier/go-toml/v2/unstable", []string{"internal/observe/manifest"}}, // lines of keys
	{"github.com/rivo/uniseg", []string{"internal/ground/plaintext"}},
	{"github.com/schollz/progressbar/v3", []string{"cmd/wgslab"}},
	{"github.com/spf13/cobra", []string{"cmd/wgslab"}},
	{"github.com/stretchr/testify/...", []string{"internal/machine/engine/enginetest", "internal/observe/editor/editortest"}},
	{"github.com/tetratelabs/wazero/...", []string{"internal/machine/sim/machinecode"}},
	{"golang.org/x/sync/...", []string{"internal/..."}},
	{"golang.org/x/sys/...", []string{"internal/...", "cmd/wgslab/doctor"}},
	{"golang.org/x/term", []string{"cmd/wgslab"}},
	{"golang.org/x/text/...", []string{"internal/fronts/class/submission"}},
	{"gonum.org/v1/plot/...", []string{"pkg/show/plot"}},
	{"pgregory.net/rapid", []string{"internal/machine/engine/enginetest", "internal/fronts/class/gradebook/gradebooktest"}},
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

// TestRooms holds every import within the module, those of tests as well, to the list of rooms.
func TestRooms(t *testing.T) {
	for _, p := range packages(t) {
		from := roomOf(p.ImportPath)
		if from == nil {
			continue // the tests and harnesses below acceptance/, and those in setup/
		}
		holdsTo(t, p.ImportPath, p.Imports, from, from.may)
		holdsTo(t, "a test of "+p.ImportPath, p.testImports(), from, with(from.may, from.tests...))
	}
}

// holdsTo reports the imports of a room's package from rooms that it may not import.
func holdsTo(t *testing.T, importer string, imports []string, from *room, may []string) {
	t.Helper()
	for _, imported := range imports {
		if !strings.HasPrefix(imported, module) {
			continue
		}
		to := roomOf(imported)
		if to == nil {
			t.Errorf("%s imports %s, which is in no room", importer, imported)
		} else if to.folder != from.folder && !matchesAny(to.folder, may) {
			t.Errorf("%s imports %s, but it may import only %s", importer, imported, strings.Join(may, ", "))
		}
	}
}

// TestRoomsAreUsed keeps the list, and so the drawing, free of arrows that are gone.
func TestRoomsAreUsed(t *testing.T) {
	for _, w := range rooms {
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

// imports says whether a package of the room w has an import from the room called name.
func imports(t *testing.T, w room, name string, of func(listed) []string) bool {
	t.Helper()
	return slices.ContainsFunc(packages(t), func(p listed) bool {
		return matches(p.ImportPath, w.folder+"/...") && slices.ContainsFunc(of(p), func(imported string) bool { return matches(imported, name+"/...") })
	})
}

// roomOf returns the room that holds a package.
func roomOf(importPath string) *room {
	for i := range rooms {
		if matches(importPath, rooms[i].folder+"/...") {
			return &rooms[i]
		}
	}
	return nil
}

// TestLibraries holds every import of a library to the list of libraries.
func TestLibraries(t *testing.T) {
	for _, p := range packages(t) {
		if roomOf(p.ImportPath) == nil {
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
	for _, w := range rooms {
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
	coursetest.NeedsChange(t, "go.mod", "internal/networks/cellrun/", "internal/networks/draw/", "internal/networks/epochs/", "internal/networks/mnist/", "internal/machine/engine/", "internal/course/host/script/",
		"internal/fronts/page/", "pkg/learn/", "pkg/show/", "weights/")
	look(t)
	goForBrowsers(t, append([]string{"build"}, inModule(pure)...)...)
	goForBrowsers(t, "build", "-o", os.DevNull, module+"internal/fronts/page/webworker")
}

// The site's judge takes with it what a page can use, and not megabytes more.
func TestTheSitesJudgeIsSmall(t *testing.T) {
	look(t)
	linked := strings.Fields(goForBrowsers(t, "list", "-deps", module+"internal/fronts/page/webworker"))
	require.Contains(t, linked, module+"internal/course/judge")
	for _, p := range linked {
		if matchesAny(p, []string{webgpu, gonbui, zmq4, "os/exec", "net", "net/http", "database/sql", "testing"}) {
			t.Errorf("internal/fronts/page/webworker links %s, which is of no use in a page", p)
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
