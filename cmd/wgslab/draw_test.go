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

	"github.com/wgslab/wgslab/exercises"
)

// wgslab draw serves the page, with the learner's shaders, at the printed address until Ctrl-C.
func TestDrawServesThePageUntilInterrupted(t *testing.T) {
	t.Chdir(t.TempDir())
	relu, err := exercises.Reference("relu")
	require.NoError(t, err)
	require.NoError(t, os.MkdirAll(filepath.Join("notebooks", "work"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join("notebooks", "work", "relu.wgsl"), []byte(relu), 0o644))

	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	printed, stdout := io.Pipe()
	var stderr bytes.Buffer
	code := make(chan int, 1)
	go func() {
		code <- run(ctx, []string{"draw", "--no-browser"}, stdout, &stderr)
		stdout.Close()
	}()
	line := make([]byte, 200)
	n, err := printed.Read(line)
	require.NoError(t, err, stderr.String())
	address := strings.TrimSpace(string(line[:n]))
	require.Regexp(t, `^http://127\.0\.0\.1:\d+/[\w-]{22}/$`, address)

	response, err := http.Get(address)
	require.NoError(t, err)
	body, err := io.ReadAll(response.Body)
	response.Body.Close()
	require.NoError(t, err)
	require.Contains(t, string(body), `{"name":"relu","own":true},{"name":"softmax","own":false}`)
	for header, want := range map[string]string{
		"Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "Access-Control-Allow-Origin": "",
	} {
		require.Equal(t, want, response.Header.Get(header))
	}
	require.Equal(t, http.StatusForbidden, fromElsewhere(t, address), "another site's page may not ask")

	interrupt()
	require.Equal(t, exitInterrupted, <-code)
	require.Empty(t, stderr.String())
	_, err = http.Get(address)
	require.ErrorContains(t, err, "connection refused")
}

// fromElsewhere sends a request as a browser does for a page of another site.
func fromElsewhere(t *testing.T, address string) int {
	t.Helper()
	request, err := http.NewRequest(http.MethodPost, address+"classify", bytes.NewReader(make([]byte, 140*140)))
	require.NoError(t, err)
	request.Header.Set("Sec-Fetch-Site", "cross-site")
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	response.Body.Close()
	return response.StatusCode
}

func TestDrawNeedsAPort(t *testing.T) {
	code, stdout, stderr := wgslab(t, "draw", "--port", "70000")
	require.Equal(t, exitAsked, code)
	require.Empty(t, stdout)
	require.Contains(t, stderr, "--port is 70000; it must be from 0 to 65535")
}
