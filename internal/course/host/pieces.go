package host

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/learner"
	"github.com/wgslab/wgslab/internal/ground/atomicfile"
	"github.com/wgslab/wgslab/internal/ground/view"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/machine/webgpu"
)

// The learner's own host file: work/host.go, and in JavaScript work/host.js. Lesson 2's pieces are
// in it once they are right, and later programs for the host find them there.
var (
	GoFile     = learner.GoPath("host")
	ScriptFile = learner.ProgramPath("host")
)

// Pieces lists the exercises whose functions are kept in the host file.
func Pieces() (all []*course.Exercise) {
	for _, e := range course.OnHost {
		if e.Host.Piece {
			all = append(all, e)
		}
	}
	return all
}

// A PieceSource says whose a piece is that a program uses.
type PieceSource struct {
	Name     string
	Learners bool // false for the reference, which stands in
}

// A Companion is what a program gets from the host file: the declarations that it uses and doesn't
// declare itself. References stand in for pieces that aren't in the file.
type Companion struct {
	Pieces       []PieceSource
	imports      []string
	declarations []declaration
}

// A declaration is one of a program, with its comment.
type declaration struct {
	names []string
	text  string
	file  string // of the learner's; "" for a reference
	line  int    // in that file, from 1
}

// Empty reports whether the program needs nothing.
func (b Companion) Empty() bool { return len(b.declarations) == 0 }

// Whose returns a card that says whose each piece is, or nil if the program uses none.
func (b Companion) Whose() view.View {
	if len(b.Pieces) == 0 {
		return nil
	}
	card := view.Card{Title: "Whose pieces of the host"}
	for _, p := range b.Pieces {
		whose := "yours"
		if !p.Learners {
			whose = "the reference, until yours passes its check"
		}
		card.Rows = append(card.Rows, [2]string{p.Name, whose})
	}
	return card
}

// choose sets what a program gets: the declarations of the pool that have one of the names,
// and what those use. used returns the names in a text.
func (b *Companion) choose(pool []declaration, names []string, used func(text string) []string, declared func(name string) bool) {
	taken := make([]bool, len(pool))
	for len(names) > 0 {
		name := names[0]
		names = names[1:]
		for i, p := range pool {
			if !taken[i] && slices.Contains(p.names, name) && !declared(name) {
				taken[i] = true
				names = append(names, used(p.text)...)
			}
		}
	}
	pieces := Pieces()
	for i, p := range pool {
		if !taken[i] {
			continue
		}
		b.declarations = append(b.declarations, p)
		for _, e := range pieces {
			if slices.Contains(p.names, e.Host.Function) {
				b.Pieces = append(b.Pieces, PieceSource{e.Host.Function, p.file != ""})
			}
		}
	}
}

// ScriptCompanion returns what a program in JavaScript gets from the text of a host file. It never
// gets what it has to declare itself: due.
func ScriptCompanion(program, own string, due ...string) (b Companion) {
	pool := scriptParts(own, ScriptFile)
	for _, e := range Pieces() {
		if reference, err := e.ScriptReference(); err == nil {
			pool = joined(pool, scriptParts(reference, ""))
		}
	}
	for _, p := range scriptParts(program, "") {
		due = append(due, p.names...)
	}
	declared := func(name string) bool { return slices.Contains(due, strings.TrimPrefix(name, value)) }
	b.choose(pool, scriptNames(program), scriptNames, declared)
	return b
}

// joined appends the declarations whose names are all new.
func joined(pool, more []declaration) []declaration {
	for _, p := range more {
		if !slices.ContainsFunc(p.names, func(name string) bool { return slices.ContainsFunc(pool, isNamed(name)) }) {
			pool = append(pool, p)
		}
	}
	return pool
}

func isNamed(name string) func(declaration) bool {
	return func(p declaration) bool { return slices.Contains(p.names, name) }
}

// Script returns the text that follows a program in JavaScript.
func (b Companion) Script() string {
	var out strings.Builder
	for _, p := range b.declarations {
		out.WriteString(p.text + "\n")
	}
	return out.String()
}

// Place returns the place in the host file of a line of Script, from 1; nil for a reference's line.
func (b Companion) Place(line int, own string) *webgpu.SourcePlace {
	for _, p := range b.declarations {
		n := 1 + strings.Count(p.text, "\n")
		if line <= n {
			if p.file == "" {
				return nil
			}
			return &webgpu.SourcePlace{File: p.file, Line: p.line + line - 1, Text: own}
		}
		line -= n
	}
	return nil
}

// keepScript returns the text of a host file in JavaScript with the declarations of a program that
// has a right piece. They take the place of those with the same names.
func keepScript(own, program string) string {
	return kept(scriptParts(own, ScriptFile), scriptParts(program, ""))
}

// kept joins the declarations of a host file and new ones, as the text of a file without imports.
func kept(old, fresh []declaration) string {
	var texts []string
	for _, p := range old {
		i := slices.IndexFunc(fresh, func(f declaration) bool {
			return slices.ContainsFunc(f.names, func(name string) bool { return isNamed(name)(p) })
		})
		if i >= 0 {
			p = fresh[i]
			fresh = slices.Delete(slices.Clone(fresh), i, i+1)
		}
		texts = append(texts, strings.TrimSpace(p.text))
	}
	for _, p := range fresh {
		texts = append(texts, strings.TrimSpace(p.text))
	}
	return strings.Join(texts, "\n\n") + "\n"
}

var (
	scriptBegins  = regexp.MustCompile(`^\s*(?:async\s+)?(?:function|const|let|var|class)\b`)
	scriptDeclare = regexp.MustCompile(`\b(?:function\b\s*\*?|(const|let|var|class)\b)\s*([\pL_$][\pL\pN_$]*)|(,)\s*([\pL_$][\pL\pN_$]*)\s*=[^=]`)
	scriptReturns = regexp.MustCompile(`\breturn\b`)
	scriptName    = regexp.MustCompile(`\.?[\pL_$][\pL\pN_$]*(?:\s*\()?`)
	scriptWords   = regexp.MustCompile("(?s)//[^\n]*|/\\*.*?\\*/|'(?:[^'\\\\\n]|\\\\.)*'|\"(?:[^\"\\\\\n]|\\\\.)*\"")
)

// blank replaces the comments and the strings of a program in JavaScript, and keeps its lines.
func blank(text string) string {
	return scriptWords.ReplaceAllStringFunc(text, func(words string) string {
		return " " + strings.Repeat("\n", strings.Count(words, "\n"))
	})
}

// scriptLines returns the lines of a program in JavaScript without comments, strings and what is in
// more than some brackets.
func scriptLines(text string, most int) []string {
	depth := 0
	return strings.Split(strings.Map(func(r rune) rune {
		switch {
		case strings.ContainsRune("({[", r):
			depth++
			return ' '
		case strings.ContainsRune(")}]", r):
			depth = max(depth-1, 0)
			return ' '
		case depth > most && r != '\n':
			return ' '
		}
		return r
	}, blank(text)), "\n")
}

// scriptParts divides a program in JavaScript into its declarations, as far as each begins on a
// line of its own, in no brackets. What is before them, and isn't a comment above one, is left out.
func scriptParts(text, file string) (declarations []declaration) {
	text = strings.TrimRight(text, "\n")
	var above []string // comments that may belong to the next declaration
	outside := scriptLines(text, 0)
	for i, line := range strings.Split(text, "\n") {
		last := len(declarations) - 1
		switch {
		case scriptBegins.MatchString(outside[i]):
			declarations = append(declarations, declaration{nil, strings.Join(append(above, line), "\n"), file, i + 1 - len(above)})
			above, last = nil, last+1
		case strings.HasPrefix(strings.TrimSpace(line), "//"):
			above = append(above, line)
		default:
			if last >= 0 {
				declarations[last].text = strings.Join(append(append([]string{declarations[last].text}, above...), line), "\n")
			}
			above = nil
		}
		if last >= 0 {
			declarations[last].names = append(declarations[last].names, scriptDeclared(outside[i])...)
		}
	}
	return declarations
}

// ScriptReturn returns the line of a function's last return in a program in JavaScript, or of its
// declaration if it has none; 0 if there is no such function. Returns in inner brackets don't
// count: they may be those of other functions.
func ScriptReturn(text, function string) int {
	body := scriptLines(text, 1)
	for _, p := range scriptParts(text, "") {
		if !isNamed(function)(p) {
			continue
		}
		end := p.line + strings.Count(p.text, "\n")
		for line := end; line >= p.line; line-- {
			if scriptReturns.MatchString(body[line-1]) {
				return line
			}
		}
		return p.line + slices.IndexFunc(strings.Split(blank(p.text), "\n"), scriptBegins.MatchString)
	}
	return 0
}

// scriptDeclared returns the names that a line outside of brackets declares.
func scriptDeclared(line string) (names []string) {
	for _, m := range scriptDeclare.FindAllStringSubmatch(line, -1) {
		name := m[2] + m[4]
		if names = append(names, name); m[1]+m[3] != "" {
			names = append(names, value+name)
		}
	}
	return names
}

// value is before a name that isn't called: a local variable may have the name of a piece.
const value = "="

// scriptNames returns the names in a program in JavaScript, but for members, comments and strings.
func scriptNames(text string) (names []string) {
	for _, name := range scriptName.FindAllString(blank(text), -1) {
		called, isCall := strings.CutSuffix(name, "(")
		if name = value + name; isCall {
			name = strings.TrimSpace(called)
		}
		if called[0] != '.' && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// OwnFile returns the text of the host file in a work folder for a program in Go or JavaScript, by
// the ending of the program's name; "" if there is none.
func OwnFile(dir, program string) (text string, err error) {
	name := GoFile
	if filepath.Ext(program) == ".js" {
		name = ScriptFile
	}
	read, err := os.ReadFile(filepath.Join(dir, filepath.Base(name)))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return string(read), err
}

// KeptIn returns the text of a host file with right pieces, in Go or JavaScript.
func KeptIn(pieces []string, script bool) (own string, err error) {
	for _, text := range pieces {
		if script {
			own = keepScript(own, text)
		} else if own, err = keepGo(own, text); err != nil {
			return "", err
		}
	}
	return own, nil
}

// Keep puts the right program of an exercise into the host file of a work folder, if it is a piece.
// program is the file that has it, and text its text.
func Keep(id, dir, program, text string) error {
	t, err := Find(id)
	if err != nil || !t.Work.Piece || text == "" {
		return err
	}
	own, err := OwnFile(dir, program)
	if err != nil {
		return fmt.Errorf("keeping your %s: %w", t.Work.Function, err)
	}
	name := GoFile
	if filepath.Ext(program) == ".js" {
		name, own = ScriptFile, keepScript(own, text)
	} else if own, err = keepGo(own, text); err != nil {
		return fmt.Errorf("keeping your %s: %w", t.Work.Function, err)
	}
	if err := atomicfile.Write(filepath.Join(dir, filepath.Base(name)), []byte(own), 0o644); err != nil {
		return fmt.Errorf("keeping your %s: %w", t.Work.Function, err)
	}
	return nil
}

// An EmptyPiece is the error of a piece that returns nil.
type EmptyPiece struct{ Name, Lacks string }

func (e *EmptyPiece) Error() string { return fmt.Sprintf("`%s` returns no %s", e.Name, e.Lacks) }

// A Whole is the computation into which a check puts a piece: every binding's buffer is uploaded,
// the shader runs on them, and one is read.
type Whole struct {
	WGSL       string
	Workgroups [2]uint32
	Bindings   []WholeBinding // in the order of their numbers
	Result     int            // the one that is read
	Uints      bool           // it holds u32
}

// A WholeBinding is what a buffer of a Whole holds, and its usages.
type WholeBinding struct {
	Bytes           []byte
	Uniform, Result bool
}

// Whole returns the computation of a piece's case.
func (t *HostTask) Whole(c Case) Whole {
	s, out := c.stages[0], c.Arrays[t.Work.Result[0]]
	w := Whole{WGSL: c.Shaders[0].WGSL, Result: s.out, Uints: out.Whole}
	for axis, elements := range s.want.Elements[:2] {
		size, n := c.Shaders[0].Size[axis], int(elements)
		if axis == 0 {
			n += s.spare
		}
		w.Workgroups[axis] = uint32((max(n, 1) + size - 1) / size)
	}
	for i := range s.out + 1 {
		b := WholeBinding{Bytes: make([]byte, out.Len()*shader.ElementBytes), Result: i == s.out}
		switch {
		case i < len(s.gets) && s.gets[i].data != nil:
			b.Bytes = s.gets[i].data
		case i < len(s.gets):
			b.Bytes, b.Uniform = webgpu.WordsOf(s.want.Words), true
		}
		w.Bindings = append(w.Bindings, b)
	}
	return w
}
