//go:build linux

package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/grade/gradetest/hostile"
	"github.com/wgslab/wgslab/internal/lesson"
	"github.com/wgslab/wgslab/internal/nbformat"
)

const (
	classSize  = 60
	classSeed  = "2027" // job.yaml's own
	handedIn   = "02-add.ipynb"
	ofLesson   = 2
	zooFolder  = "internal/lesson/testdata"
	fileFolder = "internal/submission/testdata/hostile"
)

// hostileFiles are hand-ins that are no notebook, or no good one.
var hostileFiles = []string{"notebook-cut-off", "notebook-deep", "zip-bomb", "zip-link", "zip-dotdot"}

// handInClass writes what a class hands in for lesson 2: right shaders, wrong ones as
// learners write them, and some that mean harm. No two are the same program, since
// what was graded before would not be graded again.
func handInClass(dir string) error {
	student := 0
	next := func(kind string) string {
		student++
		return filepath.Join(dir, fmt.Sprintf("%02d-%s", student, strings.ReplaceAll(kind, " ", "-")))
	}
	bad := hostile.Shaders()
	for _, name := range slices.Sorted(maps.Keys(bad)) {
		if err := handIn(next(name), map[string]string{"add": bad[name].Source}); err != nil {
			return err
		}
	}
	for _, name := range hostileFiles {
		if err := os.CopyFS(next(name), os.DirFS(filepath.Join(fileFolder, name))); err != nil {
			return fmt.Errorf("handing in %s: %w", name, err)
		}
	}
	for student < classSize {
		kind := "right"
		if student%4 == 0 {
			kind = "wrong"
		}
		answers, err := fromZoo(kind, student)
		if err != nil {
			return err
		}
		if err := handIn(next(kind), answers); err != nil {
			return err
		}
	}
	return nil
}

// fromZoo takes one answer to each exercise of the lesson, another for each student.
func fromZoo(kind string, student int) (map[string]string, error) {
	answers := map[string]string{}
	for _, e := range lesson.All() {
		if e.Lesson != ofLesson {
			continue
		}
		files, err := filepath.Glob(filepath.Join(zooFolder, e.ID, kind, "*.wgsl"))
		if err != nil || len(files) == 0 {
			return nil, fmt.Errorf("there is no %s shader for %s: %w", kind, e.ID, err)
		}
		source, err := os.ReadFile(files[student%len(files)])
		if err != nil {
			return nil, fmt.Errorf("reading a shader: %w", err)
		}
		answers[e.ID] = fmt.Sprintf("%s\nconst student_%d = %d;\n", source, student, student)
	}
	return answers, nil
}

// handIn writes one student's notebook. Of an exercise without an answer it has what
// was handed out.
func handIn(dir string, answers map[string]string) error {
	nb, err := nbformat.Read(filepath.Join("notebooks", handedIn))
	if err != nil {
		return fmt.Errorf("reading the notebook: %w", err)
	}
	for _, cell := range nb.Cells {
		id, _ := strings.CutSuffix(cell.ID, "-shader")
		if answer, ok := answers[id]; ok {
			if err := cell.SetFileBody(answer); err != nil {
				return fmt.Errorf("handing in for %s: %w", id, err)
			}
		}
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("handing in: %w", err)
	}
	if err := nb.Write(filepath.Join(dir, handedIn)); err != nil {
		return fmt.Errorf("handing in: %w", err)
	}
	return nil
}
