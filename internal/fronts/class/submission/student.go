package submission

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// A student collects everything that one student handed in, while it is being read.
type student struct {
	who    identity
	name   string // see Submission.Student
	things []found

	left     int64 // bytes of notebooks that may still be read
	unpacked int64 // bytes of zips in zips that may still be unpacked
	names    int64 // bytes of zips' lists of names that may still be read
	zips     []io.Closer

	submission Submission
	unsaid     int                 // the number of problems beyond maxProblems
	versions   map[string][]string // the notebooks that write an exercise, by its id
}

// submissions reads everything that was found, student by student.
func (c *collector) submissions(ctx context.Context) ([]Submission, error) {
	students := c.students()
	tellApart(students)
	all := make([]Submission, len(students))
	for i, s := range students {
		if err := s.read(ctx); err != nil {
			return nil, err
		}
		all[i] = s.submission
		students[i] = nil
	}
	return all, nil
}

// students groups everything that was found by student.
func (c *collector) students() []*student {
	nameStudents(c.found)
	known := map[identity]*student{}
	var students []*student
	doubtful := c.doubtful()
	for _, f := range c.found {
		if f.who.system.perDownload() && !doubtful[f.who.name] {
			f.who.id = ""
		}
		s := known[f.who]
		if s == nil {
			s = &student{who: f.who}
			known[f.who] = s
			students = append(students, s)
		}
		s.things = append(s.things, f)
	}
	return students
}

// doubtful returns the names that two students share in one download, for systems whose ids are
// valid only in that download.
func (c *collector) doubtful() map[string]bool {
	type place struct {
		system system
		name   string
		root   int
	}
	ids := map[place]string{}
	doubtful := map[string]bool{}
	for _, f := range c.found {
		if !f.who.system.perDownload() {
			continue
		}
		at := place{f.who.system, f.who.name, f.root}
		if id, found := ids[at]; found && id != f.who.id {
			doubtful[f.who.name] = true
		}
		ids[at] = f.who.id
	}
	return doubtful
}

// read reads everything of the student. The error is not the student's fault: ctx is done, or
// there is no space for a temporary file.
func (s *student) read(ctx context.Context) error {
	s.left, s.unpacked, s.names = maxText, maxUnpacked, maxDirectory
	s.submission = Submission{Student: s.name, Shaders: map[string]HandIn{}, Programs: map[string]HandIn{}}
	s.versions = map[string][]string{}
	defer s.close()
	notebooks, works, err := s.notebooks(ctx)
	if err != nil {
		return err
	}
	slices.SortStableFunc(notebooks, func(a, b found) int {
		return cmp.Or(a.when.compare(b.when), compareNatural(strings.Join(a.path, "/"), strings.Join(b.path, "/")))
	})
	for i, f := range notebooks {
		if err := ended(ctx); err != nil {
			return err
		}
		if i == maxNotebooks {
			s.problem("There are %d notebooks; only the first %d were read.", len(notebooks), maxNotebooks)
			break
		}
		s.notebook(f)
	}
	for _, f := range works[:min(len(works), maxWorkFiles)] {
		s.workFile(f, len(notebooks) == 0)
	}
	s.conclude()
	return nil
}

func (s *student) close() {
	for _, file := range s.zips {
		file.Close()
	}
	s.zips, s.things, s.versions = nil, nil, nil
}

func (s *student) problem(format string, args ...any) {
	s.submission.Unread = true
	s.say(format, args...)
}

// say adds a remark that is not a fault.
func (s *student) say(format string, args ...any) {
	text := printable(fmt.Sprintf(format, args...), 4*maxShown)
	switch {
	case slices.Contains(s.submission.Problems, text):
	case len(s.submission.Problems) >= maxProblems:
		s.unsaid++
	default:
		s.submission.Problems = append(s.submission.Problems, text)
	}
}

// notebooks returns the notebooks, including those in zips, and likewise the files of folders work.
func (s *student) notebooks(ctx context.Context) (notebooks, works []found, err error) {
	zips := 0
	for _, f := range s.things {
		if err := ended(ctx); err != nil {
			return nil, nil, err
		}
		switch f.kind {
		case notebookFile:
			notebooks = append(notebooks, f)
		case workFile:
			works = append(works, f)
		case archive:
			if zips++; zips > maxZips {
				continue
			}
			inner, err := s.archive(f)
			if err != nil {
				return nil, nil, err
			}
			for _, f := range inner {
				if f.kind == workFile {
					works = append(works, f)
				} else {
					notebooks = append(notebooks, f)
				}
			}
		case unread:
			s.problem("%q %s.", show(f.shown), f.trouble)
		}
	}
	if zips > maxZips {
		s.problem("There are %d zips; only the first %d were opened.", zips, maxZips)
	}
	return notebooks, works, nil
}

// archive returns the notebooks of a zip, and the files of its folders work. The error is not the
// student's fault.
func (s *student) archive(f found) ([]found, error) {
	things, err := s.unzip(f)
	var here *localError
	if errors.As(err, &here) {
		return nil, here
	}
	if err != nil {
		s.problem("%q cannot be read: %s.", show(f.shown), reason(err))
		return nil, nil
	}
	var notebooks []found
	for _, t := range things {
		t.shown = slices.Concat(f.shown, t.shown)
		switch t.kind {
		case notebookFile, workFile:
			t.path = slices.Concat(f.path, t.path)
			notebooks = append(notebooks, found{t, f.who, f.when, f.root})
		case archive:
			s.problem("%q %s.", show(t.shown), isNested)
		case unread:
			s.problem("%q %s.", show(t.shown), t.trouble)
		}
	}
	return notebooks, nil
}

// unzip lists a zip. A zip inside a zip goes to a temporary file, which has no name and disappears
// with the process.
func (s *student) unzip(f found) ([]thing, error) {
	packed, err := f.open()
	if err != nil {
		return nil, err
	}
	if _, ok := packed.(*os.File); ok {
		s.zips = append(s.zips, packed)
		return listFile(packed, &s.names)
	}
	defer packed.Close()
	file, err := os.CreateTemp("", "wgslab-submission-*.zip")
	if err != nil {
		return nil, &localError{err}
	}
	s.zips = append(s.zips, file)
	if err := os.Remove(file.Name()); err != nil {
		return nil, &localError{err}
	}
	in := &limit{r: packed, left: &s.unpacked, what: fmt.Sprintf("the zips in it hold more than %d MiB", maxUnpacked>>20)}
	if _, err := io.Copy(file, in); in.err != nil {
		return nil, in.err
	} else if err != nil {
		return nil, &localError{err}
	}
	return listFile(file, &s.names)
}

// localError is an error of this machine.
type localError struct{ error }

func (e *localError) Error() string { return "keeping a temporary file: " + e.error.Error() }

func (e *localError) Unwrap() error { return e.error }

// notebook reads one notebook.
func (s *student) notebook(f found) {
	name := show(f.shown)
	w, err := s.extract(f)
	if err != nil {
		s.problem("%q cannot be read: %s.", name, reason(err))
		return
	}
	s.submission.Files = append(s.submission.Files, name)
	for id, own := range w.programs {
		own.File = name
		s.takeProgram(id, own)
	}
	for id, own := range w.shaders {
		own.File = name
		s.take(id, own)
	}
}

// workFile reads a file of a folder work: a program in JavaScript or, of a student without
// notebooks, a shader.
func (s *student) workFile(f found, alone bool) {
	own, id, name := HandIn{File: show(f.shown)}, workID(f.path[len(f.path)-1]), f.path[len(f.path)-1]
	own.Script = strings.HasSuffix(name, ".js")
	if !own.Script && !alone {
		return
	}
	file, err := f.open()
	if err == nil {
		defer file.Close()
		var text []byte
		text, err = io.ReadAll(io.LimitReader(&limit{r: file, left: &s.left, what: "the files are too large"}, maxShader))
		own.Source = string(text)
	}
	if err != nil {
		s.problem("%q cannot be read: %s.", own.File, reason(err))
		return
	}
	s.submission.Files = append(s.submission.Files, own.File)
	if own.Script {
		s.takeProgram(id, own)
	} else {
		s.take(id, own)
	}
}

func (s *student) extract(f found) (written, error) {
	file, err := f.open()
	if err != nil {
		return written{}, err
	}
	defer file.Close()
	own := int64(maxNotebook)
	in := &limit{
		r:    &limit{r: file, left: &s.left, what: fmt.Sprintf("the student's notebooks are larger than %d MiB together", maxText>>20)},
		left: &own, what: fmt.Sprintf("it is larger than %d MiB: clear its outputs", maxNotebook>>20),
	}
	w, err := extract(in)
	if in.err != nil {
		return written{}, in.err
	}
	return w, err
}

// take keeps a shader. If several notebooks write it, the last one counts, but a shader
// that is not begun never displaces one that is.
func (s *student) take(id string, own HandIn) {
	before, found := s.submission.Shaders[id]
	switch {
	case !found:
		s.submission.Shaders[id] = own
	case before.Source == own.Source || !own.begun(id):
		return
	default:
		s.submission.Shaders[id] = own
		if !before.begun(id) {
			s.versions[id] = nil
		}
	}
	s.versions[id] = append(s.versions[id], own.File)
}

// takeProgram keeps a program. Of several, the last one counts, but an unchanged one never
// displaces another, and one in JavaScript none in Go.
func (s *student) takeProgram(id string, own HandIn) {
	e := onHost(id)
	if before, found := s.submission.Programs[id]; found && (before.Source == own.Source || Untouched(e, own) || own.Script && !before.Script && !Untouched(e, before)) {
		return
	}
	s.submission.Programs[id] = own
}

// begun reports whether the student wrote any of the shader. A shader longer than any
// skeleton counts as begun, and is not read: a hostile submission has thousands of large ones.
func (s HandIn) begun(id string) bool {
	const longestSkeleton = 4 << 10 // bytes
	if len(s.Source) > longestSkeleton {
		return true
	}
	if e, err := course.Find(id); err == nil && e.Untouched(s.Source) {
		return false // it may be a complete shader, with a bug to find
	}
	return course.Begun(shader.Read(s.File, s.Source))
}

// conclude adds remarks about what was decided and what is missing.
func (s *student) conclude() {
	for _, e := range course.Written() {
		if len(s.versions[e.ID]) > 1 {
			s.contest(e.ID)
		}
	}
	if len(s.submission.Problems) == 0 {
		switch {
		case len(s.submission.Files) == 0:
			s.problem("The submission has no notebook (.ipynb).")
		case len(s.submission.Shaders) == 0 && len(s.submission.Programs) == 0:
			s.problem("No notebook has a cell that begins with %%%%writefile work/ID.wgsl, where ID is an exercise.")
		}
	}
	if s.unsaid > 0 {
		s.submission.Problems = append(s.submission.Problems, fmt.Sprintf("And %d more problems like these.", s.unsaid))
	}
}

// contest adds the remark that several notebooks write an exercise, and which one counts.
func (s *student) contest(id string) {
	var names []string
	for _, file := range s.versions[id] {
		names = append(names, fmt.Sprintf("%q", file))
	}
	if len(names) > 4 {
		names = append(names[:3], names[len(names)-1])
	}
	last := names[len(names)-1]
	s.say("Several notebooks write %s: %s. The one that counts is %s.", id, strings.Join(names, ", "), last)
}
