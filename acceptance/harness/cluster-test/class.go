//go:build linux

package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/fronts/class/jail/hostile"
	"github.com/wgslab/wgslab/internal/ground/ipynb/nbformat"
)

const (
	classSize  = 60
	classSeed  = "2027" // the seed in job.yaml
	handedIn   = "02-add.ipynb"
	ofLesson   = 2
	fileFolder = "internal/fronts/class/submission/testdata/hostile"
)

// hostileFiles are submissions that are invalid or malicious notebooks.
var hostileFiles = []string{"notebook-cut-off", "notebook-deep", "zip-bomb", "zip-link", "zip-dotdot"}

// hostilePrograms are programs for the host that never end, take all memory or reach out.
var hostilePrograms = []string{"an endless init", "much memory", "files", "cgo", "giant constants"}

// handInClass writes a class's submissions for lesson 2: right shaders and programs, wrong ones
// with learners' typical errors, and malicious ones. No two are the same program, because grading
// reuses the verdict of a program that it has graded before.
func handInClass(dir string) error {
	student := 0
	next := func(kind string) string {
		student++
		return filepath.Join(dir, fmt.Sprintf("%02d-%s", student, strings.ReplaceAll(kind, " ", "-")))
	}
	bad := hostile.Shaders()
	for _, name := range slices.Sorted(maps.Keys(bad)) {
		if err := handIn(next(name), handedIn, map[string]string{"add": bad[name].Source}); err != nil {
			return err
		}
	}
	programs := hostile.Programs()
	for _, name := range hostilePrograms {
		if err := handIn(next(name), handedIn, map[string]string{"host-add": programs[name].Source}); err != nil {
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
		answers := map[string]string{}
		for _, e := range course.All() {
			if e.Lesson != ofLesson {
				continue
			}
			answer, err := fromZoo(e.ID, kind, student)
			if err != nil {
				return err
			}
			answers[e.ID] = answer
		}
		if err := addPrograms(answers, ofLesson, kind, student); err != nil {
			return err
		}
		if err := handIn(next(kind), handedIn, answers); err != nil {
			return err
		}
	}
	return nil
}

// The number of students of each kind in the hungry class.
const hungryOnes, rightOnes = 4, 4

// handInHungry writes a class in which half of the submissions would use up all memory.
func handInHungry(dir string) error {
	bomb := hostile.Shaders()["a bomb of calls"].Source
	for student := range hungryOnes {
		answer := fmt.Sprintf("%s\nconst student_%d = %d;\n", bomb, student, student)
		if err := handIn(filepath.Join(dir, fmt.Sprintf("hungry-%d", student)), handedIn, map[string]string{"add": answer}); err != nil {
			return err
		}
	}
	for student := range rightOnes {
		answer, err := fromZoo("add", "right", student)
		if err != nil {
			return err
		}
		if err := handIn(filepath.Join(dir, fmt.Sprintf("right-%d", student)), handedIn, map[string]string{"add": answer}); err != nil {
			return err
		}
	}
	return nil
}

// handInCourse writes a class in which everyone submits the notebooks of course.Lessons. A
// quarter of the shaders are wrong, with learners' typical errors. Again no two are the same.
func handInCourse(dir string, students int) error {
	for student := range students {
		answers := map[string]string{}
		for i, e := range course.All() {
			kind := "right"
			if (student+i)%4 == 0 {
				kind = "wrong"
			}
			answer, err := fromZoo(e.ID, kind, student)
			if err != nil {
				return err
			}
			answers[e.ID] = answer
		}
		for _, l := range course.Lessons {
			kind := "right"
			if (student+l.Number)%4 == 0 {
				kind = "wrong"
			}
			if err := addPrograms(answers, l.Number, kind, student); err != nil {
				return err
			}
			if err := handIn(filepath.Join(dir, fmt.Sprintf("student-%04d", student)), l.Notebook, answers); err != nil {
				return err
			}
		}
	}
	return nil
}

// addPrograms adds the programs for the host of a lesson, different ones for each student. In a
// wrong one, the first buffer that is mapped can't be.
func addPrograms(answers map[string]string, lesson int, kind string, student int) error {
	for _, e := range course.OnHost {
		if e.Lesson != lesson {
			continue
		}
		program, err := e.ReferenceCell()
		if err != nil {
			return err
		}
		if kind == "wrong" {
			program = strings.Replace(program, "wgpu.BufferUsageMapRead", "wgpu.BufferUsageMapWrite", 1)
		}
		answers[e.ID] = fmt.Sprintf("%s\nconst student%d = %d\n", strings.Replace(program, "return", fmt.Sprintf("_ = student%d\n\treturn", student), 1), student, student)
	}
	return nil
}

// fromZoo returns an answer to an exercise, a different one for each student.
func fromZoo(exercise, kind string, student int) (string, error) {
	files, err := exercises.Files.Glob(exercise + "/" + kind + "/*.wgsl")
	if err != nil || len(files) == 0 {
		return "", fmt.Errorf("there is no %s shader for %s: %w", kind, exercise, err)
	}
	source, err := exercises.Files.ReadFile(files[student%len(files)])
	if err != nil {
		return "", fmt.Errorf("reading a shader: %w", err)
	}
	return fmt.Sprintf("%s\nconst student_%d = %d;\n", source, student, student), nil
}

// handIn writes one student's notebook. An exercise without an answer keeps the cell that was
// handed out.
func handIn(dir, notebook string, answers map[string]string) error {
	nb, err := nbformat.Read(filepath.Join("notebooks", notebook))
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
		if id, isProgram := strings.CutSuffix(cell.ID, "-host"); isProgram && answers[id] != "" {
			cell.Source = answers[id]
		}
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("handing in: %w", err)
	}
	if err := nb.Write(filepath.Join(dir, notebook)); err != nil {
		return fmt.Errorf("handing in: %w", err)
	}
	return nil
}
