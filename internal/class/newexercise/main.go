// Command newexercise begins an exercise, or says what an exercise still lacks:
//
//	go run ./internal/class/newexercise ID
//
// It writes the exercise's folder and its reference shader, with a TODO wherever you have to think. It never changes an existing file.
package main

import (
	"embed"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"text/template"

	"github.com/wgslab/wgslab/internal/notebook/repository"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "newexercise:", err)
		os.Exit(2)
	}
}

// validID matches ids that work in file names, URLs and nbgrader.
var validID = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)

func run(args []string, out io.Writer) error {
	if len(args) != 1 || !validID.MatchString(args[0]) {
		return errors.New("give one exercise, in lower-case letters, digits and hyphens: go run ./internal/class/newexercise vector-scale")
	}
	root, err := repository.Root(".")
	if err != nil {
		return err
	}
	return begin(root, args[0], out)
}

// begin writes the missing files of an exercise into the clone at root, and reports what is still
// missing.
func begin(root, id string, out io.Writer) error {
	for _, file := range files {
		path := filepath.Join(root, filepath.FromSlash(file.path(id)))
		written, err := writeNew(path, file.template, id)
		if err != nil {
			return err
		}
		if written {
			fmt.Fprintln(out, "wrote", file.path(id))
		}
	}
	gaps, err := missing(root, id)
	if err != nil {
		return err
	}
	for _, gap := range gaps {
		fmt.Fprintln(out, "–", gap)
	}
	if len(gaps) == 0 {
		fmt.Fprintln(out, "Nothing is missing; go test ./internal/engine runs its specimens.")
	}
	return nil
}

//go:embed template
var templates embed.FS

// A file is one that begin writes. Its path and text contain ID in place of the exercise's id.
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
	theirAnswers = "internal/course/references.go"
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
