package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/wgslab/wgslab/internal/engine"
	"github.com/wgslab/wgslab/internal/judge"
	"github.com/wgslab/wgslab/internal/learner"
	"github.com/wgslab/wgslab/internal/lesson"
	"github.com/wgslab/wgslab/internal/verdict"
)

func newCheckCommand() *cobra.Command {
	var asJSON bool
	var seed uint64
	var asked string
	command := &cobra.Command{
		Use:   "check ID [FILE]",
		Short: "Check a shader against an exercise",
		Long: `Check runs the shader in FILE against the exercise ID and says whether it is
right, and if not, why. Without FILE it takes work/ID.wgsl, here or in notebooks/.

The values come from the GPU, or else a CPU driver, or else the simulator; --engine
chooses. In the small cases the simulator watches as well: races, accesses out of
bounds and loops without end show there, whatever the values are.

Exit codes: 0 right, 1 not right, 2 asked wrongly, 3 the engine asked for is not here.`,
		Example: `  wgslab check vector-add
  wgslab check add my-try.wgsl --json
  wgslab check matmul --seed 7   # the same cases again
  wgslab check relu --engine simulator`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			exercise, err := lesson.Find(args[0])
			if err != nil {
				return err
			}
			if exercise == lesson.Forward {
				return fmt.Errorf("%s is written in Go: run its check cell in notebooks/06-forward.ipynb", exercise.ID)
			}
			choice, err := engine.Choose(asked)
			if err != nil {
				return err
			}
			if !cmd.Flags().Changed("seed") {
				seed = judge.FreshSeed()
			}
			v, source, err := checkShader(cmd, exercise, choice, shaderPath(args), seed)
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
	command.Flags().StringVar(&asked, "engine", string(engine.Auto), "what runs the shader: "+engine.List())
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

func checkShader(cmd *cobra.Command, exercise *lesson.Exercise, choice engine.Choice, path string, seed uint64) (*verdict.Verdict, string, error) {
	source, err := learner.ReadShader(path)
	if err != nil {
		return nil, "", err
	}
	on, err := engine.Open(cmd.Context(), choice)
	if err != nil {
		return nil, "", err
	}
	defer on.Close()
	v, err := judge.Run(cmd.Context(), on.Engines, exercise, path, source, seed)
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
