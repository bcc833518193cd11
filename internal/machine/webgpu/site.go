package webgpu

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
)

// A HostSite is the place of a call in the program that is watched, with those of the functions
// around it. It is small, because a record has one for each call. The zero HostSite is unknown.
type HostSite struct{ chain *callChain }

// A callChain is what all calls of one place share.
type callChain struct {
	pcs   [mostFrames]uintptr // of the call, and of the calls of its functions; 0 if the place is known already
	known *SourcePlace        // nil if pcs is set
}

// chains are those that were seen: a program makes the same calls again and again.
var chains = struct {
	sync.RWMutex
	of map[[mostFrames]uintptr]*callChain
}{of: map[[mostFrames]uintptr]*callChain{}}

// mostFrames is how many places a site keeps: a program may make objects in a function of its own.
const mostFrames = 5

// A SourcePlace is a line of a program.
type SourcePlace struct {
	File     string
	Line     int // from 1
	Function string
	Text     string       // of the file; "" to read it. Go can't read files while JavaScript waits for it
	Called   *SourcePlace // where the program called the function; nil if that isn't known
}

// At returns a site whose place is known.
func At(place SourcePlace) HostSite { return HostSite{&callChain{known: &place}} }

// Caller returns the place of a call: of Caller itself with skip 0, of the function that calls it
// with 1, and so on. It costs little, because nothing is looked up before Resolved.
func Caller(skip int) HostSite {
	var pcs [mostFrames]uintptr
	runtime.Callers(skip+2, pcs[:])
	chains.RLock()
	c, known := chains.of[pcs]
	chains.RUnlock()
	if !known {
		if c = (&callChain{pcs: pcs}); c.isOurs() {
			c = nil
		}
		chains.Lock()
		chains.of[pcs] = c
		chains.Unlock()
	}
	return HostSite{c}
}

// ours begins the names of the functions that stand in for pieces of a learner's host. Their calls
// have no place in the program.
const ours = "github.com/wgslab/wgslab/pkg/check.(*pieces)."

func (c *callChain) isOurs() bool {
	frame, _ := runtime.CallersFrames(c.pcs[:]).Next()
	return strings.HasPrefix(frame.Function, ours)
}

// Resolved returns the site's file, line and function.
func (s HostSite) Resolved() SourcePlace {
	p := s.place()
	return SourcePlace{File: p.File, Line: p.Line, Function: p.Function}
}

// place returns the site's place with all that is known of it.
func (s HostSite) place() SourcePlace {
	switch {
	case s.chain == nil:
		return SourcePlace{}
	case s.chain.known != nil:
		return *s.chain.known
	}
	return placeOf(runtime.CallersFrames(s.chain.pcs[:]), func(string) bool { return false })
}

// callerOutside returns the place of the call that the program makes right now. It costs more than
// Caller, which a call in a pass leaves out if no check reads the record.
func callerOutside() HostSite {
	const most = 32
	var pcs [most]uintptr
	n := runtime.Callers(1, pcs[:])
	return At(placeOf(runtime.CallersFrames(pcs[:n]), func(function string) bool {
		return strings.Contains(function, "/machine/webgpu.") || strings.Contains(function, "/pkg/wgpu.")
	}))
}

// placeOf returns the place of the first frame that isn't skipped, with the calls of the functions
// around it.
func placeOf(frames *runtime.Frames, skipped func(function string) bool) SourcePlace {
	var first SourcePlace
	last := &first
	for {
		frame, more := frames.Next()
		if first.Line == 0 && more && skipped(frame.Function) {
			continue
		}
		if last != &first || first.Line > 0 {
			if !strings.HasPrefix(frame.Function, "main.") {
				return first
			}
			last.Called = &SourcePlace{}
			last = last.Called
		}
		*last = SourcePlace{File: frame.File, Line: frame.Line, Function: frame.Function}
		if !more || strings.Contains(frame.Function, "-range") {
			return first
		}
	}
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
	p := s.place()
	_, line := p.around()
	return line
}

// around returns the lines of the place's file, and its own line; "" if there is no such file.
func (p SourcePlace) around() (lines []string, line string) {
	text := p.Text
	if text == "" && p.File != "" {
		read, err := os.ReadFile(p.File)
		if err != nil {
			return nil, ""
		}
		text = string(read)
	}
	lines = strings.Split(text, "\n")
	if p.Line < 1 || p.Line > len(lines) {
		return nil, ""
	}
	return lines, lines[p.Line-1]
}

// A ShownLine is a line of the learner's program, as the learner counts lines.
type ShownLine struct {
	Line     int // from 1, which is the line of the function's declaration, or the program's first in JavaScript; 0 if it is not known
	Column   int // of its first character that isn't space, from 1
	Text     string
	Function string // "" for a program whose lines are numbered from its first
	File     string // host.go or host.js, if the line is in the learner's host file and not in the program
}

// String returns the line's number in words.
func (l ShownLine) String() string {
	switch {
	case l.File != "":
		return fmt.Sprintf("line %d of %s", l.Line, l.File)
	case l.Function == "":
		return fmt.Sprintf("line %d", l.Line)
	}
	return fmt.Sprintf("line %d of `%s`", l.Line, l.Function)
}

// wholeFiles says that a program in Go is a file of the learner's.
var wholeFiles atomic.Bool

// CountWholeFiles numbers lines of Go from a file's first, as an editor does. A notebook's cells
// are numbered from a function's first.
func CountWholeFiles() { wholeFiles.Store(true) }

// Shown returns the site's line. GoNB joins cells into one file, so a line of Go is numbered from
// its function's first. The program's file is there while the program runs.
func (s HostSite) Shown() ShownLine { return s.place().shown() }

func (p SourcePlace) shown() ShownLine {
	lines, line := p.around()
	if lines == nil {
		return ShownLine{}
	}
	column := len(line) - len(strings.TrimLeft(line, "\t ")) + 1
	if strings.HasSuffix(p.File, ".js") || wholeFiles.Load() {
		shown := ShownLine{Line: p.Line, Column: column, Text: line}
		if name := filepath.Base(p.File); name == "host.go" || name == "host.js" {
			shown.File = name
		}
		return shown
	}
	name, begin := declaredAs(p.Function)
	start := p.Line
	for start > 0 && !begin.MatchString(lines[start-1]) {
		start--
	}
	return ShownLine{Line: p.Line - start + 1, Column: column, Text: line, Function: name}
}

var (
	typeArguments = regexp.MustCompile(`\[[^\]]*\]`)
	closure       = regexp.MustCompile(`^(func)?\d+$|^gowrap\d+$`)
)

// declaredAs returns how the program calls the function or method around a place, and how its
// declaration begins. function is as the runtime calls it: main.(*runner).run.func1 is in run.
func declaredAs(function string) (name string, begin *regexp.Regexp) {
	name = strings.TrimPrefix(function[strings.LastIndex(function, "/")+1:], "main.")
	name, _, _ = strings.Cut(name, "-range") // of a loop over a function
	name = typeArguments.ReplaceAllString(name, "")
	receiver, method, isMethod := strings.Cut(name, ").")
	parts := strings.Split(method, ".")
	if !isMethod {
		parts = strings.Split(receiver, ".")
		if isMethod = len(parts) > 1 && !closure.MatchString(parts[1]); isMethod {
			parts = parts[1:]
		}
	}
	name = parts[0]
	if isMethod {
		return name, regexp.MustCompile(`^func \([^)]*\) ` + regexp.QuoteMeta(name) + `[(\[]`)
	}
	return name, regexp.MustCompile(`^func ` + regexp.QuoteMeta(name) + `[(\[]`)
}

// made matches an assignment of what a call returns: the first name is the object's.
var made = regexp.MustCompile(`^\s*(?:var\s+|const\s+|let\s+)?([\pL_][\pL\pN_.]*)\s*(?:,\s*(?:err|_))?\s*:?=[^=]`)

// Variable returns the name of the variable that the program's line assigns to, or that of a line
// that called its function, or "".
func (s HostSite) Variable() string {
	p := s.place()
	name := ""
	for at := &p; at != nil; at = at.Called {
		lines, line := at.around()
		m := made.FindStringSubmatch(line)
		if m == nil || m[1] == "_" || m[1] == "err" {
			continue
		}
		if name = m[1]; !returned(lines[at.Line:], name) {
			return name
		}
	}
	return name
}

// returned reports whether a function soon returns a variable: its caller has another name for it.
func returned(lines []string, name string) bool {
	const soon = 6
	for _, line := range lines[:min(len(lines), soon)] {
		if rest, ok := strings.CutPrefix(strings.TrimSpace(line), "return "); ok {
			return strings.TrimRight(rest, ";") == name
		}
	}
	return false
}

// Outermost returns the line of the program from which the call came: where the learner called a
// function of his own that made it, if that is known.
func (s HostSite) Outermost() ShownLine {
	p := s.place()
	for p.Called != nil {
		p = *p.Called
	}
	return p.shown()
}

// FromOutermost returns the site of the learner's line from which the call came, as Outermost does.
func (s HostSite) FromOutermost() HostSite {
	p := s.place()
	for p.Called != nil {
		p = *p.Called
	}
	return At(p)
}

// Lines returns the lines of the program's file, and the index of the site's own.
func (s HostSite) Lines() (lines []string, index int) {
	p := s.place()
	lines, _ = p.around()
	return lines, p.Line - 1
}

// OnLine returns the site of another line of the same function, by its index in Lines.
func (s HostSite) OnLine(index int) HostSite {
	p := s.place()
	p.Line = index + 1
	return At(p)
}

// InProgram reports whether a place is in the program that is watched, and not in the package that
// runs it, whose deferred calls come from the runtime during a panic.
func (s HostSite) InProgram() bool {
	function := s.Resolved().Function
	return s.Known() && !strings.Contains(function, "/") && !strings.HasPrefix(function, "runtime.")
}
