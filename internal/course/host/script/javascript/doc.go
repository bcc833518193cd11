// Package javascript is the JavaScript that runs a learner's program: a browser's Web Worker, or
// else goja, an interpreter in Go. It has the names of syscall/js, as far as package script needs
// them. A process has one machine, as a Web Worker has one global object.
package javascript

import "fmt"

// A Stopped program made no call for a while. Functions that call JavaScript panic with it.
type Stopped struct {
	Line    int // of the program's last call
	Seconds int
}

func (s *Stopped) Error() string {
	return fmt.Sprintf("your program made no call for %d seconds, so it was stopped", s.Seconds)
}
