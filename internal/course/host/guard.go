package host

import (
	"errors"
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/machine/engine/usage"
	"github.com/wgslab/wgslab/internal/machine/webgpu"
)

// guardLimit is how long a guarded function may work. It is longer than the deadline of a device,
// which knows more about a shader that never ends.
const guardLimit = 12 * time.Second

// An Overdue function has had more time than it may have.
type Overdue struct {
	Limit time.Duration
	At    webgpu.HostSite // where it is
	Waits bool            // it only waits there
}

// Guarded calls a learner's function that puts given parts together, and returns its error. A panic
// and a function that never returns are errors as well: each is a *verdict.DiagnosedError.
// overdue returns nil as long as the function may run. After that, the function still runs.
func Guarded(call func() error, overdue func() *Overdue) error {
	done := make(chan error, 1)
	go learnersCall(call, done)
	const often = 200
	look := time.NewTicker(guardLimit / often)
	defer look.Stop()
	for {
		select {
		case err := <-done:
			return err
		case <-look.C:
		}
		if late := overdue(); late != nil && len(done) == 0 {
			return late.error()
		}
	}
}

// OverdueInGo returns the function that Guarded asks about one in Go. Its time begins now.
func OverdueInGo() func() *Overdue { return overdueInGo(guardLimit) }

func overdueInGo(limit time.Duration) func() *Overdue {
	// A loop that calls nothing of ours is told sooner: no device has a deadline of its own there.
	alone := limit / 4
	whole, own := usage.Begin(), usage.Begin()
	return func() *Overdue {
		if time.Since(whole.Began) < alone {
			return nil
		}
		at, waits, calls := lineOfGo("host.learnersCall(")
		if calls {
			own = usage.Begin()
		}
		switch {
		case waits && time.Since(whole.Began) >= limit, whole.Over(limit):
			return &Overdue{limit, at, waits}
		case !waits && !calls && own.Over(alone):
			return &Overdue{alone, at, false}
		}
		return nil
	}
}

// learnersCall calls the function and sends its error. The search for the function's line finds the
// goroutine by this function's name.
func learnersCall(call func() error, done chan<- error) {
	returned := false
	defer func() {
		switch p := recover(); {
		case p != nil:
			done <- crash(asError(p), panicSite())
		case !returned:
			done <- crash(errors.New("it ended its goroutine"), webgpu.HostSite{})
		}
	}()
	err := call()
	returned = true
	done <- err
}

// crash is the error of a function that panicked.
func crash(with error, at webgpu.HostSite) error {
	var thrown *Thrown
	if errors.As(with, &thrown) {
		at = thrown.At
	}
	return &verdict.DiagnosedError{Diagnosis: (&trial{panicked: with, at: at}).crashed().Diagnosis}
}

func (o *Overdue) error() error {
	d := explanation{Diagnosis: verdict.Diagnosis{
		Stage: verdict.StageRun, Slug: verdict.DidNotFinish, Message: fmt.Sprintf("Your function did not return within %v, so the check stopped waiting for it.", o.Limit),
		Why: "The line shows where it was then.",
		Ask: "Which loop is it in there, and what should end that loop?",
	}}
	switch {
	case !o.At.Known():
		d.Why = ""
		d.Ask = "Which of its loops has a condition that never becomes false?"
	case o.Waits:
		d.Ask = "What does it wait for there, and what should bring that?"
	}
	show(&d, o.At)
	return &verdict.DiagnosedError{Diagnosis: d.Diagnosis}
}

// isLearners reports whether a function of Go is the learner's: a cell's is in package main.
func isLearners(function, file string) bool {
	return strings.HasPrefix(function, "main.") && !strings.HasPrefix(function, "main.must") || strings.HasSuffix(file, "_test.go")
}

// lineOfGo returns where the learner's function is, which a function of ours called, and whether it
// only waits there, or is in a call of ours. It reads the stacks of all goroutines.
func lineOfGo(caller string) (at webgpu.HostSite, waits, calls bool) {
	stacks := make([]byte, 1<<20)
	stacks = stacks[:runtime.Stack(stacks, true)]
	for stack := range strings.SplitSeq(string(stacks), "\n\n") {
		if strings.Contains(stack, caller) && !strings.Contains(stack, "host.lineOfGo(") {
			return lineIn(stack)
		}
	}
	return at, false, true
}

// lineIn finds the innermost line of the learner in a stack trace. Its first line holds the state:
// "goroutine 7 [chan receive]:".
func lineIn(stack string) (at webgpu.HostSite, waits, calls bool) {
	lines := strings.Split(stack, "\n")
	_, state, _ := strings.Cut(lines[0], "[")
	waits = !strings.HasPrefix(state, "run") && !strings.HasPrefix(state, "syscall")
	for i := 1; i+1 < len(lines); i += 2 {
		function := lines[i][:max(strings.LastIndex(lines[i], "("), 0)]
		file, number, found := strings.Cut(strings.TrimSpace(lines[i+1]), ".go:")
		file += ".go"
		switch {
		case isLearners(function, file) && found:
			number, _, _ = strings.Cut(number, " ")
			line, _ := strconv.Atoi(number)
			return webgpu.At(webgpu.SourcePlace{File: file, Line: line, Function: function}), waits && !calls, calls
		case strings.Contains(function, "/wgslab/internal/"):
			calls = true // it has its own deadline
		}
	}
	return webgpu.HostSite{}, false, true
}
