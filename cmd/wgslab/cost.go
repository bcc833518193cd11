package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/wgslab/wgslab/internal/cost"
)

func newCostCommand() *cobra.Command {
	var asJSON bool
	var device string
	command := &cobra.Command{
		Use:   "cost ID [FILE]",
		Short: "Count what your shader costs on a GPU, without one",
		Long: `Cost runs some workgroups of the shader in FILE in the simulator, on the large case of
the exercise ID, and counts: the memory that 32 neighbours move together and the least
that would do, bank conflicts, arithmetic, and who idles. From these counts it says how
long a GPU takes at least, which limit decides, and how the reference compares. The
default FILE is work/ID.wgsl, here or in notebooks/. You need no GPU.

--device chooses the GPU: ` + strings.Join(cost.Names(), ", ") + `.

Exit codes: 0 counted, even if the shader is not right, 1 the shader does not run,
2 wrong usage.`,
		Example: `  wgslab cost matmul
  wgslab cost matmul-tiled exercises/matmul-tiled/reference.wgsl --device h100
  wgslab cost softmax --json | jq '.bound'`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			on, err := cost.FindDevice(device)
			if err != nil {
				return &codedError{exitAsked, err}
			}
			c, err := costOf(cmd, args, on)
			if err != nil {
				return err
			}
			if asJSON {
				return json.NewEncoder(cmd.OutOrStdout()).Encode(c)
			}
			_, err = fmt.Fprint(cmd.OutOrStdout(), c.Text())
			return err
		},
	}
	command.Flags().BoolVar(&asJSON, "json", false, "print the counts as JSON")
	command.Flags().StringVar(&device, "device", cost.Usual, "the GPU for which to compute the time")
	return command
}

// costOf counts the shader that the arguments name. As with check, a shader that does not run
// counts as not right.
func costOf(cmd *cobra.Command, args []string, on cost.GPU) (*cost.Comparison, error) {
	exercise, source, err := exerciseShader(args, "counted")
	if err != nil {
		return nil, err
	}
	c, err := cost.Compare(cmd.Context(), exercise, source, on)
	return c, notRightIfRefused(err)
}
