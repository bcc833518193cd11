//go:build !js

package mnist

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// publicMirrors serve the four files as NAME.gz.
var publicMirrors = []string{
	"https://storage.googleapis.com/cvdf-datasets/mnist/",
	"https://ossci-datasets.s3.amazonaws.com/mnist/",
}

var errStalled = errors.New("no data arrived for too long")

// tries limits how often fetch resumes a broken download at one mirror before it asks the next
// mirror.
const tries = 4

// quickClient returns a client that quickly gives up on a mirror that does not answer. An offline
// machine then gets its error within seconds.
func quickClient() *http.Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.DialContext = (&net.Dialer{Timeout: 2 * time.Second}).DialContext
	transport.TLSHandshakeTimeout = 3 * time.Second
	transport.ResponseHeaderTimeout = 5 * time.Second
	// The client keeps the .gz bytes as they are, so that it can resume and cache them.
	transport.DisableCompression = true
	return &http.Client{Transport: transport}
}

// fetch downloads f into the cache and returns its contents. Only one process downloads at a time;
// another waits, and then finds the file.
func (l library) fetch(ctx context.Context, f file) ([]byte, error) {
	if err := os.MkdirAll(l.cache, 0o755); err != nil {
		return nil, err
	}
	lock := flock.New(filepath.Join(l.cache, ".lock"))
	if _, err := lock.TryLockContext(ctx, 50*time.Millisecond); err != nil {
		return nil, fmt.Errorf("waiting for another download: %w", err)
	}
	defer lock.Unlock()
	if data, err := readFrom(l.cache, f); err == nil {
		return data, nil
	}
	var failures []error
	for _, mirror := range l.mirrors {
		data, err := l.fetchFrom(ctx, mirror, f)
		if err == nil {
			return data, nil
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		failures = append(failures, err)
	}
	return nil, errors.Join(failures...)
}

// fetchFrom downloads f from one mirror into a .part file, and uses the bytes only after it has
// verified them. Each mirror has its own .part file because their bytes differ.
func (l library) fetchFrom(ctx context.Context, mirror string, f file) ([]byte, error) {
	base, err := url.Parse(mirror)
	if err != nil {
		return nil, err
	}
	address := base.JoinPath(f.name + ".gz").String()
	part := filepath.Join(l.cache, fmt.Sprintf("%s.%s.part", f.name, base.Hostname()))
	if err := l.downloadAll(ctx, address, part, f); err != nil {
		if info, statErr := os.Stat(part); statErr == nil && info.Size() == 0 {
			os.Remove(part)
		}
		return nil, err
	}
	data, err := readVerified(part, f)
	if err != nil {
		os.Remove(part)
		return nil, fmt.Errorf("discarding the download from %s: %w", address, err)
	}
	// A later read would find a wrong file in the cache before this one.
	os.Remove(filepath.Join(l.cache, f.name))
	if err := os.Rename(part, filepath.Join(l.cache, f.name+".gz")); err != nil {
		return nil, err
	}
	return data, nil
}

// downloadAll downloads address to part. It resumes a broken download as long as each try brings
// more bytes.
func (l library) downloadAll(ctx context.Context, address, part string, f file) error {
	for try := 1; ; try++ {
		brought, err := l.download(ctx, address, part, f)
		if err == nil || brought == 0 || try == tries || ctx.Err() != nil {
			return err
		}
	}
}

// download appends the missing bytes of address to part, and returns how many bytes it added.
func (l library) download(ctx context.Context, address, part string, f file) (brought int64, err error) {
	out, err := os.OpenFile(part, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o644)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	info, err := out.Stat()
	if err != nil {
		return 0, err
	}
	have := info.Size()

	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	watchdog := time.AfterFunc(l.stall, func() { cancel(errStalled) })
	defer watchdog.Stop()

	response, err := l.ask(ctx, address, have)
	if err != nil {
		return 0, cause(ctx, err)
	}
	defer response.Body.Close()
	switch response.StatusCode {
	case http.StatusPartialContent:
		var from int64
		if _, err := fmt.Sscanf(response.Header.Get("Content-Range"), "bytes %d-", &from); err != nil || from != have {
			return 0, fmt.Errorf("%s was asked to continue at byte %d, but answered %q", address, have, response.Header.Get("Content-Range"))
		}
	case http.StatusRequestedRangeNotSatisfiable:
		return 0, nil // nothing is missing; verification decides
	case http.StatusOK:
		have = 0
		if err := out.Truncate(0); err != nil {
			return 0, err
		}
	default:
		return 0, fmt.Errorf("%s answered %s", address, response.Status)
	}
	total := int64(-1)
	if response.ContentLength >= 0 {
		total = have + response.ContentLength
	}
	// A valid .gz is at most as long as its contents and a header.
	body := io.LimitReader(response.Body, f.size+1024-have)
	brought, err = io.Copy(out, &meter{r: body, report: func(n int64) {
		watchdog.Reset(l.stall)
		l.progress(f.name, have+n, total)
	}})
	if err != nil {
		return brought, fmt.Errorf("%s broke off after %d bytes: %w", address, have+brought, cause(ctx, err))
	}
	return brought, nil
}

func (l library) ask(ctx context.Context, address string, have int64) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	if have > 0 {
		request.Header.Set("Range", fmt.Sprintf("bytes=%d-", have))
	}
	return l.client.Do(request)
}

// cause replaces a bare "context canceled" with its reason.
func cause(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// meter reports how many bytes have passed through it.
type meter struct {
	r      io.Reader
	n      int64
	report func(n int64)
}

func (m *meter) Read(p []byte) (int, error) {
	n, err := m.r.Read(p)
	if n > 0 {
		m.n += int64(n)
		m.report(m.n)
	}
	return n, err
}
