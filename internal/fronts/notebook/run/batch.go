package run

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
	"time"

	"github.com/wgslab/wgslab/internal/fronts/notebook/jupyter"
	"github.com/wgslab/wgslab/internal/fronts/notebook/kernelspec"
	"github.com/wgslab/wgslab/internal/ground/ipynb/nbformat"
	"github.com/wgslab/wgslab/internal/ground/repository"
)

// A Batch runs notebooks, each in its own kernel.
type Batch struct {
	Notebooks    []string          // notebooks, folders and patterns
	Out          string            // the file for the executed notebook, or the folder for several; "" for none
	Parallel     int               // how many notebooks run at a time
	Kernel       string            // replaces the kernel that each notebook names, unless ""
	Env          map[string]string // for every kernel
	CellDeadline time.Duration     // 0 means none
	Deadline     time.Duration     // for each notebook; 0 means none
	AllowErrors  bool              // continue after a cell that fails
	Colours      bool              // show the colours of a failed cell's output
	Progress     Progress
}

// Progress follows a batch. Several goroutines may call its methods.
type Progress interface {
	Begin(jobs []*Job)
	Started(j *Job, n int) // its n-th cell
	Ended(j *Job)          // a notebook, however it ended
	Note(j *Job, what any) // something odd about a notebook, which continues
	Aside(print func())    // prints without other output in between
	End()
}

// A UsageError says that the batch cannot begin because its settings are wrong.
type UsageError struct{ Err error }

func (e *UsageError) Error() string { return e.Err.Error() }

func (e *UsageError) Unwrap() error { return e.Err }

// Run runs the notebooks. It shows progress and failed cells on stderr, and the result on stdout.
// The error is nil if every cell ran.
func (b *Batch) Run(ctx context.Context, stdout, stderr io.Writer) error {
	jobs, err := b.plan()
	if err != nil {
		return &UsageError{err}
	}
	if !b.prepare(jobs) {
		return &UsageError{whyNone(jobs)}
	}
	b.Progress.Begin(jobs)
	wait := b.start(ctx, jobs)
	for _, job := range jobs { // in order, whichever ends first
		<-job.ended
		b.Progress.Aside(func() { job.showFailures(stderr, len(jobs) > 1, b.Colours) })
	}
	wait()
	b.Progress.End()
	if len(jobs) == 1 {
		return jobs[0].conclude(ctx, stdout)
	}
	return concludeAll(ctx, jobs, stdout)
}

// prepare reads the notebooks and finds their kernels before anything runs. It reports whether any
// notebook can run.
func (b *Batch) prepare(jobs []*Job) (some bool) {
	for _, job := range jobs {
		if job.nb, job.err = nbformat.Read(job.Path); job.err == nil {
			job.Cells = len(Executable(job.nb))
			job.spec, job.err = b.findKernel(job)
		}
		some = some || job.err == nil
	}
	return some
}

// whyNone returns the reason that no notebook can run.
func whyNone(jobs []*Job) error {
	if len(jobs) == 1 {
		return jobs[0].err
	}
	reasons := make([]string, len(jobs))
	for i, job := range jobs {
		reasons[i] = "\n  " + job.err.Error()
	}
	return fmt.Errorf("none of the %d notebooks can run:%s", len(jobs), strings.Join(reasons, ""))
}

// findKernel finds the batch's kernel, or the one that the notebook names, or else the course's
// own.
func (b *Batch) findKernel(job *Job) (kernelspec.Spec, error) {
	name := b.Kernel
	if name == "" {
		name = job.nb.Kernel()
	}
	if name == "" {
		name = kernelspec.Name
	}
	spec, err := kernelspec.Find(name, kernelPrefixes(filepath.Dir(job.Path))...)
	var missing *kernelspec.MissingError
	if errors.As(err, &missing) {
		if name == kernelspec.Name {
			return spec, fmt.Errorf("%s: %w; run make setup in the clone of wgslab to install it", job.Path, err)
		}
		return spec, fmt.Errorf("%s: %w; choose another with --kernel", job.Path, err)
	}
	env := map[string]string{}
	maps.Copy(env, spec.Env)
	maps.Copy(env, b.Env)
	spec.Env = env
	return spec, err
}

// kernelPrefixes lists the environments in which to look for kernels: the active one, and the .venv
// of the clone that holds the notebook's folder, this folder or this program.
func kernelPrefixes(dir string) []string {
	var prefixes []string
	if active := os.Getenv("VIRTUAL_ENV"); active != "" {
		prefixes = append(prefixes, active)
	}
	if root, err := repository.Root(dir, "."); err == nil {
		prefixes = append(prefixes, filepath.Join(repository.SetUp(root), ".venv"))
	}
	return prefixes
}

// start runs the jobs, as many at a time as may run in parallel. wait returns when the last one has
// ended.
func (b *Batch) start(ctx context.Context, jobs []*Job) (wait func()) {
	queue := make(chan *Job, len(jobs))
	for _, job := range jobs {
		queue <- job
	}
	close(queue)
	var running sync.WaitGroup
	for range min(b.Parallel, len(jobs)) {
		running.Go(func() {
			for job := range queue {
				if job.err == nil {
					b.run(ctx, job)
				}
				b.Progress.Ended(job)
				close(job.ended)
			}
		})
	}
	return running.Wait
}

// A Job is one notebook to run, with its result.
type Job struct {
	Path  string
	Cells int // to run
	Begun int // cells so far

	out  string // the file for the executed notebook, or ""
	nb   *nbformat.Notebook
	spec kernelspec.Spec

	ended    chan struct{} // closed when all fields below are final
	started  bool          // its kernel
	failed   int           // cells
	failures Failures
	took     time.Duration
	written  bool  // to out
	err      error // nil if every cell ran and out was written; otherwise the first error
}

// run runs a notebook and keeps its result, even when it was interrupted.
func (b *Batch) run(ctx context.Context, job *Job) {
	if job.err = context.Cause(ctx); job.err != nil {
		return
	}
	begin := time.Now()
	job.err = b.execute(ctx, job)
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
		b.Progress.Note(job, err)
	}
}

// execute runs the notebook in its own kernel, and ends the kernel with all its processes.
func (b *Batch) execute(ctx context.Context, job *Job) error {
	dir, err := filepath.Abs(filepath.Dir(job.Path))
	if err != nil {
		return fmt.Errorf("finding the notebook's folder: %w", err)
	}
	kernel, err := jupyter.Start(ctx, job.spec, dir)
	if err != nil {
		return err
	}
	job.started = true
	options := Options{
		CellDeadline: b.CellDeadline,
		Deadline:     b.Deadline,
		AllowErrors:  b.AllowErrors,
		Started: func(n, _ int) {
			job.Begun = n
			b.Progress.Started(job, n)
		},
		Notice: func(text string) { b.Progress.Note(job, text) },
	}
	err = Run(ctx, job.nb, kernel, options)
	if endErr := kernel.Shutdown(ctx); endErr != nil {
		b.Progress.Note(job, fmt.Errorf("ending the kernel: %w", endErr))
	}
	return err
}

func (j *Job) write() error {
	if err := os.MkdirAll(filepath.Dir(j.out), 0o755); err != nil {
		return fmt.Errorf("making the folder for the executed notebook: %w", err)
	}
	return j.nb.Write(j.out)
}

// stopped reports whether an interrupt ended the notebook early.
func (j *Job) stopped(ctx context.Context) bool {
	return ctx.Err() != nil && errors.Is(j.err, context.Cause(ctx))
}
