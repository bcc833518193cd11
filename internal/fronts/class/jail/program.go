package jail

import (
	"context"
	"encoding/gob"
	"errors"
	"os"
	"time"

	"github.com/wgslab/wgslab/internal/course/host"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/machine/engine/usage"
)

const (
	// programTime is the CPU time that a program may take for all of its cases.
	programTime = 20 * time.Second
	// fileLimit bounds a file that a jailed process writes.
	fileLimit = 64 << 20
)

// Enter confines a learner's program, and returns its task and where its verdict goes. If that
// fails, the process ends.
func Enter() (t Task, reply func(*host.JudgedHandIn, error)) {
	out := openAnswerFile()
	end := func(a jailReply) {
		_ = gob.NewEncoder(out).Encode(a) // without an answer, the process has crashed
		os.Exit(0)
	}
	q, err := asked(func() error { return errors.Join(hideFiles(), confine(), limitTime(programTime)) })
	if err != nil {
		end(jailReply{Trouble: err.Error()})
	}
	full := usage.Watch(context.Background(), func() uint64 { return q.Memory })
	go func() {
		<-full
		end(jailReply{Verdict: q.Task.tooHungry(q.Memory, false), Full: true})
	}()
	return q.Task, func(j *host.JudgedHandIn, problem error) {
		var misfit *host.MisfitError
		switch {
		case errors.As(problem, &misfit):
			end(jailReply{Misfit: misfit.Message})
		case problem != nil: // the program's own fault: it was alone in here
			end(jailReply{Verdict: q.Task.broken(Crashed, "The check of this program failed: "+problem.Error())})
		case j.Verdict.Exercise != q.Task.Exercise:
			end(jailReply{Verdict: q.Task.broken(Crashed, "The program had another exercise judged.")})
		}
		j.Verdict.ShaderSHA256, j.Verdict.Reasons = verdict.Digest(q.Task.Source), j.Verdict.Reasons.WithoutHints()
		end(jailReply{Verdict: j.Verdict})
	}
}
