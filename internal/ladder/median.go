package ladder

import (
	"slices"
	"time"
)

// tick is the resolution of the coarsest clock: a browser's may count whole milliseconds.
const tick = time.Millisecond

// Median returns the median time of nine runs by the host's clock, after a warm-up. It
// repeats runs that are too short for the clock and divides.
func Median(run func() error) (time.Duration, error) {
	if err := run(); err != nil {
		return 0, err
	}
	rounds := 1
	took, err := inARow(rounds, run)
	for ; err == nil && took < 5*tick; took, err = inARow(rounds, run) {
		rounds *= 2
	}
	times := make([]time.Duration, 9)
	for i := 0; err == nil && i < len(times); i++ {
		times[i], err = inARow(rounds, run)
	}
	slices.Sort(times)
	return times[len(times)/2] / time.Duration(rounds), err
}

func inARow(rounds int, run func() error) (time.Duration, error) {
	started := time.Now()
	for range rounds {
		if err := run(); err != nil {
			return 0, err
		}
	}
	return time.Since(started), nil
}
