package jail

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"

	"github.com/wgslab/wgslab/internal/course/host"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
)

// importable lists the packages of Go's library that a program in jail may import. None opens a
// file or a connection, starts a program, or gets around Go's types, as unsafe and reflect do:
// the program and its judge share a process.
var importable = []string{
	"bufio", "bytes", "cmp", "container/heap", "container/list", "container/ring", "context",
	"encoding/base64", "encoding/binary", "encoding/hex", "errors", "fmt", "hash", "hash/crc32", "hash/fnv",
	"io", "iter", "log", "maps", "math", "math/big", "math/bits", "math/cmplx", "math/rand", "math/rand/v2",
	"slices", "sort", "strconv", "strings", "sync", "sync/atomic", "time", "unicode", "unicode/utf16", "unicode/utf8",
}

const coursePackages = "github.com/wgslab/wgslab/pkg/"

// fromCourse lists what a program in jail may use of the course's packages; nil is everything. The
// others' functions read files or judge.
var fromCourse = map[string][]string{
	coursePackages + "wgpu":  nil,
	coursePackages + "check": {"HostShader", "Layers", "Training"},
	coursePackages + "gpu":   {"Buffer", "Device", "Groups", "Kernel", "Pass"},
}

// Importable returns all packages that a program in jail may import.
func Importable() []string {
	all := slices.Clone(importable)
	for path := range fromCourse {
		all = append(all, path)
	}
	slices.Sort(all)
	return all
}

// refuseGo returns the verdict on a program in Go that jail refuses to build, or nil. It leaves it
// to the compiler to say what is wrong with a text that isn't Go.
func refuseGo(f *host.HandInFile, seed uint64) *verdict.Verdict {
	if wrong := f.Unreadable(seed); wrong != nil {
		return wrong
	}
	files := token.NewFileSet()
	source := f.Source()
	file, err := parser.ParseFile(files, "", source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	const ours = ":1:1\n" // ends the directive before the learner's first line
	own := strings.Index(source, ours) + len(ours)
	refuse := func(at token.Pos, format string, args ...any) *verdict.Verdict {
		p := files.Position(at)
		return f.Refused(fmt.Sprintf(format, args...), p.Line, p.Column, seed)
	}
	for _, group := range file.Comments {
		for _, c := range group.List {
			if d := directive(c.Text); d != "" && files.PositionFor(c.Pos(), false).Offset >= own {
				return refuse(c.Pos(), "A graded program may not have a directive `%s`", d)
			}
		}
	}
	names := map[string][]string{} // of packages of which only a part may be used
	for _, spec := range file.Imports {
		path, _ := strconv.Unquote(spec.Path.Value) // the parser has read it
		some, ours := fromCourse[path]
		name := path[strings.LastIndexByte(path, '/')+1:]
		if spec.Name != nil {
			name = spec.Name.Name
		}
		switch {
		case !ours && !slices.Contains(importable, path):
			return refuse(spec.Pos(), "A graded program may not import `%s`: it runs without files, network and other programs", path)
		case ours && (name == "." || name == "_"):
			return refuse(spec.Pos(), "A graded program imports `%s` by its name", path)
		case some != nil:
			names[name] = some
		}
	}
	var wrong *verdict.Verdict
	ast.Inspect(file, func(n ast.Node) bool {
		selected, ok := n.(*ast.SelectorExpr)
		if !ok || wrong != nil {
			return wrong == nil
		}
		if of, ok := selected.X.(*ast.Ident); ok {
			if some := names[of.Name]; some != nil && !slices.Contains(some, selected.Sel.Name) {
				wrong = refuse(selected.Pos(), "A graded program may not use `%s.%s`", of.Name, selected.Sel.Name)
			}
		}
		return true
	})
	return wrong
}

// directive returns a comment's directive, or "". A compiler obeys those that begin with //go:,
// and takes the numbers of lines from those that begin with line.
func directive(comment string) string {
	text := strings.TrimPrefix(strings.TrimPrefix(comment, "//"), "/*")
	word, _, _ := strings.Cut(text, " ")
	for _, begins := range []string{"go:", "line", "export", "extern", "sys"} {
		if word == begins || begins == "go:" && strings.HasPrefix(text, begins) {
			return strings.TrimSpace(word)
		}
	}
	return ""
}

// yielding adds a call to the beginning of each loop, so that the check sees a program that waits
// in one. Lines and columns stay as they are.
func yielding(source string) string {
	files := token.NewFileSet()
	parsed, err := parser.ParseFile(files, "", source, parser.SkipObjectResolution)
	if err != nil {
		return source
	}
	var bodies []token.Pos
	ast.Inspect(parsed, func(n ast.Node) bool {
		switch loop := n.(type) {
		case *ast.ForStmt:
			bodies = append(bodies, loop.Body.Lbrace+1)
		case *ast.RangeStmt:
			bodies = append(bodies, loop.Body.Lbrace+1)
		}
		return true
	})
	slices.Sort(bodies)
	var out strings.Builder
	from := 0
	for _, body := range bodies {
		at, shown := files.PositionFor(body, false).Offset, files.Position(body)
		place := fmt.Sprintf("%s:%d", shown.Filename, shown.Line)
		if shown.Column > 0 { // there is one after a directive that names it
			place += ":" + strconv.Itoa(shown.Column)
		}
		fmt.Fprintf(&out, "%s%s();/*line %s*/", source[from:at], yield, place)
		from = at
	}
	return out.String() + source[from:]
}

// yield is the function that loops call: see mainOf.
const yield = "mustYieldInEachLoop"

// mainOf returns the file with the program's main. Other goroutines wait until the program's own
// yields, because nothing interrupts it: two that run at once could break Go's types by a race.
// A check takes functions whose names begin with must for none of the learner's. Imports have other
// names than a learner gives.
func mainOf(id, function string) string {
	return fmt.Sprintf(`package main

import (
	_ %q
	mustCheck %q
	mustRuntime "runtime"
)

var mustCountLoops int

func %s() {
	if mustCountLoops++; mustCountLoops&1023 == 0 {
		mustRuntime.Gosched()
	}
}

func main() { mustCheck.Host(%q, %s) }
`, insidePackage, coursePackages+"check", yield, id, function)
}

const insidePackage = "github.com/wgslab/wgslab/internal/fronts/class/jail/inside"
