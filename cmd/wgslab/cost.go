package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/wgslab/wgslab/internal/course/goals"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/machine/sim"
	"github.com/wgslab/wgslab/internal/observe/anyshader"
	"github.com/wgslab/wgslab/internal/observe/cost"
)

func newCostCommand() *cobra.Command {
	var asJSON bool
	var device string
	var run fileRun
	command := &cobra.Command{
		Use:   "cost FILE | ID [FILE]",
		Short: "Count what your shader costs on a GPU, without one",
		Long: `Cost runs some workgroups of a shader in the simulator, and counts: the memory that 32
neighbours move together and the least that would do, bank conflicts, arithmetic, and who
idles. From these counts it says how long a GPU takes at least, and which limit decides.
You need no GPU.

FILE is any shader, with what --bind and --override give it; see wgslab simulate --help.
A texel counts with the bytes of its format, as if texels lay row after row; what a
sampler reads isn't counted. Several --pass run one after the other on the same buffers,
and each has its own counts; their times are added up at the end.

With the ID of an exercise, cost runs its large case and compares with the reference.
The default FILE is then work/ID.wgsl, here or in lessons/.

--device chooses the GPU: ` + strings.Join(cost.Names(), ", ") + `.

Exit codes: 0 counted, even if the shader is not right, 1 the shader does not run,
2 wrong usage.`,
		Example: `  wgslab cost matmul
  wgslab cost matmul-tiled exercises/matmul-tiled/reference.wgsl --device h100
  wgslab cost softmax --json | jq '.bound'
  wgslab cost scan.wgsl --bind 0=u32[1000] --bind 1=u32[4] --pass scan_blocks=4 --pass add_sums=4
  wgslab cost capture.wgpuc --dispatch 3
  wgslab cost blur.wgsl --bind 0=f32[100000] --bind 1=f32[100000] --workgroups 1563`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			on, err := cost.FindDevice(device)
			if err != nil {
				return &codedError{exitAsked, err}
			}
			file, err := ownFile(args)
			if err != nil {
				return err
			}
			if file != "" {
				all, err := costOfAny(cmd, file, run, on)
				if err != nil {
					return err
				}
				return printCosts(cmd.OutOrStdout(), all, asJSON)
			}
			if err := refuseFlags(cmd, withFile, runFlags...); err != nil {
				return &codedError{exitAsked, err}
			}
			c, err := costOf(cmd, args, on)
			if err != nil {
				return err
			}
			return printCosts(cmd.OutOrStdout(), []*cost.Comparison{c}, asJSON)
		},
	}
	command.Flags().BoolVar(&asJSON, "json", false, "print the counts as JSON")
	command.Flags().StringVar(&device, "device", cost.Usual, "the GPU for which to compute the time")
	addRunFlags(command, &run)
	return command
}

// printCosts prints the costs of passes, and their sum if there are several.
func printCosts(to io.Writer, all []*cost.Comparison, asJSON bool) error {
	switch {
	case asJSON && len(all) == 1:
		return json.NewEncoder(to).Encode(all[0])
	case asJSON:
		return json.NewEncoder(to).Encode(all)
	}
	sum := 0.0
	var texts []string
	for _, c := range all {
		texts = append(texts, c.Text())
		sum += c.Bound.Seconds
	}
	if len(all) > 1 {
		texts = append(texts, fmt.Sprintf("All %d passes: at least %s on %s.\n", len(all), cost.Duration(sum), all[0].Device.Title))
	}
	_, err := fmt.Fprint(to, strings.Join(texts, "\n"))
	return err
}

// costOfAny counts each pass of a shader that is no exercise's.
func costOfAny(cmd *cobra.Command, file string, run fileRun, on cost.GPU) ([]*cost.Comparison, error) {
	var all []*cost.Comparison
	err := eachPass(cmd, file, run, func(source *shader.Source, p *sim.BoundProgram) error {
		c, err := cost.Alone(cmd.Context(), source, p, on)
		all = append(all, c)
		return err
	})
	return all, err
}

// eachPass gives visit the passes of a shader that is no exercise's, each with the buffers that the
// ones before it leave. As with check, a shader that does not run counts as not right.
func eachPass(cmd *cobra.Command, file string, run fileRun, visit func(*shader.Source, *sim.BoundProgram) error) error {
	d, _, err := run.read(cmd, file)
	if err != nil {
		return err
	}
	for i := range d.Passes {
		pass, nothing, err := d.Prepare(i, false)
		if nothing != nil {
			err = errors.New(nothing.Message)
		}
		if err == nil {
			err = visit(d.Source.At(d.Passes[i].Entry), pass)
		}
		if err == nil && i+1 < len(d.Passes) {
			err = anyshader.Finish(cmd.Context(), pass)
		}
		if err != nil {
			return notRightIfRefused(err)
		}
	}
	return nil
}

// costOf counts the shader that the arguments name. As with check, a shader that does not run
// counts as not right.
func costOf(cmd *cobra.Command, args []string, on cost.GPU) (*cost.Comparison, error) {
	exercise, source, err := exerciseShader(cmd, args, "counted")
	if err != nil {
		return nil, err
	}
	c, err := goals.Compare(cmd.Context(), exercise, source, on)
	return c, notRightIfRefused(err)
}
