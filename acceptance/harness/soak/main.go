// Command soak lets a class of learners work on this machine. Each has a JupyterLab server and
// kernels of their own, and talks to them through WebSockets, as a browser does. They write shaders
// that are right, wrong, wasteful, racing and endless, crash the driver and fill the memory, and
// they interrupt, restart, debug, close the lid, come back and leave.
//
// It prints how long they waited, and what must not happen: a reply that is lost or comes twice,
// another learner's output, processes and files that are left behind, memory that grows, a process
// that runs while its learner rests. Any of these makes exit code 1. Slow results are not errors.
//
//	go run ./acceptance/harness/soak --learners 10 --minutes 5
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/wgslab/wgslab/internal/ground/repository"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := newCommand().ExecuteContext(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "soak:", err)
		os.Exit(1)
	}
}

func newCommand() *cobra.Command {
	o := Options{Learners: 30, Seed: 1, Hurry: 1}
	minutes, out := 20.0, ""
	cmd := &cobra.Command{
		Use:           "soak",
		Short:         "Let a class of learners work on this machine, and measure how long they wait",
		Example:       "  go run ./acceptance/harness/soak --learners 10 --minutes 5",
		Args:          cobra.NoArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.Learners < 1 || minutes <= 0 {
				return fmt.Errorf("--learners is %d and --minutes %g; there must be some", o.Learners, minutes)
			}
			var err error
			if o.Root, err = repository.Root("."); err != nil {
				return err
			}
			o.Length = time.Duration(minutes * float64(time.Minute))
			o.Progress = func(line string) { fmt.Fprintln(cmd.ErrOrStderr(), line) }
			if out == "" {
				out = filepath.Join(o.Root, ".build", "soak")
			}
			return soak(cmd, o, out)
		},
	}
	cmd.Flags().IntVar(&o.Learners, "learners", o.Learners, "number of learners")
	cmd.Flags().Float64Var(&minutes, "minutes", minutes, "length of the lesson; everybody then finishes what they do, and leaves")
	cmd.Flags().Uint64Var(&o.Seed, "seed", o.Seed, "decides what learners do, and when")
	cmd.Flags().StringVar(&out, "out", out, "folder for the JSON and the pictures (default: .build/soak of the clone)")
	return cmd
}

func soak(cmd *cobra.Command, o Options, out string) error {
	report, err := Run(cmd.Context(), o)
	if err != nil {
		return err
	}
	if err := writeTo(out, report, cmd.OutOrStdout()); err != nil {
		return err
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "All numbers and the pictures are in %s.\n", out)
	if n := len(report.Violations); n > 0 {
		return fmt.Errorf("%d violations", n)
	}
	return nil
}
