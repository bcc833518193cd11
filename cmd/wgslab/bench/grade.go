package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/fronts/class/release"
	"github.com/wgslab/wgslab/internal/ground/ipynb/nbformat"
)

// GradingTime is the time to grade a class, by wgslab grade and by nbgrader.
type GradingTime struct {
	Students int     `json:"students"`
	Shaders  int     `json:"shaders"`
	Seconds  float64 `json:"seconds"` // for the whole class, by wgslab grade
	Bound    float64 `json:"bound_s"`
	Tenth    int     `json:"tenth_students"`
	// Peak memory of wgslab grade itself, in MiB, for all students and for a tenth of them.
	PeakMiB      float64 `json:"peak_mib"`
	PeakTenthMiB float64 `json:"peak_tenth_mib"`
	// NbgraderSeconds is the time that nbgrader autograde takes for one of the same students.
	NbgraderSeconds float64 `json:"nbgrader_seconds_per_student"`
}

// gradingBound is the upper bound in seconds for one submission of all exercises.
const gradingBound = 0.6

// measureGrading grades a class with wgslab grade and one of its students with nbgrader.
func measureGrading(ctx context.Context, o Options) (*GradingTime, error) {
	dir, err := os.MkdirTemp("", "wgslab-bench-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	course := filepath.Join(dir, "course")
	o.Progress("an nbgrader course")
	if err := (release.Course{Clone: o.Root, Name: "bench"}).Write(ctx, course); err != nil {
		return nil, err
	}
	texts, err := readZoo()
	if err != nil {
		return nil, err
	}
	g := &GradingTime{Students: o.Students, Bound: gradingBound * float64(o.Students), Tenth: max(o.Students/10, 1)}
	for i := range o.Students {
		if err := handIn(course, i, texts); err != nil {
			return nil, err
		}
		if i+1 == g.Tenth {
			if _, g.PeakTenthMiB, _, err = timeGrade(ctx, o, course, g.Tenth); err != nil {
				return nil, err
			}
		}
	}
	if g.Seconds, g.PeakMiB, g.Shaders, err = timeGrade(ctx, o, course, g.Students); err != nil {
		return nil, err
	}
	o.Progress("nbgrader autograde, one student")
	g.NbgraderSeconds, err = timeNbgrader(ctx, o, course)
	return g, err
}

// shaderTexts holds the shaders of the exercises' testdata, right and wrong, by exercise.
type shaderTexts map[string]map[string][]string

func readZoo() (shaderTexts, error) {
	z := shaderTexts{}
	for _, e := range course.All() {
		z[e.ID] = map[string][]string{}
		for _, kind := range []string{"right", "wrong"} {
			paths, err := exercises.Files.Glob(e.ID + "/" + kind + "/*.wgsl")
			if err != nil || len(paths) == 0 {
				return nil, fmt.Errorf("no %s shaders of %s: %w", kind, e.ID, err)
			}
			for _, path := range paths {
				source, err := exercises.Files.ReadFile(path)
				if err != nil {
					return nil, err
				}
				z[e.ID][kind] = append(z[e.ID][kind], string(source))
			}
		}
	}
	return z, nil
}

func student(i int) string { return fmt.Sprintf("student-%03d", i) }

// handIn writes the notebooks of one student: of ten shaders, seven are right, two wrong and one
// untouched. Each contains the student's name, so that no two students have the same text.
func handIn(root string, i int, z shaderTexts) error {
	rng := rand.New(rand.NewPCG(uint64(i), 4))
	dir := filepath.Join(root, "submitted", student(i), "wgslab")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, l := range course.Lessons {
		nb, err := nbformat.Read(filepath.Join(root, "release", "wgslab", l.Notebook))
		if err != nil {
			return err
		}
		for _, cell := range nb.Cells {
			id, ok := strings.CutSuffix(cell.ID, "-shader")
			if !ok || z[id] == nil {
				continue
			}
			kind := "right"
			switch n := rng.IntN(10); {
			case n == 0:
				continue
			case n <= 2:
				kind = "wrong"
			}
			source := z[id][kind][rng.IntN(len(z[id][kind]))]
			if err := cell.SetFileBody(fmt.Sprintf("// by %s\n%s", student(i), source)); err != nil {
				return err
			}
		}
		if err := nb.Write(filepath.Join(dir, l.Notebook)); err != nil {
			return err
		}
	}
	return nil
}

// timeGrade times wgslab grade for the students who have handed in, and counts the shaders that it
// graded.
func timeGrade(ctx context.Context, o Options, course string, students int) (seconds, peakMiB float64, shaders int, err error) {
	o.Progress(fmt.Sprintf("wgslab grade, %d students", students))
	submitted := filepath.Join(course, "submitted")
	command := exec.CommandContext(ctx, o.Program, "grade", submitted, "--format", "json", "--seed", "1")
	var out, said bytes.Buffer
	command.Stdout, command.Stderr = &out, &said
	started := time.Now()
	if err := command.Run(); err != nil {
		return 0, 0, 0, fmt.Errorf("wgslab grade: %w\n%s", err, said.String())
	}
	seconds = time.Since(started).Seconds()
	var table struct {
		Submissions []struct {
			Points    float64
			Exercises []struct{ Verdict string }
		}
	}
	if err := json.Unmarshal(out.Bytes(), &table); err != nil {
		return 0, 0, 0, fmt.Errorf("reading the output of wgslab grade: %w", err)
	}
	for _, s := range table.Submissions {
		if s.Points == 0 {
			return 0, 0, 0, errors.New("wgslab grade gave no points to a student with right shaders")
		}
		for _, e := range s.Exercises {
			if e.Verdict == "pass" || e.Verdict == "fail" {
				shaders++
			}
		}
	}
	peakMiB, err = peakMemory(command.ProcessState)
	return seconds, peakMiB, shaders, err
}

// timeNbgrader times nbgrader autograde for the first student. nbgrader itself handles the output
// of failed cells.
func timeNbgrader(ctx context.Context, o Options, course string) (float64, error) {
	bin := filepath.Join(o.Root, ".venv", "bin")
	command := exec.CommandContext(ctx, filepath.Join(bin, "nbgrader"), "autograde", "wgslab", "--student", student(0))
	command.Dir = course
	command.Env = append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	started := time.Now()
	if said, err := command.CombinedOutput(); err != nil {
		return 0, fmt.Errorf("nbgrader autograde: %w\n%s", err, said)
	}
	return time.Since(started).Seconds(), nil
}
