package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/google/renameio/v2"
	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"
	"github.com/wgslab/wgslab/internal/bench"
	"github.com/wgslab/wgslab/internal/clone"
)

func newBenchCommand() *cobra.Command {
	var out string
	var rounds int
	command := &cobra.Command{
		Use:   "bench",
		Short: "Measure how long a learner waits",
		Long: `Bench times cells in a real kernel, wgslab check, and the network's forward pass.
It prints a table and writes the same as JSON. Ratios count more than seconds: both
of their sides come from one run.`,
		Example: "  wgslab bench\n  wgslab bench --rounds 15 --out bench.json",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if rounds < 1 {
				return fmt.Errorf("--rounds is %d; it must be at least 1", rounds)
			}
			root, err := clone.Root(".")
			if err != nil {
				return &codedError{exitAsked, err}
			}
			if out == "" {
				out = filepath.Join(root, ".build", "bench.json")
			}
			if info, err := os.Stat(filepath.Dir(out)); err != nil || !info.IsDir() {
				return &codedError{exitAsked, fmt.Errorf("there is no folder %s for the result: run make setup, or name another file by --out", filepath.Dir(out))}
			}
			report, err := measure(cmd, root, rounds)
			if err != nil {
				return &codedError{exitNotRight, err}
			}
			if err := writeReport(out, report); err != nil {
				return &codedError{exitNotRight, err}
			}
			return report.Table(cmd.OutOrStdout())
		},
	}
	command.Flags().StringVar(&out, "out", "", "write the JSON here (default: .build/bench.json of the clone)")
	command.Flags().IntVar(&rounds, "rounds", 9, "measure each thing so often")
	return command
}

func measure(cmd *cobra.Command, root string, rounds int) (*bench.Report, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	progress := func(string) {}
	if isTerminal(cmd.ErrOrStderr()) {
		bar := progressbar.NewOptions(-1, progressbar.OptionSetWriter(cmd.ErrOrStderr()), progressbar.OptionClearOnFinish())
		defer bar.Finish()
		progress = func(step string) { bar.Describe(step); bar.Add(1) }
	}
	return bench.Run(cmd.Context(), bench.Options{Root: clone.SetUp(root), Program: program, Rounds: rounds, Progress: progress})
}

func writeReport(path string, report *bench.Report) error {
	data, err := json.MarshalIndent(report, "", "  ")
	if err != nil {
		return err
	}
	if err := renameio.WriteFile(path, append(data, '\n'), 0o644); err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	return nil
}
