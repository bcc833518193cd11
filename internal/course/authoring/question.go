package authoring

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/ground/ipynb/nbformat"
)

// isQuestion reports whether an exercise is of kind Predict, which has no shaders.
func (p Collection) isQuestion(id string) bool { return p.kindOf(id) == course.Predict }

func (p Collection) kindOf(id string) course.TaskKind {
	return course.KindOf(os.DirFS(filepath.Dir(p.file(folderOf, id))), id)
}

func (p Collection) readQuestion(id string) (*course.Question, error) {
	return course.ReadQuestion(os.DirFS(filepath.Dir(p.file(folderOf, id))), id)
}

// question requires, of a question, that its file is complete and that its notebook asks it word
// for word.
func (c *check) question() {
	q, err := c.readQuestion(c.id)
	if err != nil {
		c.report(c.at(folderOf), 0, "%v", err)
		return
	}
	path := c.notebook(q.Notebook, q.Lesson)
	if path == "" {
		c.report(c.at(description), 0, "it has no lesson, from 1 to 8; in a pack, no notebook")
		return
	}
	nb := c.readNotebook(path)
	if nb == nil {
		return
	}
	asked := anyCell(nb, func(cell *nbformat.Cell) bool {
		return cell.Type == nbformat.Code && strings.TrimSpace(cell.Source) == q.Cell()
	})
	if !asked {
		c.report(path, 0, "no cell asks the question word for word. wgslab exercise show %s prints the cell", c.id)
	}
}

// showQuestion writes the cell of a question, and what learners see after each answer.
func (p Collection) showQuestion(id string, w io.Writer) error {
	q, err := p.readQuestion(id)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%s\n\n", q.Cell())
	for i, a := range q.Answers {
		sign := map[bool]string{true: "✓", false: "•"}[a.Right]
		fmt.Fprintf(w, "%s %s) %s\n  %s\n", sign, course.Letter(i), a.Text, a.Why)
	}
	return nil
}
