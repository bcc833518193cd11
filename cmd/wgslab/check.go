package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/wgslab/wgslab/internal/engine/native"
	"github.com/wgslab/wgslab/internal/judge"
	"github.com/wgslab/wgslab/internal/learner"
	"github.com/wgslab/wgslab/internal/lesson"
	"github.com/wgslab/wgslab/internal/verdict"
	"github.com/wgslab/wgslab/pkg/gpu"
)

func newCheckCommand() *cobra.Command {
	var asJSON bool
	var seed uint64
	command := &cobra.Command{
		Use:   "check ID [FILE]",
		Short: "Check a shader against an exercise",
		Long: `Check runs the shader in FILE against the exercise ID and says whether it is
right, and if not, why. Without FILE it takes work/ID.wgsl, here or in notebooks/.

Exit codes: 0 right, 1 not right, 2 asked wrongly, 3 no usable adapter.`,
		Example: `  wgslab check vector-add
  wgslab check add my-try.wgsl --json
  wgslab check matmul --seed 7   # the same cases again`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			exercise, err := lesson.Find(args[0])
			if err != nil {
				return err
			}
			if exercise == lesson.Forward {
				return fmt.Errorf("%s is written in Go: run its check cell in notebooks/06-forward.ipynb", exercise.ID)
			}
			if !cmd.Flags().Changed("seed") {
				seed = judge.FreshSeed()
			}
			v, source, err := checkShader(cmd, exercise, shaderPath(args), seed)
			if err != nil {
				return err
			}
			if len(args) == 1 { // the learner's own file, not some other
				if err := learner.Record(workFolder(), learner.TryOf(v, source)); err != nil {
					fmt.Fprintln(cmd.ErrOrStderr(), "wgslab: this try is not kept:", err)
				}
			}
			if err := printVerdict(cmd, v, asJSON); err != nil {
				return err
			}
			if !v.Passed() {
				return &codedError{code: exitNotRight}
			}
			return nil
		},
	}
	command.Flags().BoolVar(&asJSON, "json", false, "print the verdict as JSON")
	command.Flags().Uint64Var(&seed, "seed", 0, "draw the cases from this seed (default: a new one each time)")
	return command
}

// shaderPath is the file named, or the exercise's own.
func shaderPath(args []string) string {
	if len(args) == 2 {
		return args[1]
	}
	return filepath.Join(workFolder(), filepath.Base(learner.ShaderPath(args[0])))
}

func checkShader(cmd *cobra.Command, exercise *lesson.Exercise, path string, seed uint64) (*verdict.Verdict, string, error) {
	source, err := learner.ReadShader(path)
	if err != nil {
		return nil, "", err
	}
	device, err := gpu.Open()
	if err != nil {
		return nil, "", err
	}
	device = device.WithContext(cmd.Context())
	defer device.Close()
	v, err := judge.Run(cmd.Context(), native.On(device), exercise, path, source, seed)
	return v, source, err
}

func printVerdict(cmd *cobra.Command, v *verdict.Verdict, asJSON bool) error {
	if !asJSON {
		_, err := fmt.Fprintln(cmd.OutOrStdout(), v.Text())
		return err
	}
	encoder := json.NewEncoder(cmd.OutOrStdout())
	encoder.SetIndent("", "  ")
	return encoder.Encode(v)
}
