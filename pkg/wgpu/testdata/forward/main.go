// The program runs the reference of exercise host-forward, which the test puts beside it, on numbers
// of its own: 784 inputs, 128 hidden values, 10 classes. It prints the bits of the result, and how
// long a round takes.
package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"time"

	"github.com/wgslab/wgslab/pkg/wgpu"
)

// HostShader is what the exercise calls check.HostShader.
type HostShader struct {
	WGSL string
	Size [2]int
}

func main() {
	var shaders []HostShader
	for i, size := range [][2]int{{16, 16}, {64, 1}, {64, 1}} {
		text, err := os.ReadFile(os.Args[1+i])
		if err != nil {
			panic(err)
		}
		shaders = append(shaders, HostShader{string(text), size})
	}
	rows, _ := strconv.Atoi(os.Args[4])
	rounds, _ := strconv.Atoi(os.Args[5])
	random := rand.New(rand.NewPCG(6, 51))
	draw := func(n int) []float32 {
		values := make([]float32, n)
		for i := range values {
			values[i] = float32(random.IntN(2001)-1000) / 4000
		}
		return values
	}
	x, w1, b1, w2, b2 := draw(rows*784), draw(784*128), draw(128), draw(128*10), draw(10)
	wgpu.SetLogLevel(wgpu.LogLevelOff)
	adapter := must(wgpu.CreateInstance(&wgpu.InstanceDescriptor{Backends: wgpu.InstanceBackendPrimary}).RequestAdapter(&wgpu.RequestAdapterOptions{PowerPreference: wgpu.PowerPreferenceHighPerformance}))
	device := must(adapter.RequestDevice(nil))
	var result []float32
	var times []time.Duration
	for range rounds {
		began := time.Now()
		result = network(device, shaders[0], shaders[1], shaders[2], rows, x, w1, b1, w2, b2)
		times = append(times, time.Since(began))
	}
	for _, value := range result {
		fmt.Printf("%08x\n", math.Float32bits(value))
	}
	slices.Sort(times)
	fmt.Fprintf(os.Stderr, "%s: %d rows: smallest %.1f us, median %.1f us\n", adapter.GetInfo().Name, rows, float64(times[0].Nanoseconds())/1000, float64(times[len(times)/2].Nanoseconds())/1000)
}
