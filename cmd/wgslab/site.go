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
		Short: "Open the course as a page in your browser, with nothing but the browser",
		Long: `Site serves the course's page, which make site has made, on 127.0.0.1: the lessons,
editors for the shaders, and the judge, which runs in the browser. It prints the
address, and serves until Ctrl-C. Any other file server does as well.

Exit codes: 1 it failed, 2 asked wrongly, 130 Ctrl-C.`,
		Example: `  make site && wgslab site
  wgslab site --no-browser --port 8123   # for a browser that you open yourself
  wgslab site --dir public               # a page that lies elsewhere`,
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
	command.Flags().BoolVar(&noBrowser, "no-browser", false, "open no browser, only print the address")
	return command
}
