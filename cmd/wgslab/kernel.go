package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/host"
	"github.com/wgslab/wgslab/internal/course/learner"
	"github.com/wgslab/wgslab/internal/fronts/notebook/kernel"
	"github.com/wgslab/wgslab/internal/fronts/notebook/kernel/coursecells"
	"github.com/wgslab/wgslab/internal/fronts/notebook/kernel/debugger"
	"github.com/wgslab/wgslab/internal/fronts/notebook/kernelspec"
	"github.com/wgslab/wgslab/internal/fronts/notebook/workerpool"
	"github.com/wgslab/wgslab/internal/fronts/notebook/workerpool/serve"
	"github.com/wgslab/wgslab/internal/wgsl/format"
)

func newKernelCommand() *cobra.Command {
	var connectionFile string
	command := &cobra.Command{
		Use:   "kernel --connection-file FILE [-- GONB [ARGUMENT]...]",
		Short: "Run the notebook kernel: it answers shader cells itself and passes Go cells to GoNB",
		Long: `Kernel is the command that Jupyter starts for a notebook of the course, as wgslab
install has set it up. It answers shader cells itself, and starts GoNB for the Go
cells. If the command names no GoNB, kernel takes the one in PATH; without one, Go cells
say how to get it. You don't need to start it yourself.`,
		Example: "  wgslab kernel --connection-file kernel-1.json -- .build/bin/gonb -go_work=$PWD",
		Args:    cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			// An interrupt concerns the cell, and arrives as a message. (If we ignored
			// the signal, our child processes would ignore it as well.)
			signal.Reset(os.Interrupt)
			signal.Notify(make(chan os.Signal, 1), os.Interrupt)
			if err := goToWork(); err != nil {
				return &codedError{exitNotRight, err}
			}
			ctx, stop := context.WithCancel(cmd.Context())
			defer stop()
			go endWithParent(stop)
			program, err := os.Executable()
			if err != nil {
				return &codedError{exitNotRight, fmt.Errorf("finding this program, to start a worker: %w", err)}
			}
			workers := workerpool.New(poolConfig(program))
			defer workers.Close()
			err = kernel.Run(ctx, kernel.Config{
				ConnectionFile: connectionFile,
				GoNB:           kernelspec.Spec{Name: "gonb", Argv: gonbCommand(args)},
				Answerers:      []kernel.Answerer{coursecells.ShaderCells{Worker: workers}, coursecells.NewCalls(workers, host.CellWithPieces)},
				Debugger:       debugger.New,
				Asks:           pageAsks,
				Version:        ownVersion(),
				Log:            cmd.ErrOrStderr(),
			})
			if err != nil {
				return &codedError{exitNotRight, err}
			}
			return nil
		},
	}
	command.Flags().StringVar(&connectionFile, "connection-file", "", "the connection file that Jupyter wrote")
	_ = command.MarkFlagRequired("connection-file") // the flag is defined
	return command
}

// gonbCommand returns the command that starts GoNB: the given one, or else the one in PATH. It
// returns nil if there is none, or no Go with which GoNB could build a cell.
func gonbCommand(given []string) []string {
	if len(given) == 0 {
		gonb, err := exec.LookPath("gonb")
		if err != nil {
			return nil
		}
		if _, err := exec.LookPath("go"); err != nil {
			return nil
		}
		given = []string{gonb}
	}
	return append(given, "--kernel", "{connection_file}")
}

// mostJournal limits the journal's page in JupyterLab, whose server drops longer messages.
const mostJournal = 2 << 20

// pageAsks answers what the extension of JupyterLab asks the kernel for.
var pageAsks = map[string]func(kernel.CommData) (any, error){
	"wgslab_format": func(a kernel.CommData) (any, error) { return format.Formatted(a.Text), nil },
	"wgslab_tutor":  func(a kernel.CommData) (any, error) { return tutorPrompt(a.Exercise) },
	"wgslab_journal": func(a kernel.CommData) (any, error) {
		opened, err := learner.Open(workFolder(), a.Text, a.Exercise)
		if err == nil && len(opened.Page) > mostJournal {
			err = errors.New("your journal is too long for this place: run wgslab journal, and open the page that it writes")
		}
		return opened, err
	},
	"wgslab_hint": func(a kernel.CommData) (any, error) {
		return struct{}{}, learner.OpenHint(workFolder(), a.Exercise, a.Hint)
	},
}

// tutorPrompt returns the context for an AI tutor on an exercise, and what to ask one that is
// attached.
func tutorPrompt(id string) (any, error) {
	exercise, err := course.Find(id)
	if err != nil {
		return nil, err
	}
	var prompt strings.Builder
	err = writeTutorPrompt(&prompt, exercise)
	return map[string]string{"text": prompt.String(), "ask": learner.AttachedQuestion(workFolder(), id)}, err
}

// goToWork enters the folder that has work/. Notebooks in notebooks/beyond share it with the
// lessons.
func goToWork() error {
	if isFolder(learner.Dir) || isFolder("exercises") || !isFolder(filepath.Join("..", learner.Dir)) {
		return nil // a pack's work/ is beside its notebook
	}
	if err := os.Chdir(".."); err != nil {
		return fmt.Errorf("entering the folder of the notebooks: %w", err)
	}
	return nil
}

// newWorkerCommand returns the command that kernel starts per worker of its pool. Users never type
// it.
func newWorkerCommand() *cobra.Command {
	return &cobra.Command{
		Use:    workerpool.Command,
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE:   func(*cobra.Command, []string) error { return &codedError{code: serve.Serve()} },
	}
}

// poolConfig returns the settings for the workers of a notebook. A check takes tens of
// milliseconds, and in the worst case a few waits of up to 10 s each.
func poolConfig(program string) workerpool.Config {
	return workerpool.Config{
		Command:  []string{program, workerpool.Command},
		Deadline: time.Minute, Idle: 3 * time.Minute, Requests: 200,
	}
}

// ownVersion returns the version of this program.
func ownVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	return info.Main.Version
}

// endWithParent calls end when the parent process has gone, because a killed Jupyter ends no
// kernels.
func endWithParent(end func()) {
	if os.Getenv("JPY_PARENT_PID") == "" {
		return // the environment names no parent
	}
	for parent := os.Getppid(); os.Getppid() == parent; {
		time.Sleep(time.Second)
	}
	end()
}
