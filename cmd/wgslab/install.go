package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/wgslab/wgslab/internal/fronts/notebook/kernelspec"
	"github.com/wgslab/wgslab/internal/fronts/notebook/labextension"
	"github.com/wgslab/wgslab/internal/ground/repository"
)

func newInstallCommand() *cobra.Command {
	var plain bool
	var prefix string
	command := &cobra.Command{
		Use:   "install",
		Short: "Install the notebook kernel and the JupyterLab extension",
		Long: `Install writes the kernel spec of the notebooks to the .venv of the clone that you
are in, or else of the program's own clone. With that kernel, wgslab answers shader
cells, and GoNB runs Go cells, which can import the clone's packages offline. Install
also installs the extension that shows WGSL in JupyterLab. It changes nothing outside
the clone. make setup runs it for you; run it yourself after you have moved or replaced
Go. With --plain the kernel is GoNB alone, under the same name.

Outside of a clone, install adds both to your own JupyterLab, in your user's folder of
Jupyter's data. --prefix names a virtual environment instead. The kernel then answers
shader cells and checks; Go cells need a clone.`,
		Example: "  wgslab install\n  wgslab install --plain\n  wgslab install --prefix .venv",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			root, err := repository.Root(".")
			var kernel, extension string
			switch {
			case prefix != "" || err != nil && !plain:
				kernel, extension, err = installIn(prefix)
			case err != nil:
				return &codedError{exitAsked, err}
			default:
				if kernel, err = kernelspec.Install(root, plain); err == nil {
					extension, err = labextension.Install(root)
				}
			}
			if err != nil {
				return &codedError{exitNotRight, err}
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "The kernel %q is in %s\nWGSL for JupyterLab is in %s\n", kernelspec.Name, kernel, extension)
			return err
		},
	}
	command.Flags().BoolVar(&plain, "plain", false, "install GoNB alone, in a clone")
	command.Flags().StringVar(&prefix, "prefix", "", "install in this virtual environment, without a clone")
	command.MarkFlagsMutuallyExclusive("plain", "prefix")
	return command
}

// installIn installs the kernel and the extension in a virtual environment, or else for the user.
func installIn(prefix string) (kernel, extension string, err error) {
	data := filepath.Join(prefix, "share", "jupyter")
	if prefix == "" {
		data = kernelspec.UserDataDir()
	}
	if data == "" {
		return "", "", errors.New("you have no home folder for Jupyter's data: name a virtual environment with --prefix")
	}
	program, err := os.Executable()
	if err != nil {
		return "", "", fmt.Errorf("finding this program, for the kernel spec: %w", err)
	}
	if kernel, err = kernelspec.InstallIn(data, program); err != nil {
		return "", "", err
	}
	extension, err = labextension.InstallIn(data)
	return kernel, extension, err
}
