package jail

import (
	"bytes"
	"cmp"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/host"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/ground/childprocess"
	"github.com/wgslab/wgslab/internal/machine/engine/usage"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

const (
	niceness = 10 // of 19: everything else on the machine has priority
	// spare is the time that a jailed process has in addition to its shader's deadline: to start,
	// to compile, and for the driver to give up, on a machine that has other things to do.
	spare = time.Minute
)

// A Jail runs jailed processes, one after the other.
type Jail struct {
	program string
	scratch string   // holds the folder of each jailed process
	env     []string // of a jailed process, without its folder
	memory  uint64   // bytes that a jailed process may write to

	Tools *Builder // builds programs in Go; nil if there are none
}

// New returns a jail whose processes use up to the given number of CPU threads and run shaders
// on an adapter of the given kind. Only the calling goroutine may use it. That goroutine keeps its
// thread from now on: its processes end with the thread, and everything that it starts gets a low
// priority.
func New(threads int, kind shader.AdapterKind) (*Jail, error) {
	runtime.LockOSThread() // permanent: the thread ends with its goroutine
	if err := errors.Join(renice(niceness), keepFiles()); err != nil {
		return nil, err
	}
	program, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("finding this program, to start it again: %w", err)
	}
	scratch, err := os.MkdirTemp("", "wgslab-jail-")
	if err != nil {
		return nil, fmt.Errorf("making a scratch folder: %w", err)
	}
	env, err := withPack(environment(os.Environ(), threads))
	if err != nil {
		return nil, err
	}
	return &Jail{program: program, scratch: scratch, env: env, memory: usage.For(kind, threads)}, nil
}

// withPack adds the folder of the pack, since a jailed process runs in another folder.
func withPack(env []string) ([]string, error) {
	folder := course.PackFolder()
	if folder == "" {
		return env, nil
	}
	folder, err := filepath.Abs(folder)
	if err != nil {
		return nil, fmt.Errorf("finding the exercises: %w", err)
	}
	return append(env, course.PackVariable+"="+folder), nil
}

// Close removes the jail's files.
func (j *Jail) Close() { os.RemoveAll(j.scratch) }

// passed lists the prefixes of the environment variables that drivers read, and the variable that
// chooses a driver.
var passed = []string{"VK_", "MESA_", "LP_", "LIBGL_", "WGPU_", "__NV", "__EGL_VENDOR_", "NVIDIA_", "CUDA_", "LD_LIBRARY_PATH=", "PATH=", "XDG_DATA_DIRS=", "WGSLAB_ENGINE=", "GOCOVERDIR=", "SYSTEMROOT="}

func environment(all []string, threads int) []string {
	// A cache would be empty and end with the process, and Mesa's costs it as much as all else that
	// the kernel does for it.
	env := []string{"MESA_SHADER_CACHE_DISABLE=true", "__GL_SHADER_DISK_CACHE=0", "LP_NUM_THREADS=" + strconv.Itoa(threads), "GOMAXPROCS=" + strconv.Itoa(max(2, threads))}
	for _, entry := range all {
		for _, beginning := range passed {
			if strings.HasPrefix(entry, beginning) {
				env = append(env, entry)
			}
		}
	}
	return env
}

// Run checks one hand-in. Whatever it does gives a verdict, even a crash. An error means that the
// machine is at fault or that ctx ended. It wraps shader.ErrNoAdapter if there is nothing to run
// shaders on.
func (j *Jail) Run(ctx context.Context, t Task) (TaskResult, error) {
	timeout := t.Deadline + spare
	if t.Costs {
		timeout += countTimeout
	}
	limited, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	var b built
	if t.Language == Go {
		dir, err := os.MkdirTemp(j.scratch, "")
		if err != nil {
			return TaskResult{}, fmt.Errorf("making a scratch folder: %w", err)
		}
		defer os.RemoveAll(dir)
		if b, err = j.build(limited, dir, t); err != nil || b.wrong != nil {
			return TaskResult{Verdict: b.wrong, Used: b.used}, err
		}
	}
	r := TaskResult{Used: b.used}
	a, ended, err := j.ask(limited, t, b.program)
	if ended != nil {
		r.Used += ended.UserTime() + ended.SystemTime()
	}
	switch {
	case ctx.Err() != nil:
		return r, context.Cause(ctx)
	case err != nil:
		return r, err
	case a == nil && limited.Err() != nil:
		r.Limit = timeout
		r.Verdict = t.broken(verdict.DidNotFinish, fmt.Sprintf("The check of this %s took longer than %v and was stopped.", t.what(), timeout))
	case a == nil && t.Language == Go && r.Used > programTime-time.Second: // the kernel rounds
		r.Verdict = t.broken(verdict.DidNotFinish, fmt.Sprintf("The program did not end within %v of CPU time and was stopped.", programTime))
	case a == nil && t.Language != WGSL:
		r.Verdict = t.broken(Crashed, fmt.Sprintf("The program ended without a result (%s): it ended its process, or needed more than %s of memory.", ended, usage.InWords(j.memory)))
	case a == nil:
		r.Verdict = t.broken(Crashed, fmt.Sprintf("The check of this shader crashed (%s): the shader crashed the compiler or the driver, or needed more than %s of memory.", ended, usage.InWords(j.memory)))
	case a.NoAdapter:
		return r, fmt.Errorf("%w: %s", shader.ErrNoAdapter, a.Trouble)
	case a.Misfit != "":
		exercise, err := host.Find(t.Exercise)
		if err != nil {
			return r, err
		}
		f := t.file(exercise)
		at := f.Declaration(exercise.Work.Function)
		r.Verdict = f.Refused(a.Misfit, at.Line, at.Column, t.Seed)
	case a.Trouble != "":
		return r, errors.New(a.Trouble)
	default:
		r.Verdict, r.Marks, r.Full = a.Verdict, a.Marks, a.Full
	}
	return r, nil
}

// process returns a jailed process that has not started. All that it and its driver write is in
// dir. program is a learner's, or "".
func (j *Jail) process(ctx context.Context, dir, program string) *exec.Cmd {
	process := exec.CommandContext(ctx, cmp.Or(program, j.program), Command)
	process.Dir, process.Env = dir, append(slices.Clone(j.env), "HOME="+dir, "TMPDIR="+dir, "TMP="+dir, "XDG_CACHE_HOME="+dir)
	if program != "" {
		process.Env = append(process.Env, "GOMAXPROCS=1", "GODEBUG=asyncpreemptoff=1")
	}
	process.WaitDelay = time.Second
	childprocess.EndWithParent(process)
	return process
}

// ask starts a jailed process and waits for its answer. The answer is nil if the process died
// without one; ended says how.
func (j *Jail) ask(ctx context.Context, t Task, program string) (a *jailReply, ended *os.ProcessState, err error) {
	var asked bytes.Buffer
	if err := gob.NewEncoder(&asked).Encode(question{t, j.memory}); err != nil {
		return nil, nil, fmt.Errorf("asking the jailed process: %w", err)
	}
	dir, err := os.MkdirTemp(j.scratch, "")
	if err != nil {
		return nil, nil, fmt.Errorf("making a scratch folder: %w", err)
	}
	defer os.RemoveAll(dir)
	if program != "" { // its calls name this file
		for name, text := range map[string]string{t.programName(): t.Source, ownFile: t.Own} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				return nil, nil, fmt.Errorf("writing a program: %w", err)
			}
		}
	}
	reading, writing, err := os.Pipe()
	if err != nil {
		return nil, nil, fmt.Errorf("asking the jailed process: %w", err)
	}
	defer reading.Close()
	process := j.process(ctx, dir, program)
	if t.Language != WGSL {
		process.Env = append(process.Env, "WGSLAB_ENGINE="+string(shader.Simulated))
	}
	process.Stdin = &asked
	if err = passAnswerFile(process, writing); err == nil {
		err = process.Start()
	}
	writing.Close()
	if err != nil {
		return nil, nil, fmt.Errorf("starting a jailed process: %w", err)
	}
	a = new(jailReply)
	decodeErr := gob.NewDecoder(io.LimitReader(reading, AnswerLimit)).Decode(a)
	_ = process.Wait() // an answer counts, however the process ends
	if decodeErr != nil {
		return nil, process.ProcessState, nil
	}
	return a, process.ProcessState, nil
}
