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
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/wgslab/wgslab/internal/fronts/notebook/kernelspec"
)

// Process is a kernel's process with all processes that it started.
//
// Two marks identify them, even after the kernel itself has ended. First, the kernel leads its own
// session. A process can leave the kernel's process group (GoNB's language server does) but stays
// in the session. Second, a process that leaves the session as well, such as a daemon that a cell
// starts, inherits a variable in its environment. Kernels inside kernels have several such
// variables.
type Process struct {
	Connection Connection

	kernel  string // the name of its spec
	scratch string // a folder for its sockets and temporary files
	cmd     *exec.Cmd
	mark    string // the entry in the environment, which is unique
	log     *tail
	exited  chan struct{} // closed when the kernel's process has ended

	guarding sync.Mutex
	guard    *guard // nil if nothing is left to guard
	started  bool   // there is a session to guard

	killing sync.Mutex
	gone    bool // nothing is left: another program may now have the session's number
}

// DeadError reports that a kernel's process has ended by itself.
type DeadError struct {
	Kernel string // the name of its spec
	State  string // how it ended: "exit status 1", "signal: killed"
	Log    string // the last lines of its log
}

func (e *DeadError) Error() string {
	text := fmt.Sprintf("the %s kernel died (%s)", e.Kernel, e.State)
	if e.Log != "" {
		text += "; its last output:\n" + indent(e.Log)
	}
	return text
}

// killPatience is how long the processes of a kernel may take to disappear after the kill.
const killPatience = 5 * time.Second

// markPrefix begins the name of the variable in the environment of a kernel and all its processes.
// The rest of the name is that of its scratch folder.
const markPrefix = "WGSLAB_KERNEL_"

// Launch starts a kernel that works in dir, with its own connection. The id names the kernel: some
// kernels read it from their connection file's name. The caller must end the kernel with Kill.
//
// Unless prepare is nil, it may add files to the kernel's scratch folder, and change its
// environment.
//
// If our own process ends without Kill, the kernel and all its processes are killed nevertheless,
// and its folder is removed.
func Launch(spec kernelspec.Spec, dir, id string, prepare func(scratch string, env map[string]string) error) (*Process, error) {
	if errUnsupported != nil {
		return nil, errUnsupported
	}
	scratch := scratchPath()
	p := &Process{
		Connection: newConnection(scratch, spec.Name),
		kernel:     spec.Name,
		scratch:    scratch,
		mark:       markPrefix + strings.TrimPrefix(filepath.Base(scratch), scratchPrefix) + "=1",
		log:        &tail{},
		exited:     make(chan struct{}),
	}
	// The guard comes first: it removes the folder if we are killed.
	p.guarding.Lock()
	err := p.keepGuard()
	p.guarding.Unlock()
	if err == nil {
		err = p.launch(spec, dir, id, prepare)
	}
	if err != nil {
		os.RemoveAll(scratch)
		p.dismissGuard()
		return nil, err
	}
	return p, nil
}

const (
	scratchPrefix = "wgslab-kernel-"
	scratchDigits = 10
)

// scratchPath returns a new path for a private folder, short enough for the sockets in it.
func scratchPath() string {
	const longest = 60 // of about 100 that a socket's path can have
	parent := os.TempDir()
	if len(parent) > longest {
		parent = "/tmp"
	}
	return filepath.Join(parent, scratchPrefix+strings.ReplaceAll(uuid.NewString(), "-", "")[:scratchDigits])
}

func (p *Process) launch(spec kernelspec.Spec, dir, id string, prepare func(scratch string, env map[string]string) error) error {
	if err := os.Mkdir(p.scratch, 0o700); err != nil {
		return fmt.Errorf("making a folder for the kernel: %w", err)
	}
	file := filepath.Join(p.scratch, "kernel-"+id+".json")
	if err := p.Connection.Write(file); err != nil {
		return err
	}
	env := spec.Environ()
	env["TMPDIR"] = p.scratch
	env["JPY_PARENT_PID"] = strconv.Itoa(os.Getpid()) // as Jupyter does; some kernels then end with us
	if prepare != nil {
		if err := prepare(p.scratch, env); err != nil {
			return err
		}
	}
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
	// The kernel's child processes may hold its output open after its end.
	p.cmd.WaitDelay = 200 * time.Millisecond
	p.cmd.SysProcAttr = ownSession()
	return p.start()
}

// start starts the process, which is guarded from its first moment.
func (p *Process) start() error {
	if err := p.cmd.Start(); err != nil {
		return fmt.Errorf("starting the kernel: %w", err)
	}
	p.guarding.Lock()
	p.started = true
	p.guard.watch(p.session())
	p.guarding.Unlock()
	go func() {
		_ = p.cmd.Wait() // the process's state says how it ended
		close(p.exited)
	}()
	return nil
}

func (p *Process) session() int { return p.cmd.Process.Pid }

// Exited is closed when the kernel's process has ended.
func (p *Process) Exited() <-chan struct{} { return p.exited }

// Err returns how the kernel's process has ended, as a *DeadError, or nil if it still runs.
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

// Dir returns the current folder of the process, or its first folder if the system does not tell.
func (p *Process) Dir() string {
	if dir, err := os.Readlink(fmt.Sprintf("/proc/%d/cwd", p.session())); err == nil {
		return dir
	}
	return p.cmd.Dir
}

// Kill ends the kernel and all its processes. An error says that something is left.
func (p *Process) Kill() error { return errors.Join(p.killAll(), p.remove()) }

// remove deletes the files of a kernel that was killed.
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

// waitExit reports whether the kernel's process ends within the given time, and before cancel is
// closed.
func (p *Process) waitExit(timeout time.Duration, cancel <-chan struct{}) bool {
	select {
	case <-p.exited:
		return true
	case <-cancel:
	case <-time.After(timeout):
	}
	return false
}

// emptyScans is how many scans in a row must find no process of a kernel. One scan is not enough: a
// process has no environment for a moment while it becomes another program.
const emptyScans = 3

// killAll kills the kernel and all its processes, and waits until none is left.
func (p *Process) killAll() error {
	p.killing.Lock()
	defer p.killing.Unlock()
	if p.gone {
		return nil
	}
	deadline := time.Now().Add(killPatience)
	for empty := 0; ; {
		_ = killGroup(p.session()) // fails when the group is gone
		members := kernelProcesses(p.session(), p.mark)
		if len(members) > 0 {
			empty = 0
		} else if empty++; empty == emptyScans {
			p.gone = true
			return nil
		}
		for _, pid := range members {
			_ = kill(pid) // fails when it has just gone
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("processes %v of the kernel are still there %s after they were killed", members, killPatience)
		}
		time.Sleep(2 * time.Millisecond)
	}
}

// kernelProcesses lists the living processes of a session and those that carry a mark. Without
// /proc it returns none.
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

// inSession reports whether a process, given by its folder in /proc, lives and belongs to a
// session. It returns false for a process that has just ended.
func inSession(dir string, session int) bool {
	data, _ := os.ReadFile(filepath.Join(dir, "stat"))
	// The format is pid (name) state parent group session …; the name may contain any
	// character.
	fields := bytes.Fields(data[bytes.LastIndexByte(data, ')')+1:])
	return len(fields) > 3 && fields[0][0] != 'Z' && string(fields[3]) == strconv.Itoa(session)
}

// carries reports whether a process lives and has an entry in its environment.
func carries(dir, entry string) bool {
	data, _ := os.ReadFile(filepath.Join(dir, "environ")) // empty for a zombie
	return slices.Contains(strings.Split(string(data), "\x00"), entry)
}

// guard is a small process that outlives ours: if we end suddenly, it kills the kernel and all its
// processes. (The kernel's own parent-death signal is not enough, for two reasons. It does not
// reach the kernel's child processes. Linux also sends it when the thread that started the kernel
// ends, and in Go any goroutine may use that thread.)
type guard struct {
	cmd  *exec.Cmd
	pipe io.WriteCloser // we hold the only other end

	ended chan struct{} // closed when it has
}

// guardPause is the pause before a new guard replaces a dead one, since the same cause may kill the
// next guard as well.
const guardPause = 100 * time.Millisecond

//go:embed guard.sh
var guardScript string

// keepGuard starts a guard, and another one whenever a guard is killed. The caller holds guarding.
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

// replaceGuard replaces a guard that has ended, unless we dismissed it. It tries until a guard
// starts.
func (p *Process) replaceGuard(old *guard) {
	for replaced := false; !replaced; {
		time.Sleep(guardPause)
		p.guarding.Lock()
		replaced = p.guard != old
		if !replaced && p.keepGuard() == nil {
			replaced = true
			if p.started {
				p.guard.watch(p.session())
			}
		}
		p.guarding.Unlock()
	}
}

func startGuard(mark, scratch string) (*guard, error) {
	g := &guard{cmd: exec.Command("/bin/sh", "-c", guardScript, "kernel-guard"), ended: make(chan struct{})}
	g.cmd.SysProcAttr = ownSession() // so that Ctrl-C does not reach it
	g.cmd.Dir = "/"
	g.cmd.Env = []string{"PATH=/usr/bin:/bin"} // without the mark of a kernel that may run us
	pipe, err := g.cmd.StdinPipe()
	if err == nil {
		err = g.cmd.Start()
	}
	if err == nil {
		if _, err = fmt.Fprintf(pipe, "%s %s\n", mark, scratch); err != nil {
			_ = g.cmd.Wait() // it was killed
		}
	}
	if err != nil {
		return nil, fmt.Errorf("starting the kernel's guard: %w", err)
	}
	g.pipe = pipe
	return g, nil
}

// watch tells the guard the kernel's session. That fails if the guard was killed, and then
// replaceGuard tells the next one.
func (g *guard) watch(session int) { _, _ = fmt.Fprintf(g.pipe, "%d\n", session) }

// dismissGuard ends the guard: there is nothing left to kill.
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

// tail keeps the end of the text that is written to it.
type tail struct {
	mu   sync.Mutex
	data []byte
}

// tailSize is how much of a kernel's log a tail keeps, in bytes.
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

// lastLines returns up to n of the last lines.
func (t *tail) lastLines(n int) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	lines := bytes.Split(bytes.TrimSpace(t.data), []byte("\n"))
	return string(bytes.Join(lines[max(0, len(lines)-n):], []byte("\n")))
}

func indent(text string) string {
	return "    " + strings.ReplaceAll(text, "\n", "\n    ")
}
