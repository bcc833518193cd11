package kernel

import (
	"go/scanner"
	"go/token"
	"regexp"
	"strings"
)

// completeness says, as is_complete_reply does, whether a cell can be run as it
// stands: "complete", "incomplete" with the indentation of the next line, or "invalid".
//
// It reads tokens, not the tree, since GoNB's cells are no Go files: definitions, lines of
// shell commands, and behind %% the body of main. A cell is incomplete when a bracket, a
// comment or a raw string is open at its end, or its last token goes on: one behind
// which Go puts no semicolon.
func completeness(code string) (status, indent string) {
	if magic.MatchString(code) {
		return magicCompleteness(code), ""
	}
	var s scanner.Scanner
	source := []byte(withoutCommands(code))
	file := token.NewFileSet().AddFile("", -1, len(source))
	open, invalid := false, false
	s.Init(file, source, func(_ token.Position, message string) {
		if message == "raw string literal not terminated" || message == "comment not terminated" {
			open = true
		} else {
			invalid = true
		}
	}, 0)
	var brackets []token.Token
	last := token.SEMICOLON
	for {
		_, tok, _ := s.Scan()
		if tok == token.EOF {
			break
		}
		last = tok
		switch tok {
		case token.LPAREN, token.LBRACK, token.LBRACE:
			brackets = append(brackets, tok)
		case token.RPAREN, token.RBRACK, token.RBRACE:
			if len(brackets) == 0 || brackets[len(brackets)-1] != opens[tok] {
				return "invalid", ""
			}
			brackets = brackets[:len(brackets)-1]
		}
	}
	switch {
	case invalid:
		return "invalid", ""
	case open || len(brackets) > 0 || last != token.SEMICOLON:
		return "incomplete", strings.Repeat("\t", len(brackets))
	}
	return "complete", ""
}

var opens = map[token.Token]token.Token{token.RPAREN: token.LPAREN, token.RBRACK: token.LBRACK, token.RBRACE: token.LBRACE}

// magic is the beginning of a cell that is something other than Go.
var magic = regexp.MustCompile(`^%%[^ \t\r\n]`)

// magicCompleteness: such a cell ends with an empty line, as in IPython; one that
// comes in several lines was written elsewhere, and is whole.
func magicCompleteness(code string) string {
	if strings.Contains(strings.TrimSpace(code), "\n") || strings.HasSuffix(code, "\n\n") {
		return "complete"
	}
	return "incomplete"
}

// withoutCommands empties the lines that are GoNB's commands or the shell's.
func withoutCommands(code string) string {
	lines := strings.Split(code, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, "%") || strings.HasPrefix(line, "!") {
			lines[i] = ""
		}
	}
	return strings.Join(lines, "\n")
}

// hasGoAt says whether the line of a cursor, in code points, is Go at all. GoNB asks gopls about a
// place outside of the file where it is not, and now and then waits for ever for the answer.
func hasGoAt(code string, cursor int) bool {
	before := []rune(code)
	before = before[:min(max(cursor, 0), len(before))]
	line := strings.Count(string(before), "\n")
	program := withoutCommands(code) // which empties the lines that are no Go
	return strings.TrimSpace(program) != "" && strings.Split(program, "\n")[line] == strings.Split(code, "\n")[line]
}
