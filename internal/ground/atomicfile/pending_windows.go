package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// A pendingFile has the methods of renameio's, which doesn't support Windows.
type pendingFile struct {
	*os.File
	path string // where it goes
}

func newPendingFile(path string, _ fs.FileMode) (pendingFile, error) {
	file, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
	return pendingFile{file, path}, err
}

// CloseAtomicallyReplace puts the file into place.
func (f pendingFile) CloseAtomicallyReplace() error {
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), f.path)
}

// Cleanup removes the file, unless it is in place.
func (f pendingFile) Cleanup() error {
	_ = f.Close() // fails if it is in place
	return os.Remove(f.Name())
}
