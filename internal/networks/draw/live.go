//go:build !js

package draw

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/wgslab/wgslab/internal/networks/cellrun"

	"github.com/wgslab/wgslab/internal/course/learner"
	"github.com/wgslab/wgslab/internal/ground/view"
)

// visitTimeout is how long the page waits for its first visitor. After that, a notebook that runs
// unattended continues.
const visitTimeout = 15 * time.Second

// errAlone reports that no one opened the page.
var errAlone = errors.New("no one has opened the page")

// Live serves the page until you interrupt the cell or its kernel is gone. show replaces what the
// running cell shows.
func Live(files Files, show func(view.View), kernelGone func() bool) error {
	show(preparing)
	switch err := live(files, show, kernelGone); {
	case err == nil:
		show(view.Note{Title: "The page is closed.", Body: "Run the cell again to draw on."})
	case errors.Is(err, errAlone):
		show(view.Note{Title: "The page is closed again.", Body: "The cell waited for a visitor, and " + err.Error() + ". In JupyterLab, run the cell again."})
	default:
		return err
	}
	return nil
}

func live(files Files, show func(view.View), kernelGone func() bool) error {
	interrupted := make(chan os.Signal, 1)
	signal.Notify(interrupted, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(interrupted)

	r, err := newReader(learner.Dir, files)
	if err != nil {
		return err
	}
	asIs := func(h http.Handler) http.Handler { return h } // a notebook's proxy changes the Origin header
	s, err := listen(0, r, "Run the cell again.", asIs)
	if err != nil {
		r.close()
		return err
	}
	show(IFrame{Address: s.address, Proxied: fmt.Sprintf("proxy/%d/%s/", s.port, s.token)})
	return errors.Join(s.wait(interrupted, kernelGone), s.close())
}

// wait returns when the cell is interrupted, when the kernel that started it has ended, or when no
// visitor comes in time.
func (s *server) wait(interrupted <-chan os.Signal, kernelGone func() bool) error {
	timeout := visitTimeout
	if cellrun.Unattended() {
		timeout = 0
	}
	alone := time.NewTimer(timeout)
	look := time.NewTicker(250 * time.Millisecond)
	defer look.Stop()
	for visited := s.visited; ; {
		select {
		case <-interrupted:
			return nil
		case <-visited:
			alone.Stop()
			visited = nil
		case <-alone.C:
			return errAlone
		case <-look.C:
			if kernelGone() {
				return nil
			}
		}
	}
}
