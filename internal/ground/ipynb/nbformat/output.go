package nbformat

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/wgslab/wgslab/internal/ground/ipynb/cell"
)

// Output is one output of a code cell.
type Output struct {
	Type string // Stream, DisplayData, ExecuteResult or Error

	// Fields of a Stream:
	Name string // "stdout" or "stderr"
	Text string

	// Fields of DisplayData and ExecuteResult:
	Data           map[string]any // by MIME type; each text is one string
	Metadata       map[string]any
	ExecutionCount *int // only in an ExecuteResult

	// Fields of an Error:
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

// Raised is the error that ended a cell.
type Raised struct {
	EName, EValue string
	Traceback     []string
}

func (e *Raised) Error() string { return strings.TrimPrefix(e.EName+": "+e.EValue, ": ") }

// Raised returns the error of an output of type Error.
func (o *Output) Raised() *Raised {
	return &Raised{EName: o.EName, EValue: o.EValue, Traceback: o.Traceback}
}

// Stderr returns the cell's text on stderr, without the line with which GoNB confirms a
// %%writefile.
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

// WrittenFile returns the file that the cell writes, if it writes one.
func (c *Cell) WrittenFile() (cell.WrittenFile, bool) {
	if c.Type != Code {
		return cell.WrittenFile{}, false
	}
	return cell.Read(c.Source).File()
}

// SetFileBody replaces the text that the cell writes to its file. It returns an error if the cell
// writes no file.
func (c *Cell) SetFileBody(body string) error {
	if _, ok := c.WrittenFile(); !ok {
		return fmt.Errorf("cell %s does not begin with %%%%writefile PATH", c.ID)
	}
	first, _, _ := strings.Cut(c.Source, "\n")
	c.Source = first + "\n" + strings.TrimSuffix(body, "\n")
	return nil
}
