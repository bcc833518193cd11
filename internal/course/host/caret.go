package host

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/wgslab/wgslab/internal/machine/webgpu"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
)

// An argument is where a mistake is in a call: in one of its arguments, or in a member of its
// descriptor.
type argument struct {
	call   string // as the specification spells it
	number int    // from 0
	member string // "" for an argument
}

// sent are the numbers that a call sends to a buffer: in a call of their own, or as a new buffer's
// contents.
var sent = []argument{{"writeBuffer", 2, ""}, {"", 0, "contents"}}

// sends lists the diagnoses that are about what a call sends.
var sends = map[string]bool{"other-numbers": true, "uniform-word": true, "uniform-gaps": true, "rows-in-uniform": true, "not-transposed": true, "other-x": true, "big-endian": true, "other-place": true}

// argumentOf says where mistakes are, by rule or habit. Others are in what the verdict names.
var argumentOf = map[string]argument{
	"copy-multiple": {"copyBufferToBuffer", 4, ""}, "copy-source-range": {"copyBufferToBuffer", 4, ""}, "copy-destination-range": {"copyBufferToBuffer", 4, ""},
	"write-range": {"writeBuffer", 2, ""}, "write-multiple": {"writeBuffer", 2, ""}, "write-offset": {"writeBuffer", 1, ""},
	"map-range": {"mapAsync", 2, ""}, "map-size": {"mapAsync", 2, ""}, "map-offset": {"mapAsync", 1, ""}, "map-mode": {"mapAsync", 0, ""},
	"range-outside": {"getMappedRange", 1, ""}, "range-size": {"getMappedRange", 1, ""}, "range-offset": {"getMappedRange", 0, ""},
	"group-index": {"setBindGroup", 0, ""}, "layout-index": {"getBindGroupLayout", 0, ""}, "dispatch-limit": {"dispatchWorkgroups", 0, ""},
	"pipeline-entry-point": {"", 0, "entryPoint"}, "pipeline-entry-none": {"", 0, "entryPoint"},
	"buffer-size": {"", 0, "size"}, "buffer-mapped-size": {"", 0, "size"}, "group-entry-size": {"", 0, "size"}, "group-entry-range": {"", 0, "size"}, "group-entry-empty": {"", 0, "size"},
	"buffer-usage-none": {"", 0, "usage"}, "buffer-usage-map-read": {"", 0, "usage"}, "buffer-usage-map-write": {"", 0, "usage"},
	"copy-usage-source": {"", 0, "usage"}, "copy-usage-destination": {"", 0, "usage"}, "group-usage-storage": {"", 0, "usage"}, "group-usage-uniform": {"", 0, "usage"},
	"map-usage-read": {"", 0, "usage"}, "write-usage": {"", 0, "usage"}, "map-usage-write": {"", 0, "usage"}, "resolve-usage": {"", 0, "usage"}, "indirect-usage": {"", 0, "usage"},
	"result-length": {"getMappedRange", 1, ""}, "result-short": {"dispatchWorkgroups", 0, ""}, "copy-partial": {"copyBufferToBuffer", 4, ""}, "shader-compile": {"", 0, "code"},
	"resolve-range": {"", 0, "size"}, "group-storage-multiple": {"", 0, "size"}, "group-storage-offset": {"", 0, "offset"}, "group-uniform-offset": {"", 0, "offset"}, "query-count": {"", 0, "count"},
}

// valueOf matches an assignment up to its value.
var valueOf = regexp.MustCompile(`[^=!<>]=\s*`)

// inBackticks matches a name that a sentence quotes.
var inBackticks = regexp.MustCompile("`([\\pL_][\\pL\\pN_]*)`")

// regionIn returns the part of a line that a verdict is about: the argument, or what its message
// names, or else the first word.
func regionIn(l webgpu.ShownLine, slug, message string) findings.Region {
	begin, end, found := argumentIn(l.Text, slug)
	if value := valueOf.FindStringIndex(l.Text); !found && countsWorkgroups[slug] && value != nil {
		begin, end = expressionIn(l.Text, value[1])
		found = true
	}
	if !found {
		begin, end, found = namedIn(l.Text, message)
	}
	r := findings.Region{Line: l.Line, Column: l.Column, EndLine: l.Line, EndColumn: l.Column + 1}
	if found && begin < end {
		r.Column, r.EndColumn = column(l.Text, begin), column(l.Text, end)
	}
	return r
}

// column counts characters from 1.
func column(line string, offset int) int { return utf8.RuneCountInString(line[:offset]) + 1 }

// argumentsOf returns what a mistake may be about.
func argumentsOf(slug string) []argument {
	at, known := argumentOf[slug]
	switch {
	case countsWorkgroups[slug]:
		return []argument{{call: "dispatchWorkgroups"}}
	case sends[slug]:
		return sent
	case known:
		return []argument{at}
	}
	return nil
}

// argumentIn finds the argument or the member that a mistake is about.
func argumentIn(line, slug string) (begin, end int, found bool) {
	for _, a := range argumentsOf(slug) {
		if begin, end, found = a.in(line); found {
			return begin, end, true
		}
	}
	return 0, 0, false
}

// argumentSite returns the line with the argument that a mistake is about, in a call that may be
// written over several lines; else the call's own.
func argumentSite(at webgpu.HostSite, slug string) webgpu.HostSite {
	lines, here := at.Lines()
	for _, a := range argumentsOf(slug) {
		for i := max(here, 0); i < min(len(lines), endOfCall(lines, here)); i++ {
			if _, _, found := a.in(lines[i]); found {
				return at.OnLine(i)
			}
		}
	}
	return at
}

// endOfCall returns the line after the last one of a call that begins on a line.
func endOfCall(lines []string, begin int) int {
	const most = 24
	depth := 0
	for i := max(begin, 0); i < min(len(lines), begin+most); i++ {
		depth += strings.Count(lines[i], "(") + strings.Count(lines[i], "{") + strings.Count(lines[i], "[")
		depth -= strings.Count(lines[i], ")") + strings.Count(lines[i], "}") + strings.Count(lines[i], "]")
		if depth <= 0 {
			return i + 1
		}
	}
	return begin + 1
}

// in finds the argument in a line.
func (at argument) in(line string) (begin, end int, found bool) {
	switch {
	case at.member != "":
		m := regexp.MustCompile(`(?i)\b` + at.member + `:\s*`).FindStringIndex(line)
		if m == nil {
			return 0, 0, false
		}
		begin, end = expressionIn(line, m[1])
		return begin, end, true
	}
	m := regexp.MustCompile(`(?i)\b` + at.call + `\(`).FindStringIndex(line)
	if m == nil {
		return 0, 0, false
	}
	next := m[1]
	for i := 0; ; i++ {
		begin, end = expressionIn(line, next)
		if i == at.number {
			return begin, end, true
		}
		if end >= len(line) || line[end] != ',' {
			return 0, 0, false
		}
		next = end + 1
	}
}

// expressionIn returns an expression of a list: from an offset to the next comma or closing
// bracket.
func expressionIn(line string, from int) (begin, end int) {
	depth := 0
	for end = from; end < len(line); end++ {
		switch line[end] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		}
		if depth < 0 || depth == 0 && line[end] == ',' {
			break
		}
	}
	text := line[from:end]
	begin = from + len(text) - len(strings.TrimLeft(text, " \t"))
	return begin, max(begin, from+len(strings.TrimRight(text, " \t;")))
}

// namedIn finds the first name of a message that is on the line, but for one that the line makes.
func namedIn(line, message string) (begin, end int, found bool) {
	for _, name := range inBackticks.FindAllStringSubmatch(message, -1) {
		places := regexp.MustCompile(`\b`+regexp.QuoteMeta(name[1])+`\b`).FindAllStringIndex(line, -1)
		for _, at := range places {
			if rest := strings.TrimLeft(line[at[1]:], " "); !strings.HasPrefix(rest, ":=") && !strings.HasPrefix(rest, "=") {
				return at[0], at[1], true
			}
		}
	}
	return 0, 0, false
}
