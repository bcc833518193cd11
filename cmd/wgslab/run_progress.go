package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
	notebookrun "github.com/wgslab/wgslab/internal/fronts/notebook/run"
	"golang.org/x/term"
)

// runProgress shows on a terminal, in one line, the running cells with their times.
type runProgress struct {
	out       io.Writer
	notebooks int
	visible   bool
	stop      chan struct{}
	ticking   sync.WaitGroup

	mu      sync.Mutex
	bar     *progressbar.ProgressBar // over the cells of all notebooks
	done    int                      // cells
	over    int                      // notebooks
	running []*runningCell
}

type runningCell struct {
	job   *notebookrun.Job
	n     int
	since time.Time
}

func newRunProgress(out io.Writer) *runProgress {
	return &runProgress{out: out, visible: isTerminal(out), stop: make(chan struct{})}
}

// Begin shows the bar, on a terminal.
func (p *runProgress) Begin(jobs []*notebookrun.Job) {
	if p.notebooks = len(jobs); !p.visible {
		return
	}
	cells := 0
	for _, job := range jobs {
		cells += job.Cells
	}
	p.bar = newBar(p.out, int64(max(cells, 1)), "", progressbar.OptionSetElapsedTime(false), progressbar.OptionSetPredictTime(false))
	p.ticking.Go(p.tick)
}

// Started records that a notebook has reached its n-th cell.
func (p *runProgress) Started(job *notebookrun.Job, n int) {
	p.change(func() {
		i := p.index(job)
		if i < 0 {
			p.running = append(p.running, &runningCell{job: job})
			i = len(p.running) - 1
		} else {
			p.done++
		}
		p.running[i].n, p.running[i].since = n, time.Now()
	})
}

// Ended removes a notebook from the line, and counts the cells that did not run.
func (p *runProgress) Ended(job *notebookrun.Job) {
	p.change(func() {
		p.over++
		p.done += job.Cells - max(0, job.Begun-1)
		if i := p.index(job); i >= 0 {
			p.running = slices.Delete(p.running, i, i+1)
		}
	})
}

func (p *runProgress) index(job *notebookrun.Job) int {
	return slices.IndexFunc(p.running, func(r *runningCell) bool { return r.job == job })
}

func (p *runProgress) change(change func()) {
	if !p.visible {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	change()
	p.draw()
}

// draw draws the bar. The caller holds mu. It ignores drawing errors.
func (p *runProgress) draw() {
	p.bar.Describe(p.line(time.Now(), width(p.out)-barWidth-len(" 100% || ")))
	_ = p.bar.Set(min(p.done, p.bar.GetMax()-1)) // the last step would end the line
}

// line describes the running cells in at most width characters.
func (p *runProgress) line(now time.Time, width int) string {
	var parts []string
	if p.notebooks > 1 {
		parts = append(parts, fmt.Sprintf("%d of %d notebooks", p.over, p.notebooks))
	}
	for _, r := range p.running {
		name := "cell"
		if p.notebooks > 1 {
			name = strings.TrimSuffix(filepath.Base(r.job.Path), ".ipynb")
		}
		parts = append(parts, fmt.Sprintf("%s %d of %d %s", name, r.n, r.job.Cells, now.Sub(r.since).Truncate(time.Second)))
	}
	line := []rune(strings.Join(parts, ", "))
	return string(line[:min(len(line), max(width, 0))])
}

// width returns the width of a terminal in characters.
func width(out io.Writer) int {
	const usual = 80
	file, ok := out.(*os.File)
	if !ok {
		return usual
	}
	width, _, err := term.GetSize(int(file.Fd()))
	if err != nil || width == 0 {
		return usual
	}
	return width
}

// tick updates the times on the screen.
func (p *runProgress) tick() {
	ticker := time.NewTicker(200 * time.Millisecond)
	defer ticker.Stop()
	for {
		select {
		case <-p.stop:
			return
		case <-ticker.C:
			p.change(func() {})
		}
	}
}

// Aside hides the bar and prints something.
func (p *runProgress) Aside(print func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.bar != nil {
		_ = p.bar.Clear()
	}
	print()
}

// Note prints a remark about a notebook.
func (p *runProgress) Note(job *notebookrun.Job, what any) {
	p.Aside(func() { fmt.Fprintf(p.out, "wgslab: %s: %v\n", job.Path, what) })
}

// End removes the bar.
func (p *runProgress) End() {
	close(p.stop)
	p.ticking.Wait()
	if p.bar != nil {
		_ = p.bar.Clear()
	}
}
