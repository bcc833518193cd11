package nbformat

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"
	"unicode/utf8"
)

// These functions convert between the format's JSON (objects as map[string]any, numbers as
// json.Number) and the types of this package.

// object reads a JSON object. The code takes out the known fields and keeps the others unchanged.
// An object remembers the first error in the data.
type object struct {
	name   string
	fields map[string]any
	err    error
}

func (o *object) fail(key, want string) {
	if o.err == nil {
		o.err = fmt.Errorf("%s: its %q is not %s", o.name, key, want)
	}
}

func (o *object) take(key string) (any, bool) {
	value, found := o.fields[key]
	delete(o.fields, key)
	return value, found
}

// text takes a string, which the format may store as a list of lines.
func (o *object) text(key string) string {
	value, found := o.take(key)
	text, ok := joinLines(value)
	if found && !ok {
		o.fail(key, "text")
	}
	return text
}

func (o *object) object(key string) map[string]any {
	value, found := o.take(key)
	object, ok := value.(map[string]any)
	if found && !ok {
		o.fail(key, "an object")
	}
	if object == nil {
		return map[string]any{}
	}
	return object
}

func (o *object) list(key string) []any {
	value, found := o.take(key)
	list, ok := value.([]any)
	if found && !ok {
		o.fail(key, "a list")
	}
	return list
}

// number takes a whole number, or returns nil for null or a missing field.
func (o *object) number(key string) *int {
	value, _ := o.take(key)
	if value == nil {
		return nil
	}
	number, _ := value.(json.Number)
	n, err := number.Int64()
	if err != nil {
		o.fail(key, "a whole number")
		return nil
	}
	i := int(n)
	return &i
}

func fromFields(fields map[string]any) (*Notebook, error) {
	o := &object{name: "the notebook", fields: fields}
	major, minor := o.number("nbformat"), o.number("nbformat_minor")
	switch {
	case o.err != nil:
		return nil, o.err
	case major == nil:
		return nil, errors.New(`it is JSON, but not a notebook: it has no "nbformat"`)
	case *major != format:
		return nil, fmt.Errorf("it has nbformat %d, and wgslab reads only 4: open it in JupyterLab and save it to convert it", *major)
	}
	if minor == nil {
		minor = new(int)
	}
	nb := &Notebook{format: *major, minor: *minor}
	nb.Metadata = o.object("metadata")
	if _, found := fields["cells"]; !found {
		return nil, errors.New(`it has no "cells"`)
	}
	for i, value := range o.list("cells") {
		cell, err := cellFrom(value, fmt.Sprintf("cell %d", i+1))
		if err != nil {
			return nil, err
		}
		nb.Cells = append(nb.Cells, cell)
	}
	nb.extra = o.fields
	return nb, o.err
}

func cellFrom(value any, name string) (*Cell, error) {
	fields, ok := value.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("%s is not an object", name)
	}
	o := &object{name: name, fields: fields}
	c := &Cell{
		ID:       o.text("id"),
		Type:     o.text("cell_type"),
		Source:   o.text("source"),
		Metadata: o.object("metadata"),
	}
	switch c.Type {
	case Code:
		c.ExecutionCount = o.number("execution_count")
		for i, value := range o.list("outputs") {
			output, err := outputFrom(value, fmt.Sprintf("%s, output %d", name, i+1))
			if err != nil {
				return nil, err
			}
			c.Outputs = append(c.Outputs, output)
		}
	case Markdown, Raw:
	default:
		o.fail("cell_type", "code, markdown or raw")
	}
	c.extra = o.fields
	return c, o.err
}

func outputFrom(value any, name string) (*Output, error) {
	fields, ok := value.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("%s is not an object", name)
	}
	o := &object{name: name, fields: fields}
	out := &Output{Type: o.text("output_type")}
	switch out.Type {
	case Stream:
		out.Name, out.Text = o.text("name"), o.text("text")
	case DisplayData, ExecuteResult:
		out.Data, out.Metadata = JoinBundle(o.object("data")), o.object("metadata")
		if out.Type == ExecuteResult {
			out.ExecutionCount = o.number("execution_count")
		}
	case Error:
		out.EName, out.EValue = o.text("ename"), o.text("evalue")
		for _, line := range o.list("traceback") {
			text, ok := line.(string)
			if !ok {
				o.fail("traceback", "a list of lines")
			}
			out.Traceback = append(out.Traceback, text)
		}
	}
	out.extra = o.fields
	return out, o.err
}

func (nb *Notebook) fields() map[string]any {
	fields := maps.Clone(nb.extra)
	if fields == nil {
		fields = map[string]any{}
	}
	cells := make([]any, len(nb.Cells))
	for i, cell := range nb.Cells {
		cells[i] = cell.fields()
	}
	fields["cells"] = cells
	fields["metadata"] = orEmpty(nb.Metadata)
	fields["nbformat"] = max(nb.format, format)
	fields["nbformat_minor"] = max(nb.minor, formatMinor)
	return fields
}

func (c *Cell) fields() map[string]any {
	fields := maps.Clone(c.extra)
	if fields == nil {
		fields = map[string]any{}
	}
	fields["id"] = c.ID
	fields["cell_type"] = c.Type
	fields["source"] = splitLines(c.Source)
	fields["metadata"] = orEmpty(c.Metadata)
	if attachments, ok := fields["attachments"].(map[string]any); ok {
		split := make(map[string]any, len(attachments))
		for name, value := range attachments {
			if bundle, ok := value.(map[string]any); ok {
				value = splitBundle(JoinBundle(bundle))
			}
			split[name] = value
		}
		fields["attachments"] = split
	}
	if c.Type == Code {
		fields["execution_count"] = c.ExecutionCount
		outputs := make([]any, len(c.Outputs))
		for i, output := range c.Outputs {
			outputs[i] = output.fields()
		}
		fields["outputs"] = outputs
	}
	return fields
}

func (o *Output) fields() map[string]any {
	fields := maps.Clone(o.extra)
	if fields == nil {
		fields = map[string]any{}
	}
	fields["output_type"] = o.Type
	switch o.Type {
	case Stream:
		fields["name"], fields["text"] = o.Name, splitLines(o.Text)
	case DisplayData, ExecuteResult:
		fields["data"], fields["metadata"] = splitBundle(o.Data), orEmpty(o.Metadata)
		if o.Type == ExecuteResult {
			fields["execution_count"] = o.ExecutionCount
		}
	case Error:
		fields["ename"], fields["evalue"] = o.EName, o.EValue
		traceback := o.Traceback
		if traceback == nil {
			traceback = []string{}
		}
		fields["traceback"] = traceback
	}
	return fields
}

func orEmpty(m map[string]any) map[string]any {
	if m == nil {
		return map[string]any{}
	}
	return m
}

// joinLines returns the text of a string or of a list of lines.
func joinLines(value any) (text string, ok bool) {
	switch v := value.(type) {
	case string:
		return v, true
	case []any:
		var all strings.Builder
		for _, line := range v {
			text, ok := line.(string)
			if !ok {
				return "", false
			}
			all.WriteString(text)
		}
		return all.String(), true
	}
	return "", false
}

// splitLines splits a text after each line, by the rules of Jupyter (that is, Python).
func splitLines(text string) []string {
	lines := []string{}
	for start := 0; start < len(text); {
		end := lineEnd(text[start:])
		lines = append(lines, text[start:start+end])
		start += end
	}
	return lines
}

// lineEnd returns the length of the first line, including its line break.
func lineEnd(text string) int {
	at := strings.IndexAny(text, "\n\r\v\f\x1c\x1d\x1e\u0085\u2028\u2029")
	switch {
	case at < 0:
		return len(text)
	case strings.HasPrefix(text[at:], "\r\n"):
		return at + 2
	}
	_, size := utf8.DecodeRuneInString(text[at:])
	return at + size
}

// JoinBundle returns the data of a display, by MIME type, with each text as one string. The format
// and the kernels may send a text as a list of lines.
func JoinBundle(bundle map[string]any) map[string]any {
	joined := make(map[string]any, len(bundle))
	for mime, value := range bundle {
		if text, ok := joinLines(value); ok && !isJSON(mime) {
			value = text
		}
		joined[mime] = value
	}
	return joined
}

// splitBundle returns the data of a display with its texts split into lines, as the format stores
// them.
func splitBundle(bundle map[string]any) map[string]any {
	split := make(map[string]any, len(bundle))
	for mime, value := range bundle {
		if text, ok := value.(string); ok && isText(mime) {
			value = splitLines(text)
		}
		split[mime] = value
	}
	return split
}

func isText(mime string) bool {
	return strings.HasPrefix(mime, "text/") || mime == "application/javascript" || mime == "image/svg+xml"
}

func isJSON(mime string) bool {
	return mime == "application/json" || (strings.HasPrefix(mime, "application/") && strings.HasSuffix(mime, "+json"))
}
