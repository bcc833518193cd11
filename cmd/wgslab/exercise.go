package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/authoring"
	"github.com/wgslab/wgslab/internal/ground/repository"
	"github.com/wgslab/wgslab/internal/machine/engine"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

func newExerciseCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "exercise",
		Short: "Write an exercise: begin it, test it, see it as learners do",
		Long: `Exercise helps authors of exercises. An exercise is a folder. Those of the course are in
a clone of the repository, below exercises/, and an ID names one. Your own are in a
folder of yours, and FOLDER/ID names one: docs/instructors.md shows how. To list the
exercises, use wgslab exercises.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	command.AddCommand(newExerciseNewCommand(), newExerciseTestCommand(), newExerciseShowCommand())
	return command
}

func newExerciseNewCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "new ID | FOLDER/ID",
		Short: "Write the files of a new exercise, with a TODO in each place that needs you",
		Long: `New writes the folder of an exercise. There is a TODO in each place that needs you. It
never changes an existing file.`,
		Example: "  wgslab exercise new vector-scale\n  wgslab exercise new exercises/prefix-sum # of your own",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			place, id, err := placeOf(args[0])
			if err != nil {
				return err
			}
			if place.Folder() != "" {
				if err := os.MkdirAll(place.Folder(), 0o755); err != nil {
					return fmt.Errorf("making the folder for exercises: %w", err)
				}
			}
			written, err := place.Begin(id)
			for _, path := range written {
				fmt.Fprintln(cmd.OutOrStdout(), "wrote", filepath.Join(place.Folder(), filepath.FromSlash(path)))
			}
			if err != nil {
				return err
			}
			if len(written) == 0 {
				fmt.Fprintln(cmd.OutOrStdout(), "All files of", args[0], "exist already.")
			}
			fmt.Fprintf(cmd.OutOrStdout(), "To see what is left to do, run: wgslab exercise test %s\n", args[0])
			return nil
		},
	}
}

func newExerciseTestCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "test [ID | FOLDER/ID | FOLDER]…",
		Short: "List everything that is wrong with exercises",
		Long: `Test reads the files of each exercise and runs its shaders in the simulator. It lists
what is missing, right shaders that fail, wrong ones that pass, and wrong ones that get
another diagnosis than they name, each with file and line. With a FOLDER it tests all
exercises in it, and without anything all of the clone.

If nothing is wrong, test changes the reference shader in one place at a time, such as <=
for <, and lists the changes that still pass. Each of them either computes the same, or
shows that a case is missing. It also lists cases in which no wrong shader fails.

The reference shader is the standard: what it leaves in the simulator, with floats of 64
bits, is right, and the errors that WGSL allows are the tolerance.

Exit codes: 0 nothing is wrong, 1 something is, 2 wrong usage.`,
		Example: "  wgslab exercise test vector-scale\n  wgslab exercise test exercises/prefix-sum\n  wgslab exercise test",
		RunE: func(cmd *cobra.Command, names []string) error {
			if len(names) == 0 {
				names = []string{""}
			}
			return testExercises(cmd, names)
		},
	}
}

func newExerciseShowCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "show ID | FOLDER/ID [wrong/NAME | right/NAME | skeleton]",
		Short: "Show what learners see of an exercise, its skeleton, or a solution",
		Long: `Show prints the task, the cases with the right output, the hints, and what each wrong
shader is told. With the name of a solution, from wrong.md or right.md, it prints the whole
program of that solution. With skeleton, it prints the program with which a learner begins;
an exercise of the host's calls has skeleton.go and skeleton.js.`,
		Example: "  wgslab exercise show vector-scale\n  wgslab exercise show exercises/prefix-sum\n  wgslab exercise show saxpy wrong/no-guard | wgslab check saxpy -",
		Args:    cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			place, id, err := placeOf(args[0])
			if err != nil {
				return err
			}
			if err := exists(place, id); err != nil {
				return err
			}
			if len(args) == 2 {
				program, err := place.Solution(id, args[1])
				fmt.Fprint(cmd.OutOrStdout(), program)
				return err
			}
			on, err := engine.Open(cmd.Context(), shader.Simulated)
			if err != nil {
				return err
			}
			defer on.Close()
			return place.Show(cmd.Context(), on.Engines, id, cmd.OutOrStdout())
		},
	}
}

// exists returns an error if there is no folder for an exercise.
func exists(place authoring.Collection, id string) error {
	if err := course.CheckID(id); err != nil {
		return err
	}
	if !place.Has(id) {
		return fmt.Errorf("there is no exercise %s in %s; wgslab exercise new %s begins one", id, place, filepath.Join(place.Folder(), id))
	}
	return nil
}

// placeOf returns the place and the id of an exercise that is named ID or FOLDER/ID. The id is ""
// if the name is empty or a folder with exercises: that means all of them.
func placeOf(name string) (place authoring.Collection, id string, err error) {
	all := name != "" && holdsExercises(name)
	root, err := repository.Root(".")
	if !all && !strings.ContainsAny(name, `/\`) {
		return authoring.Clone(root), name, err
	}
	folder := name
	if !all {
		folder, id = filepath.Dir(filepath.Clean(name)), filepath.Base(name)
	}
	absolute, absErr := filepath.Abs(folder)
	if err == nil && absErr == nil && absolute == filepath.Join(root, "exercises") {
		return authoring.Clone(root), id, nil
	}
	return authoring.Pack(folder), id, nil
}

func holdsExercises(folder string) bool {
	found, err := filepath.Glob(filepath.Join(folder, "*", "exercise.toml"))
	return err == nil && len(found) > 0
}

// testExercises prints the problems of each exercise as soon as it is tested.
func testExercises(cmd *cobra.Command, names []string) error {
	on, err := engine.Open(cmd.Context(), shader.Simulated)
	if err != nil {
		return err
	}
	defer on.Close()
	wrong := false
	for _, name := range names {
		place, id, err := placeOf(name)
		if err != nil {
			return err
		}
		ids := []string{id}
		if id == "" {
			if ids, err = place.IDs(); err != nil {
				return err
			}
		}
		for _, id := range ids {
			right, err := testExercise(cmd, on.Engines, place, id)
			if err != nil {
				return err
			}
			wrong = wrong || !right
		}
	}
	if wrong {
		return &codedError{code: exitNotRight}
	}
	return nil
}

func testExercise(cmd *cobra.Command, on shader.Engines, place authoring.Collection, id string) (right bool, err error) {
	if err := exists(place, id); err != nil {
		return false, err
	}
	ran, done := counter(cmd, place.Shaders(id), id)
	found, err := place.Test(cmd.Context(), on, id, ran)
	shaders := done()
	if err != nil {
		return false, err
	}
	list(cmd, place, "", found.Wrong)
	if len(found.Wrong) > 0 {
		return false, nil
	}
	ran, done = counter(cmd, place.CountMutants(id), id+", changed")
	passing, err := place.Mutants(cmd.Context(), on, id, ran)
	mutants := done()
	if err != nil {
		return false, err
	}
	fmt.Fprintf(cmd.OutOrStdout(), "✓ %s: nothing is wrong; %d shaders ran. Of %d changes to the reference, %d pass\n", id, shaders, mutants, len(passing))
	list(cmd, place, "  ", passing)
	list(cmd, place, "  ", found.Idle)
	return true, nil
}

func list(cmd *cobra.Command, place authoring.Collection, indent string, problems []authoring.Problem) {
	for _, problem := range problems {
		problem.File = filepath.Join(place.Folder(), filepath.FromSlash(problem.File))
		fmt.Fprintln(cmd.OutOrStdout(), indent+problem.String())
	}
}

// counter returns a function to call after each of total shaders, which moves a progress bar, and
// one that removes the bar and returns the number of calls.
func counter(cmd *cobra.Command, total int, name string) (ran func(), done func() int) {
	n := 0
	bar := newBar(cmd.ErrOrStderr(), int64(total), name)
	if bar == nil {
		return func() { n++ }, func() int { return n }
	}
	return func() { n++; _ = bar.Add(1) }, func() int { _ = bar.Finish(); return n }
}
