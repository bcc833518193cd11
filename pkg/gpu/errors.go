package gpu

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/wgslab/wgslab/pkg/wgsl"
)

// A DeadlineError says that the device did not finish in time. The device
// cannot be used any more; it counts as lost.
type DeadlineError struct {
	What     string // what was waited for
	Deadline time.Duration
	hint     string // what may be the reason
}

func (e *DeadlineError) Error() string {
	return fmt.Sprintf("%s did not finish within %v: %s", e.What, e.Deadline, e.hint)
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
	caretPattern    = regexp.MustCompile(`(?m)^\s*│[^\n\S]*(\^+)[ \t^]*([^\n]*)`)
	notePattern     = regexp.MustCompile(`(?m)^\s*= note: (.+)$`)
	causePattern    = regexp.MustCompile(`(?m)^    (\S.*)$`)
	internalPattern = regexp.MustCompile(`^naga::|^In wgpu`) // what says nothing to a learner
	entryPattern    = regexp.MustCompile(`Entry point (\S+) at Compute is invalid`)
)

// newCompileError reads wgpu's message about source. Its headline comes first,
// or the label below the carets; where both are empty, the last of the causes,
// which is the one that the others are about.
func newCompileError(shader, source, message string) *CompileError {
	e := &CompileError{Shader: shader, Length: 1}
	e.locate(source, message)
	said := []string{firstGroup(headlinePattern, message)}
	if caret := caretPattern.FindStringSubmatch(message); caret != nil {
		e.Length = e.characters(len(caret[1]))
		said = append(said, caret[2])
	}
	causes := allGroups(causePattern, message)
	if said = telling(said); len(said) == 0 && len(causes) > 0 {
		said = causes[len(causes)-1:]
	}
	said = telling(slices.Concat(said, allGroups(notePattern, message), causes))
	if len(said) == 0 {
		said = []string{strings.TrimSpace(message)}
	}
	e.Message, e.Detail = said[0], strings.Join(said[1:], "\n")
	return e
}

func allGroups(pattern *regexp.Regexp, text string) []string {
	var found []string
	for _, match := range pattern.FindAllStringSubmatch(text, -1) {
		found = append(found, match[1])
	}
	return found
}

// locate fills in the place that the message names inside of source: a line and
// column, or an entry point.
func (e *CompileError) locate(source, message string) {
	if place := placePattern.FindStringSubmatch(message); place != nil {
		line, _ := strconv.Atoi(place[1])
		column, _ := strconv.Atoi(place[2])
		e.at(source, line, column)
		return
	}
	parsed, err := wgsl.Parse(source)
	if err != nil {
		return
	}
	if entry, found := parsed.Entry(firstGroup(entryPattern, message)); found {
		e.at(source, entry.Line, entry.Column)
		e.Length = len([]rune(entry.Name))
	}
}

// at sets the place; a line outside of source is none.
func (e *CompileError) at(source string, line, column int) {
	lines := strings.Split(source, "\n")
	if line >= 1 && line <= len(lines) {
		e.Line, e.Column, e.Source = line, column, strings.TrimRight(lines[line-1], "\r")
	}
}

// characters is how many characters of the source line, from Column on, n carets
// span: the compiler draws a tab up to the next multiple of four.
func (e *CompileError) characters(n int) int {
	const tabStop = 4
	count, drawn, end := 0, 0, math.MaxInt
	for i, r := range []rune(e.Source) {
		if i == e.Column-1 {
			end = drawn + n
		}
		if drawn >= end {
			break
		}
		if i >= e.Column-1 {
			count++
		}
		if drawn++; r == '\t' {
			drawn = (drawn + tabStop - 1) / tabStop * tabStop
		}
	}
	return max(1, count)
}

func firstGroup(pattern *regexp.Regexp, text string) string {
	if match := pattern.FindStringSubmatch(text); match != nil {
		return match[1]
	}
	return ""
}

// telling drops what is empty, internal to the compiler, or said already: labels
// often repeat the headline in part.
func telling(lines []string) []string {
	var kept []string
	for _, line := range lines {
		line = strings.TrimSpace(line)
		repeated := slices.ContainsFunc(kept, func(earlier string) bool { return strings.Contains(earlier, line) })
		if line != "" && !repeated && !internalPattern.MatchString(line) {
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
