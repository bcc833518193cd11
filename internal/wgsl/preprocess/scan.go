package preprocess

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/wgslab/wgslab/internal/wgsl/expand"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// A kind is what a token is to the preprocessor.
type kind uint8

const (
	other       kind = iota // a character that is nothing else
	word                    // an identifier
	number                  // a number with its suffix
	blank                   // white space and line breaks
	comment                 // in which nothing is expanded
	placeholder             // {{name}}, ${name}, #{NAME}, #NAME or {name}
	statement               // {% if … %} of a template language
	directive               // a whole line, with its line break and those after a backslash
)

// A token is a part of a shader's text, and the part of a file that it stands for.
type token struct {
	kind  kind
	text  string
	name  string // of a placeholder or a directive
	file  *syntax.Source
	span  syntax.Span // in file
	exact bool        // the text is that of the file
	after byte        // of a word: what is before it, if it is @ or a dot
	hide  *hidden     // the macros that it comes from, which aren't expanded in it again
}

// hidden is a list of names.
type hidden struct {
	name string
	next *hidden
}

func (h *hidden) has(name string) bool {
	for ; h != nil; h = h.next {
		if h.name == name {
			return true
		}
	}
	return false
}

// write adds the token to an expanded text.
func (t token) write(out *expand.Expansion) {
	if t.exact {
		out.Copy(t.file, t.span)
		return
	}
	out.Write(t.text, t.file, t.span)
}

// is reports whether a token is this character.
func (t token) is(text string) bool { return t.kind == other && t.text == text }

// scan splits a file into tokens, which together are its text.
func scan(file *syntax.Source) []token {
	return scanPart(file, syntax.Span{End: int32(len(file.Text))})
}

// Kept keeps what files consist of, so that each is taken apart once for many variants. It isn't
// safe for concurrent use.
type Kept struct{ tokens map[*syntax.Source][]token }

// scan is like the function scan. The result is read-only.
func (k *Kept) scan(file *syntax.Source) []token {
	if k == nil {
		return scan(file)
	}
	if k.tokens == nil {
		k.tokens = map[*syntax.Source][]token{}
	}
	if k.tokens[file] == nil {
		k.tokens[file] = scan(file)
	}
	return k.tokens[file]
}

// scanPart splits a part of a file into tokens. Only a part that begins where a line does has
// directives.
func scanPart(file *syntax.Source, part syntax.Span) []token {
	s := &scanner{file: file, text: file.Text[:part.End], at: int(part.Start), lineStart: part.Start == 0}
	s.tokens = make([]token, 0, part.Len()/4+1)
	for s.at < len(s.text) {
		s.next()
	}
	return s.tokens
}

type scanner struct {
	file      *syntax.Source
	text      string
	at        int
	lineStart bool // only blanks are before at on its line
	tokens    []token
}

// add adds a token that ends at an offset.
func (s *scanner) add(k kind, end int, name string) {
	t := token{
		kind: k, text: s.text[s.at:end], name: name, file: s.file,
		span: syntax.Span{Start: int32(s.at), End: int32(end)}, exact: true,
	}
	if last := len(s.tokens) - 1; k == word && last >= 0 && (s.tokens[last].is(".") || s.tokens[last].is("@")) {
		t.after = s.tokens[last].text[0]
	}
	s.tokens = append(s.tokens, t)
	s.at = end
}

func (s *scanner) next() {
	rest := s.text[s.at:]
	if s.lineStart {
		s.lineStart = false
		if name, length := directiveIn(rest); length > 0 {
			s.lineStart = true
			s.add(directive, s.at+length, name)
			return
		}
	}
	if end := blanksIn(rest); end > 0 {
		s.lineStart = strings.HasSuffix(rest[:end], "\n")
		s.add(blank, s.at+end, "")
		return
	}
	if braced := bracedName.FindStringSubmatch(rest); braced != nil && !s.opensBlock(braced[1]) {
		s.add(placeholder, s.at+len(braced[0]), braced[1])
		return
	}
	k, length, name := tokenIn(rest)
	s.add(k, s.at+length, name)
}

// bracedName matches a placeholder in single braces, as Rust's format! has it. WGSL has no such
// text: a statement in a block ends with a semicolon, and a member has a type.
var bracedName = regexp.MustCompile(`^\{([A-Za-z_]\w*)\}`)

// beforeValues are the words that a value follows, and no block.
var beforeValues = []string{"case", "if", "return", "switch", "while"}

// opensBlock reports whether {name} at this place is a block in which a semicolon or a type is
// missing, or in which a macro makes the statements.
func (s *scanner) opensBlock(name string) bool {
	switch name {
	case "break", "continue", "discard", "return":
		return true
	}
	last := len(s.tokens) - 1
	if last < 0 {
		return false
	}
	apart := false
	for ; last > 0 && (s.tokens[last].kind == blank || s.tokens[last].kind == comment); last-- {
		apart = true
	}
	t := s.tokens[last]
	if t.kind != word || !apart {
		isPath := t.is(":") && last > 0 && s.tokens[last-1].is(":")
		return t.is(")") || isPath || slices.Contains([]string{"else", "loop", "continuing", "default"}, t.text)
	}
	return !slices.Contains(beforeValues, t.text)
}

// tokenIn returns what a text begins with: its kind and length, and the name in a placeholder.
func tokenIn(rest string) (k kind, length int, name string) {
	switch {
	case strings.HasPrefix(rest, "//"):
		if end := strings.IndexByte(rest, '\n'); end >= 0 {
			return comment, end, ""
		}
		return comment, len(rest), ""
	case strings.HasPrefix(rest, "/*"):
		return comment, commentIn(rest), ""
	case strings.HasPrefix(rest, "##"):
		return other, len("##"), ""
	}
	if length := statementIn(rest); length > 0 {
		return statement, length, ""
	}
	if name, length := placeholderIn(rest); length > 0 {
		return placeholder, length, name
	}
	if length := wordIn(rest); length > 0 {
		if isDigit(rest[0]) {
			return number, length, ""
		}
		return word, length, ""
	}
	if rest[0] == '.' && len(rest) > 1 && isDigit(rest[1]) {
		return number, 1 + wordIn(rest[1:]), ""
	}
	_, size := utf8.DecodeRuneInString(rest)
	return other, size, ""
}

// commentIn returns the length of the block comment that a text begins with; they nest.
func commentIn(text string) int {
	depth := 0
	for at := 0; at+1 < len(text); at++ {
		switch text[at : at+2] {
		case "/*":
			depth++
			at++
		case "*/":
			depth--
			at++
		}
		if depth == 0 {
			return at + 1
		}
	}
	return len(text)
}

// blanksIn returns the length of the white space that a text begins with, up to the end of a line.
func blanksIn(text string) int {
	for i := range len(text) {
		switch text[i] {
		case '\n':
			return i + 1
		case ' ', '\t', '\r', '\v', '\f':
		default:
			return i
		}
	}
	return len(text)
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// wordIn returns the length of the word or number that a text begins with. A number's decimal
// point belongs to it.
func wordIn(text string) int {
	digits := text != "" && isDigit(text[0])
	for i := range len(text) {
		c := text[i]
		switch {
		case c == '_', 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', isDigit(c), c >= utf8.RuneSelf:
		case c == '.' && digits:
		default:
			return i
		}
	}
	return len(text)
}

func isWord(text string) bool { return text != "" && !isDigit(text[0]) && wordIn(text) == len(text) }

// longestPlaceholder keeps the search for its end short.
const longestPlaceholder = 1000

// placeholderIn returns the name and the length of the placeholder that a text begins with.
func placeholderIn(text string) (name string, length int) {
	open, end := "", "}"
	switch {
	case strings.HasPrefix(text, "{{"):
		open, end = "{{", "}}"
	case strings.HasPrefix(text, "${"):
		open = "${"
	case strings.HasPrefix(text, "#{"):
		open = "#{"
	case strings.HasPrefix(text, "#"):
		if n := wordIn(text[1:]); isWord(text[1 : 1+n]) {
			return text[1 : 1+n], 1 + n
		}
		return "", 0
	default:
		return "", 0
	}
	text = text[:min(len(text), longestPlaceholder)]
	at := strings.Index(text, end)
	if at < 0 || strings.Contains(text[:at], "\n") {
		return "", 0
	}
	name = strings.TrimSpace(text[len(open):at])
	// A block within a block is no placeholder, but JavaScript may have any expression.
	if name == "" || open != "${" && !isPath(name) {
		return "", 0
	}
	return name, at + len(end)
}

// statementIn returns the length of the statement of a template language that a text begins with.
func statementIn(text string) int {
	if !strings.HasPrefix(text, "{%") {
		return 0
	}
	line, _, _ := strings.Cut(text[:min(len(text), longestPlaceholder)], "\n")
	if end := strings.Index(line, "%}"); end > 0 {
		return end + len("%}")
	}
	return 0
}

// isPath reports whether a text is words with dots between them.
func isPath(text string) bool {
	for part := range strings.SplitSeq(text, ".") {
		if !isWord(part) {
			return false
		}
	}
	return true
}

// directiveIn returns the name of the directive that a line is, and the length of its lines.
func directiveIn(text string) (name string, length int) {
	at := skipSpaces(text, 0)
	if at >= len(text) || text[at] != '#' {
		return "", 0
	}
	from := skipSpaces(text, at+1)
	to := from + wordIn(text[from:])
	if name = text[from:to]; !isWord(name) || !isDirective[name] && from == at+1 && !looksLikeDirective(text[to:]) {
		return "", 0
	}
	if name == "import" {
		return name, importLines(text)
	}
	return name, logicalLine(text)
}

// importLines returns the length of an #import, whose braces may be on several lines.
func importLines(text string) int {
	length, open := 0, 0
	for {
		line := text[length : length+logicalLine(text[length:])]
		open += strings.Count(line, "{") - strings.Count(line, "}")
		if length += len(line); open <= 0 || length == len(text) {
			return length
		}
	}
}

// looksLikeDirective reports whether nothing but words follows #NAME on its line. Otherwise a value
// replaces #NAME.
func looksLikeDirective(rest string) bool {
	line, _, _ := strings.Cut(rest, "\n")
	return strings.TrimSpace(line) == "" || line[0] == ' ' && !strings.ContainsAny(line, ";{}=")
}

func skipSpaces(text string, at int) int {
	for at < len(text) && (text[at] == ' ' || text[at] == '\t') {
		at++
	}
	return at
}

// logicalLine returns the length of a line, and of those that a backslash at the end adds to it,
// with the line breaks. A block comment that begins on the line belongs to it to its end.
func logicalLine(text string) int {
	for at := 0; at < len(text); at++ {
		switch {
		case text[at] == '\n' && !strings.HasSuffix(strings.TrimRight(text[:at], " \t\r"), "\\"):
			return at + 1
		case strings.HasPrefix(text[at:], "/*"):
			at += commentIn(text[at:]) - 1
		case strings.HasPrefix(text[at:], "//"):
			end := strings.IndexByte(text[at:], '\n')
			if end < 0 {
				return len(text)
			}
			return at + end + 1
		}
	}
	return len(text)
}
