package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/ground/repository"
)

func newLabCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "lab [-- JUPYTERLAB-OPTION...]",
		Short: "Open JupyterLab on the notebooks",
		Long: `Lab starts the clone's own JupyterLab on the folder lessons/ and prints its
address. On a desktop it opens your browser. Press Ctrl-C to end it. make lab does
the same after setting up what is missing. Options after -- go to JupyterLab.

The folder lessons/ has your copies of the notebooks, and your shaders in
lessons/work/. Lab makes them, and updates them when the course has changed (see
wgslab lessons). The notebooks in notebooks/ stay as they are.

Outside of a clone, lab takes the notebooks that came with the program, and the
JupyterLab beside it or in PATH. The folder lessons/ is then in the current folder.`,
		Example: "  wgslab lab\n  wgslab lab -- --port 9000 --no-browser",
		RunE: func(_ *cobra.Command, args []string) error {
			root, err := repository.Root(".")
			if err != nil {
				return becomeInstalledLab(err, args)
			}
			return becomeLab(root, args)
		},
	}
}

// becomeLab replaces this process with JupyterLab, which then handles signals and the terminal
// itself.
func becomeLab(root string, args []string) error {
	venv := filepath.Join(repository.SetUp(root), ".venv")
	lab := filepath.Join(venv, "bin", "jupyter-lab")
	if _, err := os.Stat(lab); errors.Is(err, fs.ErrNotExist) {
		return &codedError{exitNotRight, fmt.Errorf("JupyterLab is not in %s yet: run make setup", venv)}
	}
	if err := linkStyle(root, venv); err != nil {
		return fmt.Errorf("giving JupyterLab the project's style: %w", err)
	}
	if err := setLabEnvironment(root); err != nil {
		return fmt.Errorf("setting JupyterLab's environment: %w", err)
	}
	return runLab(lab, notebooksOf(root), filepath.Join(root, lessonsDir), args)
}

// becomeInstalledLab does the same without a clone: why says that there is none, which the user
// reads if the program came without notebooks as well.
func becomeInstalledLab(why error, args []string) error {
	notebooks := shippedNotebooks()
	if notebooks == "" {
		return &codedError{exitAsked, why}
	}
	program, err := os.Executable()
	if err != nil {
		return fmt.Errorf("finding this program: %w", err)
	}
	lab := filepath.Join(filepath.Dir(program), "jupyter-lab")
	if _, err := os.Stat(lab); err != nil {
		if lab, err = exec.LookPath("jupyter-lab"); err != nil {
			return &codedError{exitNotRight, errors.New("JupyterLab is neither beside wgslab nor in PATH: run pip install jupyterlab, then start again")}
		}
	}
	lessons, err := filepath.Abs(lessonsDir)
	if err != nil {
		return fmt.Errorf("finding the folder for your lessons: %w", err)
	}
	if err := os.Setenv("PATH", filepath.Dir(program)+string(filepath.ListSeparator)+os.Getenv("PATH")); err != nil {
		return fmt.Errorf("setting JupyterLab's environment: %w", err)
	}
	return runLab(lab, notebooks, lessons, args)
}

// runLab updates the learner's copies of the notebooks, and becomes JupyterLab in their folder.
func runLab(lab, notebooks, lessons string, args []string) error {
	fmt.Fprintf(os.Stderr, "Starting JupyterLab in %s. Its address follows; Ctrl-C ends it.\n", lessons)
	made, err := updateLessons(os.Stderr, notebooks, lessons)
	if err != nil {
		return err
	}
	if err := os.Chdir(lessons); err != nil {
		return fmt.Errorf("going to the lessons: %w", err)
	}
	arguments := labArguments(lessons)
	if made {
		arguments = append(arguments, "--LabApp.default_url=/lab/tree/"+course.Lessons[0].Notebook)
	}
	argv := append(arguments, args...)
	err = syscall.Exec(lab, append([]string{lab}, argv...), os.Environ())
	return fmt.Errorf("starting JupyterLab: %w", err)
}

// labArguments returns the arguments that depend on the folder and the user. The others are in the
// .venv's jupyter_server_config.py.
func labArguments(lessons string) []string {
	arguments := []string{
		"--ServerApp.ip=127.0.0.1", "--ServerApp.root_dir=" + lessons,
		// Without a terminal of its own, JupyterLab would start login shells, which reset PATH.
		fmt.Sprintf("--ServerApp.terminado_settings={'shell_command': ['%s']}", cmp.Or(os.Getenv("SHELL"), "bash")),
	}
	if os.Geteuid() == 0 {
		arguments = append(arguments, "--allow-root")
	}
	if os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "" {
		arguments = append(arguments, "--no-browser")
	}
	return arguments
}

// linkStyle links the project's style sheet into the folder of JupyterLab's settings, the only
// place where JupyterLab looks for it.
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

// setLabEnvironment keeps JupyterLab's state in the clone: open tabs, settings and trusted
// notebooks. The user's own JupyterLab and this one do not affect each other. JupyterLab's terminal
// finds wgslab.
func setLabEnvironment(root string) error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	kept := filepath.Join(root, ".build", "jupyter")
	for name, value := range map[string]string{
		"JUPYTER_CONFIG_DIR":      settingsDir(root),
		"JUPYTER_DATA_DIR":        filepath.Join(kept, "data"),
		"JUPYTER_RUNTIME_DIR":     filepath.Join(kept, "runtime"),
		"IPYTHONDIR":              filepath.Join(kept, "ipython"),
		"JUPYTER_PREFER_ENV_PATH": "1",
		"PATH":                    filepath.Dir(program) + string(filepath.ListSeparator) + os.Getenv("PATH"),
	} {
		if err := os.Setenv(name, value); err != nil {
			return err
		}
	}
	return nil
}
