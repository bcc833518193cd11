package grade

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

	"github.com/wgslab/wgslab/internal/engine/native"
	"github.com/wgslab/wgslab/internal/judge"
	"github.com/wgslab/wgslab/internal/learner"
	"github.com/wgslab/wgslab/internal/lesson"
	"github.com/wgslab/wgslab/internal/verdict"
	"github.com/wgslab/wgslab/pkg/gpu"
)

// Each shader is checked in a process of its own, the jail: this program, started
// again. What a shader does to the compiler, the driver or the device ends there.

const (
	// JailCommand is the argument that makes this program a jail.
	JailCommand = "grade-shader"

	memoryLimit = 4 << 30 // bytes that a jail may write to
	niceness    = 10      // of 19: whatever else runs on the machine goes first
	// spare is how long a jail may take beside its shader's deadline: to start, to
	// compile, and for the driver to give up.
	spare = 20 * time.Second
	// answerLimit bounds what a jail may say, in bytes.
	answerLimit = 4 << 20
	// answerFile is where it says it: drivers print on stdout.
	answerFile = 3
)

// task is what a jail is asked.
type task struct {
	Exercise, Source string
	Seed             uint64
	Deadline         time.Duration
}

// answer is what it says. Trouble is about the machine, not the shader.
type answer struct {
	Verdict   *verdict.Verdict
	Trouble   string
	NoAdapter bool
}

// ServeJail is the whole of a jail: it takes away from itself what it does not
// need, checks one shader, and returns the exit code.
func ServeJail() int {
	out := os.NewFile(answerFile, "answer")
	a := answer{}
	var t task
	err := confine()
	if err == nil {
		err = gob.NewDecoder(os.Stdin).Decode(&t)
	}
	if err == nil {
		a.Verdict, err = judged(t)
	}
	if err != nil {
		a = answer{Trouble: err.Error(), NoAdapter: errors.Is(err, gpu.ErrNoAdapter)}
	}
	if err := gob.NewEncoder(out).Encode(a); err != nil {
		return 1
	}
	return 0
}

func judged(t task) (*verdict.Verdict, error) {
	exercise, err := lesson.Find(t.Exercise)
	if err != nil {
		return nil, err
	}
	device, err := gpu.Open(gpu.WithDeadline(t.Deadline))
	if err != nil {
		return nil, err
	}
	return judge.Run(context.Background(), native.On(device), exercise, learner.ShaderPath(t.Exercise), t.Source, t.Seed)
}

// A jailer runs one jail after the other.
type jailer struct {
	program string
	scratch string   // a folder that is emptied between two shaders
	env     []string // of a jail
}

func newJailer(threads int) (*jailer, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("finding this program, to start it again: %w", err)
	}
	scratch, err := os.MkdirTemp("", "wgslab-grade-")
	if err != nil {
		return nil, fmt.Errorf("making a scratch folder: %w", err)
	}
	return &jailer{program: program, scratch: scratch, env: jailEnvironment(os.Environ(), scratch, threads)}, nil
}

func (j *jailer) close() { os.RemoveAll(j.scratch) }

// passed are the beginnings of the environment's names that drivers listen to.
var passed = []string{"VK_", "MESA_", "LP_", "LIBGL_", "WGPU_", "__NV", "NVIDIA_", "CUDA_", "LD_LIBRARY_PATH=", "PATH=", "XDG_DATA_DIRS=", "GOCOVERDIR="}

func jailEnvironment(all []string, scratch string, threads int) []string {
	env := []string{"HOME=" + scratch, "TMPDIR=" + scratch, "XDG_CACHE_HOME=" + scratch, "LP_NUM_THREADS=" + strconv.Itoa(threads)}
	for _, entry := range all {
		for _, beginning := range passed {
			if strings.HasPrefix(entry, beginning) {
				env = append(env, entry)
			}
		}
	}
	return env
}

// lowerPriority makes the calling goroutine's thread, and all that it starts from
// now on, go behind the rest of the machine.
func lowerPriority() error {
	runtime.LockOSThread() // for good: the thread ends with its goroutine
	return renice(niceness)
}

// run checks one shader, and says how much processor time that took. The error
// says that the machine, not the shader, is at fault.
func (j *jailer) run(ctx context.Context, t task) (v *verdict.Verdict, used time.Duration, err error) {
	limited, cancel := context.WithTimeout(ctx, t.Deadline+spare)
	defer cancel()
	a, ended, err := j.ask(limited, t)
	if ended != nil {
		used = ended.UserTime() + ended.SystemTime()
	}
	switch {
	case ctx.Err() != nil:
		return nil, used, context.Cause(ctx)
	case err != nil:
		return nil, used, err
	case a == nil && limited.Err() != nil:
		return broken(t, verdict.DidNotFinish, fmt.Sprintf("The check of this shader did not end within %v and was stopped.", t.Deadline+spare)), used, nil
	case a == nil:
		return broken(t, "crashed", fmt.Sprintf("The check of this shader came to a sudden end (%s): it brought down the compiler or the driver, or needed more than %d GiB of memory.", ended, memoryLimit>>30)), used, nil
	case a.NoAdapter:
		return nil, used, fmt.Errorf("%w: %s", gpu.ErrNoAdapter, a.Trouble)
	case a.Trouble != "":
		return nil, used, errors.New(a.Trouble)
	}
	return a.Verdict, used, nil
}

// ask starts a jail and waits for its answer, which is nil when it died without
// one; ended says how.
func (j *jailer) ask(ctx context.Context, t task) (a *answer, ended *os.ProcessState, err error) {
	var question bytes.Buffer
	if err := gob.NewEncoder(&question).Encode(t); err != nil {
		return nil, nil, fmt.Errorf("asking a jail: %w", err)
	}
	dir, err := os.MkdirTemp(j.scratch, "")
	if err != nil {
		return nil, nil, fmt.Errorf("making a scratch folder: %w", err)
	}
	defer os.RemoveAll(dir)
	reading, writing, err := os.Pipe()
	if err != nil {
		return nil, nil, fmt.Errorf("asking a jail: %w", err)
	}
	defer reading.Close()
	jail := exec.CommandContext(ctx, j.program, JailCommand)
	jail.Dir, jail.Env, jail.Stdin = dir, j.env, &question
	jail.ExtraFiles = []*os.File{writing} // becomes file 3
	jail.WaitDelay = time.Second
	dieWithThread(jail)
	err = jail.Start()
	writing.Close()
	if err != nil {
		return nil, nil, fmt.Errorf("starting a jail: %w", err)
	}
	a = new(answer)
	decodeErr := gob.NewDecoder(io.LimitReader(reading, answerLimit)).Decode(a)
	_ = jail.Wait() // an answer counts whatever came behind it
	if decodeErr != nil {
		return nil, jail.ProcessState, nil
	}
	return a, jail.ProcessState, nil
}

// broken is the verdict on a shader whose jail gave none.
func broken(t task, diagnosis, message string) *verdict.Verdict {
	return &verdict.Verdict{
		Exercise: t.Exercise, Outcome: verdict.Fail, Stage: verdict.StageRun, Diagnosis: diagnosis, Message: message,
		Cases: []verdict.CaseResult{}, Seed: t.Seed, ShaderSHA256: verdict.Digest(t.Source),
	}
}
