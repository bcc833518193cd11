package workerpool

import (
	"bufio"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"

	"github.com/wgslab/wgslab/internal/fronts/desk/protocol"
	"github.com/wgslab/wgslab/internal/ground/childprocess"
)

// process is one worker.
type process struct {
	command  *exec.Cmd
	requests io.WriteCloser
	encoder  *gob.Encoder
	messages chan message  // closed after the last message
	warm     chan struct{} // closed when its device is open
	exited   chan struct{} // closed when it has ended
	adapter  string        // once it is warm
	answered int
}

// start starts a worker. The calling thread must live as long as the worker.
func start(argv []string) (*process, error) {
	p := &process{
		command:  exec.Command(argv[0], argv[1:]...),
		messages: make(chan message), warm: make(chan struct{}), exited: make(chan struct{}),
	}
	var err error
	if p.requests, err = p.command.StdinPipe(); err != nil {
		return nil, fmt.Errorf("asking a worker: %w", err)
	}
	reading, writing, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("asking a worker: %w", err)
	}
	p.command.ExtraFiles = []*os.File{writing} // becomes file 3: drivers print on stdout
	childprocess.EndWithParent(p.command)
	p.encoder = gob.NewEncoder(p.requests)
	err = p.command.Start()
	writing.Close()
	if err != nil {
		reading.Close()
		return nil, fmt.Errorf("starting a worker: %w", err)
	}
	go p.read(reading)
	return p, nil
}

// read passes on the worker's messages until it ends.
func (p *process) read(from *os.File) {
	decoder := gob.NewDecoder(bufio.NewReader(from))
	for {
		var m message
		if decoder.Decode(&m) != nil {
			break
		}
		if m.Ready != nil {
			p.adapter = m.Ready.Adapter
			close(p.warm)
			continue
		}
		p.messages <- m
	}
	close(p.messages)
	from.Close()
	_ = p.command.Process.Kill() // a worker may close its file but still run
	_ = p.command.Wait()         // ProcessState says how it ended
	close(p.exited)
}

// ask sends a request to the worker and waits for the answer. After any error the worker is
// unusable.
func (p *process) ask(ctx context.Context, t QueuedRequest, deadline time.Duration, show func(protocol.View)) (*done, error) {
	late := time.NewTimer(deadline)
	defer late.Stop()
	lost := &LostError{Deadline: deadline, untaken: true}
	if err := p.encoder.Encode(t); err != nil {
		p.kill()
		lost.Ended = err.Error()
		return nil, p.lost(lost)
	}
	for {
		select {
		case m, ok := <-p.messages:
			switch {
			case !ok:
				p.kill()
				lost.Ended = p.command.ProcessState.String()
				return nil, p.lost(lost)
			case m.Taken:
				lost.untaken = false
				continue
			case m.Hungry != "":
				lost.Hungry = m.Hungry
				continue
			case m.Done != nil:
				p.answered++
				return m.Done, nil
			}
			show(m.View)
		case <-ctx.Done():
			p.kill()
			return nil, context.Cause(ctx)
		case <-late.C:
			p.kill()
			lost.untaken = false
			return nil, p.lost(lost)
		}
	}
}

// lost completes the report of a worker that was lost.
func (p *process) lost(e *LostError) error {
	select {
	case <-p.warm:
		e.Adapter = p.adapter
	default:
	}
	return e
}

// kill ends the worker, and waits for its end.
func (p *process) kill() {
	_ = p.command.Process.Kill() // fails if it has ended
	for range p.messages {
	}
	<-p.exited
	_ = p.requests.Close()
}

// dead reports whether the worker has ended by itself.
func (p *process) dead() bool {
	select {
	case <-p.exited:
		return true
	default:
		return false
	}
}

var errClosed = errors.New("the kernel is shutting down")
