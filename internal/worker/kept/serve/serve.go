// Package serve is a worker that is kept, from the inside: it holds the device and
// answers requests with what the cells of the course would show.
package serve

import (
	"context"
	"encoding/gob"
	"errors"
	"io"
	"os"
	"strconv"

	"github.com/wgslab/wgslab/internal/engine"
	"github.com/wgslab/wgslab/internal/glance"
	"github.com/wgslab/wgslab/internal/judge"
	"github.com/wgslab/wgslab/internal/learner"
	"github.com/wgslab/wgslab/internal/lesson"
	"github.com/wgslab/wgslab/internal/shader"
	"github.com/wgslab/wgslab/internal/verdict"
	"github.com/wgslab/wgslab/internal/worker/kept"
	"github.com/wgslab/wgslab/pkg/check"
	"github.com/wgslab/wgslab/pkg/course"
	"github.com/wgslab/wgslab/pkg/gpu"
	"github.com/wgslab/wgslab/pkg/race"
	"github.com/wgslab/wgslab/pkg/show"
	"github.com/wgslab/wgslab/pkg/trace"
	"github.com/wgslab/wgslab/shaders"
)

// answers is the file that a worker answers on: drivers print on stdout.
const answers = 3

// Serve is the whole of a worker: it ends when nobody is left to ask it.
func Serve() int {
	w := &worker{answers: kept.NewAnswers(os.NewFile(answers, "answers")), opened: make(chan struct{})}
	w.checks = check.Session{Open: w.engines, Display: w.show}
	go w.start()
	requests := make(chan kept.Request)
	go func() {
		decoder := gob.NewDecoder(os.Stdin)
		for {
			var r kept.Request
			if err := decoder.Decode(&r); err != nil {
				if errors.Is(err, io.EOF) {
					os.Exit(0) // in the midst of a shader, too
				}
				os.Exit(1)
			}
			_ = w.answers.Taken() // nobody listens: then this process ends anyway
			requests <- r
		}
	}()
	for r := range requests {
		if err := w.answer(r); err != nil {
			return 1
		}
	}
	return 0
}

type worker struct {
	answers *kept.Answers

	opened chan struct{} // closed when on and err are there
	on     *engine.Opened
	err    error

	checks check.Session
	ahead  *ahead // nil before the first
	spent  bool   // what was checked may have the device for ever
}

// keptPrograms are those of the last exercises that a learner was at, with their
// references.
const keptPrograms = 8

// start opens the device, and says when it is there.
func (w *worker) start() {
	if w.open(); w.on != nil {
		_ = w.answers.Ready(w.on.Values.Adapter().String()) // nobody listens: then this process ends anyway
	}
}

// open opens the device and has it compile and run one shader, for which a driver
// loads its compiler.
func (w *worker) open() {
	defer close(w.opened)
	ctx := context.Background()
	if w.on, w.err = engine.Open(ctx, engine.Auto, gpu.KeepPrograms(keptPrograms)); w.err != nil {
		return
	}
	exercise, err := lesson.Find("add")
	if err == nil {
		var source string
		if source, err = shaders.Source(exercise.ID); err == nil {
			_, err = judge.Run(ctx, w.on.Engines, exercise, exercise.ID, source, 1)
		}
	}
	w.err = err
}

// engines waits for the device.
func (w *worker) engines(context.Context) (*engine.Opened, error) {
	<-w.opened
	return w.on, w.err
}

func (w *worker) answer(r kept.Request) error {
	failure := w.do(r)
	return w.answers.Done(failure, w.spent, memory())
}

// do answers a request in the notebook's folder, as its cell would.
func (w *worker) do(r kept.Request) *kept.Failure {
	if err := os.Chdir(r.Dir); err != nil {
		return &kept.Failure{Name: "NoFolder", Message: "the notebook's folder cannot be entered: " + err.Error()}
	}
	switch r.Kind {
	case kept.Check:
		return w.check(r)
	case kept.Map:
		number, _ := strconv.Atoi(r.Arguments[0]) // it was read as a number
		w.show(course.HereViews(number)...)
	case kept.Trace:
		w.show(trace.ExerciseViews(r.Arguments[0])...)
	case kept.Compare:
		w.show(trace.CompareViews(r.Arguments[0], r.Arguments[1])...)
	case kept.Try:
		return w.try(r)
	case kept.Glance:
		return w.glance(r)
	}
	return nil
}

// try checks a shader for a rung of the ladder.
func (w *worker) try(r kept.Request) *kept.Failure {
	rung := r.Arguments[0]
	views, err := race.TryViews(rung, func() (*gpu.Device, error) {
		on, err := w.engines(context.Background())
		if err != nil {
			return nil, err
		}
		return on.Device, nil
	})
	w.show(views...)
	if err == nil {
		return nil
	}
	w.spent = errors.Is(err, gpu.ErrLost)
	return &kept.Failure{Name: "NotRight", Message: rung + ": " + err.Error()}
}

// show has views displayed. An answer that reaches nobody is lost with this process.
func (w *worker) show(views ...show.View) {
	for _, view := range views {
		_ = w.answers.View(show.Formats(view))
	}
}

func (w *worker) check(r kept.Request) *kept.Failure {
	w.awaitAhead(r.Arguments[0])
	v, err := w.checks.Exercise(context.Background(), r.Arguments[0], r.Seed)
	switch {
	case err != nil:
		w.spent = errors.Is(err, shader.ErrLost)
		return &kept.Failure{Name: "NotChecked", Message: r.Arguments[0] + ": " + err.Error()}
	case !v.Passed():
		w.spent = v.Diagnosis == verdict.DidNotFinish || v.Diagnosis == verdict.TooMuchToCompile
		return &kept.Failure{Name: "NotRight", Message: v.Headline()}
	}
	return nil
}

// glance looks at a shader that was written to its file.
func (w *worker) glance(r kept.Request) *kept.Failure {
	ctx := context.Background()
	simulator, err := engine.Open(ctx, engine.Simulator) // which needs no device
	if err != nil {
		return &kept.Failure{Name: "NotLooked", Message: err.Error()}
	}
	exercise := learner.ExerciseOf(r.Arguments[0])
	if exercise != nil {
		w.prepare(exercise, r.Source)
	}
	g, err := glance.Of(ctx, simulator.Watcher, exercise, r.Arguments[0], r.Source, r.Seed)
	if err != nil {
		return &kept.Failure{Name: "NotLooked", Message: err.Error()}
	}
	w.show(g)
	return nil
}
