package kernel

import (
	"encoding/json"
	"sync"

	"github.com/wgslab/wgslab/internal/fronts/notebook/jupyter"
)

// runningComm is the target of a comm that returns which cell runs, and what it has shown so far:
// the content is that of [soFar]. JupyterLab forgets a cell's run when its page is loaded again.
const runningComm = "wgslab_running"

// The limits of what is kept of a cell that runs: its outputs, and the bytes of each text. The
// oldest go first.
const (
	mostOutputs = 500
	mostText    = 256 << 10
)

// soFar is what the running cell has shown. Without a cell, all of it is empty.
type soFar struct {
	Cell    string        `json:"cell"`    // its id in the notebook; "" if the client didn't tell
	Request string        `json:"request"` // the msg_id of the execute_request
	Count   int           `json:"count"`
	Outputs []shownOutput `json:"outputs"`
}

// A shownOutput is one message about a cell: its type and content.
type shownOutput struct {
	Type    string         `json:"type"`
	Content map[string]any `json:"content"`
}

// A recorder keeps what the running cell shows.
type recorder struct {
	mu  sync.Mutex
	now soFar
}

// begin forgets the cell before.
func (r *recorder) begin(m jupyter.Message, count int) {
	var metadata struct {
		Cell string `json:"cellId"` // as JupyterLab names it
	}
	_ = json.Unmarshal(m.Metadata, &metadata) // without it, no page finds the cell
	r.mu.Lock()
	defer r.mu.Unlock()
	r.now = soFar{Cell: metadata.Cell, Request: m.Header.ID, Count: count}
}

func (r *recorder) end() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.now = soFar{}
}

// tell calls with with what the cell has shown. Meanwhile nothing else is published about it.
func (r *recorder) tell(with func(soFar)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	state := r.now
	state.Outputs = append([]shownOutput{}, state.Outputs...)
	with(state)
}

// publish records a message and publishes it, in one step for those that say what a cell shows.
func (r *recorder) publish(m jupyter.Message, with func(jupyter.Message) error) error {
	switch m.Header.Type {
	case "clear_output", "update_display_data", "stream", "display_data", "execute_result", "error":
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.now.Request != "" && m.Parent.ID == r.now.Request {
			r.add(m)
		}
	}
	return with(m)
}

// add records a message about the running cell.
func (r *recorder) add(m jupyter.Message) {
	output := shownOutput{Type: m.Header.Type}
	if decode(m, &output.Content) != nil {
		return
	}
	outputs := r.now.Outputs
	switch m.Header.Type {
	case "clear_output":
		outputs = nil // the next output replaces the others, sooner or later
	case "update_display_data":
		id := displayID(output)
		for i, shown := range outputs {
			if id != nil && displayID(shown) == id {
				outputs[i] = shownOutput{shown.Type, output.Content}
			}
		}
	case "stream":
		if last := len(outputs) - 1; last >= 0 && outputs[last].Type == "stream" && outputs[last].Content["name"] == output.Content["name"] {
			before, _ := outputs[last].Content["text"].(string)
			text, _ := output.Content["text"].(string)
			text = before + text
			output.Content["text"] = text[max(0, len(text)-mostText):]
			outputs = outputs[:last:last]
		}
		outputs = append(outputs, output)
	default:
		outputs = append(outputs, output)
	}
	r.now.Outputs = outputs[max(0, len(outputs)-mostOutputs):]
}

// displayID returns the id by which an output can be updated; nil if it has none.
func displayID(o shownOutput) any {
	transient, _ := o.Content["transient"].(map[string]any)
	return transient["display_id"]
}
