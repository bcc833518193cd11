package main

import (
	"fmt"
	"io"

	"github.com/cli/browser"
	"github.com/spf13/cobra"
	"github.com/wgslab/wgslab/internal/networks/draw"
)

func newDrawCommand() *cobra.Command {
	var port int
	var noBrowser, filters, attention bool
	var weights string
	command := &cobra.Command{
		Use:   "draw",
		Short: "Draw a digit, and let your own shaders read it",
		Long: `Draw opens a page in your browser. You draw a digit, and the network reads it while
you draw. It runs those of your shaders in work/, here or in lessons/, that pass their
checks, and the reference for the others. The page says which is which.

A server on 127.0.0.1 serves the page at a random address that is hard to guess. Draw
prints the address and runs until you press Ctrl-C.

Exit codes: 1 failed, 2 wrong usage, 3 no usable adapter, 130 Ctrl-C.`,
		Example: `  wgslab draw
  wgslab draw --weights work/weights.safetensors   # with the network that you trained
  wgslab draw --filters                            # with two networks side by side
  wgslab draw --filters --attention                # with three
  wgslab draw --no-browser --port 8123             # for a browser that you open yourself`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if port < 0 || port > 65535 {
				return fmt.Errorf("--port is %d; it must be from 0 to 65535", port)
			}
			err := draw.Serve(cmd.Context(), draw.Options{Work: workFolder(), Weights: weights, Filters: filters, Attention: attention, Port: port, Ready: func(address string) {
				fmt.Fprintln(cmd.OutOrStdout(), address)
				if !noBrowser {
					openBrowser(cmd.ErrOrStderr(), address)
				}
			}})
			if err != nil {
				return &codedError{exitNotRight, err}
			}
			return &codedError{code: exitInterrupted}
		},
	}
	command.Flags().IntVar(&port, "port", 0, "listen on this port (default: a free one)")
	command.Flags().BoolVar(&noBrowser, "no-browser", false, "print the address and open no browser")
	command.Flags().BoolVar(&filters, "filters", false, "let the network of lesson 12 read as well, and show what its filters see")
	command.Flags().BoolVar(&attention, "attention", false, "let the network of lesson 13 read as well, and show where its heads look")
	weightsFlag(command, &weights)
	return command
}

// weightsFlag adds the flag for weights of the learner's own.
func weightsFlag(command *cobra.Command, weights *string) {
	command.Flags().StringVar(weights, "weights", "", "read with the weights in this file, such as work/weights.safetensors of lesson 10 (default: those that ship)")
}

// openBrowser opens the default browser if there is one. The address is printed anyway.
func openBrowser(stderr io.Writer, address string) {
	browser.Stdout, browser.Stderr = io.Discard, io.Discard
	if err := browser.OpenURL(address); err != nil {
		fmt.Fprintln(stderr, "wgslab could not open a browser. Open the address yourself.")
	}
}
