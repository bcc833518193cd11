package plan

import (
	"fmt"

	"github.com/wgslab/wgslab/internal/course/network"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
)

// Trips takes images to the device, through the passes of a network, and their probabilities back,
// in one submission for each batch. It keeps what it made for the last number of images.
type Trips struct {
	device *gpu.Device
	record func(r *Recorder, images int) (pixels, out *gpu.Buffer)
	most   int

	images int // of the last batch; 0 before the first
	made   *Recorder
	round  *gpu.RoundTrip
}

// NewTrips returns trips of at most so many images. record adds the passes over a number of images,
// and returns the buffers in which the images arrive, as bytes, and from which their probabilities
// leave.
func NewTrips(device *gpu.Device, most int, record func(r *Recorder, images int) (pixels, out *gpu.Buffer)) *Trips {
	return &Trips{device: device, most: most, record: record}
}

// Free releases the memory of the last batch.
func (t *Trips) Free() {
	if t.images > 0 {
		t.round.Free()
		t.made.Free()
	}
	t.images = 0
}

// Forward returns ten probabilities for each of the images, which have 784 bytes, 0 black to 255
// white. Many images go in several batches.
func (t *Trips) Forward(pixels []byte) ([]float32, error) {
	const inputs, outputs = network.Inputs, network.Outputs
	probabilities := make([]float32, len(pixels)/inputs*outputs)
	return probabilities, InBatches(pixels, t.most, func(from, to int) error {
		if err := t.prepare(to - from); err != nil {
			return fmt.Errorf("preparing a batch of %d images: %w", to-from, err)
		}
		return gpu.Run(t.round, pixels[from*inputs:to*inputs], probabilities[from*outputs:to*outputs])
	})
}

func (t *Trips) prepare(images int) error {
	if t.images == images {
		return nil
	}
	t.Free()
	r := NewRecorder(t.device)
	pixels, out := t.record(r, images)
	var round *gpu.RoundTrip
	if r.Err == nil {
		round, r.Err = t.device.RoundTrip(pixels, out, r.Passes...)
	}
	if r.Err != nil {
		r.Free()
		return r.Err
	}
	t.images, t.made, t.round = images, r, round
	return nil
}
