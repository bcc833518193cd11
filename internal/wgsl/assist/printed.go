package assist

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// The line up to the cursor, in a print comment (see package prints) or at its first word.
var (
	printing       = regexp.MustCompile(`//[ \t]*print(?:[ \t]+if\b([^:]*)|(?:[ \t]+if\b[^:]*|[ \t]*):(.*))$`)
	beginsPrinting = regexp.MustCompile(`//[ \t]*(p|pr|pri|prin)$`)
)

// asStatement returns the text with the expression at the cursor in the place of its print comment,
// as a statement that the rest of this package understands. Every offset up to the cursor stays.
func asStatement(text string, offset int) (statement string, ok bool) {
	line := strings.LastIndexByte(text[:offset], '\n') + 1
	at := printing.FindStringSubmatchIndex(text[line:offset])
	if at == nil {
		return text, false
	}
	start := line + max(at[2], at[4])
	start += expressionAt(text[start:offset])
	end := offset
	for end < len(text) {
		r, size := utf8.DecodeRuneInString(text[end:])
		if !syntax.InName(r) {
			break
		}
		end += size
	}
	rest := text[end:]
	if next := strings.IndexByte(rest, '\n'); next >= 0 {
		rest = rest[next:]
	} else {
		rest = ""
	}
	comment := line + at[0]
	return text[:comment] + "_ =" + strings.Repeat(" ", start-comment-3) + text[start:end] + ";" + rest, true
}

// expressionAt returns where the last expression of a list begins.
func expressionAt(list string) int {
	depth := 0
	for i := len(list) - 1; i >= 0; i-- {
		switch list[i] {
		case ')', ']':
			depth++
		case '(', '[':
			depth--
		case ',':
			if depth == 0 {
				return i + 1
			}
		}
		if depth < 0 { // the brackets of a call are open: the call is the expression
			depth = 0
		}
	}
	return 0
}

// beginning proposes a print comment where the cursor is at the first word of a comment in a
// function.
func beginning(text string, offset int) (found Completion, ok bool) {
	line := strings.LastIndexByte(text[:offset], '\n') + 1
	at := beginsPrinting.FindStringSubmatchIndex(text[line:offset])
	if at == nil {
		return Completion{}, false
	}
	if before := cursorAt(text, line+at[0]); !before.inFunction() {
		return Completion{}, false
	}
	return Completion{Start: line + at[2], End: offset, Items: []Proposal{
		{"print: ", Keyword, "// print: i, a[i]", "Shows these values at this line for each invocation, after a check."},
		{"print if ", Keyword, "// print if i == 3u: a[i]", "Shows values at this line where a condition is true, after a check."},
	}}, true
}
