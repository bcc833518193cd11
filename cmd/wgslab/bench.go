package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/google/renameio/v2"
	"github.com/spf13/cobra"
	"github.com/wgslab/wgslab/cmd/wgslab/bench"
	"github.com/wgslab/wgslab/internal/digits/mlp"
	"github.com/wgslab/wgslab/internal/notebook/repository"
)

func newBenchCommand() *cobra.Command {
	var out string
	var rounds, epochs int
	var onGPU bool
	command := &cobra.Command{
		Use:   "bench",
		Short: "Measure how long a learner waits",
		Long: `Bench times cells in a real kernel, wgslab check, and the network's forward pass.
It prints a table and writes the same numbers as JSON. Trust the ratios more than the
seconds: both sides of a ratio come from one run. Bench compares the kernel with GoNB
alone. It also compares with ipykernel and wgpu-py, if .venv's Python has them, or the
Python in WGSLAB_BENCH_PYTHON.

With --gpu it measures instead how well the course uses the adapter, and prints JSON:
matrix products, the forward pass and a whole training. tools/pytorch/bench.py measures
the same in PyTorch.`,
		Example: "  wgslab bench\n  wgslab bench --rounds 15 --out bench.json\n  wgslab bench --gpu --epochs 0",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if rounds < 1 {
				return fmt.Errorf("--rounds is %d; it must be at least 1", rounds)
			}
			if onGPU {
				return benchGPU(cmd, epochs)
			}
			root, err := repository.Root(".")
			if err != nil {
				return &codedError{exitAsked, err}
			}
			if out == "" {
				out = filepath.Join(root, ".build", "bench.json")
			}
			if info, err := os.Stat(filepath.Dir(out)); err != nil || !info.IsDir() {
				return &codedError{exitAsked, fmt.Errorf("there is no folder %s for the result: run make setup, or choose another file with --out", filepath.Dir(out))}
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
	command.Flags().StringVar(&out, "out", "", "write the JSON to this file (default: .build/bench.json of the clone)")
	command.Flags().IntVar(&rounds, "rounds", 9, "number of measurements of each thing")
	command.Flags().BoolVar(&onGPU, "gpu", false, "measure how well the course uses the adapter, as JSON")
	command.Flags().IntVar(&epochs, "epochs", mlp.DefaultTraining().Epochs, "with --gpu: number of training epochs; 0 skips the training")
	return command
}

func benchGPU(cmd *cobra.Command, epochs int) error {
	progress, finish := benchProgress(cmd)
	report, err := bench.RunGPU(cmd.Context(), bench.GPUOptions{Epochs: epochs, Progress: progress})
	finish()
	if report != nil { // even if a later measurement failed
		encoder := json.NewEncoder(cmd.OutOrStdout())
		encoder.SetIndent("", "  ")
		if err := encoder.Encode(report); err != nil {
			return err
		}
	}
	if err != nil {
		return &codedError{exitNotRight, err}
	}
	return nil
}

// benchProgress shows the current measurement on a terminal.
func benchProgress(cmd *cobra.Command) (progress func(step string), finish func()) {
	bar := newBar(cmd.ErrOrStderr(), -1, "")
	if bar == nil {
		return func(string) {}, func() {}
	}
	return func(step string) { bar.Describe(step); bar.Add(1) }, func() { bar.Finish() }
}

func measure(cmd *cobra.Command, root string, rounds int) (*bench.Report, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	progress, finish := benchProgress(cmd)
	defer finish()
	return bench.Run(cmd.Context(), bench.Options{Root: repository.SetUp(root), Program: program, Rounds: rounds, Progress: progress})
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
