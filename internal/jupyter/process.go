package jupyter

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/wgslab/wgslab/internal/kernelspec"
)

// Process is a kernel's process and all that it starts.
//
// Two things tell what must end with a kernel, also when the kernel itself has
// ended first. It leads a session of its own: what it starts can leave its
// process group (GoNB's language server does) and still be found. And what
// leaves the session too, such as a daemon that a cell starts, inherits a mark
// in its environment, beside those of the kernels that it is inside of.
type Process struct {
	Connection Connection

	kernel  string // the name of its spec
	scratch string // a folder for its sockets and temporary files
	cmd     *exec.Cmd
	mark    string // the entry in the environment, like no other's
	log     *tail
	exited  chan struct{} // closed when the kernel's process has ended

	guarding sync.Mutex
	guard    *guard // nil when there is nothing left to guard

	killing sync.Mutex
	gone    bool // nothing is left: the session's number may be another's now
}

// DeadError says that a kernel's process has ended by itself.
type DeadError struct {
	Kernel string // the name of its spec
	State  string // how it ended: "exit status 1", "signal: killed"
	Log    string // the last lines that it logged
}

func (e *DeadError) Error() string {
	text := fmt.Sprintf("the %s kernel died (%s)", e.Kernel, e.State)
	if e.Log != "" {
		text += "; the last that it said:\n" + indent(e.Log)
	}
	return text
}

// killPatience is how long the processes of a kernel may take to be gone after
// they were killed.
const killPatience = 5 * time.Second

// markPrefix begins the name of the variable in the environment of a kernel and of
// all that it starts; the rest is that of its scratch folder.
const markPrefix = "WGSLAB_KERNEL_"

// Launch starts a kernel that works in dir, with a connection of its own: a kernel
// is called by an id, since some read it from their connection file's name. What
// was launched must be ended by Kill.
//
// Should our own process end without that, the kernel and all that it started
// are killed nevertheless, and its folder goes with it.
func Launch(spec kernelspec.Spec, dir, id string) (*Process, error) {
	scratch, err := makeScratch()
	if err != nil {
		return nil, err
	}
	p := &Process{
		Connection: newConnection(scratch, spec.Name),
		kernel:     spec.Name,
		scratch:    scratch,
		mark:       markPrefix + strings.TrimPrefix(filepath.Base(scratch), scratchPrefix) + "=1",
		log:        &tail{},
		exited:     make(chan struct{}),
	}
	if err := p.launch(spec, dir, id); err != nil {
		os.RemoveAll(scratch)
		return nil, err
	}
	return p, nil
}

const scratchPrefix = "wgslab-kernel-"

// makeScratch makes a folder that is ours alone, by a path that is short
// enough for the sockets in it.
func makeScratch() (string, error) {
	const longest = 60 // of about 100 that a socket's path may have
	parent := os.TempDir()
	if len(parent) > longest {
		parent = "/tmp"
	}
	scratch, err := os.MkdirTemp(parent, scratchPrefix)
	if err != nil {
		return "", fmt.Errorf("making a folder for the kernel: %w", err)
	}
	return scratch, nil
}

func (p *Process) launch(spec kernelspec.Spec, dir, id string) error {
	file := filepath.Join(p.scratch, "kernel-"+id+".json")
	if err := p.Connection.Write(file); err != nil {
		return err
	}
	env := spec.Environ()
	env["TMPDIR"] = p.scratch
	env["JPY_PARENT_PID"] = strconv.Itoa(os.Getpid()) // as Jupyter does; some kernels end with us
	program, args, err := spec.Command(file, env)
	if err != nil {
		return err
	}
	p.cmd = exec.Command(program, args...)
	p.cmd.Dir = dir
	for name, value := range env {
		p.cmd.Env = append(p.cmd.Env, name+"="+value)
	}
	p.cmd.Env = append(p.cmd.Env, p.mark)
	p.cmd.Stdout, p.cmd.Stderr = p.log, p.log
	// Whatever the kernel started may hold its output open after it.
	p.cmd.WaitDelay = 200 * time.Millisecond
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	return p.start()
}

// start starts the guard, then the process: from its first moment on, somebody
// will end it.
func (p *Process) start() error {
	if err := p.keepGuard(); err != nil {
		return err
	}
	if err := p.cmd.Start(); err != nil {
		p.dismissGuard()
		return fmt.Errorf("starting the kernel: %w", err)
	}
	if err := p.guard.watch(p.session()); err != nil {
		_ = p.killAll()
		p.dismissGuard()
		return err
	}
	go func() {
		_ = p.cmd.Wait() // how it ended is in the process's state
		close(p.exited)
	}()
	return nil
}

func (p *Process) session() int { return p.cmd.Process.Pid }

// Exited is closed when the kernel's process has ended.
func (p *Process) Exited() <-chan struct{} { return p.exited }

// Err says how the kernel's process has ended, as a *DeadError; nil while it has not.
func (p *Process) Err() error {
	select {
	case <-p.exited:
		return &DeadError{Kernel: p.kernel, State: p.cmd.ProcessState.String(), Log: p.log.lastLines(10)}
	default:
		return nil
	}
}

// Signal sends a signal to the kernel's process alone.
func (p *Process) Signal(signal os.Signal) error { return p.cmd.Process.Signal(signal) }

// Dir is the folder that the process works in now, or was started in where the
// system does not tell.
func (p *Process) Dir() string {
	if dir, err := os.Readlink(fmt.Sprintf("/proc/%d/cwd", p.session())); err == nil {
		return dir
	}
	return p.cmd.Dir
}

// Kill ends the kernel and all that it started. The error says that something is
// still there.
func (p *Process) Kill() error { return errors.Join(p.killAll(), p.remove()) }

// remove takes away what is left of a kernel that was killed.
func (p *Process) remove() error {
	var err error
	if !p.waitExit(killPatience, nil) {
		err = fmt.Errorf("the %s kernel is still there %s after it was killed", p.kernel, killPatience)
	}
	if removeErr := os.RemoveAll(p.scratch); removeErr != nil {
		err = errors.Join(err, fmt.Errorf("removing the kernel's folder: %w", removeErr))
	}
	p.dismissGuard()
	return err
}

// waitExit says whether the kernel's process ends within the given time, or
// before cancel is closed.
func (p *Process) waitExit(patience time.Duration, cancel <-chan struct{}) bool {
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
func (p *Process) killAll() error {
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

	ended chan struct{} // closed when it has
}

// guardPause is how long to wait before a guard is replaced: whatever killed it may
// kill the next one, too.
const guardPause = 100 * time.Millisecond

//go:embed guard.sh
var guardScript string

// keepGuard starts a guard, and another one should somebody kill it.
func (p *Process) keepGuard() error {
	g, err := startGuard(p.mark, p.scratch)
	if err != nil {
		return err
	}
	p.guard = g
	go func() {
		_ = g.cmd.Wait()
		close(g.ended)
		p.replaceGuard(g)
	}()
	return nil
}

// replaceGuard replaces a guard that has ended, unless it was sent home.
func (p *Process) replaceGuard(old *guard) {
	time.Sleep(guardPause)
	p.guarding.Lock()
	defer p.guarding.Unlock()
	if p.guard != old || p.keepGuard() != nil {
		return
	}
	_ = p.guard.watch(p.session()) // fails when this one is gone, too
}

func startGuard(mark, scratch string) (*guard, error) {
	g := &guard{cmd: exec.Command("/bin/sh", "-c", guardScript, "kernel-guard"), ended: make(chan struct{})}
	g.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // Ctrl-C is not for it
	g.cmd.Dir = "/"
	g.cmd.Env = []string{"PATH=/usr/bin:/bin"} // no mark of a kernel that we run in ourselves
	pipe, err := g.cmd.StdinPipe()
	if err == nil {
		err = g.cmd.Start()
	}
	if err == nil {
		_, err = fmt.Fprintf(pipe, "%s %s\n", mark, scratch)
	}
	if err != nil {
		return nil, fmt.Errorf("starting the kernel's guard: %w", err)
	}
	g.pipe = pipe
	return g, nil
}

// watch tells the guard which session is the kernel's.
func (g *guard) watch(session int) error {
	if _, err := fmt.Fprintf(g.pipe, "%d\n", session); err != nil {
		return fmt.Errorf("instructing the kernel's guard: %w", err)
	}
	return nil
}

// dismissGuard sends the guard home: there is nothing left to kill.
func (p *Process) dismissGuard() {
	p.guarding.Lock()
	g := p.guard
	p.guard = nil
	p.guarding.Unlock()
	if g == nil {
		return
	}
	_, _ = io.WriteString(g.pipe, "0\ndone\n") // fails when the guard is gone
	g.pipe.Close()
	<-g.ended
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

func indent(text string) string {
	return "    " + strings.ReplaceAll(text, "\n", "\n    ")
}
