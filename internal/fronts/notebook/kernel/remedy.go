package kernel

import (
	"errors"
	"syscall"
)

// remedies says what to do about errors of the machine.
var remedies = []struct {
	err  error
	text string
}{
	{syscall.ENOSPC, "The disk is full. Delete files that you don't need, then run this cell again."},
	{syscall.EDQUOT, "Your part of the disk is full. Delete files that you don't need, then run this cell again."},
	{syscall.EROFS, "The folder is read-only. If it is the one for temporary files, set TMPDIR to a folder that you can write to, and start JupyterLab again."},
	{syscall.EMFILE, "Too many files are open. Shut down other notebooks, then run this cell again; if that doesn't help, restart the kernel."},
	{syscall.ENFILE, "Too many files are open on this machine. Shut down other notebooks, then run this cell again."},
	{syscall.EAGAIN, "Too many processes are running. Shut down other notebooks, then run this cell again."},
	{syscall.ENOMEM, "The machine is out of memory. Shut down other notebooks, then run this cell again."},
}

// Remedy returns what to do about an error of the machine, such as a full disk; "" if it is none.
func Remedy(err error) string {
	for _, r := range remedies {
		if errors.Is(err, r.err) {
			return r.text
		}
	}
	return ""
}

// withRemedy returns the text of an error, and what to do about it: otherwise, if the error isn't
// the machine's.
func withRemedy(err error, otherwise string) string {
	remedy := Remedy(err)
	if remedy == "" {
		remedy = otherwise
	}
	if remedy == "" {
		return err.Error()
	}
	return err.Error() + ". " + remedy
}
