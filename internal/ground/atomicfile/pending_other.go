//go:build !windows

package atomicfile

import (
	"io/fs"
	"path/filepath"

	"github.com/google/renameio/v2"
)

type pendingFile = *renameio.PendingFile

func newPendingFile(path string, perm fs.FileMode) (pendingFile, error) {
	return renameio.NewPendingFile(path, renameio.WithTempDir(filepath.Dir(path)),
		renameio.WithPermissions(perm), renameio.WithExistingPermissions())
}
