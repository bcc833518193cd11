//go:build linux

// Command cluster starts a Kubernetes cluster of one node on this machine, and runs the commands of
// docs/deploy.md on it. make cluster-test builds its parts and calls it:
//
//	cluster PARTS IMAGE WORK
//
// PARTS is the folder of Kubernetes' programs, IMAGE the archive of the course's image, and WORK a
// folder for everything else. The cluster has its own network, mounts and process ids. Whatever
// happens, it ends with the process that started it.
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

// bound is the time limit for the whole run.
const bound = 45 * time.Minute

// The program starts itself again in two roles: as the first process of its namespaces, and as the
// process that the first one supervises.
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

// places holds the folders and files for everything else, and the cgroup below which kubelet makes
// the pods' cgroups.
type places struct{ parts, image, work, cgroup string }

// at returns a path below WORK.
func (p places) at(names ...string) string {
	return filepath.Join(append([]string{p.work}, names...)...)
}

// again returns a command that starts this program in another role.
func (p places) again(ctx context.Context, role string) (*exec.Cmd, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("finding this program, to start it again: %w", err)
	}
	cmd := exec.CommandContext(ctx, self, p.parts, p.image, p.work, role, p.cgroup)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	// kubectl caches its knowledge of a server in the home folder, by the server's address.
	cmd.Env = append(os.Environ(), "HOME="+p.at("home"))
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 30 * time.Second
	return cmd, nil
}

// outside makes the things that would outlive the namespaces, runs the rest in them, and removes
// those things again. It keeps the logs.
func (p places) outside(ctx context.Context) (err error) {
	runtime.LockOSThread() // a child ends with the thread that started it
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

// remove deletes everything below WORK except the logs.
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

// reap is the first process of the namespaces: orphaned processes become its children. It ends with
// the process that it started, and then the kernel ends all others.
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
			os.Exit(1) // it has reported the error
		default:
			return nil
		}
	}
}
