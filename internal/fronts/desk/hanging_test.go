package desk

import (
	"context"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course/learner"
	"github.com/wgslab/wgslab/internal/fronts/desk/protocol"
	"github.com/wgslab/wgslab/internal/ground/view"
	"github.com/wgslab/wgslab/internal/machine/engine"
)

// While a driver hangs, only what needs the device waits, and no longer than the learner.
func TestADriverThatHangs(t *testing.T) {
	d, text := newDesk(t), reference(t, "relu")
	hangs, opening := make(chan struct{}), make(chan struct{})
	var once sync.Once
	d.Device.Open = func(context.Context) (*engine.Opened, error) {
		once.Do(func() { close(opening) })
		<-hangs
		return nil, os.ErrDeadlineExceeded
	}
	warmed := make(chan error, 1)
	go func() {
		_, err := d.Warm(context.Background(), "add")
		warmed <- err
	}()
	<-opening

	answered := make(chan struct{})
	go func() {
		defer close(answered)
		for _, r := range []protocol.Request{
			{Do: protocol.Glance, File: learner.ShaderPath("relu"), Source: text},
			{Do: protocol.Map},
			{Do: protocol.Steps, Exercise: "relu", Source: text, Step: protocol.StepRequest{Do: "begin"}},
		} {
			_, err := d.Answer(context.Background(), r, func(...view.View) {})
			if err != nil {
				t.Error(err)
			}
		}
		d.Device.Resting()
		d.Lost()
		impatient, cancel := context.WithTimeout(context.Background(), time.Millisecond)
		defer cancel()
		_, err := d.Device.Engines(impatient)
		if err != context.DeadlineExceeded {
			t.Errorf("a check that was interrupted got %v", err)
		}
	}()
	select {
	case <-answered:
	case <-time.After(time.Minute):
		t.Error("something that needs no device waits for it")
	}
	close(hangs)
	require.ErrorIs(t, <-warmed, os.ErrDeadlineExceeded)
	<-answered
}
