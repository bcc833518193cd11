package kernel

import (
	"go/scanner"
	"go/token"
	"regexp"
	"strings"

	"github.com/wgslab/wgslab/internal/ground/ipynb/cell"
)

// completeness returns the status of an is_complete_reply: "complete", "incomplete" with the
// indentation of the next line, or "invalid".
//
// It reads tokens rather than a syntax tree, because a cell is not a Go file: it holds definitions,
// shell commands, and after %% the body of main. A cell is incomplete when a bracket, a comment or
// a raw string is open at its end, or when Go inserts no semicolon after its last token.
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

// magic matches the beginning of a cell that is not Go.
var magic = regexp.MustCompile(`^%%[^ \t\r\n]`)

// magicCompleteness decides when a cell that is not Go is complete: after an empty line, as in
// IPython. A cell that arrives with several lines was written elsewhere, and is complete.
func magicCompleteness(code string) string {
	if strings.Contains(strings.TrimSpace(code), "\n") || strings.HasSuffix(code, "\n\n") {
		return "complete"
	}
	return "incomplete"
}

// withoutCommands empties the lines that are commands to GoNB or the shell.
func withoutCommands(code string) string {
	lines := strings.Split(code, "\n")
	for i, line := range lines {
		if cell.IsCommand(line) {
			lines[i] = ""
		}
	}
	return strings.Join(lines, "\n")
}

// hasGoAt reports whether the line of a cursor, in code points, is Go. On another line GoNB asks
// gopls about a place outside the file, and sometimes waits forever for the answer.
func hasGoAt(code string, cursor int) bool {
	before := []rune(code)
	before = before[:min(max(cursor, 0), len(before))]
	line := strings.Count(string(before), "\n")
	program := withoutCommands(code) // empties the lines that aren't Go
	return strings.TrimSpace(program) != "" && strings.Split(program, "\n")[line] == strings.Split(code, "\n")[line]
}
