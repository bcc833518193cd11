//go:build !linux && !windows

package jail

// Confines is false: only Linux lets a process give up the network for good.
const Confines = false

func confine() error { return lowerLimits() }

// limitMemory sets no limit of the system's: memlimit.Watch alone stops a process that takes too
// much.
func limitMemory(uint64) error { return nil }

func renice(int) error { return nil }

func keepFiles() error { return nil }
