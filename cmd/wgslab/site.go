package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/wgslab/wgslab/internal/fronts/page/server"
	"github.com/wgslab/wgslab/internal/fronts/page/workfolder"
	"github.com/wgslab/wgslab/internal/ground/repository"
)

func newSiteCommand() *cobra.Command {
	var port int
	var noBrowser bool
	var dir, work string
	command := &cobra.Command{
		Use:   "site",
		Short: "Open the course as a web page that needs only your browser",
		Long: `Site serves the course's web page on 127.0.0.1: the page that make site built in a
clone, or the one that came with this program. The page has the lessons, editors for the
shaders, and the checks, which run in the browser. Site prints the address and runs until
you press Ctrl-C. Any other file server works as well.

Without --work, your shaders stay in the browser. With it, the page keeps them in the
files of FOLDER, and your tries and progress as well. If FOLDER is work, wgslab check
reads the same files. You can edit them elsewhere: the page follows.

Exit codes: 1 failed, 2 wrong usage, 130 Ctrl-C.`,
		Example: `  wgslab site
  wgslab site --work work                # and in another terminal: wgslab check vector-add
  wgslab site --no-browser --port 8123   # for a browser that you open yourself
  wgslab site --dir public               # a page in another folder`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if port < 0 || port > 65535 {
				return fmt.Errorf("--port is %d; it must be from 0 to 65535", port)
			}
			if dir == "" {
				dir = siteFolder()
			}
			options := server.Options{Dir: dir, Port: port, Ready: func(address string) {
				fmt.Fprintln(cmd.OutOrStdout(), address)
				if !noBrowser {
					openBrowser(cmd.ErrOrStderr(), address)
				}
			}}
			if work != "" {
				folder, files, err := openWork(work)
				if err != nil {
					return &codedError{exitNotRight, err}
				}
				defer files.Close()
				options.Work = &server.Work{Folder: folder, Files: files}
			}
			if err := server.Serve(cmd.Context(), options); err != nil {
				return &codedError{exitNotRight, err}
			}
			return &codedError{code: exitInterrupted}
		},
	}
	command.Flags().StringVar(&dir, "dir", "", "the page's folder (default: .build/site of the clone, or the one beside the program)")
	command.Flags().StringVar(&work, "work", "", "keep shaders, tries and progress in this folder")
	command.Flags().IntVar(&port, "port", 0, "listen on this port (default: a free one)")
	command.Flags().BoolVar(&noBrowser, "no-browser", false, "print the address and open no browser")
	return command
}

// siteFolder returns the folder of the page: the one that make site built in the clone, or else the
// one that came with the program.
func siteFolder() string {
	folders := []string{"site"}
	if root, err := repository.Root("."); err == nil {
		folders[0] = filepath.Join(root, ".build", "site")
	}
	for _, folder := range shipped() {
		folders = append(folders, filepath.Join(folder, "site"))
	}
	for _, folder := range folders {
		if isFolder(folder) {
			return folder
		}
	}
	return folders[0] // and the server says what is missing
}

// shipped returns the folders in which a release may have files besides the program: its own, and
// that of a package.
func shipped() []string {
	program, err := os.Executable()
	if err != nil {
		return nil
	}
	if real, err := filepath.EvalSymlinks(program); err == nil { // package managers link programs
		program = real
	}
	folder := filepath.Dir(program)
	return []string{folder, filepath.Join(folder, "..", "share", "wgslab")}
}

// openWork opens the learner's folder, and returns its full path as well.
func openWork(work string) (string, *workfolder.Folder, error) {
	folder, err := filepath.Abs(work)
	if err != nil {
		return "", nil, fmt.Errorf("finding the folder for your shaders: %w", err)
	}
	files, err := workfolder.Open(folder)
	return folder, files, err
}
