// Package arrows holds nothing but the test that pins which packages may know
// which. RATIONALE.md lists the rooms and says why.
package arrows

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

	websocket = "github.com/coder/websocket/..."
)

// pure are the packages that a web page can be made of: no C, no process, no
// display, no network.
var pure = []string{"internal/shader", "internal/lesson", "internal/judge", "internal/verdict", "internal/vet", "internal/wgsl/...", "internal/engine/sim",
	"internal/glance", "internal/trace", "internal/bind", "internal/debug", "internal/debug/target", "internal/debug/dap"}

// links is what packages must not link, themselves or by way of others. A name
// that ends with /... stands for all below it, too.
var links = []struct {
	why  string
	from []string
	not  []string
}{
	{
		"what judges a shader runs in a web page as well", pure,
		[]string{webgpu, gonbui, zmq4, "pkg/...", "internal/engine/native", "runtime/cgo", "os/exec", "net", "net/http"},
	},
	{
		"what reads hostile files links no sockets and runs nothing",
		[]string{"internal/nbformat", "internal/submission"},
		[]string{zmq4, "internal/jupyter/...", "internal/nbrun", webgpu, "pkg/gpu", "internal/worker", "internal/engine/...", "os/exec"},
	},
	{"a check cell is built without the network and its images", []string{"pkg/check"}, []string{"pkg/mlp", "pkg/mnist", "pkg/digits", "weights"}},
	{"the network knows no learner", []string{"pkg/mlp", "pkg/mnist"}, []string{"pkg/check", "internal/learner", "pkg/digits"}},
	{"exercises know nobody who judges them", []string{"internal/lesson"}, []string{"internal/judge", "internal/verdict"}},
	{"an engine knows no exercise", []string{"internal/engine/...", "pkg/gpu"}, []string{"internal/lesson", "internal/judge", "internal/verdict"}},
	{"a check knows no debugger", []string{"internal/judge", "internal/engine/...", "internal/wgsl/..."}, []string{"internal/debug/..."}},
	{"the debugger's core knows no front and no exercise", []string{"internal/debug"}, []string{"internal/debug/dap", "internal/debug/terminal", "internal/debug/target", godap, tea, "internal/lesson", "internal/judge"}},
	{"a verdict stands by itself", []string{"internal/verdict"}, []string{"internal/judge", "internal/lesson", "internal/shader"}},
	{"a worker knows tasks and verdicts, not whose they are", []string{"internal/worker"}, []string{"internal/grade/...", "internal/submission", "internal/learner"}},
	{"reports and pages are made of a run, not the other way round", []string{"internal/grade"}, []string{"internal/grade/report", "internal/grade/feedback", "internal/similarity"}},
	{"a kernel's client knows no notebook", []string{"internal/jupyter"}, []string{"internal/nbformat", "internal/nbrun"}},
	{
		"the kernel's front opens no GPU and knows no exercise", []string{"internal/kernel"},
		[]string{webgpu, "pkg/...", "internal/engine/...", "internal/judge", "internal/lesson", "internal/nbformat"},
	},
	{
		"the worker that is kept has the GPU, so that the kernel's front has none", []string{"internal/kernel/answers", "internal/worker/kept"},
		[]string{webgpu, gonbui, "pkg/...", "internal/engine/...", "internal/lesson"},
	},
	{"what debugs in the kernel opens no GPU", []string{"internal/kernel/debugger"}, []string{webgpu, "pkg/...", "internal/engine/native"}},
	{"the site's judge opens nothing but what runs shaders", []string{"internal/site/answers"}, []string{"internal/kernel/...", "internal/worker/...", "internal/grade/...", "internal/jupyter/...", zmq4, "os/exec", "net/http"}},
	{"a cell's Go is read by Go's parser alone, and a worker is tied by the system alone", []string{"internal/kernel/gocell", "internal/worker/tether"}, []string{webgpu, zmq4, "internal/jupyter", "internal/judge", "pkg/..."}},
	{"a kernel spec is read without sockets", []string{"internal/kernelspec", "internal/clone", "internal/doctor"}, []string{zmq4}},
	{
		"what ships links no test support", []string{"cmd/...", "pkg/...", "shaders", "weights"},
		[]string{"testing", "github.com/stretchr/testify/...", "pgregory.net/rapid", "internal/golden", "internal/engine/enginetest", "internal/grade/gradetest/...", "internal/jupyter/jupytertest/..."},
	},
	{"what makes the course's page is no part of what ships", []string{"cmd/...", "pkg/...", "internal/site/server", "internal/site/answers"}, []string{"internal/site", "internal/site/cells", esbuild, goldmark}},
	{"cells are made into Go without running any of it", []string{"internal/site/cells"}, []string{webgpu, zmq4, "pkg/...", "internal/engine/...", "os/exec"}},
	{"the pass over the judge's WebAssembly knows nothing of ours", []string{"internal/site/straight"}, []string{"internal/site", "internal/wgsl/...", "internal/lesson", "pkg/..."}},
	{"nobody needs a command", []string{"internal/...", "pkg/..."}, []string{"cmd/..."}},
}

// importers are the only packages that may import a library themselves, so that it
// can be replaced in one place.
var importers = []struct {
	library string
	by      []string
}{
	{webgpu, []string{"pkg/gpu"}},
	{gonbui, []string{"pkg/show"}},
	{godap, []string{"internal/debug/dap"}},
	{tea, []string{"internal/debug/terminal"}},
	{esbuild, []string{"internal/site"}},
	{goldmark, []string{"internal/site"}},
	{websocket, []string{"acceptance/internal/firefox"}},
	{zmq4, []string{"internal/jupyter", "internal/jupyter/jupytertest/fakekernel"}}, // the latter speaks wrongly on purpose
}

// public is what a notebook may import; everything else is below internal/.
var public = []string{"pkg/check", "pkg/course", "pkg/digits", "pkg/draw", "pkg/gpu", "pkg/mlp", "pkg/mnist", "pkg/race", "pkg/show", "pkg/show/plot", "pkg/trace"}

func TestNoArrowPointsBack(t *testing.T) {
	for _, rule := range links {
		for _, p := range packages(t) {
			if !matchesAny(p.ImportPath, rule.from) {
				continue
			}
			for _, dep := range p.Deps {
				if matchesAny(dep, rule.from) && strings.HasPrefix(dep, module) {
					continue // a room may know its own parts
				}
				if matchesAny(dep, rule.not) {
					t.Errorf("%s links %s (go list -deps shows the way), but %s", p.ImportPath, dep, rule.why)
				}
			}
		}
	}
}

func TestWhoImportsWhat(t *testing.T) {
	for _, rule := range importers {
		for _, p := range packages(t) {
			for _, imported := range p.Imports {
				if matches(imported, rule.library) && !matchesAny(p.ImportPath, rule.by) {
					t.Errorf("%s imports %s; only %s may", p.ImportPath, imported, strings.Join(rule.by, " and "))
				}
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
	require.Equal(t, public, found, "pkg/ holds what a notebook imports, and nothing else")
}

// A rule whose packages were renamed would hold for ever.
func TestRulesNameWhatIsThere(t *testing.T) {
	var named []string
	for _, rule := range links {
		named = append(append(named, rule.from...), rule.not...)
	}
	for _, rule := range importers {
		named = append(named, rule.by...)
	}
	for _, pattern := range named {
		first, _, _ := strings.Cut(pattern, "/")
		if !slices.Contains([]string{"cmd", "internal", "pkg", "shaders", "weights"}, first) {
			continue // not ours
		}
		there := slices.ContainsFunc(packages(t), func(p listed) bool { return matches(p.ImportPath, pattern) })
		require.True(t, there, "no package is called %s", pattern)
	}
}

// TestWebAssembly builds what judges for the browser, and the site's judge, whose files for the browser no other test sees.
func TestWebAssembly(t *testing.T) {
	look(t)
	goForBrowsers(t, append([]string{"build"}, inModule(pure)...)...)
	goForBrowsers(t, "build", "-o", os.DevNull, module+"internal/site/worker")
}

// The site's judge takes with it what a page can use, and not megabytes more.
func TestTheSitesJudgeIsSmall(t *testing.T) {
	look(t)
	linked := strings.Fields(goForBrowsers(t, "list", "-deps", module+"internal/site/worker"))
	require.Contains(t, linked, module+"internal/judge")
	for _, p := range linked {
		if matchesAny(p, []string{webgpu, gonbui, zmq4, "os/exec", "net", "net/http", "database/sql", "testing"}) {
			t.Errorf("internal/site/worker links %s, which is of no use in a page", p)
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
	for _, room := range []string{"cmd", "internal", "pkg", "shaders", "weights"} {
		require.NoError(t, filepath.WalkDir(filepath.Join("..", "..", room), func(path string, _ fs.DirEntry, err error) error {
			if err == nil && filepath.Ext(path) == ".go" {
				_, err = os.Stat(path)
			}
			return err
		}))
	}
}

// listed is what go list says of a package, without its tests.
type listed struct {
	ImportPath    string
	Imports, Deps []string
}

var all []listed

// packages are the packages of this module.
func packages(t *testing.T) []listed {
	t.Helper()
	if all != nil {
		return all
	}
	look(t)
	list := exec.Command("go", "list", "-json=ImportPath,Imports,Deps", module+"...")
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
