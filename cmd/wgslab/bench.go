package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"

	"github.com/spf13/cobra"
	"github.com/wgslab/wgslab/cmd/wgslab/bench"
	"github.com/wgslab/wgslab/internal/course/judge/zoo"
	"github.com/wgslab/wgslab/internal/ground/atomicfile"
	"github.com/wgslab/wgslab/internal/ground/repository"
	"github.com/wgslab/wgslab/internal/networks/mlp"
)

// forwardRounds is the default of --rounds with --gpu. The fastest of them counts.
const forwardRounds = 200

func newBenchCommand() *cobra.Command {
	var out, data string
	var places bench.PlacesOptions
	var rounds, students, epochs int
	var onGPU, onCost, onPlaces, asJSON bool
	var size int
	command := &cobra.Command{
		Use:   "bench",
		Short: "Measure how long a learner waits",
		Long: `Bench times cells in a real kernel, wgslab check, and the network's forward pass.
It prints a table and writes the same numbers as JSON. Trust the ratios more than the
seconds: both sides of a ratio come from one run. Bench compares the kernel with GoNB
alone. It also compares with ipykernel and wgpu-py, if .venv's Python has them, or the
Python in WGSLAB_BENCH_PYTHON.

With --gpu it measures instead how well the course uses the adapter, and prints JSON:
matrix products, the forward pass of each network and a whole training. tools/pytorch/bench.py measures
the same in PyTorch.

With --gpu --cost it compares what wgslab cost says with the adapter: for all right
shaders of some exercises, and for the ladder, the counted bound beside the measured
time. It prints a table, or with --json everything that was counted.

With --places it measures instead how many verdicts show the right line. It judges the
course's wrong shaders as if the course had no words for their mistakes, and compares
the places with the lines that the edit in wrong.md changes. Places that are equally
likely count at the worst rank. --share 8 draws one shader of eight. --data DIR writes
these shaders, their tasks and the true lines to a new folder. --from DIR judges the
shaders of such a folder, with the course's words for mistakes. --tool CMD measures
another tool: it gets the path of a shader and prints line numbers, the likeliest first.
docs/places.md describes the method and its limits.`,
		Example: "  wgslab bench\n  wgslab bench --rounds 15 --out bench.json\n  wgslab bench --gpu --epochs 0\n  wgslab bench --gpu --cost --json > cost.json\n  wgslab bench --places --share 8\n  wgslab bench --places --data places\n  wgslab bench --places --from places --tool ./my-tool",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if rounds < 1 {
				return fmt.Errorf("--rounds is %d; it must be at least 1", rounds)
			}
			if onGPU && !cmd.Flags().Changed("rounds") {
				rounds = forwardRounds
			}
			switch {
			case onCost && !onGPU:
				return &codedError{exitAsked, errors.New("--cost compares with the adapter: add --gpu")}
			case onCost:
				return benchCost(cmd, size, asJSON)
			case onPlaces:
				return benchPlaces(cmd, places, data, asJSON)
			case onGPU:
				return benchGPU(cmd, bench.GPUOptions{Epochs: epochs, Rounds: rounds})
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
			report, err := measure(cmd, bench.Options{Root: repository.SetUp(root), Rounds: rounds, Students: students})
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
	command.Flags().IntVar(&rounds, "rounds", 9, "number of measurements of each thing; with --gpu 200 by default, in at most 5 seconds")
	command.Flags().IntVar(&students, "students", 100, "number of students in the class that is graded; 0 skips the grading")
	command.Flags().BoolVar(&onGPU, "gpu", false, "measure how well the course uses the adapter, as JSON")
	command.Flags().IntVar(&epochs, "epochs", mlp.DefaultTraining().Epochs, "with --gpu: number of training epochs; 0 skips the training")
	command.Flags().BoolVar(&onCost, "cost", false, "with --gpu: compare counted bounds with measured times")
	command.Flags().IntVar(&size, "n", 0, "with --cost: the ladder multiplies n × n matrices (default: a size that suits the adapter)")
	command.Flags().BoolVar(&onPlaces, "places", false, "measure how many verdicts show the right line")
	command.Flags().IntVar(&places.OneOf, "share", 1, "with --places: judge one shader of so many")
	command.Flags().Uint64Var(&places.Seed, "seed", 1, "with --places: draws the shaders of the share")
	command.Flags().StringVar(&data, "data", "", "with --places: write the shaders and their true lines to this new folder")
	command.Flags().StringVar(&places.From, "from", "", "with --places: judge the shaders of this folder")
	command.Flags().StringVar(&places.Tool, "tool", "", "with --places: measure this command instead of the check")
	command.Flags().BoolVar(&asJSON, "json", false, "with --cost or --places: print JSON")
	return command
}

// benchPlaces prints the shares. On standard error, it says which verdicts count against one.
func benchPlaces(cmd *cobra.Command, o bench.PlacesOptions, data string, asJSON bool) error {
	if o.OneOf < 1 {
		return &codedError{exitAsked, fmt.Errorf("--share is %d; it must be at least 1", o.OneOf)}
	}
	if data != "" {
		if err := o.Write(data); err != nil {
			return &codedError{exitAsked, err}
		}
		return nil
	}
	o.Workers = runtime.GOMAXPROCS(0)
	o.Misses = func(a *zoo.Aim) {
		fmt.Fprintf(cmd.ErrOrStderr(), "%s (%s): true %v, place %d of %v\n", a.Name, a.Kind, a.Lines, a.Rank, a.Verdict.Places)
	}
	report, err := bench.RunPlaces(cmd.Context(), o)
	if err != nil {
		return &codedError{exitNotRight, err}
	}
	if asJSON {
		return printJSON(cmd.OutOrStdout(), report)
	}
	return report.Table(cmd.OutOrStdout())
}

// benchCost prints the comparison, even if the device was lost on the way.
func benchCost(cmd *cobra.Command, n int, asJSON bool) error {
	progress, finish := benchProgress(cmd)
	report, err := bench.RunCost(cmd.Context(), bench.CostOptions{N: n, Progress: progress})
	finish()
	if report != nil {
		write := report.Table
		if asJSON {
			write = func(w io.Writer) error { return printJSON(w, report) }
		}
		if err := write(cmd.OutOrStdout()); err != nil {
			return err
		}
	}
	if err != nil {
		return &codedError{exitNotRight, err}
	}
	return nil
}

func benchGPU(cmd *cobra.Command, o bench.GPUOptions) error {
	progress, finish := benchProgress(cmd)
	o.Progress = progress
	report, err := bench.RunGPU(cmd.Context(), o)
	finish()
	if report != nil { // even if a later measurement failed
		if err := printJSON(cmd.OutOrStdout(), report); err != nil {
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

func measure(cmd *cobra.Command, o bench.Options) (report *bench.Measurements, err error) {
	if o.Program, err = os.Executable(); err != nil {
		return nil, err
	}
	progress, finish := benchProgress(cmd)
	defer finish()
	o.Progress = progress
	return bench.Run(cmd.Context(), o)
}

func writeReport(path string, report *bench.Measurements) error {
	data, err := json.MarshalIndent(report, "", "  ")
	if err != nil {
		return err
	}
	if err := atomicfile.Write(path, append(data, '\n'), 0o644); err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	return nil
}
