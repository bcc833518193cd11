package shader

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// A Span is a part of a shader's text. Lines and columns count from 1, columns in
// characters; EndColumn is behind the last one. The zero Span is no place.
type Span struct {
	Line, Column       int
	EndLine, EndColumn int
}

// Length is how many characters a span on one line covers, at least 1.
func (s Span) Length() int {
	if s.EndLine != s.Line {
		return 1
	}
	return max(1, s.EndColumn-s.Column)
}

// Excerpt is a source line with carets below the span, for a fixed-width font;
// "" for no place. Of a very long line it shows what stands around the span.
func (s Span) Excerpt(line string) string {
	if s.Line == 0 {
		return ""
	}
	line, column, length := window(line, s.Column, s.Length())
	number := strconv.Itoa(s.Line)
	// Tabs stay tabs in the margin, so that the carets stay below their place.
	indent := strings.Map(func(r rune) rune {
		if r == '\t' {
			return r
		}
		return ' '
	}, firstRunes(line, column-1))
	gutter := strings.Repeat(" ", len(number))
	return fmt.Sprintf("%s | %s\n%s | %s%s", number, line, gutter, indent, strings.Repeat("^", length))
}

// window cuts a line down to what people read: so much before the column, and so
// much from it on.
func window(line string, column, length int) (string, int, int) {
	const before, behind = 100, 160
	runes := []rune(line)
	if len(runes) <= before+behind {
		return line, column, length
	}
	if from := column - 1 - before; from > 0 {
		runes, column = append([]rune{'…'}, runes[min(from, len(runes)):]...), before+2
	}
	if end := column - 1 + behind; end < len(runes) {
		runes, length = append(runes[:end:end], '…'), min(length, behind)
	}
	return string(runes), column, length
}

func firstRunes(s string, n int) string {
	runes := []rune(s)
	return string(runes[:max(0, min(n, len(runes)))])
}

// Code is what a mistake is about: a code of the front end, or one of these.
type Code string

// The codes of mistakes that the front end does not look for.
const (
	NotText         Code = "not-text"
	NoEntryPoint    Code = "no-entry-point"
	WorkgroupSize   Code = "workgroup-size"
	WorkgroupMemory Code = "workgroup-memory"
	// EngineRefuses: WGSL allows the shader, and the engine's own compiler does not.
	EngineRefuses Code = "engine-refuses"
)

// A CompileError is what is wrong with a shader before it can run.
type CompileError struct {
	Shader  string // the shader's name
	Code    Code
	Message string // one line
	Hint    string // what to try; may be ""
	Detail  string // what the compiler adds: labels and notes, one a line; may be ""
	Span
	Text string // the source line
}

func (e *CompileError) Error() string {
	var b strings.Builder
	b.WriteString(e.Shader)
	if e.Line > 0 {
		fmt.Fprintf(&b, ":%d:%d", e.Line, e.Column)
	}
	b.WriteString(": " + e.Message)
	if e.Hint != "" {
		b.WriteString(" " + e.Hint)
	}
	if e.Line > 0 {
		b.WriteString("\n" + e.Excerpt())
	}
	if e.Detail != "" {
		b.WriteString("\n" + e.Detail)
	}
	return b.String()
}

// Excerpt is the source line with carets below the place, for a fixed-width font.
func (e *CompileError) Excerpt() string { return e.Span.Excerpt(e.Text) }

// A BindError says that the buffers given do not fit what the shader declares.
type BindError struct {
	Shader  string
	Binding int    // its number; -1 when the mistake is not about one
	Name    string // the shader's variable, "" when it declares none there
	Message string // what the shader declares, what it was given, why they do not fit
}

func (e *BindError) Error() string { return e.Shader + ": " + e.Message }

// An EndlessError says that a shader has a loop which nothing can leave. It is
// found before the shader runs: a driver may drop such a loop, and the shader
// would seem to have ended. The device stays usable.
type EndlessError struct {
	Shader       string
	Line, Column int // of the loop, both from 1
}

func (e *EndlessError) Error() string {
	return fmt.Sprintf("%s did not finish: the loop on line %d has no break and no return, so no invocation can ever leave it", e.Shader, e.Line)
}

// ErrNeverEnds is why a context ends (context.Cause) when somebody has found out,
// while a shader runs, that it never will end. An engine that cannot stop a shader
// counts its device as lost then, and does not wait for it any more.
var ErrNeverEnds = errors.New("the shader never ends")

// A DeadlineError says that the device did not finish in time. The device
// cannot be used any more; it counts as lost.
type DeadlineError struct {
	What      string // what was waited for
	Compiling bool   // whether that was a compiler, and not a shader
	Deadline  time.Duration
	Hint      string // what may be the reason
}

func (e *DeadlineError) Error() string {
	return fmt.Sprintf("%s did not finish within %v: %s", e.What, e.Deadline, e.Hint)
}

// Unwrap makes errors.Is(err, ErrLost) true.
func (e *DeadlineError) Unwrap() error { return ErrLost }
