//go:build cgo

package gpu

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
)

// wgpu-native writes its diagnostics as text: a headline, the place, and the source line with
// carets and a label. The chain of causes follows, indented.
var (
	headlinePattern = regexp.MustCompile(`(?m)(?:parsing|validation) error: *(.*)$`)
	placePattern    = regexp.MustCompile(`┌─ [^\n]*?:(\d+):(\d+)`)
	caretPattern    = regexp.MustCompile(`(?m)^\s*│[^\n\S]*(\^+)[ \t^]*([^\n]*)`)
	notePattern     = regexp.MustCompile(`(?m)^\s*= note: (.+)$`)
	causePattern    = regexp.MustCompile(`(?m)^    (\S.*)$`)
	internalPattern = regexp.MustCompile(`^naga::|^In wgpu`) // text that does not help a learner
	entryPattern    = regexp.MustCompile(`Entry point (\S+) at Compute is invalid`)
)

// noPipeline is wgpu-native's message if a driver accepts a shader's code but cannot make a
// pipeline from it. The device still works.
const noPipeline = "Parent device is lost"

// newCompileError parses wgpu's message about a shader that the front end accepts. The error's
// message is the headline, else the label below the carets, else the root cause, which is the last.
func newCompileError(source *shader.Source, message string) *shader.CompileError {
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
		said = []string{"The driver cannot make a pipeline from it, and does not say why."}
	}
	e.Message, e.Detail = said[0], strings.Join(said[1:], "\n")
	e.Kind = findings.EngineRefuses
	return e
}

func allGroups(pattern *regexp.Regexp, text string) []string {
	var found []string
	for _, match := range pattern.FindAllStringSubmatch(text, -1) {
		found = append(found, match[1])
	}
	return found
}

// located returns a mistake at the place that the message names: a line and column, or an entry
// point.
func located(source *shader.Source, message string) *shader.CompileError {
	if place := placePattern.FindStringSubmatch(message); place != nil {
		line, _ := strconv.Atoi(place[1])
		column, _ := strconv.Atoi(place[2])
		return source.Error("", line, column, 1, "")
	}
	if at, ok := source.Function(firstGroup(entryPattern, message)); ok {
		return source.Error("", at.Line, at.Column, at.EndColumn-at.Column, "")
	}
	return source.Error("", 0, 0, 1, "")
}

// characters returns how many characters of a source line n carets span, from a column on. The
// compiler draws a tab up to the next multiple of four.
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

// telling drops lines that are empty, internal to the compiler, or repeat another line, as labels
// often repeat part of the headline.
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
