package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"github.com/wgslab/wgslab/internal/debug"
	"github.com/wgslab/wgslab/internal/debug/dap"
	"github.com/wgslab/wgslab/internal/debug/target"
	"github.com/wgslab/wgslab/internal/debug/terminal"
	"github.com/wgslab/wgslab/internal/judge"
	"github.com/wgslab/wgslab/internal/learner"
	"github.com/wgslab/wgslab/internal/lesson"
	"github.com/wgslab/wgslab/internal/shader"
)

// debugging is what was asked for.
type debugging struct {
	seed       uint64
	testCase   string
	entry      string
	workgroups string
	binds      []string
	writes     []string
}

func newDebugCommand() *cobra.Command {
	var asked debugging
	command := &cobra.Command{
		Use:   "debug ID [FILE]",
		Short: "Step through a shader, forward and back",
		Long: `Debug runs a shader in the simulator and stops where you want to look: at a
line, in any invocation, where something goes wrong, or where an element is
written. It steps forward and back, and shows what each invocation holds.

With the ID of an exercise it runs the first case that fails, or the first of
all; without FILE it takes work/ID.wgsl, here or in notebooks/. With a dash in
the place of the ID it runs any shader, with the buffers that --bind gives
(wgslab simulate --help says how).

In a terminal it fills the screen; otherwise it reads a command from each line
of its input. The command help tells which there are.`,
		Example: `  wgslab debug vector-add
  wgslab debug matmul my-try.wgsl --seed 7 --write 'out[63]'
  wgslab debug - try.wgsl --bind 0=f32[64] --workgroups 2
  printf 'break 9 if i == 3u\nrun\nlocals\n' | wgslab debug row-max`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !cmd.Flags().Changed("seed") {
				asked.seed = judge.FreshSeed()
			}
			t, err := asked.target(cmd, args)
			if err != nil {
				return err
			}
			s, err := debug.New(cmd.Context(), t)
			if err != nil {
				return err
			}
			if typed, ok := cmd.InOrStdin().(*os.File); ok && isTerminal(typed) && isTerminal(cmd.OutOrStdout()) {
				return terminal.Screen(cmd.Context(), s, cmd.InOrStdin(), cmd.OutOrStdout())
			}
			return terminal.Lines(cmd.Context(), s, cmd.InOrStdin(), cmd.OutOrStdout())
		},
	}
	flags := command.Flags()
	flags.Uint64Var(&asked.seed, "seed", 0, "draw the cases from this seed (default: a new one each time)")
	flags.StringVar(&asked.testCase, "case", "", "the name of the case to run (default: the first that fails)")
	flags.StringArrayVar(&asked.writes, "write", nil, "stop where this element is written: out[63]")
	flags.StringVar(&asked.entry, "entry", shader.EntryPoint, "the entry point, where - stands for the exercise")
	flags.StringVar(&asked.workgroups, "workgroups", "1,1,1", "how many workgroups in x, y and z, where - stands for the exercise")
	flags.StringArrayVar(&asked.binds, "bind", nil, "a buffer, where - stands for the exercise")
	return command
}

// target is the case of an exercise, or with a dash the shader with buffers of its own.
func (asked *debugging) target(cmd *cobra.Command, args []string) (*debug.Target, error) {
	if args[0] == "-" {
		if len(args) == 1 {
			return nil, errors.New("behind the dash comes the file with the shader")
		}
		text, err := learner.ReadShader(args[1])
		if err != nil {
			return nil, err
		}
		t, err := target.File(args[1], text, asked.entry, asked.workgroups, asked.binds)
		if err == nil {
			t.Writes = asked.writes
		}
		return t, err
	}
	exercise, err := lesson.Find(args[0])
	if err != nil {
		return nil, err
	}
	path := shaderPath(args)
	text, err := learner.ReadShader(path)
	if err != nil {
		return nil, err
	}
	t, err := target.Exercise(cmd.Context(), exercise, path, text, asked.seed, asked.testCase, asked.writes)
	if err == nil {
		t.Title = fmt.Sprintf("%s, seed %d", t.Title, asked.seed)
	}
	return t, err
}

func newDapCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "dap",
		Short: "Let an editor debug shaders (Debug Adapter Protocol)",
		Long: `Dap speaks the Debug Adapter Protocol on its standard input and output, so
that an editor can step through shaders. docs/debug.md says how VS Code,
Neovim and Emacs are set up for it.

The arguments of a launch request are program, the path of the shader, and
  exercise, seed, case          a case of an exercise; or
  bind, workgroups, entry       buffers as wgslab simulate takes them
and besides write, a list of elements such as out[63], and stopOnEntry.`,
		Example: `  wgslab dap   # started by an editor`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return dap.Serve(cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout())
		},
	}
}
