package kernel

import (
	"encoding/json"
	"fmt"
	"html"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/wgslab/wgslab/internal/fronts/desk/protocol"
	"github.com/wgslab/wgslab/internal/fronts/notebook/jupyter"
	"github.com/wgslab/wgslab/internal/ground/ipynb/cell"
)

// A report collects what GoNB says about a Go cell. GoNB ends each cell that fails with an exit
// status, twice; the learner gets what happened in its place.
type report struct {
	headline string // of the verdict that the cell shows, if it isn't right
	compiler string // the compiler's messages
	panicked string // what the program panicked with
	stopped  bool   // the learner interrupted it
	ended    *jupyter.Message
	trace    *jupyter.Message // the beginning of the runtime's dump
	dumped   string           // the dump so far, which comes in small pieces
}

var (
	// endOfProgram matches GoNB's own last line on standard error.
	endOfProgram = regexp.MustCompile(`^(\^C\n)?(exit status \d+|signal: .+)\n$`)
	// compilerReport matches the compiler's messages in the report that setup/setup.sh adds to
	// GoNB.
	compilerReport = regexp.MustCompile(`(?s)<pre class="wgslab-go"[^>]*>(.*?)\n?</pre>`)
	// compilerPlace matches the first line of one of its messages.
	compilerPlace = regexp.MustCompile(`(?m)^(cell \[\d+\], line \d+)(?:, column \d+)?\n(?: +\d* \| .*\n)+  (.+)$`)
	// crash matches where the runtime's dump begins.
	crash = regexp.MustCompile(`(?m)^(?:panic|fatal error|SIG[A-Z]+): `)
	// firstRoutine matches where the dump lists the functions that run.
	firstRoutine = regexp.MustCompile(`(?m)^\n?goroutine \d+ `)
)

// take reads a message that GoNB publishes about the cell, and returns those for the notebook.
func (r *report) take(m jupyter.Message) (shown []jupyter.Message) {
	switch m.Header.Type {
	case "stream":
		return r.takeStream(m)
	case "display_data":
		shown, m = r.dump(), r.takeDisplay(m)
	case "error":
		r.ended = nil // the error says it
		shown = r.dump()
		var told struct{ EValue string }
		if decode(m, &told) == nil {
			m.Content, _ = json.Marshal(failed(r.failure(told.EValue))) // strings
		}
	}
	return append(shown, m)
}

// dump returns the beginning of the runtime's dump. The places in cells come in GoNB's report.
func (r *report) dump() []jupyter.Message {
	if r.trace == nil {
		return nil
	}
	head, _, _ := strings.Cut(r.dumped, "\n")
	r.panicked = crash.ReplaceAllString(head, "")
	if routines := firstRoutine.FindStringIndex(r.dumped); routines != nil {
		r.dumped = r.dumped[:routines[0]]
	}
	begin := withText(*r.trace, r.dumped)
	r.trace = nil
	return []jupyter.Message{begin}
}

// rest returns what was kept back, once the cell has ended.
func (r *report) rest() []jupyter.Message {
	shown := r.dump()
	if r.ended != nil { // the learner's program wrote it
		shown = append(shown, *r.ended)
		r.ended = nil
	}
	return shown
}

func (r *report) takeStream(m jupyter.Message) (shown []jupyter.Message) {
	var content streamContent
	if decode(m, &content) != nil || content.Name != "stderr" {
		return []jupyter.Message{m}
	}
	if end := endOfProgram.FindStringSubmatch(content.Text); end != nil {
		r.ended, r.stopped = &m, end[1] != ""
		return nil
	}
	if r.trace != nil {
		r.dumped += content.Text
		return nil
	}
	if begin := crash.FindStringIndex(content.Text); begin != nil {
		r.trace, r.dumped = &m, content.Text[begin[0]:]
		if begin[0] == 0 {
			return nil
		}
		m = withText(m, content.Text[:begin[0]])
	}
	return []jupyter.Message{m}
}

type streamContent struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// withText returns a message with another text on standard error.
func withText(m jupyter.Message, text string) jupyter.Message {
	m.Content, _ = json.Marshal(streamContent{"stderr", text}) // strings
	return m
}

func (r *report) takeDisplay(m jupyter.Message) jupyter.Message {
	var content map[string]any
	if decode(m, &content) != nil {
		return m
	}
	data, _ := content["data"].(map[string]any)
	if text, _ := data["text/plain"].(string); r.headline == "" {
		first, _, _ := strings.Cut(text, "\n")
		for _, sign := range []string{"✗ ", "○ "} { // of a verdict that is not right
			if rest, found := strings.CutPrefix(first, sign); found {
				r.headline = rest
			}
		}
	}
	markup, _ := data["text/html"].(string)
	if found := compilerReport.FindStringSubmatch(markup); found != nil {
		r.compiler = html.UnescapeString(found[1])
		data["text/plain"] = r.compiler
		m.Content, _ = json.Marshal(content) // it came as JSON
	}
	return m
}

// failure returns why the cell failed. said is GoNB's word for it.
func (r *report) failure(said string) *protocol.Failure {
	switch {
	case r.compiler != "" && notBuilt.MatchString(said):
		return &protocol.Failure{Name: "NotGo", Message: "This cell doesn't compile: " + r.firstMistake() + "."}
	case r.stopped:
		return failureOf(errInterrupted)
	case r.headline != "":
		return &protocol.Failure{Name: "NotRight", Message: r.headline}
	case r.panicked != "":
		return &protocol.Failure{Name: "Panic", Message: "The program panicked: " + r.panicked}
	case strings.HasPrefix(said, "signal: killed"):
		return &protocol.Failure{Name: "Killed", Message: "The system ended the program: it may have used up the memory."}
	case said == "exit status 1":
		return &protocol.Failure{Name: "Ended", Message: "The program ended with an error."}
	case strings.HasPrefix(said, "exit status "), strings.HasPrefix(said, "signal: "):
		return &protocol.Failure{Name: "Ended", Message: "The program ended early: " + said + "."}
	}
	return &protocol.Failure{Name: "Error", Message: said}
}

// firstMistake returns the compiler's first message in one line.
func (r *report) firstMistake() string {
	all := compilerPlace.FindAllStringSubmatch(r.compiler, -1)
	if len(all) == 0 {
		first, _, _ := strings.Cut(r.compiler, "\n")
		return first
	}
	said := all[0][1] + ": " + all[0][2]
	if more := len(all) - 1; more > 0 {
		said += fmt.Sprintf(" (and %d more)", more)
	}
	return said
}

// undefined matches the compiler's message about a name that no cell defines.
var undefined = regexp.MustCompile(`(?m)^  undefined: ([\pL_][\pL\pN_]*)$`)

// undefined returns the names that no cell defines.
func (r *report) undefined() (names []string) {
	for _, found := range undefined.FindAllStringSubmatch(r.compiler, -1) {
		if !slices.Contains(names, found[1]) {
			names = append(names, found[1])
		}
	}
	return names
}

// hiding matches the compiler's message about a package whose name means something else.
var hiding = regexp.MustCompile(`(?m)^  (\w+)\.\w+ undefined \(type `)

// hidden returns the packages of the course that the program's own names hide.
func (r *report) hidden() (names []string) {
	for _, found := range hiding.FindAllStringSubmatch(r.compiler, -1) {
		if slices.Contains(cell.Packages, found[1]) && !slices.Contains(names, found[1]) {
			names = append(names, found[1])
		}
	}
	return names
}

// inReply puts the reason of a failure into the content of GoNB's reply.
func (r *report) inReply(content json.RawMessage) (json.RawMessage, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(content, &fields); err != nil {
		return nil, fmt.Errorf("GoNB's answer is invalid: %w", err)
	}
	var status, said string
	if json.Unmarshal(fields["status"], &status) != nil || status != "error" || json.Unmarshal(fields["evalue"], &said) != nil {
		return content, nil
	}
	for name, value := range failed(r.failure(said)) {
		fields[name], _ = json.Marshal(value) // strings
	}
	return json.Marshal(fields)
}

// cellNumber matches the number of a cell where GoNB names a line of it.
var cellNumber = regexp.MustCompile(`([Cc]ell ?\[)([0-9]+)(\][:,]? [Ll]ine )`)

// renumbered gives cells the numbers that the notebook shows: GoNB counts only its own.
func (i *instance) renumbered(content json.RawMessage) json.RawMessage {
	i.mu.Lock()
	defer i.mu.Unlock()
	return cellNumber.ReplaceAllFunc(content, func(found []byte) []byte {
		parts := cellNumber.FindSubmatch(found)
		own, _ := strconv.Atoi(string(parts[2])) // digits
		if number, ok := i.numbers[own]; ok {
			return fmt.Appendf(nil, "%s%d%s", parts[1], number, parts[3])
		}
		return found
	})
}
