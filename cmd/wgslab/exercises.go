package main

import (
	"io"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/ground/plaintext"
)

// listedExercise is an exercise in the JSON of `wgslab exercises`.
type listedExercise struct {
	ID       string          `json:"id"`
	Lesson   int             `json:"lesson"`
	Beyond   bool            `json:"beyond"` // the eight lessons: an optional part
	Title    string          `json:"title"`
	Task     string          `json:"task"`
	Stretch  bool            `json:"stretch"`
	Points   int             `json:"points"`
	Partial  int             `json:"partial"`
	Bindings []listedBinding `json:"bindings"`
}

type listedBinding struct {
	Binding int    `json:"binding"`
	Name    string `json:"name"`
	Access  string `json:"access"`
	Type    string `json:"type"`
}

func newExercisesCommand() *cobra.Command {
	var asJSON bool
	command := &cobra.Command{
		Use:   "exercises",
		Short: "List the exercises",
		Long: `Exercises lists every exercise with its lesson, id and task: those of the eight lessons, those
beyond them, which are optional, and those in the folder exercises/ here, or in the folder that WGSLAB_EXERCISES names. It leaves out
exercises with a mistake in their folder, and says what is wrong with each.

Exit codes: 0 all exercises are listed, 1 some are left out.`,
		Example: "  wgslab exercises\n  wgslab exercises --json",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			write := writeExercises
			if asJSON {
				write = writeExercisesJSON
			}
			if err := write(cmd.OutOrStdout()); err != nil {
				return err
			}
			if broken := course.Broken(); broken != nil {
				return &codedError{exitNotRight, broken}
			}
			return nil
		},
	}
	command.Flags().BoolVar(&asJSON, "json", false, "print the exercises as JSON")
	return command
}

func writeExercises(w io.Writer) error {
	rows := [][]string{{"LESSON", "ID", "WHAT IT COMPUTES"}}
	for _, e := range listExercises() {
		lesson := strconv.Itoa(e.Lesson)
		if e.Beyond {
			lesson += " (beyond)"
		}
		rows = append(rows, []string{lesson, e.ID, e.Task})
	}
	return plaintext.Table(w, rows)
}

func writeExercisesJSON(w io.Writer) error {
	return printJSON(w, listExercises())
}

func listExercises() []listedExercise {
	listed := []listedExercise{}
	for _, l := range course.AllLessons() {
		for _, e := range l.Exercises() {
			listed = append(listed, listExercise(e))
		}
	}
	return listed
}

func listExercise(e *course.Exercise) listedExercise {
	listed := listedExercise{
		ID: e.ID, Lesson: e.Lesson, Beyond: e.IsBeyond(), Title: e.Title, Task: e.Task,
		Stretch: e.Stretch, Points: e.Points, Partial: e.Partial, Bindings: []listedBinding{},
	}
	for i, b := range e.Bindings {
		listed.Bindings = append(listed.Bindings, listedBinding{i, b.Name, string(b.Access), b.Type})
	}
	return listed
}
