package jupyter

import (
	"bytes"
	_ "embed"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"time"
)

// process is a kernel's process and all that it starts.
//
// Two things tell what must end with a kernel, also when the kernel itself has
// ended first. It leads a session of its own: what it starts can leave its
// process group (GoNB's language server does) and still be found. And what
// leaves the session too, such as a daemon that a cell starts, inherits a mark
// in its environment.
type process struct {
	cmd    *exec.Cmd
	mark   string // the entry in the environment, like no other's
	log    *tail
	guard  *guard
	exited chan struct{} // closed when the kernel's process has ended

	killing sync.Mutex
	gone    bool // nothing is left: the session's number may be another's now
}

// killPatience is how long the processes of a kernel may take to be gone after
// they were killed.
const killPatience = 5 * time.Second

// markName is the variable in the environment of a kernel and of all that it
// starts; its value is the kernel's scratch folder.
const markName = "WGSLAB_KERNEL"

// startProcess starts a kernel in dir. Its scratch folder, of which there is
// one for each kernel, goes with it should our own process be killed.
func startProcess(program string, args []string, dir, scratch string, env map[string]string) (*process, error) {
	guard, err := startGuard()
	if err != nil {
		return nil, err
	}
	p := &process{
		cmd:    exec.Command(program, args...),
		mark:   markName + "=" + scratch,
		log:    &tail{},
		guard:  guard,
		exited: make(chan struct{}),
	}
	p.cmd.Dir = dir
	env[markName] = scratch
	for name, value := range env {
		p.cmd.Env = append(p.cmd.Env, name+"="+value)
	}
	p.cmd.Stdout, p.cmd.Stderr = p.log, p.log
	// Whatever the kernel started may hold its output open after it.
	p.cmd.WaitDelay = 200 * time.Millisecond
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := p.cmd.Start(); err != nil {
		guard.dismiss()
		return nil, fmt.Errorf("starting the kernel: %w", err)
	}
	if err := guard.watch(p.session(), scratch); err != nil {
		_ = p.killAll()
		guard.dismiss()
		return nil, err
	}
	go func() {
		_ = p.cmd.Wait() // how it ended is in the process's state
		close(p.exited)
	}()
	return p, nil
}

func (p *process) session() int { return p.cmd.Process.Pid }

// waitExit says whether the kernel's process ends within the given time, or
// before cancel is closed.
func (p *process) waitExit(patience time.Duration, cancel <-chan struct{}) bool {
	select {
	case <-p.exited:
		return true
	case <-cancel:
	case <-time.After(patience):
	}
	return false
}

// emptyScans is how many times in a row nothing must be found of a kernel: a
// process has no environment to be known by while it becomes another program.
const emptyScans = 3

// killAll kills the kernel and all that it started, and waits until nothing is
// left of it.
func (p *process) killAll() error {
	p.killing.Lock()
	defer p.killing.Unlock()
	if p.gone {
		return nil
	}
	deadline := time.Now().Add(killPatience)
	for empty := 0; ; {
		_ = syscall.Kill(-p.session(), syscall.SIGKILL) // fails when the group is gone
		members := kernelProcesses(p.session(), p.mark)
		if len(members) > 0 {
			empty = 0
		} else if empty++; empty == emptyScans {
			p.gone = true
			return nil
		}
		for _, pid := range members {
			_ = syscall.Kill(pid, syscall.SIGKILL) // fails when it has just gone
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("processes %v of the kernel are still there %s after they were killed", members, killPatience)
		}
		time.Sleep(2 * time.Millisecond)
	}
}

// kernelProcesses lists the living processes of a session and those that carry
// a mark. Where there is no /proc it lists none.
func kernelProcesses(session int, mark string) []int {
	dirs, _ := filepath.Glob("/proc/[0-9]*") // fails only on a bad pattern
	var members []int
	for _, dir := range dirs {
		pid, err := strconv.Atoi(filepath.Base(dir))
		if err == nil && (inSession(dir, session) || carries(dir, mark)) {
			members = append(members, pid)
		}
	}
	return members
}

// inSession says whether a process, given by its folder in /proc, lives and
// belongs to a session. It is false for one that has just ended.
func inSession(dir string, session int) bool {
	data, _ := os.ReadFile(filepath.Join(dir, "stat"))
	// pid (name) state parent group session …; the name may hold anything.
	fields := bytes.Fields(data[bytes.LastIndexByte(data, ')')+1:])
	return len(fields) > 3 && fields[0][0] != 'Z' && string(fields[3]) == strconv.Itoa(session)
}

// carries says whether a process lives and has an entry in its environment.
func carries(dir, entry string) bool {
	data, _ := os.ReadFile(filepath.Join(dir, "environ")) // empty for a zombie
	for variable := range bytes.SplitSeq(data, []byte{0}) {
		if string(variable) == entry {
			return true
		}
	}
	return false
}

// guard is a small process that outlives ours: when we end without a word, it
// kills the kernel and all that it started. (The kernel's own parent-death signal would not
// do: it does not reach what the kernel started, and Linux sends it when the
// thread ends that started the kernel, which in Go is anybody's.)
type guard struct {
	cmd  *exec.Cmd
	pipe io.WriteCloser // its end is ours, held by nobody else
}

//go:embed guard.sh
var guardScript string

func startGuard() (*guard, error) {
	g := &guard{cmd: exec.Command("/bin/sh", "-c", guardScript, "kernel-guard")}
	g.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // Ctrl-C is not for it
	g.cmd.Dir = "/"
	g.cmd.Env = []string{"PATH=/usr/bin:/bin"} // no mark of a kernel that we run in ourselves
	pipe, err := g.cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("starting the kernel's guard: %w", err)
	}
	if err := g.cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting the kernel's guard: %w", err)
	}
	g.pipe = pipe
	return g, nil
}

// watch tells the guard what to kill and which folder to remove.
func (g *guard) watch(session int, scratch string) error {
	if _, err := fmt.Fprintf(g.pipe, "%d %s\n", session, scratch); err != nil {
		return fmt.Errorf("instructing the kernel's guard: %w", err)
	}
	return nil
}

// dismiss sends the guard home: there is nothing left to kill.
func (g *guard) dismiss() {
	_, _ = io.WriteString(g.pipe, "done\n") // fails when the guard is gone
	g.pipe.Close()
	_ = g.cmd.Wait()
}

// tail keeps the end of what is written to it.
type tail struct {
	mu   sync.Mutex
	data []byte
}

// tailSize is how much of a kernel's log is kept, in bytes.
const tailSize = 8 << 10

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.data = append(t.data, p...)
	if over := len(t.data) - tailSize; over > 0 {
		t.data = append(t.data[:0], t.data[over:]...)
	}
	return len(p), nil
}

// lastLines gives up to n of the last lines.
func (t *tail) lastLines(n int) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	lines := bytes.Split(bytes.TrimSpace(t.data), []byte("\n"))
	return string(bytes.Join(lines[max(0, len(lines)-n):], []byte("\n")))
}
