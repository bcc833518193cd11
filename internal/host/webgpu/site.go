package webgpu

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
)

// A HostSite is the place of a call in the program that is watched. It is small, because a record
// has one for each call. The zero HostSite is unknown.
type HostSite struct {
	pc    uintptr      // of the call; 0 if the place is known already
	known *SourcePlace // nil if pc is set
}

// A SourcePlace is a line of a program.
type SourcePlace struct {
	File     string
	Line     int // from 1
	Function string
	Text     string // of the file; "" to read it. Go can't read files while JavaScript waits for it
}

// At returns a site whose place is known.
func At(place SourcePlace) HostSite { return HostSite{known: &place} }

// Caller returns the place of a call: of Caller itself with skip 0, of the function that calls it
// with 1, and so on. It costs little, because nothing is looked up before Resolved.
func Caller(skip int) HostSite {
	var pc [1]uintptr
	if runtime.Callers(skip+2, pc[:]) == 0 {
		return HostSite{}
	}
	return HostSite{pc: pc[0]}
}

// Resolved returns the site's file, line and function, without the file's text.
func (s HostSite) Resolved() SourcePlace {
	switch {
	case s.known != nil:
		return SourcePlace{File: s.known.File, Line: s.known.Line, Function: s.known.Function}
	case s.pc == 0:
		return SourcePlace{}
	}
	frame, _ := runtime.CallersFrames([]uintptr{s.pc}).Next()
	return SourcePlace{File: frame.File, Line: frame.Line, Function: frame.Function}
}

// Known reports whether the site is a place in a program.
func (s HostSite) Known() bool { return s != HostSite{} }

// String returns the file's name and the line: main.go:12.
func (s HostSite) String() string {
	if !s.Known() {
		return "an unknown place"
	}
	r := s.Resolved()
	return fmt.Sprintf("%s:%d", filepath.Base(r.File), r.Line)
}

// Quoted returns the place with the text of its line, if the program's file is there: a notebook's
// cell has other line numbers than the program that is made of it.
func (s HostSite) Quoted() string {
	const most = 80
	line := []rune(strings.TrimSpace(s.text()))
	switch {
	case len(line) == 0:
		return s.String()
	case len(line) > most:
		line = append(line[:most-1], '…')
	}
	return fmt.Sprintf("%s, `%s`", s, string(line))
}

// text returns the line of the program, or "" if there is no such file.
func (s HostSite) text() string {
	r := s.Resolved()
	if r.File == "" {
		return ""
	}
	var file string
	if s.known != nil && s.known.Text != "" {
		file = s.known.Text
	} else if read, err := os.ReadFile(r.File); err == nil {
		file = string(read)
	}
	lines := strings.Split(file, "\n")
	if r.Line < 1 || r.Line > len(lines) {
		return ""
	}
	return lines[r.Line-1]
}

// made matches an assignment of what a call returns: the first name is the object's.
var made = regexp.MustCompile(`^\s*(?:var\s+|const\s+|let\s+)?([\pL_][\pL\pN_.]*)\s*(?:,\s*[\pL_][\pL\pN_]*)?\s*:?=`)

// Variable returns the name of the variable that the program's line assigns to, or "".
func (s HostSite) Variable() string {
	if m := made.FindStringSubmatch(s.text()); m != nil && m[1] != "_" && m[1] != "err" {
		return m[1]
	}
	return ""
}
