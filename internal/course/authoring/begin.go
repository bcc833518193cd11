// Package authoring begins exercises and tests them: it writes the files of a new one with a TODO
// wherever its author has to think, and lists everything that is wrong with one.
package authoring

import (
	"embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/template"

	"github.com/wgslab/wgslab/internal/course"
)

// A Collection is where exercises are written: a clone of the repository, for the course's own, or
// a pack.
type Collection struct {
	root string // of the clone, or the pack's folder
	pack bool
}

// Clone returns the place of the course's own exercises in the clone at root.
func Clone(root string) Collection { return Collection{root: root} }

// Pack returns the place of a pack's exercises.
func Pack(folder string) Collection { return Collection{root: folder, pack: true} }

// Folder returns the folder of a pack, and "" for the clone.
func (p Collection) Folder() string {
	if p.pack {
		return p.root
	}
	return ""
}

func (p Collection) String() string {
	return filepath.Join(p.root, filepath.FromSlash(p.path("exercises/", "")))
}

// path returns the path of an exercise's file below the root, with slashes.
func (p Collection) path(where, id string) string {
	if p.pack {
		where = strings.TrimPrefix(where, "exercises/")
	}
	return strings.ReplaceAll(where, "ID", id)
}

// file returns the path of an exercise's file.
func (p Collection) file(where, id string) string {
	return filepath.Join(p.root, filepath.FromSlash(p.path(where, id)))
}

// Begin writes the missing files of an exercise, and returns their paths. It never changes an
// existing file.
func (p Collection) Begin(id string) (written []string, err error) {
	if err := course.CheckID(id); err != nil {
		return nil, err
	}
	all := files
	if p.pack {
		all = append(slices.Clone(files), file{packNotebook, "notebook.ipynb"})
	}
	for _, f := range all {
		isNew, err := p.writeNew(f, id)
		if err != nil {
			return written, err
		}
		if isNew {
			written = append(written, p.path(f.where, id))
		}
	}
	return written, nil
}

//go:embed template
var templates embed.FS

// A file is one that Begin writes. Its path and text contain ID in place of the exercise's id.
type file struct{ where, template string }

const (
	folderOf     = "exercises/ID"
	description  = "exercises/ID/exercise.toml"
	hintsOf      = "exercises/ID/hints.md"
	referenceOf  = "exercises/ID/reference.wgsl"
	skeletonOf   = "exercises/ID/skeleton.wgsl"
	rightFolder  = "exercises/ID/right"
	wrongFolder  = "exercises/ID/wrong"
	packNotebook = "../ID.ipynb"
)

var files = []file{
	{description, "exercise.toml"},
	{hintsOf, "hints.md"},
	{referenceOf, "reference.wgsl"},
	{skeletonOf, "skeleton.wgsl"},
	{rightFolder + ".md", "right.md"},
	{wrongFolder + ".md", "wrong.md"},
}

// writeNew writes a file from its template, unless the file exists.
func (p Collection) writeNew(f file, id string) (written bool, err error) {
	path := p.file(f.where, id)
	if _, err := os.Stat(path); err == nil {
		return false, nil
	}
	text, err := template.ParseFS(templates, "template/"+f.template)
	if err != nil {
		return false, fmt.Errorf("reading the template %s: %w", f.template, err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return false, fmt.Errorf("making the folder of %s: %w", path, err)
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return false, fmt.Errorf("beginning an exercise: %w", err)
	}
	err = text.Execute(file, map[string]any{"ID": id, "Pack": p.pack})
	if err := errors.Join(err, file.Close()); err != nil {
		return false, fmt.Errorf("writing %s: %w", path, err)
	}
	return true, nil
}
