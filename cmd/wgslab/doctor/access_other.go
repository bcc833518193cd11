//go:build !windows

package doctor

import (
	"io/fs"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// mayUse reports whether the user may read and write a file.
func mayUse(path string) bool { return unix.Access(path, unix.R_OK|unix.W_OK) == nil }

// groupOf returns the number of the group that owns a file.
func groupOf(info fs.FileInfo) (group string, ok bool) {
	owner, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return "", false
	}
	return strconv.FormatUint(uint64(owner.Gid), 10), true
}
