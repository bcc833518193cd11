package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/wgslab/wgslab/internal/cost"
	"github.com/wgslab/wgslab/internal/debug/bufferspec"
	"github.com/wgslab/wgslab/internal/english"
	"github.com/wgslab/wgslab/internal/shader"
	"github.com/wgslab/wgslab/internal/sim"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

func newCostCommand() *cobra.Command {
	var asJSON bool
	var device, entry, workgroups string
	var binds []string
	command := &cobra.Command{
		Use:   "cost ID [FILE]",
		Short: "Count what your shader costs on a GPU, without one",
		Long: `Cost runs some workgroups of the shader in FILE in the simulator, on the large case of
the exercise ID, and counts: the memory that 32 neighbours move together and the least
that would do, bank conflicts, arithmetic, and who idles. From these counts it says how
long a GPU takes at least, which limit decides, and how the reference compares. The
default FILE is work/ID.wgsl, here or in notebooks/. You need no GPU.

With a dash instead of the ID it counts any shader with the buffers of --bind, for
bindings 0, 1, 2 and so on of @group(0); see wgslab simulate --help. There is no
reference then.

--device chooses the GPU: ` + strings.Join(cost.Names(), ", ") + `.

Exit codes: 0 counted, even if the shader is not right, 1 the shader does not run,
2 wrong usage.`,
		Example: `  wgslab cost matmul
  wgslab cost matmul-tiled exercises/matmul-tiled/reference.wgsl --device h100
  wgslab cost softmax --json | jq '.bound'
  wgslab cost - blur.wgsl --bind 0=f32[100000] --bind 1=f32[100000] --workgroups 1563`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			on, err := cost.FindDevice(device)
			if err != nil {
				return &codedError{exitAsked, err}
			}
			count := func() (*cost.Comparison, error) { return costOf(cmd, args, on) }
			if args[0] == "-" {
				count = func() (*cost.Comparison, error) { return costOfAny(cmd, args[1:], entry, workgroups, binds, on) }
			}
			c, err := count()
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
	command.Flags().StringArrayVar(&binds, "bind", nil, "a buffer, with - instead of an exercise")
	command.Flags().StringVar(&entry, "entry", shader.EntryPoint, "the entry point, with - instead of an exercise")
	command.Flags().StringVar(&workgroups, "workgroups", "1,1,1", "the number of workgroups in x, y and z, with - instead of an exercise")
	return command
}

// costOfAny counts a shader that is no exercise's.
func costOfAny(cmd *cobra.Command, files []string, entry, workgroups string, binds []string, on cost.GPU) (*cost.Comparison, error) {
	if len(files) != 1 {
		return nil, errors.New("name the shader's file after the dash")
	}
	text, err := shader.ReadFile(files[0])
	if err != nil {
		return nil, fmt.Errorf("reading the shader: %w", err)
	}
	source := shader.ReadWith(files[0], text, types.AllFeatures).At(entry)
	d := shader.Dispatch{}
	if d.Workgroups, err = bufferspec.ParseWorkgroups(workgroups); err != nil {
		return nil, fmt.Errorf("--workgroups %w", err)
	}
	given, err := bufferspec.ParseAll(binds)
	if err != nil {
		return nil, fmt.Errorf("--bind %w", err)
	}
	if d.Buffers, err = inOrder(source, given); err != nil {
		return nil, notRightIfRefused(err)
	}
	c, err := cost.Alone(cmd.Context(), source, d, on)
	return c, notRightIfRefused(err)
}

// inOrder returns the buffers of @group(0) by their bindings.
func inOrder(source *shader.Source, given []*bufferspec.Argument) ([]shader.Buffer, error) {
	program, err := bufferspec.Compile(source, source.EntryPoint(), nil, false)
	if err != nil {
		return nil, err
	}
	buffers := make([]shader.Buffer, len(given))
	for _, b := range given {
		if b.Group != 0 || int(b.Binding) >= len(given) {
			return nil, fmt.Errorf("--bind: there is a buffer for @group(%d) @binding(%d), and %s in all: costs need those of @group(0), numbered from 0 without a gap",
				b.Group, b.Binding, english.Count(len(given), "buffer", "buffers"))
		}
		if err := b.Fit(program); err != nil {
			return nil, fmt.Errorf("--bind %w", err)
		}
		buffers[b.Binding] = shader.Buffer{Element: elementOf(program, b), Bytes: b.Data}
	}
	return buffers, nil
}

// elementOf returns what a buffer's elements are; a uniform has none.
func elementOf(program *sim.Program, b *bufferspec.Argument) shader.Element {
	for _, p := range program.Bindings {
		if p.Group == b.Group && p.Number == b.Binding && p.Uniform {
			return shader.Words
		}
	}
	return shader.Element(types.ElemOf(b.Element).String())
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
