package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"
	"github.com/wgslab/wgslab/internal/clone"
	"github.com/wgslab/wgslab/internal/jupyter"
	"github.com/wgslab/wgslab/internal/kernelspec"
	"github.com/wgslab/wgslab/internal/nbformat"
	"github.com/wgslab/wgslab/internal/nbrun"
	"github.com/wgslab/wgslab/pkg/draw"
)

// notebookRun is what wgslab run is asked for.
type notebookRun struct {
	args        []string // notebooks, folders and patterns
	out         string
	workers     int
	kernel      string
	cellTimeout time.Duration
	timeout     time.Duration
	allowErrors bool
}

func newRunCommand() *cobra.Command {
	var r notebookRun
	command := &cobra.Command{
		Use:   "run NOTEBOOK…",
		Short: "Run notebooks from top to bottom in a real kernel",
		Long: `Run executes every code cell of each NOTEBOOK, in order, in a kernel of its own
that works in the notebook's folder, as JupyterLab does it. It stops at the first
cell that fails and shows it; the other notebooks go on. NOTEBOOK may also be a
folder, of which every notebook is run, or a pattern in quotes.

The notebooks themselves are not changed. -o OUT keeps them with their outputs: in
the file OUT, or for several in a folder OUT. That holds also for a notebook that
failed or was interrupted, with what had run until then; the cell that it ended in
says why. A notebook that was not begun is not written.

A cell with the tag raises-exception may fail; one with the tag skip-execution is
not run and keeps its outputs. A cell may put out 20 MB; then it is stopped.

Notebooks run one after the other, since one may use what another one wrote into
its folder; -j N runs N of them at a time.

Exit codes: 0 every cell ran, 1 a cell failed or a notebook could not be run, 2 asked
wrongly or no notebook could be run, 130 Ctrl-C.`,
		Example: `  wgslab run notebooks/02-add.ipynb
  wgslab run notebooks/02-add.ipynb -o /tmp/02-add.ipynb --allow-errors
  wgslab run notebooks -j 2 -o /tmp/executed
  wgslab run 'week-*/*.ipynb' --kernel python3 --cell-timeout 30s`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			r.args = args
			return r.do(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	flags := command.Flags()
	flags.StringVarP(&r.out, "output", "o", "", "write the executed notebook to this file, several to this folder")
	flags.IntVarP(&r.workers, "jobs", "j", 1, "run so many notebooks at a time")
	flags.StringVar(&r.kernel, "kernel", "", "kernel to run them in (default: the one that each notebook names)")
	flags.DurationVar(&r.cellTimeout, "cell-timeout", 5*time.Minute, "interrupt a cell that takes longer; 0 never does")
	flags.DurationVar(&r.timeout, "timeout", 30*time.Minute, "stop a notebook that takes longer as a whole; 0 never does")
	flags.BoolVar(&r.allowErrors, "allow-errors", false, "go on behind a cell that fails")
	return command
}

func (r *notebookRun) do(ctx context.Context, stdout, stderr io.Writer) error {
	jobs, err := r.plan()
	if err != nil {
		return &codedError{exitAsked, err}
	}
	if !r.prepare(jobs) {
		return &codedError{exitAsked, whyNone(jobs)}
	}
	progress := newRunProgress(stderr, jobs)
	wait := r.start(ctx, jobs, progress)
	for _, job := range jobs { // whichever ends first, they are shown in order
		<-job.ended
		progress.aside(func() { job.showFailures(stderr, len(jobs) > 1) })
	}
	wait()
	progress.end()
	if len(jobs) == 1 {
		return jobs[0].conclude(ctx, stdout)
	}
	return concludeAll(ctx, jobs, stdout)
}

// prepare finds all that is needed before anything runs, and says whether any
// notebook can be run at all.
func (r *notebookRun) prepare(jobs []*notebookJob) (some bool) {
	for _, job := range jobs {
		if job.nb, job.err = nbformat.Read(job.path); job.err == nil {
			job.cells = len(nbrun.Executable(job.nb))
			job.spec, job.err = r.findKernel(job)
		}
		some = some || job.err == nil
	}
	return some
}

// whyNone says why no notebook can be run.
func whyNone(jobs []*notebookJob) error {
	if len(jobs) == 1 {
		return jobs[0].err
	}
	reasons := make([]string, len(jobs))
	for i, job := range jobs {
		reasons[i] = "\n  " + job.err.Error()
	}
	return fmt.Errorf("none of the %d notebooks can be run:%s", len(jobs), strings.Join(reasons, ""))
}

// findKernel finds the kernel that was asked for, that the notebook names, or
// else the course's own.
func (r *notebookRun) findKernel(job *notebookJob) (kernelspec.Spec, error) {
	name := r.kernel
	if name == "" {
		name = job.nb.Kernel()
	}
	if name == "" {
		name = kernelspec.Name
	}
	spec, err := kernelspec.Find(name, kernelPrefixes(filepath.Dir(job.path))...)
	var missing *kernelspec.MissingError
	if errors.As(err, &missing) {
		if name == kernelspec.Name {
			return spec, fmt.Errorf("%s: %w; make setup, in the clone of wgslab, installs it", job.path, err)
		}
		return spec, fmt.Errorf("%s: %w; choose another by --kernel", job.path, err)
	}
	spec.Env = maps.Clone(spec.Env)
	if spec.Env == nil {
		spec.Env = make(map[string]string)
	}
	spec.Env[draw.Unattended] = "1"
	return spec, err
}

// kernelPrefixes are the environments in which kernels are looked for: the
// active one, and the .venv of the clone that holds the notebook's folder, this
// folder or this program.
func kernelPrefixes(dir string) []string {
	var prefixes []string
	if active := os.Getenv("VIRTUAL_ENV"); active != "" {
		prefixes = append(prefixes, active)
	}
	if root, err := clone.Root(dir, "."); err == nil {
		prefixes = append(prefixes, filepath.Join(clone.SetUp(root), ".venv"))
	}
	return prefixes
}

// start runs the jobs that can be run, as many at a time as there are workers;
// wait returns when the last one has ended.
func (r *notebookRun) start(ctx context.Context, jobs []*notebookJob, progress *runProgress) (wait func()) {
	queue := make(chan *notebookJob, len(jobs))
	for _, job := range jobs {
		queue <- job
	}
	close(queue)
	var workers sync.WaitGroup
	for range min(r.workers, len(jobs)) {
		workers.Go(func() {
			for job := range queue {
				if job.err == nil {
					r.run(ctx, job, progress)
				}
				progress.ended(job)
				close(job.ended)
			}
		})
	}
	return workers.Wait
}

// notebookJob is one notebook to be run, and what came of it.
type notebookJob struct {
	path  string
	out   string // the file for the executed notebook, or ""
	nb    *nbformat.Notebook
	spec  kernelspec.Spec
	cells int // that there are to run

	ended         chan struct{} // closed when all below is known
	started       bool          // its kernel
	begun, failed int           // cells
	failures      nbrun.Failures
	took          time.Duration
	written       bool  // to out
	err           error // nil when every cell ran and out was written; otherwise the first reason
}

// run runs a notebook and keeps what came of it, also when it was interrupted.
func (r *notebookRun) run(ctx context.Context, job *notebookJob, progress *runProgress) {
	if job.err = context.Cause(ctx); job.err != nil {
		return
	}
	begin := time.Now()
	job.err = r.execute(ctx, job, progress)
	job.took = time.Since(begin).Round(100 * time.Millisecond)
	if errors.As(job.err, &job.failures) {
		job.failed, job.err = len(job.failures), errors.New(job.failures[0].Error())
	}
	if !job.started || job.out == "" {
		return
	}
	err := job.write()
	switch {
	case err == nil:
		job.written = true
	case job.err == nil:
		job.err = err
	default:
		progress.note(job, err)
	}
}

// execute runs the notebook in a kernel of its own, of which nothing is left
// afterwards.
func (r *notebookRun) execute(ctx context.Context, job *notebookJob, progress *runProgress) error {
	dir, err := filepath.Abs(filepath.Dir(job.path))
	if err != nil {
		return fmt.Errorf("finding the notebook's folder: %w", err)
	}
	kernel, err := jupyter.Start(ctx, job.spec, dir)
	if err != nil {
		return err
	}
	job.started = true
	options := nbrun.Options{
		CellDeadline: r.cellTimeout,
		Deadline:     r.timeout,
		AllowErrors:  r.allowErrors,
		Started: func(n, _ int) {
			job.begun = n
			progress.started(job, n)
		},
		Notice: func(text string) { progress.note(job, text) },
	}
	err = nbrun.Run(ctx, job.nb, kernel, options)
	if endErr := kernel.Shutdown(ctx); endErr != nil {
		progress.note(job, fmt.Errorf("ending the kernel: %w", endErr))
	}
	return err
}

func (job *notebookJob) write() error {
	if err := os.MkdirAll(filepath.Dir(job.out), 0o755); err != nil {
		return fmt.Errorf("making the folder for the executed notebook: %w", err)
	}
	return job.nb.Write(job.out)
}

// stopped says whether an interrupt has kept the notebook from its end.
func (job *notebookJob) stopped(ctx context.Context) bool {
	return ctx.Err() != nil && errors.Is(job.err, context.Cause(ctx))
}

// showFailures shows the cells that failed, and forgets them: they can be large.
func (job *notebookJob) showFailures(w io.Writer, named bool) {
	if len(job.failures) > 0 && named {
		fmt.Fprintf(w, "%s:\n\n", job.path)
	}
	for _, failure := range job.failures {
		printFailure(w, failure, job.cells)
	}
	job.nb, job.failures = nil, nil
}

// conclude says what came of the only notebook.
func (job *notebookJob) conclude(ctx context.Context, stdout io.Writer) error {
	switch {
	case job.stopped(ctx) && job.written:
		return &codedError{exitInterrupted, fmt.Errorf("stopped before the end; %s holds what had run until then", job.out)}
	case job.stopped(ctx):
		return &codedError{exitInterrupted, errors.New("stopped before the end; nothing was written")}
	case job.failed > 0:
		return &codedError{exitNotRight, fmt.Errorf("%s: %d of %d cells failed after %s", job.path, job.failed, job.cells, job.took)}
	case job.err != nil:
		return &codedError{exitNotRight, job.err}
	}
	_, err := fmt.Fprintf(stdout, "%s: all %d cells ran in %s\n", job.path, job.cells, job.took)
	return err
}

// concludeAll prints the table of several notebooks.
func concludeAll(ctx context.Context, jobs []*notebookJob, stdout io.Writer) error {
	table := tabwriter.NewWriter(stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "notebook\tcells run\tfailed\ttime\tresult")
	wrong := 0
	for _, job := range jobs {
		fmt.Fprintf(table, "%s\t%d of %d\t%d\t%s\t%s\n",
			printable(job.path, false), job.begun, job.cells, job.failed, job.took, job.outcome(ctx))
		if job.err != nil {
			wrong++
		}
	}
	if err := table.Flush(); err != nil {
		return err
	}
	switch {
	case wrong > 0 && ctx.Err() != nil:
		return &codedError{exitInterrupted, fmt.Errorf("stopped before the end; %d of %d notebooks ran without an error", len(jobs)-wrong, len(jobs))}
	case wrong > 0:
		return &codedError{exitNotRight, fmt.Errorf("%d of %d notebooks failed", wrong, len(jobs))}
	}
	return nil
}

// outcome says in one line what came of a notebook.
func (job *notebookJob) outcome(ctx context.Context) string {
	const longest = 100 // characters
	var text string
	switch {
	case job.err == nil:
		return "ok"
	case job.stopped(ctx) && job.begun > 0:
		return "stopped"
	case job.stopped(ctx):
		return "not run"
	case job.begun == 0:
		text = "not run: " + job.err.Error()
	default:
		text = job.err.Error()
	}
	text = strings.Join(strings.Fields(printable(text, false)), " ")
	if runes := []rune(text); len(runes) > longest {
		text = string(runes[:longest]) + "…"
	}
	return text
}

// How much of a failed cell is shown, in lines.
const (
	sourceHead = 6
	outputTail = 60
)

// printFailure shows a cell that failed: how it begins, and the end of what it
// put out, which says why.
func printFailure(w io.Writer, failure *nbrun.CellError, cells int) {
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
