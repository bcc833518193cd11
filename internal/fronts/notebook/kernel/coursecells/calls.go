package coursecells

import (
	"context"
	"math/rand/v2"
	"strings"
	"sync"
	"time"

	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/fronts/desk/protocol"
	"github.com/wgslab/wgslab/internal/fronts/notebook/kernel"
	"github.com/wgslab/wgslab/internal/fronts/notebook/workerpool"
	"github.com/wgslab/wgslab/internal/ground/ipynb/cell"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
)

// Calls answers the cells that are one call of the course. GoNB would build a program for each,
// and each program would open the GPU.
type Calls struct {
	worker    Worker
	completed func(code string, declared []string) string

	mu       sync.Mutex
	declared declared // by the cells that GoNB has run
}

// NewCalls returns an answerer whose work w does. completed returns a cell with the host's calls
// together with what it uses from the learner's host file; nil leaves it as it is. declared are the
// names of the session.
func NewCalls(w Worker, completed func(code string, declared []string) string) *Calls {
	return &Calls{worker: w, completed: completed}
}

// Takes implements kernel.Answerer. An earlier cell may have changed the meaning of the call's
// names.
func (c *Calls) Takes(from *cell.CellSource) bool {
	found, _ := from.Call()
	_, ok := protocol.FromCall(found.Function, found.Arguments)
	c.mu.Lock()
	defer c.mu.Unlock()
	return ok && !c.declared.concerns(found)
}

// Passed implements kernel.Follower. A learner may call a function check or gpu: a later cell that
// imports such a package gets it by another name. A cell with the host's calls gets what it uses
// from the learner's host file, unless a cell of this session has declared it.
func (c *Calls) Passed(from *cell.CellSource) (code string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	code = from.Renamed(c.declared.names)
	if c.completed != nil && strings.Contains(code, hostCalls) {
		code = c.completed(code, c.declared.names)
	}
	c.declared.add(from)
	return code
}

// hostCalls is the package of the host's calls.
const hostCalls = "\"github.com/wgslab/wgslab/pkg/wgpu\""

// Run implements kernel.Answerer.
func (c *Calls) Run(ctx context.Context, from kernel.Cell, out kernel.Output) error {
	found, _ := from.Call()
	r, _ := protocol.FromCall(found.Function, found.Arguments) // Takes has read it
	seed := uint64(rand.Uint32())
	r.Seed = &seed
	started := time.Now()
	err := c.worker.Do(ctx, from.Dir, r, displayIn(out))
	if lost, isLost := workerpool.IsLost(err); isLost {
		v := broken(r, lost, time.Since(started))
		out.Display("", protocol.View{"text/html": string(v.HTML()), "text/plain": v.Text()})
		return &protocol.Failure{Name: "NotRight", Message: v.Headline()}
	}
	return err
}

// displayIn returns a function that displays views.
func displayIn(out kernel.Output) func(protocol.View) {
	var shown protocol.Shown
	return func(v protocol.View) {
		display := out.Display
		place, replaces := shown.Add(v)
		if replaces {
			display = out.Update
		}
		display(place, v)
	}
}

// broken returns the verdict on a shader whose worker ended without one.
func broken(r protocol.Request, lost *workerpool.LostError, took time.Duration) *verdict.Verdict {
	v := &verdict.Verdict{
		Exercise: r.Subject(), Cases: []verdict.CaseResult{}, Findings: []findings.Finding{},
		Adapter: lost.Adapter, Seed: *r.Seed, Milliseconds: float64(took.Milliseconds()),
	}
	if v.Adapter == "" {
		v.Adapter = "no adapter yet"
	}
	d := verdict.Diagnosis{
		Stage: verdict.StageRun, Slug: verdict.DidNotFinish,
		Message: "The worker that ran your shader has ended: " + lost.Error() + ".",
		Why:     "A new worker replaces it. Your shader and your earlier tries are saved.",
		Ask:     "Run this cell again. If it fails again: which part of your shader may run forever, or use up all the memory?",
	}
	if lost.Ended != "" {
		d.Slug = "crashed"
	}
	if lost.Hungry != "" {
		d.Message = "Your shader needed more than " + lost.Hungry + " of memory to compile or to run, so its worker was stopped."
		d.Ask = "Which part needs that much: a large array, or functions that call each other many times over?"
	}
	v.Fail(d)
	return v
}

var _ kernel.Follower = (*Calls)(nil)
