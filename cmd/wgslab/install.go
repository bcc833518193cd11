package main

import (
	"fmt"

	"github.com/spf13/cobra"
	"github.com/wgslab/wgslab/internal/clone"
	"github.com/wgslab/wgslab/internal/kernelspec"
)

func newInstallCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "install",
		Short: "Install the notebooks' kernel into this clone's .venv",
		Long: `Install writes the kernel spec of GoNB, the kernel that runs Go cells, into the
.venv of the clone that you are in, or else of the program's own. Cells can then
import the clone's packages with no network. Nothing outside the clone is touched.
make setup does this for you; do it by hand after you have moved or replaced Go.`,
		Example: "  wgslab install",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			root, err := clone.Root(".")
			if err != nil {
				return &codedError{exitAsked, err}
			}
			dir, err := kernelspec.Install(root)
			if err != nil {
				return &codedError{exitNotRight, err}
			}
			fmt.Fprintf(cmd.OutOrStdout(), "The kernel %q is in %s\n", kernelspec.Name, dir)
			return nil
		},
	}
}
