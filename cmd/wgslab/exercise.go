package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/wgslab/wgslab/internal/class/authoring"
	"github.com/wgslab/wgslab/internal/engine"
	"github.com/wgslab/wgslab/internal/notebook/repository"
	"github.com/wgslab/wgslab/internal/shader"
)

func newExerciseCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "exercise",
		Short: "Write an exercise: begin it, test it",
		Long: `Exercise helps authors of exercises. It works in a clone of the repository, where
each exercise is a folder below exercises/. To list the exercises, use wgslab exercises.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	command.AddCommand(newExerciseNewCommand(), newExerciseTestCommand())
	return command
}

func newExerciseNewCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "new ID",
		Short: "Write the files of a new exercise, with a TODO in each place that needs you",
		Long: `New writes the folder exercises/ID and the reference shader shaders/ID.wgsl. There is a
TODO in each place that needs you. It never changes an existing file.`,
		Example: "  wgslab exercise new vector-scale",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			root, err := repository.Root(".")
			if err != nil {
				return err
			}
			written, err := authoring.Begin(root, args[0])
			for _, path := range written {
				fmt.Fprintln(cmd.OutOrStdout(), "wrote", path)
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
		Use:   "test [ID…]",
		Short: "List everything that is wrong with exercises",
		Long: `Test reads the files of each exercise and runs its shaders in the simulator. It lists
what is missing, right shaders that fail, wrong ones that pass, and wrong ones that get
another diagnosis than they name, each with file and line. Without an ID it tests all
exercises of the clone.

If nothing is wrong, test changes the reference shader in one place at a time, such as <=
for <, and lists the changes that still pass. Each of them either computes the same, or
shows that a case is missing.

The reference shader is the standard: what it leaves in the simulator, with floats of 64
bits, is right, and the errors that WGSL allows are the tolerance.

Exit codes: 0 nothing is wrong, 1 something is, 2 wrong usage.`,
		Example: "  wgslab exercise test vector-scale\n  wgslab exercise test",
		RunE: func(cmd *cobra.Command, ids []string) error {
			root, err := repository.Root(".")
			if err != nil {
				return err
			}
			if len(ids) == 0 {
				if ids, err = authoring.IDs(root); err != nil {
					return err
				}
			}
			return testExercises(cmd, root, ids)
		},
	}
}

// testExercises prints the problems of each exercise as soon as it is tested.
func testExercises(cmd *cobra.Command, root string, ids []string) error {
	on, err := engine.Open(cmd.Context(), shader.Simulated)
	if err != nil {
		return err
	}
	defer on.Close()
	wrong := false
	for _, id := range ids {
		if err := exists(root, id); err != nil {
			return err
		}
		right, err := testExercise(cmd, on.Engines, root, id)
		if err != nil {
			return err
		}
		wrong = wrong || !right
	}
	if wrong {
		return &codedError{code: exitNotRight}
	}
	return nil
}

func testExercise(cmd *cobra.Command, on shader.Engines, root, id string) (right bool, err error) {
	ran, done := counter(cmd, authoring.Shaders(root, id), id)
	found, err := authoring.Test(cmd.Context(), on, root, id, ran)
	shaders := done()
	if err != nil {
		return false, err
	}
	for _, problem := range found {
		fmt.Fprintln(cmd.OutOrStdout(), problem)
	}
	if len(found) > 0 {
		return false, nil
	}
	ran, done = counter(cmd, authoring.CountMutants(root, id), id+", changed")
	passing, err := authoring.Mutants(cmd.Context(), on, root, id, ran)
	mutants := done()
	if err != nil {
		return false, err
	}
	fmt.Fprintf(cmd.OutOrStdout(), "✓ %s: nothing is wrong; %d shaders ran. Of %d changes to the reference, %d pass\n", id, shaders, mutants, len(passing))
	for _, problem := range passing {
		fmt.Fprintln(cmd.OutOrStdout(), " ", problem)
	}
	return true, nil
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

// exists returns an error if there is no folder for an exercise.
func exists(root, id string) error {
	if err := authoring.CheckID(id); err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(root, "exercises", id)); err != nil {
		return fmt.Errorf("there is no folder exercises/%s in %s; wgslab exercise new %s begins one", id, root, id)
	}
	return nil
}
