package judge

import (
	"fmt"
	"runtime/debug"
)

// Fenced does work that only adds to a verdict, such as the search for a reason. A panic in it is a fault
// of ours and ends the work alone: the verdict holds. The fault says what a maintainer needs to know;
// it is "" if there was none.
func Fenced(work func()) (fault string) {
	defer func() {
		if cause := recover(); cause != nil {
			fault = fmt.Sprintf("%v\n%s", cause, debug.Stack())
		}
	}()
	work()
	return ""
}
