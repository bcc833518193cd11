package main

import (
	"fmt"

	"github.com/spf13/cobra"
	"github.com/wgslab/wgslab/internal/clone"
	"github.com/wgslab/wgslab/internal/kernelspec"
	"github.com/wgslab/wgslab/internal/labextension"
)

func newInstallCommand() *cobra.Command {
	var plain bool
	command := &cobra.Command{
		Use:   "install",
		Short: "Install the notebooks' kernel, and WGSL for JupyterLab, into this clone's .venv",
		Long: `Install writes the spec of the notebooks' kernel into the .venv of the clone that you
are in, or else of the program's own: wgslab answers the cells with shaders, and GoNB
behind it runs the Go cells, which can import the clone's packages with no network. It
also puts there the extension by which JupyterLab knows WGSL. Nothing outside the clone
is touched. make setup does this for you; do it by hand after you have moved or replaced
Go. With --plain the kernel is GoNB alone, under the same name.`,
		Example: "  wgslab install\n  wgslab install --plain",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			root, err := clone.Root(".")
			if err != nil {
				return &codedError{exitAsked, err}
			}
			dir, err := kernelspec.Install(root, plain)
			if err != nil {
				return &codedError{exitNotRight, err}
			}
			fmt.Fprintf(cmd.OutOrStdout(), "The kernel %q is in %s\n", kernelspec.Name, dir)
			if dir, err = labextension.Install(root); err != nil {
				return &codedError{exitNotRight, err}
			}
			fmt.Fprintf(cmd.OutOrStdout(), "WGSL for JupyterLab is in %s\n", dir)
			return nil
		},
	}
	command.Flags().BoolVar(&plain, "plain", false, "install GoNB alone")
	return command
}
