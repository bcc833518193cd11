// Package server serves the course's page on 127.0.0.1. Any other file server can serve the page as
// well.
package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Policy is the page's content security policy: it allows content from the page's own origin and no
// other. Verdicts and pictures use styles in attributes. The pages contain the policy; as a header
// it also applies to their Web Workers.
const Policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
	"connect-src 'self'; worker-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'"

const (
	requestPatience = 10 * time.Second
	closePatience   = time.Second
)

// Options are those of Serve.
type Options struct {
	Dir   string               // the site
	Port  int                  // 0 selects a free port
	Ready func(address string) // called once the page can be opened
}

// Serve serves a site until ctx ends.
func Serve(ctx context.Context, o Options) error {
	if _, err := os.Stat(filepath.Join(o.Dir, "index.html")); err != nil {
		return fmt.Errorf("there is no page in %s: run make site: %w", o.Dir, err)
	}
	listener, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", fmt.Sprint(o.Port)))
	if err != nil {
		return fmt.Errorf("opening a port for the page: %w", err)
	}
	server := &http.Server{Handler: Handler(o.Dir), ReadHeaderTimeout: requestPatience, ErrorLog: log.New(io.Discard, "", 0)}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	o.Ready(fmt.Sprintf("http://127.0.0.1:%d/", listener.Addr().(*net.TCPAddr).Port))
	select {
	case err := <-served:
		return fmt.Errorf("serving the page: %w", err)
	case <-ctx.Done():
	}
	ending, cancel := context.WithTimeout(context.Background(), closePatience)
	defer cancel()
	if server.Shutdown(ending) != nil {
		server.Close()
	}
	if err := <-served; !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serving the page: %w", err)
	}
	return nil
}

// Handler serves the files of a site.
func Handler(dir string) http.Handler {
	files := http.FileServer(http.Dir(dir))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		header.Set("Content-Security-Policy", Policy)
		header.Set("X-Content-Type-Options", "nosniff")
		header.Set("Referrer-Policy", "no-referrer")
		if strings.HasPrefix(r.URL.Path, "/a/") { // its name depends on its contents
			header.Set("Cache-Control", "max-age=31536000, immutable")
		} else {
			header.Set("Cache-Control", "no-cache")
		}
		files.ServeHTTP(w, r)
	})
}
