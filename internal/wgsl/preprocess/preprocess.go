// Package preprocess expands shaders that are templates: it follows #define, #if, #include and
// their kin, and fills placeholders such as {{name}} and ${name} from a table of values. Every
// place of the result is in the files that a person wrote.
//
// The rules are C's, with the differences that docs/any-shader.md lists: those of the preprocessors
// that hosts of WGSL have.
package preprocess

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/wgslab/wgslab/internal/wgsl/expand"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// A Definition is what the host sets for a name.
type Definition struct {
	Text string // what replaces the name
	Flag bool   // the host only says whether it has the name: Text is true or false
}

// on reports whether directives see the name as defined.
func (v Definition) on() bool { return !v.Flag || v.Text != "false" }

// Values are what the host sets, by name. A name is a word, or what is between ${ and }.
type Values map[string]Definition

// Define adds a value as the command line has it: NAME, or NAME=VALUE.
func (v Values) Define(text string) error {
	name, value, valued := strings.Cut(text, "=")
	name = strings.TrimSpace(name)
	switch {
	case name == "":
		return fmt.Errorf("%q defines no name: write NAME or NAME=VALUE", text)
	case !valued && len(strings.Fields(name)) == 2:
		return fmt.Errorf("%q is no name: write %s", text, strings.Join(strings.Fields(name), "="))
	case !valued && !isWord(name):
		return fmt.Errorf("%q is no name: write NAME or NAME=VALUE", text)
	case valued:
		v[name] = Definition{Text: strings.TrimSpace(value)}
	default:
		v[name] = Definition{Text: "true", Flag: true}
	}
	return nil
}

// An Includer finds the files that a shader includes. The name of a source says where the file is.
type Includer interface {
	// Include returns the file that an #include or #import in another file names.
	Include(from *syntax.Source, name string) (*syntax.Source, error)
}

// A Keeper has what was kept of files before, where an Includer serves many variants.
type Keeper interface{ Kept() *Kept }

// Modules finds the modules that #import names, where an Includer can do so as well.
type Modules interface {
	// Module returns the file whose #define_import_path is this path, or nil.
	Module(from *syntax.Source, path string) *syntax.Source
}

// Limits keep a shader that includes or expands without end from taking all memory.
const (
	mostNested   = 64
	mostDeep     = 64 // macros in arguments of macros
	mostExpanded = 1 << 19
)

// Expand returns a shader as its host would pass it to WebGPU. What is wrong with its directives
// is what Parse reports of the result. A text without directives and names to replace is returned
// as it is. The files before are those whose text the host puts before the shader's.
func Expand(main *syntax.Source, values Values, files Includer, before ...*syntax.Source) *syntax.Source {
	if !concerned(main.Text, values) && len(before) == 0 {
		return main
	}
	p := &preprocessor{main: main, values: values, files: files}
	p.run(before)
	if p.found.any() { // now its names are known
		p = &preprocessor{main: main, values: values, files: files, declared: p.found}
		p.run(before)
	}
	return p.result()
}

// run expands the files before the shader, and then the shader.
func (p *preprocessor) run(before []*syntax.Source) {
	p.macros, p.unknown, p.once = map[string]*macro{}, map[string]*findings.Finding{}, map[string]bool{}
	p.found = declared{module: map[string]bool{}, members: map[string]bool{}, words: map[place]bool{}}
	if keeper, ok := p.files.(Keeper); ok {
		p.kept = keeper.Kept()
	}
	for name, v := range p.values {
		if v.on() && isWord(name) {
			p.macros[name] = &macro{name: name, body: scan(syntax.NewSource("", v.Text)), flag: v.Flag, host: true}
		}
	}
	for _, file := range before {
		p.expandFile(file)
		p.endLine(file)
	}
	p.expandFile(p.main)
	p.link()
}

// anyBraced matches a text with a name in single braces.
var anyBraced = regexp.MustCompile(`\{[A-Za-z_]\w*\}`)

// concerned reports whether a text may have anything to expand.
func concerned(text string, values Values) bool {
	return len(values) > 0 || strings.Contains(text, "#") || strings.Contains(text, "{{") || strings.Contains(text, "{%") || strings.Contains(text, "${") || anyBraced.MatchString(text)
}

// A preprocessor expands one shader.
type preprocessor struct {
	main   *syntax.Source
	values Values
	files  Includer
	kept   *Kept

	macros   map[string]*macro
	once     map[string]bool // the files with #pragma once, by name
	open     []string        // the files that are being read, outermost first
	expanded int             // how many tokens expansions made
	depth    int             // of macros in arguments of macros
	full     bool            // a limit was reached
	foreign  bool            // a statement of a template language was reported
	declared declared        // the names that a first run found
	found    declared        // those of this run

	head, body []token // head is what #enable moves to the top
	length     int     // of body, in bytes
	problems   []*findings.Finding
	unknown    map[string]*findings.Finding // by the name without a value

	imported map[string]*names // by the file that imports them
	isModule map[string]bool   // by the name of the file
	final    map[item]string   // the names in the shader of the modules' items
}

// endLine ends the last line of a file, so that the next one begins on a line of its own.
func (p *preprocessor) endLine(file *syntax.Source) {
	if end := int32(len(file.Text)); !strings.HasSuffix(file.Text, "\n") {
		p.emit(token{kind: blank, text: "\n", file: file, span: syntax.Span{Start: end, End: end}})
	}
}

// emit adds a token to the shader.
func (p *preprocessor) emit(t token) {
	if p.full {
		return
	}
	p.body = append(p.body, t)
	if p.length += len(t.text); p.length > syntax.MaxSource {
		p.full = true
		p.problem(t, "The expanded shader has more than %d KiB, which is the limit.", syntax.MaxSource>>10).
			Try("Look for a file that is included too often, or a macro that grows with each use.")
	}
}

// problem reports a token that can't be expanded. The token stays in the text, so that the finding
// has a place there.
func (p *preprocessor) problem(at token, format string, args ...any) *findings.Finding {
	found := findings.Errorf(findings.Preprocessing, p.keep(at), format, args...)
	p.problems = append(p.problems, found)
	return found
}

// keep adds a token as it was written, and returns its place in the text.
func (p *preprocessor) keep(at token) syntax.Span {
	at.text, at.exact = at.file.Slice(at.span), true
	if at.text == "" {
		at.text, at.exact = " ", false
	}
	span := syntax.Span{Start: int32(p.length), End: int32(p.length + len(at.text))}
	p.body = append(p.body, at)
	p.length += len(at.text)
	return span
}

// result returns the expanded text.
func (p *preprocessor) result() *syntax.Source {
	out := expand.New(p.main)
	for _, t := range p.head {
		t.write(out)
	}
	above := int32(out.Len())
	for _, t := range p.body {
		t.write(out)
	}
	move := func(s *syntax.Span) { s.Start, s.End = s.Start+above, s.End+above }
	for _, f := range p.problems {
		move(&f.Span)
		for i := range f.Related {
			move(&f.Related[i].Span)
		}
	}
	return out.Source(p.problems...)
}
