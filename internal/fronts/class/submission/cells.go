package submission

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/wgslab/wgslab/internal/course"
	notebookcell "github.com/wgslab/wgslab/internal/ground/ipynb/cell"
	"github.com/wgslab/wgslab/internal/ground/ipynb/nbformat"
)

// written holds what the cells of one notebook write.
type written struct {
	shaders  map[string]HandIn // by exercise id, without their File
	programs map[string]HandIn // likewise

	session notebookcell.Session
	cells   map[string]int    // the last cell that declares an exercise's function
	broken  map[string]HandIn // cells that should, and aren't Go
}

// extract reads the shaders from a notebook's file. It decodes cell by cell, so that it never
// holds more than one cell, whatever else is in the file.
func extract(r io.Reader) (written, error) {
	in := &notebookReader{written: nothingWritten()}
	buffered := bufio.NewReader(r)
	if mark, _ := buffered.Peek(3); string(mark) == "\ufeff" {
		buffered.Discard(3)
	}
	in.json = json.NewDecoder(wholeReads{buffered})
	if err := in.notebook(); err != nil {
		return written{}, err
	}
	in.written.end()
	return in.written, nil
}

func nothingWritten() written {
	return written{shaders: map[string]HandIn{}, programs: map[string]HandIn{}, cells: map[string]int{}, broken: map[string]HandIn{}}
}

// wholeReads fills the buffer at each Read. json.Decoder scans the blanks between values again
// after each Read. With small reads, 30 MiB of blanks would take minutes; with a buffer that
// doubles, almost no time.
type wholeReads struct{ io.Reader }

func (r wholeReads) Read(p []byte) (int, error) {
	n, err := io.ReadFull(r.Reader, p)
	if err == io.ErrUnexpectedEOF {
		err = io.EOF
	}
	return n, err
}

type notebookReader struct {
	json    *json.Decoder
	format  string // the notebook's nbformat, as written; "" if it has none
	cells   bool   // the notebook has cells
	written written
}

// notebook reads the whole file.
func (in *notebookReader) notebook() error {
	if token, err := in.json.Token(); err != nil || token != json.Delim('{') {
		return notJSON(err)
	}
	for members := 1; in.json.More(); members++ {
		if members > maxMembers {
			return fmt.Errorf("it has more than %d entries beside its cells", maxMembers)
		}
		key, err := in.json.Token()
		if err != nil {
			return notJSON(err)
		}
		if err := in.member(key); err != nil {
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
		return fmt.Errorf("it has nbformat %s, and wgslab reads only 4: open it in JupyterLab and save it to convert it", printable(in.format, 10))
	case !in.cells:
		return errors.New(`it has no "cells"`)
	}
	return nil
}

// notJSON returns the error for a file in the wrong format; err is nil if it is JSON, but not an
// object.
func notJSON(err error) error {
	var syntax *json.SyntaxError
	switch {
	case err == nil:
		return errors.New("it isn't a notebook: it does not begin with {")
	case err == io.EOF, err == io.ErrUnexpectedEOF:
		return errors.New("it is empty or ends too early")
	case errors.As(err, &syntax):
		return fmt.Errorf("it is not JSON: %w", err)
	}
	return err
}

// member reads the value of a key of the notebook.
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
		in.written = nothingWritten() // if there are two lists, the last one counts
		return in.list()
	}
	var nothing struct{}
	return onlySyntax(in.json.Decode(&nothing))
}

// onlySyntax drops the error that a value has a different type than expected.
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
		var c rawCell
		err := in.json.Decode(&c)
		if err == nil {
			err = in.written.add(&c, number)
		}
		if mismatch := new(json.UnmarshalTypeError); errors.As(err, &mismatch) {
			return fmt.Errorf("cell %d isn't a valid cell: it has the JSON type %s in the wrong place", number, mismatch.Value)
		}
		if err != nil {
			return notJSON(err)
		}
	}
	_, err := in.json.Token()
	return onlySyntax(err)
}

// A rawCell holds the decoded parts of a cell. If a key has two values, only the last one counts
// and is examined.
type rawCell struct {
	ID       string          `json:"id"`
	Type     string          `json:"cell_type"`
	Source   json.RawMessage `json:"source"`
	Metadata struct {
		NBGrader json.RawMessage `json:"nbgrader"`
	} `json:"metadata"`
}

// text returns at most maxShader bytes of the cell's source. The format also allows a list of
// lines.
func (c *rawCell) text() (string, error) {
	var whole string
	switch {
	case len(c.Source) == 0:
		return "", nil
	case c.Source[0] != '[':
		err := json.Unmarshal(c.Source, &whole)
		return cut(whole), err
	}
	lines := json.NewDecoder(bytes.NewReader(c.Source))
	if _, err := lines.Token(); err != nil {
		return "", err
	}
	var all strings.Builder
	for count := 1; lines.More(); count++ {
		if count > maxLines {
			return "", fmt.Errorf("a cell has more than %d lines", maxLines)
		}
		var line string
		if err := lines.Decode(&line); err != nil {
			return "", err
		}
		all.WriteString(line)
	}
	return cut(all.String()), nil
}

// gradeID returns nbgrader's id of the cell. It ignores errors in it, which do not matter here.
func (c *rawCell) gradeID() string {
	var grading struct {
		ID string `json:"grade_id"`
	}
	_ = json.Unmarshal(c.Metadata.NBGrader, &grading)
	return grading.ID
}

// add records what a cell writes.
func (w *written) add(c *rawCell, number int) error {
	source, err := c.text()
	if err != nil || c.Type != nbformat.Code {
		return err
	}
	read := notebookcell.Read(source)
	switch file, writes := read.File(); {
	case !writes:
		w.declare(read, c, number)
	case strings.HasSuffix(file.Path, ".wgsl"):
		w.write(file, number)
	}
	return nil
}

// write records what the cell would write to an exercise's file.
func (w *written) write(file notebookcell.WrittenFile, number int) {
	id, ok := exerciseOf()[path.Clean(file.Path)]
	if !ok {
		return
	}
	shader := HandIn{Cell: number}
	if file.Append {
		shader.Source = w.shaders[id].Source
	}
	if len(shader.Source) > maxShader-utf8.UTFMax {
		return // full
	}
	shader.Source = cut(shader.Source + file.Text())
	w.shaders[id] = shader
}

// cut shortens a text to the limit. It returns a copy, so that the rest can be freed.
func cut(text string) string {
	if len(text) <= maxShader {
		return text
	}
	return strings.Clone(strings.ToValidUTF8(text[:maxShader], ""))
}

// exerciseOf maps the files that learners write to the ids of their exercises.
var exerciseOf = sync.OnceValue(func() map[string]string {
	files := map[string]string{}
	for _, e := range course.Written() {
		files["work/"+e.ID+".wgsl"] = e.ID
	}
	return files
})
