// Package workfolder lets the course's page keep the learner's work in a folder, in the files that
// notebooks and wgslab check use.
package workfolder

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/learner"
	"github.com/wgslab/wgslab/internal/ground/atomicfile"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// mostTry bounds a line of the journal: JSON may escape one byte of the shader as six.
const mostTry = 2 << 20

// A Folder answers the page's requests:
//
//	GET /          {shaders: {"work/add.wgsl": text, …}, progress: {ID: {…}}, journal, conversation: their last lines}
//	PUT /add.wgsl  writes a shader, if it is different
//	POST /tries    adds a try to the journal, and to the progress if it passed
//	POST /turns    adds a turn to the conversation: one that was pasted, or a hint that was opened
type Folder struct {
	dir     string
	root    *os.Root // reads nothing outside dir, not even through a link
	writing sync.Mutex
	http.ServeMux
}

// Open opens a folder, and makes it if necessary.
func Open(dir string) (*Folder, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("making the folder for your shaders: %w", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("opening the folder for your shaders: %w", err)
	}
	f := &Folder{dir: dir, root: root}
	f.HandleFunc("GET /{$}", f.list)
	f.HandleFunc("PUT /{name}", f.put)
	f.HandleFunc("POST /tries", f.record)
	f.HandleFunc("POST /turns", f.hear)
	return f, nil
}

// Close closes the folder.
func (f *Folder) Close() error { return f.root.Close() }

// isShader describes the names of shaders. filepath.IsLocal refuses those that name a device of
// Windows, such as con.wgsl.
var isShader = regexp.MustCompile(`^[a-z0-9][a-z0-9-]*\.(wgsl|js)$`)

// A listing is all that the page shows of a folder.
type listing struct {
	Shaders  map[string]string       `json:"shaders"`
	Progress learner.PassedExercises `json:"progress"`
	Journal  string                  `json:"journal"`
	Said     string                  `json:"conversation"`
}

func (f *Folder) list(w http.ResponseWriter, r *http.Request) {
	found, err := f.read()
	if err != nil {
		fail(w, http.StatusInternalServerError, err)
		return
	}
	body, err := json.Marshal(found)
	if err != nil {
		fail(w, http.StatusInternalServerError, err)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("ETag", fmt.Sprintf(`"%x"`, sha256.Sum256(body)))
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(body))
}

func (f *Folder) read() (*listing, error) {
	entries, err := fs.ReadDir(f.root.FS(), ".")
	if err != nil {
		return nil, fmt.Errorf("reading the folder of your shaders: %w", err)
	}
	found := &listing{Shaders: map[string]string{}}
	for _, e := range entries {
		if !isShader.MatchString(e.Name()) {
			continue
		}
		if text, err := f.shader(e.Name()); err == nil { // the page leaves out what it can't show
			found.Shaders[path.Join(learner.Dir, e.Name())] = text
		}
	}
	if found.Progress, err = learner.Read(f.dir); err != nil {
		return nil, err
	}
	if found.Journal, err = learner.LastTries(f.dir); err != nil {
		return nil, err
	}
	found.Said, err = learner.LastTurns(f.dir)
	return found, err
}

// shader reads a shader as the page's editor shows it: with plain line ends.
func (f *Folder) shader(name string) (string, error) {
	file, err := f.root.Open(name)
	if err != nil {
		return "", err
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, shader.MaxSource+1))
	if err != nil {
		return "", err
	}
	if len(data) > shader.MaxSource || !utf8.Valid(data) {
		return "", errors.New("it isn't the text of a shader")
	}
	return strings.ReplaceAll(string(data), "\r\n", "\n"), nil
}

func (f *Folder) put(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	if !isShader.MatchString(name) || !filepath.IsLocal(name) {
		fail(w, http.StatusBadRequest, fmt.Errorf("%q isn't the name of a shader, such as add.wgsl", name))
		return
	}
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, shader.MaxSource))
	if err != nil || !utf8.Valid(text) {
		fail(w, http.StatusBadRequest, fmt.Errorf("a shader is text of at most %d KiB", shader.MaxSource>>10))
		return
	}
	f.writing.Lock()
	defer f.writing.Unlock()
	if old, err := f.shader(name); err == nil && old == string(text) {
		return // the file keeps its line ends
	}
	if err := atomicfile.Write(filepath.Join(f.dir, name), text, 0o644); err != nil {
		fail(w, http.StatusInternalServerError, fmt.Errorf("saving your shader: %w", err))
	}
}

func (f *Folder) record(w http.ResponseWriter, r *http.Request) {
	var try learner.Try
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, mostTry)).Decode(&try); err != nil {
		fail(w, http.StatusBadRequest, fmt.Errorf("reading a try: %w", err))
		return
	}
	f.writing.Lock()
	defer f.writing.Unlock()
	if err := f.keep(try); err != nil {
		fail(w, http.StatusInternalServerError, err)
	}
}

// hear keeps a turn. What an attached tutor says isn't the page's to keep.
func (f *Folder) hear(w http.ResponseWriter, r *http.Request) {
	var said learner.Turn
	err := json.NewDecoder(http.MaxBytesReader(w, r.Body, mostTry)).Decode(&said)
	if err == nil && !said.Pasted && said.Hint == 0 {
		err = errors.New("the page adds only what was pasted, and hints")
	}
	if err == nil {
		_, err = course.Find(said.Exercise)
	}
	if err != nil {
		fail(w, http.StatusBadRequest, fmt.Errorf("reading a turn: %w", err))
		return
	}
	f.writing.Lock()
	defer f.writing.Unlock()
	if err := learner.Keep(f.dir, said); err != nil {
		fail(w, http.StatusInternalServerError, err)
	}
}

// keep records a try, or an answer to a question.
func (f *Folder) keep(try learner.Try) error {
	if _, err := course.FindQuestion(try.Exercise); err == nil {
		return learner.RecordAnswer(f.dir, try)
	}
	if _, err := course.Find(try.Exercise); err != nil {
		return err
	}
	return learner.Record(f.dir, try)
}

func fail(w http.ResponseWriter, status int, err error) { http.Error(w, err.Error(), status) }
