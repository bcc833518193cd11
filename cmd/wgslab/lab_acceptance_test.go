//go:build acceptance

package main

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/ground/repository"
)

// startLab starts JupyterLab for a user with an empty home. It returns the process and the lines
// that it prints.
func startLab(ctx context.Context, t *testing.T, root, home string, options ...string) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	arguments := append([]string{"lab", "--", "--no-browser", "--port=0"}, options...)
	lab := exec.CommandContext(ctx, buildCommand(t), arguments...)
	lab.Dir = root
	lab.Env = append(os.Environ(), "HOME="+home)
	// In a group of its own, so that its children end with it.
	lab.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	stderr, err := lab.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, lab.Start())
	t.Cleanup(func() { _ = syscall.Kill(-lab.Process.Pid, syscall.SIGKILL) })
	return lab, bufio.NewScanner(stderr)
}

// Lab must print an address that answers, offer the kernel, and end on Ctrl-C. It must ignore the
// user's own Jupyter, and print nothing else.
func TestLabServesTheNotebooks(t *testing.T) {
	root, err := repository.Root(".")
	require.NoError(t, err)
	home := t.TempDir()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()

	lab, lines := startLab(ctx, t, root, home)
	address, token := addressIn(t, lines)
	rest := make(chan string, 1)
	go func() {
		var told strings.Builder
		for lines.Scan() {
			told.WriteString(lines.Text() + "\n")
		}
		rest <- told.String()
	}()

	waitUntilListening(ctx, t, address)
	specs := get(ctx, t, address+"/api/kernelspecs?token="+token)
	require.Contains(t, specs, filepath.Join(root, ".build/bin/gonb"))
	require.Contains(t, get(ctx, t, address+"/api/contents?token="+token), `"work"`)
	get(ctx, t, address+"/api/contents/02-add.ipynb?token="+token) // of which JupyterLab would say that it isn't trusted
	page := get(ctx, t, address+"/lab?token="+token)
	require.Contains(t, page, `"news": {"disabled": true}`)

	require.NoError(t, lab.Process.Signal(os.Interrupt))
	told := <-rest
	require.NoError(t, lab.Wait(), told)
	require.Empty(t, strings.TrimSpace(told))
	for _, theirs := range []string{".jupyter", ".local", ".ipython", ".npm"} {
		require.NoDirExists(t, filepath.Join(home, theirs))
	}
}

// JupyterLab by itself prints its address only if it has made up the token.
func TestLabPrintsItsAddressWithoutAToken(t *testing.T) {
	root, err := repository.Root(".")
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	lab, lines := startLab(ctx, t, root, t.TempDir(), "--IdentityProvider.token=")
	address, token := addressIn(t, lines)
	require.Empty(t, token)
	waitUntilListening(ctx, t, address)
	require.NoError(t, lab.Process.Signal(os.Interrupt))
	for lines.Scan() { // until it has ended
	}
	require.NoError(t, lab.Wait())
}

var labAddress = regexp.MustCompile(`(http://127\.0\.0\.1:\d+)/lab(?:/tree/[^?]+)?(?:\?token=([0-9a-f]+))?`)

// addressIn reads JupyterLab's output up to its address.
func addressIn(t *testing.T, lines *bufio.Scanner) (address, token string) {
	t.Helper()
	var told strings.Builder
	for lines.Scan() {
		if match := labAddress.FindStringSubmatch(lines.Text()); match != nil {
			return match[1], match[2]
		}
		told.WriteString(lines.Text() + "\n")
	}
	require.Fail(t, "JupyterLab told no address", told.String())
	return "", ""
}

// waitUntilListening waits for the server: JupyterLab prints its address a moment before it
// listens.
func waitUntilListening(ctx context.Context, t *testing.T, address string) {
	t.Helper()
	var dialer net.Dialer
	for {
		connection, err := dialer.DialContext(ctx, "tcp", strings.TrimPrefix(address, "http://"))
		if err == nil {
			connection.Close()
			return
		}
		require.ErrorIs(t, err, syscall.ECONNREFUSED)
		time.Sleep(10 * time.Millisecond)
	}
}

func get(ctx context.Context, t *testing.T, url string) string {
	t.Helper()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	require.NoError(t, err)
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, response.StatusCode, "%s", body)
	return string(body)
}
