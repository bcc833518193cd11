// Package languageserver lets all notebooks of a user share one gopls, which helps with Go.
//
// GoNB would start a gopls for each notebook, whether or not the learner asks for help. Instead, it
// talks to the notebook's kernel. The kernel connects to the user's gopls at the first question and
// hangs up when there are no more, so that gopls ends. GoNB notices neither.
package languageserver

import (
	"context"
	_ "embed"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/wgslab/wgslab/internal/fronts/notebook/kernelspec"
)

// Front answers a GoNB in place of a gopls of its own.
type Front struct {
	listener net.Listener
	end      context.CancelFunc
	sessions sync.WaitGroup
}

// standIn is the program that GoNB finds as gopls.
//
//go:embed gopls.sh
var standIn []byte

// Listen makes GoNB ask this process for help with Go. It puts its files into scratch, GoNB's own
// folder, and changes env, the environment in which GoNB is to start. Without a gopls in PATH it
// returns nil, and GoNB goes without help.
func Listen(scratch string, env map[string]string) (*Front, error) {
	program, err := kernelspec.FindProgram("gopls", env["PATH"])
	if err != nil {
		return nil, nil
	}
	dir := filepath.Join(scratch, "help")
	if err := os.Mkdir(dir, 0o700); err != nil {
		return nil, fmt.Errorf("making a folder for the language server: %w", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "gopls"), standIn, 0o700); err != nil {
		return nil, fmt.Errorf("standing in for gopls: %w", err)
	}
	listener, err := net.Listen("unix", filepath.Join(dir, "socket"))
	if err != nil {
		return nil, fmt.Errorf("standing in for gopls: %w", err)
	}
	env["PATH"] = dir + string(filepath.ListSeparator) + env["PATH"]
	ctx, cancel := context.WithCancel(context.Background())
	f := &Front{listener: listener, end: cancel}
	f.sessions.Go(func() { f.accept(ctx, shared{program: program}) })
	return f, nil
}

// accept serves each connection of GoNB.
func (f *Front) accept(ctx context.Context, server shared) {
	for {
		conn, err := f.listener.Accept()
		if err != nil {
			return
		}
		f.sessions.Go(func() { newSession(server, conn).serve(ctx) })
	}
}

// Close hangs up on GoNB and on gopls.
func (f *Front) Close() {
	if f == nil {
		return
	}
	f.end()
	_ = f.listener.Close()
	f.sessions.Wait()
}

const (
	// askPatience limits how long gopls may take to answer. The first question has it read the
	// modules, for about 20 s on a busy machine. GoNB gives up earlier, and asks again.
	askPatience = time.Minute
	// restsAfter is how long after the last question a notebook hangs up.
	restsAfter = 3 * time.Minute
	// endAfter is how long gopls stays without any notebook: it should end soon after the last
	// kernel.
	endAfter = 3 * time.Second
)

// restAfter is restsAfter, except in tests.
var restAfter = restsAfter
