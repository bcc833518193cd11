package shader

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/wgsl"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// MaxSource is the size of the largest shader that is accepted, in bytes. The reference shaders
// have about 1,000.
const MaxSource = syntax.MaxSource

// A Source is a shader's text. The front end reads it once, on first use, and the judge, the
// validation, the engines and the debugger share the result. A Source is safe for concurrent use.
type Source struct {
	Name string // of its file
	Text string

	above     int                // the lines at the start of Text that are not in the file: see ReadCell
	entry     string             // of its compute function; "" means EntryPoint
	constants map[string]float64 // the host's values for overrides
	shader    func() *wgsl.Shader
	module    func() *wgsl.Module
	kept      sync.Map // by the key of Keep: a func() T
}

// At returns the same shader with another compute function as its entry point. It is read only
// once.
func (s *Source) At(entry string) *Source {
	if entry == s.EntryPoint() {
		return s
	}
	type at string
	return Keep(s, at(entry), func() *Source {
		return &Source{Name: s.Name, Text: s.Text, above: s.above, entry: entry, constants: s.constants, shader: s.shader, module: s.module}
	})
}

// With returns the same shader with the host's values for its overrides: by the number in @id, or
// else by the name (§ 7.2.2). It is read only once.
func (s *Source) With(constants map[string]float64) *Source {
	if len(constants) == 0 {
		return s
	}
	type with string
	return Keep(s, with(fmt.Sprintf("%#v", constants)), func() *Source {
		made := &Source{Name: s.Name, Text: s.Text, above: s.above, entry: s.entry, constants: constants, shader: s.shader}
		made.readModule()
		return made
	})
}

// Constants returns the host's values for overrides. It is read-only.
func (s *Source) Constants() map[string]float64 { return s.constants }

func (s *Source) readModule() {
	s.module = sync.OnceValue(func() *wgsl.Module { return s.shader().Module(s.constants) })
}

// EntryPoint returns the name of the compute function that a run starts.
func (s *Source) EntryPoint() string { return cmp.Or(s.entry, EntryPoint) }

// Keep returns what make returned when Keep was first called with this key, and keeps it as long as
// the source. An engine keeps its instructions there, which depend on nothing but the text.
func Keep[T any](s *Source, key any, make func() T) T {
	once, _ := s.kept.LoadOrStore(key, sync.OnceValue(make))
	return once.(func() T)()
}

// Read returns a shader with wgsl.Features. It accepts any text; Mistake reports what is wrong with
// it.
func Read(name, text string) *Source { return ReadWith(name, text, wgsl.Features) }

// ReadWith works like Read, with other language features.
func ReadWith(name, text string, features types.Features) *Source {
	s := &Source{Name: name, Text: text}
	s.read(func() *syntax.Source { return syntax.NewSource(name, text) }, features)
	return s
}

// ReadSource works like ReadWith for a text that may be an expanded one. Every place is then in the
// files that a person wrote.
func ReadSource(source *syntax.Source, features types.Features) *Source {
	s := &Source{Name: source.Name, Text: source.Text}
	s.read(func() *syntax.Source { return source }, features)
	return s
}

// ReadImplying is like ReadSource with all features, for an implementation that has these
// extensions without `enable`.
func ReadImplying(source *syntax.Source, implied types.Features) *Source {
	s := &Source{Name: source.Name, Text: source.Text}
	s.readWith(func() *syntax.Source { return source }, types.Options{Features: types.AllFeatures, Implied: implied})
	return s
}

func (s *Source) read(source func() *syntax.Source, features types.Features) {
	s.readWith(source, types.Options{Features: features})
}

func (s *Source) readWith(source func() *syntax.Source, options types.Options) {
	s.shader = sync.OnceValue(func() *wgsl.Shader { return wgsl.ReadSource(source(), options) })
	s.readModule()
}

// A SourceReader makes a source of a file's name and text: Read, or ReadCell where learners see the
// shader in a notebook's cell.
type SourceReader func(name, text string) *Source

// ReadCell works like Read for a file that a cell wrote. It counts lines as the cell's gutter does,
// from %%writefile on, so every place that a learner is told is where they see it.
func ReadCell(name, text string) *Source {
	s := Read(name, InCell(text))
	s.above = 1
	return s
}

// InCell returns a shader's text with the line numbers of its cell: an empty line replaces
// %%writefile.
func InCell(text string) string { return "\n" + text }

// Above returns the number of lines that the learner sees above the file's first line.
func (s *Source) Above() int { return s.above }

// File returns the text as it is in the file.
func (s *Source) File() string { return s.Text[s.above:] }

// Shader returns the front end's result for the text.
func (s *Source) Shader() *wgsl.Shader { return s.shader() }

// Module returns what the shader declares. It returns an error if the shader has a mistake, or if
// the values of its overrides give no pipeline for the entry point.
func (s *Source) Module() (*wgsl.Module, error) {
	if mistake := s.Unrunnable(); mistake != nil {
		return nil, mistake
	}
	module := s.module()
	if entry, _ := module.Entry(s.EntryPoint()); entry.Wrong != nil {
		return nil, s.Mistaken(entry.Wrong)
	}
	return module, nil
}

// Pipeline returns the entry point with the values of its overrides. The error is a *CompileError.
func (s *Source) Pipeline() (*types.Pipeline, error) {
	if _, err := s.Module(); err != nil {
		return nil, err
	}
	entry := s.shader().Entry(s.EntryPoint())
	if entry == nil || entry.Stage != types.ComputeStage {
		return nil, s.NoEntryPoint()
	}
	pipeline, _ := s.shader().Info.Pipeline(entry, s.constants) // Module has looked for mistakes
	return pipeline, nil
}

// Used returns the bindings that the entry point uses, itself or in the functions that it calls.
func (s *Source) Used() ([]wgsl.Binding, error) {
	module, err := s.Module()
	if err != nil {
		return nil, err
	}
	if s.shader().Entry(s.EntryPoint()) == nil {
		return nil, s.NoEntryPoint()
	}
	return slices.DeleteFunc(slices.Clone(module.Bindings), func(b wgsl.Binding) bool { return !s.uses(b) }), nil
}

// uses reports whether the entry point uses a binding.
func (s *Source) uses(b wgsl.Binding) bool {
	entry := s.shader().Entry(s.EntryPoint())
	return entry != nil && slices.ContainsFunc(entry.Resources, func(o *types.Object) bool { return o.Name == b.Name })
}

// usedElsewhere reports whether an entry point uses a binding.
func (s *Source) usedElsewhere(b wgsl.Binding) bool {
	return slices.ContainsFunc(s.shader().Info.EntryPoints, func(e *types.EntryPoint) bool {
		return slices.ContainsFunc(e.Resources, func(o *types.Object) bool { return o.Name == b.Name })
	})
}

// Bindings returns a shader's declarations by group and number, one for each. Other entry points
// may have other variables at the same binding (§ Resource Interface): of several, the entry
// point's is returned, or else the first. A group other than 0 that only other entry points use is
// left out: the hosts that bind all declarations know only that one.
func (s *Source) Bindings() ([]wgsl.Binding, error) {
	module, err := s.Module()
	if err != nil {
		return nil, err
	}
	return s.laid(module), nil
}

func (s *Source) laid(module *wgsl.Module) (laid []wgsl.Binding) {
	for _, b := range module.Bindings {
		last := len(laid) - 1
		switch {
		case b.Group != 0 && !s.uses(b) && s.usedElsewhere(b):
		case last < 0 || laid[last].Group != b.Group || laid[last].Number != b.Number:
			laid = append(laid, b)
		case s.uses(b):
			laid[last] = b
		}
	}
	return laid
}

// Function returns the place where the named function is declared.
func (s *Source) Function(name string) (findings.Region, bool) {
	for _, d := range s.shader().File.Decls {
		if f, ok := d.(*syntax.FuncDecl); ok && f.Name.Name == name {
			return s.shader().Source.Region(f.Name.Span()), true
		}
	}
	return findings.Region{}, false
}

// A Space is the address space of a bound variable and its access mode, as WGSL writes them.
type Space = wgsl.Space

// The address spaces that a buffer can be bound to.
const (
	Uniform   = wgsl.Uniform
	ReadOnly  = wgsl.ReadOnly
	ReadWrite = wgsl.ReadWrite
)

// byteOrderMark is the character that some editors put before text; WGSL does not allow it.
const byteOrderMark = "\uFEFF"

// Mistake returns the first error, in text order, that WGSL's rules find in the shader, or nil.
// Engines need not see such a shader: the error is the same on all of them.
func (s *Source) Mistake() *CompileError { return s.firstMistake(s.shader().Findings) }

// Unrunnable works like Mistake, without the rule that wgsl.Shader.Unrunnable leaves out.
func (s *Source) Unrunnable() *CompileError { return s.firstMistake(s.shader().Unrunnable()) }

func (s *Source) firstMistake(found []*findings.Finding) *CompileError {
	switch {
	case s.File() == "":
		return s.NoEntryPoint()
	case strings.HasPrefix(s.File(), byteOrderMark):
		return s.Error("", 0, 0, 0, "the file begins with a byte order mark, which is invisible: save it as UTF-8 without one")
	}
	if at := strings.IndexByte(s.Text, 0); at >= 0 {
		line := 1 + strings.Count(s.Text[:at], "\n")
		return s.Error(findings.NotText, 0, 0, 0, fmt.Sprintf("byte %d of line %d is NUL: this is not text", at-strings.LastIndexByte(s.Text[:at], '\n'), line))
	}
	if first := findings.FirstError(found); first != nil {
		return s.Mistaken(first)
	}
	return nil
}

// Mistaken turns a finding of the front end into an error.
func (s *Source) Mistaken(found *findings.Finding) *CompileError {
	e := &CompileError{Shader: s.Name, Finding: *found}
	e.Text = s.LineAt(found.Region)
	var related []string
	for _, r := range found.Related {
		related = append(related, fmt.Sprintf("line %d: %s", r.Line, r.Message))
	}
	e.Detail = strings.Join(related, "\n")
	return e
}

// NoEntryPoint returns the error about a shader without the entry point at which it is to start.
func (s *Source) NoEntryPoint() *CompileError {
	message := fmt.Sprintf("there is no entry point: a function `%s` marked @compute", s.EntryPoint())
	var has []string
	for _, e := range s.module().EntryPoints {
		has = append(has, "`"+e.Name+"`")
	}
	if s.entry != "" && len(has) > 0 { // somebody chose it
		message += "; the shader has " + english.List(has)
	}
	e := s.Error(findings.NoEntryPoint, 0, 0, 0, message)
	e.Empty = !slices.ContainsFunc(s.Shader().File.Decls, func(d syntax.Decl) bool { _, is := d.(*syntax.FuncDecl); return is })
	return e
}

// Error returns an error at a place in the shader: length characters from a line and column. If the
// shader has no such line, the error has no place.
func (s *Source) Error(kind findings.Kind, line, column, length int, message string) *CompileError {
	e := &CompileError{Shader: s.Name, Finding: findings.Finding{Kind: kind, Message: message}}
	if source := s.shader().Source; source.File("") != source { // the engine has the expanded text
		return s.written(e, source, line, column, length)
	}
	if text, ok := s.Line(line); ok {
		e.Region = findings.Region{Line: line, Column: column, EndLine: line, EndColumn: column + length}
		e.Text = text
	}
	return e
}

// written gives an error about an expanded text its place in the files that a person wrote.
func (s *Source) written(e *CompileError, source *syntax.Source, line, column, length int) *CompileError {
	if line < 1 || line > source.Lines() {
		return e
	}
	on := source.Line(line)
	runes := []rune(source.Slice(on))
	before := len(string(runes[:max(0, min(column-1, len(runes)))]))
	through := len(string(runes[:max(0, min(column-1+length, len(runes)))]))
	e.Region = source.Region(findings.Span{Start: on.Start + int32(before), End: on.Start + int32(max(before, through))})
	e.Text = source.WrittenLine(e.Region)
	return e
}

// LineAt returns the first line of a region, as a person wrote it.
func (s *Source) LineAt(r findings.Region) string {
	return strings.TrimRight(strings.ToValidUTF8(s.shader().Source.WrittenLine(r), "\uFFFD"), "\r")
}

// Line returns a line of the shader's file, counted from 1, without its line break.
func (s *Source) Line(number int) (string, bool) {
	lines := strings.Split(s.shader().Source.File("").Text, "\n")
	if number < 1 || number > len(lines) {
		return "", false
	}
	return strings.TrimRight(strings.ToValidUTF8(lines[number-1], "\uFFFD"), "\r"), true
}
