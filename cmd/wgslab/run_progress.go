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
	"golang.org/x/term"
)

// runProgress shows on a terminal, in one line, which cells are running and for
// how long.
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
	job   *notebookJob
	n     int
	since time.Time
}

func newRunProgress(out io.Writer, jobs []*notebookJob) *runProgress {
	p := &runProgress{out: out, notebooks: len(jobs), visible: isTerminal(out), stop: make(chan struct{})}
	if !p.visible {
		return p
	}
	cells := 0
	for _, job := range jobs {
		cells += job.cells
	}
	p.bar = progressbar.NewOptions(max(cells, 1),
		progressbar.OptionSetWriter(out),
		progressbar.OptionSetWidth(barWidth),
		progressbar.OptionSetElapsedTime(false),
		progressbar.OptionSetPredictTime(false),
		progressbar.OptionClearOnFinish())
	p.ticking.Go(p.tick)
	return p
}

// barWidth is the width of the bar, in characters.
const barWidth = 24

// started moves a notebook on to its n-th cell.
func (p *runProgress) started(job *notebookJob, n int) {
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

// ended takes a notebook off the line, with those of its cells that did not run.
func (p *runProgress) ended(job *notebookJob) {
	p.change(func() {
		p.over++
		p.done += job.cells - max(0, job.begun-1)
		if i := p.index(job); i >= 0 {
			p.running = slices.Delete(p.running, i, i+1)
		}
	})
}

func (p *runProgress) index(job *notebookJob) int {
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

// draw must be called with mu held. A bar that cannot be drawn is no reason to
// stop.
func (p *runProgress) draw() {
	p.bar.Describe(p.line(time.Now(), width(p.out)-barWidth-len(" 100% || ")))
	_ = p.bar.Set(min(p.done, p.bar.GetMax()-1)) // the last step would end the line
}

// line describes what is running, in at most width characters.
func (p *runProgress) line(now time.Time, width int) string {
	var parts []string
	if p.notebooks > 1 {
		parts = append(parts, fmt.Sprintf("%d of %d notebooks", p.over, p.notebooks))
	}
	for _, r := range p.running {
		name := "cell"
		if p.notebooks > 1 {
			name = strings.TrimSuffix(filepath.Base(r.job.path), ".ipynb")
		}
		parts = append(parts, fmt.Sprintf("%s %d of %d %s", name, r.n, r.job.cells, now.Sub(r.since).Truncate(time.Second)))
	}
	line := []rune(strings.Join(parts, ", "))
	return string(line[:min(len(line), max(width, 0))])
}

// width is the width of a terminal, in characters.
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

// tick keeps the times on the screen going.
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

// aside prints something without the bar in its way.
func (p *runProgress) aside(print func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.bar != nil {
		_ = p.bar.Clear()
	}
	print()
}

// note prints something about a notebook that did not keep it from running.
func (p *runProgress) note(job *notebookJob, what any) {
	p.aside(func() { fmt.Fprintf(p.out, "wgslab: %s: %v\n", job.path, what) })
}

// end takes the bar off the screen.
func (p *runProgress) end() {
	close(p.stop)
	p.ticking.Wait()
	if p.bar != nil {
		_ = p.bar.Clear()
	}
}
