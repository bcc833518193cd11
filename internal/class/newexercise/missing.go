package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/notebook/nbformat"
)

// The minimum numbers of specimens of an exercise.
const (
	leastRight = 4
	leastWrong = 6
)

// missing returns one sentence for each thing that an exercise of the clone at root still lacks.
func missing(root, id string) ([]string, error) {
	c := &check{root: root, id: id}
	c.file(description, `(?m)^\[\[cases\]\]`, "describes the exercise")
	c.file(hintsOf, `(?m)^3\. `, "holds the hints, at least three")
	c.file(theirAnswers, `"`+regexp.QuoteMeta(id)+`":`, "holds the references by id, in Go")
	c.file(referenceOf, `@compute`, "holds the reference shader, which reads like the explanation")
	c.file(skeletonOf, `Your line`, "holds the learner's starting point: it compiles and writes nothing")
	c.specimens(rightFolder, leastRight, "right shaders that differ in approach", "")
	c.specimens(wrongFolder, leastWrong, "wrong shaders as learners write them", "// diagnosis:")
	exercise, err := course.Find(id)
	if err != nil {
		c.gap("%s: add %q to the list `ids`, in the order of the course", theWholeList, id)
	} else {
		c.declaration(exercise)
		c.cells(exercise)
	}
	return c.gaps, c.err
}

// check collects what is missing, and keeps the first error of the machine.
type check struct {
	root, id string
	gaps     []string
	err      error
}

func (c *check) gap(format string, values ...any) {
	c.gaps = append(c.gaps, fmt.Sprintf(format, values...))
}

// read returns the text of a file, or "" if there is none.
func (c *check) read(path string) string {
	text, err := os.ReadFile(filepath.Join(c.root, filepath.FromSlash(path)))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		c.err = errors.Join(c.err, err)
	}
	return string(text)
}

// file requires a file with some content.
func (c *check) file(where, pattern, what string) {
	path := file{where: where}.path(c.id)
	text := c.read(path)
	switch {
	case text == "":
		c.gap("%s: it %s", path, what)
	case !regexp.MustCompile(pattern).MatchString(text):
		c.gap("%s: it %s, but has no %s", path, what, pattern)
	default:
		c.todo(path, text)
	}
}

func (c *check) todo(path, text string) {
	if n := strings.Count(text, "TODO"); n > 0 {
		c.gap("%s: %d TODO in it", path, n)
	}
}

// specimens requires a number of shaders whose first line starts with first.
func (c *check) specimens(folder string, least int, what, first string) {
	folder = file{where: folder}.path(c.id)
	found, err := filepath.Glob(filepath.Join(c.root, filepath.FromSlash(folder), "*.wgsl"))
	c.err = errors.Join(c.err, err)
	if len(found) < least {
		c.gap("%s: %d of at least %d %s", folder, len(found), least, what)
	}
	for _, specimen := range found {
		path := folder + "/" + filepath.Base(specimen)
		text := c.read(path)
		c.todo(path, text)
		if !strings.HasPrefix(text, first) {
			c.gap("%s: its first line is not %s SLUG", path, first)
		}
	}
}

// declaration requires the parts that checks don't need, but graders and learners do.
func (c *check) declaration(e *course.Exercise) {
	path := file{where: description}.path(c.id)
	for _, field := range []struct {
		name  string
		empty bool
	}{
		{"lesson, from 1 to 8", e.Lesson < 1 || e.Lesson > len(course.Lessons)},
		{"points, for graders", e.Points < 1},
		{"title", e.Title == ""},
		{"task", e.Task == ""},
	} {
		if field.empty {
			c.gap("%s: it has no %s", path, field.name)
		}
	}
}

// cells requires the two cells of the exercise in its lesson's notebook.
func (c *check) cells(e *course.Exercise) {
	for _, l := range course.Lessons {
		if l.Number != e.Lesson {
			continue
		}
		path := "notebooks/" + l.Notebook
		nb, err := nbformat.Read(filepath.Join(c.root, filepath.FromSlash(path)))
		if err != nil {
			c.err = errors.Join(c.err, err)
			return
		}
		shader, checked := "work/"+c.id+".wgsl", fmt.Sprintf("check.Exercise(%q)", c.id)
		if !anyCell(nb, func(cell *nbformat.Cell) bool { f, ok := cell.WrittenFile(); return ok && f.Path == shader }) {
			c.gap("%s: it has no cell that begins with %%%%writefile %s", path, shader)
		}
		if !anyCell(nb, func(cell *nbformat.Cell) bool {
			return cell.Type == nbformat.Code && strings.Contains(cell.Source, checked)
		}) {
			c.gap("%s: it has no cell with %s", path, checked)
		}
	}
}

func anyCell(nb *nbformat.Notebook, is func(*nbformat.Cell) bool) bool {
	for _, cell := range nb.Cells {
		if is(cell) {
			return true
		}
	}
	return false
}
