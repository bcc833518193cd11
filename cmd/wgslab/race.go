package main

import (
	"fmt"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"
	"github.com/wgslab/wgslab/internal/course/ladder"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

func newRaceCommand() *cobra.Command {
	var asJSON bool
	var n int
	command := &cobra.Command{
		Use:   "race [FILE…]",
		Short: "Time your matmul against a ladder of faster ones",
		Long: `Race multiplies two matrices with each shader of the ladder in shaders/fast, and with
yours. FILE is WGSL with the bindings of matmul. By default each invocation computes
one element of out. If a workgroup computes a larger block, declare its size:

  const ROWS = 64u;
  const COLUMNS = 64u;

Race checks every shader before it times it. It also measures the roof, which is the
adapter's maximum speed: multiply-adds that wait for nothing.`,
		Example: "  wgslab race\n  wgslab race lessons/work/matmul.wgsl\n  wgslab race --json work/matmul.wgsl > race.json",
		RunE: func(cmd *cobra.Command, files []string) error {
			progress, finish := benchProgress(cmd)
			options := ladder.Options{N: n, Progress: progress}
			for _, file := range files {
				source, err := shader.ReadFile(file)
				if err != nil {
					return &codedError{exitAsked, fmt.Errorf("reading the shader: %w", err)}
				}
				options.Own = append(options.Own, ladder.Entry{Name: filepath.Base(file), Source: source})
			}
			device, err := gpu.Open(gpu.WithDeadline(time.Minute))
			if err != nil {
				return err
			}
			device = device.WithContext(cmd.Context())
			defer device.Close()
			table, err := ladder.Run(cmd.Context(), device, options)
			finish()
			if err != nil {
				return &codedError{exitAsked, err}
			}
			return writeRace(cmd, table, asJSON)
		},
	}
	command.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	command.Flags().IntVar(&n, "n", 0, "multiply n × n matrices, a multiple of 4 (default: a size that suits the adapter)")
	return command
}

// writeRace prints the table. If a shader of the learner is not right, the exit status is 1.
func writeRace(cmd *cobra.Command, table *ladder.Measured, asJSON bool) error {
	if asJSON {
		if err := printJSON(cmd.OutOrStdout(), table); err != nil {
			return err
		}
	} else {
		fmt.Fprint(cmd.OutOrStdout(), table.Text())
	}
	for _, r := range table.Rungs {
		if r.Own && r.Refused {
			return fmt.Errorf("%s cannot run here: this device's compiler does not take it, although WGSL allows it", r.Name)
		}
		if r.Own && r.Problem != "" {
			return &codedError{exitNotRight, fmt.Errorf("%s is not right", r.Name)}
		}
	}
	return nil
}
