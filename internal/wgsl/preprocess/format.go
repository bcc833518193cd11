package preprocess

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/wgslab/wgslab/internal/wgsl/format"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// Format gives a template one layout, as it is written: nothing is expanded. It reads all branches
// of #if as one text, so the error is a *format.SyntaxError where that doesn't parse. A directive
// keeps its line as it is.
func Format(text string) (string, error) {
	tokens := scan(syntax.NewSource("", text))
	m := &mask{}
	masked := m.hide(tokens)
	if len(m.hidden) == 0 {
		return format.Format(text)
	}
	formatted, err := format.Format(masked)
	var mistake *format.SyntaxError
	if errors.As(err, &mistake) {
		mistake.Finding.Message = m.show(mistake.Finding.Message) + " All branches of a template's #if are read together here, and its macros as names."
	}
	if err != nil {
		return "", err
	}
	formatted = m.show(formatted)
	if !sameTokens(tokens, scan(syntax.NewSource("", formatted))) {
		return "", fmt.Errorf("formatting would change this template, so it stays as it is: please report it")
	}
	return formatted, nil
}

// A mask replaces what isn't WGSL by comments and names, so that the rest can be read.
type mask struct {
	hidden []string // what each mark stands for
}

// add returns the mark that stands for a text: a comment or a name.
func (m *mask) add(text string, line bool) string {
	m.hidden = append(m.hidden, text)
	if line {
		return fmt.Sprintf("//wgslab_line_%d_", len(m.hidden)-1)
	}
	return fmt.Sprintf("wgslab_name_%d_", len(m.hidden)-1)
}

// hide returns the text of tokens with marks in it. It keeps the lines.
func (m *mask) hide(tokens []token) string {
	var out strings.Builder
	for i := 0; i < len(tokens); i++ {
		t := tokens[i]
		if length := pathLength(tokens[i:]); length > 1 {
			path := ""
			for _, part := range tokens[i : i+length] {
				path += part.text
			}
			out.WriteString(m.add(path, false))
			i += length - 1
			continue
		}
		switch t.kind {
		case placeholder:
			out.WriteString(m.add(t.text, false))
		case directive:
			for line := range strings.Lines(t.text) {
				text := strings.TrimRight(line, "\r\n")
				out.WriteString(m.add(text, true) + line[len(text):])
			}
		default:
			out.WriteString(t.text)
		}
	}
	return out.String()
}

// pathLength returns the number of tokens of the path a::b that a list begins with, or 0.
func pathLength(tokens []token) int {
	end := 1
	for end+2 < len(tokens) && tokens[0].kind == word && tokens[end].is(":") && tokens[end+1].is(":") && tokens[end+2].kind == word {
		end += 3
	}
	if end == 1 {
		return 0
	}
	return end
}

// show puts the hidden texts back. A directive's line takes the place of the whole line, so that it
// keeps its own indentation.
func (m *mask) show(text string) string {
	return marks.ReplaceAllStringFunc(text, func(mark string) string {
		number := marks.FindStringSubmatch(mark)
		i, err := strconv.Atoi(number[1] + number[2])
		if err != nil || i >= len(m.hidden) {
			return mark
		}
		return m.hidden[i]
	})
}

// marks matches a mark, and before a line's mark the indentation.
var marks = regexp.MustCompile(`[ \t]*//wgslab_line_(\d+)_|wgslab_name_(\d+)_`)

// sameTokens reports whether two texts differ only in white space.
func sameTokens(a, b []token) bool {
	words := func(tokens []token) string {
		var out strings.Builder
		for _, t := range tokens {
			if text := strings.Join(strings.Fields(t.text), " "); text != "" {
				out.WriteString(text + "\x00")
			}
		}
		return out.String()
	}
	return words(a) == words(b)
}
