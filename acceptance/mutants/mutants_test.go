//go:build acceptance

// Package mutants shows that no shader makes a tool fail. It changes the course's shaders at
// random, and sends each mutant through the check with its search for reasons, the trace, the cost,
// the look and the editor's requests.
//
//	go test -tags acceptance ./acceptance/mutants -v -timeout 3h -mutants 20000
package mutants

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/coursetest"
	"github.com/wgslab/wgslab/internal/wgsl/mutant"
)

var (
	most     = flag.Int("mutants", 500, "number of mutants")
	first    = flag.Int("first", 0, "the first mutant's number: a failure names it")
	seed     = flag.Uint64("seed", 1, "draws the mutants")
	explains = flag.Int("explain", 1, "search for reasons in one of so many mutants")
	kept     = flag.String("keep", os.TempDir(), "folder for the mutants that fail")
)

// A tool may use limit of CPU time for a mutant. Its context ends after patience, because other
// load stretches that time. A tool that goes on for hung after that ignores its context.
const (
	limit    = 10 * time.Second
	patience = time.Minute
	hung     = 2 * time.Minute
)

// A specimen is a shader of the course, in the exercise that it belongs to.
type specimen struct {
	exercise *course.Exercise
	name     string
	text     string
}

func specimens(t *testing.T) (all []specimen) {
	for _, e := range course.All() {
		if e.IsOnHost() {
			continue
		}
		for _, pattern := range []string{"*.wgsl", "right/*.wgsl", "wrong/*.wgsl"} {
			names, err := exercises.Files.Glob(e.ID + "/" + pattern)
			require.NoError(t, err)
			for _, name := range names {
				text, err := exercises.Files.ReadFile(name)
				require.NoError(t, err)
				all = append(all, specimen{e, name, string(text)})
			}
		}
	}
	require.Greater(t, len(all), 1000, "the course has more shaders")
	return all
}

// A trial is a mutant on its way through the tools.
type trial struct {
	specimen
	number  int
	changes []string
	rng     *rand.Rand
}

// newTrial makes a mutant. Its number and the seed alone decide which.
func newTrial(all []specimen, number int) *trial {
	rng := rand.New(rand.NewPCG(*seed, uint64(number)))
	t := &trial{specimen: all[rng.IntN(len(all))], number: number, rng: rng}
	t.text, t.changes = mutant.Of(rng, t.text)
	return t
}

func (m *trial) String() string {
	return fmt.Sprintf("mutant %d of %s (%s)", m.number, m.name, strings.Join(m.changes, ", "))
}

// keep writes the mutant to a file, and returns how to try it again.
func (m *trial) keep() string {
	path := filepath.Join(*kept, fmt.Sprintf("mutant-%d-%d.wgsl", *seed, m.number))
	if err := os.WriteFile(path, []byte(m.text), 0o644); err != nil {
		return err.Error()
	}
	return fmt.Sprintf("%s; again: -seed %d -first %d -mutants 1", path, *seed, m.number)
}

// A tool does something with a mutant, and returns one word for the outcome. An error is a failure
// of the tool, not of the shader.
type tool struct {
	name string
	use  func(context.Context, *trial) (outcome string, err error)
}

// TestNoMutantMakesAToolFail prints what the mutants came to, and the CPU time that each tool used.
// The tools run one after the other, because the time is that of the whole process.
func TestNoMutantMakesAToolFail(t *testing.T) {
	debug.SetGCPercent(400)
	r := &report{}
	all := specimens(t)
	tools := slices.Concat(ofLearners, startEditor(t).tools())
	begin, end := coursetest.Range(t, *most)
	for number := begin; number < end; number++ {
		m := newTrial(all, *first+number)
		for _, one := range tools {
			r.add(m, one.name, try(t.Context(), m, one))
		}
	}
	t.Logf("%d mutants of %d shaders, seed %d\n%s", end-begin, len(all), *seed, r)
	for _, failure := range r.failures {
		t.Error(failure)
	}
}

// A result is what one tool made of one mutant.
type result struct {
	outcome string
	err     error
	used    time.Duration // CPU time
}

// try uses a tool on a mutant. A panic is an error. A tool that ignores its context ends the
// process with the stacks of all goroutines: nothing else would end it.
func try(ctx context.Context, m *trial, one tool) (r result) {
	stuck := time.AfterFunc(patience+hung, func() {
		debug.SetTraceback("all")
		panic(fmt.Sprintf("%s: %s ignores its context: %s", m, one.name, m.keep()))
	})
	defer stuck.Stop()
	limited, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	began := cpuTime()
	defer func() {
		r.used = cpuTime() - began
		if cause := recover(); cause != nil {
			r.err = fmt.Errorf("panic: %v\n%s", cause, debug.Stack())
		} else if r.err == nil && r.used > limit {
			r.err = fmt.Errorf("it used %v of CPU time", r.used)
		}
	}()
	r.outcome, r.err = one.use(limited, m)
	return r
}

// cpuTime returns the CPU time of this process.
func cpuTime() time.Duration {
	var used syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &used) // can't fail
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
