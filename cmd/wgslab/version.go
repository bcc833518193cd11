package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"

	"github.com/spf13/cobra"
)

// named lists the libraries that a bug report should name.
var named = []string{"github.com/cogentcore/webgpu", "github.com/janpfeifer/gonb"}

func newVersionCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the versions of wgslab and its main libraries",
		Long:    "Version prints what a bug report should name: wgslab, Go, the system and the libraries.",
		Example: "  wgslab version",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			info, ok := debug.ReadBuildInfo()
			if !ok {
				return &codedError{exitNotRight, fmt.Errorf("this wgslab was built without its build information")}
			}
			out := cmd.OutOrStdout()
			fmt.Fprintf(out, "wgslab %s\n", info.Main.Version)
			if commit := commitIn(info.Settings); commit != "" {
				fmt.Fprintf(out, "commit %s\n", commit)
			}
			fmt.Fprintf(out, "%s %s/%s\n", info.GoVersion, runtime.GOOS, runtime.GOARCH)
			for _, module := range info.Deps {
				if slices.Contains(named, module.Path) {
					fmt.Fprintf(out, "%s %s\n", module.Path, module.Version)
				}
			}
			return nil
		},
	}
}

// commitIn returns the commit that a program was built from, or "" if the build didn't record it.
func commitIn(settings []debug.BuildSetting) string {
	var commit, changed string
	for _, s := range settings {
		switch {
		case s.Key == "vcs.revision":
			commit = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			changed = ", changed"
		}
	}
	if commit == "" {
		return ""
	}
	return commit + changed
}
