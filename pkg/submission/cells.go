package submission

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"regexp"
	"strings"

	"github.com/wgslab/wgslab/pkg/lesson"
	"github.com/wgslab/wgslab/pkg/notebook"
)

// written is what the cells of one notebook write.
type written struct {
	shaders map[string]Shader // by the id of the exercise, without the file
	host    bool
}

// extract takes the shaders out of a notebook's file. It reads cell by cell, so
// that it holds one cell at a time, whatever the rest of the file is made of.
func extract(r io.Reader) (written, error) {
	in := &notebookReader{written: written{shaders: map[string]Shader{}}}
	buffered := bufio.NewReader(r)
	if mark, _ := buffered.Peek(3); string(mark) == "\ufeff" {
		buffered.Discard(3)
	}
	in.json = json.NewDecoder(buffered)
	if err := in.notebook(); err != nil {
		return written{}, err
	}
	return in.written, nil
}

type notebookReader struct {
	json    *json.Decoder
	format  string // the notebook's nbformat, as written; "" when it has none
	cells   bool   // it has cells
	written written
}

// notebook reads the whole file.
func (in *notebookReader) notebook() error {
	if token, err := in.json.Token(); err != nil || token != json.Delim('{') {
		return notJSON(err)
	}
	for in.json.More() {
		key, err := in.json.Token()
		if err == nil {
			err = in.member(key)
		}
		if err != nil {
			return err
		}
	}
	if _, err := in.json.Token(); err != nil {
		return notJSON(err)
	}
	switch _, err := in.json.Token(); {
	case err == nil:
		return errors.New("it is not JSON: something follows the end of the notebook")
	case err != io.EOF:
		return notJSON(err)
	case in.format == "":
		return errors.New(`it is JSON, but not a notebook: it has no "nbformat"`)
	case in.format != "4":
		return fmt.Errorf("it is of nbformat %s, and only 4 is read: open it in JupyterLab and save it, which brings it to 4", printable(in.format, 10))
	case !in.cells:
		return errors.New(`it has no "cells"`)
	}
	return nil
}

// notJSON is what is wrong with a file in the wrong format; err is nil when it is
// JSON, but no object.
func notJSON(err error) error {
	var syntax *json.SyntaxError
	switch {
	case err == nil:
		return errors.New("it is no notebook: it does not begin with {")
	case err == io.EOF:
		return errors.New("it is empty or ends too early")
	case errors.As(err, &syntax):
		return fmt.Errorf("it is not JSON: %w, at byte %d", err, syntax.Offset)
	}
	return err
}

// member reads what belongs to a key of the notebook.
func (in *notebookReader) member(key json.Token) error {
	switch key {
	case "nbformat":
		var format json.RawMessage
		if err := in.json.Decode(&format); err != nil {
			return notJSON(err)
		}
		in.format = string(format)
		return nil
	case "cells":
		in.cells = true
		in.written = written{shaders: map[string]Shader{}} // of two lists the last counts
		return in.list()
	}
	var nothing struct{}
	return onlySyntax(in.json.Decode(&nothing))
}

// onlySyntax drops the error that a value is of another type than asked for.
func onlySyntax(err error) error {
	if mismatch := new(json.UnmarshalTypeError); err == nil || errors.As(err, &mismatch) {
		return nil
	}
	return notJSON(err)
}

// list reads the cells.
func (in *notebookReader) list() error {
	if token, err := in.json.Token(); err != nil {
		return notJSON(err)
	} else if token != json.Delim('[') {
		return errors.New(`its "cells" are not a list`)
	}
	for number := 1; in.json.More(); number++ {
		if number > maxCells {
			return fmt.Errorf("it has more than %d cells", maxCells)
		}
		var c cell
		err := in.json.Decode(&c)
		if mismatch := new(json.UnmarshalTypeError); errors.As(err, &mismatch) {
			return fmt.Errorf("cell %d is no cell: %s where there should be something else", number, mismatch.Value)
		}
		if err != nil {
			return notJSON(err)
		}
		in.written.add(c, number)
	}
	_, err := in.json.Token()
	return onlySyntax(err)
}

// cell is what is read of a cell.
type cell struct {
	ID       string `json:"id"`
	Type     string `json:"cell_type"`
	Source   text   `json:"source"`
	Metadata struct {
		NBGrader grading `json:"nbgrader"`
	} `json:"metadata"`
}

// text is a string, which the format may give as a list of lines.
type text string

func (t *text) UnmarshalJSON(data []byte) error {
	if data[0] != '[' {
		return json.Unmarshal(data, (*string)(t))
	}
	lines := json.NewDecoder(bytes.NewReader(data))
	var all strings.Builder
	if _, err := lines.Token(); err != nil {
		return err
	}
	for lines.More() {
		var line string
		if err := lines.Decode(&line); err != nil {
			return err
		}
		all.WriteString(line)
	}
	*t = text(all.String())
	return nil
}

// grading is nbgrader's metadata. What is wrong with it does not matter here.
type grading struct{ id string }

func (g *grading) UnmarshalJSON(data []byte) error {
	var fields struct {
		ID string `json:"grade_id"`
	}
	err := json.Unmarshal(data, &fields)
	g.id = fields.ID
	return onlySyntax(err)
}

// add takes what a cell writes.
func (w *written) add(c cell, number int) {
	if c.Type != notebook.Code {
		return
	}
	source := string(c.Source)
	if c.isHost() {
		w.host = changedHost(source)
	}
	if first, _, _ := strings.Cut(source, "\n"); len(first) > 1000 {
		return
	}
	file, ok := (&notebook.Cell{Type: notebook.Code, Source: source}).WrittenFile()
	if !ok {
		return
	}
	id, ok := exerciseOf[path.Clean(file.Path)]
	if !ok {
		return
	}
	shader := Shader{Cell: number}
	if file.Append {
		shader.Source = w.shaders[id].Source
	}
	if file.Body != "" {
		shader.Source += file.Body + "\n"
	}
	if len(shader.Source) > maxShader {
		// A copy, so that the rest of the cell is let go.
		shader.Source = strings.Clone(strings.ToValidUTF8(shader.Source[:maxShader], ""))
	}
	w.shaders[id] = shader
}

// exerciseOf maps the files that learners write to the ids of their exercises.
var exerciseOf = func() map[string]string {
	files := map[string]string{}
	for _, e := range lesson.All() {
		files["work/"+e.ID+".wgsl"] = e.ID
	}
	return files
}()

const hostCell = "forward-host" // where learners write the host exercise

var hostFunction = regexp.MustCompile(`(?m)^[ \t]*func[ \t]+forward[ \t]*\(`)

// isHost says whether a cell is the one of the host exercise, also in a notebook
// whose ids have been lost on its way.
func (c *cell) isHost() bool {
	return c.ID == hostCell || c.Metadata.NBGrader.id == hostCell || hostFunction.MatchString(string(c.Source))
}

// A line that the host exercise begins with, or that does nothing: a comment, a
// command, an import, the function's frame, what nbgrader puts in place of a solution.
var idleLine = regexp.MustCompile(`^(//.*|[%!].*|import\b.*|"[^"]*"|\(|\)|\}|func\s+forward\s*\(.*\{|return nil(\s*//.*)?|panic\(.*\))?$`)

// changedHost says whether a cell of the host exercise holds anything that the
// notebook did not begin with.
func changedHost(source string) bool {
	for line := range strings.Lines(source) {
		if !idleLine.MatchString(strings.TrimSpace(line)) {
			return true
		}
	}
	return false
}
