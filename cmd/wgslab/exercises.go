package main

import (
	"encoding/json"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/plaintext"
)

// listedExercise is an exercise in the JSON of `wgslab exercises`.
type listedExercise struct {
	ID       string          `json:"id"`
	Lesson   int             `json:"lesson"`
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
		Long: `Exercises lists every exercise with its lesson, id and task: those of the course, and those
in the folder exercises/ here, or in the folder that WGSLAB_EXERCISES names.`,
		Example: "  wgslab exercises\n  wgslab exercises --json",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := course.PackError(); err != nil {
				return err
			}
			if asJSON {
				encoder := json.NewEncoder(cmd.OutOrStdout())
				encoder.SetIndent("", "  ")
				return encoder.Encode(listExercises())
			}
			rows := [][]string{{"LESSON", "ID", "WHAT IT COMPUTES"}}
			for _, e := range listExercises() {
				rows = append(rows, []string{strconv.Itoa(e.Lesson), e.ID, e.Task})
			}
			return plaintext.Table(cmd.OutOrStdout(), rows)
		},
	}
	command.Flags().BoolVar(&asJSON, "json", false, "print the exercises as JSON")
	return command
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
		ID: e.ID, Lesson: e.Lesson, Title: e.Title, Task: e.Task,
		Stretch: e.Stretch, Points: e.Points, Partial: e.Partial, Bindings: []listedBinding{},
	}
	for i, b := range e.Bindings {
		listed.Bindings = append(listed.Bindings, listedBinding{i, b.Name, string(b.Access), b.Type})
	}
	return listed
}
