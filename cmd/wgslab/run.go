package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"

	"github.com/wgslab/wgslab/pkg/jupyter"
	"github.com/wgslab/wgslab/pkg/kernelspec"
	"github.com/wgslab/wgslab/pkg/notebook"
)

// notebookRun is what wgslab run is asked for.
type notebookRun struct {
	path, out   string
	kernel      string
	cellTimeout time.Duration
	timeout     time.Duration
	allowErrors bool
}

func newRunCommand() *cobra.Command {
	var r notebookRun
	command := &cobra.Command{
		Use:   "run NOTEBOOK",
		Short: "Run a notebook from top to bottom in a real kernel",
		Long: `Run executes every code cell of NOTEBOOK, in order, in a kernel of its own that
works in the notebook's folder, as JupyterLab does it. It stops at the first cell
that fails and shows it. NOTEBOOK itself is not changed; -o OUT writes it with its
outputs, also when a cell failed.

Exit codes: 0 every cell ran, 1 a cell failed, 2 asked wrongly, 130 Ctrl-C.`,
		Example: `  wgslab run notebooks/02-add.ipynb
  wgslab run notebooks/02-add.ipynb -o /tmp/02-add.ipynb --allow-errors
  wgslab run other.ipynb --kernel python3 --cell-timeout 30s`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			r.path = args[0]
			return r.do(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	flags := command.Flags()
	flags.StringVarP(&r.out, "output", "o", "", "write the executed notebook to this file")
	flags.StringVar(&r.kernel, "kernel", "", "kernel to run it in (default: the one that the notebook names)")
	flags.DurationVar(&r.cellTimeout, "cell-timeout", 5*time.Minute, "interrupt a cell that takes longer; 0 never does")
	flags.DurationVar(&r.timeout, "timeout", 30*time.Minute, "stop when the whole notebook takes longer; 0 never does")
	flags.BoolVar(&r.allowErrors, "allow-errors", false, "go on behind a cell that fails")
	return command
}

func (r *notebookRun) do(ctx context.Context, stdout, stderr io.Writer) error {
	nb, spec, err := r.prepare()
	if err != nil {
		return &codedError{exitAsked, err}
	}
	begin := time.Now()
	cells, err := r.execute(ctx, nb, spec, stderr)
	if ctx.Err() != nil {
		return &codedError{exitInterrupted, errors.New("stopped before the end; nothing was written")}
	}
	var failures notebook.Failures
	if err != nil && !errors.As(err, &failures) {
		return &codedError{exitNotRight, err}
	}
	if r.out != "" {
		if err := nb.Write(r.out); err != nil {
			return &codedError{exitNotRight, err}
		}
	}
	took := time.Since(begin).Round(100 * time.Millisecond)
	if len(failures) == 0 {
		_, err := fmt.Fprintf(stdout, "%s: all %d cells ran in %s\n", r.path, cells, took)
		return err
	}
	for _, failure := range failures {
		printFailure(stderr, failure, cells)
	}
	return &codedError{exitNotRight, fmt.Errorf("%s: %d of %d cells failed after %s", r.path, len(failures), cells, took)}
}

// prepare finds all that is needed, so that what was asked wrongly is said
// before anything runs.
func (r *notebookRun) prepare() (*notebook.Notebook, jupyter.Spec, error) {
	nb, err := notebook.Read(r.path)
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("there is no notebook %s", r.path)
	}
	if err != nil {
		return nil, jupyter.Spec{}, err
	}
	if r.out != "" {
		if info, err := os.Stat(filepath.Dir(r.out)); err != nil || !info.IsDir() {
			return nil, jupyter.Spec{}, fmt.Errorf("there is no folder %s for the output: make it first", filepath.Dir(r.out))
		}
	}
	spec, err := r.findKernel(nb)
	return nb, spec, err
}

// findKernel finds the kernel that was asked for, that the notebook names, or
// else the course's own.
func (r *notebookRun) findKernel(nb *notebook.Notebook) (jupyter.Spec, error) {
	name := r.kernel
	if name == "" {
		name = nb.Kernel()
	}
	if name == "" {
		name = kernelspec.Name
	}
	spec, err := jupyter.FindSpec(name, r.prefixes()...)
	var missing *jupyter.NoSpecError
	if errors.As(err, &missing) {
		if name == kernelspec.Name {
			return spec, fmt.Errorf("%w; make setup, in the clone of wgslab, installs it", err)
		}
		return spec, fmt.Errorf("%w; choose another by --kernel", err)
	}
	return spec, err
}

// prefixes are the environments in which kernels are looked for: the active
// one, and the .venv of the clone that holds the notebook, this folder or this
// program.
func (r *notebookRun) prefixes() []string {
	var prefixes []string
	if active := os.Getenv("VIRTUAL_ENV"); active != "" {
		prefixes = append(prefixes, active)
	}
	starts := []string{filepath.Dir(r.path), "."}
	if program, err := os.Executable(); err == nil {
		starts = append(starts, filepath.Dir(program))
	}
	for _, start := range starts {
		if root, err := kernelspec.Root(start); err == nil {
			return append(prefixes, filepath.Join(root, ".venv"))
		}
	}
	return prefixes
}

// execute runs the notebook in a kernel of its own, of which nothing is left
// afterwards, and returns how many cells there were to run.
func (r *notebookRun) execute(ctx context.Context, nb *notebook.Notebook, spec jupyter.Spec, stderr io.Writer) (cells int, err error) {
	dir, err := filepath.Abs(filepath.Dir(r.path))
	if err != nil {
		return 0, fmt.Errorf("finding the notebook's folder: %w", err)
	}
	progress := newCellProgress(stderr)
	defer progress.end()
	kernel, err := jupyter.Start(ctx, spec, dir)
	if err != nil {
		return 0, err
	}
	options := notebook.Options{
		CellDeadline: r.cellTimeout,
		Deadline:     r.timeout,
		AllowErrors:  r.allowErrors,
		Started: func(n, total int) {
			cells = total
			progress.started(n, total)
		},
		Notice: func(text string) { progress.aside("wgslab: note:", text) },
	}
	err = nb.Execute(ctx, kernel, options)
	if endErr := kernel.Shutdown(ctx); endErr != nil {
		progress.aside("wgslab: ending the kernel:", endErr)
	}
	return cells, err
}

// How much of a failed cell is shown, in lines.
const (
	sourceHead = 6
	outputTail = 60
)

// printFailure shows a cell that failed: how it begins, and the end of what it
// put out, which says why.
func printFailure(w io.Writer, failure *notebook.CellError, cells int) {
	colours := isTerminal(w)
	fmt.Fprintf(w, "Cell %d of %d (id %s) failed:\n", failure.Number, cells, printable(failure.Cell.ID, false))
	source := strings.Split(strings.TrimSpace(printable(failure.Cell.Source, false)), "\n")
	for _, line := range source[:min(len(source), sourceHead)] {
		fmt.Fprintln(w, "  |", line)
	}
	if more := len(source) - sourceHead; more > 0 {
		fmt.Fprintf(w, "  | … %d more lines\n", more)
	}
	fmt.Fprintln(w)

	var shown strings.Builder
	for _, output := range failure.Cell.Outputs {
		shown.WriteString(strings.TrimRight(printable(output.Plain(), colours), "\n") + "\n")
	}
	lines := strings.Split(strings.TrimRight(shown.String(), "\n"), "\n")
	if cut := len(lines) - outputTail; cut > 0 {
		fmt.Fprintf(w, "… %d lines before\n", cut)
		lines = lines[cut:]
	}
	fmt.Fprintln(w, strings.Join(lines, "\n"))
	fmt.Fprintln(w)
}

// cellProgress shows on a terminal which cell is running, and for how long.
type cellProgress struct {
	out     io.Writer
	visible bool
	stopped chan struct{}
	ticking sync.WaitGroup

	mu    sync.Mutex
	bar   *progressbar.ProgressBar // nil until the first cell
	cell  string
	since time.Time // the cell has been running
}

func newCellProgress(out io.Writer) *cellProgress {
	p := &cellProgress{out: out, visible: isTerminal(out), stopped: make(chan struct{})}
	if p.visible {
		p.ticking.Go(p.tick)
	}
	return p
}

// started moves on to the n-th cell of total.
func (p *cellProgress) started(n, total int) {
	if !p.visible {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.bar == nil {
		p.bar = progressbar.NewOptions(total,
			progressbar.OptionSetWriter(p.out),
			progressbar.OptionSetWidth(24),
			progressbar.OptionSetPredictTime(false),
			progressbar.OptionClearOnFinish())
	}
	p.cell, p.since = fmt.Sprintf("cell %d of %d", n, total), time.Now()
	p.bar.Describe(p.cell)
	_ = p.bar.Set(n - 1) // a bar that cannot be drawn is no reason to stop
}

// tick keeps the time on the screen going.
func (p *cellProgress) tick() {
	ticker := time.NewTicker(200 * time.Millisecond)
	defer ticker.Stop()
	for {
		select {
		case <-p.stopped:
			return
		case <-ticker.C:
			p.mu.Lock()
			if p.bar != nil {
				p.bar.Describe(fmt.Sprintf("%s, %s", p.cell, time.Since(p.since).Truncate(time.Second)))
			}
			p.mu.Unlock()
		}
	}
}

// aside prints a line without the bar in its way.
func (p *cellProgress) aside(args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.bar != nil {
		_ = p.bar.Clear()
	}
	fmt.Fprintln(p.out, args...)
}

// end takes the bar off the screen.
func (p *cellProgress) end() {
	close(p.stopped)
	p.ticking.Wait()
	if p.bar != nil {
		_ = p.bar.Clear()
	}
}
