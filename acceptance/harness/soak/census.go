package main

import (
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/wgslab/wgslab/acceptance/internal/lab"
	"github.com/wgslab/wgslab/internal/fronts/notebook/workerpool"
)

// A census knows which learner a process belongs to: by its environment, or by its parent. Guards
// of kernels have an environment of their own.
type census struct {
	numbers map[string]int // of the learners by the value of learnerVariable

	mu    sync.Mutex
	known map[identity]int // learners
}

// An identity distinguishes a process from all earlier and later ones.
type identity struct {
	pid     int
	started string
}

func identityOf(p lab.Process) identity { return identity{p.PID, p.Started} }

// take lists the processes of all learners.
func (c *census) take() map[int][]lab.Process {
	c.mu.Lock()
	defer c.mu.Unlock()
	all := lab.All()
	byPID := map[int]lab.Process{}
	for _, p := range all {
		byPID[p.PID] = p
	}
	living, of := map[identity]int{}, map[int][]lab.Process{}
	for _, p := range all {
		if number, ok := c.learner(p, byPID); ok {
			living[identityOf(p)] = number
			of[number] = append(of[number], p)
		}
	}
	c.known = living
	return of
}

// learner returns the learner that a process belongs to. A process has no environment for a moment
// while it becomes another program, but then it is known or its parent is.
func (c *census) learner(p lab.Process, all map[int]lab.Process) (int, bool) {
	if number, ok := c.known[identityOf(p)]; ok {
		return number, true
	}
	if value, ok := p.Variable(learnerVariable); ok {
		number, ok := c.numbers[value]
		return number, ok
	}
	parent, ok := all[p.Parent]
	if !ok || parent.PID == p.PID {
		return 0, false
	}
	return c.learner(parent, all)
}

// of lists a learner's processes.
func (c *census) of(number int) []lab.Process { return c.take()[number] }

// isWorker reports whether a process runs learners' shaders.
func isWorker(p lab.Process) bool { return slices.Contains(p.Arguments(), workerpool.Command) }

// program names what a process runs: "wgslab kernel", "gopls".
func program(p lab.Process) string {
	arguments := p.Arguments()
	switch {
	case p.Name == "wgslab" && len(arguments) > 1:
		return p.Name + " " + arguments[1]
	case strings.Contains(arguments[0], "/tmp/"): // built from a cell
		return "a Go cell"
	}
	return p.Name
}

// An idleGuard sees which processes use the processor while their learner rests.
type idleGuard struct {
	watched map[identity]*watch
}

// A watch is over a process during one rest of its learner.
type watch struct {
	rest     time.Time // when the rest began
	from     time.Time // when the watch did
	cpu      time.Duration
	reported bool
}

// settled is how long after a reply a watch begins: a worker's spare may start.
const settled = 5 * time.Second

// readsOn is how long a language server may run after its first answer: it completes what it knows
// of the packages.
const readsOn = 5 * time.Second

// allowance is how long a process may run in a rest of some length.
func allowance(p lab.Process, rest time.Duration) time.Duration {
	allowed := time.Second + rest/20
	if p.Name == "gopls" {
		allowed += readsOn
	}
	return allowed
}

// look reports the processes of a learner that have used more than allowed since the rest began.
func (g *idleGuard) look(now, rest time.Time, all []lab.Process, report func(p lab.Process, used, in time.Duration)) {
	for _, p := range all {
		w := g.watched[identityOf(p)]
		if w == nil || w.rest != rest {
			if now.Sub(rest) >= settled {
				g.watched[identityOf(p)] = &watch{rest: rest, from: now, cpu: p.CPU}
			}
			continue
		}
		if used, in := p.CPU-w.cpu, now.Sub(w.from); used > allowance(p, in) && !w.reported {
			w.reported = true
			report(p, used, in)
		}
	}
}
