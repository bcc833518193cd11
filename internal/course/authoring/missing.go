package authoring

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/ground/ipynb/nbformat"
)

// The minimum numbers of specimens of an exercise of the course. A pack needs one wrong shader.
const (
	leastRight = 4
	leastWrong = 6
)

// A check collects the problems of an exercise, and keeps the first error of the machine.
type check struct {
	Collection
	id        string
	files     *exercises.Unfolded
	problems  []Problem
	cases     []string          // their names
	told      map[string]bool   // by case, whether a wrong shader fails in it
	explained []string          // paths of the wrong shaders with an explanation
	verdicts  map[string]string // what they got wrong, by path
	unwhole   bool              // a solution cannot be read
	err       error
}

// inspect returns a check of an exercise.
func (p Collection) inspect(id string) *check {
	return &check{Collection: p, id: id, files: exercises.Unfold(os.DirFS(p.root)), told: map[string]bool{}, verdicts: map[string]string{}}
}

// required requires the exercise's files, and enough shaders.
func (c *check) required(kind course.TaskKind) {
	if kind == course.BreakIt {
		c.file(description, `(?m)^(shader|covers) = `, "describes the exercise", "line `shader = ...`")
		c.file(skeletonOf, `(?m)^const `, "holds the case that the learner starts with", "line `const ...`")
		c.file(hintsOf, `(?m)^3\. `, "holds the hints, at least three", "third")
		c.file(rightFolder+"/case.wgsl", `(?m)^const `, "holds a case in which the wrong shader goes wrong", "line `const ...`")
		c.specimens(wrongFolder, 1, "cases in which it doesn't, as learners write them")
		return
	}
	if kind == course.FindBug {
		c.file(description, `(?m)^shader = `, "describes the exercise", "line `shader = ...`")
		c.file(skeletonOf, `The bug is`, "holds the shader with the bug", "first line '// The bug is in this line:'")
	} else {
		c.file(description, `(?m)^\[\[cases\]\]`, "describes the exercise", "[[cases]]")
		c.file(skeletonOf, `Your line`, "holds the learner's starting point: it writes nothing", "comment 'Your line goes here'")
	}
	c.file(hintsOf, `(?m)^3\. `, "holds the hints, at least three", "third")
	c.file(referenceOf, `@compute`, "holds the reference shader, which reads like the explanation", "@compute")
	right, wrong := leastRight, leastWrong
	switch {
	case c.pack:
		right, wrong = 0, 1
	case kind == course.Order:
		right, wrong = 0, leastWrong // few orders of the same lines are right
	case kind == course.FindBug:
		right, wrong = 0, 1 // the other exercise has them
	}
	c.specimens(rightFolder, right, "right shaders that differ in approach")
	c.specimens(wrongFolder, wrong, "wrong shaders as learners write them")
}

// at returns the path of one of the exercise's files below the root.
func (c *check) at(where string) string { return c.path(where, c.id) }

// report adds a problem in a file, or in a solution.
func (c *check) report(file string, line int, format string, values ...any) {
	text := fmt.Sprintf(format, values...)
	if s, err := c.files.Solution(file); err == nil && s != nil {
		where := s.Name
		if line > 1 {
			where += fmt.Sprintf(", line %d", line)
		}
		file, line, text = path.Dir(path.Dir(file))+"/"+s.Kind()+".md", s.Line, where+": "+text
	}
	c.problems = append(c.problems, Problem{File: file, Line: line, Text: text})
}

// read returns the text of a file or of a solution, or "" if there is none.
func (c *check) read(path string) string {
	text, err := fs.ReadFile(c.files, path)
	c.unread(err)
	return string(text)
}

// unread reports why a file or a solution cannot be read, if there is a reason.
func (c *check) unread(err error) {
	var edit *exercises.EditError
	switch {
	case errors.As(err, &edit):
		c.unwhole = true
		problem := Problem{edit.File, edit.Line, edit.Text}
		if !slices.Contains(c.problems, problem) {
			c.problems = append(c.problems, problem)
		}
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		c.err = errors.Join(c.err, err)
	}
}

// file requires a file with some content.
func (c *check) file(where, pattern, what, needs string) {
	path := c.at(where)
	text := c.read(path)
	switch {
	case text == "":
		c.report(path, 0, "this file is missing: it %s", what)
	case !regexp.MustCompile(pattern).MatchString(text):
		c.report(path, 0, "it %s, but has no %s", what, needs)
	default:
		c.todo(path, text)
	}
}

// todo reports the first TODO of a file.
func (c *check) todo(path, text string) {
	if before, _, left := strings.Cut(text, "TODO"); left {
		c.report(path, strings.Count(before, "\n")+1, "%d TODO from here on", strings.Count(text, "TODO"))
	}
}

// specimens requires a number of shaders.
func (c *check) specimens(folder string, least int, what string) {
	found := c.shaders(folder)
	if len(found) < least {
		c.report(c.at(folder)+".md", 0, "%d of at least %d %s", len(found), least, what)
	}
	c.todo(c.at(folder)+".md", c.read(c.at(folder)+".md"))
	for _, path := range found {
		text := c.read(path)
		if s, err := c.files.Solution(path); err == nil && s == nil {
			c.todo(path, text)
		}
	}
}

// shaders lists the shaders in a folder of the exercise.
func (c *check) shaders(folder string) []string {
	found, err := fs.Glob(c.files, c.at(folder)+"/*.wgsl")
	c.unread(err)
	return found
}

// declaration requires the parts that checks don't need, but graders and learners do.
func (c *check) declaration(e *course.Exercise) {
	for _, slug := range []string{e.WithoutWorkgroupMemory, e.WithoutSubgroups, e.TooMuchWork} {
		explains := func(m *course.Misconception) bool { return m.Slug == slug }
		if known, err := e.Misconceptions(); slug != "" && err == nil && !slices.ContainsFunc(known, explains) {
			c.report(c.at(description), 0, "it names the diagnosis %q, but no solution in wrong.md explains that with a title", slug)
		}
	}
	path := c.at(description)
	for _, field := range []struct {
		name  string
		empty bool
	}{
		{"lesson of the course", !c.pack && c.notebook(e.Notebook, e.Lesson) == ""},
		{"notebook, the name of the one that has the exercise", c.pack && e.Notebook == ""},
		{"points, for graders, and no line `practice = true`", e.Points < 1 && !e.Practice},
		{"title", e.Title == ""},
		{"task", e.Task == ""},
	} {
		if field.empty {
			c.report(path, 0, "it has no %s", field.name)
		}
	}
}

// notebook returns the path of the notebook that has an exercise or a question, below the root; ""
// if none is named.
func (c *check) notebook(named string, lesson int) string {
	if c.pack && named != "" {
		return "../" + named
	}
	for _, l := range slices.Concat(course.Lessons, course.Beyond) {
		if !c.pack && l.Holds(lesson, named) {
			return "notebooks/" + l.Notebook
		}
	}
	return ""
}

// cells requires the two cells of the exercise in its notebook.
func (c *check) cells(e *course.Exercise) {
	path := c.notebook(e.Notebook, e.Lesson)
	nb := c.readNotebook(path)
	if nb == nil {
		return // reported already
	}
	shader, checked := "work/"+c.id+".wgsl", fmt.Sprintf("check.Exercise(%q)", c.id)
	begins := ""
	written := anyCell(nb, func(cell *nbformat.Cell) bool {
		f, ok := cell.WrittenFile()
		begins = f.Body
		return ok && f.Path == shader
	})
	switch {
	case !written:
		c.report(path, 0, "it has no cell that begins with %%%%writefile %s", shader)
	case strings.TrimSpace(begins) != strings.TrimSpace(c.read(c.at(skeletonOf))):
		c.report(path, 0, "the cell that writes %s has another text than the skeleton", shader)
	}
	if !anyCell(nb, func(cell *nbformat.Cell) bool {
		return cell.Type == nbformat.Code && strings.Contains(cell.Source, checked)
	}) {
		c.report(path, 0, "it has no cell with %s", checked)
	}
}

// readNotebook reads a notebook; it returns nil, and reports why, if there is none.
func (c *check) readNotebook(path string) *nbformat.Notebook {
	if path == "" {
		return nil
	}
	nb, err := nbformat.Read(filepath.Join(c.root, filepath.FromSlash(path)))
	switch {
	case c.pack && errors.Is(err, fs.ErrNotExist):
		c.report(path, 0, "this notebook is missing: it belongs beside the folder of the exercises")
		return nil
	case err != nil:
		c.err = errors.Join(c.err, err)
		return nil
	}
	return nb
}

func anyCell(nb *nbformat.Notebook, is func(*nbformat.Cell) bool) bool {
	return slices.ContainsFunc(nb.Cells, is)
}
