// Package nbformat reads and writes Jupyter notebooks (.ipynb files, nbformat 4) and nbgrader's
// metadata in them. It does not run them; package run does.
//
// It keeps fields that it does not know. If you read a notebook and write it again, only your
// changes differ, and the layout is Jupyter's own.
package nbformat

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"

	"github.com/wgslab/wgslab/internal/ground/atomicfile"
)

// Notebook is one notebook.
type Notebook struct {
	Metadata map[string]any
	Cells    []*Cell

	format, minor int
	extra         map[string]any // fields that this package does not know
}

// The kinds of a cell.
const (
	Code     = "code"
	Markdown = "markdown"
	Raw      = "raw"
)

// Cell is one cell.
type Cell struct {
	ID       string
	Type     string // Code, Markdown or Raw
	Source   string
	Metadata map[string]any

	// Of code cells:
	ExecutionCount *int // nil when the cell has not run
	Outputs        []*Output

	extra map[string]any
}

// The version of the format that this package writes; a newer minor version stays.
const (
	format      = 4
	formatMinor = 5
)

// Read reads a notebook. It converts a notebook of nbformat 4.0 to 4.4 to 4.5, which gives its
// cells ids.
func Read(path string) (*Notebook, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("reading a notebook: %w", err)
	}
	nb, err := Decode(data)
	if err != nil {
		return nil, fmt.Errorf("cannot read %s as a notebook: %w", path, err)
	}
	return nb, nil
}

// Write writes the complete notebook to a file. If it fails, the file is unchanged.
func (nb *Notebook) Write(path string) error {
	data, err := nb.Encode()
	if err != nil {
		return fmt.Errorf("writing the notebook %s: %w", path, err)
	}
	if err := atomicfile.Write(path, data, 0o644); err != nil {
		return fmt.Errorf("writing the notebook %s: %w", path, err)
	}
	return nil
}

// Decode reads a notebook from the contents of its file. It converts one of nbformat 4.0 to 4.4, as
// Read does.
func Decode(data []byte) (*Notebook, error) {
	fields, err := decodeObject(data)
	if err != nil {
		return nil, err
	}
	nb, err := fromFields(fields)
	if err != nil {
		return nil, err
	}
	if nb.minor < formatMinor {
		nb.minor = formatMinor
	}
	nb.giveIDs()
	return nb, nil
}

// Encode returns the contents of the notebook's file in Jupyter's layout: sorted keys, one space of
// indentation, a line feed at the end.
func (nb *Notebook) Encode() ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", " ")
	if err := encoder.Encode(nb.fields()); err != nil {
		return nil, err
	}
	return bareSeparators(out.Bytes()), nil
}

// Clear removes every output and execution count.
func (nb *Notebook) Clear() {
	for _, cell := range nb.Cells {
		cell.Clear()
	}
}

// Clear removes the cell's outputs and its execution count.
func (c *Cell) Clear() {
	c.Outputs, c.ExecutionCount = nil, nil
}

// Kernel returns the name of the kernel spec that the notebook asks for, or "".
func (nb *Notebook) Kernel() string {
	spec, _ := nb.Metadata["kernelspec"].(map[string]any)
	name, _ := spec["name"].(string)
	return name
}

// HasTag reports whether the cell has a tag.
func (c *Cell) HasTag(tag string) bool {
	tags, _ := c.Metadata["tags"].([]any)
	for _, t := range tags {
		if t == tag {
			return true
		}
	}
	return false
}

// decodeObject reads one JSON object. If the data is something else, the error names it.
func decodeObject(data []byte) (map[string]any, error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	trimmed := bytes.TrimSpace(data)
	switch {
	case len(trimmed) == 0:
		return nil, errors.New("it is empty")
	case trimmed[0] != '{':
		return nil, fmt.Errorf("it is not JSON: it begins with %q", head(trimmed, 20))
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber() // numbers keep their spelling
	var fields map[string]any
	err := decoder.Decode(&fields)
	if err == nil {
		if _, more := decoder.Token(); more != io.EOF {
			return nil, errors.New("it is not JSON: something follows the end of the notebook")
		}
		return fields, nil
	}
	if at := bytes.Index(data, []byte("\n<<<<<<< ")); at >= 0 {
		return nil, fmt.Errorf("it has merge conflict markers on line %d: resolve the conflict, then try again",
			lineOf(data, at+1))
	}
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return nil, fmt.Errorf("it is not JSON: line %d: %w", lineOf(data, int(syntax.Offset)), err)
	}
	return nil, fmt.Errorf("it is not JSON: %w", err)
}

func lineOf(data []byte, offset int) int {
	return 1 + bytes.Count(data[:min(offset, len(data))], []byte("\n"))
}

func head(data []byte, n int) []byte { return data[:min(n, len(data))] }

var validID = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// giveIDs gives an id to every cell whose id is missing, invalid or a duplicate. The id depends
// only on the cell's position and source, so the same notebook always gets the same ids.
func (nb *Notebook) giveIDs() {
	taken := make(map[string]bool)
	for i, cell := range nb.Cells {
		for try := 0; !validID.MatchString(cell.ID) || taken[cell.ID]; try++ {
			sum := sha256.Sum256(fmt.Appendf(nil, "%d %d %s", i, try, cell.Source))
			cell.ID = hex.EncodeToString(sum[:4])
		}
		taken[cell.ID] = true
	}
}

// bareSeparators undoes the one escape of encoding/json that Jupyter does not use: it restores the
// line and paragraph separators U+2028 and U+2029.
func bareSeparators(data []byte) []byte {
	if !bytes.Contains(data, []byte(`\u202`)) {
		return data
	}
	out := make([]byte, 0, len(data))
	for i := 0; i < len(data); i++ {
		rest := data[i:]
		switch {
		case bytes.HasPrefix(rest, []byte(`\u2028`)):
			out = append(out, "\u2028"...)
			i += 5
		case bytes.HasPrefix(rest, []byte(`\u2029`)):
			out = append(out, "\u2029"...)
			i += 5
		case rest[0] == '\\' && len(rest) > 1: // another escape, such as a backslash
			out = append(out, rest[:2]...)
			i++
		default:
			out = append(out, rest[0])
		}
	}
	return out
}
