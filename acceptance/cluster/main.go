//go:build linux

// Command cluster brings up a Kubernetes of one node on this machine and runs on
// it what docs/deploy.md says of a cluster. make cluster-test builds its parts and
// calls it:
//
//	cluster PARTS IMAGE WORK
//
// PARTS is the folder of Kubernetes' programs, IMAGE the archive of the course's
// image, WORK a folder for everything else. The cluster has a network, mounts and
// process ids of its own: whatever happens, it ends with the process that began it.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"syscall"
	"time"
)

// bound is how long all of it may take.
const bound = 45 * time.Minute

// The program starts itself anew on its way in: as the first process of its
// namespaces, and as what that looks after.
const (
	asInit   = "init"
	asInside = "inside"
)

func main() {
	if len(os.Args) < 4 {
		fmt.Fprintln(os.Stderr, "Usage: cluster PARTS IMAGE WORK")
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	var role string
	if len(os.Args) > 4 {
		role = os.Args[4]
	}
	p := places{parts: os.Args[1], image: os.Args[2], work: os.Args[3], cgroup: fmt.Sprintf("/wgslab-cluster-%d", os.Getpid())}
	if len(os.Args) > 5 {
		p.cgroup = os.Args[5]
	}
	var err error
	switch role {
	case asInit:
		err = p.reap()
	case asInside:
		err = p.inside(ctx)
	default:
		err = p.outside(ctx)
	}
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "cluster:", err)
		os.Exit(1)
	}
}

// places are the folders and files that everything else lies in, and the cgroup
// below which kubelet makes those of pods.
type places struct{ parts, image, work, cgroup string }

// at is a place below WORK.
func (p places) at(names ...string) string {
	return filepath.Join(append([]string{p.work}, names...)...)
}

// again is this program in another role.
func (p places) again(ctx context.Context, role string) (*exec.Cmd, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("finding this program, to start it again: %w", err)
	}
	cmd := exec.CommandContext(ctx, self, p.parts, p.image, p.work, role, p.cgroup)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	// kubectl keeps at home what it learned of a server, by its address.
	cmd.Env = append(os.Environ(), "HOME="+p.at("home"))
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 30 * time.Second
	return cmd, nil
}

// outside makes what the namespaces do not take away, starts the rest in them, and
// removes it again. The logs stay.
func (p places) outside(ctx context.Context) (err error) {
	runtime.LockOSThread() // a child ends with the thread that began it
	ctx, cancel := context.WithTimeout(ctx, bound)
	defer cancel()
	if err := makeFolders(p.at("logs"), p.at("home")); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.remove()) }()
	if err := p.makeCgroups(); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.removeCgroups()) }()
	cmd, err := p.again(ctx, asInit)
	if err != nil {
		return err
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags: syscall.CLONE_NEWNET | syscall.CLONE_NEWNS | syscall.CLONE_NEWPID,
		Pdeathsig:  syscall.SIGKILL,
	}
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("it ended with %w; the logs are in %s", errors.Join(err, ctx.Err()), p.at("logs"))
	}
	return nil
}

// remove takes away everything below WORK but the logs.
func (p places) remove() error {
	entries, err := os.ReadDir(p.work)
	for _, e := range entries {
		if e.Name() != "logs" {
			err = errors.Join(err, os.RemoveAll(p.at(e.Name())))
		}
	}
	if err != nil {
		return fmt.Errorf("removing what the cluster left: %w", err)
	}
	return nil
}

// reap is the first process of the namespaces: what lost its parent becomes its
// child. It ends with the one that it started, and the kernel ends all others then.
func (p places) reap() error {
	cmd, err := p.again(context.Background(), asInside)
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("starting the cluster: %w", err)
	}
	told := make(chan os.Signal, 1)
	signal.Notify(told, os.Interrupt, syscall.SIGTERM)
	go func() { _ = cmd.Process.Signal(<-told) }()
	for {
		var status syscall.WaitStatus
		switch pid, err := syscall.Wait4(-1, &status, 0, nil); {
		case errors.Is(err, syscall.EINTR):
		case err != nil:
			return fmt.Errorf("waiting for the cluster: %w", err)
		case pid != cmd.Process.Pid || !(status.Exited() || status.Signaled()):
		case status.ExitStatus() != 0:
			os.Exit(1) // it has said why
		default:
			return nil
		}
	}
}
