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

// newCompileError reads wgpu's message about source. Its headline comes first,
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
	e.Message, e.Detail = said[0], strings.Join(said[1:], "\n")
	e.Code, e.Plain = translated(e.Message, e.Detail)
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
	if module, err := source.Module(); err == nil {
		if entry, found := module.Entry(firstGroup(entryPattern, message)); found {
			return source.Error("", entry.Line, entry.Column, len([]rune(entry.Name)), "")
		}
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

// A saying is what the compiler says of one kind of mistake.
type saying struct {
	code    shader.Code
	pattern *regexp.Regexp // on the compiler's message and its details
	// instead replaces a message in the compiler's own terms, such as "Operation
	// Add can't work with [10] and [2]".
	instead string
}

// sayings are tried in order; the first that fits is it. The wording is that of
// naga in wgpu-native 22.
var sayings = []saying{
	{shader.NotText, regexp.MustCompile(`found '\x{FFFD}'`), ""},
	{"missing-builtin", regexp.MustCompile(`no definition in scope for identifier: '(global_invocation_id|local_invocation_id|local_invocation_index|workgroup_id|num_workgroups|id|gid|lid|wid)'|arguments and return values must all have bindings`), ""},
	{"unknown-builtin", regexp.MustCompile(`(?i)unknown builtin`), ""},
	{"builtin-type", regexp.MustCompile(`Built-in type for \w+ is invalid`), ""},
	{"unknown-name", regexp.MustCompile(`no definition in scope for identifier|unknown identifier`), ""},
	{"unknown-type", regexp.MustCompile(`(?i)unknown type`), ""},
	{"missing-type", regexp.MustCompile(`needs a type`), ""},
	{"unknown-member", regexp.MustCompile(`(?i)invalid field accessor`), ""},
	{"reserved-word", regexp.MustCompile(`reserved keyword`), ""},
	{"declared-twice", regexp.MustCompile(`(?i)redefinition of`), ""},
	{"array-as-value", regexp.MustCompile(`Loading of .* can't be done`), "The array cannot be read as a whole"},
	{"index-type", regexp.MustCompile(`Accessing with index .* can't be done`), "This index is no single whole number"},
	{"out-of-range", regexp.MustCompile(`[iI]ndex .* is out of`), "There is no such element"},
	{"read-only", regexp.MustCompile(`writing to this location is not permitted|cannot assign|valid destination for a store|left-hand side`), ""},
	{"no-implicit-conversion-when-stored", regexp.MustCompile(`doesn't match the type stored in`), "A value goes into a place of another type"},
	{"return-type", regexp.MustCompile("does not return any value|`return` value .* does not match"), "The value that is returned has another type than the function says"},
	{"arguments", regexp.MustCompile(`(?i)requires \d+ arguments?, but`), ""},
	{"select", regexp.MustCompile(`Selecting is not possible`), ""},
	{"condition", regexp.MustCompile(`condition .* is not a boolean`), "The condition is neither true nor false"},
	{"no-implicit-conversion", regexp.MustCompile(`is expected to be|[Aa]utomatic conversions|Operation .* can't work with|has an invalid type|Abstract types may only|value .* doesn't match the type`), "Values of two types meet here that do not go together"},
	{"ternary", regexp.MustCompile(`found '\?'`), ""},
	{"logical-operator", regexp.MustCompile(`found '(?:and|or|not)'`), ""},
	{"assignment-in-condition", regexp.MustCompile(`[eE]xpected '\)', found '='`), ""},
	{"increment-in-expression", regexp.MustCompile(`found '(?:\+\+|--)'`), ""},
	{"missing-semicolon", regexp.MustCompile(`[eE]xpected ';'`), ""},
	{"missing-braces", regexp.MustCompile(`[eE]xpected '\{'`), ""},
	{"unbalanced", regexp.MustCompile(`[eE]xpected '[)\]}]'|found ''(?:$|\n)`), ""},
	{"not-a-statement", regexp.MustCompile(`[eE]xpected assignment or increment/decrement|[eE]xpected '\(', found`), ""},
	{"uniform-alignment", regexp.MustCompile(`(?i)alignment requirements|array stride`), ""},
	{"access-mode", regexp.MustCompile(`doesn't support write-only access`), ""},
	{"same-binding-twice", regexp.MustCompile(`conflict with other resource`), "Two variables have the same @binding number"},
	{"missing-binding-attribute", regexp.MustCompile(`Binding decoration is missing|needs a '(?:group|binding)' attribute`), ""},
	{shader.NoEntryPoint, regexp.MustCompile(`Functions that are not entry points`), ""},
	{shader.WorkgroupSize, regexp.MustCompile(`(?i)@workgroup_size|workgroup size`), ""},
	{"recursion", regexp.MustCompile(`is recursive`), ""},
	{"not-wgsl", regexp.MustCompile(`[eE]xpected global item`), ""},
	{"syntax", regexp.MustCompile(`^[eE]xpected .*found`), ""},
}

var ownTerms = regexp.MustCompile(`\[\d+\]|^Abstract types`)

// translated is what the compiler's words are about, and, where nobody else can
// read them, plain ones in their place.
func translated(message, detail string) (code shader.Code, plain string) {
	text := message + "\n" + detail
	for _, known := range sayings {
		if !known.pattern.MatchString(text) {
			continue
		}
		if ownTerms.MatchString(message) {
			plain = known.instead
		}
		return known.code, plain
	}
	return "", ""
}
