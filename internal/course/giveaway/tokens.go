package giveaway

import (
	"regexp"
	"strconv"
	"strings"
)

// A token is a name, a number or a sign. A formula in words has the signs that its words stand for.
type token struct {
	kind tokenKind
	text string
	at   int // the byte at which it begins
}

type tokenKind byte

const (
	word tokenKind = iota
	number
	sign
	line // the end of a line
)

// pattern finds the next token: a number with its suffix, a name, a sign.
var pattern = regexp.MustCompile(`^(?:0[xX][0-9a-fA-F]+[iu]?|[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?[iufh]?n?|[\pL_][\pL\pN_]*|:=|<-|←|<<=?|>>=?|[-+*/%&|^]=|\+\+|--|&&|\|\||[=!<>]==?|\.\.\.|.)`)

// comment finds a comment of WGSL, Go or JavaScript.
var comment = regexp.MustCompile(`(?s)//[^\n]*|/\*.*?\*/`)

// signs are other ways to write an operation.
var signs = map[string]string{
	"≥": ">=", "≤": "<=", "≠": "!=", "·": "*", "×": "*", "⋅": "*", "−": "-", "÷": "/", "←": "=", "<-": "=", ":=": "=", "===": "==", "!==": "!=",
}

// spoken are operations in words. The longest comes first.
var spoken = []struct{ words, sign string }{
	{"is greater than or equal to", ">="}, {"greater than or equal to", ">="},
	{"is less than or equal to", "<="}, {"less than or equal to", "<="},
	{"is not less than", ">="}, {"is not equal to", "!="}, {"is different from", "!="},
	{"is greater than", ">"}, {"is larger than", ">"}, {"is less than", "<"}, {"is smaller than", "<"},
	{"is at least", ">="}, {"is at most", "<="}, {"is equal to", "=="}, {"is set to", "="},
	{"greater than", ">"}, {"larger than", ">"}, {"less than", "<"}, {"smaller than", "<"},
	{"at least", ">="}, {"at most", "<="}, {"multiplied by", "*"}, {"divided by", "/"}, {"equal to", "=="},
	{"the remainder by", "%"}, {"added to", "+"}, {"becomes", "="}, {"gets", "="}, {"equals", "="},
	{"plus", "+"}, {"minus", "-"}, {"times", "*"}, {"modulo", "%"}, {"mod", "%"}, {"at index", "at"}, {"at position", "at"},
	{"and", "&&"}, {"or", "||"}, {"not", "!"},
}

// left out are words that a formula in words may have anywhere, and those of declarations.
var leftOut = map[string]bool{
	"the": true, "value": true, "element": true, "then": true, "let": true, "var": true, "const": true, "override": true, "mut": true, "set": true, "to": false,
	"float": true, "uint": true, "int": true, "auto": true,
}

// tokensOf cuts a text into tokens. Words of formulas become signs.
func tokensOf(text string, prose bool) []token {
	text = comment.ReplaceAllStringFunc(text, func(c string) string {
		if prose {
			return c
		}
		return strings.Repeat(" ", len(c))
	})
	var all []token
	for at := 0; at < len(text); {
		switch c := text[at]; {
		case c == '\n':
			all = append(all, token{line, "\n", at})
			at++
			continue
		case c == ' ' || c == '\t' || c == '\r' || c == '`':
			at++
			continue
		case c == '"' || c == '\'':
			if end := strings.IndexByte(text[at+1:], c); !prose && end >= 0 {
				all = append(all, token{number, text[at : at+end+2], at})
				at += end + 2
				continue
			}
			at++
			continue
		}
		if prose {
			if said, length := saidAt(text, at); length > 0 {
				all = append(all, token{sign, said, at})
				at += length
				continue
			}
		}
		found := pattern.FindString(text[at:])
		if found == "" {
			at++
			continue
		}
		all = append(all, tokenOf(found, at))
		at += len(found)
	}
	return all
}

// saidAt returns the operation whose words begin at a byte of a text, and their length.
func saidAt(text string, at int) (operation string, length int) {
	if at > 0 && isLetter(text[at-1]) {
		return "", 0
	}
	for _, s := range spoken {
		end := at + len(s.words)
		if end <= len(text) && strings.EqualFold(text[at:end], s.words) && (end == len(text) || !isLetter(text[end])) {
			return s.sign, len(s.words)
		}
	}
	return "", 0
}

func isLetter(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

func tokenOf(found string, at int) token {
	if other, ok := signs[found]; ok {
		return token{sign, other, at}
	}
	switch c := found[0]; {
	case c >= '0' && c <= '9':
		return token{number, valueOf(found), at}
	case isLetter(c) || c >= 0x80:
		return token{word, found, at}
	}
	return token{sign, found, at}
}

// valueOf gives 0, 0u, 0.0 and 0f the same text.
func valueOf(number string) string {
	bare := strings.TrimRight(number, "iufhn")
	if strings.HasPrefix(number, "0x") {
		bare = strings.TrimRight(number, "iu")
	}
	if whole, err := strconv.ParseInt(bare, 0, 64); err == nil {
		return strconv.FormatInt(whole, 10)
	}
	if value, err := strconv.ParseFloat(bare, 64); err == nil {
		return strconv.FormatFloat(value, 'g', -1, 64)
	}
	return number
}
