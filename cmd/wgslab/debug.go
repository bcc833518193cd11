package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/cases"
	"github.com/wgslab/wgslab/internal/course/judge"
	"github.com/wgslab/wgslab/internal/course/learner"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/observe/anyshader"
	"github.com/wgslab/wgslab/internal/observe/dap"
	"github.com/wgslab/wgslab/internal/observe/debug"
	"github.com/wgslab/wgslab/internal/observe/terminal"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// debugOptions holds the flags of wgslab debug.
type debugOptions struct {
	seed     uint64
	testCase string
	dispatch fileRun // of a file
	breaks   []string
}

func newDebugCommand() *cobra.Command {
	var options debugOptions
	command := &cobra.Command{
		Use:   "debug FILE | ID [FILE]",
		Short: "Step through a shader, forward and back",
		Long: `Debug runs a shader in the simulator and stops where you want to look: at a
line, in any invocation, at an error, or when an element is written. It steps
forward and back, and shows the values of each invocation.

FILE is any shader, with the buffers of --bind and the values of --override; see
wgslab simulate --help. Of several --pass it steps through the last one, on the buffers
that the others leave.

With the ID of an exercise it runs the first case that fails, or one with many elements
if all pass. Without FILE it then takes work/ID.wgsl, here or in lessons/.

In a terminal it fills the screen; otherwise it reads one command from each line
of its input. Type help for a list of the commands.`,
		Example: `  wgslab debug vector-add
  wgslab debug matmul my-try.wgsl --seed 7 --write 'out[63]'
  wgslab debug matmul --break '27 if i == 3u'
  wgslab debug try.wgsl --bind 0=f32[64] --workgroups 2
  wgslab debug capture.wgpuc --dispatch 3
  wgslab debug tiles.wgsl --override SIZE=16 --bind 0=f32[256]
  wgslab debug scan.wgsl --bind 0=u32[1000] --bind 1=u32[4] --pass scan_blocks=4 --pass add_sums=4
  printf 'break 9 if i == 3u\nrun\nlocals\n' | wgslab debug row-max`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !cmd.Flags().Changed("seed") {
				options.seed = judge.FreshSeed()
			}
			t, err := options.target(cmd, args)
			if err != nil {
				return err
			}
			s, err := debug.New(cmd.Context(), t)
			if err == nil {
				err = breakOn(s, options.breaks)
			}
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
	flags.Uint64Var(&options.seed, "seed", 0, "draw the cases from this seed (default: a new one each time)")
	flags.StringVar(&options.testCase, "case", "", "the name of the case to run (default: the first that fails)")
	flags.StringArrayVar(&options.dispatch.Writes, "write", nil, "stop when this element is written, such as out[63]")
	flags.StringArrayVar(&options.breaks, "break", nil, "stop on this line, such as 12 or '12 if i == 3u'")
	addRunFlags(command, &options.dispatch)
	return command
}

// addRunFlags adds the flags that say how to run a shader without an exercise.
func addRunFlags(command *cobra.Command, run *fileRun) {
	const instead = ", " + withFile
	flags := command.Flags()
	flags.StringVar(&run.Entry, "entry", "", "the entry point (default: main, or the only one)"+instead)
	flags.StringVar(&run.Workgroups, "workgroups", "1,1,1", "the number of workgroups in x, y and z, or @N for those in a buffer"+instead)
	flags.StringArrayVar(&run.Passes, "pass", nil, "an entry point and its workgroups, ENTRY=X,Y,Z; several run one after the other"+instead)
	flags.StringArrayVar(&run.Binds, "bind", nil, "a buffer, texture or sampler"+instead)
	flags.StringArrayVar(&run.Overrides, "override", nil, "a value for an override, NAME=VALUE"+instead)
	addFileFlags(command, run)
	for _, single := range []string{"entry", "workgroups"} {
		command.MarkFlagsMutuallyExclusive("pass", single)
	}
}

// breakOn sets breakpoints: each is a line, perhaps with a condition, such as 12 if i == 3u.
func breakOn(s *debug.Session, places []string) error {
	var list []*debug.Breakpoint
	for _, place := range places {
		line, condition, _ := strings.Cut(place, " if ")
		number, err := strconv.Atoi(strings.TrimSpace(line))
		if err != nil {
			return fmt.Errorf("--break %q: write a line, such as 12, or 12 if i == 3u", place)
		}
		list = append(list, &debug.Breakpoint{Line: number, Condition: strings.TrimSpace(condition)})
	}
	s.SetBreakpoints(list)
	for _, b := range list {
		if !b.Set {
			return fmt.Errorf("line %d: %s", b.Line, b.Problem)
		}
	}
	return nil
}

// target returns the dispatch to debug: a case of an exercise, or any shader.
func (options *debugOptions) target(cmd *cobra.Command, args []string) (*debug.Target, error) {
	file, err := ownFile(args)
	if err != nil {
		return nil, err
	}
	if file != "" {
		if err := refuseFlags(cmd, "with an exercise instead of a file", "seed", "case"); err != nil {
			return nil, err
		}
		return options.file(cmd, file)
	}
	if err := refuseFlags(cmd, withFile, runFlags...); err != nil {
		return nil, err
	}
	exercise, err := course.Find(args[0])
	if err != nil {
		return nil, err
	}
	path := shaderPath(args)
	text, err := learner.ReadShader(path)
	if err != nil {
		return nil, err
	}
	t, err := cases.Target(cmd.Context(), exercise, shader.Read(path, text), options.seed, options.testCase, options.dispatch.Writes)
	if err == nil {
		t.Title = fmt.Sprintf("%s, seed %d", t.Title, options.seed)
	}
	return t, err
}

// file returns what to debug of a file without an exercise.
func (options *debugOptions) file(cmd *cobra.Command, path string) (*debug.Target, error) {
	d, captured, err := options.dispatch.read(cmd, path)
	if err != nil {
		return nil, err
	}
	t, err := anyshader.LastPass(cmd.Context(), d, options.dispatch.Writes)
	if err == nil && captured != nil {
		t.Title = title(path, captured)
	}
	return t, err
}

// runFlags are the names of the flags of addRunFlags.
var runFlags = append([]string{"dispatch"}, typed...)

// refuseFlags returns an error if the command line has one of the flags: it would change nothing.
func refuseFlags(cmd *cobra.Command, works string, names ...string) error {
	for _, name := range names {
		if cmd.Flags().Changed(name) {
			return fmt.Errorf("--%s works only %s", name, works)
		}
	}
	return nil
}

func newDapCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "dap",
		Short: "Let an editor debug shaders (Debug Adapter Protocol)",
		Long: `Dap speaks the Debug Adapter Protocol on its standard input and output, so
that an editor can step through shaders. See docs/debug.md for how to set up
VS Code, Neovim and Emacs.

The arguments of a launch request are program, the path of the shader, and
either
  exercise, seed, case                  for a case of an exercise, or
  bind, override, workgroups, entry     for buffers as in wgslab simulate, or
  bind, override, pass                  for several passes, of which the last is debugged.
A shader of no exercise may be a template: define and variant are -D and --variant of
the other commands. Three more are optional: write, a list of elements such as out[63],
stopOnEntry, and noDebug, which runs to the end without a stop.`,
		Example: `  wgslab dap   # an editor starts it`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return dap.Serve(cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout(), loadTemplate)
		},
	}
}

// loadTemplate makes a target from a launch request, and expands a shader that is a template.
func loadTemplate(ctx context.Context, raw json.RawMessage) (*debug.Target, string, error) {
	return cases.LoadWith(ctx, raw, func(asked *cases.Arguments, path, text string) (*shader.Source, error) {
		templates := templateFlags{defines: asked.Define, variant: asked.Variant}
		reader, err := templates.reader()
		if err != nil {
			return nil, err
		}
		expanded, err := reader.One(path, text)
		if err != nil {
			return nil, err
		}
		return shader.ReadSource(expanded.Source, types.AllFeatures), nil
	})
}
