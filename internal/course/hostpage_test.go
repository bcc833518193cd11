package course_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/ground/ipynb/nbformat"
)

// usesWGPU is in each program in Go that makes the host's calls.
const usesWGPU = `"github.com/wgslab/wgslab/pkg/wgpu"`

var (
	callEntry    = regexp.MustCompile("(?m)^- Go (`[^`]+`)(?:, JavaScript (`[^`]+`)|, native only)\\\\$")
	goName       = regexp.MustCompile(`\.([A-Z]\w+)`)
	scriptName   = regexp.MustCompile(`\.([a-z]\w+)\(|(GPU\w+\.[A-Z_]+)|\bdevice\.(queue)\b|\bbuffer\.(size)\b|\bnavigator\.(gpu)\b`)
	scriptMethod = regexp.MustCompile(`(?m)^    (?:async )?([a-z]\w+)\(.*\{|^  (?:async )?([a-z]\w+)\(.*\{`)
)

// The page about the host's calls has an entry for each call and flag that references and lessons
// use, and no other. Whatever it names from package wgpu exists.
func TestTheHostPageHasTheCoursesCalls(t *testing.T) {
	calls, types := exportedByWGPU(t)
	methods := names(scriptMethod, read(t, filepath.Join("..", "fronts", "page", "assets", "gpu.js")))
	text := read(t, filepath.Join("..", "..", "notebooks", "webgpu.md"))
	var listedInGo, listedInJS []string
	inGo, inJS := programsInGo(t), solutions(t, "reference.js")
	usedInGo := slices.DeleteFunc(names(goName, inGo), func(n string) bool { return !slices.Contains(calls, n) })
	usedInJS := slices.DeleteFunc(names(scriptName, inJS), func(n string) bool {
		return !strings.HasPrefix(n, "GPU") && n != "queue" && !slices.Contains(methods, n)
	})
	for _, entry := range callEntry.FindAllStringSubmatch(text, -1) {
		due := names(goName, entry[1])
		require.NotEmpty(t, due, entry[1])
		for _, name := range due {
			require.Contains(t, usedInGo, name, "no program of the course makes this call")
		}
		listedInGo, listedInJS = append(listedInGo, due...), append(listedInJS, names(scriptName, entry[2])...)
	}
	require.Subset(t, listedInGo, usedInGo, "webgpu.md needs an entry for each call and flag in Go")
	require.Subset(t, listedInJS, usedInJS, "webgpu.md needs an entry for each call and flag in JavaScript")
	for _, name := range names(regexp.MustCompile(`\bwgpu\.(\w+)`), text) {
		require.Contains(t, slices.Concat(calls, types), name, "package wgpu exports no such name")
	}
}

// names returns what a pattern's groups match, each once.
func names(pattern *regexp.Regexp, text string) (found []string) {
	for _, match := range pattern.FindAllStringSubmatch(text, -1) {
		name := strings.Join(match[1:], "")
		if !slices.Contains(found, name) {
			found = append(found, name)
		}
	}
	return found
}

// programsInGo returns the references in Go, and the lessons' cells that make the host's calls.
func programsInGo(t *testing.T) string {
	t.Helper()
	text := solutions(t, "reference.go")
	for _, l := range slices.Concat(course.Lessons, course.Beyond) {
		nb, err := nbformat.Read(filepath.Join("..", "..", "notebooks", l.Notebook))
		require.NoError(t, err)
		for _, c := range goCells(nb) {
			if strings.Contains(c.Source, usesWGPU) {
				text += c.Source
			}
		}
	}
	return text
}

// solutions returns a file of each exercise, in one text.
func solutions(t *testing.T, name string) (all string) {
	t.Helper()
	paths, err := exercises.Files.Glob("*/" + name)
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for _, path := range paths {
		text, err := exercises.Files.ReadFile(path)
		require.NoError(t, err)
		all += string(text)
	}
	return all
}

// exportedByWGPU returns the functions, methods and constants of package wgpu, and its types.
func exportedByWGPU(t *testing.T) (calls, types []string) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("..", "..", "pkg", "wgpu", "*.go"))
	require.NoError(t, err)
	for _, path := range paths {
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		for _, d := range file.Decls {
			if function, ok := d.(*ast.FuncDecl); ok && function.Name.IsExported() {
				calls = append(calls, function.Name.Name)
			}
			general, _ := d.(*ast.GenDecl)
			if general == nil {
				continue
			}
			for _, spec := range general.Specs {
				switch s := spec.(type) {
				case *ast.TypeSpec:
					types = append(types, s.Name.Name)
				case *ast.ValueSpec:
					for _, name := range s.Names {
						calls = append(calls, name.Name)
					}
				}
			}
		}
	}
	return calls, types
}
