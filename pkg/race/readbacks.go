package race

import (
	"fmt"
	"slices"
	"time"

	"github.com/wgslab/wgslab/internal/network"
	"github.com/wgslab/wgslab/pkg/gpu"
	"github.com/wgslab/wgslab/pkg/show"
	"github.com/wgslab/wgslab/shaders"
)

// tick is the coarsest clock that a time is taken by: a browser's may go in whole
// milliseconds.
const tick = time.Millisecond

// Median is the middle of nine runs' times, by the host's clock, after one to warm up.
// A run that is short for the clock is one of several in a row.
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

// Readbacks shows what it costs to read back in between: relu over the hidden values of
// one image, so many times in a row, once in one submission with one readback, and once
// with a submission, a readback and an upload each time.
func Readbacks(passes int) {
	device := show.Must(gpu.Default())
	kernel := show.Must(device.Compile("relu", show.Must(shaders.Source("relu"))))
	data := show.Must(gpu.Alloc[float32](device, network.Hidden))
	groups := gpu.Groups(network.Hidden, kernel.WorkgroupSize()[0])
	pass := show.Must(kernel.Pass([3]uint32{groups, 1, 1}, data))

	together := show.Must(Median(func() error {
		if err := device.Run(slices.Repeat([]gpu.Pass{pass}, passes)...); err != nil {
			return err
		}
		_, err := gpu.Read[float32](data)
		return err
	}))
	apart := show.Must(Median(func() error {
		for range passes {
			if err := device.Run(pass); err != nil {
				return err
			}
			values, err := gpu.Read[float32](data)
			if err != nil {
				return err
			}
			if err := gpu.Write(data, values); err != nil {
				return err
			}
		}
		return nil
	}))
	show.Display(show.Bars{
		Title:  fmt.Sprintf("%d passes, in microseconds", passes),
		Source: fmt.Sprintf("reading back in between takes %.1f times as long", float64(apart)/float64(together)),
		Labels: []string{"one submission, one readback", fmt.Sprintf("%d submissions, %d readbacks", passes, passes)},
		Values: []float32{float32(together.Nanoseconds()) / 1000, float32(apart.Nanoseconds()) / 1000},
	})
}
