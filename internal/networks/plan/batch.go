package plan

import (
	"fmt"

	"github.com/wgslab/wgslab/internal/course/network"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// BatchSizes holds how many images go in one batch, by the kind of adapter. On a GPU their memory
// limits them, and elsewhere their time: a device has a deadline for each submission.
type BatchSizes struct{ GPU, CPU, Simulated int }

// On returns the size for an adapter.
func (b BatchSizes) On(adapter shader.Adapter) int {
	switch adapter.Kind {
	case shader.GPU:
		return b.GPU
	case shader.Simulated:
		return b.Simulated
	}
	return b.CPU
}

// InBatches calls run for each batch of at most so many images, with the numbers of its first image
// and of the next batch's. The images have network.Inputs values each.
func InBatches[T byte | float32](images []T, most int, run func(from, to int) error) error {
	if len(images) == 0 || len(images)%network.Inputs != 0 {
		return fmt.Errorf("%d values are not a whole number of images of %d values each", len(images), network.Inputs)
	}
	count := len(images) / network.Inputs
	for from := 0; from < count; from += most {
		if err := run(from, min(count, from+most)); err != nil {
			return err
		}
	}
	return nil
}
