// Package session checks a learner's shaders, in a cell, in the page and on the command line: it
// judges the shader, records the try and shows what is beside the verdict.
package session

import (
	"context"
	"errors"
	"os"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/judge"
	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/ground/fence"
	"github.com/wgslab/wgslab/internal/machine/engine"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"

	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/course/learner"
	"github.com/wgslab/wgslab/internal/ground/view"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// A Session checks shaders for one request.
type Session struct {
	Open    func(context.Context) (*engine.Opened, error) // returns the engines; the caller closes them
	Display func(...view.View)                            // shows views as they come
	Read    shader.SourceReader

	// Verdict takes the verdict where there is no cell. If it is nil, Display shows the verdict, at
	// first without its reasons if they take long, and what else a cell has for a right shader.
	Verdict func(*verdict.Verdict)
	// Prints returns what the print comments in a checked shader show; it may be nil.
	Prints func(context.Context, *course.Exercise, *shader.Source, *verdict.Verdict) []view.View
	// Record keeps a try, and returns a note if that failed; nil keeps none.
	Record func(learner.Try) view.View

	// Cache holds what earlier sessions measured; it may be nil.
	Cache *Cache
}

// A Cache keeps what the next check of the same exercise can use again. A desk keeps one.
type Cache struct {
	large    largeCase
	compared map[rightShader]*SideBySide
	marked   map[rightShader]costMarks
}

// cache returns the session's cache, a new one if it has none.
func (s *Session) cache() *Cache {
	if s.Cache == nil {
		s.Cache = new(Cache)
	}
	if s.Cache.compared == nil {
		s.Cache.compared, s.Cache.marked = make(map[rightShader]*SideBySide), make(map[rightShader]costMarks)
	}
	return s.Cache
}

// largeCase is the case on which an exercise's shaders are timed. The values do not
// affect the time, and drawing them takes longer than running a shader: one draw will do.
type largeCase struct {
	exercise string
	drawn    *course.Case // nil if the exercise has none
}

// drawLarge draws the large case of an exercise.
func drawLarge(exercise *course.Exercise, seed uint64) largeCase {
	c, there := exercise.DrawLarge(seed)
	if !there {
		return largeCase{exercise: exercise.ID}
	}
	return largeCase{exercise.ID, &c}
}

// A rightShader is a shader that was right for an exercise.
type rightShader struct{ exercise, source string }

// Prepare compiles a shader that will be checked soon, and the reference that it will be
// compared with. It returns an error only if the device was lost: the check reports
// everything else.
func (s *Session) Prepare(ctx context.Context, exercise *course.Exercise, source *shader.Source) error {
	on, err := s.Open(ctx)
	if err != nil || on.Device == nil {
		return nil // the check will report it
	}
	reference, err := exercise.Reference()
	if err != nil {
		return nil
	}
	device := on.Device.WithContext(ctx) // the context of the check that opened it may have ended
	buffers, free, err := gpu.UploadAll(device, exercise.Draw(0)[0].Buffers)
	defer free()
	if err != nil {
		return lossIn(err)
	}
	for _, source := range []*shader.Source{source, reference} {
		if err := prepare(device, source.At(exercise.Entry), buffers); lossIn(err) != nil {
			return err
		}
	}
	return nil
}

// lossIn returns the error if the device was lost, and nil otherwise.
func lossIn(err error) error {
	if errors.Is(err, shader.ErrLost) || errors.As(err, new(*shader.DeadlineError)) {
		return err
	}
	return nil
}

func prepare(device *gpu.Device, source *shader.Source, buffers []*gpu.Buffer) error {
	pipeline, err := device.CompileSource(source)
	if err != nil {
		return err
	}
	defer pipeline.Free()
	return pipeline.Prepare(buffers...)
}

// Exercise checks the learner's shader in an exercise's file with the cases that seed draws, and
// returns the verdict. If there is none, it displays why.
func (s *Session) Exercise(ctx context.Context, id string, seed uint64) (v *verdict.Verdict, err error) {
	exercise, source, err := Load(id, s.Read)
	if err == nil {
		v, err = s.Check(ctx, exercise, source, seed)
	}
	if err != nil {
		s.Display(CouldNotRun(err))
	}
	return v, err
}

// Load returns an exercise, and the learner's shader in its file.
func Load(id string, read shader.SourceReader) (*course.Exercise, *shader.Source, error) {
	exercise, err := course.Find(id)
	if err != nil {
		return nil, nil, err
	}
	source, err := learner.Load(id, read)
	return exercise, source, err
}

// graded is the environment variable that nbgrader sets while it grades or validates: its documents
// keep what cells show.
const graded = "NBGRADER_EXECUTION"

// CouldNotRun returns the note that says why there is no verdict.
func CouldNotRun(err error) view.Note {
	return view.Note{Mark: view.Bad, Title: "The check could not run", Body: english.Sentence(err.Error())}
}

// Check works like Exercise, for a shader that was read already. It displays no error.
func (s *Session) Check(ctx context.Context, exercise *course.Exercise, source *shader.Source, seed uint64) (*verdict.Verdict, error) {
	on, err := s.Open(ctx)
	if err != nil {
		return nil, err
	}
	complete, judged := s.Verdict, (func(*verdict.Verdict))(nil)
	if complete == nil {
		soon := newAnnouncement(s.Display)
		complete, judged = soon.complete, soon.judged
	}
	v, err := judge.Explain(ctx, on.Engines, exercise, source, seed, judged)
	if err != nil {
		return nil, err
	}
	if os.Getenv(graded) != "" {
		v.Reasons = v.Reasons.WithoutHints()
	}
	complete(v)
	if s.Prints != nil {
		s.showExtra("What your print comments show", func() { s.Display(s.Prints(ctx, exercise, source, v)...) })
	}
	if s.Record != nil {
		if note := s.Record(learner.TryOf(v, source.File())); note != nil {
			s.Display(note)
		}
	}
	if s.Verdict == nil && v.Passed() && v.Remark == "" && exercise.Break == nil {
		device := on.Device
		if device != nil {
			device = device.WithContext(ctx)
		}
		s.showExtra("The comparison with the reference", func() { s.showComparison(ctx, device, exercise, source, v.Seed) })
		s.showExtra("The costs of your lines", func() { s.showMarks(ctx, exercise, source) })
		s.showExtra("Other ways", func() {
			if ways, err := OtherWays(exercise, source); err == nil && len(ways) > 0 {
				s.Display(ways)
			}
		})
	}
	return v, nil
}

// showExtra shows something beside a verdict. If that fails, the verdict stays, and a note says
// what is missing.
func (s *Session) showExtra(what string, show func()) {
	if fault := fence.Around(show); fault != "" {
		note := view.Fault(what, fault)
		note.Body = "The verdict holds. " + note.Body
		s.Display(note)
	}
}

// Record writes a try to the learner's journal. The note, if there is one, says why that
// failed; the verdict holds either way.
func Record(try learner.Try) view.View {
	if err := learner.Record(learner.Dir, try); err != nil {
		return view.Note{Title: "This try could not be recorded", Body: english.Sentence(err.Error())}
	}
	return nil
}

// showComparison compares a right shader with the reference. The pass holds even if that
// fails. Without a device nothing is timed; an unchanged shader keeps its times.
func (s *Session) showComparison(ctx context.Context, device *gpu.Device, exercise *course.Exercise, source *shader.Source, seed uint64) {
	key, cache := rightShader{exercise.ID, source.Text}, s.cache()
	if cache.compared[key] == nil {
		if cache.large.exercise != exercise.ID {
			cache.large = drawLarge(exercise, seed)
		}
		c, err := WithReference(ctx, device, exercise, source, cache.large.drawn)
		switch {
		case ctx.Err() != nil: // the learner goes on
			return
		case err != nil:
			s.Display(view.Note{Title: "Your shader is right, but could not be compared with the reference", Body: english.Sentence(err.Error())})
			return
		}
		cache.compared[key] = c
	}
	s.Display(cache.compared[key])
}
