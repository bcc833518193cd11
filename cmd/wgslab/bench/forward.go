package bench

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/networks/mlp"
)

var batches = []int{1, 100, 10_000}

// measureForward times the whole forward pass: upload, four dispatches, readback.
func measureForward(ctx context.Context, o Options) (adapter string, measured []Images, err error) {
	device, err := gpu.Open()
	if err != nil {
		return "", nil, err
	}
	device = device.WithContext(ctx)
	defer device.Close()
	weights, err := mlp.Trained()
	if err != nil {
		return "", nil, err
	}
	network, err := mlp.New(device, weights)
	if err != nil {
		return "", nil, err
	}
	for _, batch := range batches {
		o.Progress(fmt.Sprintf("forward pass, batch of %d", batch))
		images, err := timeForward(network, batch, o.Rounds)
		if err != nil {
			return "", nil, err
		}
		measured = append(measured, images)
	}
	return device.Adapter().String(), measured, nil
}

func timeForward(network *mlp.Network, batch, rounds int) (Images, error) {
	pixels := make([]byte, batch*mlp.Inputs)
	random := rand.New(rand.NewPCG(1, 1))
	for i := range pixels {
		pixels[i] = byte(random.Uint32())
	}
	var times []float64
	for round := -1; round < rounds; round++ { // round -1 warms up
		started := time.Now()
		if _, err := network.Forward(pixels); err != nil {
			return Images{}, err
		}
		if round >= 0 {
			times = append(times, time.Since(started).Seconds())
		}
	}
	m := median(times)
	return Images{Batch: batch, Median: m, PerSecond: float64(batch) / m}, nil
}
