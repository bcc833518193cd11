package capture

import (
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"

	"github.com/wgslab/wgslab/internal/machine/shader"
)

// A Logged is a shader whose text is in a log.
type Logged struct {
	Number     int    // from 1
	Name, Text string // Name is the program's
	Line       int    // of the log, of the first line of Text
	Key        string // what distinguishes it from others of the name; "" if the log doesn't say
	Workgroups string // of the dispatch for which it was made, as --workgroups takes them; "" if the log doesn't say
}

// maxLog limits how much of a log is read, in bytes.
const maxLog = 256 << 20

// What onnxruntime logs. With verbose logging its WebGPU execution provider writes each shader
// between two lines, and before it the dispatch for which it builds it. Its older provider for
// browsers writes a shader up to the next message, which begins with a level and a date.
var (
	logStart   = regexp.MustCompile(`=== WebGPU Shader code \[(.*?)(?:, Key="(.*)")?\] Start ===`)
	logEnd     = regexp.MustCompile(`=== WebGPU Shader code \[.*\] End ===`)
	logRun     = regexp.MustCompile(`Starting program ".*" \((\d+), (\d+), (\d+)\)`)
	browser    = regexp.MustCompile(`\[WebGPU\] (?:(.*) )?shader code: ?(.*)$`)
	logMessage = regexp.MustCompile(`^.{0,120}\b[VIWEF],\d{4}-\d\d-\d\dT`)
)

// ReadLog returns the shaders in a log, each text once.
func ReadLog(log string) (found []Logged) {
	r := logReader{seen: map[string]bool{}}
	for text := range strings.Lines(log) {
		r.line++
		r.read(strings.TrimRight(text, "\r\n"))
	}
	r.end()
	return r.found
}

type logReader struct {
	found      []Logged
	seen       map[string]bool
	line       int
	workgroups string

	open  *Logged // whose text is being read
	marks bool    // it ends with a mark
	lines []string
}

func (r *logReader) read(text string) {
	if m := logStart.FindStringSubmatch(text); m != nil {
		r.end()
		r.open, r.marks = &Logged{Name: printable(m[1]), Key: printable(m[2]), Workgroups: r.workgroups}, true
		return
	}
	if m := browser.FindStringSubmatch(text); m != nil {
		r.end()
		r.open, r.marks = &Logged{Name: printable(m[1])}, false
		r.add(m[2])
		return
	}
	switch {
	case r.open != nil && r.marks && logEnd.MatchString(text):
		r.end()
	case r.open != nil && !r.marks && logMessage.MatchString(text):
		r.end()
	case r.open != nil:
		r.add(text)
	default:
		if m := logRun.FindStringSubmatch(text); m != nil {
			r.workgroups = strings.Join(m[1:], ",")
		}
	}
}

// add adds a line to the text, which begins with its first line that isn't empty.
func (r *logReader) add(text string) {
	if len(r.lines) == 0 && strings.TrimSpace(text) == "" {
		return
	}
	if len(r.lines) == 0 {
		r.open.Line = r.line
	}
	r.lines = append(r.lines, text)
}

func (r *logReader) end() {
	if s := r.open; s != nil && len(r.lines) > 0 {
		s.Text = strings.TrimRight(strings.Join(r.lines, "\n"), "\n ") + "\n"
		if !r.seen[s.Text] {
			r.seen[s.Text] = true
			s.Number = len(r.found) + 1
			r.found = append(r.found, *s)
		}
	}
	r.open, r.lines = nil, nil
}

// File says how a shader's file is called: its name and number.
func (s Logged) File() string { return fileName(s.Name, s.Number) }

// fileName makes a name for a file of a label and a number.
func fileName(label string, number int) string {
	label = strings.Trim(notInNames.ReplaceAllString(strings.TrimSuffix(label, ".wgsl"), "-"), "-.")
	if len(label) > 60 {
		label = label[:60]
	}
	return strings.TrimPrefix(label+"-"+strconv.Itoa(number), "-") + ".wgsl"
}

var notInNames = regexp.MustCompile(`[^A-Za-z0-9._-]+`)

// OpenLog reads the shaders in a log. There is none in any other file.
func OpenLog(path string) ([]Logged, error) {
	text, err := shader.ReadStart(path, maxLog)
	if err != nil {
		return nil, err
	}
	return ReadLog(string(text)), nil
}

// IsFile reports whether a file is a capture. Others are shaders or logs.
func IsFile(path string) bool {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	file, err := os.Open(path)
	if err != nil {
		return false
	}
	defer file.Close()
	start, err := io.ReadAll(io.LimitReader(file, 512))
	return err == nil && Is(start)
}

// FindLogged returns the shader with a number of a log.
func FindLogged(all []Logged, path string, number int) (*Logged, error) {
	switch n := len(all); {
	case n == 0:
		return nil, fmt.Errorf("%s is neither a capture nor a log with shaders", path)
	case number < 1 || number > n:
		return nil, fmt.Errorf("%s has no shader %d: choose one from 1 to %d, which wgslab open %s lists", path, number, n, path)
	}
	return &all[number-1], nil
}
