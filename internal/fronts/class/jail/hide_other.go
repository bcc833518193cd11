//go:build !linux

package jail

// HidesFiles returns false: only Linux lets a process give up files.
func HidesFiles() bool { return false }

func hideFiles() error { return nil }
