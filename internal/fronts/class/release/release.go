// Package release makes an nbgrader course from the notebooks. It writes the instructor's
// version with solutions and nbgrader's settings for Go and WGSL, and has nbgrader make the
// students' version and the gradebook.
package release

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"text/template"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/fronts/notebook/kernelspec"
	"github.com/wgslab/wgslab/internal/ground/ipynb/nbformat"
	"github.com/wgslab/wgslab/internal/ground/repository"
)

// A Course describes the course to write.
type Course struct {
	Clone    string // the folder of the clone of wgslab
	Name     string // nbgrader's course id
	ByLesson bool   // one assignment per lesson, instead of one for all

	CostPoints float64 // for a right shader that reaches all goals by counts of its exercise; 0 for none
}

// cellTimeout is nbgrader's limit for one cell, in seconds. On a machine without a build cache,
// the first cell has to compile Go's library and WebGPU.
const cellTimeout = 300

// whole is the name of the assignment that holds all lessons but the optional ones; beyond holds
// those, so their points are apart.
const (
	whole  = "wgslab"
	beyond = "beyond"
)

var validName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]*$`)

// An assignment is the unit that nbgrader hands out, collects and grades.
type assignment struct {
	name    string
	lessons []course.Lesson
}

func (c Course) assignments() []assignment {
	if !c.ByLesson {
		core := slices.DeleteFunc(course.AllLessons(), course.Lesson.IsBeyond)
		return []assignment{{whole, core}, {beyond, course.Beyond}}
	}
	var each []assignment
	for _, l := range course.AllLessons() {
		each = append(each, assignment{l.Name(), []course.Lesson{l}})
	}
	return each
}

// A Refusal says why a course can't be written as requested.
type Refusal struct{ Because string }

func (e *Refusal) Error() string { return e.Because }

// Write writes the course into the folder dir, completely or not at all. dir must be missing or
// empty. The error is a *Refusal if dir or the course's name is unsuitable.
func (c Course) Write(ctx context.Context, dir string) error {
	if !validName.MatchString(c.Name) {
		return &Refusal{fmt.Sprintf("%q cannot be the name of a course: use only letters, digits, - and _", c.Name)}
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return fmt.Errorf("finding the folder for the course: %w", err)
	}
	if err := free(dir); err != nil {
		return err
	}
	draft, err := os.MkdirTemp(filepath.Dir(dir), ".wgslab-release-")
	if err != nil {
		return fmt.Errorf("making a folder for the course: %w", err)
	}
	defer os.RemoveAll(draft)
	if err := c.fill(ctx, draft); err != nil {
		return err
	}
	if err := os.Chmod(draft, 0o755); err != nil {
		return fmt.Errorf("finishing the course: %w", err)
	}
	if err := os.Rename(draft, dir); err != nil { // the rename replaces an empty folder
		return fmt.Errorf("finishing the course: %w", err)
	}
	return nil
}

const taken = "%s is not empty, and wgslab never overwrites a course with its gradebook: " +
	"choose another folder, or move this one away. To update the notebooks of a running course, make a new course " +
	"next to it, copy its source/ over, and run nbgrader generate_assignment with --force"

// free returns an error if the folder is no place for a new course.
func free(dir string) error {
	parent, err := os.Stat(filepath.Dir(dir))
	if err != nil || !parent.IsDir() {
		return &Refusal{fmt.Sprintf("there is no folder %s for the course: make it first", filepath.Dir(dir))}
	}
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("looking at the folder for the course: %w", err)
	case !info.IsDir():
		return &Refusal{fmt.Sprintf("%s is not a folder: choose a new folder for the course", dir)}
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("looking at the folder for the course: %w", err)
	}
	if len(entries) > 0 {
		return &Refusal{fmt.Sprintf(taken, dir)}
	}
	return nil
}

func (c Course) fill(ctx context.Context, dir string) error {
	if err := c.describe(dir); err != nil {
		return err
	}
	for _, a := range c.assignments() {
		if err := c.writeSource(a, filepath.Join(dir, "source", a.name)); err != nil {
			return fmt.Errorf("writing the assignment %s: %w", a.name, err)
		}
	}
	return c.generate(ctx, dir)
}

//go:embed course
var texts embed.FS

// describe writes the course's settings and README.
func (c Course) describe(dir string) error {
	var names []string
	for _, a := range c.assignments() {
		names = append(names, a.name)
	}
	all, err := template.ParseFS(texts, "course/*")
	if err != nil {
		return fmt.Errorf("reading the texts of a course: %w", err)
	}
	for _, file := range all.Templates() {
		var text bytes.Buffer
		err := file.Execute(&text, map[string]any{
			"Course": c.Name, "ByLesson": c.ByLesson, "Assignments": names,
			"Kernel": kernelspec.Name, "Timeout": cellTimeout, "Exercises": course.All(),
		})
		if err != nil {
			return fmt.Errorf("writing %s: %w", file.Name(), err)
		}
		if err := os.WriteFile(filepath.Join(dir, file.Name()), text.Bytes(), 0o644); err != nil {
			return fmt.Errorf("describing the course: %w", err)
		}
	}
	return nil
}

// writeSource writes the instructor's version of an assignment: its notebooks with solutions, and
// the files that go with them.
func (c Course) writeSource(a assignment, dir string) error {
	for _, name := range c.companions() {
		if err := copyFile(filepath.Join(c.notebooks(), name), filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	for _, l := range a.lessons {
		from := filepath.Join(c.notebooks(), l.Notebook)
		own, isOwn := course.PackNotebook(l)
		if isOwn {
			from = own
			if err := writePack(filepath.Join(dir, "exercises")); err != nil {
				return err
			}
		}
		nb, err := nbformat.Read(from)
		if err != nil {
			return err
		}
		nb.Clear()
		if err := errors.Join(setGradings(nb, l), solve(nb, l), c.addCosts(nb, l)); err != nil {
			return err
		}
		for _, name := range pictures(nb) {
			if err := copyFile(filepath.Join(filepath.Dir(from), name), filepath.Join(dir, name)); err != nil {
				return err
			}
		}
		c.relink(nb, l, a)
		if err := nb.Write(filepath.Join(dir, path.Base(l.Notebook))); err != nil {
			return err
		}
	}
	return nil
}

// writePack writes the exercises of the pack, which belong beside their notebooks.
func writePack(dir string) error {
	texts, err := course.PackTexts()
	if err != nil {
		return err
	}
	for name, text := range texts {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

func (c Course) notebooks() string { return filepath.Join(c.Clone, "notebooks") }

// companions returns the files beside the notebooks that learners need in every lesson. They
// include work/, because %%writefile creates no folder.
func (c Course) companions() []string {
	files := []string{"TUTOR.md", "wgsl.md", "webgpu.md", "glossary.md", "work/README.md"}
	if !c.ByLesson {
		files = append(files, "README.md") // the map of all lessons
	}
	return files
}

var picture = regexp.MustCompile(`\((images/[^)\s]+)\)`)

// pictures returns the picture files that a notebook's texts show.
func pictures(nb *nbformat.Notebook) []string {
	var files []string
	for _, cell := range nb.Cells {
		if cell.Type == nbformat.Markdown {
			for _, match := range picture.FindAllStringSubmatch(cell.Source, -1) {
				files = append(files, match[1])
			}
		}
	}
	return files
}

var fileLink = regexp.MustCompile(`\]\(((?:\.\./|beyond/)?[\w-]+\.(?:ipynb|md))\)`)

// relink makes links to other lessons point to their assignments, which are in sibling folders, and
// links to companions to the assignment's own folder.
func (c Course) relink(nb *nbformat.Notebook, l course.Lesson, a assignment) {
	for _, cell := range nb.Cells {
		if cell.Type != nbformat.Markdown {
			continue
		}
		cell.Source = fileLink.ReplaceAllStringFunc(cell.Source, func(link string) string {
			file := fileLink.FindStringSubmatch(link)[1]
			return "](" + c.released(path.Join(path.Dir(l.Notebook), file), a) + ")"
		})
	}
}

// released returns the path of a file of notebooks/ in the course, from the folder of an
// assignment.
func (c Course) released(file string, from assignment) string {
	for _, other := range c.assignments() {
		holds := slices.ContainsFunc(other.lessons, func(l course.Lesson) bool { return l.Notebook == file })
		if holds && other.name != from.name {
			return path.Join("..", other.name, path.Base(file))
		}
	}
	return path.Base(file)
}

func copyFile(from, to string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o644)
}

// generate has nbgrader make the students' version of every assignment and enter it in the
// gradebook.
func (c Course) generate(ctx context.Context, dir string) error {
	programs := filepath.Join(repository.SetUp(c.Clone), ".venv", "bin")
	nbgrader := filepath.Join(programs, "nbgrader")
	if _, err := os.Stat(nbgrader); err != nil {
		return fmt.Errorf("nbgrader creates the students' version, but there is no %s: run make setup in the clone", nbgrader)
	}
	command := exec.CommandContext(ctx, nbgrader, "generate_assignment", "*", "--log-level=WARN")
	command.Dir = dir
	command.Env = append(os.Environ(), // nbgrader starts alembic by name
		"PATH="+programs+string(os.PathListSeparator)+os.Getenv("PATH"))
	var said bytes.Buffer
	command.Stdout, command.Stderr = &said, &said
	if err := command.Run(); err != nil {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		return fmt.Errorf("nbgrader failed to create the students' version: %w\n%s", err, strings.TrimSpace(said.String()))
	}
	return nil
}
