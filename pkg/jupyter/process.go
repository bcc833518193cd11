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
	"strings"
	"sync"
	"syscall"
	"time"
)

// process is a kernel's process and all that it starts.
//
// It leads a session of its own. What a kernel starts can leave its process
// group (GoNB's language server does) but hardly ever its session, so that the
// session says what must end with the kernel, also when the kernel itself has
// ended first.
type process struct {
	cmd    *exec.Cmd
	log    *tail
	guard  *guard
	exited chan struct{} // closed when the kernel's process has ended

	killing sync.Mutex
	gone    bool // no process of the session is left: its number may be another's
}

// killPatience is how long the processes of a kernel may take to be gone after
// they were killed.
const killPatience = 5 * time.Second

// startProcess starts a kernel in dir. Its scratch folder goes with it should
// our own process be killed.
func startProcess(program string, args []string, dir, scratch string, env map[string]string) (*process, error) {
	guard, err := startGuard()
	if err != nil {
		return nil, err
	}
	p := &process{
		cmd:    exec.Command(program, args...),
		log:    &tail{},
		guard:  guard,
		exited: make(chan struct{}),
	}
	p.cmd.Dir = dir
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
		p.killSession()
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

// killSession kills every process of the kernel's session and waits until none
// is left.
func (p *process) killSession() error {
	p.killing.Lock()
	defer p.killing.Unlock()
	if p.gone {
		return nil
	}
	deadline := time.Now().Add(killPatience)
	for {
		_ = syscall.Kill(-p.session(), syscall.SIGKILL) // fails when the group is gone
		members := sessionMembers(p.session())
		if len(members) == 0 {
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

// sessionMembers lists the living processes of a session. Where there is no
// /proc it lists none.
func sessionMembers(session int) []int {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat") // fails only on a bad pattern
	var members []int
	for _, path := range stats {
		data, err := os.ReadFile(path)
		if err != nil {
			continue // it has ended
		}
		// pid (name) state parent group session …; the name may hold anything.
		text := string(data)
		fields := strings.Fields(text[strings.LastIndexByte(text, ')')+1:])
		if len(fields) < 4 || fields[0] == "Z" || fields[3] != strconv.Itoa(session) {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(path))); err == nil {
			members = append(members, pid)
		}
	}
	return members
}

// guard is a small process that outlives ours: when we end without a word, it
// kills the kernel's session. (The kernel's own parent-death signal would not
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
