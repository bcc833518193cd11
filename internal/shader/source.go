package shader

import (
	"fmt"
	"strings"

	"github.com/wgslab/wgslab/internal/wgsl"
	"github.com/wgslab/wgslab/internal/wgsl/flow"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// MaxSource bounds a shader, in bytes. The reference shaders have about 1,000.
const MaxSource = 256 << 10

// A Source is a shader's text, read once for everybody who has to know something
// of it: the judge, the validation and the engine.
type Source struct {
	Name string // of its file
	Text string

	shader    *wgsl.Shader
	module    *wgsl.Module
	malformed error
}

// Read reads a shader. It takes any text; what is wrong with it, Mistake says.
func Read(name, text string) *Source {
	return &Source{Name: name, Text: text, shader: wgsl.Read(name, text, types.Options{Features: wgsl.LanguageFeatures})}
}

// Shader is what the front end makes of the text.
func (s *Source) Shader() *wgsl.Shader { return s.shader }

// Module is what the shader declares. The error says that there is a mistake in
// it.
func (s *Source) Module() (*wgsl.Module, error) {
	if mistake := s.Unrunnable(); mistake != nil {
		return nil, mistake
	}
	if s.module == nil && s.malformed == nil {
		s.module, s.malformed = s.shader.Module()
	}
	return s.module, s.malformed
}

// Function is where the name of a function is declared.
func (s *Source) Function(name string) (Span, bool) {
	for _, d := range s.shader.File.Decls {
		if f, ok := d.(*syntax.FuncDecl); ok && f.Name.Name == name {
			return s.span(f.Name.Span()), true
		}
	}
	return Span{}, false
}

// Space is where a bound variable lives and what the shader may do to it, as
// WGSL writes it.
type Space = wgsl.Space

// The address spaces that a buffer can be bound to.
const (
	Uniform   = wgsl.Uniform
	ReadOnly  = wgsl.ReadOnly
	ReadWrite = wgsl.ReadWrite
)

// byteOrderMark is what some editors put before text; WGSL allows none.
const byteOrderMark = "\uFEFF"

// Mistake is what is wrong with the shader by WGSL's rules, the first thing in the
// order of the text; nil where nothing is. No engine needs to see such a shader:
// it says the same with each of them.
func (s *Source) Mistake() *CompileError { return s.firstMistake() }

// Unrunnable is Mistake without the rule that all invocations reach barriers and
// the like together (§ 15.2): a machine that watches can run a shader which
// breaks that one alone, and show what becomes of it.
func (s *Source) Unrunnable() *CompileError {
	return s.firstMistake(flow.NonUniformControlFlow, flow.NonUniformValue)
}

func (s *Source) firstMistake(besides ...string) *CompileError {
	switch {
	case s.Text == "":
		return s.noEntry()
	case strings.HasPrefix(s.Text, byteOrderMark):
		return &CompileError{Shader: s.Name, Message: "the file begins with a byte order mark, which cannot be seen: save it as UTF-8 without one"}
	}
	if at := strings.IndexByte(s.Text, 0); at >= 0 {
		line := 1 + strings.Count(s.Text[:at], "\n")
		return &CompileError{Shader: s.Name, Code: NotText, Message: fmt.Sprintf("byte %d of line %d is NUL: this is no text", at-strings.LastIndexByte(s.Text[:at], '\n'), line)}
	}
	if d := s.shader.FirstError(besides...); d != nil {
		return s.mistake(d)
	}
	return nil
}

// span is the front end's span as people count: of one over several lines, what
// stands on the first.
func (s *Source) span(span syntax.Span) Span {
	source := s.shader.Source
	line := source.Position(span.Start).Line
	end := max(span.Start, min(span.End, source.Line(line).End))
	column := s.shader.Column(span.Start)
	length := len([]rune(source.Slice(syntax.Span{Start: span.Start, End: end})))
	return Span{Line: line, Column: column, EndLine: line, EndColumn: column + length}
}

// mistake is a diagnostic of the front end as an error.
func (s *Source) mistake(d *syntax.Diagnostic) *CompileError {
	source, at := s.shader.Source, s.span(d.Span)
	e := s.Error(Code(d.Code), at.Line, at.Column, at.Length(), d.Message)
	e.Hint = d.Hint
	var related []string
	for _, r := range d.Related {
		related = append(related, fmt.Sprintf("line %d: %s", source.Position(r.Span.Start).Line, r.Message))
	}
	e.Detail = strings.Join(related, "\n")
	return e
}

func (s *Source) noEntry() *CompileError {
	return &CompileError{Shader: s.Name, Code: NoEntryPoint, Message: "there is no entry point: a function `main` marked @compute"}
}

// Error is a mistake at a place in the shader: length characters, from a line and
// a column on. A line that is not there is no place.
func (s *Source) Error(code Code, line, column, length int, message string) *CompileError {
	e := &CompileError{Shader: s.Name, Code: code, Message: message}
	if text, ok := s.Line(line); ok {
		e.Span = Span{Line: line, Column: column, EndLine: line, EndColumn: column + length}
		e.Text = text
	}
	return e
}

// Line is a line of the shader, from 1 on, without its end.
func (s *Source) Line(number int) (string, bool) {
	lines := strings.Split(s.Text, "\n")
	if number < 1 || number > len(lines) {
		return "", false
	}
	return strings.TrimRight(strings.ToValidUTF8(lines[number-1], "\uFFFD"), "\r"), true
}
