package main

import (
	"io"
	"os"
	"regexp"
	"strings"

	"golang.org/x/term"
)

// isTerminal says whether somebody looks at w as it is written.
func isTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

var (
	colour = regexp.MustCompile(`\x1b\[[0-9;:]*m`)
	// Terminal codes: control sequences, operating system commands (a title,
	// say), and whatever else begins with an escape.
	terminalCode = regexp.MustCompile(`\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b[ -/]*[0-~]?`)
)

// printable makes the output of somebody's program fit to be printed: without
// terminal codes, but for colours where they are wanted, and without what a
// carriage return has painted over.
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
