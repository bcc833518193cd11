package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"

	"github.com/google/renameio/v2"
	"github.com/spf13/cobra"
	"github.com/wgslab/wgslab/internal/learner"
	"github.com/wgslab/wgslab/internal/lesson"
)

// workFolder is the folder of the learner's shaders: work/, here or in notebooks/.
func workFolder() string {
	if _, err := os.Stat(learner.WorkDir); err == nil {
		return learner.WorkDir
	}
	if inside := filepath.Join("notebooks", learner.WorkDir); isFolder(inside) {
		return inside
	}
	return learner.WorkDir
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

func newProgressCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "progress",
		Short:   "Show the lessons, and how far you have come",
		Long:    "Progress shows the eight lessons with their exercises, and which of them you have passed.",
		Example: "  wgslab progress",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			progress, err := learner.ReadProgress(workFolder())
			if err != nil {
				return err
			}
			_, err = fmt.Fprintln(cmd.OutOrStdout(), learner.Map{Progress: progress}.Text())
			return err
		},
	}
}

func newJournalCommand() *cobra.Command {
	var out string
	command := &cobra.Command{
		Use:   "journal",
		Short: "Write your tries as one readable page",
		Long: `Journal writes an HTML page with every try of every exercise: the first shader, what
changed from one try to the next, and what the check said. It stays on your machine.`,
		Example: "  wgslab journal\n  wgslab journal --out my-journal.html",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var page bytes.Buffer
			if err := learner.WritePage(&page, workFolder()); err != nil {
				return err
			}
			if err := renameio.WriteFile(out, page.Bytes(), 0o644); err != nil {
				return fmt.Errorf("writing the page: %w", err)
			}
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "wrote %s\n", out)
			return err
		},
	}
	command.Flags().StringVar(&out, "out", "journal.html", "write the page here")
	return command
}

func newTutorCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "tutor ID",
		Short: "Print what a tutor needs to know about one exercise",
		Long: `Tutor prints the rules for a tutor, the exercise with its hints and its known
mistakes, your shader, and the last verdicts: a ready context for an AI assistant that
shall help you think, and not write your shader.`,
		Example: "  wgslab tutor matmul",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			exercise, err := lesson.Find(args[0])
			if err != nil {
				return err
			}
			return learner.WriteTutor(cmd.OutOrStdout(), workFolder(), exercise)
		},
	}
}
