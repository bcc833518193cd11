package mnist

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// mirror serves NAME.gz files like a public mirror, and records its requests.
type mirror struct {
	*httptest.Server
	mu     sync.Mutex
	ranges []string // the Range header of each request
}

func newMirror(t *testing.T, handler func(w http.ResponseWriter, r *http.Request)) *mirror {
	t.Helper()
	m := &mirror{}
	m.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		m.mu.Lock()
		m.ranges = append(m.ranges, r.Header.Get("Range"))
		m.mu.Unlock()
		handler(w, r)
	}))
	t.Cleanup(m.Close)
	return m
}

func (m *mirror) asked() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]string(nil), m.ranges...)
}

// serve answers with data, and with parts of it when asked for a range.
func serve(data []byte) func(w http.ResponseWriter, r *http.Request) {
	return func(w http.ResponseWriter, r *http.Request) {
		http.ServeContent(w, r, "", time.Time{}, strings.NewReader(string(data)))
	}
}

// sampleFile returns a file of noise (which does not compress), and its .gz.
func sampleFile(t *testing.T) (f file, contents, gz []byte) {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	contents = make([]byte, 40_000)
	for i := range contents {
		contents[i] = byte(rng.Uint32())
	}
	sum := sha256.Sum256(contents)
	return file{"sample-idx", int64(len(contents)), hex.EncodeToString(sum[:])}, contents, zipped(t, contents)
}

func testLibrary(t *testing.T, mirrors ...*mirror) library {
	l := library{
		cache:    filepath.Join(t.TempDir(), "wgslab", "mnist"),
		client:   quickClient(),
		stall:    5 * time.Second,
		progress: func(string, int64, int64) {},
	}
	for _, m := range mirrors {
		l.mirrors = append(l.mirrors, m.URL+"/mnist/")
	}
	return l
}

// cached lists the files in the cache, except the lock.
func cached(t *testing.T, l library) []string {
	t.Helper()
	entries, err := os.ReadDir(l.cache)
	require.NoError(t, err)
	names := []string{}
	for _, entry := range entries {
		if entry.Name() != ".lock" {
			names = append(names, entry.Name())
		}
	}
	return names
}

func TestFetchKeepsTheFileAndAsksOnce(t *testing.T) {
	f, contents, gz := sampleFile(t)
	m := newMirror(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/mnist/sample-idx.gz" {
			http.NotFound(w, r)
			return
		}
		serve(gz)(w, r)
	})
	l := testLibrary(t, m)
	var last, total int64
	l.progress = func(name string, done, all int64) {
		require.Equal(t, f.name, name)
		require.Greater(t, done, last)
		last, total = done, all
	}
	for range 2 {
		data, err := l.contents(t.Context(), f)
		require.NoError(t, err)
		require.Equal(t, contents, data)
	}
	require.Equal(t, int64(len(gz)), last)
	require.Equal(t, int64(len(gz)), total)
	require.Len(t, m.asked(), 1)
	require.Equal(t, []string{"sample-idx.gz"}, cached(t, l))
}

func TestFetchTakesUpABrokenDownload(t *testing.T) {
	f, contents, gz := sampleFile(t)
	var calls atomic.Int32
	m := newMirror(t, func(w http.ResponseWriter, r *http.Request) {
		if calls.Add(1) == 1 {
			w.Header().Set("Content-Length", fmt.Sprint(len(gz)))
			w.Write(gz[:15_000])
			return // the server hangs up: the client sees an unexpected end
		}
		serve(gz)(w, r)
	})
	l := testLibrary(t, m)
	data, err := l.contents(t.Context(), f)
	require.NoError(t, err)
	require.Equal(t, contents, data)
	require.Equal(t, []string{"", "bytes=15000-"}, m.asked())
}

func TestFetchTakesUpWhereAKilledProcessLeftOff(t *testing.T) {
	f, contents, gz := sampleFile(t)
	for name, left := range map[string][]byte{
		"some bytes":      gz[:1000],
		"all of it":       gz,
		"nothing but air": {},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMirror(t, serve(gz))
			l := testLibrary(t, m)
			require.NoError(t, os.MkdirAll(l.cache, 0o755))
			require.NoError(t, os.WriteFile(filepath.Join(l.cache, "sample-idx.127.0.0.1.part"), left, 0o644))
			data, err := l.contents(t.Context(), f)
			require.NoError(t, err)
			require.Equal(t, contents, data)
			want := ""
			if len(left) > 0 {
				want = fmt.Sprintf("bytes=%d-", len(left))
			}
			require.Equal(t, []string{want}, m.asked())
			require.Equal(t, []string{"sample-idx.gz"}, cached(t, l))
		})
	}
}

func TestFetchStartsAnewWhereRangesAreNotServed(t *testing.T) {
	f, contents, gz := sampleFile(t)
	m := newMirror(t, func(w http.ResponseWriter, r *http.Request) { w.Write(gz) })
	l := testLibrary(t, m)
	require.NoError(t, os.MkdirAll(l.cache, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(l.cache, "sample-idx.127.0.0.1.part"), gz[:1000], 0o644))
	data, err := l.contents(t.Context(), f)
	require.NoError(t, err)
	require.Equal(t, contents, data)
}

func TestFetchRefusesARangeThatWasNotAskedFor(t *testing.T) {
	f, _, gz := sampleFile(t)
	m := newMirror(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Range", fmt.Sprintf("bytes 0-%d/%d", len(gz)-1, len(gz)))
		w.WriteHeader(http.StatusPartialContent)
		w.Write(gz)
	})
	l := testLibrary(t, m)
	require.NoError(t, os.MkdirAll(l.cache, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(l.cache, "sample-idx.127.0.0.1.part"), gz[:1000], 0o644))
	_, err := l.contents(t.Context(), f)
	require.ErrorContains(t, err, "was asked to continue at byte 1000")
}

// Each of these mirrors fails in its own way. fetch must go on to the next one, and nothing of the
// first may remain.
func TestFetchGoesOnToTheNextMirror(t *testing.T) {
	f, contents, gz := sampleFile(t)
	wrong := append([]byte(nil), contents...)
	wrong[100]++
	for name, handler := range map[string]func(w http.ResponseWriter, r *http.Request){
		"404":           http.NotFound,
		"500":           func(w http.ResponseWriter, r *http.Request) { http.Error(w, "no", 500) },
		"wrong hash":    serve(zipped(t, wrong)),
		"truncated gz":  serve(gz[:len(gz)-20]),
		"a login page":  func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "<html>Please log in") },
		"empty":         func(w http.ResponseWriter, r *http.Request) {},
		"far too long":  serve(make([]byte, 200_000)),
		"a gzip bomb":   serve(zipped(t, make([]byte, 10_000_000))),
		"hangs up":      func(w http.ResponseWriter, r *http.Request) { panic(http.ErrAbortHandler) },
		"other's range": func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusPartialContent) },
	} {
		t.Run(name, func(t *testing.T) {
			bad, good := newMirror(t, handler), newMirror(t, serve(gz))
			bad.Config.ErrorLog = nil
			// The bad mirror needs its own host name, as two mirrors have: the .part
			// files are per host.
			l := testLibrary(t, bad, good)
			l.mirrors[1] = strings.Replace(l.mirrors[1], "127.0.0.1", "localhost", 1)
			data, err := l.contents(t.Context(), f)
			require.NoError(t, err)
			require.Equal(t, contents, data)
			require.NotEmpty(t, bad.asked())
			require.Len(t, good.asked(), 1)
		})
	}
}

func TestFetchThrowsAwayWhatDoesNotVerify(t *testing.T) {
	f, _, _ := sampleFile(t)
	m := newMirror(t, serve(zipped(t, []byte("something else"))))
	l := testLibrary(t, m)
	_, err := l.contents(t.Context(), f)
	require.ErrorIs(t, err, errUnavailable)
	require.ErrorContains(t, err, "discarding the download")
	require.ErrorContains(t, err, m.URL+"/mnist/sample-idx.gz")
	require.Empty(t, cached(t, l))
}

func TestFetchAlsoTakesAMirrorThatUnzips(t *testing.T) {
	f, contents, _ := sampleFile(t)
	l := testLibrary(t, newMirror(t, serve(contents)))
	data, err := l.contents(t.Context(), f)
	require.NoError(t, err)
	require.Equal(t, contents, data)
	data, err = readFrom(l.cache, f)
	require.NoError(t, err)
	require.Equal(t, contents, data)
}

func TestFetchReplacesACacheThatWentBad(t *testing.T) {
	f, contents, gz := sampleFile(t)
	for _, name := range []string{"sample-idx", "sample-idx.gz"} {
		l := testLibrary(t, newMirror(t, serve(gz)))
		require.NoError(t, os.MkdirAll(l.cache, 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(l.cache, name), gz[:99], 0o644))
		data, err := l.contents(t.Context(), f)
		require.NoError(t, err)
		require.Equal(t, contents, data)
		require.Equal(t, []string{"sample-idx.gz"}, cached(t, l))
	}
}

func TestFetchGivesUpOnAMirrorThatStalls(t *testing.T) {
	f, contents, gz := sampleFile(t)
	release := make(chan struct{})
	slow := newMirror(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", fmt.Sprint(len(gz)))
		w.WriteHeader(http.StatusOK)
		w.(http.Flusher).Flush()
		select {
		case <-release:
		case <-r.Context().Done():
		}
	})
	defer close(release)
	good := newMirror(t, serve(gz))
	l := testLibrary(t, slow, good)
	l.stall = 50 * time.Millisecond
	data, err := l.contents(t.Context(), f)
	require.NoError(t, err)
	require.Equal(t, contents, data)

	l = testLibrary(t, slow)
	l.stall = 50 * time.Millisecond
	_, err = l.contents(t.Context(), f)
	require.ErrorIs(t, err, errStalled)
}

func TestFetchEndsWithItsContext(t *testing.T) {
	f, _, gz := sampleFile(t)
	ctx, cancel := context.WithCancel(t.Context())
	m := newMirror(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", fmt.Sprint(len(gz)))
		w.Write(gz[:20_000])
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
	l := testLibrary(t, m)
	l.progress = func(_ string, done, _ int64) {
		if done == 20_000 {
			cancel()
		}
	}
	_, err := l.contents(ctx, f)
	require.ErrorIs(t, err, context.Canceled)
	// The bytes so far remain, so that the next call can resume.
	part, err := os.ReadFile(filepath.Join(l.cache, "sample-idx.127.0.0.1.part"))
	require.NoError(t, err)
	require.Equal(t, gz[:20_000], part)
	_, err = l.train(ctx)
	require.ErrorIs(t, err, context.Canceled, "a cancelled context does not mean missing files")
}

func TestFetchByManyAtOnceDownloadsOnce(t *testing.T) {
	f, contents, gz := sampleFile(t)
	m := newMirror(t, serve(gz))
	l := testLibrary(t, m)
	var group sync.WaitGroup
	errs := make(chan error, 8)
	for range cap(errs) {
		group.Go(func() {
			data, err := l.contents(t.Context(), f)
			if err == nil && string(data) != string(contents) {
				err = errors.New("wrong contents")
			}
			errs <- err
		})
	}
	group.Wait()
	close(errs)
	for err := range errs {
		require.NoError(t, err)
	}
	require.Len(t, m.asked(), 1)
}

func TestWithoutNetworkTheTrainingImagesAreMissedQuickly(t *testing.T) {
	gone := newMirror(t, http.NotFound)
	gone.Close()
	start := time.Now()
	l := testLibrary(t, gone, gone)
	_, err := l.train(t.Context())
	require.Less(t, time.Since(start), 3*time.Second)
	require.ErrorIs(t, err, errUnavailable)
	require.ErrorContains(t, err, "WGSLAB_MNIST")
	require.Empty(t, cached(t, l))
}

func TestWithoutACacheTheReasonIsGiven(t *testing.T) {
	l := testLibrary(t)
	l.cacheErr = errors.New("$HOME is not defined")
	_, err := l.train(t.Context())
	require.ErrorIs(t, err, errUnavailable)
	require.ErrorContains(t, err, "$HOME is not defined")
}

func TestWhatTheMachineHasForAllUsersIsNotFetched(t *testing.T) {
	f, contents, gz := sampleFile(t)
	machine := t.TempDir()
	t.Setenv("WGSLAB_MNIST", "")
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("XDG_DATA_DIRS", "relative/share:"+machine)
	folder := filepath.Join(machine, "wgslab", "mnist")
	require.NoError(t, os.MkdirAll(folder, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(folder, f.name+".gz"), gz, 0o644))

	l := newLibrary(Options{})
	l.mirrors = nil
	got, err := l.contents(t.Context(), f)
	require.NoError(t, err)
	require.Equal(t, contents, got)
	require.Equal(t, []string{l.cache, folder}, Folders())

	l.cache, l.cacheErr = "", errors.New("$HOME is not defined")
	_, err = l.contents(t.Context(), f)
	require.NoError(t, err, "a user without a home reads it all the same")

	t.Setenv("WGSLAB_MNIST", "/their/own")
	require.Equal(t, []string{"/their/own"}, Folders())
}

func TestTheMirrorsAndTheCacheAreThePublicOnes(t *testing.T) {
	t.Setenv("WGSLAB_MNIST", "")
	t.Setenv("XDG_CACHE_HOME", filepath.Join(t.TempDir(), "cache"))
	l := newLibrary(Options{})
	require.Equal(t, filepath.Join("wgslab", "mnist"), filepath.Join(filepath.Base(filepath.Dir(l.cache)), filepath.Base(l.cache)))
	require.GreaterOrEqual(t, len(l.mirrors), 2)
	for _, mirror := range l.mirrors {
		require.True(t, strings.HasPrefix(mirror, "https://") && strings.HasSuffix(mirror, "/"), mirror)
	}
}
