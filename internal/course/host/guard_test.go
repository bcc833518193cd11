package host

import (
	"errors"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/course/judge/verdict"
)

// A guarded function that panics or never returns has a diagnosis with its line. Any other keeps
// its own error.
func TestGuarded(t *testing.T) {
	own := errors.New("no buffers left")
	for name, c := range map[string]struct {
		call       func(stop <-chan struct{}) error
		slug, says string
		shows      string // in the line
	}{
		"returns":      {func(stop <-chan struct{}) error { return nil }, "", "", ""},
		"its error":    {func(stop <-chan struct{}) error { return own }, "", "", ""},
		"panics":       {func(stop <-chan struct{}) error { panic(own) }, "panic", "panicked: no buffers left", "panic(own)"},
		"out of range": {func(stop <-chan struct{}) error { var none []int; _ = none[len(none)]; return nil }, "panic", "index out of range", "none[len(none)]"},
		"exits":        {func(stop <-chan struct{}) error { runtime.Goexit(); return nil }, "panic", "ended its goroutine", ""},
		"waits":        {func(stop <-chan struct{}) error { <-stop; return nil }, verdict.DidNotFinish, "did not return within", "<-stop"},
		"sleeps": {func(stop <-chan struct{}) error {
			for running(stop) {
				time.Sleep(100 * time.Millisecond) // asleep
			}
			return nil
		}, verdict.DidNotFinish, "did not return within", "asleep"},
		"loops": {func(stop <-chan struct{}) error {
			for n := 0; n >= 0; n = (n + 1) % 1000 { // around
				if n == 0 && !running(stop) {
					return nil
				}
			}
			return nil
		}, verdict.DidNotFinish, "did not return within", ""},
	} {
		t.Run(name, func(t *testing.T) {
			stop, ended := make(chan struct{}), make(chan struct{})
			err := Guarded(func() error {
				defer close(ended)
				return c.call(stop)
			}, overdueInGo(50*time.Millisecond))
			close(stop)
			<-ended
			if c.slug == "" {
				require.Equal(t, strings.HasPrefix(name, "its"), err == own)
				return
			}
			var told *verdict.DiagnosedError
			require.ErrorAs(t, err, &told)
			require.Equal(t, c.slug, told.Slug)
			require.Equal(t, c.slug == verdict.DidNotFinish, told.Stage == verdict.StageRun)
			require.Contains(t, told.Message, c.says)
			require.Contains(t, told.Excerpt, c.shows)
			require.NotEmpty(t, told.Ask+told.Excerpt+told.Message)
		})
	}
}

// running reports whether a test still needs its loops.
func running(stop <-chan struct{}) bool {
	select {
	case <-stop:
		return false
	default:
		return true
	}
}
