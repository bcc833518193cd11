// Package workerpool keeps worker processes for a notebook's kernel. One worker opens the device
// once and answers all requests; another one replaces it when it fails. If a shader breaks the
// compiler, the driver or the device, only that process is lost.
//
// This package is the kernel's side and opens no device; package serve is the worker's.
package workerpool

import (
	"fmt"
	"strings"
	"time"

	"github.com/wgslab/wgslab/internal/fronts/desk/protocol"
)

// Command is the first argument of a program that runs as a worker of a pool.
const Command = "pool-worker"

// A QueuedRequest is a request, and the notebook's folder that the worker enters for it.
type QueuedRequest struct {
	Dir     string
	Request protocol.Request
}

// message is a message of a worker: it is warm, it has a task, a view, the end of the task, or the
// reason why it ends without one.
type message struct {
	Ready  *ready
	Taken  bool
	View   protocol.View
	Done   *done
	Hungry string
}

// ready reports that the device is open.
type ready struct{ Adapter string }

type done struct {
	Failure *protocol.Failure
	Spent   bool // the worker must not be used again
}

// A LostError reports that the worker ended, or had to be ended, before it answered.
type LostError struct {
	Ended    string        // how the process ended; "" if it missed the deadline
	Hungry   string        // the limit of memory, in words, for which it ended; else ""
	Deadline time.Duration // for the request
	Adapter  string        // "" if none was open yet

	untaken bool // it never received the task
}

func (e *LostError) Error() string {
	if e.Hungry != "" {
		return fmt.Sprintf("it needed more than %s of memory and was stopped", e.Hungry)
	}
	if e.Ended == "" {
		return fmt.Sprintf("it did not finish within %v and was stopped", e.Deadline)
	}
	return fmt.Sprintf("it crashed (%s)", strings.TrimSpace(e.Ended))
}
