package jupyter

import (
	"errors"
	"syscall"
)

// errUnsupported says why this system can't run kernels. GoNB doesn't run on Windows, and ending a
// kernel with all its processes needs sessions. So nothing calls the functions below.
var errUnsupported = errors.New("notebook kernels don't run on Windows: open the course with wgslab site, or use WSL")

func ownSession() *syscall.SysProcAttr { return nil }

func killGroup(int) error { return errUnsupported }

func interruptGroup(int) error { return errUnsupported }

func kill(int) error { return errUnsupported }
