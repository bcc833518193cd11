// Package cell reads the source of a code cell: the file that it writes, the program that GoNB
// makes of it, and the one call of the course that it may consist of. It is the only reader of
// cells. The kernel, the debugger, grading, the web page and JupyterLab's extension all use it.
//
// GoNB v0.11 sets the rules. testdata/cells.json lists cells with the answers that every reader
// must give.
package cell

import (
	"go/ast"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
)

// A CellSource is the source of a code cell. Each part is read once, on first use, and all who have
// the CellSource share the result: a kernel asks several readers about each cell. A CellSource is
// safe for concurrent use.
type CellSource struct {
	Code string

	file    func() (WrittenFile, bool)
	program func() GoProgram
	syntax  func() (*ast.File, error)
	call    func() (CourseCall, bool)
}

// Read returns the source of a code cell. It accepts any text.
func Read(code string) *CellSource {
	s := &CellSource{Code: code}
	s.file = sync.OnceValues(func() (WrittenFile, bool) { return readFile(code) })
	s.program = sync.OnceValue(func() GoProgram { return readProgram(code) })
	s.syntax = sync.OnceValues(func() (*ast.File, error) { return s.Program().parse() })
	s.call = sync.OnceValues(s.readCall)
	return s
}

// A WrittenFile is the file that a cell writes because its first line is %%writefile [-a] PATH.
type WrittenFile struct {
	Path   string // as the cell names it, without quotes
	Body   string // the cell below its first line
	Append bool   // keep the file's contents, and append

	oneLine bool // the cell ends with its first line
}

// firstLine is the syntax of a first line that writes a file. JavaScript uses the same expression:
// see ShaderFile.
const firstLine = `^(?://gonb:)?[ \t]*%%writefile[ \t]+(-a[ \t]+)?((?:[^ \t\r"]|"(?:\\.|[^"\\])*(?:"|$))+)[ \t\r]*$`

var writesFile = regexp.MustCompile(firstLine)

// ShaderFile returns a JavaScript expression: a function that returns the WGSL file that a cell's
// source writes, or null if it writes none.
func ShaderFile() string {
	return `(source) => {
    const match = /` + strings.ReplaceAll(firstLine, "/", `\/`) + `/.exec(source.split('\n', 1)[0]);
    const path = match?.[2].replace(/"((?:\\.|[^"\\])*)"?/g, (_, quoted) => quoted.replace(/\\(.)/g, '$1'));
    return path?.endsWith('` + shaderSuffix + `') ? path : null;
  }`
}

// File returns the file that the cell writes; ok is false if it writes none.
func (s *CellSource) File() (f WrittenFile, ok bool) { return s.file() }

func readFile(code string) (f WrittenFile, ok bool) {
	first, body, more := strings.Cut(code, "\n")
	match := writesFile.FindStringSubmatch(first)
	if match == nil {
		return WrittenFile{}, false
	}
	return WrittenFile{Path: unquote(match[2]), Body: body, Append: match[1] != "", oneLine: !more}, true
}

// Shader returns the WGSL file that the cell writes; ok is false if it writes none.
func (s *CellSource) Shader() (f WrittenFile, ok bool) {
	if f, ok = s.File(); ok && strings.HasSuffix(f.Path, shaderSuffix) {
		return f, true
	}
	return WrittenFile{}, false
}

const shaderSuffix = ".wgsl"

// Text returns the text that the cell writes: its lines after the first, each with a line feed.
func (f WrittenFile) Text() string {
	if f.oneLine {
		return ""
	}
	return f.Body + "\n"
}

// Resolve returns the path of the file for a kernel that works in dir.
func (f WrittenFile) Resolve(dir string) string {
	path := os.ExpandEnv(f.Path)
	if rest, found := strings.CutPrefix(path, "~/"); found {
		if home, err := os.UserHomeDir(); err == nil {
			path = filepath.Join(home, rest)
		}
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	return filepath.Clean(path)
}

// unquote removes the quotes from a word. A backslash escapes only between quotes.
func unquote(word string) string {
	var out strings.Builder
	quoted := false
	for i := 0; i < len(word); i++ {
		switch c := word[i]; {
		case c == '"':
			quoted = !quoted
		case c == '\\' && quoted && i+1 < len(word):
			i++
			out.WriteByte(escaped(word[i]))
		default:
			out.WriteByte(c)
		}
	}
	return out.String()
}

func escaped(c byte) byte {
	switch c {
	case 'n':
		return '\n'
	case 't':
		return '\t'
	}
	return c
}
