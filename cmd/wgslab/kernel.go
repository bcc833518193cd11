package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"
	"github.com/wgslab/wgslab/internal/kernel"
	"github.com/wgslab/wgslab/internal/kernel/answers"
	"github.com/wgslab/wgslab/internal/kernel/debugger"
	"github.com/wgslab/wgslab/internal/kernelspec"
	"github.com/wgslab/wgslab/internal/worker"
	"github.com/wgslab/wgslab/internal/worker/kept"
)

func newKernelCommand() *cobra.Command {
	var connectionFile string
	command := &cobra.Command{
		Use:   "kernel --connection-file FILE -- GONB [ARGUMENT]...",
		Short: "Serve a notebook: shaders by itself, Go cells by the GoNB behind it",
		Long: `Kernel is what Jupyter starts for a notebook of the course; wgslab install has told
Jupyter how. It answers the cells with shaders itself, and starts GoNB for the Go
cells. You need not start it by hand.`,
		Example: "  wgslab kernel --connection-file kernel-1.json -- .build/bin/gonb -go_work=$PWD",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			// An interrupt is for the cell, and comes as a message. (Were the signal
			// ignored, what we start would ignore it, too.)
			signal.Reset(os.Interrupt)
			signal.Notify(make(chan os.Signal, 1), os.Interrupt)
			ctx, stop := context.WithCancel(cmd.Context())
			defer stop()
			go endWithParent(stop)
			program, err := os.Executable()
			if err != nil {
				return &codedError{exitNotRight, fmt.Errorf("finding this program, to start a worker: %w", err)}
			}
			workers := kept.New(keptWorkers(program))
			defer workers.Close()
			workers.Warm()
			err = kernel.Run(ctx, kernel.Config{
				ConnectionFile: connectionFile,
				GoNB:           kernelspec.Spec{Name: "gonb", Argv: append(args, "--kernel", "{connection_file}")},
				Answerers:      []kernel.Answerer{answers.Shaders{Worker: workers}, answers.NewCalls(workers)},
				Debugger:       debugger.New,
				Version:        ownVersion(),
				Log:            cmd.ErrOrStderr(),
			})
			if err != nil {
				return &codedError{exitNotRight, err}
			}
			return nil
		},
	}
	command.Flags().StringVar(&connectionFile, "connection-file", "", "the file that says where the sockets are")
	_ = command.MarkFlagRequired("connection-file") // it is defined
	return command
}

// keptWorkers are the workers of a notebook. A check takes tens of milliseconds, and at
// worst some deadlines of 10 s for one wait each; a worker holds some 200 MiB, most of
// it the driver's.
func keptWorkers(program string) kept.Config {
	return kept.Config{
		Command:  []string{program, worker.Command, kept.Mode},
		Deadline: time.Minute, Idle: 10 * time.Minute, Requests: 200, Memory: 1 << 30,
	}
}

// ownVersion is the version of this program.
func ownVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	return info.Main.Version
}

// endWithParent calls end when the process that started this one has gone: a
// Jupyter that was killed ends no kernels.
func endWithParent(end func()) {
	if os.Getenv("JPY_PARENT_PID") == "" {
		return // nobody says that the two belong together
	}
	for parent := os.Getppid(); os.Getppid() == parent; {
		time.Sleep(time.Second)
	}
	end()
}
