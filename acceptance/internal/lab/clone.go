// Package lab drives the real JupyterLab in a real browser, like a learner. It serves a copy of the
// notebooks in the same way as `make lab`, opens a notebook, types into its cells, runs them, and
// reports what is visible.
package lab

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/ground/ipynb/nbformat"
)

// A Clone is a folder that `wgslab lab` accepts as a clone of the repository. It has copies of the
// notebooks and its own JupyterLab state. The Python environment, the kernel and the packages that
// cells import are those of the repository.
type Clone struct {
	Root        string   // of the copy
	Repository  string   // the original
	Environment []string // entries NAME=VALUE that its server and kernels get besides ours
}

// NewClone makes a copy of the repository in the folder dir.
func NewClone(repository, dir string) (*Clone, error) {
	c := &Clone{Root: dir, Repository: repository}
	if err := CopyNotebooks(repository, c.Notebooks()); err != nil {
		return nil, err
	}
	for _, name := range []string{"go.mod", ".venv"} {
		if err := os.Symlink(filepath.Join(repository, name), filepath.Join(dir, name)); err != nil {
			return nil, fmt.Errorf("making a stand-in for the clone: %w", err)
		}
	}
	return c, nil
}

// Notebooks returns the folder of the course's notebooks.
func (c *Clone) Notebooks() string { return filepath.Join(c.Root, "notebooks") }

// Lessons returns the folder of the learner's copies, which the server makes when it starts.
func (c *Clone) Lessons() string { return filepath.Join(c.Root, "lessons") }

// Set changes a setting of JupyterLab, like its settings editor: plugin is the plugin's name,
// values are its settings in JSON.
func (c *Clone) Set(plugin, values string) error {
	path := filepath.Join(c.Root, ".build", "jupyter", "config", "lab", "user-settings", plugin+".jupyterlab-settings")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("changing a setting of JupyterLab: %w", err)
	}
	if err := os.WriteFile(path, []byte(values), 0o644); err != nil {
		return fmt.Errorf("changing a setting of JupyterLab: %w", err)
	}
	return nil
}

// CopyNotebooks copies the files that ship with the notebooks to the folder to: notebooks, texts
// and images, and the folder work without any learner's shaders.
func CopyNotebooks(repository, to string) error {
	from := filepath.Join(repository, "notebooks")
	if err := os.MkdirAll(filepath.Join(to, "work"), 0o755); err != nil {
		return fmt.Errorf("copying the notebooks: %w", err)
	}
	for _, folder := range []string{"images", "beyond"} {
		err := os.CopyFS(filepath.Join(to, folder), os.DirFS(filepath.Join(from, folder)))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("copying the notebooks: %w", err)
		}
	}
	for _, pattern := range []string{"*.ipynb", "TUTOR.md", "wgsl.md", "webgpu.md", "glossary.md", "work/README.md"} {
		files, err := filepath.Glob(filepath.Join(from, pattern))
		if err != nil {
			return fmt.Errorf("copying the notebooks: %w", err)
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				return fmt.Errorf("copying the notebooks: %w", err)
			}
			name, err := filepath.Rel(from, file)
			if err != nil {
				return fmt.Errorf("copying the notebooks: %w", err)
			}
			if err := os.WriteFile(filepath.Join(to, name), data, 0o644); err != nil {
				return fmt.Errorf("copying the notebooks: %w", err)
			}
		}
	}
	return nil
}

// Solve writes the answer into each cell of the learner: the reference shader, or the Go function
// of the host exercise.
func Solve(repository string, nb *nbformat.Notebook) error {
	for _, cell := range nb.Cells {
		id, ok := AnswerOf(cell)
		if !ok {
			continue
		}
		if err := solve(repository, cell, id); err != nil {
			return fmt.Errorf("solving cell %s: %w", cell.ID, err)
		}
	}
	return nil
}

func solve(repository string, cell *nbformat.Cell, id string) error {
	exercise, err := course.Find(id)
	if err != nil {
		return err
	}
	if exercise.IsOnHost() {
		cell.Source, err = exercise.ReferenceCell()
		return err
	}
	reference, err := exercise.Reference() // for a case to write, one that exposes the wrong shader
	if err != nil {
		return err
	}
	return cell.SetFileBody(reference.Text)
}

// AnswerOf returns the exercise that the cell answers. Such a cell writes a shader, or declares the
// function of an exercise in Go. ok is false for any other cell.
func AnswerOf(cell *nbformat.Cell) (id string, ok bool) {
	for _, e := range course.OnHost {
		if cell.Type == nbformat.Code && cell.ID == e.ID+"-host" {
			return e.ID, true
		}
	}
	file, ok := cell.WrittenFile()
	if !ok || filepath.Dir(file.Path) != "work" || filepath.Ext(file.Path) != ".wgsl" {
		return "", false
	}
	id = strings.TrimSuffix(filepath.Base(file.Path), ".wgsl")
	_, err := course.Find(id) // a worked example answers no exercise
	return id, err == nil
}
