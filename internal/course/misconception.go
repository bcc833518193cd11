package course

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// A Misconception is a known mistake: a wrong shader, what it did and why. The words never give the
// corrected line away. A learner's shader that leaves the same values has made the same mistake.
type Misconception struct {
	Slug  string // the diagnosis, "local-id"
	Title string // what the shader did, in one sentence
	Why   string // why that happened
	Ask   string // a question that leads on

	file, text string
	asIs       bool         // only with the workgroup sizes that it has
	shape      func() shape // of the text
	sizes      sync.Map     // of *shader.Source, by workgroup size
}

// In returns the shader with the learner's workgroup size; ok is false if it cannot have that size.
func (m *Misconception) In(size [3]uint32) (source *shader.Source, ok bool) {
	if known, found := m.sizes.Load(size); found {
		source = known.(*shader.Source)
		return source, source != nil
	}
	if source, ok = m.resized(size); !ok || source.Mistake() != nil {
		source = nil
	}
	m.sizes.Store(size, source)
	return source, source != nil
}

func (m *Misconception) resized(size [3]uint32) (*shader.Source, bool) {
	if m.asIs {
		return shader.Read(m.file, m.text), true
	}
	return shader.Resized(m.file, m.text, size)
}

// Builtins returns the builtins that cause the mistake: a shader that uses none of them has made
// another one. They start again in each workgroup or are constant within it, and the skeleton does
// not have them. Without such builtins the result is empty.
func (e *Exercise) Builtins(m *Misconception) ([]string, error) {
	skeleton, err := e.Skeleton()
	if err != nil {
		return nil, err
	}
	given := groupBuiltins(skeleton)
	needed := slices.DeleteFunc(groupBuiltins(m.text), func(b string) bool { return slices.Contains(given, b) })
	if slices.ContainsFunc(needed, isLocal) {
		needed = append(needed, localBuiltins...)
	}
	return needed, nil
}

// localBuiltins start again in every workgroup.
var localBuiltins = []string{"local_invocation_id", "local_invocation_index"}

func isLocal(builtin string) bool { return slices.Contains(localBuiltins, builtin) }

// groupBuiltins returns the builtins of a shader that count within a workgroup, or count
// workgroups.
func groupBuiltins(text string) []string {
	var found []string
	file, _ := syntax.Parse(syntax.NewSource("", text))
	for a := range syntax.All[*syntax.Attribute](file) {
		if a.Name.Name == "builtin" && len(a.Args) == 1 {
			if value, ok := a.Args[0].(*syntax.IdentExpr); ok && (isLocal(value.Name.Name) || value.Name.Name == "workgroup_id") {
				found = append(found, value.Name.Name)
			}
		}
	}
	return found
}

// mostWrong limits the wrong shaders of an exercise: a failing check may try them all.
const mostWrong = 200

// readMisconceptions reads the misconceptions of an exercise: its wrong shaders that have a title.
// The judge knows the mistakes of the others without being told.
func readMisconceptions(files fs.FS, id string) ([]*Misconception, error) {
	names, err := fs.Glob(files, path.Join(id, "wrong", "*.wgsl"))
	if err != nil {
		return nil, fmt.Errorf("listing the wrong shaders of %s: %w", id, err)
	}
	if len(names) > mostWrong {
		return nil, fmt.Errorf("there are %d wrong shaders of %s, and %d are the most", len(names), id, mostWrong)
	}
	var all []*Misconception
	for _, name := range names {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, fmt.Errorf("reading a wrong shader: %w", err)
		}
		header := readHeader(string(text))
		if header["title"] != "" {
			all = append(all, &Misconception{
				Slug: header["diagnosis"], Title: header["title"], Why: header["why"], Ask: header["ask"],
				file: path.Base(name), text: string(text), shape: sync.OnceValue(func() shape { return shapeOf(string(text)) }),
			})
		}
	}
	return all, nil
}

// headerKeys are the keys of the first comment of a wrong shader, or of a right one.
var headerKeys = []string{"diagnosis", "title", "why", "ask", "way", "goals"}

// Diagnosis returns the diagnosis that a wrong shader's first comment names, "none" for a cause
// that no verdict can know, or "" if it names none.
func Diagnosis(text string) string { return readHeader(text)["diagnosis"] }

// Explains reports whether a wrong shader's first comment explains its diagnosis. Others are
// diagnosed without it.
func Explains(text string) bool { return readHeader(text)["title"] != "" }

// readHeader reads the `// key: value` lines at the start of a shader. Two more spaces continue a
// value on the next line.
func readHeader(text string) map[string]string {
	header, last := map[string]string{}, ""
	for line := range strings.Lines(text) {
		comment, ok := strings.CutPrefix(strings.TrimRight(line, "\r\n"), "// ")
		if !ok {
			break
		}
		key, value, ok := strings.Cut(comment, ": ")
		switch {
		case ok && slices.Contains(headerKeys, key):
			header[key], last = value, key
		case last != "" && strings.HasPrefix(comment, "  "):
			header[last] += " " + strings.TrimSpace(comment)
		default:
			return header
		}
	}
	return header
}
