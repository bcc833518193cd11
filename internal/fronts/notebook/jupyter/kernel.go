package jupyter

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"syscall"
	"time"

	"github.com/google/uuid"
	"github.com/wgslab/wgslab/internal/fronts/notebook/kernelspec"
)

// Kernel is a running kernel and the conversation with it. Several goroutines may call its methods;
// it runs one piece of code at a time.
type Kernel struct {
	Spec kernelspec.Spec
	Info KernelInfo

	process *Process
	client  *client

	end    sync.Once
	endErr error
}

const (
	// startPatience is how long a kernel may take to answer for the first time.
	startPatience = 60 * time.Second
	// shutdownPatience is how long a kernel may take to end after a request, and again after a
	// signal.
	shutdownPatience = 2 * time.Second
	// lastWords is how long reading a dead kernel's output may take, and how long a kernel that
	// hung up may take to die.
	lastWords = 5 * time.Second
)

// Start starts a kernel that works in dir, and waits until it answers. The caller must end it with
// Shutdown. If this program ends first, the kernel and all its processes are killed.
func Start(ctx context.Context, spec kernelspec.Spec, dir string) (*Kernel, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, startPatience,
		fmt.Errorf("the %s kernel did not answer within %s", spec.Name, startPatience))
	defer cancel()

	process, err := Launch(spec, dir, uuid.NewString(), nil)
	if err != nil {
		return nil, err
	}
	k := &Kernel{Spec: spec, process: process}
	if err := k.greet(ctx); err != nil {
		return nil, errors.Join(err, k.kill())
	}
	return k, nil
}

// greet opens the conversation. It gives up once the process ends.
func (k *Kernel) greet(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go func() {
		select {
		case <-k.process.exited:
			cancel(k.process.Err())
		case <-ctx.Done():
		}
	}()
	var err error
	if k.client, err = dialClient(ctx, k.process.Connection); err != nil {
		return err
	}
	k.client.interrupt = k.interrupt
	go k.watch()
	k.Info, err = k.client.kernelInfo(ctx)
	return err
}

// watch waits for the kernel to die. It then reads the last of the output, ends the conversation,
// and kills the processes that the kernel leaves running.
func (k *Kernel) watch() {
	select {
	case <-k.process.exited:
	case <-k.client.lost:
		if !k.process.waitExit(lastWords, k.client.failed) {
			k.client.fail(fmt.Errorf("the %s kernel hung up", k.Spec.Name))
			return
		}
	}
	// The remaining processes may hold the sockets open, so that they never end.
	_ = k.process.killAll() // Shutdown tries again and reports it
	select {
	case <-k.client.ended:
	case <-k.client.failed:
	case <-time.After(lastWords):
	}
	k.client.fail(k.process.Err())
}

// Execute runs code and returns when the kernel has replied and is idle again.
//
// The error says why the code did not end normally. If the code was interrupted, the error is a
// *DeadlineError, ErrInput or the error of Request.Output. If the kernel is unusable, the error is
// a *DeadError, errNoReply, errSignature, ErrFormat, errShutDown, or ErrStuck with one of the
// former. If the code is still running, the error is the cause of ctx. A failure of the code itself
// is not an error: the Reply reports it.
func (k *Kernel) Execute(ctx context.Context, r Request) (Reply, error) {
	return k.client.execute(ctx, r)
}

// interrupt asks the kernel to stop the running code, and does not wait for it.
func (k *Kernel) interrupt() error {
	if k.Spec.InterruptMode == "message" {
		return k.client.tell(k.client.sockets.Control, "interrupt_request", struct{}{})
	}
	if err := interruptGroup(k.process.session()); err != nil {
		return fmt.Errorf("interrupting the kernel: %w", err)
	}
	return nil
}

// Shutdown ends the kernel and all its processes: it asks, then sends SIGTERM, then kills, with 2 s
// for each. Once ctx is done it kills immediately. An error means that a process is left.
func (k *Kernel) Shutdown(ctx context.Context) error {
	k.end.Do(func() { k.endErr = k.shutdown(ctx) })
	return k.endErr
}

// kill ends the kernel and all its processes immediately.
func (k *Kernel) kill() error {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return k.Shutdown(ctx)
}

func (k *Kernel) shutdown(ctx context.Context) error {
	if k.client != nil {
		k.client.fail(errShutDown) // before the kernel's end looks like a death
	}
	k.endGently(ctx)
	err := k.process.killAll()
	if k.client != nil {
		k.client.close()
	}
	return errors.Join(err, k.process.remove())
}

// endGently lets the kernel end by itself.
func (k *Kernel) endGently(ctx context.Context) {
	if ctx.Err() != nil || k.client == nil {
		return
	}
	_ = k.client.tell(k.client.sockets.Control, "shutdown_request", map[string]any{"restart": false})
	if k.process.waitExit(shutdownPatience, ctx.Done()) || ctx.Err() != nil {
		return
	}
	_ = k.process.cmd.Process.Signal(syscall.SIGTERM)
	k.process.waitExit(shutdownPatience, ctx.Done())
}
