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
			fmt.Fprintf(out, "wgslab %s\n%s %s/%s\n", info.Main.Version, info.GoVersion, runtime.GOOS, runtime.GOARCH)
			for _, module := range info.Deps {
				if slices.Contains(named, module.Path) {
					fmt.Fprintf(out, "%s %s\n", module.Path, module.Version)
				}
			}
			return nil
		},
	}
}
