package languageserver

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// shared is the gopls of a user. Whichever kernel first needs it starts it.
type shared struct {
	program string
}

// dialAgain is the pause between two attempts to reach a gopls that starts.
const dialAgain = 10 * time.Millisecond

// dial connects to gopls. It starts gopls if it doesn't run.
func (s shared) dial(ctx context.Context) (net.Conn, error) {
	dir, err := userDir()
	if err != nil {
		return nil, err
	}
	// Another clone has another gopls, with other settings in its environment.
	key := sha256.Sum256([]byte(s.program))
	path := filepath.Join(dir, fmt.Sprintf("gopls-%x", key[:6]))
	if conn, err := net.Dial("unix", path); err == nil {
		return conn, nil
	}
	lock := flock.New(dir, flock.SetFlag(os.O_RDONLY))
	if _, err := lock.TryLockContext(ctx, dialAgain); err != nil {
		return nil, fmt.Errorf("waiting for another kernel to start gopls: %w", err)
	}
	defer lock.Close()
	if conn, err := net.Dial("unix", path); err == nil {
		return conn, nil
	}
	return s.start(ctx, path)
}

// start starts gopls and connects to it.
func (s shared) start(ctx context.Context, path string) (net.Conn, error) {
	_ = os.Remove(path) // a gopls that was killed leaves it
	scratch, err := newScratch(path)
	if err != nil {
		return nil, err
	}
	caches, err := withoutIndex(scratch)
	if err != nil {
		_ = os.RemoveAll(scratch)
		return nil, err
	}
	command := exec.Command("/bin/sh", "-c", runScript, "run-gopls", s.program, path, endAfter.String())
	// A second process would wait for crashes to report, and one a day would count: 11 to 105 MB.
	command.Env = append(os.Environ(), "TMPDIR="+scratch, "GOGC=50", "GOMEMLIMIT=96MiB", "GO_TELEMETRY_CHILD=2")
	command.Env = append(command.Env, caches...)
	command.Dir = "/"
	command.SysProcAttr = ownSession() // it outlives this kernel
	if err := command.Start(); err != nil {
		_ = os.RemoveAll(scratch)
		return nil, fmt.Errorf("starting gopls: %w", err)
	}
	ended := make(chan struct{})
	go func() {
		_ = command.Wait() // ProcessState says how it ended
		close(ended)
	}()
	for {
		if conn, err := net.Dial("unix", path); err == nil {
			return conn, nil
		}
		select {
		case <-ended:
			return nil, fmt.Errorf("gopls has ended (%s)", command.ProcessState)
		case <-ctx.Done():
			return nil, fmt.Errorf("waiting for gopls to start: %w", context.Cause(ctx))
		case <-time.After(dialAgain):
		}
	}
}

// runScript starts gopls, and removes its temporary files after it.
//
//go:embed run.sh
var runScript string

// newScratch makes a folder for the temporary files of the gopls that is to listen at path. It
// removes those of earlier ones: if a machine stops, or everything of a user is killed, they stay.
func newScratch(path string) (string, error) {
	key := sha256.Sum256([]byte(path))
	prefix := fmt.Sprintf("wgslab-gopls-%x-", key[:6])
	earlier, _ := filepath.Glob(filepath.Join(os.TempDir(), prefix+"*")) // fails only on a bad pattern
	for _, dir := range earlier {
		_ = os.RemoveAll(dir) // it is in nobody's way
	}
	dir, err := os.MkdirTemp("", prefix)
	if err != nil {
		return "", fmt.Errorf("making a folder for gopls: %w", err)
	}
	return dir, nil
}

// longestDir is how long the path of a socket's folder may be: of about 100 bytes, its name needs
// a few.
const longestDir = 70

// userDir makes the user's own folder for sockets.
func userDir() (string, error) {
	parent := os.Getenv("XDG_RUNTIME_DIR")
	if info, err := os.Stat(parent); err != nil || !info.IsDir() {
		parent = os.TempDir()
	}
	if len(parent) > longestDir {
		parent = "/tmp"
	}
	dir := filepath.Join(parent, fmt.Sprintf("wgslab-%d", os.Getuid()))
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", fmt.Errorf("making a folder for the language server: %w", err)
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return "", fmt.Errorf("making a folder for the language server: %w", err)
	}
	if !info.IsDir() || info.Mode().Perm()&0o077 != 0 || !isOwn(info) {
		return "", fmt.Errorf("%s must be a folder that only you can read", dir)
	}
	return dir, nil
}
