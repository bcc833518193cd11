package main

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// wgslab site serves the page at the printed address until Ctrl-C.
func TestSiteServesThePageUntilInterrupted(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "index.html"), []byte("the page"), 0o644))
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	printed, stdout := io.Pipe()
	var stderr bytes.Buffer
	code := make(chan int, 1)
	go func() {
		code <- run(ctx, []string{"site", "--no-browser", "--dir", dir}, stdout, &stderr)
		stdout.Close()
	}()
	line := make([]byte, 200)
	n, err := printed.Read(line)
	require.NoError(t, err, stderr.String())
	address := strings.TrimSpace(string(line[:n]))
	require.Regexp(t, `^http://127\.0\.0\.1:\d+/$`, address)

	response, err := http.Get(address)
	require.NoError(t, err)
	body, err := io.ReadAll(response.Body)
	response.Body.Close()
	require.NoError(t, err)
	require.Equal(t, "the page", string(body))
	require.Contains(t, response.Header.Get("Content-Security-Policy"), "default-src 'none'", "for the workers, which a page's own does not reach")
	require.Equal(t, "nosniff", response.Header.Get("X-Content-Type-Options"))

	interrupt()
	require.Equal(t, exitInterrupted, <-code)
	require.Empty(t, stderr.String())
	_, err = http.Get(address)
	require.ErrorContains(t, err, "connection refused")
}

func TestSiteSaysWhenThePageIsNotMade(t *testing.T) {
	got := runArgs(t.Context(), "site", "--no-browser", "--dir", t.TempDir())
	require.Equal(t, exitNotRight, got.code)
	require.Contains(t, got.stderr, "make site")
}
