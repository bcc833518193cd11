package internal_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// repeated lists the exported type names that several packages declare, and why each still means
// one thing. Names of a package in pkg that are aliases don't count: they are the same type.
var repeated = map[string]string{
	"Options": "what a caller can change in the function or type that a package offers",
	"Option":  "the same, one at a time",
	"Config":  "the same, for what runs until it is stopped",
	"Server":  "answers the requests of a protocol, over its connections",

	"AccessSite":     "a place in the source that accesses memory: counted, and traced",
	"Binding":        "a resource at @group(0) @binding(n): declared, filled, and run",
	"EntryPoint":     "WGSL's entry point: as checked, and as an engine needs it",
	"Member":         "WGSL's structure member: its syntax, its type, its place in memory",
	"Type":           "WGSL's type: as checked, and as a host lays it out",
	"Variable":       "a name with a value or a place in memory: WGSL's, and the debugger's of it",
	"TracedVariable": "a variable with the accesses to it: as they happen, and counted",
	"Space":          "WGSL's address space",
	"Position":       "a line and a column: WGSL's, and the editor protocol's",
	"Range":          "two positions: WGSL's, and the editor protocol's",
	"Location":       "a range in a text: WGSL's, and the editor protocol's",
	"FoldingRange":   "lines to hide: found, and as the editor protocol has them",
	"Source":         "a shader's text: with its author's file, and with its line table",
	"Statement":      "a statement of the shader: where a run stops, and as the page shows it",
	"Pass":           "one of several dispatches in a row: an exercise's, a device's, a debugger's",
	"Pipeline":       "WebGPU's compute pipeline: as checked, and on a device",
	"Dispatch":       "WebGPU's dispatch; a lesson's cell writes gpu.Dispatch",
	"Element":        "the type of a buffer's elements; a cell's functions take it as a constraint",
	"Buffer":         "WebGPU's buffer: what a host fills, and each binding's own",
	"Device":         "WebGPU's device: each binding's own",
	"Program":        "a compiled shader: an engine's, and the simulator's own",
	"Result":         "the outcome of a dispatch: an engine's, and the simulator's own",
	"Trace":          "the accesses of a run: as they happen, as evidence, and counted",
	"Origin":         "how a number was computed: in a run, and in a verdict",
	"DeadlineError":  "something ran longer than its deadline",
	"Refusal":        "why something that was asked for can't be done, in sentences",

	"Adapter":     "WebGPU's adapter: as an engine describes it, and a program's own",
	"Limits":      "WebGPU's limits: those that engines differ in, and a program's own",
	"ShaderStage": "WebGPU's stages: of an entry point, and those that see a binding",

	"Breakpoint": "the debugger's: in a run, and in a request",
	"Frame":      "a function call in progress: in a run, and in a reply",
	"Group":      "invocations at the same statement: in a run, and in a reply",
	"Picture":    "the workgroup at one moment: in a run, and in a reply",
	"Scope":      "the names that are visible somewhere: to the compiler, and in the debugger",
	"Session":    "one learner's work with a tool: a debugger's run, and the checks of a process",
	"View":       "what a cell displays: made, and on its way to the browser",
	"Request":    "what a client asks: of a desk, of the page's backend, of a Jupyter kernel",
	"Cell":       "a notebook's cell: in its file, and when a kernel runs it",
	"Output":     "a cell's output: in its file, and when a kernel writes it",
	"Completion": "proposals for the cursor: WGSL's, a kernel's, the page's",
	"Inspection": "a description of the name at the cursor: WGSL's, a kernel's, the page's",

	"CompletionItem": "one of these proposals, as the editor protocol and the page have it",

	"Place":    "where a mistake may be; a lesson's cell writes show.Place for a place in its output",
	"Case":     "a check runs an exercise's cases; a test of cells has its own",
	"Network":  "a trained network on a device: each network's own",
	"Weights":  "the numbers of a trained network: each network's own, and those in training",
	"Reader":   "reads digits with the shaders of a learner: each network's own",
	"Progress": "how far long work has come",
	"Point":    "a place in the plane",
	"Browser":  "a browser that a test drives",
	"Page":     "a page in a browser that a test drives",
	"Process":  "a process of the operating system",
	"Wait":     "how long a learner waits",
}

// mirror is the package whose types have the names of github.com/cogentcore/webgpu/wgpu, so that a
// program changes its import path and nothing else.
const mirror = "pkg/wgpu"

// TestOneNameOneThing finds type names that several packages declare. A new one needs another name,
// or a reason above.
func TestOneNameOneThing(t *testing.T) {
	where := map[string][]string{}
	for _, p := range packages(t) {
		folder := strings.TrimPrefix(p.ImportPath, module)
		if folder == mirror {
			continue
		}
		for _, name := range exportedTypes(t, folder) {
			where[name] = append(where[name], folder)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(where)) {
		if folders := where[name]; len(folders) > 1 && repeated[name] == "" {
			t.Errorf("%s is a type in %s: give one of them another name", name, strings.Join(folders, ", "))
		}
	}
	for name := range repeated {
		require.Greater(t, len(where[name]), 1, "%s needs no reason any more", name)
	}
}

// exportedTypes returns the exported types that a package declares for any system, without aliases:
// an alias is the same type.
func exportedTypes(t *testing.T, folder string) []string {
	files, err := filepath.Glob(filepath.Join("..", filepath.FromSlash(folder), "*.go"))
	require.NoError(t, err)
	var names []string
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.TypeSpec)
			if ok && spec.Name.IsExported() && !spec.Assign.IsValid() && !slices.Contains(names, spec.Name.Name) {
				names = append(names, spec.Name.Name)
			}
			_, function := n.(*ast.FuncDecl)
			return !function
		})
	}
	return names
}

// TestCommentsFit holds comments to 100 columns, with tabs of four. Examples compare their comments
// with output, a line without a space can't be broken, and gofmt lays out lists.
func TestCommentsFit(t *testing.T) {
	for _, p := range packages(t) {
		files, err := filepath.Glob(filepath.Join("..", filepath.FromSlash(strings.TrimPrefix(p.ImportPath, module)), "*.go"))
		require.NoError(t, err)
		for _, name := range files {
			text, err := os.ReadFile(name)
			require.NoError(t, err)
			for i, line := range strings.Split(string(text), "\n") {
				comment, ok := strings.CutPrefix(strings.TrimLeft(line, "\t"), "// ")
				if ok && utf8.RuneCountInString(strings.ReplaceAll(line, "\t", "    ")) > 100 && strings.Contains(comment, " ") &&
					!strings.HasPrefix(comment, " ") && !strings.HasSuffix(name, "example_test.go") {
					t.Errorf("%s:%d: a comment of over 100 columns: %s", name, i+1, comment)
				}
			}
		}
	}
}
