//go:build cgo

package gpu

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/wgslab/wgslab/internal/shader"
)

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

// noPipeline is what wgpu-native says where a driver takes a shader's code and makes no
// pipeline of it. The device is still there.
const noPipeline = "Parent device is lost"

// newCompileError reads wgpu's message about a shader that is right by the front
// end: one of the two is mistaken. Its headline comes first,
// or the label below the carets; where both are empty, the last of the causes,
// which is the one that the others are about.
func newCompileError(source *shader.Source, message string) *CompileError {
	e := located(source, message)
	said := []string{firstGroup(headlinePattern, message)}
	if caret := caretPattern.FindStringSubmatch(message); caret != nil {
		e.EndColumn = e.Column + characters(e.Text, e.Column, len(caret[1]))
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
	if said[0] == noPipeline {
		said = []string{"The driver cannot make a pipeline of it, and does not say why."}
	}
	e.Message, e.Detail = said[0], strings.Join(said[1:], "\n")
	e.Code = shader.EngineRefuses
	return e
}

func allGroups(pattern *regexp.Regexp, text string) []string {
	var found []string
	for _, match := range pattern.FindAllStringSubmatch(text, -1) {
		found = append(found, match[1])
	}
	return found
}

// located is a mistake at the place that the message names inside of the source:
// a line and column, or an entry point.
func located(source *shader.Source, message string) *CompileError {
	if place := placePattern.FindStringSubmatch(message); place != nil {
		line, _ := strconv.Atoi(place[1])
		column, _ := strconv.Atoi(place[2])
		return source.Error("", line, column, 1, "")
	}
	if at, ok := source.Function(firstGroup(entryPattern, message)); ok {
		return source.Error("", at.Line, at.Column, at.Length(), "")
	}
	return source.Error("", 0, 0, 1, "")
}

// characters is how many characters of a source line, from a column on, n carets
// span: the compiler draws a tab up to the next multiple of four.
func characters(line string, column, n int) int {
	const tabStop = 4
	count, drawn, end := 0, 0, math.MaxInt
	for i, r := range []rune(line) {
		if i == column-1 {
			end = drawn + n
		}
		if drawn >= end {
			break
		}
		if i >= column-1 {
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
