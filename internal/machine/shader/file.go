package shader

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// ReadFile returns the text of a shader's file. Of a file larger than MaxSource it returns just
// enough to tell.
func ReadFile(path string) (string, error) {
	text, err := ReadStart(path, MaxSource+1)
	return string(text), err
}

// ReadStart returns a file's first bytes, and at most so many. It opens only regular files, because
// a pipe may have nobody who writes to it, and the process's own descriptors, such as /dev/stdin.
func ReadStart(path string, most int64) ([]byte, error) {
	if info, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil, &missingError{path}
	} else if err != nil {
		return nil, err
	} else if what := unusual(info.Mode()); what != "" && !isDescriptor(path) {
		return nil, fmt.Errorf("%s is %s", path, what)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, most))
}

// missingError is the fs.ErrNotExist of a path, in words.
type missingError struct{ path string }

func (e *missingError) Error() string { return "there is no such file: " + e.path }

func (e *missingError) Is(target error) bool { return target == fs.ErrNotExist }

// unusual says what a file is that isn't a regular one, and what to do.
func unusual(mode fs.FileMode) string {
	switch {
	case mode.IsRegular():
		return ""
	case mode.IsDir():
		return "a folder: name a file in it"
	case mode&fs.ModeNamedPipe != 0:
		return "a pipe" + instead
	case mode&fs.ModeSocket != 0:
		return "a socket" + instead
	}
	return "a device" + instead
}

const instead = ": save its content in a file, and name that"

// isDescriptor reports whether a path names a descriptor of this process, as a shell's <(…) does.
func isDescriptor(path string) bool {
	path = filepath.ToSlash(path)
	return path == "/dev/stdin" || strings.HasPrefix(path, "/dev/fd/") || strings.HasPrefix(path, "/proc/self/fd/")
}
