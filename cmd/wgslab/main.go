// Command wgslab is the course on the command line. It checks shaders, runs notebooks in a real
// kernel, trains the network, and reports which parts a machine lacks.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"runtime"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// Exit codes that scripts and graders can rely on.
const (
	exitOK        = 0
	exitNotRight  = 1 // the answer is not right, or a cell failed
	exitAsked     = 2 // wrong usage of the command
	exitNoAdapter = 3 // no usable WebGPU adapter

	exitInterrupted = 130 // Ctrl-C, as in a shell
)

// codedError is an error with the exit code of its command.
type codedError struct {
	code int
	err  error // nil if the command has already reported it
}

func (e *codedError) Error() string {
	if e.err == nil {
		return ""
	}
	return e.err.Error()
}

func (e *codedError) Unwrap() error { return e.err }

// run executes one command line and returns its exit code. It is the whole program as a function,
// so that tests need no process.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	root := newRootCommand()
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitOK
	}
	if message := ofFlags(err); message != "" {
		fmt.Fprintln(stderr, "wgslab:", message)
	}
	var coded *codedError
	switch {
	case ctx.Err() != nil:
		return exitInterrupted
	case errors.Is(err, shader.ErrNoAdapter): // whatever code its command gives other errors
		return exitNoAdapter
	case errors.As(err, &coded):
		return coded.code
	}
	return exitAsked
}

// The groups of commands are in the order of use.
func init() { cobra.EnableCommandSorting = false }

func newRootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:           "wgslab",
		Short:         "Learn GPU programming by hand, and test any WGSL shader without a GPU",
		SilenceErrors: true,
		SilenceUsage:  true,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			if why := missingHere(cmd.Name(), runtime.GOOS); why != "" && cmd.Parent() == cmd.Root() {
				return &codedError{exitNotRight, errors.New(why)}
			}
			return nil
		},
	}
	for _, g := range []struct {
		title    string
		commands []*cobra.Command
	}{
		{"Learn:", []*cobra.Command{
			newLabCommand(), newSiteCommand(), newExercisesCommand(), newWatchCommand(), newCheckCommand(), newRaceCommand(), newProgressCommand(),
			newJournalCommand(), newTutorCommand(), newMcpCommand(), newLessonsCommand(), newDoctorCommand(),
		}},
		{"Use what you made:", []*cobra.Command{newDrawCommand(), newExportCommand(), newWriteCommand(), newTrainCommand()}},
		{"Any shader (debug, trace and cost take an exercise as well):", []*cobra.Command{
			newTestCommand(), newVetCommand(), newSimulateCommand(), newDebugCommand(), newTraceCommand(), newCostCommand(), newOpenCommand(),
			newFmtCommand(), newLspCommand(), newDapCommand(),
		}},
		{"Teach and maintain:", []*cobra.Command{
			newReleaseCommand(), newGradeCommand(), newRunCommand(), newExerciseCommand(), newBenchCommand(), newInstallCommand(), newKernelCommand(),
			newVersionCommand(),
		}},
	} {
		root.AddGroup(&cobra.Group{ID: g.title, Title: g.title})
		for _, command := range g.commands {
			command.GroupID = g.title
			root.AddCommand(command)
		}
	}
	root.AddCommand(newJailCommand(), newWorkerCommand()) // hidden
	inWords(root)
	return root
}

// badValue and together match what the readers of flags say in Go's terms.
var (
	badValue = regexp.MustCompile(`^invalid argument "(.*)" for "(.*)" flag: (?:strconv\.)?(\w+)`)
	together = regexp.MustCompile(`^if any flags in the group \[.*\] are set none of the others can be; \[(.*)\] were all set$`)
)

// ofFlags says in words what is wrong with the flags of a command. Other errors are as they were.
func ofFlags(err error) string {
	if found := together.FindStringSubmatch(err.Error()); found != nil {
		flags := strings.Fields(found[1])
		return "--" + strings.Join(flags, " and --") + " exclude each other: choose one"
	}
	found := badValue.FindStringSubmatch(err.Error())
	if found == nil {
		return err.Error()
	}
	wants := map[string]string{"ParseUint": "a whole number from 0", "ParseInt": "a whole number", "ParseFloat": "a number", "ParseBool": "true or false", "time": "a duration such as 30s"}
	if wants[found[3]] == "" {
		return err.Error()
	}
	if strings.Contains(err.Error(), "out of range") {
		return fmt.Sprintf("%s: %s is too large", found[2], found[1])
	}
	return fmt.Sprintf("%s takes %s, and %q isn't one", found[2], wants[found[3]], found[1])
}

// inWords makes the errors of a command's arguments and flags say what the command takes, with its
// first example.
func inWords(command *cobra.Command) {
	command.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return fmt.Errorf("%s: %s --help lists what it takes", ofFlags(err), c.CommandPath())
	})
	if takes := command.Args; takes != nil {
		command.Args = func(c *cobra.Command, args []string) error {
			if takes(c, args) == nil {
				return nil
			}
			_, wants, _ := strings.Cut(c.Use, " ")
			given := "no argument"
			if len(args) > 0 {
				given = english.Count(len(args), "argument", "arguments")
			}
			message := fmt.Sprintf("%s got %s, and takes %s", strings.TrimPrefix(c.CommandPath(), c.Root().Name()+" "), given, cmp.Or(wants, "none"))
			if example, _, _ := strings.Cut(strings.TrimSpace(c.Example), "\n"); example != "" {
				message += ": for example, " + example
			}
			return errors.New(message)
		}
	}
	for _, sub := range command.Commands() {
		inWords(sub)
	}
}
