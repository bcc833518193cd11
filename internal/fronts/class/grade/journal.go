package grade

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/gob"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/gofrs/flock"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/fronts/class/jail"
	"github.com/wgslab/wgslab/internal/observe/cost"
	"github.com/wgslab/wgslab/internal/wgsl"
)

// Conditions are the inputs of a verdict besides the shader.
type Conditions struct {
	Program  string // a digest of the program that grades
	Pack     string // a digest of the exercises outside the course; "" without any
	Seed     uint64
	Adapter  string
	Deadline time.Duration
	Costs    bool   // the goals by counts are counted
	Go       string // the version that builds programs; "" if none are built
}

// ErrOtherConditions says that a journal was begun under different conditions.
var ErrOtherConditions = errors.New("it has another seed, deadline or adapter, is from another version of wgslab or other exercises of your own, or counts costs where this run doesn't")

// journal writes every verdict at once, one per line, so that an interrupted run can resume. A
// truncated line loses one verdict.
type journal struct {
	path string
	file *os.File // nil if there is no journal
	lock *flock.Flock

	mu    sync.Mutex
	known map[entryKey]judged
}

// judged is what is known of a shader.
type judged struct {
	Verdict *verdict.Verdict
	Marks   cost.Marks // of a right shader, if its costs are counted
}

// An entryKey is an exercise and the digest of a shader: the digest of its text or, if neither
// the verdict nor a mark points to a place in the text, of its tokens alone.
type entryKey struct{ Exercise, Digest string }

// An entry is one line: the first holds the conditions, all others a verdict.
type entry struct {
	Conditions *Conditions
	Key        entryKey
	Verdict    *verdict.Verdict
	Marks      cost.Marks
}

func keyOfText(exercise, source string) entryKey { return entryKey{exercise, verdict.Digest(source)} }

// keyOfTokens returns the same key for two shaders that differ only in comments and layout: they
// are the same program. It returns the key of the text where that may not be so: in a text with
// something that belongs to no token, and in a task whose answer is more than its tokens, such as
// the comment that names a bug.
func keyOfTokens(exercise, source string) entryKey {
	if e, err := course.Find(exercise); err != nil || e.Kind != course.Write || !wgsl.Lexes(source) {
		return keyOfText(exercise, source)
	}
	var tokens strings.Builder
	for _, t := range wgsl.Tokens(source) {
		tokens.WriteString(t.Text)
		tokens.WriteByte(0) // no shader that compiles contains it
	}
	return entryKey{exercise, "tokens " + verdict.Digest(tokens.String())}
}

// openJournal opens a journal or begins a new one. An existing one must have the same conditions.
func openJournal(path string, c Conditions) (*journal, error) {
	j := &journal{path: path, known: map[entryKey]judged{}}
	if path == "" {
		return j, nil
	}
	j.lock = flock.New(path)
	switch locked, err := j.lock.TryLock(); {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("there is no folder %s: make it first", filepath.Dir(path))
	case err != nil:
		return nil, fmt.Errorf("opening the journal %s: %w", path, err)
	case !locked:
		return nil, fmt.Errorf("another grading run is writing %s: wait for it, or choose another output", path)
	}
	begun, err := j.read()
	if err == nil && begun != nil && *begun != c {
		err = fmt.Errorf("cannot continue the journal %s: %w (it has seed %d, %s, %v)", path, ErrOtherConditions, begun.Seed, begun.Adapter, begun.Deadline)
	}
	if err == nil {
		j.file, err = os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0o644)
	}
	if err == nil && begun == nil {
		err = j.write(entry{Conditions: &c})
	}
	if err != nil {
		j.close()
		return nil, err
	}
	return j, nil
}

// Begun returns the conditions under which a journal was begun; ok is false if there is none.
func Begun(path string) (c Conditions, ok bool) {
	begun, err := (&journal{path: path, known: map[entryKey]judged{}}).read()
	if err != nil || begun == nil {
		return Conditions{}, false
	}
	return *begun, true
}

// read reads the existing lines and returns the conditions; nil for a new journal.
func (j *journal) read() (*Conditions, error) {
	data, err := os.ReadFile(j.path)
	if err != nil {
		return nil, fmt.Errorf("reading the journal: %w", err)
	}
	var begun *Conditions
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, base64.StdEncoding.EncodedLen(jail.AnswerLimit)+1)
	for lines.Scan() {
		e, err := decodeEntry(lines.Bytes())
		switch {
		case err != nil: // the line that an interruption truncated
		case e.Conditions != nil:
			begun = e.Conditions
		case e.Verdict != nil:
			j.known[e.Key] = judged{e.Verdict, e.Marks}
		}
	}
	if begun == nil && len(data) > 0 && !isFirstLineCutShort(data) {
		return nil, fmt.Errorf("%s isn't the journal of a grading run: choose another output, or remove this file", j.path)
	}
	return begun, lines.Err()
}

// isFirstLineCutShort reports whether data is the start of a new journal that a full disk
// truncated.
func isFirstLineCutShort(data []byte) bool {
	return data[0] == '\n' && bytes.Count(data, []byte{'\n'}) == 1
}

// find returns what is known of the same program.
func (j *journal) find(exercise, source string) (judged, bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if v, ok := j.known[keyOfText(exercise, source)]; ok {
		return v, true
	}
	v, ok := j.known[keyOfTokens(exercise, source)]
	if !ok {
		return judged{}, false
	}
	same := *v.Verdict
	same.ShaderSHA256 = verdict.Digest(source)
	return judged{&same, v.Marks}, true
}

func (j *journal) add(source string, known judged) error {
	v := known.Verdict
	key := keyOfText(v.Exercise, source)
	if !v.Placed() && v.Stage == verdict.StageCompare && !known.Marks.Placed() {
		key = keyOfTokens(v.Exercise, source)
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.known[key] = known
	if j.file == nil {
		return nil
	}
	return j.write(entry{Key: key, Verdict: v, Marks: known.Marks})
}

func (j *journal) write(e entry) error {
	line, err := encodeEntry(e)
	if err == nil {
		_, err = j.file.Write(line)
	}
	if err != nil {
		return fmt.Errorf("writing the journal %s: %w", j.path, err)
	}
	return nil
}

func (j *journal) close() {
	if j.file != nil {
		j.file.Close()
	}
	if j.lock != nil {
		_ = j.lock.Unlock()
	}
}

// encodeEntry writes gob, because JSON leaves out parts of a verdict. The leading line feed ends a
// line that was truncated earlier.
func encodeEntry(e entry) ([]byte, error) {
	var plain bytes.Buffer
	if err := gob.NewEncoder(&plain).Encode(e); err != nil {
		return nil, err
	}
	line := []byte{'\n'}
	line = base64.StdEncoding.AppendEncode(line, plain.Bytes())
	return append(line, '\n'), nil
}

func decodeEntry(line []byte) (entry, error) {
	var e entry
	plain, err := base64.StdEncoding.AppendDecode(nil, line)
	if err != nil {
		return e, err
	}
	return e, gob.NewDecoder(bytes.NewReader(plain)).Decode(&e)
}
