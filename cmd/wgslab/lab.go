package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/wgslab/wgslab/internal/clone"
)

func newLabCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "lab [-- JUPYTERLAB-OPTION...]",
		Short: "Open JupyterLab on the notebooks",
		Long: `Lab starts the clone's own JupyterLab on the folder notebooks/ and prints its
address; where there is a desktop, it opens in your browser. Ctrl-C ends it.
make lab does the same after it has set up what is missing. Options after -- go to
JupyterLab.`,
		Example: "  wgslab lab\n  wgslab lab -- --port 9000 --no-browser",
		RunE: func(_ *cobra.Command, args []string) error {
			root, err := clone.Root(".")
			if err != nil {
				return &codedError{exitAsked, err}
			}
			return becomeLab(root, args)
		},
	}
}

// becomeLab turns this process into JupyterLab: signals and the terminal are
// then JupyterLab's own business.
func becomeLab(root string, args []string) error {
	venv := filepath.Join(clone.SetUp(root), ".venv")
	lab := filepath.Join(venv, "bin", "jupyter-lab")
	if _, err := os.Stat(lab); errors.Is(err, fs.ErrNotExist) {
		return &codedError{exitNotRight, fmt.Errorf("JupyterLab is not in %s yet: run make setup", venv)}
	}
	// The learner's shaders go there, and %%writefile makes no folder.
	notebooks := filepath.Join(root, "notebooks")
	if err := os.MkdirAll(filepath.Join(notebooks, "work"), 0o755); err != nil {
		return fmt.Errorf("making the folder for your shaders: %w", err)
	}
	if err := os.Chdir(notebooks); err != nil {
		return fmt.Errorf("going to the notebooks: %w", err)
	}
	if err := linkStyle(root, venv); err != nil {
		return fmt.Errorf("giving JupyterLab the project's style: %w", err)
	}
	argv := append(labArguments(notebooks), args...)
	err := syscall.Exec(lab, append([]string{lab}, argv...), labEnvironment(root, os.Environ()))
	return fmt.Errorf("starting JupyterLab: %w", err)
}

// labArguments are those that depend on where and as whom it runs; the others
// are in the .venv's jupyter_server_config.json.
func labArguments(notebooks string) []string {
	arguments := []string{"--ServerApp.ip=127.0.0.1", "--ServerApp.root_dir=" + notebooks}
	if os.Geteuid() == 0 {
		arguments = append(arguments, "--allow-root")
	}
	if os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "" {
		arguments = append(arguments, "--no-browser")
	}
	return arguments
}

// linkStyle puts the project's style sheet where JupyterLab looks for it, which
// is the folder of its settings and nowhere else.
func linkStyle(root, venv string) error {
	link := filepath.Join(settingsDir(root), "custom")
	if _, err := os.Lstat(link); err == nil {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(link), 0o755); err != nil {
		return err
	}
	return os.Symlink(filepath.Join(venv, "etc", "jupyter", "custom"), link)
}

func settingsDir(root string) string { return filepath.Join(root, ".build", "jupyter", "config") }

// labEnvironment keeps what JupyterLab remembers, such as open tabs, settings
// and trusted notebooks, in the clone. The user's own JupyterLab is neither
// changed nor in the way.
func labEnvironment(root string, inherited []string) []string {
	kept := filepath.Join(root, ".build", "jupyter")
	return append(inherited,
		"JUPYTER_CONFIG_DIR="+settingsDir(root),
		"JUPYTER_DATA_DIR="+filepath.Join(kept, "data"),
		"JUPYTER_RUNTIME_DIR="+filepath.Join(kept, "runtime"),
		"IPYTHONDIR="+filepath.Join(kept, "ipython"),
		"JUPYTER_PREFER_ENV_PATH=1",
	)
}
