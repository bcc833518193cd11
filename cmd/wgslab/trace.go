package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/wgslab/wgslab/internal/debug/memtrace"
	"github.com/wgslab/wgslab/internal/debug/memtrace/picture"
)

func newTraceCommand() *cobra.Command {
	var asJSON bool
	command := &cobra.Command{
		Use:   "trace ID [FILE]",
		Short: "Show how your shader uses memory: who reads what, and who waits",
		Long: `Trace runs the shader in FILE in the simulator, on a small case of the exercise ID,
and shows who reads and writes which element and how often, which accesses are
coalesced, where banks of workgroup memory conflict, and who works between the
barriers. The default FILE is work/ID.wgsl, here or in notebooks/. You need no GPU.
--json prints the numbers that the pictures show.

Exit codes: 0 traced, even if the shader is not right, 1 the shader does not run,
2 wrong usage.`,
		Example: `  wgslab trace matmul
  wgslab trace matmul-tiled exercises/matmul-tiled/reference.wgsl
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
			beside(cmd, "The pictures", func() {
				for _, view := range picture.Of(t) {
					said = append(said, view.Text())
				}
			})
			_, err = fmt.Fprintln(cmd.OutOrStdout(), strings.Join(said, "\n\n"))
			return err
		},
	}
	command.Flags().BoolVar(&asJSON, "json", false, "print the facts as JSON")
	return command
}

// traceShader traces the shader that the arguments name. As with check, a shader that does not run
// counts as not right.
func traceShader(cmd *cobra.Command, args []string) (*memtrace.Trace, error) {
	exercise, source, err := exerciseShader(args, "traced")
	if err != nil {
		return nil, err
	}
	t, err := memtrace.Of(cmd.Context(), exercise, source)
	return t, notRightIfRefused(err)
}
