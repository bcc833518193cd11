package shader

import (
	"fmt"
	"strings"

	"github.com/wgslab/wgslab/internal/wgsl"
)

// MaxSource bounds a shader, in bytes. The reference shaders have about 1,000.
const MaxSource = 256 << 10

// A Source is a shader's text, read once for everybody who has to know something
// of it: the judge, the validation and the engine.
type Source struct {
	Name string // of its file
	Text string

	scanned   *wgsl.Source
	module    *wgsl.Module
	malformed error
	functions *wgsl.Functions
}

// Read reads a shader. It takes any text; whether it is one that an engine can be
// given, Unreadable says.
func Read(name, text string) *Source {
	return &Source{Name: name, Text: text, scanned: wgsl.Scan(text)}
}

// Module is what the shader declares. The error says that it could not be read;
// no compiler takes such a shader.
func (s *Source) Module() (*wgsl.Module, error) {
	if s.module == nil && s.malformed == nil {
		s.module, s.malformed = s.scanned.Module()
	}
	return s.module, s.malformed
}

// Functions are the bodies of the shader's functions.
func (s *Source) Functions() *wgsl.Functions {
	if s.functions == nil {
		s.functions = s.scanned.Functions()
	}
	return s.functions
}

// Breaches are where a shader that has compiled breaks a rule at which not every
// compiler looks.
func (s *Source) Breaches() []wgsl.Breach { return s.scanned.Breaches() }

// RewriteArrayLength puts another expression where the shader asks for the length
// of an array, as wgsl's function of this name says.
func (s *Source) RewriteArrayLength(replace func(name string) (string, bool)) (rewritten string, complete bool) {
	return s.scanned.RewriteArrayLength(replace)
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

// Unreadable finds what must not reach a compiler: a NUL ends the source early
// for some, so that they would judge another shader than the learner wrote; a
// byte order mark cannot be seen; very deep nesting overflows their stack. It is
// nil for other shaders.
func (s *Source) Unreadable() *CompileError {
	if s.Text == "" {
		return s.noEntry()
	}
	if at := strings.IndexByte(s.Text, 0); at >= 0 {
		line := 1 + strings.Count(s.Text[:at], "\n")
		return &CompileError{Shader: s.Name, Code: NotText, Message: fmt.Sprintf("byte %d of line %d is NUL: this is no text", at-strings.LastIndexByte(s.Text[:at], '\n'), line)}
	}
	if strings.HasPrefix(s.Text, byteOrderMark) {
		return &CompileError{Shader: s.Name, Message: "the file begins with a byte order mark, which cannot be seen: save it as UTF-8 without one"}
	}
	if line, column, tooDeep := s.scanned.TooDeep(); tooDeep {
		return s.Error("", line, column, 1, "the code nests too deep here for the compiler: take it apart")
	}
	return nil
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
