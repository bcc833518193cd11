package ladder

import (
	"slices"
	"time"
)

// tick is the resolution of the coarsest clock: a browser's may count whole milliseconds.
const tick = time.Millisecond

// Median returns the median time of nine runs by the host's clock, after a warm-up. Runs that are
// too short for the clock are timed several in a row. The median itself has to be long enough for
// the clock: one slow run, such as a browser's first, says nothing about the others.
func Median(run func() error) (time.Duration, error) {
	if err := run(); err != nil {
		return 0, err
	}
	for rounds := 1; ; rounds *= 2 {
		times := make([]time.Duration, 9)
		for i := range times {
			var err error
			if times[i], err = inARow(rounds, run); err != nil {
				return 0, err
			}
		}
		slices.Sort(times)
		if median := times[len(times)/2]; median >= 5*tick {
			return median / time.Duration(rounds), nil
		}
	}
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
