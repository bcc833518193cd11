package enginetest

import (
	"flag"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/wgslab/wgslab/internal/machine/engine/simulator"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/machine/sim"
	_ "github.com/wgslab/wgslab/internal/machine/sim/machinecode" // what Always needs
)

// seed draws the programs unless -rapid.seed does. It is fixed, so that a new program that exposes
// a bug in another compiler cannot block an unrelated change. About 12,300 programs from other
// seeds found five with different integers, four in Chromium and one on lavapipe. Two were worked
// out by hand, and the simulator is right in both; we do not know why the compilers differ. Use
// other seeds to hunt for bugs.
const seed = 1

// drawing sets how many programs a test draws, from which seed, unless flags do.
func drawing(t *testing.T, programs int) {
	for name, value := range map[string]int{"rapid.checks": programs, "rapid.seed": seed} {
		if set := flag.Lookup(name); set.Value.String() == set.DefValue {
			require.NoError(t, set.Value.Set(fmt.Sprint(value)))
			t.Cleanup(func() { require.NoError(t, set.Value.Set(set.DefValue)) })
		}
	}
}

// CheckCompiled draws this many programs (or -rapid.checks). It runs each as it is and with a line
// missing, watched and unwatched, in the interpreter and as machine code. Both must leave the same
// bits after as many steps, and find the same.
func CheckCompiled(t *testing.T, programs int) {
	t.Helper()
	drawing(t, programs)
	interpreted, compiled := simulator.New(simulator.Options{Compile: sim.Never}), simulator.New(simulator.Options{Compile: sim.Always})
	ran, wrong := 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		p := Programs().Draw(rt, "program")
		for _, q := range []*Workload{p, p.withoutLine(rapid.Uint().Draw(rt, "line"))} {
			if q.read().Unrunnable() != nil {
				continue // it needs the line
			}
			for _, watch := range []bool{false, true} {
				want, wantErr := q.result(t.Context(), interpreted, watch)
				got, gotErr := q.result(t.Context(), compiled, watch)
				if fmt.Sprint(wantErr) != fmt.Sprint(gotErr) || !reflect.DeepEqual(want, got) {
					rt.Fatalf("watched: %v. Machine code and the interpreter differ, %v and %v, on\n%s\n%s", watch, gotErr, wantErr, q.Source, difference(got, want))
				}
				if ran++; len(want.Findings) > 0 {
					wrong++
				}
			}
		}
	})
	t.Logf("-rapid.seed=%s draws these programs again. Runs: %d; with findings: %d.", flag.Lookup("rapid.seed").Value, ran, wrong)
}

// difference names the parts of two results that differ.
func difference(got, want shader.Result) string {
	var all strings.Builder
	a, b := reflect.ValueOf(got), reflect.ValueOf(want)
	for i := range a.NumField() {
		if x, y := a.Field(i).Interface(), b.Field(i).Interface(); !reflect.DeepEqual(x, y) {
			fmt.Fprintf(&all, "%s: %+v and %+v\n", a.Type().Field(i).Name, x, y)
		}
	}
	return all.String()
}

// Check draws this many programs (or -rapid.checks), without an engine's gaps. It runs each in the
// simulator, watched and unwatched, and on the engine. All must give the required results, and the
// watched run must report no error, because there is none.
func Check(t *testing.T, programs int, engine shader.Backend, without ...Gap) {
	t.Helper()
	drawing(t, programs)
	simulator := simulator.New(simulator.Options{})
	held, open := 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		p := Programs(without...).Draw(rt, "program")
		want, findings, err := p.Run(t.Context(), simulator, true)
		if err != nil {
			rt.Fatalf("in the simulator: %v", err)
		}
		for _, f := range findings {
			if f.IsError() {
				rt.Fatalf("the simulator sees %s on line %d: %s", f.Kind, f.Location.Line, f.Message)
			}
		}
		if c := p.Compare(want, want); c.Different != "" {
			rt.Fatalf("the watched simulator is wrong:\n%s", c.Different)
		}
		for _, other := range []shader.Backend{simulator, engine} {
			got, _, err := p.Run(t.Context(), other, false)
			if err != nil {
				rt.Fatalf("on %s: %v", other.Adapter(), err)
			}
			c := p.Compare(got, want)
			if c.Different != "" {
				rt.Fatalf("%s and the watched simulator differ:\n%s", other.Adapter(), c.Different)
			}
			held, open = held+c.Held, open+c.Open
		}
	})
	t.Logf("-rapid.seed=%s draws these programs again. Roundings held to § 15.7.4: %d; of %d more it says nothing.",
		flag.Lookup("rapid.seed").Value, held, open)
}
