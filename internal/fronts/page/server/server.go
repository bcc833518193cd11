// Package server serves the course's page on 127.0.0.1. Any other file server can serve the page as
// well.
package server

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"html"
	"io"
	"io/fs"
	"log"
	"net"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"
)

// Policy is the page's content security policy: it allows content from the page's own origin and no
// other. A Web Worker makes files (blob:) of a learner's JavaScript. Verdicts and pictures use
// styles in attributes. The pages contain the policy; as a header it also applies to their Web
// Workers.
const Policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval' blob:; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
	"connect-src 'self'; worker-src 'self' blob:; frame-src 'self'; base-uri 'none'; form-action 'none'"

const (
	requestPatience = 10 * time.Second
	closePatience   = time.Second
)

// Options are those of Serve.
type Options struct {
	Dir   string               // the site
	Port  int                  // 0 selects a free port
	Ready func(address string) // called once the page can be opened
	Work  *Work                // nil if the learner's work stays in the browser
}

// A Work is the learner's folder.
type Work struct {
	Folder string       // its path, for people
	Files  http.Handler // answers the page's requests about the folder
}

// Serve serves a site until ctx ends.
func Serve(ctx context.Context, o Options) error {
	if _, err := os.Stat(filepath.Join(o.Dir, "index.html")); err != nil {
		return fmt.Errorf("there is no page in %s: run make site in a clone, or name a folder that has one with --dir: %w", o.Dir, err)
	}
	listener, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", fmt.Sprint(o.Port)))
	if err != nil {
		return fmt.Errorf("opening a port for the page: %w", err)
	}
	handler, place := Handler(o.Dir), "/"
	if o.Work != nil {
		place = "/" + rand.Text() + "/" // the page can write files, so others must not guess its address
		handler = WithWork(o.Dir, place, o.Work)
	}
	server := &http.Server{Handler: handler, ReadHeaderTimeout: requestPatience, ErrorLog: log.New(io.Discard, "", 0)}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	o.Ready(fmt.Sprintf("http://127.0.0.1:%d%s", listener.Addr().(*net.TCPAddr).Port, place))
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
		protect(header)
		if strings.HasPrefix(r.URL.Path, "/a/") { // its name depends on its contents
			header.Set("Cache-Control", "max-age=31536000, immutable")
		} else {
			header.Set("Cache-Control", "no-cache")
		}
		files.ServeHTTP(w, r)
	})
}

func protect(header http.Header) {
	header.Set("Content-Security-Policy", Policy)
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Referrer-Policy", "no-referrer")
}

// WithWork serves the files of a site below place, and the learner's work below place + "work/".
// Other sites can't write: they know neither the place nor have its origin.
func WithWork(dir, place string, work *Work) http.Handler {
	mux := http.NewServeMux()
	site := Handler(dir)
	mux.Handle(place, http.StripPrefix(strings.TrimSuffix(place, "/"), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if isPage(r.URL.Path) {
			servePage(w, r, dir, work.Folder)
			return
		}
		site.ServeHTTP(w, r)
	})))
	files := http.StripPrefix(place+"work", work.Files)
	mux.Handle(place+"work/", http.NewCrossOriginProtection().Handler(files))
	return mux
}

func isPage(name string) bool { return name == "/" || path.Ext(name) == ".html" }

// servePage serves a page with an attribute that names the learner's folder to its scripts.
func servePage(w http.ResponseWriter, r *http.Request, dir, folder string) {
	name := strings.TrimPrefix(path.Clean(r.URL.Path), "/")
	if name == "" {
		name = "index.html"
	}
	page, err := fs.ReadFile(os.DirFS(dir), name)
	if err != nil {
		http.NotFound(w, r)
		return
	}
	page = bytes.Replace(page, []byte("<html "), []byte(`<html data-work="`+html.EscapeString(folder)+`" `), 1)
	protect(w.Header())
	w.Header().Set("Cache-Control", "no-store")
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(page))
}
