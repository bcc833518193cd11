package run

import (
	"regexp"
	"strings"
)

var (
	colour = regexp.MustCompile(`\x1b\[[0-9;:]*m`)
	// Terminal codes: control sequences, operating system commands (such as a title), and any
	// other sequence that begins with an escape.
	terminalCode = regexp.MustCompile(`\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b[ -/]*[0-~]?`)
)

// printable makes a program's output safe to print. It removes terminal codes, except colours if
// those are wanted, and text that a carriage return has overwritten.
func printable(text string, colours bool) string {
	text = terminalCode.ReplaceAllStringFunc(text, func(code string) string {
		if colours && colour.MatchString(code) {
			return code
		}
		return ""
	})
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	for i, line := range lines {
		line = strings.TrimRight(line, "\r")
		lines[i] = line[strings.LastIndexByte(line, '\r')+1:]
	}
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' && r != '\x1b' || r >= 0x7f && r < 0xa0 {
			return -1
		}
		return r
	}, strings.Join(lines, "\n"))
}
