package answers

import (
	"context"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/wgslab/wgslab/internal/kernel"
	"github.com/wgslab/wgslab/internal/verdict"
	"github.com/wgslab/wgslab/internal/worker/kept"
)

// Calls answers the cells whose whole program is one call of the course's: GoNB would
// build a program, and the program open a device, for the same.
type Calls struct {
	worker Worker

	mu       sync.Mutex
	declared declared // by the cells that GoNB was given
}

// NewCalls makes an answerer whose work the worker does.
func NewCalls(w Worker) *Calls { return &Calls{worker: w} }

// Takes implements kernel.Answerer.
func (c *Calls) Takes(code string) bool {
	_, ok := c.read(code)
	return ok
}

// read reads a cell, in the light of those before it.
func (c *Calls) read(code string) (call, bool) {
	found, ok := recognise(code)
	c.mu.Lock()
	defer c.mu.Unlock()
	return found, ok && !c.declared.concerns(found)
}

// Passed implements kernel.Follower.
func (c *Calls) Passed(code string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.declared.add(code)
}

// Run implements kernel.Answerer.
func (c *Calls) Run(ctx context.Context, cell kernel.Cell, out kernel.Output) error {
	found, _ := recognise(cell.Code)
	r := kept.Request{Kind: found.kind, Arguments: found.arguments, Dir: cell.Dir, Seed: uint64(rand.Uint32())}
	started := time.Now()
	failure, err := c.worker.Do(ctx, r, func(v kept.View) { out.Display("", bundle(v)) })
	switch lost, isLost := kept.IsLost(err); {
	case isLost:
		v := broken(r, lost, time.Since(started))
		out.Display("", kernel.Bundle{Data: map[string]any{"text/html": string(v.HTML()), "text/plain": v.Text()}})
		return &kernel.CellError{Name: "NotRight", Message: v.Headline()}
	case err != nil:
		return err
	case failure != nil:
		return &kernel.CellError{Name: failure.Name, Message: failure.Message}
	}
	return nil
}

// broken is the verdict on a shader whose worker gave none.
func broken(r kept.Request, lost *kept.LostError, took time.Duration) *verdict.Verdict {
	v := &verdict.Verdict{
		Exercise: r.Arguments[0], Cases: []verdict.CaseResult{}, Findings: []verdict.Finding{},
		Adapter: lost.Adapter, Seed: r.Seed, Milliseconds: float64(took.Milliseconds()),
	}
	if v.Adapter == "" {
		v.Adapter = "no adapter yet"
	}
	d := verdict.Diagnosis{
		Stage: verdict.StageRun, Slug: verdict.DidNotFinish,
		Message: "The worker that ran your shader is gone: " + lost.Error() + ".",
		Why:     "Another one has taken its place. Your shader is saved, and so are your other tries.",
		Ask:     "Run this cell again. Should it end the same way: what in the shader may never end, or take all memory?",
	}
	if lost.Ended != "" {
		d.Slug = "crashed"
	}
	v.Fail(d)
	return v
}

var _ kernel.Follower = (*Calls)(nil)
