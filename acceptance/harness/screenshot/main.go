// Command screenshot runs a notebook in the real JupyterLab and takes pictures of all of it, so
// that a person can judge what a learner will see. It reports visible faults: content wider than
// its place, pictures that did not load, errors in the console.
//
//	go run ./acceptance/harness/screenshot notebooks/02-add.ipynb /tmp/shots --solved --dark
//
// make pictures remakes the README's picture of a verdict with it.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/wgslab/wgslab/acceptance/internal/lab"
	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/ground/ipynb/nbformat"
	"github.com/wgslab/wgslab/internal/ground/repository"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := newCommand().ExecuteContext(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "screenshot:", err)
		os.Exit(1)
	}
}

// order holds the options of the command line.
type order struct {
	notebook, folder string
	solved, dark     bool
	wrong            string  // ID/NAME of a wrong shader, or ""
	tall             float64 // pixels of one picture
}

func newCommand() *cobra.Command {
	var o order
	cmd := &cobra.Command{
		Use:   "screenshot NOTEBOOK FOLDER",
		Short: "Run a notebook in JupyterLab and take pictures of it",
		Long: `Screenshot opens a copy of NOTEBOOK (one of notebooks/) in the clone's JupyterLab
and a headless Chromium, runs every cell, and writes the whole notebook to
FOLDER as NAME-light-1.png, NAME-light-2.png and so on. It prints the files, and
under each cell's id what looks wrong.`,
		Example:       "  go run ./acceptance/harness/screenshot notebooks/02-add.ipynb /tmp/shots --solved --dark",
		Args:          cobra.ExactArgs(2),
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.notebook, o.folder = args[0], args[1]
			ctx, cancel := context.WithTimeout(cmd.Context(), 15*time.Minute)
			defer cancel()
			return o.carryOut(ctx, cmd)
		},
	}
	cmd.Flags().BoolVar(&o.solved, "solved", false, "put the reference shaders into the learner's cells")
	cmd.Flags().StringVar(&o.wrong, "wrong", "", "put the wrong shader `ID/NAME` into its cell, and show only the cells of ID")
	cmd.MarkFlagsMutuallyExclusive("solved", "wrong")
	cmd.Flags().BoolVar(&o.dark, "dark", false, "use JupyterLab's dark theme")
	cmd.Flags().Float64Var(&o.tall, "tall", 1600, "how many pixels of height go into one picture")
	return cmd
}

func (o order) carryOut(ctx context.Context, cmd *cobra.Command) (err error) {
	clone, err := o.prepare()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(clone.Root)) }()
	server, err := lab.StartServer(ctx, clone)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Stop()) }()
	browser, err := lab.OpenBrowser(ctx)
	if err != nil {
		return err
	}
	defer browser.Close()
	page, err := browser.Open(server, clone, o.name())
	if err != nil {
		return err
	}
	defer page.Close()
	if err := o.run(cmd, page); err != nil {
		seen := filepath.Join(os.TempDir(), "wgslab-screenshot-failed.png")
		return errors.Join(fmt.Errorf("%w (the window then: %s)", err, seen), page.Screenshot(seen))
	}
	return o.shoot(cmd, page)
}

// name returns the notebook's path in the folder of notebooks.
func (o order) name() string {
	folder, file := filepath.Split(o.notebook)
	if filepath.Base(folder) == "beyond" {
		return filepath.Join("beyond", file)
	}
	return file
}

// prepare makes the clone that JupyterLab serves.
func (o order) prepare() (*lab.Clone, error) {
	repository, err := repository.Root(".")
	if err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "wgslab-screenshot-")
	if err != nil {
		return nil, fmt.Errorf("making a folder for the clone: %w", err)
	}
	clone, err := lab.NewClone(repository, folder)
	if err != nil {
		return nil, err
	}
	nb, err := nbformat.Read(o.notebook)
	if err != nil {
		return nil, err
	}
	if o.solved {
		if err := lab.Solve(repository, nb); err != nil {
			return nil, err
		}
	}
	if o.wrong != "" {
		if err := showWrong(repository, nb, o.wrong); err != nil {
			return nil, err
		}
	}
	if err := nb.Write(filepath.Join(clone.Notebooks(), o.name())); err != nil {
		return nil, err
	}
	// JupyterLab draws every cell, not only those in the window. (With "none", it leaves shaders
	// Go's colours.)
	if err := clone.Set("@jupyterlab/notebook-extension/tracker", `{"windowingMode": "defer", "scrollPastEnd": false}`); err != nil {
		return nil, err
	}
	if !o.dark {
		return clone, nil
	}
	return clone, clone.Set("@jupyterlab/apputils-extension/themes", `{"theme": "JupyterLab Dark"}`)
}

// showWrong reduces a notebook to an exercise's task, shader and check, with a wrong shader in
// place.
func showWrong(repository string, nb *nbformat.Notebook, shader string) error {
	id, name := path.Split(shader)
	id = strings.TrimSuffix(id, "/")
	nb.Cells = slices.DeleteFunc(nb.Cells, func(c *nbformat.Cell) bool {
		return c.ID != id+"-task" && c.ID != id+"-shader" && c.ID != id+"-check"
	})
	if len(nb.Cells) != 3 {
		return fmt.Errorf("the notebook has no exercise %q", id)
	}
	text, err := exercises.Files.ReadFile(id + "/wrong/" + name + ".wgsl")
	if err != nil {
		return err
	}
	file, _ := nb.Cells[1].WrittenFile()
	task, _, _ := strings.Cut(file.Body, "\n")
	body := string(text)
	for strings.HasPrefix(body, "//") { // the diagnosis, which no learner sees
		_, body, _ = strings.Cut(body, "\n")
	}
	return nb.Cells[1].SetFileBody(task + "\n" + body)
}

// run runs every code cell in order, even after one that fails, and reports on all cells. To look
// for flaws is to unfold a verdict, so a picture of one goes without.
func (o order) run(cmd *cobra.Command, page *lab.Page) error {
	for i, cell := range page.Notebook.Cells {
		if cell.Type == nbformat.Code {
			if err := run(page, i); err != nil {
				return err
			}
		}
		if o.wrong != "" {
			continue
		}
		flaws, err := page.Flaws(i)
		if err != nil {
			return err
		}
		for _, flaw := range flaws {
			fmt.Fprintf(cmd.OutOrStdout(), "%s: %s\n", cell.ID, flaw)
		}
	}
	return nil
}

// run runs a cell to its end. A cell that shows a sheet to draw on has no end: the last cell of a
// notebook goes on, and any other is interrupted.
func run(page *lab.Page, i int) error {
	if !strings.Contains(page.Notebook.Cells[i].Source, "/pkg/draw\"") {
		return page.Run(i)
	}
	if err := page.Start(i); err != nil {
		return err
	}
	if err := page.WaitText(i, "Open the page in its own tab"); err != nil {
		return err
	}
	later := page.Notebook.Cells[i+1:]
	if !slices.ContainsFunc(later, func(c *nbformat.Cell) bool { return c.Type == nbformat.Code }) {
		return nil
	}
	if err := page.Interrupt(i); err != nil {
		return err
	}
	return page.WaitText(i, "The page is closed.")
}

func (o order) shoot(cmd *cobra.Command, page *lab.Page) error {
	if err := os.MkdirAll(o.folder, 0o755); err != nil {
		return fmt.Errorf("making the folder for the pictures: %w", err)
	}
	name := strings.TrimSuffix(filepath.Base(o.notebook), ".ipynb") + map[bool]string{true: "-dark", false: "-light"}[o.dark]
	pictures, err := page.Pages(filepath.Join(o.folder, name), o.tall)
	for _, path := range pictures {
		fmt.Fprintln(cmd.OutOrStdout(), path)
	}
	for _, text := range page.ConsoleErrors() {
		fmt.Fprintln(cmd.OutOrStdout(), "console:", text)
	}
	if _, foreign := page.Requests(); len(foreign) > 0 {
		fmt.Fprintln(cmd.OutOrStdout(), "asked for elsewhere:", strings.Join(foreign, " "))
	}
	return err
}
