//go:build !linux

package kept

import "syscall"

// dying does nothing here: a worker ends when nobody is left to ask it.
func dying() *syscall.SysProcAttr { return nil }
