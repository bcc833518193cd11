package lab

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Wheels returns the folder of the Python packages that a lock file of the clone has. It fetches
// them if they aren't there: only tests need them, so that set-up leaves them out.
func Wheels(t *testing.T, lock string) (dir string) {
	t.Helper()
	root := Root(t)
	lock = filepath.Join(root, lock)
	text, err := os.ReadFile(lock)
	require.NoError(t, err)
	dir = filepath.Join(root, ".build", strings.TrimSuffix(filepath.Base(lock), ".lock"))
	stamp := filepath.Join(dir, "lock.sha256")
	want := fmt.Sprintf("%x", sha256.Sum256(text))
	if have, _ := os.ReadFile(stamp); string(have) == want {
		return dir
	}
	require.NoError(t, os.RemoveAll(dir))
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	said, err := exec.CommandContext(ctx, filepath.Join(root, ".venv", "bin", "python"), "-m", "pip", "install",
		"--disable-pip-version-check", "--no-deps", "--require-hashes", "--only-binary=:all:", "--target", dir, "-r", lock).CombinedOutput()
	require.NoError(t, err, "installing %s (is the network up?): %s", lock, said)
	require.NoError(t, os.WriteFile(stamp, []byte(want), 0o644))
	return dir
}
