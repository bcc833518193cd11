//go:build !windows

package languageserver

import (
	"io/fs"
	"os"
	"syscall"
)

// ownSession makes a process the leader of a session.
func ownSession() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// isOwn reports whether a file belongs to the user.
func isOwn(info fs.FileInfo) bool {
	owner, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(owner.Uid) == os.Getuid()
}
