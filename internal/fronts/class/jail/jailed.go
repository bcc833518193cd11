// Package jail checks one hand-in in its own process: this program, started again, or a program
// that a learner wrote in Go. If a shader breaks the compiler, the driver or the device, only that
// process is lost.
//
// A jailed process on Linux has no network, starts no programs or processes, and reaches no other
// process. If the kernel has Landlock, it writes only to its own empty folder, and reads only that,
// the pack of exercises, and what drivers need: libraries, settings of drivers, some of /proc and
// /sys, and the GPU. It still learns whether a file exists whose path it guesses. Without Landlock,
// it reads and writes what its user may. Other systems only limit its resources; on Windows it
// can't start programs either.
//
// A learner's program in Go is built and run in jail. Its judge is in the same process, so the
// program may not get around Go's types: it imports neither unsafe nor reflect, and nothing that
// opens files. Only one of its goroutines runs at a time. The compiler runs in jail as well, reads
// only the packages that a program may import, and has limits on time and memory. Programs in
// JavaScript run in an interpreter.
//
// A program that starts jailed processes calls Serve if its first argument is Command.
package jail

import (
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"os"
	"sync/atomic"
	"time"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/goals"
	"github.com/wgslab/wgslab/internal/course/judge"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/ground/fence"
	"github.com/wgslab/wgslab/internal/machine/engine"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/machine/engine/usage"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/observe/cost"
)

// Command is the first argument of a program that runs as a jailed process.
const Command = "jailed"

// A Task is one hand-in to check: a shader, or a program for the host.
type Task struct {
	Exercise string // its id
	Language Language
	Name     string // the file that the verdict names
	Source   string
	Own      string             // the host file of a program's author: the pieces that are right
	Seed     uint64             // used to draw the cases
	Deadline time.Duration      // for one wait for the device
	Engine   shader.AdapterKind // runs the shader
	Costs    bool               // count the goals of a right shader
}

// A TaskResult is the result of a task.
type TaskResult struct {
	Verdict *verdict.Verdict
	Marks   cost.Marks    // of a right shader, if the task asks for them
	Used    time.Duration // CPU time, of all threads
	Full    bool          // it was stopped for its memory use, which can have no other cause
	Limit   time.Duration // the time after which the whole check was stopped; 0 if it ended
}

// Crashed is the diagnosis of a shader that crashed its process.
const Crashed = "crashed"

// AnswerLimit is the maximum size of a jailed process's answer in bytes.
const AnswerLimit = 4 << 20

// A question is what a jailed process is asked.
type question struct {
	Task   Task
	Memory uint64 // bytes that it may write to
}

// A jailReply is a jailed process's reply. Trouble is about the machine, not the shader.
type jailReply struct {
	Verdict   *verdict.Verdict
	Marks     cost.Marks
	Full      bool   // as in TaskResult
	Misfit    string // why a function isn't the one that an exercise asks for
	Trouble   string
	NoAdapter bool
}

// Serve runs a jailed process: it drops all access that it does not need, checks one hand-in, and
// returns the exit code. script judges programs in JavaScript.
func Serve(script Judge) int {
	if len(os.Args) > 2 && os.Args[2] == toolArgument {
		err := becomeTool(os.Args[3:])
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	out := openAnswerFile()
	a := jailReply{}
	q, err := asked(enter)
	if err == nil {
		a, err = q.answer(script)
	}
	if err != nil {
		a = jailReply{Trouble: err.Error(), NoAdapter: errors.Is(err, shader.ErrNoAdapter)}
	}
	if err := gob.NewEncoder(out).Encode(a); err != nil {
		return 1
	}
	return 0
}

// asked drops all access and returns the question.
func asked(enter func() error) (q question, err error) {
	if err = enter(); err == nil {
		err = gob.NewDecoder(os.Stdin).Decode(&q)
	}
	if err == nil {
		err = limitMemory(q.Memory)
	}
	return q, err
}

// enter drops all access that checking a shader does not need, except to memory.
func enter() error {
	if err := hideFiles(); err != nil {
		return err
	}
	course.Written() // reads the pack's files while every system call is allowed
	return confine()
}

// answer checks the shader, and stops if it takes too much memory.
func (q question) answer(script Judge) (jailReply, error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	full := usage.Watch(ctx, func() uint64 { return q.Memory })
	type outcome struct {
		verdict *verdict.Verdict
		err     error
	}
	judged := make(chan outcome, 1)
	var compiling atomic.Bool
	go func() {
		v, err := q.Task.verdict(&compiling, script)
		judged <- outcome{v, err}
	}()
	select {
	case o := <-judged:
		a := jailReply{Verdict: o.verdict}
		if o.err == nil && q.Task.Costs && o.verdict.Passed() {
			a.Marks, o.verdict.Fault = waitFor(ctx, full, q.Task.count)
		}
		return a, o.err
	case <-full: // the process ends with the answer, including everything still running in it
		return jailReply{Verdict: q.Task.tooHungry(q.Memory, compiling.Load()), Full: true}, nil
	}
}

func (t Task) verdict(compiling *atomic.Bool, script Judge) (*verdict.Verdict, error) {
	if t.Language == JavaScript {
		v, err := script(context.Background(), t)
		if err != nil { // the program's own fault: it was alone in here
			v = t.broken(Crashed, "The check of this program failed: "+err.Error())
		}
		return v, nil
	}
	exercise, err := course.Find(t.Exercise)
	if err != nil {
		return nil, err
	}
	opened, err := engine.Open(context.Background(), t.Engine, gpu.WithDeadline(t.Deadline))
	if err != nil {
		return nil, err
	}
	engines := opened.Engines
	if engines.Values != engines.Watcher { // the simulator does not compile
		engines.Values = noted{engines.Values, compiling}
	}
	v, err := judge.Explain(context.Background(), engines, exercise, shader.Read(t.Name, t.Source), t.Seed, nil)
	if err != nil {
		return nil, err
	}
	v.Reasons = v.Reasons.WithoutHints()
	return v, nil
}

// countTimeout is how long counting the goals may take, which needs 0.3 s at most for the course's
// shaders.
const countTimeout = 10 * time.Second

// count compares a right shader with the goals of its exercise. It returns nil if that fails.
func (t Task) count(ctx context.Context) cost.Marks {
	exercise, err := course.Find(t.Exercise)
	if err != nil {
		return nil
	}
	marks, _, err := goals.Reached(ctx, exercise, shader.Read(t.Name, t.Source))
	if err != nil {
		return nil
	}
	return marks
}

// waitFor returns what count returns. The shader stays right even if counting panics, or takes too
// long or too much memory: then there are no marks.
func waitFor(ctx context.Context, full <-chan struct{}, count func(context.Context) cost.Marks) (marks cost.Marks, fault string) {
	ctx, cancel := context.WithTimeout(ctx, countTimeout)
	defer cancel()
	counted := fence.Start(func() cost.Marks { return count(ctx) })
	select {
	case o := <-counted:
		fault = fence.Around(func() { marks = o.Value() })
	case <-full: // the process ends with the answer
	case <-ctx.Done():
	}
	return marks, fault
}

// what is the hand-in in words.
func (t Task) what() string {
	if t.Language == WGSL {
		return "shader"
	}
	return "program"
}

// tooHungry returns the verdict on a hand-in that took too much memory to compile or to run.
func (t Task) tooHungry(limit uint64, compiling bool) *verdict.Verdict {
	if !compiling {
		return t.broken(Crashed, fmt.Sprintf("The check of this "+t.what()+" needed more than %s of memory and was stopped.", usage.InWords(limit)))
	}
	d := judge.TooMuchToCompile(fmt.Sprintf("The compiler needed more than %s of memory for the shader and was stopped.", usage.InWords(limit)))
	v := t.broken(d.Slug, d.Message)
	v.Fail(*d)
	return v
}

// broken returns the verdict on a hand-in whose process gave none.
func (t Task) broken(diagnosis, message string) *verdict.Verdict {
	return &verdict.Verdict{
		Exercise: t.Exercise, Outcome: verdict.Fail, Diagnosis: verdict.Diagnosis{Stage: verdict.StageRun, Slug: diagnosis, Message: message},
		Cases: []verdict.CaseResult{}, Seed: t.Seed, ShaderSHA256: verdict.Digest(t.Source),
	}
}
