package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/wgslab/wgslab/internal/learner"
	"github.com/wgslab/wgslab/internal/lesson"
	"github.com/wgslab/wgslab/internal/shader"
	"github.com/wgslab/wgslab/internal/trace"
	pictures "github.com/wgslab/wgslab/pkg/trace"
)

func newTraceCommand() *cobra.Command {
	var asJSON bool
	command := &cobra.Command{
		Use:   "trace ID [FILE]",
		Short: "See what your shader does with memory: who reads what, and who waits",
		Long: `Trace runs the shader in FILE in the simulator, on a small case of the exercise ID,
and shows who reads and writes which element and how often, which accesses of
neighbours fall into one line of memory or collide in a bank of workgroup memory,
and who works between the barriers. Without FILE it takes work/ID.wgsl, here or in
notebooks/. No GPU is needed. --json prints the facts behind the pictures.

Exit codes: 0 traced, whether the shader is right or not, 1 the shader does not run,
2 asked wrongly.`,
		Example: `  wgslab trace matmul
  wgslab trace matmul-tiled shaders/matmul-tiled.wgsl
  wgslab trace row-max --json | jq '.phases[].working'`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			t, err := traceShader(cmd, args)
			if err != nil {
				return err
			}
			if asJSON {
				return json.NewEncoder(cmd.OutOrStdout()).Encode(t)
			}
			var said []string
			for _, view := range pictures.Views(t) {
				said = append(said, view.Text())
			}
			_, err = fmt.Fprintln(cmd.OutOrStdout(), strings.Join(said, "\n\n"))
			return err
		},
	}
	command.Flags().BoolVar(&asJSON, "json", false, "print the facts as JSON")
	return command
}

// traceShader traces the shader that was named. One that does not run is not
// right, as with check.
func traceShader(cmd *cobra.Command, args []string) (*trace.Trace, error) {
	exercise, err := lesson.Find(args[0])
	if err != nil {
		return nil, err
	}
	if exercise == lesson.Forward {
		return nil, fmt.Errorf("%s is written in Go: only shaders can be traced", exercise.ID)
	}
	path := shaderPath(args)
	source, err := learner.ReadShader(path)
	if err != nil {
		return nil, err
	}
	t, err := trace.Of(cmd.Context(), exercise, path, source)
	var mistake *shader.CompileError
	var misfit *shader.BindError
	var endless *shader.EndlessError
	if errors.As(err, &mistake) || errors.As(err, &misfit) || errors.As(err, &endless) {
		return nil, &codedError{exitNotRight, err}
	}
	return t, err
}
