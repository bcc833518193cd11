// Package serve runs a desk in a worker process. It reads requests from standard input, and writes
// the desk's views and answers to file 3.
package serve

import (
	"context"
	"encoding/gob"
	"errors"
	"io"
	"os"
	"time"

	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/fronts/desk"
	"github.com/wgslab/wgslab/internal/fronts/desk/protocol"
	"github.com/wgslab/wgslab/internal/fronts/notebook/workerpool"
	"github.com/wgslab/wgslab/internal/ground/view"
	"github.com/wgslab/wgslab/internal/machine/engine"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/machine/engine/usage"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// replies is the file that a worker writes to: drivers print on stdout.
const replies = 3

// cachedPrograms is large enough for the last few exercises and their references.
const cachedPrograms = 8

// warmUp is the exercise whose reference warms the device: the smallest.
const warmUp = "add"

// Serve runs a worker and returns its exit code. It ends when the pool closes its input.
func Serve() int {
	usage.BeFirstToGo()
	w := &worker{replies: workerpool.NewReplies(os.NewFile(replies, "replies"))}
	w.guard = newGuard(w.replies)
	w.desk.Read = shader.ReadCell
	w.desk.Device.Open = func(ctx context.Context) (*engine.Opened, error) {
		return engine.Open(ctx, shader.Best, gpu.KeepPrograms(cachedPrograms))
	}
	go w.warm()
	requests := make(chan workerpool.QueuedRequest)
	go func() {
		decoder := gob.NewDecoder(os.Stdin)
		for {
			var t workerpool.QueuedRequest
			if err := decoder.Decode(&t); err != nil {
				if errors.Is(err, io.EOF) {
					os.Exit(0) // even if a shader is running
				}
				os.Exit(1)
			}
			requests <- t
		}
	}()
	look := time.NewTicker(lookEvery)
	for {
		select {
		case <-w.desk.Lost():
			return 1 // a shader may still run, and only this ends it; the pool starts another worker
		case <-look.C:
			if w.guard.look() {
				return 1 // likewise
			}
		case t := <-requests:
			w.guard.begin()
			_ = w.replies.Taken() // if the pool is gone, this process ends anyway
			failure := w.answer(t)
			look.Reset(lookEvery)
			if err := w.replies.Done(failure, w.lost() || w.guard.large()); err != nil {
				return 1
			}
		}
	}
}

// lost reports whether the device was lost.
func (w *worker) lost() bool {
	select {
	case <-w.desk.Lost():
		return true
	default:
		return false
	}
}

type worker struct {
	desk    desk.Desk
	replies *workerpool.Replies
	guard   *guard
}

// warm opens the device and reports that it is ready.
func (w *worker) warm() {
	if adapter, err := w.desk.Warm(context.Background(), warmUp); err == nil {
		w.guard.opened(adapter.Kind)
		_ = w.replies.Ready(adapter.String()) // if the pool is gone, this process ends anyway
	}
}

// answer answers a task in the notebook's folder, as its cell would.
func (w *worker) answer(t workerpool.QueuedRequest) *protocol.Failure {
	if err := os.Chdir(t.Dir); err != nil {
		return &protocol.Failure{Name: "NoFolder", Message: "cannot enter the notebook's folder: " + err.Error()}
	}
	answer, err := w.desk.Answer(context.Background(), t.Request, w.show)
	var failure *protocol.Failure
	switch {
	case errors.As(err, &failure):
		return failure
	case err != nil:
		return &protocol.Failure{Name: "NotAnswered", Message: err.Error()}
	}
	return failed(answer.Verdict)
}

// failed returns the error that ends the cell of a shader that is not right.
func failed(v *verdict.Verdict) *protocol.Failure {
	if v == nil || v.Passed() {
		return nil
	}
	return &protocol.Failure{Name: "NotRight", Message: v.Headline()}
}

// show sends views to the pool. If the pool is gone, this process ends anyway.
func (w *worker) show(views ...view.View) {
	for _, v := range views {
		_ = w.replies.View(desk.Rendered(v))
	}
}
