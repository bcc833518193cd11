package mlp

import (
	"fmt"
	"math"
	"slices"

	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/networks/plan"
)

// fusedForward lists the shaders that run a batch through the whole network on a GPU. Forward uses
// the first whose number of images is large enough. The boundary was measured on an NVIDIA H200. On
// a CPU adapter barriers cost more than passes, so the network uses its own shaders there.
var fusedForward = []struct {
	images int    // at most this many
	shader string // of package shaders
	rows   int    // images in a workgroup
}{
	{512, "fused/forward", 1},
	{math.MaxInt, "fused/forward-block", 32},
}

// A trip moves a number of images to the device and their probabilities back.
type trip struct {
	images int
	made   *plan.Recorder // nil if the passes are those of the network's batch
	round  *gpu.RoundTrip
}

func (t *trip) free() {
	t.round.Free()
	if t.made != nil {
		t.made.Free()
	}
}

// Pixels returns memory for a number of images, 784 bytes each, which Forward uses without a copy.
// Fill it and pass it to Forward. It holds at most one chunk. The memory is valid until the next
// Forward.
func (n *Network) Pixels(images int) ([]byte, error) {
	if images < 1 || images > n.chunk {
		return nil, fmt.Errorf("memory for %d images: it must be from 1 to %d", images, n.chunk)
	}
	t, err := n.tripOf(images)
	if err != nil {
		return nil, err
	}
	return t.round.Memory(), nil
}

func (n *Network) tripOf(images int) (*trip, error) {
	if n.trip != nil && n.trip.images == images {
		return n.trip, nil
	}
	if n.trip != nil {
		n.trip.free()
		n.trip = nil
	}
	t, err := n.newTrip(images)
	if err != nil {
		return nil, err
	}
	n.trip = t
	return t, nil
}

func (n *Network) newTrip(images int) (*trip, error) {
	if n.fused {
		return n.fusedTrip(images)
	}
	b, err := n.batchOf(images)
	if err != nil {
		return nil, err
	}
	round, err := n.made.Device.RoundTrip(b.pixels, b.out, b.made.Passes...)
	if err != nil {
		return nil, fmt.Errorf("preparing a batch of %d images: %w", images, err)
	}
	return &trip{images: images, round: round}, nil
}

func (n *Network) fusedTrip(images int) (*trip, error) {
	way := fusedForward[0]
	for _, w := range fusedForward {
		if way = w; images <= w.images {
			break
		}
	}
	r := plan.NewRecorder(n.made.Device)
	pixels, out := r.Shared(images*Inputs/4), plan.Answer[float32](r, images*n.classes)
	params := r.Uniform(uint32(images), n.normalisation.Mean, n.normalisation.Stddev)
	workgroups := [3]uint32{gpu.Groups(images, uint32(way.rows)), 1, 1}
	r.Groups(n.made.Pipeline(way.shader), workgroups, slices.Concat([]*gpu.Buffer{params, pixels}, n.weights, []*gpu.Buffer{out})...)
	if r.Err == nil {
		r.Err = n.made.Err
	}
	t := &trip{images: images, made: r}
	if r.Err == nil {
		t.round, r.Err = r.Device.RoundTrip(pixels, out, r.Passes...)
	}
	if r.Err != nil {
		r.Free()
		return nil, fmt.Errorf("preparing a batch of %d images: %w", images, r.Err)
	}
	return t, nil
}
