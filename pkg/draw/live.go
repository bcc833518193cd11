//go:build !js

package draw

import (
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/wgslab/wgslab/internal/learner"
	"github.com/wgslab/wgslab/pkg/show"
)

// visitPatience is how long the page waits for its first visitor. A notebook
// that is run without anybody looking goes on then.
const visitPatience = 15 * time.Second

// Unattended is the name of a variable that wgslab run and nbgrader set in a
// kernel's environment: nobody looks, so the page waits for no one.
const Unattended = "WGSLAB_UNATTENDED"

// errAlone says that the page had no visitor.
var errAlone = errors.New("nobody has opened the page")

// Live shows the page in the running cell, and serves it until the cell is
// interrupted. When it cannot, it ends the cell with an error.
func Live() {
	place := show.NewPlace()
	place.Show(show.Note{Title: "Checking which of your shaders pass…"})
	switch err := live(place); {
	case err == nil:
		place.Show(show.Note{Title: "The page is closed.", Body: "Run the cell again to draw on."})
	case errors.Is(err, errAlone):
		place.Show(show.Note{Title: "The page is closed again.", Body: "It is for somebody to look at, and " + err.Error() + ". In JupyterLab, run the cell once more."})
	default:
		place.Show(show.Note{Mark: show.Bad, Title: "The page could not be shown", Body: err.Error()})
		os.Exit(1)
	}
}

func live(place show.Place) error {
	interrupted := make(chan os.Signal, 1)
	signal.Notify(interrupted, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(interrupted)

	r, err := newReader(learner.WorkDir)
	if err != nil {
		return err
	}
	asIs := func(h http.Handler) http.Handler { return h } // proxies change what a browser says of origins
	s, err := listen(0, r, "Run the cell again.", asIs)
	if err != nil {
		r.close()
		return err
	}
	place.Show(frame{Address: s.address, Proxied: fmt.Sprintf("proxy/%d/%s/", s.port, s.token)})
	return errors.Join(s.wait(interrupted), s.close())
}

// wait returns when the cell is interrupted, when the kernel that started it is
// gone, or when nobody comes.
func (s *server) wait(interrupted <-chan os.Signal) error {
	patience := visitPatience
	if os.Getenv(Unattended) != "" {
		patience = 0
	}
	alone := time.NewTimer(patience)
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
			if show.KernelGone() {
				return nil
			}
		}
	}
}

// frame shows the page inside the cell.
type frame struct {
	Address string // straight to the server
	Proxied string // through the Jupyter server, below its base address
}

var cell = template.Must(template.ParseFS(assets, "assets/cell.html"))

// HTML is the page in a frame, with the script that finds the way to it.
func (f frame) HTML() template.HTML {
	var out strings.Builder
	if err := cell.Execute(&out, f); err != nil {
		panic(fmt.Sprintf("draw: the template of the cell does not fit: %v", err))
	}
	return template.HTML(out.String())
}

// Text is the address.
func (f frame) Text() string { return "Draw a digit: " + f.Address }
