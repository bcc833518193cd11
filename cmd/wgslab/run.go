package main

import (
	"errors"
	"time"

	"github.com/spf13/cobra"
	notebookrun "github.com/wgslab/wgslab/internal/fronts/notebook/run"
	"github.com/wgslab/wgslab/internal/networks/cellrun"
)

func newRunCommand() *cobra.Command {
	b := notebookrun.Batch{Env: map[string]string{cellrun.Variable: "1"}}
	command := &cobra.Command{
		Use:   "run NOTEBOOK…",
		Short: "Run notebooks from top to bottom in a real kernel",
		Long: `Run executes every code cell of each NOTEBOOK in order. Each notebook has its own
kernel, which works in the notebook's folder, as in JupyterLab. Run stops a notebook
at the first cell that fails, shows that cell, and goes on with the other notebooks.
NOTEBOOK may also be a folder, which means every notebook in it, or a quoted pattern.

Run does not change the notebooks. With -o OUT it writes them with their outputs: one
notebook to the file OUT, several to the folder OUT. A notebook that failed or was
interrupted is written as well, with the outputs so far; its last cell says why it
ended. A notebook that never began is not written.

A cell with the tag raises-exception may fail. A cell with the tag skip-execution
does not run and keeps its outputs. Run stops a cell after 20 MB of output.

Notebooks run one after the other, because one may use files that another wrote;
-j N runs N at a time.

Exit codes: 0 every cell ran, 1 a cell failed or a notebook could not run, 2 wrong
usage or no notebook could run, 130 Ctrl-C.`,
		Example: `  wgslab run notebooks/02-add.ipynb
  wgslab run notebooks/02-add.ipynb -o /tmp/02-add.ipynb --allow-errors
  wgslab run notebooks -j 2 -o /tmp/executed
  wgslab run 'week-*/*.ipynb' --kernel python3 --cell-timeout 30s`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			progress := newRunProgress(cmd.ErrOrStderr())
			b.Notebooks, b.Colours, b.Progress = args, progress.visible, progress
			err := b.Run(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr())
			var usage *notebookrun.UsageError
			switch {
			case errors.As(err, &usage):
				return &codedError{exitAsked, err}
			case err != nil:
				return &codedError{exitNotRight, err}
			}
			return nil
		},
	}
	flags := command.Flags()
	flags.StringVarP(&b.Out, "output", "o", "", "write the executed notebook to this file, several to this folder")
	flags.IntVarP(&b.Parallel, "jobs", "j", 1, "number of notebooks to run at a time")
	flags.StringVar(&b.Kernel, "kernel", "", "kernel to use (default: the one that each notebook names)")
	flags.DurationVar(&b.CellDeadline, "cell-timeout", 5*time.Minute, "interrupt a cell that takes longer; 0 means never")
	flags.DurationVar(&b.Deadline, "timeout", 30*time.Minute, "stop a notebook that takes longer as a whole; 0 means never")
	flags.BoolVar(&b.AllowErrors, "allow-errors", false, "go on after a cell that fails")
	return command
}
