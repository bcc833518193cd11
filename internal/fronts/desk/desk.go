// Package desk answers what learners ask about their shaders: checks, pictures, first looks
// and steps of the debugger. The kernel's worker process and the web page's Web Worker each
// run one desk, and differ only in how requests reach it.
package desk

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/cases"
	"github.com/wgslab/wgslab/internal/course/goals"
	"github.com/wgslab/wgslab/internal/course/judge"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/course/ladder"
	"github.com/wgslab/wgslab/internal/course/learner"
	"github.com/wgslab/wgslab/internal/course/session"
	"github.com/wgslab/wgslab/internal/fronts/desk/protocol"
	"github.com/wgslab/wgslab/internal/ground/fence"
	"github.com/wgslab/wgslab/internal/ground/view"
	"github.com/wgslab/wgslab/internal/machine/engine"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/observe/cost"
)

// A Desk answers one request at a time. It reads the learner's shaders from the folder work in the
// current directory.
type Desk struct {
	// EngineOpener runs the checks.
	Device EngineOpener
	// Read reads the shaders, so that lines count as learners see them.
	Read shader.SourceReader

	cache    session.Cache
	source   *shader.Source // the last one that was read; nil before the first
	prepared *prepared      // the last shader that was compiled ahead; nil before the first
	steps    *stepping      // nil before the first step
}

// Lost is closed once a device was lost, whatever for. A shader may still run on it, and only the
// end of the process ends that.
func (d *Desk) Lost() <-chan struct{} { return d.Device.gone() }

// Answer answers a request. It passes each view to display as soon as it is ready, so that a
// verdict does not wait for the timings after it. A *protocol.Failure describes an error in the
// request or the shader.
func (d *Desk) Answer(ctx context.Context, r protocol.Request, display func(...view.View)) (*protocol.Response, error) {
	answer := &protocol.Response{}
	var err error
	switch r.Do {
	case protocol.Check:
		answer.Verdict, err = d.answerCheck(ctx, r, display)
	case protocol.Goals:
		err = d.goals(ctx, r, display)
	case protocol.Map:
		display(learner.MapViews(r.Lesson)...)
	case protocol.Trace:
		display(cases.Memory(r.Exercise, d.Read)...)
	case protocol.Cost:
		display(d.counted(ctx, func(device *gpu.Device) []view.View { return ladder.Costs(ctx, device, r.Exercise, d.load) })...)
	case protocol.Beside:
		display(d.counted(ctx, func(device *gpu.Device) []view.View { return ladder.Beside(ctx, device, r.Exercise, r.Other, d.load) })...)
	case protocol.Roof:
		display(goals.Roofline(ctx, cost.Usual, r.Exercise, d.load)...)
	case protocol.Compare:
		display(cases.Reads(r.Exercise, r.Other, d.Read)...)
	case protocol.Count:
		display(ladder.Count(ctx, cmp.Or(r.Device, cost.Usual), r.Rung, r.Other)...)
	case protocol.Glance:
		err = d.glance(ctx, r, display)
	case protocol.Warm:
		_, err = d.Warm(ctx, r.Exercise)
	case protocol.Predict, protocol.Recall:
		answer.Asked, err = ask(r, display)
	case protocol.Steps:
		answer.Step, err = d.step(ctx, r)
	case protocol.Outlook:
		answer.Outline = outline(benchSource(r.Source))
	case protocol.OnBench:
		answer.Fields, err = d.bench(ctx, r, display)
	case protocol.Share:
		answer.Shared, err = d.share(r)
	default:
		return nil, fmt.Errorf("there is no request %q", r.Do)
	}
	return answer, err
}

// Warm opens the device, judges an exercise's reference on it, and returns its adapter.
func (d *Desk) Warm(ctx context.Context, id string) (shader.Adapter, error) {
	return d.Device.warm(ctx, id)
}

// read returns a shader. A check mostly follows the look at the same shader, and steps follow the
// check: the front end reads the shader once for all of them.
func (d *Desk) read(name, text string) *shader.Source {
	if d.source == nil || d.source.Name != name || d.source.File() != text {
		d.source = d.Read(name, text)
	}
	return d.source
}

// answerCheck checks the shader in an exercise's file, as its check cell would.
func (d *Desk) answerCheck(ctx context.Context, r protocol.Request, display func(...view.View)) (*verdict.Verdict, error) {
	v, err := d.checkFile(ctx, r, display)
	if err != nil {
		display(session.CouldNotRun(err))
		return nil, &protocol.Failure{Name: "NotChecked", Message: r.Exercise + ": " + err.Error()}
	}
	return v, nil
}

func (d *Desk) checkFile(ctx context.Context, r protocol.Request, display func(...view.View)) (*verdict.Verdict, error) {
	exercise, source, err := session.Load(r.Exercise, d.read)
	if err != nil {
		return nil, err
	}
	d.awaitPrepared(source)
	seed := judge.FreshSeed()
	if r.Seed != nil {
		seed = *r.Seed
	}
	v, err := d.checkOnce(ctx, exercise, source, seed, display)
	if d.Device.Resting() && (errors.Is(err, shader.ErrLost) || err == nil && unexplained(v)) {
		// Perhaps this shader broke the device, and the simulator can see why. Otherwise an
		// earlier shader did, or the computer was asleep.
		v, err = d.checkOnce(ctx, exercise, source, seed, display)
	}
	return v, err
}

// unexplained reports whether a shader did not finish although the simulator found no endless loop.
func unexplained(v *verdict.Verdict) bool {
	return v.Slug == verdict.DidNotFinish && v.Line == 0
}

// checkOnce checks a shader once, and drops a device that was lost during the check.
func (d *Desk) checkOnce(ctx context.Context, exercise *course.Exercise, source *shader.Source, seed uint64, display func(...view.View)) (*verdict.Verdict, error) {
	v, err := d.session(display).Check(ctx, exercise, source, seed)
	d.Device.dropIfLost()
	return v, err
}

// session returns a session for one request.
func (d *Desk) session(display func(...view.View)) *session.Session {
	return &session.Session{Open: d.Device.Engines, Display: display, Read: d.read, Prints: cases.PrintsAfterCheck, Record: session.Record, Cache: &d.cache}
}

// goals requires the goals of a right shader.
func (d *Desk) goals(ctx context.Context, r protocol.Request, display func(...view.View)) error {
	seed := judge.FreshSeed()
	if r.Seed != nil {
		seed = *r.Seed
	}
	err := d.session(display).Goals(ctx, r.Exercise, seed)
	d.Device.dropIfLost()
	if err != nil {
		return &protocol.Failure{Name: "NotReached", Message: r.Exercise + ": " + err.Error()}
	}
	return nil
}

// load reads the learner's shader for an exercise.
func (d *Desk) load(id string) (*shader.Source, error) { return learner.Load(id, d.Read) }

// counted draws what learners' shaders cost. Without a device they are only counted.
func (d *Desk) counted(ctx context.Context, draw func(*gpu.Device) []view.View) []view.View {
	var device *gpu.Device
	if on, err := d.Device.Engines(ctx); err == nil {
		device = on.Device
	}
	defer d.Device.dropIfLost()
	return draw(device)
}

// ask takes the learner's answer to a question, and returns the question.
func ask(r protocol.Request, display func(...view.View)) (*protocol.Asked, error) {
	var card *learner.QuestionCard
	var err error
	if r.Do == protocol.Predict {
		card, err = learner.Predict(learner.Dir, r.Exercise, r.Answer)
	} else {
		card, err = learner.Recall(learner.Dir, r.Lesson, r.Answer)
	}
	if err != nil {
		return nil, &protocol.Failure{Name: "NotAsked", Message: err.Error()}
	}
	display(card)
	return &protocol.Asked{Question: card.Asks, Code: card.Code, Answers: card.Texts()}, nil
}

// glance runs a shader that a cell has just saved in the simulator. At the same time the driver
// compiles the shader for the check that probably follows.
func (d *Desk) glance(ctx context.Context, r protocol.Request, display func(...view.View)) error {
	simulator, err := engine.Open(ctx, shader.Simulated)
	if err != nil {
		return &protocol.Failure{Name: "NotLooked", Message: err.Error()}
	}
	exercise, name := learner.ExerciseOf(r.File), r.File
	if exercise != nil {
		name = learner.ShaderPath(exercise.ID) // as the check will name it
	}
	var seed uint64
	if r.Seed != nil {
		seed = *r.Seed
	}
	var source *shader.Source
	display(view.Drawn("The first look at your shader", func() []view.View {
		source = d.read(name, r.Source)
		if exercise != nil && exercise.Break == nil {
			d.prepare(exercise, source)
		}
		var g *session.Glance
		if g, err = session.Of(ctx, simulator.Watcher, exercise, source, seed); err != nil {
			return nil
		}
		return []view.View{g}
	})...)
	if err != nil {
		return &protocol.Failure{Name: "NotLooked", Message: err.Error()}
	}
	if exercise != nil && source != nil {
		display(view.Drawn("What your print comments show", func() []view.View { return cases.PrintsAtFirstSight(ctx, exercise, source, seed) })...)
	}
	return nil
}

// prepared is a shader that the driver compiles ahead of its check.
type prepared struct {
	source *shader.Source
	done   chan struct{} // closed when the compilation has ended
	lost   bool          // this shader lost the device
}

// prepare compiles a shader in the background, after the one before it.
func (d *Desk) prepare(exercise *course.Exercise, source *shader.Source) {
	before, now := d.prepared, &prepared{source: source, done: make(chan struct{})}
	d.prepared = now
	go func() {
		defer close(now.done)
		if before != nil {
			if <-before.done; before.lost {
				now.lost = true
				return
			}
		}
		fence.Around(func() { now.lost = d.session(nil).Prepare(context.Background(), exercise, source) != nil }) // the check reports a fault
		d.Device.dropIfLost()
	}()
}

// awaitPrepared waits until the device holds no other shader than the one to check, so that the
// verdict is about that shader alone. If another shader lost the device, the check gets a new one.
func (d *Desk) awaitPrepared(source *shader.Source) {
	if d.prepared == nil {
		return
	}
	if d.prepared.source == source {
		select {
		case <-d.prepared.done:
		default:
			return // the check would wait for the same compilation
		}
	}
	if <-d.prepared.done; d.prepared.lost {
		d.prepared = nil
	}
}
