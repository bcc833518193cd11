package worker

import (
	"bytes"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/wgslab/wgslab/internal/shader"
	"github.com/wgslab/wgslab/internal/verdict"
	"github.com/wgslab/wgslab/internal/worker/tether"
)

const (
	niceness = 10 // of 19: whatever else runs on the machine goes first
	// spare is how long a worker may take beside its shader's deadline: to start,
	// to compile, and for the driver to give up.
	spare = 20 * time.Second
)

// A Jail runs one jailed worker after the other.
type Jail struct {
	program string
	scratch string   // a folder that is emptied between two shaders
	env     []string // of a worker
	memory  uint64   // bytes that a worker may write to
}

// NewJail makes a jail whose workers use as many of the processor's threads at a
// time, to run shaders on such an adapter. The calling goroutine alone may use it: it keeps its thread from now on,
// with which its workers end, and all that it starts goes behind the rest of the
// machine.
func NewJail(threads int, kind shader.Kind) (*Jail, error) {
	runtime.LockOSThread() // for good: the thread ends with its goroutine
	if err := renice(niceness); err != nil {
		return nil, err
	}
	program, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("finding this program, to start it again: %w", err)
	}
	scratch, err := os.MkdirTemp("", "wgslab-worker-")
	if err != nil {
		return nil, fmt.Errorf("making a scratch folder: %w", err)
	}
	return &Jail{program: program, scratch: scratch, env: environment(os.Environ(), scratch, threads), memory: memoryFor(kind, threads)}, nil
}

// Close removes what the jail kept on disk.
func (j *Jail) Close() { os.RemoveAll(j.scratch) }

// passed are the beginnings of the environment's names that drivers listen to, and the
// one that chooses among them.
var passed = []string{"VK_", "MESA_", "LP_", "LIBGL_", "WGPU_", "__NV", "NVIDIA_", "CUDA_", "LD_LIBRARY_PATH=", "PATH=", "XDG_DATA_DIRS=", "WGSLAB_ENGINE=", "GOCOVERDIR="}

func environment(all []string, scratch string, threads int) []string {
	env := []string{"HOME=" + scratch, "TMPDIR=" + scratch, "XDG_CACHE_HOME=" + scratch, "LP_NUM_THREADS=" + strconv.Itoa(threads), "GOMAXPROCS=" + strconv.Itoa(max(2, threads))}
	for _, entry := range all {
		for _, beginning := range passed {
			if strings.HasPrefix(entry, beginning) {
				env = append(env, entry)
			}
		}
	}
	return env
}

// Run checks one shader. What the shader does, a crash too, is a verdict; the
// error says that the machine is at fault, and wraps shader.ErrNoAdapter where
// there is nothing to run shaders on, or that ctx ended.
func (j *Jail) Run(ctx context.Context, t Task) (Result, error) {
	limited, cancel := context.WithTimeout(ctx, t.Deadline+spare)
	defer cancel()
	a, ended, err := j.ask(limited, t)
	var r Result
	if ended != nil {
		r.Used = ended.UserTime() + ended.SystemTime()
	}
	switch {
	case ctx.Err() != nil:
		return r, context.Cause(ctx)
	case err != nil:
		return r, err
	case a == nil && limited.Err() != nil:
		r.Verdict = t.broken(verdict.DidNotFinish, fmt.Sprintf("The check of this shader did not end within %v and was stopped.", t.Deadline+spare))
	case a == nil:
		r.Verdict = t.broken(Crashed, fmt.Sprintf("The check of this shader came to a sudden end (%s): it brought down the compiler or the driver, or needed more than %s of memory.", ended, inWords(j.memory)))
	case a.NoAdapter:
		return r, fmt.Errorf("%w: %s", shader.ErrNoAdapter, a.Trouble)
	case a.Trouble != "":
		return r, errors.New(a.Trouble)
	default:
		r.Verdict, r.Full = a.Verdict, a.Full
	}
	return r, nil
}

// ask starts a worker and waits for its answer, which is nil when it died without
// one; ended says how.
func (j *Jail) ask(ctx context.Context, t Task) (a *answer, ended *os.ProcessState, err error) {
	var asked bytes.Buffer
	if err := gob.NewEncoder(&asked).Encode(question{t, j.memory}); err != nil {
		return nil, nil, fmt.Errorf("asking a worker: %w", err)
	}
	dir, err := os.MkdirTemp(j.scratch, "")
	if err != nil {
		return nil, nil, fmt.Errorf("making a scratch folder: %w", err)
	}
	defer os.RemoveAll(dir)
	reading, writing, err := os.Pipe()
	if err != nil {
		return nil, nil, fmt.Errorf("asking a worker: %w", err)
	}
	defer reading.Close()
	process := exec.CommandContext(ctx, j.program, Command)
	process.Dir, process.Env, process.Stdin = dir, j.env, &asked
	process.ExtraFiles = []*os.File{writing} // becomes file 3
	process.WaitDelay = time.Second
	tether.Tie(process)
	err = process.Start()
	writing.Close()
	if err != nil {
		return nil, nil, fmt.Errorf("starting a worker: %w", err)
	}
	a = new(answer)
	decodeErr := gob.NewDecoder(io.LimitReader(reading, AnswerLimit)).Decode(a)
	_ = process.Wait() // an answer counts whatever came behind it
	if decodeErr != nil {
		return nil, process.ProcessState, nil
	}
	return a, process.ProcessState, nil
}
