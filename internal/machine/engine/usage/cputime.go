// Package usage measures the CPU time that this process takes, and bounds its memory. Waits are
// measured by CPU time because on a busy machine a wait lasts long when others have the processors,
// not because the work is long.
package usage

import "time"

// OfProcess returns the CPU time that all threads of this process have used. known is false if the
// system doesn't tell it.
func OfProcess() (used time.Duration, known bool) { return ofProcess() }

// A Wait is a wait for work of this process itself: a shader on the CPU, or a compiler.
type Wait struct {
	Began time.Time
	used  time.Duration
	known bool
}

// Begin begins a wait.
func Begin() Wait {
	used, known := OfProcess()
	return Wait{time.Now(), used, known}
}

// mostTimes is how many times its limit a wait may last on a busy machine.
const mostTimes = 5

// Over reports whether the work had as much time as the limit. On a busy machine the limit counts
// CPU time: while this process got less of it than the limit, the wait goes on, for at most
// mostTimes the limit.
func (w Wait) Over(limit time.Duration) bool {
	waited := time.Since(w.Began)
	if waited <= limit || !w.known || waited > mostTimes*limit {
		return waited > limit
	}
	used, _ := OfProcess()
	return used-w.used >= limit
}
