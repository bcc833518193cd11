// Package site builds the course's page and serves it to tests.
package site

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/fronts/page"
	"github.com/wgslab/wgslab/internal/fronts/page/server"
	"github.com/wgslab/wgslab/internal/fronts/page/workfolder"
	"github.com/wgslab/wgslab/internal/ground/repository"
)

// build builds the page once for all tests of a package. Two packages may build at once, so each
// has a folder of its own.
var build = sync.OnceValues(func() (string, error) {
	here, err := os.Getwd()
	if err != nil {
		return "", err
	}
	root, err := repository.Root(here)
	if err != nil {
		return "", err
	}
	out := filepath.Join(root, ".build", "acceptance", filepath.Base(here), "site")
	sizes, err := page.Build(context.Background(), page.Options{Root: root, Out: out, Source: "https://example.org/wgslab"})
	if err != nil {
		return "", err
	}
	fmt.Println("the site:", sizes)
	return out, sizes.Within()
})

// A PageServer serves the course's page and can be made to disappear.
type PageServer struct {
	*httptest.Server
	Gone   atomic.Bool
	Missed sync.Map // what was asked for while it was gone
}

// Dir returns the folder of the page.
func Dir(t *testing.T) string {
	t.Helper()
	dir, err := build()
	require.NoError(t, err)
	return dir
}

// Serve serves the page until the test ends.
func Serve(t *testing.T) *PageServer {
	t.Helper()
	return serve(t, server.Handler(Dir(t)))
}

// ServeWith builds the page with a pack of exercises, and serves it until the test ends.
func ServeWith(t *testing.T, pack string) *PageServer {
	t.Helper()
	here, err := os.Getwd()
	require.NoError(t, err)
	root, err := repository.Root(here)
	require.NoError(t, err)
	dir := filepath.Join(t.TempDir(), "site")
	build := exec.CommandContext(t.Context(), "go", "run", "./internal/fronts/page/generate", "-out", dir)
	build.Dir, build.Env = root, append(os.Environ(), course.PackVariable+"="+pack)
	said, err := build.CombinedOutput()
	require.NoError(t, err, "%s", said)
	return serve(t, server.Handler(dir))
}

// ServeWork serves the page with the learner's work in a folder until the test ends.
func ServeWork(t *testing.T, folder string) *PageServer {
	t.Helper()
	files, err := workfolder.Open(folder)
	require.NoError(t, err)
	t.Cleanup(func() { files.Close() })
	s := serve(t, server.WithWork(Dir(t), "/secret/", &server.Work{Folder: folder, Files: files}))
	s.URL += "/secret"
	return s
}

func serve(t *testing.T, files http.Handler) *PageServer {
	t.Helper()
	s := &PageServer{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.Gone.Load() {
			s.Missed.Store(r.URL.Path, true)
			panic(http.ErrAbortHandler) // as where there is no network
		}
		files.ServeHTTP(w, r)
	}))
	s.Config.ErrorLog = nil
	t.Cleanup(s.Close)
	return s
}
