package nbformat

import (
	"fmt"
	"regexp"
	"strings"
)

// Output is one output of a code cell.
type Output struct {
	Type string // Stream, DisplayData, ExecuteResult or Error

	// Of a Stream:
	Name string // "stdout" or "stderr"
	Text string

	// Of DisplayData and ExecuteResult:
	Data           map[string]any // by MIME type; texts in one piece
	Metadata       map[string]any
	ExecutionCount *int // of ExecuteResult alone

	// Of an Error:
	EName, EValue string
	Traceback     []string

	extra map[string]any
}

// The kinds of an output.
const (
	Stream        = "stream"
	DisplayData   = "display_data"
	ExecuteResult = "execute_result"
	Error         = "error"
)

// Raised is the error that a cell ended with.
type Raised struct {
	EName, EValue string
	Traceback     []string
}

func (e *Raised) Error() string { return strings.TrimPrefix(e.EName+": "+e.EValue, ": ") }

// Raised gives the error that the output, an Error, tells of.
func (o *Output) Raised() *Raised {
	return &Raised{EName: o.EName, EValue: o.EValue, Traceback: o.Traceback}
}

// Stderr gives what the cell wrote to stderr, without the line with which GoNB
// confirms a %%writefile.
func (c *Cell) Stderr() string {
	var all strings.Builder
	for _, output := range c.Outputs {
		if output.Type == Stream && output.Name == "stderr" {
			all.WriteString(output.Text)
		}
	}
	text := all.String()
	if _, ok := c.WrittenFile(); ok {
		text = writeConfirmation.ReplaceAllString(text, "")
	}
	return text
}

var writeConfirmation = regexp.MustCompile(`(?m)^Cell contents (?:written|appended) to ".*"\.\n`)

// File is a file that a cell writes by GoNB's %%writefile.
type File struct {
	Path   string // as the cell names it
	Body   string
	Append bool // add to the file and keep what it holds
}

const writeDirective = "%%writefile"

// WrittenFile gives the file that the cell writes, if it writes one.
func (c *Cell) WrittenFile() (File, bool) {
	first, body, _ := strings.Cut(c.Source, "\n")
	words := strings.Fields(first)
	if c.Type != Code || len(words) == 0 || words[0] != writeDirective {
		return File{}, false
	}
	words = words[1:]
	file := File{Body: body}
	if len(words) == 2 && words[0] == "-a" {
		file.Append, words = true, words[1:]
	}
	if len(words) != 1 {
		return File{}, false
	}
	file.Path = words[0]
	return file, true
}

// SetFileBody replaces what the cell writes into its file. It fails when the
// cell writes none.
func (c *Cell) SetFileBody(body string) error {
	if _, ok := c.WrittenFile(); !ok {
		return fmt.Errorf("cell %s does not begin with %s PATH", c.ID, writeDirective)
	}
	first, _, _ := strings.Cut(c.Source, "\n")
	c.Source = first + "\n" + strings.TrimSuffix(body, "\n")
	return nil
}
