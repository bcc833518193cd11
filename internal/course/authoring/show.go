package authoring

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/judge"
	"github.com/wgslab/wgslab/internal/course/judge/evidence"
	"github.com/wgslab/wgslab/internal/ground/plaintext"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/wgsl/numeric"
)

// Show writes what learners see of an exercise: the task, the cases with the right output, the
// hints, and the verdict on each wrong shader.
func (p Collection) Show(ctx context.Context, on shader.Engines, id string, w io.Writer) error {
	if p.isQuestion(id) {
		return p.showQuestion(id, w)
	}
	exercise, closeFiles, err := p.read(id)
	defer closeFiles()
	if err != nil {
		return fmt.Errorf("reading the exercise %s: %w", id, err)
	}
	fmt.Fprintf(w, "%s: %s\n%s\n\n", exercise.ID, exercise.Title, exercise.Task)
	for i, b := range exercise.Bindings {
		fmt.Fprintf(w, "@group(0) @binding(%d) %s, %s: %s\n", i, b.Access, b.Name, b.Type)
	}
	if exercise.Break == nil { // else learners write the case
		if err := showCases(ctx, exercise, w); err != nil {
			return err
		}
	}
	for i, hint := range exercise.Hints {
		fmt.Fprintf(w, "hint %d: %s\n", i+1, hint)
	}
	c := p.inspect(id)
	for _, path := range c.shaders(wrongFolder) {
		v, err := judge.Run(ctx, on, exercise, shader.Read(path, c.read(path)), testSeed)
		if err != nil {
			return fmt.Errorf("checking %s: %w", path, err)
		}
		fmt.Fprintf(w, "\n── %s\n%s\n", path, v.Text())
	}
	return c.err
}

// Solution returns the program of a right or a wrong solution, or the skeleton. Its name is like
// "wrong/local-id" or "skeleton", or ends like a file's: "wrong/same-number.go".
func (p Collection) Solution(id, name string) (string, error) {
	files := exercises.Unfold(os.DirFS(p.root))
	kind, pattern := path.Dir(name)+"/", "*"
	switch {
	case kind == "./" && strings.TrimSuffix(name, path.Ext(name)) == "skeleton":
		kind, pattern = "", "skeleton.*"
	case kind != "wrong/" && kind != "right/":
		return "", fmt.Errorf("%s names no solution: it is wrong/NAME, right/NAME or skeleton", name)
	}
	all, err := fs.Glob(files, p.path("exercises/ID/", id)+kind+pattern)
	if err != nil {
		return "", err
	}
	var found, names []string
	for _, file := range all {
		stem := strings.TrimSuffix(path.Base(file), path.Ext(file))
		names = append(names, kind+stem)
		if stem == path.Base(name) || path.Base(file) == path.Base(name) {
			found = append(found, file)
		}
	}
	switch len(found) {
	case 0:
		return "", fmt.Errorf("the exercise %s has no %s; it has %s", id, name, strings.Join(slices.Compact(names), ", "))
	case 1:
		text, err := fs.ReadFile(files, found[0])
		return string(text), err
	}
	return "", fmt.Errorf("%s is written in several languages: add %s or %s to its name", name, path.Ext(found[0]), path.Ext(found[1]))
}

// showCases writes a table with the first numbers of each buffer.
func showCases(ctx context.Context, e *course.Exercise, w io.Writer) error {
	rows := [][]string{{"CASE"}}
	for _, b := range e.Bindings {
		rows[0] = append(rows[0], b.Name)
	}
	for _, output := range e.Outputs() {
		rows[0] = append(rows[0], "right: "+e.Bindings[output].Name)
	}
	for _, c := range e.Draw(testSeed) {
		x, err := evidence.In(ctx, e, c)
		if err != nil {
			return err
		}
		row := []string{c.Name}
		for i, b := range c.Buffers {
			if b.IsUniform() {
				row = append(row, membersOf(b, e.Bindings[i].Type))
			} else {
				row = append(row, firstOf(b))
			}
		}
		for _, right := range x.All() {
			row = append(row, firstOf(right.Output))
		}
		rows = append(rows, row)
	}
	fmt.Fprintln(w)
	if err := plaintext.Table(w, rows); err != nil {
		return err
	}
	fmt.Fprintln(w)
	return nil
}

// membersOf formats a uniform.
func membersOf(b course.Buffer, structure string) string {
	_, list, _ := strings.Cut(strings.TrimSuffix(structure, "}"), "{")
	var members []string
	for i, member := range strings.Split(list, ", ") {
		name, kind, _ := strings.Cut(member, ": ")
		value := fmt.Sprint(b.Members()[i].Uint())
		if kind == "f32" {
			value = numeric.JSONNumber(b.Members()[i].Float()).String()
		}
		members = append(members, name+" = "+value)
	}
	return strings.Join(members, ", ")
}

// firstOf formats the first numbers of a buffer.
func firstOf(b course.Buffer) string {
	const shown = 4
	var numbers []string
	for i := range min(b.Len(), shown) {
		numbers = append(numbers, numeric.JSONNumber(b.At(i)).String())
	}
	if b.Len() > shown {
		numbers = append(numbers, "…")
	}
	return strings.Join(numbers, " ")
}
