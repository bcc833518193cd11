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
	"fmt"
	"os"
	"sync/atomic"
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
	Full    bool          // it was stopped for the memory that it took, which nothing else can be the cause of
}

// Crashed is the diagnosis of a shader that brought its worker down.
const Crashed = "crashed"

// AnswerLimit bounds what a worker may say of its task, in bytes.
const AnswerLimit = 4 << 20

// answerFile is where a worker says it: drivers print on stdout.
const answerFile = 3

// question is what a worker is asked.
type question struct {
	Task   Task
	Memory uint64 // how many bytes it may write to
}

// answer is what a worker says. Trouble is about the machine, not the shader.
type answer struct {
	Verdict   *verdict.Verdict
	Full      bool // as in Result
	Trouble   string
	NoAdapter bool
}

// Serve is the whole of a jailed worker: it takes away from itself what it does
// not need, checks one shader, and returns the exit code.
func Serve() int {
	out := os.NewFile(answerFile, "answer")
	a := answer{}
	var q question
	err := confine()
	if err == nil {
		err = gob.NewDecoder(os.Stdin).Decode(&q)
	}
	if err == nil {
		err = limitMemory(q.Memory)
	}
	if err == nil {
		a, err = q.answer()
	}
	if err != nil {
		a = answer{Trouble: err.Error(), NoAdapter: errors.Is(err, shader.ErrNoAdapter)}
	}
	if err := gob.NewEncoder(out).Encode(a); err != nil {
		return 1
	}
	return 0
}

// answer has the shader judged, unless it takes too much memory.
func (q question) answer() (answer, error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	full := watchMemory(ctx, q.Memory)
	type outcome struct {
		verdict *verdict.Verdict
		err     error
	}
	judged := make(chan outcome, 1)
	var compiling atomic.Bool
	go func() {
		v, err := q.Task.judge(&compiling)
		judged <- outcome{v, err}
	}()
	select {
	case o := <-judged:
		return answer{Verdict: o.verdict}, o.err
	case <-full: // the process ends with the answer, and all that goes on in it
		return answer{Verdict: q.Task.tooHungry(q.Memory, compiling.Load()), Full: true}, nil
	}
}

func (t Task) judge(compiling *atomic.Bool) (*verdict.Verdict, error) {
	exercise, err := lesson.Find(t.Exercise)
	if err != nil {
		return nil, err
	}
	opened, err := engine.Open(context.Background(), t.Engine, gpu.WithDeadline(t.Deadline))
	if err != nil {
		return nil, err
	}
	engines := opened.Engines
	if engines.Values != engines.Watcher { // which is no compiler
		engines.Values = noted{engines.Values, compiling}
	}
	return judge.Run(context.Background(), engines, exercise, t.Name, t.Source, t.Seed)
}

// tooHungry is the verdict on a shader that took too much memory, to be compiled or
// to run.
func (t Task) tooHungry(limit uint64, compiling bool) *verdict.Verdict {
	if !compiling {
		return t.broken(Crashed, fmt.Sprintf("The check of this shader needed more than %s of memory and was stopped.", inWords(limit)))
	}
	d := judge.TooMuchToCompile(fmt.Sprintf("The compiler needed more than %s of memory for the shader and was stopped.", inWords(limit)))
	v := t.broken(d.Slug, d.Message)
	v.Fail(*d)
	return v
}

// broken is the verdict on a shader whose worker gave none.
func (t Task) broken(diagnosis, message string) *verdict.Verdict {
	return &verdict.Verdict{
		Exercise: t.Exercise, Outcome: verdict.Fail, Stage: verdict.StageRun, Diagnosis: diagnosis, Message: message,
		Cases: []verdict.CaseResult{}, Seed: t.Seed, ShaderSHA256: verdict.Digest(t.Source),
	}
}
