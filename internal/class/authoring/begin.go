// Package authoring begins exercises and tests them: it writes the files of a new one with a TODO
// wherever its author has to think, and lists everything that is wrong with one.
package authoring

import (
	"embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"text/template"
)

// validID matches ids that work in file names, URLs and nbgrader.
var validID = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)

// CheckID returns an error if an exercise cannot have the id.
func CheckID(id string) error {
	if !validID.MatchString(id) {
		return fmt.Errorf("%q is not an id: use lower-case letters, digits and hyphens, such as vector-scale", id)
	}
	return nil
}

// Begin writes the missing files of an exercise into the clone at root, and returns their paths. It
// never changes an existing file.
func Begin(root, id string) (written []string, err error) {
	if err := CheckID(id); err != nil {
		return nil, err
	}
	for _, file := range files {
		path := filepath.Join(root, filepath.FromSlash(file.path(id)))
		isNew, err := writeNew(path, file.template, id)
		if err != nil {
			return written, err
		}
		if isNew {
			written = append(written, file.path(id))
		}
	}
	return written, nil
}

//go:embed template
var templates embed.FS

// A file is one that Begin writes. Its path and text contain ID in place of the exercise's id.
type file struct{ where, template string }

func (f file) path(id string) string {
	return strings.ReplaceAll(f.where, "ID", id)
}

const (
	description  = "exercises/ID/exercise.toml"
	hintsOf      = "exercises/ID/hints.md"
	referenceOf  = "shaders/ID.wgsl"
	skeletonOf   = "exercises/ID/skeleton.wgsl"
	rightFolder  = "exercises/ID/right"
	wrongFolder  = "exercises/ID/wrong"
	theWholeList = "internal/course/lesson.go"
)

var files = []file{
	{description, "exercise.toml"},
	{hintsOf, "hints.md"},
	{referenceOf, "reference.wgsl"},
	{skeletonOf, "skeleton.wgsl"},
	{rightFolder + "/early-return.wgsl", "early-return.wgsl"},
	{wrongFolder + "/local-id.wgsl", "local-id.wgsl"},
}

// writeNew writes a file from its template, unless the file exists.
func writeNew(path, name, id string) (written bool, err error) {
	if _, err := os.Stat(path); err == nil {
		return false, nil
	}
	text, err := template.ParseFS(templates, "template/"+name)
	if err != nil {
		return false, fmt.Errorf("reading the template %s: %w", name, err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return false, fmt.Errorf("making the folder of %s: %w", path, err)
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return false, fmt.Errorf("beginning an exercise: %w", err)
	}
	err = text.Execute(file, map[string]string{"ID": id})
	if err := errors.Join(err, file.Close()); err != nil {
		return false, fmt.Errorf("writing %s: %w", path, err)
	}
	return true, nil
}
