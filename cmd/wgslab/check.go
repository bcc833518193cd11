package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/cases"
	"github.com/wgslab/wgslab/internal/course/host"
	"github.com/wgslab/wgslab/internal/course/judge"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/course/learner"
	"github.com/wgslab/wgslab/internal/course/session"
	"github.com/wgslab/wgslab/internal/ground/view"
	"github.com/wgslab/wgslab/internal/machine/engine"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

func newCheckCommand() *cobra.Command {
	var asJSON, all bool
	var seed uint64
	var asked string
	command := &cobra.Command{
		Use:   "check ID [FILE]",
		Short: "Check a shader or a host program against an exercise",
		Long: `Check runs the shader in FILE against the exercise ID and says whether it is right and,
if not, why. FILE defaults to work/ID.wgsl, here or in lessons/; - is standard input.

The GPU computes the values; without one, a CPU driver does, and otherwise the simulator.
--engine overrides this choice. The simulator also runs the small cases to catch races,
out-of-bounds accesses and endless loops, even when all values are right.

An exercise of the host's calls is checked in the same way: FILE is then a program in Go
(FILE.go) or JavaScript (FILE.js), by default work/ID.go, which a check cell saves, or
work/ID.js. Its shaders are those in work/. Go builds such a program with the packages of
the course's clone. JavaScript runs without a browser. Below the verdict is what the calls
did, step by step; --json has it as calls.

A comment "// print: i, a[i]" in the shader shows these values for each invocation;
"// print if i == 3u: a[i]" shows them where the condition holds. A comment
"// subgroups: 8" sets the size of subgroups in the simulator.

Exit codes: 0 right, 1 not right, 2 wrong usage, 3 the requested engine is not available.`,
		Example: `  wgslab check vector-add
  wgslab check add my-try.wgsl --json
  wgslab check host-add my-host.go
  wgslab check matmul --seed 7   # the same cases again
  wgslab check relu --engine simulator
  wgslab check softmax --all     # and how the number came to be, all cases, what else was seen
  wgslab exercise show add wrong/minus | wgslab check add -`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			exercise, err := course.Find(args[0])
			if err != nil && len(args) == 1 && looksLikeFile(args[0]) {
				return fmt.Errorf("check takes an exercise before the file: wgslab check ID %[1]s. For a shader of your own, write wgslab test %[1]s", args[0])
			}
			if err != nil {
				return err
			}
			kind, err := shader.ParseKind(asked)
			if err != nil {
				return err
			}
			if !cmd.Flags().Changed("seed") {
				seed = judge.FreshSeed()
			}
			if exercise.IsOnHost() {
				return checkHost(cmd, exercise, args, kind, seed, asJSON, all)
			}
			source, err := readTry(cmd, args)
			if err != nil {
				return err
			}
			on, err := engine.Open(cmd.Context(), kind)
			if err != nil {
				return err
			}
			defer on.Close()
			var written error
			s := session.Session{
				Open:    func(context.Context) (*engine.Opened, error) { return on, nil },
				Verdict: func(v *verdict.Verdict) { written = printVerdict(cmd.OutOrStdout(), v, asJSON, all) },
				Display: func(views ...view.View) {
					for _, shown := range views {
						fmt.Fprintf(cmd.OutOrStdout(), "\n%s\n", view.Text(shown))
					}
				},
				Record: func(try learner.Try) view.View { return record(cmd, args, try) },
			}
			if !asJSON {
				s.Prints = cases.PrintsAfterCheck
			}
			v, err := s.Check(cmd.Context(), exercise, source, seed)
			if err = cmp.Or(err, written); err != nil {
				return err
			}
			return notRight(v)
		},
	}
	command.Flags().BoolVar(&asJSON, "json", false, "print the verdict as JSON")
	command.Flags().BoolVar(&all, "all", false, "print everything that the check knows, not only the most helpful")
	command.Flags().StringVar(&asked, "engine", "auto", "what runs the shader: "+shader.KindNames)
	command.Flags().Uint64Var(&seed, "seed", 0, "draw the cases from this seed (default: random)")
	return command
}

// checkHost checks a program for an exercise of the host's calls.
func checkHost(cmd *cobra.Command, exercise *course.Exercise, args []string, kind shader.AdapterKind, seed uint64, asJSON, all bool) error {
	file, err := findHostFile(exercise, args)
	if err != nil {
		return err
	}
	r, err := file.check(cmd, kind, seed)
	if err != nil {
		return err
	}
	switch {
	case asJSON:
		err = printJSON(cmd.OutOrStdout(), r.Verdict)
	case all:
		_, err = fmt.Fprint(cmd.OutOrStdout(), r.All, "\n", r.Below)
	default:
		_, err = fmt.Fprint(cmd.OutOrStdout(), r.Brief, "\n", r.Below)
	}
	if err != nil {
		return err
	}
	record(cmd, args, learner.TryOf(r.Verdict, file.Text))
	if len(args) == 1 && r.Verdict.Passed() {
		if err := host.Keep(exercise.ID, workFolder(), file.Path, file.Text); err != nil {
			return err
		}
	}
	return notRight(r.Verdict)
}

// record writes a try to the learner's journal, unless the arguments name another file.
func record(cmd *cobra.Command, args []string, try learner.Try) view.View {
	if len(args) == 1 {
		if err := learner.Record(workFolder(), try); err != nil {
			fmt.Fprintln(cmd.ErrOrStderr(), "wgslab: this try was not recorded:", err)
		}
	}
	return nil
}

// notRight returns the error whose exit code says that a verdict is not right, or nil.
func notRight(v *verdict.Verdict) error {
	if !v.Passed() {
		return &codedError{code: exitNotRight}
	}
	return nil
}

// shaderPath returns the file in the arguments, or the exercise's own file.
func shaderPath(args []string) string {
	if len(args) == 2 {
		return args[1]
	}
	return filepath.Join(workFolder(), filepath.Base(learner.ShaderPath(args[0])))
}

// readTry reads the shader that the arguments name: a file, or standard input.
func readTry(cmd *cobra.Command, args []string) (*shader.Source, error) {
	path := shaderPath(args)
	if path == standardInput {
		text, err := readShader(path, cmd.InOrStdin())
		return shader.Read(standardInputName, text), err
	}
	text, err := learner.ReadShader(path)
	return shader.Read(path, text), err
}

// exerciseShader returns the exercise and the shader that the arguments name. It refuses exercises
// in Go: only shaders can be counted or traced.
func exerciseShader(cmd *cobra.Command, args []string, can string) (*course.Exercise, *shader.Source, error) {
	exercise, err := course.Find(args[0])
	if err != nil {
		return nil, nil, err
	}
	if exercise.IsOnHost() {
		return nil, nil, fmt.Errorf("%s is written in Go: only shaders can be %s", exercise.ID, can)
	}
	source, err := readTry(cmd, args)
	return exercise, source, err
}

// notRightIfRefused gives the error of a shader that does not run the exit code of one that is not
// right, as check does.
func notRightIfRefused(err error) error {
	var mistake *shader.CompileError
	var misfit *shader.BindError
	var endless *shader.EndlessError
	if errors.As(err, &mistake) || errors.As(err, &misfit) || errors.As(err, &endless) {
		return &codedError{exitNotRight, err}
	}
	return err
}

// printJSON prints a value for a program.
func printJSON(w io.Writer, value any) error {
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	return encoder.Encode(value)
}

// printVerdict prints a verdict for a program or a person.
func printVerdict(w io.Writer, v *verdict.Verdict, asJSON, all bool) error {
	switch {
	case asJSON:
		return printJSON(w, v)
	case all:
		_, err := fmt.Fprintln(w, v.Text())
		return err
	}
	_, err := fmt.Fprintln(w, v.Brief())
	return err
}
