package languageserver

import (
	"io/fs"
	"syscall"
)

// There are no notebooks on Windows, so nothing calls these functions there.

func ownSession() *syscall.SysProcAttr { return nil }

func isOwn(fs.FileInfo) bool { return false }
