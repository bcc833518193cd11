package syntax

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/wgslab/wgslab/internal/wgsl/findings"
)

// lexer turns text into tokens and keeps the comments. It reports mistakes that the parser need not
// see, such as look-alikes of ASCII characters, and passes on the intended tokens.
type lexer struct {
	text     string
	pos      int
	tokens   []token
	comments []Comment
	reports  *[]*findings.Finding
	define   int // end of the line of a #define that is read as a const, or 0
}

// lex reads the whole text, or up to the last mistake within the limit. The last token is tokEOF.
func lex(text string, reports *[]*findings.Finding) ([]token, []Comment) {
	l := &lexer{text: text, reports: reports, tokens: make([]token, 0, len(text)/4+16)}
	for l.blank(); l.pos < len(l.text) && len(*reports) < MaxDiagnostics; l.blank() {
		l.next()
	}
	l.endDefine()
	l.emit(tokEOF, l.pos)
	return findTemplates(l.tokens), l.comments
}

func (l *lexer) report(d *findings.Finding) *findings.Finding {
	*l.reports = append(*l.reports, d)
	return d
}

func (l *lexer) emit(k kind, start int) {
	l.tokens = append(l.tokens, token{int32(start), int32(l.pos), k})
}

func (l *lexer) span(start int) Span { return Span{Start: int32(start), End: int32(l.pos)} }

func (l *lexer) peek(ahead int) byte {
	if l.pos+ahead < len(l.text) {
		return l.text[l.pos+ahead]
	}
	return 0
}

// blank skips blankspace and comments.
func (l *lexer) blank() {
	for l.pos < len(l.text) {
		c := l.text[l.pos]
		switch {
		case c == ' ' || c >= '\t' && c <= '\r':
			if l.define > 0 && isLineBreak(rune(c)) {
				l.endDefine()
			}
			l.pos++
		case c == '/' && l.peek(1) == '/':
			l.lineComment()
		case c == '/' && l.peek(1) == '*':
			l.blockComment()
		case c < utf8.RuneSelf:
			return
		default:
			r, size := utf8.DecodeRuneInString(l.text[l.pos:])
			if !isBlank(r) {
				return
			}
			l.pos += size
		}
	}
}

func (l *lexer) lineComment() {
	start := l.pos
	end := strings.IndexFunc(l.text[start:], isLineBreak)
	if end < 0 {
		l.pos = len(l.text)
	} else {
		l.pos = start + end
	}
	if nul := strings.IndexByte(l.text[start:l.pos], 0); nul >= 0 {
		l.nul(start + nul)
	}
	l.checkUTF8(start)
	l.comments = append(l.comments, Comment{Span: l.span(start)})
}

func (l *lexer) blockComment() {
	start, depth := l.pos, 0
	for {
		rest := l.text[l.pos:]
		i := strings.IndexAny(rest, "/*\x00")
		switch {
		case i < 0:
			l.pos = len(l.text)
			l.report(findings.Errorf("unclosed-comment", Span{Start: int32(start), End: int32(start + 2)},
				"The comment that starts here has no end.").
				Try("Write `*/` where it ends; in WGSL each `/*` needs its own `*/`, even inside a comment."))
			l.comments = append(l.comments, Comment{Span: l.span(start), Block: true})
			return
		case strings.HasPrefix(rest[i:], "/*"):
			depth++
			l.pos += i + 2
		case strings.HasPrefix(rest[i:], "*/"):
			depth--
			l.pos += i + 2
		default:
			if rest[i] == 0 {
				l.nul(l.pos + i)
			}
			l.pos += i + 1
		}
		if depth == 0 {
			l.checkUTF8(start)
			l.comments = append(l.comments, Comment{Span: l.span(start), Block: true})
			return
		}
	}
}

func (l *lexer) nul(at int) {
	l.report(findings.Errorf("nul", Span{Start: int32(at), End: int32(at + 1)}, "There is a zero byte in the shader.").
		Try("Delete it; a shader is plain text.")).Replace(Span{Start: int32(at), End: int32(at + 1)}, "", "delete it")
}

func (l *lexer) checkUTF8(start int) {
	if text := l.text[start:l.pos]; !utf8.ValidString(text) {
		i := 0
		for i < len(text) {
			r, size := utf8.DecodeRuneInString(text[i:])
			if r == utf8.RuneError && size == 1 {
				break
			}
			i += size
		}
		l.invalidUTF8(start + i)
	}
}

func (l *lexer) invalidUTF8(at int) {
	l.report(findings.Errorf("not-utf-8", Span{Start: int32(at), End: int32(at + 1)}, "The byte 0x%02X here is not UTF-8.", l.text[at]).
		Try("Save the file as UTF-8 text."))
}

// punctuation maps one or two characters to their token; < and > are joined later.
var punctuation = map[string]kind{
	"(": tokParenL, ")": tokParenR, "[": tokBracketL, "]": tokBracketR, "{": tokBraceL, "}": tokBraceR,
	";": tokSemicolon, ",": tokComma, ":": tokColon, ".": tokDot, "@": tokAt, "->": tokArrow, "=": tokAssign,
	"+": tokPlus, "-": tokMinus, "*": tokStar, "/": tokSlash, "%": tokPercent, "&": tokAnd, "|": tokOr, "^": tokXor,
	"!": tokNot, "~": tokTilde, "&&": tokAndAnd, "||": tokOrOr, "==": tokEqual, "!=": tokNotEqual,
	"++": tokPlusPlus, "--": tokMinusMinus, "+=": tokPlusAssign, "-=": tokMinusAssign, "*=": tokStarAssign,
	"/=": tokSlashAssign, "%=": tokPercentAssign, "&=": tokAndAssign, "|=": tokOrAssign, "^=": tokXorAssign,
	"<": tokLess, ">": tokGreater, "?": tokQuestion,
}

// single and double hold the same punctuation as arrays, by first character.
var (
	single [128]kind
	double [128][]struct {
		second byte
		kind   kind
	}
)

func init() {
	for text, k := range punctuation {
		if len(text) == 1 {
			single[text[0]] = k
			continue
		}
		double[text[0]] = append(double[text[0]], struct {
			second byte
			kind   kind
		}{text[1], k})
	}
}

func (l *lexer) next() {
	c := l.text[l.pos]
	switch {
	case 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_':
		l.word()
	case '0' <= c && c <= '9', c == '.' && isDigit(l.peek(1)):
		l.number()
	case c == '"' || c == '\'' || c == '`':
		l.quoted(c, 1)
	case c == '#':
		l.preprocessor()
	case c < utf8.RuneSelf:
		l.punctuation(c)
	default:
		l.unicode()
	}
}

func (l *lexer) punctuation(c byte) {
	start := l.pos
	for _, d := range double[c] {
		if l.peek(1) == d.second {
			l.pos += 2
			l.emit(d.kind, start)
			return
		}
	}
	l.pos++
	if k := single[c]; k != tokEOF {
		l.emit(k, start)
		return
	}
	if c == 0 {
		l.nul(start)
		return
	}
	d := findings.Errorf("bad-character", l.span(start), "`%c` has no meaning in WGSL.", c).Replace(l.span(start), "", "delete it")
	switch c {
	case '\\':
		d.Try("Delete it; a statement can simply continue on the next line.")
	case '$':
		d.Try("Delete it; names are letters, digits and `_`.")
	default:
		d.Message = fmt.Sprintf("There is a character here (%U) that has no meaning in WGSL.", c)
		d.Try("Delete it.")
	}
	l.report(d)
}

func (l *lexer) word() {
	start := l.pos
	for l.pos < len(l.text) {
		c := l.text[l.pos]
		if 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' || isDigit(c) {
			l.pos++
			continue
		}
		if c < utf8.RuneSelf {
			break
		}
		r, size := utf8.DecodeRuneInString(l.text[l.pos:])
		if !isXIDContinue(r) {
			break
		}
		l.pos += size
	}
	l.emit(l.wordKind(l.text[start:l.pos], start), start)
	if l.define > 0 && l.tokens[len(l.tokens)-2].kind == tokConst {
		l.emit(tokAssign, l.pos)
	}
}

func (l *lexer) wordKind(word string, start int) kind {
	switch {
	case word == "_":
		return tokUnderscore
	case word[0] == '_' && word[1] == '_':
		l.doubleUnderscore(word, start)
		return tokIdent
	}
	if k, known := wordKinds[word]; known {
		return k
	}
	return tokIdent
}

func (l *lexer) doubleUnderscore(word string, start int) {
	if advice, ok := Foreign(word); ok {
		l.report(advice.Finding(word, l.span(start)))
		return
	}
	name := strings.TrimLeft(word, "_")
	d := findings.Errorf("double-underscore", l.span(start), "The name `%s` starts with two underscores, which WGSL reserves.", word)
	if name != "" && !isDigit(name[0]) && !IsKeyword(name) && !IsReserved(name) {
		d.Try("Call it `%s`.", name)
	} else {
		d.Try("Choose another name.")
	}
	l.report(d)
}

// quoted skips a string or character literal, which ends at the same quote or at the end of the
// line.
func (l *lexer) quoted(quote byte, width int) {
	start := l.pos
	l.pos += width
	for l.pos < len(l.text) && l.text[l.pos] != '\n' && l.text[l.pos] != '\r' {
		c := l.text[l.pos]
		l.pos++
		if c == quote {
			break
		}
		if c == '\\' && l.pos < len(l.text) && l.text[l.pos] != '\n' {
			l.pos++
		}
	}
	l.report(findings.Errorf("no-strings", l.span(start), "WGSL has no strings: a shader works only with numbers.").
		Try("Delete the quotes, or write a number such as `65u`."))
	l.emit(tokString, start)
}

// unicode reads a non-ASCII character: part of a name, a look-alike of another character, or a
// mistake.
func (l *lexer) unicode() {
	start := l.pos
	r, size := utf8.DecodeRuneInString(l.text[l.pos:])
	switch {
	case r == utf8.RuneError && size == 1:
		l.invalidUTF8(start)
		l.pos++
	case isXIDStart(r):
		l.word()
	case r == '“' || r == '”' || r == '„' || r == '«' || r == '»' || r == '‘' || r == '’':
		l.curly(r, size)
	case lookAlikes[r] != "":
		l.lookAlike(r, size)
	default:
		l.pos += size
		l.report(findings.Errorf("bad-character", l.span(start), "`%c` (%U) has no meaning in WGSL.", r, r).Try("Delete it.").
			Replace(l.span(start), "", "delete it"))
	}
}

func (l *lexer) curly(open rune, size int) {
	start := l.pos
	l.pos += size
	rest := l.text[l.pos:]
	line := strings.IndexFunc(rest, isLineBreak)
	if line >= 0 {
		rest = rest[:line]
	}
	end := strings.IndexAny(rest, "“”„«»‘’\"'")
	if end >= 0 {
		_, width := utf8.DecodeRuneInString(rest[end:])
		l.pos += end + width
	} else {
		l.pos += len(rest)
	}
	l.report(findings.Errorf("no-strings", l.span(start), "`%c` has no meaning in WGSL, which has no strings.", open).
		Try("Delete the quotes."))
	l.emit(tokString, start)
}

func (l *lexer) lookAlike(r rune, size int) {
	start := l.pos
	ascii := lookAlikes[r]
	l.pos += size
	span := l.span(start)
	if ascii == " " {
		if r == 0xFEFF {
			l.report(findings.Errorf("invisible-character", span, "There is an invisible byte order mark (U+FEFF) here, which WGSL does not allow.").
				Try("Delete it; if it is at the start of the file, save the file as UTF-8 without it.").
				Replace(span, "", "delete it"))
			return
		}
		what := fmt.Sprintf("an invisible character (%U)", r)
		if r == 0xA0 {
			what = "a non-breaking space (U+00A0)"
		}
		l.report(findings.Errorf("invisible-character", span, "There is %s here, which WGSL does not accept as a space.", what).
			Try("Write an ordinary space; this one probably came with copied text.").
			Replace(span, " ", "write a space"))
		return
	}
	l.report(findings.Errorf("look-alike", span, "`%c` (%U) only looks like `%s`.", r, r, ascii).
		Try("Write `%s`, as on the keyboard.", ascii).
		Replace(span, ascii, "write `"+ascii+"`"))
	switch {
	case punctuation[ascii] != tokEOF:
		l.emit(punctuation[ascii], start)
	default: // <= and >=: the parts are joined once template lists are known
		l.tokens = append(l.tokens, token{span.Start, span.Start, punctuation[ascii[:1]]},
			token{span.Start, span.End, tokAssign})
	}
}

// preprocessor reads a line that starts with #, as in C, GLSL and HLSL.
func (l *lexer) preprocessor() {
	start := l.pos
	end := strings.IndexFunc(l.text[start:], isLineBreak)
	if end < 0 {
		end = len(l.text) - start
	}
	line := l.text[start : start+end]
	if comment := strings.Index(line, "//"); comment >= 0 {
		line = line[:comment]
	}
	line = strings.TrimSpace(line)
	fields := strings.Fields(strings.TrimSpace(line[1:]))
	word := ""
	if len(fields) > 0 {
		word = fields[0]
	}
	span := Span{Start: int32(start), End: int32(start + len(line))}
	if word == "define" && len(fields) >= 3 && isName(fields[1]) {
		l.defineConst(start, span, fields)
		return
	}
	l.pos = start + len(line)
	d := findings.Errorf("no-preprocessor", span, "WGSL has no preprocessor, so `#%s` means nothing here.", word)
	switch word {
	case "include", "import":
		d.Try("Copy what you need into this shader; everything it uses must be in it.")
	case "version", "extension", "pragma":
		d.Try("Delete the line; WGSL has `enable f16;` and the like at the top of the shader.").
			Replace(span, "", "delete the line")
	case "define":
		d.Try("Write a `const` for a value, or a function for a macro with parameters.")
	default:
		d.Try("Delete the line; a `const` or `override` and an `if` choose between variants.")
	}
	l.report(d)
}

// defineConst reads `#define NAME value` as `const NAME = value;`, so that NAME is declared below
// it.
func (l *lexer) defineConst(start int, span Span, fields []string) {
	value := strings.Join(fields[2:], " ")
	instead := fmt.Sprintf("const %s = %s;", fields[1], value)
	l.report(findings.Errorf("no-preprocessor", span, "WGSL has no preprocessor, so `#define` means nothing here.").
		Try("Write `%s` instead.", instead).Replace(span, instead, "write `"+instead+"`"))
	l.define = int(span.End)
	l.pos = start + strings.Index(l.text[start:], "define") + len("define")
	l.emit(tokConst, start)
}

func (l *lexer) endDefine() {
	if l.define > 0 {
		l.emit(tokSemicolon, l.pos)
		l.define = 0
	}
}

// isName reports whether the text has the form of an identifier.
func isName(text string) bool {
	for i, r := range text {
		if i == 0 && r != '_' && !isXIDStart(r) || i > 0 && !isXIDContinue(r) {
			return false
		}
	}
	return text != "" && text != "_"
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isHexDigit(c byte) bool { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }
