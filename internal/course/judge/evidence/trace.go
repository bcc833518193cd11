package evidence

import (
	"context"
	"strings"

	"github.com/wgslab/wgslab/internal/machine/engine/simulator"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/machine/sim"
	"github.com/wgslab/wgslab/internal/machine/sim/ir"
)

// mostTraced limits the accesses that are kept of a run.
const mostTraced = 400_000

// A Trace is every access of one run of a case.
type Trace struct {
	sim.Trace
	bindings map[string]int // by the name of the variable
}

// Trace runs a source in a case and keeps every access.
func (f *Facts) Trace(ctx context.Context, source *shader.Source, o CaseRun) (*Trace, error) {
	t := &Trace{Trace: sim.Trace{Limit: mostTraced}, bindings: map[string]int{}}
	module, err := source.Module()
	if err != nil {
		return nil, err
	}
	for _, b := range module.Bindings {
		t.bindings[b.Name] = int(b.Number)
	}
	_, err = f.Exercise.RunOnce(ctx, simulator.New(simulator.Options{Trace: &t.Trace}), source, o.Case, watched)
	return t, err
}

// Touching returns the accesses to a word, in time order.
func (t *Trace) Touching(w sim.Word, kind ir.AccessKind) []sim.Access {
	var found []sim.Access
	for _, a := range t.Accesses {
		if t.Sites[a.Site].Kind == kind && t.Touches(a, w) {
			found = append(found, a)
		}
	}
	return found
}

// Writing returns the accesses that write a word, in time order: stores and the atomic functions
// that change what they find.
func (t *Trace) Writing(w sim.Word) []sim.Access {
	var found []sim.Access
	for _, a := range t.Accesses {
		site := t.Sites[a.Site]
		changes := site.Kind == ir.Write || site.Kind == ir.Atomic && !strings.HasPrefix(site.Text, "atomicLoad")
		if changes && t.Touches(a, w) {
			found = append(found, a)
		}
	}
	return found
}

// Touches reports whether an access reads or writes a word.
func (t *Trace) Touches(a sim.Access, w sim.Word) bool {
	return t.BindingOf(a) == w.Binding && a.Offset <= uint32(4*w.Index) && uint32(4*w.Index) < a.Offset+a.Bytes
}

// Of returns the accesses to a binding by one invocation, in time order.
func (t *Trace) Of(binding int, kind ir.AccessKind, workgroup, invocation uint32) []sim.Access {
	var found []sim.Access
	for _, a := range t.Accesses {
		if a.Workgroup == workgroup && a.Invocation == invocation && t.Sites[a.Site].Kind == kind && t.BindingOf(a) == binding {
			found = append(found, a)
		}
	}
	return found
}

// BindingOf returns the binding of an access; -1 for workgroup memory.
func (t *Trace) BindingOf(a sim.Access) int {
	if binding, ok := t.bindings[t.Variables[a.Variable].Object.Name]; ok {
		return binding
	}
	return -1
}
