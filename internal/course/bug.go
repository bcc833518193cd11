package course

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/exercises"
)

// A Bug is the mistake that the learner looks for in an exercise of kind FindBug.
type Bug struct {
	lines []string // those that name the mistake, as CodeLines has them
	given []string // all lines of the shader with the mistake
}

// bugComment begins the comment in which the learner names the line.
const bugComment = "// The bug is in this line:"

// Named returns the line that a text names as the one with the bug; "" if it names none yet. given
// reports whether the shader has such a line, and right whether the bug is in it.
func (b *Bug) Named(text string) (line string, given, right bool) {
	for comment := range strings.Lines(text) {
		if said, ok := strings.CutPrefix(strings.TrimSpace(comment), bugComment); ok && strings.TrimSpace(said) != "" {
			line = strings.TrimSpace(said)
		}
	}
	return line, slices.Contains(b.given, codeLine(line)), slices.Contains(b.lines, codeLine(line))
}

// Hides reports whether nothing may be said about a text yet except whether it compiles: the
// learner looks for the bug.
func (e *Exercise) Hides(text string) bool {
	if e.Bug == nil {
		return false
	}
	_, _, right := e.Bug.Named(text)
	return !right
}

// Untouched reports whether a text is the one that the learner starts with.
func (e *Exercise) Untouched(text string) bool {
	skeleton, err := e.Skeleton()
	return err == nil && strings.TrimSpace(text) == strings.TrimSpace(skeleton)
}

// codeLine returns a line of code as CodeLines has it.
func codeLine(line string) string {
	var texts []string
	for _, l := range CodeLines(line) {
		texts = append(texts, l.Text)
	}
	return strings.Join(texts, " ")
}

// borrow takes the bindings, the dispatch and the cases from the exercise whose wrong shader is
// given, for the kinds FindBug and BreakIt.
func (d *description) borrow(files fs.FS) error {
	if err := d.checkBorrowing(); err != nil || d.Of == "" {
		return err
	}
	other, err := readDescription(files, d.Of)
	if err != nil {
		return err
	}
	own := *d
	*d = *other
	d.Kind, d.Lesson, d.Notebook, d.Title, d.Task, d.Stretch = own.Kind, own.Lesson, own.Notebook, own.Title, own.Task, own.Stretch
	d.Points, d.Partial, d.Practice = own.Points, own.Partial, own.Practice
	if d.Kind == FindBug {
		d.WrongAsIn, d.After = own.Of, own.Of
	} else {
		d.WithoutWorkgroupMemory, d.WithoutSubgroups, d.Work, d.After = "", "", work{}, "" // they are about the learner's shader
	}
	d.Position = own.Position
	d.Of, d.Shader, d.Covers, d.Bug = own.Of, own.Shader, own.Covers, own.Bug
	return nil
}

// editedLines returns the lines of code of a solution on which its edit lies.
func editedLines(files fs.FS, name, text string) (lines []string, err error) {
	edited, err := exercises.Unfold(files).Edited(name)
	if err != nil {
		return nil, err
	}
	for _, line := range CodeLines(text) {
		if slices.Contains(edited, line.Number) {
			lines = append(lines, line.Text)
		}
	}
	if len(lines) == 0 {
		return nil, fmt.Errorf("%s is a whole program: name the lines with the mistake, `bug = [...]`", name)
	}
	return lines, nil
}

// readBug reads the shader with the mistake. The skeleton has to be the same.
func (e *Exercise) readBug(d *description) error {
	if d.Kind != FindBug {
		return nil
	}
	name := path.Join(d.Of, "wrong", d.Shader+".wgsl")
	text, err := fs.ReadFile(e.files, name)
	if err != nil {
		return fmt.Errorf("reading the shader with the bug: %w", err)
	}
	b := &Bug{}
	for _, line := range CodeLines(string(text)) {
		b.given = append(b.given, line.Text)
	}
	bug := d.Bug
	if len(bug) == 0 {
		if bug, err = editedLines(e.files, name, string(text)); err != nil {
			return err
		}
	}
	for _, line := range bug {
		b.lines = append(b.lines, codeLine(line))
		if !slices.Contains(b.given, codeLine(line)) {
			return fmt.Errorf("%s has no line %q", name, line)
		}
	}
	skeleton, err := fs.ReadFile(e.files, path.Join(e.ID, "skeleton.wgsl"))
	if err != nil {
		return fmt.Errorf("exercise %s has no skeleton: %w", e.ID, err)
	}
	var shown []string
	for _, line := range CodeLines(string(skeleton)) {
		shown = append(shown, line.Text)
	}
	if first, _, _ := strings.Cut(string(skeleton), "\n"); first != bugComment || !slices.Equal(shown, b.given) {
		return fmt.Errorf("%s/skeleton.wgsl has to be the line %q and the code of %s", e.ID, bugComment, name)
	}
	e.Bug = b
	return nil
}
