package main

import (
	"fmt"

	"github.com/spf13/cobra"
	"github.com/wgslab/wgslab/internal/fronts/notebook/kernelspec"
	"github.com/wgslab/wgslab/internal/fronts/notebook/labextension"
	"github.com/wgslab/wgslab/internal/ground/repository"
)

func newInstallCommand() *cobra.Command {
	var plain bool
	command := &cobra.Command{
		Use:   "install",
		Short: "Install the notebook kernel and the JupyterLab extension in this clone's .venv",
		Long: `Install writes the kernel spec of the notebooks to the .venv of the clone that you
are in, or else of the program's own clone. With that kernel, wgslab answers shader
cells, and GoNB runs Go cells, which can import the clone's packages offline. Install
also installs the extension that shows WGSL in JupyterLab. It changes nothing outside
the clone. make setup runs it for you; run it yourself after you have moved or replaced
Go. With --plain the kernel is GoNB alone, under the same name.`,
		Example: "  wgslab install\n  wgslab install --plain",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			root, err := repository.Root(".")
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
