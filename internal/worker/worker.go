// Package worker checks one shader in a process of its own: this program, started
// again. What the shader does to the compiler, the driver or the device ends
// there. A jailed worker also reaches nothing beside its shader: no network, no
// other program, no file but those of an empty folder.
//
// A program that starts workers hands over to Serve when its first argument is
// Command.
package worker

import (
	"context"
	"encoding/gob"
	"errors"
	"os"
	"time"

	"github.com/wgslab/wgslab/internal/engine"
	"github.com/wgslab/wgslab/internal/judge"
	"github.com/wgslab/wgslab/internal/lesson"
	"github.com/wgslab/wgslab/internal/shader"
	"github.com/wgslab/wgslab/internal/verdict"
	"github.com/wgslab/wgslab/pkg/gpu"
)

// Command is the argument that makes a program a worker.
const Command = "shader-worker"

// A Task is one shader to check.
type Task struct {
	Exercise string // its id
	Name     string // the file that the verdict names
	Source   string
	Seed     uint64        // draws the cases
	Deadline time.Duration // for one wait for the device
	Engine   engine.Choice // runs the shader
}

// A Result is what a task came to.
type Result struct {
	Verdict *verdict.Verdict
	Used    time.Duration // processor time, of all threads
}

// Crashed is the diagnosis of a shader that brought its worker down.
const Crashed = "crashed"

// AnswerLimit bounds what a worker may say of its task, in bytes.
const AnswerLimit = 4 << 20

// answerFile is where a worker says it: drivers print on stdout.
const answerFile = 3

// answer is what a worker says. Trouble is about the machine, not the shader.
type answer struct {
	Verdict   *verdict.Verdict
	Trouble   string
	NoAdapter bool
}

// Serve is the whole of a jailed worker: it takes away from itself what it does
// not need, checks one shader, and returns the exit code.
func Serve() int {
	out := os.NewFile(answerFile, "answer")
	a := answer{}
	var t Task
	err := confine()
	if err == nil {
		err = gob.NewDecoder(os.Stdin).Decode(&t)
	}
	if err == nil {
		a.Verdict, err = t.judge()
	}
	if err != nil {
		a = answer{Trouble: err.Error(), NoAdapter: errors.Is(err, shader.ErrNoAdapter)}
	}
	if err := gob.NewEncoder(out).Encode(a); err != nil {
		return 1
	}
	return 0
}

func (t Task) judge() (*verdict.Verdict, error) {
	exercise, err := lesson.Find(t.Exercise)
	if err != nil {
		return nil, err
	}
	opened, err := engine.Open(context.Background(), t.Engine, gpu.WithDeadline(t.Deadline))
	if err != nil {
		return nil, err
	}
	return judge.Run(context.Background(), opened.Engines, exercise, t.Name, t.Source, t.Seed)
}

// broken is the verdict on a shader whose worker gave none.
func (t Task) broken(diagnosis, message string) *verdict.Verdict {
	return &verdict.Verdict{
		Exercise: t.Exercise, Outcome: verdict.Fail, Stage: verdict.StageRun, Diagnosis: diagnosis, Message: message,
		Cases: []verdict.CaseResult{}, Seed: t.Seed, ShaderSHA256: verdict.Digest(t.Source),
	}
}
