// Package check checks your shaders in a notebook cell.
//
//	check.Exercise("vector-add")
//
// A check runs the shader that you wrote to work/ID.wgsl on several cases and compares the results
// with the reference. The cell shows the verdict: your shader is right, or the error with its line
// and cause. If your shader isn't right yet, the cell ends with an error. Graders read that error.
package check

import (
	"context"
	"os"

	"github.com/wgslab/wgslab/internal/course/cases"
	"github.com/wgslab/wgslab/internal/course/host"
	"github.com/wgslab/wgslab/internal/course/judge"
	"github.com/wgslab/wgslab/internal/course/learner"
	"github.com/wgslab/wgslab/internal/course/ownshaders"
	"github.com/wgslab/wgslab/internal/course/session"
	"github.com/wgslab/wgslab/internal/machine/engine"
	"github.com/wgslab/wgslab/internal/machine/engine/usage"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/pkg/gpu"
	"github.com/wgslab/wgslab/pkg/show"
)

// Exercise checks your shader for an exercise: it shows the verdict, records the try and
// compares a right shader with the reference. If the shader is not right, it ends the cell
// with an error.
func Exercise(id string) {
	passed := false
	inSession(func(s *session.Session) {
		v, err := s.Exercise(context.Background(), id, judge.FreshSeed())
		passed = err == nil && v.Passed()
	})
	if !passed {
		os.Exit(1)
	}
}

// Goals shows which goals by counts your shader reaches. If it misses one, or is not right, the
// cell ends with an error. A course whose instructor gives points for costs has such cells.
func Goals(id string) {
	var err error
	inSession(func(s *session.Session) { err = s.Goals(context.Background(), id, judge.FreshSeed()) })
	if err != nil {
		os.Exit(1)
	}
}

// inSession calls do with a session, and closes the engines that it opened.
func inSession(do func(*session.Session)) {
	var on *engine.Opened
	do(&session.Session{Display: show.Display, Read: shader.ReadCell, Prints: cases.PrintsAfterCheck, Record: session.Record, Open: func(ctx context.Context) (_ *engine.Opened, err error) {
		usage.BeFirstToGo()
		on, err = engine.Open(ctx, shader.Best, gpu.KeepPrograms(2)) // yours and the reference
		return on, err
	}})
	if on != nil {
		on.Close()
	}
}

// Predict takes your answer to a question about the next cell: the letter of what you think it will
// show. Without a letter it only says how to answer. It keeps your answer in your journal.
func Predict(id, letter string) { ask(learner.Predict(learner.Dir, id, letter)) }

// Recall asks one question of an earlier lesson at the beginning of a lesson. It chooses one that
// you got wrong. The letter is your answer, or empty.
func Recall(lesson int, letter string) { ask(learner.Recall(learner.Dir, lesson, letter)) }

// Explain takes two sentences in your own words about what a lesson asks. It keeps them in your
// journal, and shows what you said two lessons before. Without words it only says how to answer.
func Explain(lesson int, words string) { ask(learner.Explain(learner.Dir, lesson, words)) }

// Line takes a line that you wrote in an earlier lesson, from memory, and checks a shader with that
// line in it. Without a line it shows where the line belongs.
func Line(exercise, line string) { ask(session.Line(context.Background(), exercise, line)) }

func ask[C show.View](card C, err error) {
	if err != nil {
		show.Display(show.Note{Mark: show.Bad, Title: "There is no question", Body: err.Error()})
		os.Exit(1)
	}
	show.Display(card)
}

// Layers holds the inputs of your function for the exercise `forward`: kernels, and buffers that
// are already on the device.
type Layers = host.Layers

// Forward checks lesson 6's host exercise: run records the network's four passes and
// submits them at once. If it is not right, Forward ends the cell with an error.
func Forward(run func(Layers) error) { Host("forward", run) }

// Shader is the source that a lesson runs for an exercise, with its author: you or the reference.
type Shader = ownshaders.LessonShader

// Own returns your shader for an exercise if it is right now, and the reference otherwise. A later
// lesson therefore works even if you haven't finished an earlier one. Own reads the folder work
// beside the notebooks and checks on the device of gpu.Default.
func Own(id string) (Shader, error) {
	device, err := gpu.Default()
	if err != nil {
		return Shader{}, err
	}
	return ownshaders.Find(context.Background(), device, learner.Dir, id)
}

// Whose returns a card that lists each shader's author.
func Whose(shaders ...Shader) show.Card { return ownshaders.Whose(shaders...) }

// Training holds the inputs of your function for the exercise `train`: the kernels as passes, and
// buffers that are already on the device.
type Training = host.Training

// Train checks lesson 10's host exercise: run trains on every batch. If it is not right, Train ends
// the cell with an error.
func Train(run func(*Training) error) { Host("train", run) }
