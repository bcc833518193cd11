package main

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/wgslab/wgslab/internal/fronts/class/release"
	"github.com/wgslab/wgslab/internal/ground/repository"
)

func newReleaseCommand() *cobra.Command {
	var course release.Course
	command := &cobra.Command{
		Use:   "release DIR",
		Short: "Make an nbgrader course from the notebooks",
		Long: `Release writes a complete nbgrader course to the folder DIR: source/ with the
solutions, release/ for the students, nbgrader's settings for Go and WGSL, and the
gradebook with every exercise and its points. It reads the notebooks of the clone that
you are in, or else the program's own clone, after make setup. DIR must be new or empty;
its README.md explains the next steps.

All lessons are one assignment, because each builds on the learner's shaders from earlier
lessons. --by-lesson makes each lesson an assignment with its own deadline. Lesson 6 then
uses the reference if it doesn't find the learner's shaders.

--cost-points N adds a graded cell after each check whose exercise has goals by counts, such
as "coalesced". It gives N points if the shader is right and reaches all of them. The
counts are the same on every machine. wgslab grade doesn't know these points.

Exit codes: 0 written, 1 failed, 2 wrong usage, 130 Ctrl-C.`,
		Example: `  wgslab release ../gpu-course
  wgslab release ../gpu-2027 --course gpu-2027 --by-lesson`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			root, err := repository.Root(".")
			if err != nil {
				return &codedError{exitAsked, err}
			}
			if course.CostPoints < 0 {
				return &codedError{exitAsked, errors.New("--cost-points can't be negative")}
			}
			course.Clone = root
			if isTerminal(cmd.ErrOrStderr()) {
				fmt.Fprintln(cmd.ErrOrStderr(), "Creating the students' version with nbgrader. This takes a few seconds…")
			}
			err = course.Write(cmd.Context(), args[0])
			var refusal *release.Refusal
			if errors.As(err, &refusal) {
				return &codedError{exitAsked, err}
			}
			if err != nil {
				return &codedError{exitNotRight, err}
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "The course is in %s. Next steps: %s\n", args[0], filepath.Join(args[0], "README.md"))
			return err
		},
	}
	command.Flags().StringVar(&course.Name, "course", "wgslab", "the course's name in nbgrader")
	command.Flags().Float64Var(&course.CostPoints, "cost-points", 0, "points for a right shader that reaches all goals by counts of its exercise")
	command.Flags().BoolVar(&course.ByLesson, "by-lesson", false, "make each lesson an assignment")
	return command
}
