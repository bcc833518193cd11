package jupyter

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/google/uuid"
	"github.com/wgslab/wgslab/internal/kernelspec"
)

// Kernel is a running kernel and the conversation with it. Its methods may be
// called from several goroutines; code is run one piece at a time.
type Kernel struct {
	Spec kernelspec.Spec
	Info Info

	process *process
	client  *client
	scratch string // a folder for its sockets and temporary files

	end    sync.Once
	endErr error
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

const (
	// startPatience is how long a kernel may take to answer for the first time.
	startPatience = 60 * time.Second
	// shutdownPatience is how long it may take to end when asked, and again
	// when sent a signal.
	shutdownPatience = 2 * time.Second
	// lastWords is how long a dead kernel's output may take to be read, and
	// how long one that hung up may take to die.
	lastWords = 5 * time.Second
)

// Start starts a kernel that works in dir, and waits until it answers. Every
// kernel that was started must be ended by Shutdown.
//
// Should our own process end without that, the kernel and all that it started
// are killed nevertheless.
func Start(ctx context.Context, spec kernelspec.Spec, dir string) (*Kernel, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, startPatience,
		fmt.Errorf("the %s kernel did not answer within %s", spec.Name, startPatience))
	defer cancel()

	scratch, err := makeScratch()
	if err != nil {
		return nil, err
	}
	k := &Kernel{Spec: spec, scratch: scratch}
	connection := newConnection(scratch, spec.Name)
	if err := k.launch(connection, dir); err != nil {
		os.RemoveAll(scratch)
		return nil, err
	}
	if err := k.greet(ctx, connection); err != nil {
		return nil, errors.Join(err, k.kill())
	}
	return k, nil
}

// makeScratch makes a folder that is ours alone, by a path that is short
// enough for the sockets in it.
func makeScratch() (string, error) {
	const longest = 50 // of about 100 that a socket's path may have
	parent := os.TempDir()
	if len(parent) > longest {
		parent = "/tmp"
	}
	scratch, err := os.MkdirTemp(parent, "wgslab-kernel-")
	if err != nil {
		return "", fmt.Errorf("making a folder for the kernel: %w", err)
	}
	return scratch, nil
}

// launch starts the kernel's process.
func (k *Kernel) launch(c Connection, dir string) error {
	// The name is the one that Jupyter gives: some kernels read their id from it.
	file := filepath.Join(k.scratch, "kernel-"+uuid.NewString()+".json")
	if err := c.Write(file); err != nil {
		return err
	}
	env := k.Spec.Environ()
	env["TMPDIR"] = k.scratch
	env["JPY_PARENT_PID"] = strconv.Itoa(os.Getpid()) // as Jupyter does; the Python kernel ends with us
	program, args, err := k.Spec.Command(file, env)
	if err != nil {
		return err
	}
	k.process, err = startProcess(program, args, dir, k.scratch, env)
	return err
}

// greet opens the conversation, and gives up as soon as the process ends.
func (k *Kernel) greet(ctx context.Context, c Connection) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go func() {
		select {
		case <-k.process.exited:
			cancel(k.deadError())
		case <-ctx.Done():
		}
	}()
	var err error
	if k.client, err = dialClient(ctx, c); err != nil {
		return err
	}
	k.client.interrupt = k.interrupt
	go k.watch()
	k.Info, err = k.client.kernelInfo(ctx)
	return err
}

// watch ends what is going on when the kernel dies, after the last of its
// output was taken, and takes with it what the kernel leaves behind.
func (k *Kernel) watch() {
	select {
	case <-k.process.exited:
	case <-k.client.lost:
		if !k.process.waitExit(lastWords, k.client.failed) {
			k.client.fail(fmt.Errorf("the %s kernel hung up", k.Spec.Name))
			return
		}
	}
	// What it leaves behind may hold the sockets open, so that they never end.
	_ = k.process.killAll() // Shutdown tries again and reports it
	select {
	case <-k.client.ended:
	case <-k.client.failed:
	case <-time.After(lastWords):
	}
	k.client.fail(k.deadError())
}

// deadError describes the end of the process, which has ended.
func (k *Kernel) deadError() error {
	return &DeadError{
		Kernel: k.Spec.Name,
		State:  k.process.cmd.ProcessState.String(),
		Log:    k.process.log.lastLines(10),
	}
}

// pid is the id of the kernel's process, which leads a session of its own.
func (k *Kernel) pid() int { return k.process.session() }

// Execute runs code and returns when the kernel has replied and is idle again.
//
// The error says why the code did not end as it should: a *DeadlineError,
// ErrInput or what Request.Output returned, when the code was interrupted; a
// *DeadError, errNoReply, errSignature, ErrFormat, errShutDown, or ErrStuck
// beside one of the former, when the kernel is of no use any more; or the cause
// of ctx, when the code is still running. Code that failed by itself is no error: the Reply
// says it.
func (k *Kernel) Execute(ctx context.Context, r Request) (Reply, error) {
	return k.client.execute(ctx, r)
}

// interrupt asks the kernel to stop the code that it is running, and does not
// wait for it.
func (k *Kernel) interrupt(ctx context.Context) error {
	if k.Spec.InterruptMode == "message" {
		return k.client.tell(ctx, k.client.sockets.Control, "interrupt_request", struct{}{})
	}
	if err := syscall.Kill(-k.process.session(), syscall.SIGINT); err != nil {
		return fmt.Errorf("interrupting the kernel: %w", err)
	}
	return nil
}

// Shutdown ends the kernel and all that it started: it asks, then sends
// SIGTERM, then kills, with 2 s for each. Once ctx is done it kills at once.
// The error says that something is still there.
func (k *Kernel) Shutdown(ctx context.Context) error {
	k.end.Do(func() { k.endErr = k.shutdown(ctx) })
	return k.endErr
}

// kill ends the kernel and all that it started at once.
func (k *Kernel) kill() error {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return k.Shutdown(ctx)
}

func (k *Kernel) shutdown(ctx context.Context) error {
	if k.client != nil {
		k.client.fail(errShutDown) // before the kernel's end can be taken for a death
	}
	k.endGently(ctx)
	err := k.process.killAll()
	if k.client != nil {
		k.client.close()
	}
	if !k.process.waitExit(killPatience, nil) {
		err = errors.Join(err, fmt.Errorf("the %s kernel is still there %s after it was killed", k.Spec.Name, killPatience))
	}
	if removeErr := os.RemoveAll(k.scratch); removeErr != nil {
		err = errors.Join(err, fmt.Errorf("removing the kernel's folder: %w", removeErr))
	}
	k.process.guard.dismiss()
	return err
}

// endGently gives the kernel the chance to end by itself.
func (k *Kernel) endGently(ctx context.Context) {
	if ctx.Err() != nil || k.client == nil {
		return
	}
	asking, cancel := context.WithTimeout(ctx, shutdownPatience)
	defer cancel()
	_ = k.client.tell(asking, k.client.sockets.Control, "shutdown_request", map[string]any{"restart": false})
	if k.process.waitExit(shutdownPatience, ctx.Done()) || ctx.Err() != nil {
		return
	}
	_ = k.process.cmd.Process.Signal(syscall.SIGTERM)
	k.process.waitExit(shutdownPatience, ctx.Done())
}

func indent(text string) string {
	return "    " + strings.ReplaceAll(text, "\n", "\n    ")
}
