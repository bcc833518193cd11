package run

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/wgslab/wgslab/internal/fronts/notebook/jupyter"
	"github.com/wgslab/wgslab/internal/ground/ipynb/nbformat"
)

// recorder turns a kernel's messages into outputs of the running cell.
type recorder struct {
	cell     *nbformat.Cell
	limit    int  // bytes of output that a cell may hold
	size     int  // bytes of output that this cell holds
	clear    bool // the next output replaces the outputs so far
	displays displays
	notice   func(string)

	open *nbformat.Output // the current stream, or nil
	text strings.Builder  // its text so far
}

// displays holds the outputs that a kernel may update later, by display id.
type displays map[string][]*display

type display struct {
	*nbformat.Output
	size int // size of its message, in bytes
}

// outputLimitError reports that a cell has produced too much output.
type outputLimitError struct {
	Limit int // in bytes
}

func (e *outputLimitError) Error() string {
	return fmt.Sprintf("more than %d MB of output; wgslab cut off the rest and stopped the cell", e.Limit/1_000_000)
}

// published is the content of any message that a kernel publishes about a cell.
type published struct {
	ExecutionCount *int           `json:"execution_count"`
	Name           string         `json:"name"`
	Text           string         `json:"text"`
	Data           map[string]any `json:"data"`
	Metadata       map[string]any `json:"metadata"`
	Transient      struct {
		DisplayID string `json:"display_id"`
	} `json:"transient"`
	EName     string   `json:"ename"`
	EValue    string   `json:"evalue"`
	Traceback []string `json:"traceback"`
	Wait      bool     `json:"wait"`
}

// take records one message. Over the limit, it keeps only the beginning of a text.
func (r *recorder) take(m jupyter.Message) error {
	var p published
	decoder := json.NewDecoder(bytes.NewReader(m.Content))
	decoder.UseNumber()
	if err := decoder.Decode(&p); err != nil {
		return fmt.Errorf("%w: the content of a message of type %s: %w", jupyter.ErrFormat, m.Header.Type, err)
	}
	switch m.Header.Type {
	case "execute_input":
		r.cell.ExecutionCount = p.ExecutionCount
	case "stream":
		return r.stream(p.Name, p.Text)
	case "display_data", "execute_result":
		return r.display(m, p)
	case "update_display_data":
		return r.update(m, p)
	case "error":
		return r.add(&nbformat.Output{Type: nbformat.Error, EName: p.EName, EValue: p.EValue, Traceback: p.Traceback}, len(m.Content))
	case "clear_output":
		r.clear = true
		if !p.Wait {
			r.makeRoom()
		}
	case "comm_open", "comm_msg", "comm_close", "debug_event", "iopub_welcome":
		// These messages are for front ends with widgets; a notebook keeps none of them.
	default:
		r.notice(fmt.Sprintf("ignored a message of the unknown type %q from the kernel", m.Header.Type))
	}
	return nil
}

// stream adds a text to the last output if that is the same stream.
func (r *recorder) stream(name, text string) error {
	r.makeRoom()
	if r.open == nil || r.open.Name != name {
		output := &nbformat.Output{Type: nbformat.Stream, Name: name}
		if err := r.add(output, streamSize); err != nil {
			return err
		}
		r.open = output
	}
	kept := cut(text, r.limit-r.size)
	r.text.WriteString(kept)
	r.size += len(kept)
	if len(kept) < len(text) {
		return &outputLimitError{Limit: r.limit}
	}
	return nil
}

// streamSize is the size of a stream in a notebook without its text, in bytes.
const streamSize = 100

// cut returns the beginning of a text, at most n bytes, in whole characters.
func cut(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n]
}

// settle ends the open stream. Call it after the last message.
func (r *recorder) settle() {
	if r.open != nil {
		r.open.Text = r.text.String()
		r.open = nil
		r.text.Reset()
	}
}

func (r *recorder) display(m jupyter.Message, p published) error {
	output := &nbformat.Output{Type: m.Header.Type, Data: nbformat.JoinBundle(p.Data), Metadata: p.Metadata}
	if output.Type == nbformat.ExecuteResult {
		output.ExecutionCount = p.ExecutionCount
	}
	size := len(m.Content)
	if err := r.add(output, size); err != nil {
		return err
	}
	if id := p.Transient.DisplayID; id != "" {
		r.displays[id] = append(r.displays[id], &display{output, size})
	}
	return nil
}

// update changes an earlier display, of any cell.
func (r *recorder) update(m jupyter.Message, p published) error {
	for _, d := range r.displays[p.Transient.DisplayID] {
		if err := r.grow(len(m.Content) - d.size); err != nil {
			return err
		}
		d.Data, d.Metadata, d.size = nbformat.JoinBundle(p.Data), p.Metadata, len(m.Content)
	}
	return nil
}

// add adds an output that takes size bytes.
func (r *recorder) add(o *nbformat.Output, size int) error {
	r.settle()
	r.makeRoom()
	if err := r.grow(size); err != nil {
		return err
	}
	r.cell.Outputs = append(r.cell.Outputs, o)
	return nil
}

func (r *recorder) grow(size int) error {
	if r.size+size > r.limit {
		return &outputLimitError{Limit: r.limit}
	}
	r.size += size
	return nil
}

// makeRoom carries out a pending clear_output.
func (r *recorder) makeRoom() {
	if !r.clear {
		return
	}
	r.settle()
	for id, shown := range r.displays {
		r.displays[id] = slices.DeleteFunc(shown, func(d *display) bool { return slices.Contains(r.cell.Outputs, d.Output) })
	}
	r.cell.Outputs, r.clear, r.size = nil, false, 0
}
