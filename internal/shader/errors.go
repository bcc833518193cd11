package shader

import (
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
// "" for no place.
func (s Span) Excerpt(line string) string {
	if s.Line == 0 {
		return ""
	}
	number := strconv.Itoa(s.Line)
	// Tabs stay tabs in the margin, so that the carets stay below their place.
	indent := strings.Map(func(r rune) rune {
		if r == '\t' {
			return r
		}
		return ' '
	}, firstRunes(line, s.Column-1))
	gutter := strings.Repeat(" ", len(number))
	return fmt.Sprintf("%s | %s\n%s | %s%s", number, line, gutter, indent, strings.Repeat("^", s.Length()))
}

func firstRunes(s string, n int) string {
	runes := []rune(s)
	return string(runes[:max(0, min(n, len(runes)))])
}

// Code is what a compiler's mistake is about, the same for every engine whatever
// its compiler's words; "" where that is not known.
type Code string

// The codes that are given by more than one place. The others stand with what a
// learner is told about them, in the judge.
const (
	NotText         Code = "not-text"
	NoEntryPoint    Code = "no-entry-point"
	WorkgroupSize   Code = "workgroup-size"
	WorkgroupMemory Code = "workgroup-memory"
)

// A CompileError is what is wrong with a shader before it can run.
type CompileError struct {
	Shader  string // the shader's name
	Code    Code
	Message string // one line
	Plain   string // the message for people, where its own words are the compiler's; else ""
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
