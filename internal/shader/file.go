package shader

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// ReadFile returns the text of a shader's file. Of a file larger than MaxSource it returns just
// enough to tell. It opens only regular files, because a pipe may have nobody who writes to it, and
// the process's own descriptors, such as /dev/stdin.
func ReadFile(path string) (string, error) {
	if info, err := os.Stat(path); err != nil {
		return "", err
	} else if what := unusual(info.Mode()); what != "" && !isDescriptor(path) {
		return "", fmt.Errorf("%s is %s, not a file with a shader", path, what)
	}
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, MaxSource+1))
	return string(text), err
}

// unusual says what a file is that isn't a regular one.
func unusual(mode fs.FileMode) string {
	switch {
	case mode.IsRegular():
		return ""
	case mode.IsDir():
		return "a folder"
	case mode&fs.ModeNamedPipe != 0:
		return "a pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	}
	return "a device"
}

// isDescriptor reports whether a path names a descriptor of this process, as a shell's <(…) does.
func isDescriptor(path string) bool {
	path = filepath.ToSlash(path)
	return path == "/dev/stdin" || strings.HasPrefix(path, "/dev/fd/") || strings.HasPrefix(path, "/proc/self/fd/")
}
