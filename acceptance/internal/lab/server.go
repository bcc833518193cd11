package lab

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"
)

const (
	// startPatience is how long JupyterLab may take to answer.
	startPatience = 60 * time.Second
	// stopPatience is how long it may take to shut down its kernels and itself.
	stopPatience = 15 * time.Second
	// lookAgain is the pause between two checks while waiting.
	lookAgain = 20 * time.Millisecond
)

// A Server is a JupyterLab that serves the notebooks of a clone on 127.0.0.1.
type Server struct {
	command *exec.Cmd
	exited  chan struct{} // closed when the process has ended
	log     *syncBuffer
	base    string // its address, "http://127.0.0.1:8888/"
	token   string
}

// StartServer starts `wgslab lab` in the clone, as `make lab` does, and waits until it answers. The
// caller must stop the server. options are JupyterLab's own.
func StartServer(ctx context.Context, c *Clone, options ...string) (*Server, error) {
	wgslab := filepath.Join(c.Repository, ".build", "bin", "wgslab")
	if _, err := os.Stat(wgslab); err != nil {
		return nil, fmt.Errorf("JupyterLab cannot be started: run make setup first: %w", err)
	}
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	s := &Server{exited: make(chan struct{}), log: &syncBuffer{}}
	s.command = exec.Command(wgslab, append([]string{"lab", "--", fmt.Sprintf("--ServerApp.port=%d", port)}, options...)...)
	s.command.Dir = c.Root
	s.command.Env = append(withoutDesktop(os.Environ()), c.Environment...)
	s.command.Stdout, s.command.Stderr = s.log, s.log
	s.command.SysProcAttr = &syscall.SysProcAttr{
		Setpgid: true,
		// If we are killed, JupyterLab still ends, and its kernels with it.
		Pdeathsig: syscall.SIGTERM,
	}
	if err := s.start(); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, startPatience, fmt.Errorf("it did not answer within %s", startPatience))
	defer cancel()
	if err := s.waitReady(ctx, c); err != nil {
		return nil, errors.Join(fmt.Errorf("starting JupyterLab: %w; it said:\n%s", err, s.Log()), s.Stop())
	}
	return s, nil
}

// start starts the process from a thread that lives as long as the process. Linux sends the
// Pdeathsig when the thread ends, not the process.
func (s *Server) start() error {
	started := make(chan error)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := s.command.Start()
		started <- err
		if err == nil {
			_ = s.command.Wait() // ProcessState holds the result
			close(s.exited)
		}
	}()
	if err := <-started; err != nil {
		return fmt.Errorf("starting JupyterLab: %w", err)
	}
	return nil
}

// waitReady waits for the file in which JupyterLab writes its address, and then for an answer from
// there.
func (s *Server) waitReady(ctx context.Context, c *Clone) error {
	note := filepath.Join(c.Root, ".build", "jupyter", "runtime", fmt.Sprintf("jpserver-%d.json", s.command.Process.Pid))
	return s.until(ctx, func() (bool, error) {
		data, err := os.ReadFile(note)
		if errors.Is(err, fs.ErrNotExist) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		var where struct{ URL, Token string }
		if json.Unmarshal(data, &where) != nil {
			return false, nil // the file is incomplete
		}
		s.base, s.token = where.URL, where.Token
		return s.answers(ctx), nil
	})
}

func (s *Server) answers(ctx context.Context) bool {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.base+"api/status?token="+s.token, nil)
	if err != nil {
		return false
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return false
	}
	response.Body.Close()
	return response.StatusCode == http.StatusOK
}

// until waits until done returns true, the server ends, or ctx does.
func (s *Server) until(ctx context.Context, done func() (bool, error)) error {
	look := time.NewTicker(lookAgain)
	defer look.Stop()
	for {
		if ok, err := done(); ok || err != nil {
			return err
		}
		select {
		case <-look.C:
		case <-s.exited:
			return fmt.Errorf("it ended: %s", s.command.ProcessState)
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// Host returns the host and port that the server listens on.
func (s *Server) Host() string {
	u, err := url.Parse(s.base)
	if err != nil {
		return ""
	}
	return u.Host
}

// Base returns the address that all addresses of the server begin with.
func (s *Server) Base() string { return s.base }

// Token returns the token that authenticates a request as the learner's.
func (s *Server) Token() string { return s.token }

// ServerAt returns a server that was started elsewhere, to which the browser is logged in.
func ServerAt(base string) *Server { return &Server{base: base} }

// At returns the same server at another address, such as a proxy's.
func (s *Server) At(base string) *Server {
	elsewhere := *s
	elsewhere.base = base
	return &elsewhere
}

// Log returns the server's output so far.
func (s *Server) Log() string { return s.log.String() }

// notebookURL returns the address of a notebook in its own workspace, so that no tab of another
// notebook reappears.
func (s *Server) notebookURL(name string) string {
	workspace := strings.TrimSuffix(path.Base(name), path.Ext(name))
	address := s.base + "lab/workspaces/" + url.PathEscape(workspace) + "/tree/" + (&url.URL{Path: name}).EscapedPath()
	if s.token != "" {
		address += "?token=" + s.token
	}
	return address
}

// endsBy is how long a process may outlive the server: gopls waits some seconds for another
// notebook.
const endsBy = 10 * time.Second

// Stop ends the server and all its processes. The error names the processes that had to be killed.
func (s *Server) Stop() error {
	family := Descendants(s.command.Process.Pid)
	_ = s.command.Process.Signal(syscall.SIGTERM) // which shuts its kernels down
	var problems []error
	select {
	case <-s.exited:
	case <-time.After(stopPatience):
		problems = append(problems, fmt.Errorf("JupyterLab was still there %s after SIGTERM, and was killed", stopPatience))
		family = append(family, Descendants(s.command.Process.Pid)...)
		_ = syscall.Kill(-s.command.Process.Pid, syscall.SIGKILL)
		<-s.exited
	}
	for _, p := range family {
		if p.Outlives(endsBy) {
			problems = append(problems, fmt.Errorf("JupyterLab left process %d behind (%s), which was killed", p.PID, p.Name))
			_ = syscall.Kill(p.PID, syscall.SIGKILL)
		}
	}
	return errors.Join(problems...)
}

// Kill kills the server alone, as the system does when memory is short.
func (s *Server) Kill() {
	_ = s.command.Process.Kill() // fails if it has ended
	<-s.exited
}

func freePort() (int, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, fmt.Errorf("looking for a free port: %w", err)
	}
	defer listener.Close()
	return listener.Addr().(*net.TCPAddr).Port, nil
}

// withoutDesktop returns an environment in which JupyterLab opens no browser.
func withoutDesktop(environment []string) []string {
	var kept []string
	for _, entry := range environment {
		if !strings.HasPrefix(entry, "DISPLAY=") && !strings.HasPrefix(entry, "WAYLAND_DISPLAY=") {
			kept = append(kept, entry)
		}
	}
	return kept
}

// syncBuffer is a buffer that one goroutine may fill while another reads it.
type syncBuffer struct {
	mu  sync.Mutex
	all bytes.Buffer
}

func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.all.Write(p)
}

func (b *syncBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.all.String()
}
