// Package atomicfile replaces files in one step: a reader finds the old contents or the new ones,
// never a part. A file that exists keeps its permissions.
package atomicfile

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
)

// Write writes a file. If it fails, the file is unchanged.
func Write(path string, data []byte, perm fs.FileMode) error {
	return WriteAll(map[string][]byte{path: data}, perm)
}

// WriteUnsynced is like Write, but doesn't wait until the data is on the disk, which takes 5 to 20
// ms. After a power failure, the file may have lost its contents.
func WriteUnsynced(path string, data []byte, perm fs.FileMode) error {
	file, err := newPendingFile(path, perm)
	if err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	defer file.Cleanup()
	if _, err := file.Write(data); err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	if err := file.File.Close(); err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	if err := os.Rename(file.Name(), path); err != nil {
		return fmt.Errorf("putting a file into place: %w", err)
	}
	return nil
}

// WriteAll writes several files, given by their paths. It puts them into place only after it has
// written all of them.
func WriteAll(files map[string][]byte, perm fs.FileMode) error {
	var written []pendingFile
	for _, path := range slices.Sorted(maps.Keys(files)) {
		file, err := newPendingFile(path, perm)
		if err != nil {
			return fmt.Errorf("writing %s: %w", path, err)
		}
		defer file.Cleanup()
		if _, err := file.Write(files[path]); err != nil {
			return fmt.Errorf("writing %s: %w", path, err)
		}
		written = append(written, file)
	}
	for _, file := range written {
		if err := file.CloseAtomicallyReplace(); err != nil {
			return fmt.Errorf("putting a file into place: %w", err)
		}
	}
	return nil
}
