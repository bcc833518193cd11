package main

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/wgslab/wgslab/internal/clone"
	"github.com/wgslab/wgslab/internal/release"
)

func newReleaseCommand() *cobra.Command {
	var course release.Course
	command := &cobra.Command{
		Use:   "release DIR",
		Short: "Write the notebooks as a course for nbgrader",
		Long: `Release writes a ready nbgrader course into the folder DIR: source/ with the
solutions, release/ as students get it, nbgrader's settings for Go and WGSL, and the
gradebook with every exercise and its points. It is made of the clone of wgslab that
you are in, or else of the program's own, after make setup. DIR must be new or empty;
its README.md says how to go on.

All lessons are one assignment, since each builds on the learner's own shaders of those
before it. With --by-lesson each lesson is one, with a deadline of its own; lesson 6 then
uses the reference where it cannot find the learner's shaders.

Exit codes: 0 written, 1 it could not be made, 2 asked wrongly, 130 Ctrl-C.`,
		Example: `  wgslab release ../gpu-course
  wgslab release ../gpu-2027 --course gpu-2027 --by-lesson`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			root, err := clone.Root(".")
			if err != nil {
				return &codedError{exitAsked, err}
			}
			course.Clone = root
			if isTerminal(cmd.ErrOrStderr()) {
				fmt.Fprintln(cmd.ErrOrStderr(), "nbgrader makes the students' version, which takes a few seconds…")
			}
			err = course.Write(cmd.Context(), args[0])
			var refusal *release.Refusal
			if errors.As(err, &refusal) {
				return &codedError{exitAsked, err}
			}
			if err != nil {
				return &codedError{exitNotRight, err}
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "The course is in %s. How to go on: %s\n", args[0], filepath.Join(args[0], "README.md"))
			return err
		},
	}
	command.Flags().StringVar(&course.Name, "course", "wgslab", "the course's name in nbgrader")
	command.Flags().BoolVar(&course.ByLesson, "by-lesson", false, "an assignment for each lesson")
	return command
}
