package main

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/wgslab/wgslab/internal/notebook/repository"
	"github.com/wgslab/wgslab/internal/page/server"
)

func newSiteCommand() *cobra.Command {
	var port int
	var noBrowser bool
	var dir string
	command := &cobra.Command{
		Use:   "site",
		Short: "Open the course as a web page that needs only your browser",
		Long: `Site serves the web page that make site built, on 127.0.0.1. The page has the lessons,
editors for the shaders, and the checks, which run in the browser. Site prints the
address and runs until you press Ctrl-C. Any other file server works as well.

Exit codes: 1 failed, 2 wrong usage, 130 Ctrl-C.`,
		Example: `  make site && wgslab site
  wgslab site --no-browser --port 8123   # for a browser that you open yourself
  wgslab site --dir public               # a page in another folder`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if port < 0 || port > 65535 {
				return fmt.Errorf("--port is %d; it must be from 0 to 65535", port)
			}
			if dir == "" {
				root, err := repository.Root(".")
				if err != nil {
					return err
				}
				dir = filepath.Join(root, ".build", "site")
			}
			err := server.Serve(cmd.Context(), server.Options{Dir: dir, Port: port, Ready: func(address string) {
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
	command.Flags().StringVar(&dir, "dir", "", "the page's folder (default: .build/site of the clone)")
	command.Flags().IntVar(&port, "port", 0, "listen on this port (default: a free one)")
	command.Flags().BoolVar(&noBrowser, "no-browser", false, "print the address and open no browser")
	return command
}
