package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/wgslab/wgslab/internal/course/cases"
	"github.com/wgslab/wgslab/internal/ground/view"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/machine/sim"
	"github.com/wgslab/wgslab/internal/observe/memtrace"
)

func newTraceCommand() *cobra.Command {
	var asJSON bool
	var run fileRun
	command := &cobra.Command{
		Use:   "trace FILE | ID [FILE]",
		Short: "Show how your shader uses memory: who reads what, and who waits",
		Long: `Trace runs a shader in the simulator, and shows who reads and writes which element
and how often, which accesses are coalesced, where banks of workgroup memory conflict,
and who works between the barriers. You need no GPU. --json prints the numbers that
the pictures show.

FILE is any shader, with what --bind and --override give it; see wgslab simulate --help.
Several --pass run one after the other on the same buffers, and each has its own
pictures. Few elements show as much as many: it keeps the first 400,000 accesses.

With the ID of an exercise, trace runs a small case of it. The default FILE is then
work/ID.wgsl, here or in lessons/.

Exit codes: 0 traced, even if the shader is not right, 1 the shader does not run,
2 wrong usage.`,
		Example: `  wgslab trace matmul
  wgslab trace matmul-tiled exercises/matmul-tiled/reference.wgsl
  wgslab trace row-max --json | jq '.phases[].working'
  wgslab trace capture.wgpuc --dispatch 3
  wgslab trace blur.wgsl --bind 0=f32[256] --bind 1=f32[256] --workgroups 4`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			file, err := ownFile(args)
			if err != nil {
				return err
			}
			if file != "" {
				return eachPass(cmd, file, run, func(source *shader.Source, p *sim.BoundProgram) error {
					t, err := memtrace.Alone(cmd.Context(), source, p)
					if err != nil {
						return err
					}
					return printTrace(cmd, t, asJSON)
				})
			}
			if err := refuseFlags(cmd, withFile, runFlags...); err != nil {
				return &codedError{exitAsked, err}
			}
			t, err := traceShader(cmd, args)
			if err != nil {
				return err
			}
			return printTrace(cmd, t, asJSON)
		},
	}
	command.Flags().BoolVar(&asJSON, "json", false, "print the facts as JSON, one line for each pass")
	addRunFlags(command, &run)
	return command
}

func printTrace(cmd *cobra.Command, t *memtrace.Trace, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(cmd.OutOrStdout()).Encode(t)
	}
	var said []string
	for _, drawn := range view.Drawn("The pictures", func() []view.View { return memtrace.Of(t) }) {
		said = append(said, view.Text(drawn))
	}
	_, err := fmt.Fprintln(cmd.OutOrStdout(), strings.Join(said, "\n\n"))
	return err
}

// traceShader traces the shader that the arguments name. As with check, a shader that does not run
// counts as not right.
func traceShader(cmd *cobra.Command, args []string) (*memtrace.Trace, error) {
	exercise, source, err := exerciseShader(cmd, args, "traced")
	if err != nil {
		return nil, err
	}
	t, err := cases.Trace(cmd.Context(), exercise, source)
	return t, notRightIfRefused(err)
}
