package gpu

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A DeadlineError says that the device did not finish in time. The device
// cannot be used any more; it counts as lost.
type DeadlineError struct {
	What     string // what was waited for
	Deadline time.Duration
}

func (e *DeadlineError) Error() string {
	return fmt.Sprintf("%s did not finish within %v: is there a loop that never ends?", e.What, e.Deadline)
}

// Unwrap makes errors.Is(err, ErrLost) true.
func (e *DeadlineError) Unwrap() error { return ErrLost }

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

// A CompileError is what the WGSL compiler has to say about a shader.
type CompileError struct {
	Shader  string // the name given to Compile
	Message string // the compiler's message, one line
	Detail  string // what it adds: labels and notes, one a line; may be ""
	Line    int    // from 1; 0 when the compiler names no place
	Column  int    // from 1, in characters
	Length  int    // characters that the message is about, at least 1
	Source  string // the source line
}

func (e *CompileError) Error() string {
	var b strings.Builder
	b.WriteString(e.Shader)
	if e.Line > 0 {
		fmt.Fprintf(&b, ":%d:%d", e.Line, e.Column)
	}
	b.WriteString(": " + e.Message)
	if e.Line > 0 {
		b.WriteString("\n" + e.Excerpt())
	}
	if e.Detail != "" {
		b.WriteString("\n" + e.Detail)
	}
	return b.String()
}

// Excerpt is the source line with carets below the place, for a fixed-width font.
func (e *CompileError) Excerpt() string {
	if e.Line == 0 {
		return ""
	}
	number := strconv.Itoa(e.Line)
	// Tabs stay tabs in the margin, so that the carets stay below their place.
	indent := strings.Map(func(r rune) rune {
		if r == '\t' {
			return r
		}
		return ' '
	}, firstRunes(e.Source, e.Column-1))
	gutter := strings.Repeat(" ", len(number))
	return fmt.Sprintf("%s | %s\n%s | %s%s", number, e.Source, gutter, indent, strings.Repeat("^", max(1, e.Length)))
}

func firstRunes(s string, n int) string {
	runes := []rune(s)
	return string(runes[:max(0, min(n, len(runes)))])
}

// wgpu-native writes its diagnostics as text: a headline, the place, the source
// line with carets and a label, and below, indented, the chain of causes.
var (
	headlinePattern = regexp.MustCompile(`(?m)(?:parsing|validation) error: *(.*)$`)
	placePattern    = regexp.MustCompile(`┌─ [^\n]*?:(\d+):(\d+)`)
	caretPattern    = regexp.MustCompile(`│[^\n\S]*(\^+)[ \t]*([^\n]*)`)
	notePattern     = regexp.MustCompile(`(?m)^\s*= note: (.+)$`)
	causePattern    = regexp.MustCompile(`(?m)^    (\S.*)$`)
)

// newCompileError reads wgpu's message about source.
func newCompileError(shader, source, message string) *CompileError {
	e := &CompileError{Shader: shader, Length: 1}
	e.locate(source, message)
	said := []string{firstGroup(headlinePattern, message)}
	if caret := caretPattern.FindStringSubmatch(message); caret != nil {
		e.Length = len(caret[1])
		said = append(said, caret[2])
	}
	for _, note := range notePattern.FindAllStringSubmatch(message, -1) {
		said = append(said, note[1])
	}
	for _, cause := range causePattern.FindAllStringSubmatch(message, -1) {
		if !strings.HasPrefix(cause[1], "In wgpu") {
			said = append(said, cause[1])
		}
	}
	said = distinct(said)
	if len(said) == 0 {
		said = []string{strings.TrimSpace(message)}
	}
	e.Message, e.Detail = said[0], strings.Join(said[1:], "\n")
	return e
}

// locate fills in the place, when the message names one inside of source.
func (e *CompileError) locate(source, message string) {
	place := placePattern.FindStringSubmatch(message)
	if place == nil {
		return
	}
	line, _ := strconv.Atoi(place[1])
	column, _ := strconv.Atoi(place[2])
	lines := strings.Split(source, "\n")
	if line >= 1 && line <= len(lines) {
		e.Line, e.Column, e.Source = line, column, strings.TrimRight(lines[line-1], "\r")
	}
}

func firstGroup(pattern *regexp.Regexp, text string) string {
	if match := pattern.FindStringSubmatch(text); match != nil {
		return match[1]
	}
	return ""
}

// distinct drops empty lines and those that an earlier line ends with: labels
// often repeat the headline in part.
func distinct(lines []string) []string {
	var kept []string
	for _, line := range lines {
		line = strings.TrimSpace(line)
		repeated := slices.ContainsFunc(kept, func(earlier string) bool { return strings.Contains(earlier, line) })
		if line != "" && !repeated {
			kept = append(kept, line)
		}
	}
	return kept
}

// A BindError says that the buffers given do not fit what the shader declares.
type BindError struct {
	Shader  string
	Binding int    // its number; -1 when the mistake is not about one
	Name    string // the shader's variable, "" when it declares none there
	Message string // what the shader declares, what it was given, why they do not fit
}

func (e *BindError) Error() string { return e.Shader + ": " + e.Message }
