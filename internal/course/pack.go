package course

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// PackVariable names the folder of the pack. A pack is a folder of exercises from outside the
// course, each a folder like those of the course with its reference shader in reference.wgsl.
// Without the variable it is exercises/ in the current folder, which is beside the notebook.
const PackVariable = "WGSLAB_EXERCISES"

// Limits of a pack, which may be hostile.
const (
	mostInPack = 100
	mostText   = shader.MaxSource // bytes of a file
)

// PackFolder returns the folder of the pack, or "" if there is none.
func PackFolder() string {
	if folder := os.Getenv(PackVariable); folder != "" {
		return folder
	}
	const folder = "exercises"
	if _, err := os.Stat(filepath.Join(folder, "exercises.go")); err == nil {
		return "" // a clone's own exercises, which are the course
	}
	if found, _ := filepath.Glob(filepath.Join(folder, "*", "reference.wgsl")); len(found) > 0 { // the pattern is right
		return folder
	}
	return ""
}

// builtIn is the pack of a program that cannot read folders; nil in others.
var builtIn fs.FS

// UsePack makes files the pack, before anything else asks for exercises. A page's program has its
// pack built in.
func UsePack(files fs.FS) { builtIn = exercises.Unfold(files) }

// PackNotebook returns the path of a lesson's notebook in the pack, beside the folder of the
// exercises; ok is false for lessons of the course.
func PackNotebook(l Lesson) (path string, ok bool) {
	return filepath.Join(filepath.Dir(filepath.Clean(PackFolder())), l.Notebook), l.Number > lastOwn()
}

// PackTexts returns the texts of all files of the pack that checks need, by their paths in it. It
// refuses a pack with a broken exercise: nobody publishes less than they think.
func PackTexts() (map[string]string, error) {
	texts := map[string]string{}
	p := pack()
	if len(p.broken) > 0 || len(p.exercises) == 0 {
		return texts, errors.Join(p.broken...)
	}
	files, err := PackFiles(PackFolder())
	if err != nil {
		return nil, err
	}
	defer files.Close()
	names := []string{}
	for _, q := range p.questions {
		names = append(names, q.ID+"/exercise.toml")
	}
	for _, e := range p.exercises {
		solutions, err := solutionFiles(files.FS, e.ID)
		if err != nil {
			return nil, err
		}
		names = append(names, solutions...)
		for _, name := range []string{"exercise.toml", "hints.md", "skeleton.wgsl", "reference.wgsl"} {
			if e.Break == nil || name != "reference.wgsl" {
				names = append(names, e.ID+"/"+name)
			}
		}
	}
	for _, name := range names {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		texts[name] = string(text)
	}
	return texts, nil
}

// solutionFiles lists the files that hold an exercise's right and wrong shaders.
func solutionFiles(files fs.FS, id string) (names []string, err error) {
	for _, pattern := range []string{"wrong.md", "right.md", "wrong/*.wgsl", "right/*.wgsl"} {
		found, err := fs.Glob(files, path.Join(id, pattern))
		if err != nil {
			return nil, err
		}
		names = append(names, found...)
	}
	return names, nil
}

// packed holds what is in a pack.
type packed struct {
	exercises []*Exercise
	questions []*Question
	broken    []error
}

// pack reads the pack, once.
var pack = sync.OnceValue(func() packed {
	if builtIn != nil {
		return readPack(builtIn)
	}
	folder := PackFolder()
	if folder == "" {
		return packed{}
	}
	p := openPack(folder)
	for i, err := range p.broken {
		p.broken[i] = fmt.Errorf("the exercises in %s: %w", folder, err)
	}
	return p
})

// validID matches ids that work in file names, URLs and nbgrader.
var validID = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)

// CheckID returns an error if an exercise cannot have the id.
func CheckID(id string) error {
	if !validID.MatchString(id) || len(id) > 60 {
		return fmt.Errorf("%q is not an id: use lower-case letters, digits and hyphens, such as vector-scale", id)
	}
	return nil
}

// ReadPack reads the exercises of a pack. There is a *BrokenError for each one that it leaves out;
// any other error means that it could not read the pack. It reads no file outside the folder: a
// symbolic link out of it is an error.
func ReadPack(folder string) ([]*Exercise, []error) {
	p := openPack(folder)
	return p.exercises, p.broken
}

func openPack(folder string) packed {
	files, err := PackFiles(folder)
	if err != nil {
		return packed{broken: []error{err}}
	}
	defer files.Close()
	return readPack(files)
}

func readPack(files fs.FS) packed {
	ids, err := packedIDs(files)
	if err != nil {
		return packed{broken: []error{err}}
	}
	found, broken := readPackedExercises(files, ids)
	questions, more := readPackedQuestions(files, ids, found)
	return packed{found, questions, append(broken, more...)}
}

func readPackedExercises(files fs.FS, ids []string) (found []*Exercise, broken []error) {
	for _, id := range ids {
		if KindOf(files, id) == Predict {
			continue
		}
		e, err := readPacked(files, id)
		if err != nil {
			broken = append(broken, &BrokenError{id, err})
			continue
		}
		e.Lesson = lessonOf(found, e)
		found = append(found, e)
	}
	slices.SortStableFunc(found, inCourseOrder)
	return found, broken
}

// packedIDs lists the folders of a pack that hold an exercise.
func packedIDs(files fs.FS) (ids []string, err error) {
	entries, err := fs.ReadDir(files, ".")
	if err != nil {
		return nil, err
	}
	for _, entry := range entries {
		if !entry.IsDir() {
			continue // a README
		}
		if _, err := fs.Stat(files, path.Join(entry.Name(), "exercise.toml")); errors.Is(err, fs.ErrNotExist) {
			continue // pictures
		}
		if ids = append(ids, entry.Name()); len(ids) > mostInPack {
			return nil, fmt.Errorf("there are more than %d exercises", mostInPack)
		}
	}
	if len(ids) == 0 {
		return nil, errors.New("there is no ID/exercise.toml")
	}
	return ids, nil
}

// PackFiles opens a pack's folder. Its files cannot be outside of it.
func PackFiles(folder string) (Closing, error) {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return Closing{}, err
	}
	return Closing{exercises.Unfold(small{root.FS()}), root}, nil
}

// Closing are files to be closed.
type Closing struct {
	*exercises.Unfolded
	io.Closer
}

// readPacked reads an exercise of a pack, which belongs to no lesson of the course.
func readPacked(files fs.FS, id string) (*Exercise, error) {
	if err := CheckID(id); err != nil {
		return nil, err
	}
	if inTheCourse(id) || slices.ContainsFunc(OnHost, func(e *Exercise) bool { return e.ID == id }) {
		return nil, fmt.Errorf("the course has an exercise %s: choose another id", id)
	}
	e, err := ReadFolder(files, id)
	if err != nil {
		return nil, err
	}
	switch {
	case e.Title == "", e.Task == "":
		return nil, fmt.Errorf("%s/exercise.toml: it needs a title and a task", id)
	case len(e.Hints) == 0:
		return nil, fmt.Errorf("%s/hints.md has no hint", id)
	case !strings.HasSuffix(e.Notebook, ".ipynb") || path.Base(e.Notebook) != e.Notebook:
		return nil, fmt.Errorf("%s/exercise.toml: notebook is %q: name the notebook that has the exercise, such as \"sums.ipynb\"", id, e.Notebook)
	case e.WrongAsIn != "" && e.Kind != FindBug:
		return nil, fmt.Errorf("%s/exercise.toml: only exercises of the course can use wrong_as_in", id)
	}
	return e, e.readAll()
}

func inTheCourse(id string) bool {
	own, broken := ofTheCourse()
	return slices.ContainsFunc(own, func(e *Exercise) bool { return e.ID == id }) ||
		slices.ContainsFunc(broken, func(err error) bool { var one *BrokenError; return errors.As(err, &one) && one.ID == id })
}

// readAll reads the rest of an exercise's files, so that they can be closed.
func (e *Exercise) readAll() error {
	if _, err := e.Skeleton(); err != nil {
		return err
	}
	if _, err := e.Reference(); err != nil {
		return err
	}
	if _, err := e.Alternatives(); err != nil {
		return err
	}
	_, err := e.Misconceptions()
	return err
}

// small are folders and regular files of limited size.
type small struct{ fs.FS }

// Open looks before it opens: a pipe would wait for a writer.
func (s small) Open(name string) (fs.File, error) {
	if _, err := s.Stat(name); err != nil {
		return nil, err
	}
	return s.FS.Open(name)
}

// Stat describes what a name leads to, and fails if Open does.
func (s small) Stat(name string) (fs.FileInfo, error) {
	info, err := fs.Stat(s.FS, name)
	switch {
	case err != nil || info.IsDir():
		return info, err
	case !info.Mode().IsRegular():
		err = errors.New("it is no regular file")
	case info.Size() > mostText:
		err = fmt.Errorf("it is larger than %d KiB", mostText>>10)
	}
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return info, nil
}

// lessonOf returns the number of an exercise's lesson: each notebook of a pack is a lesson, after
// those of the course.
func lessonOf(earlier []*Exercise, e *Exercise) int {
	last := lastOwn()
	for _, other := range earlier {
		if other.Notebook == e.Notebook {
			return other.Lesson
		}
		last = max(last, other.Lesson)
	}
	return last + 1
}

// AllLessons returns the lessons of the course, with those beyond the eight, and then those of the
// pack.
func AllLessons() []Lesson {
	all := ownLessons()
	for _, e := range pack().exercises { // Broken has the errors
		if !slices.ContainsFunc(all, func(l Lesson) bool { return l.Number == e.Lesson }) {
			title := strings.ReplaceAll(strings.TrimSuffix(e.Notebook, ".ipynb"), "-", " ")
			all = append(all, Lesson{Number: e.Lesson, Title: title, Notebook: e.Notebook})
		}
	}
	slices.SortStableFunc(all, func(a, b Lesson) int { return a.Number - b.Number })
	return all
}
