package mlp

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course/network"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/networks/descent"
	"github.com/wgslab/wgslab/internal/networks/plan"
)

// distort runs train/distort on the images that order names, in step 3 of a
// training, and returns pixels in 0..1.
func distort(t *testing.T, device *gpu.Device, images []byte, order []uint32, seed, step uint32, d descent.Distortion) []float32 {
	t.Helper()
	return distortSteps(t, device, images, order, len(order), seed, step, d)
}

// distortSteps is distort for several steps of batch images, of which the first is step.
func distortSteps(t *testing.T, device *gpu.Device, images []byte, order []uint32, batch int, seed, step uint32, d descent.Distortion) []float32 {
	t.Helper()
	r := plan.NewRecorder(device)
	defer r.Free()
	const first = 2
	out := r.Floats(len(order) * Inputs)
	params := r.Uniform(seed, float32(0), float32(1), float32(d.Turn*math.Pi/180), float32(d.Size), float32(d.Slant), float32(d.Shift), float32(d.Rubber), uint32(batch))
	r.Groups(r.Pipeline("train/distort"), [3]uint32{uint32(len(order)), 1, 1}, params, plan.Upload(r, []uint32{step, first, 0}),
		plan.Upload(r, append(make([]uint32, first), order...)), plan.Upload(r, network.Words(images)), out)
	run(t, r)
	return read[float32](t, out)
}

// noise makes images in which every pixel counts.
func noise(n int) []byte {
	rng := rand.New(rand.NewPCG(4, 0))
	images := make([]byte, n*Inputs)
	for i := range images {
		images[i] = byte(rng.IntN(256))
	}
	return images
}

func TestNoDistortionLeavesAnImageAsItIs(t *testing.T) {
	images := noise(3)
	got := distort(t, openDevice(t), images, []uint32{2, 0, 1}, 1, 3, descent.Distortion{})
	want := slices.Concat(images[2*Inputs:], images[:2*Inputs])
	for i := range want {
		require.InDelta(t, float64(want[i])/255, got[i], 1e-6)
	}
}

func TestDistortionDependsOnSeedStepAndImage(t *testing.T) {
	device, images, d := openDevice(t), append(noise(1), noise(1)...), DefaultTraining().Distortion
	got := distort(t, device, images, []uint32{0}, 1, 3, d)
	require.Equal(t, got, distort(t, device, images, []uint32{0}, 1, 3, d))
	require.NotEqual(t, got, distort(t, device, images, []uint32{0}, 2, 3, d))
	require.NotEqual(t, got, distort(t, device, images, []uint32{0}, 1, 4, d))
	require.NotEqual(t, got, distort(t, device, images, []uint32{1}, 1, 3, d), "the same pixels under another number")
}

// Distorting the images of several steps together gives the same result as distorting each step
// alone.
func TestDistortingSeveralStepsAtOnce(t *testing.T) {
	images, device, d := noise(5), openDevice(t), DefaultTraining().Distortion
	order := []uint32{4, 0, 2, 3}
	var want []float32
	want = append(want, distort(t, device, images, order[:2], 1, 3, d)...)
	want = append(want, distort(t, device, images, order[2:], 1, 4, d)...)
	require.Equal(t, want, distortSteps(t, device, images, order, 2, 1, 3, d))
}

// The test compares each kind of distortion, and all together, with a float64 computation.
func TestDistortion(t *testing.T) {
	device, images := openDevice(t), noise(4)
	for name, d := range map[string]descent.Distortion{
		"turn": {Turn: 30}, "size": {Size: 0.3}, "slant": {Slant: 0.4}, "shift": {Shift: 3}, "rubber": {Rubber: 3},
		"all": DefaultTraining().Distortion,
	} {
		t.Run(name, func(t *testing.T) {
			got := distort(t, device, images, []uint32{0, 1, 2, 3}, 7, 3, d)
			for image := range uint32(4) {
				want := distortReference(images[image*Inputs:(image+1)*Inputs], hash(7^hash(3^hash(image))), d)
				requireClose(t, want, got[image*Inputs:(image+1)*Inputs], 2e-4)
			}
		})
	}
}

func hash(v uint32) uint32 {
	state := v*747796405 + 2891336453
	word := ((state >> ((state >> 28) + 4)) ^ state) * 277803737
	return word>>22 ^ word
}

// uniform is number i of the sequence of key, in -1..1.
func uniform(key, i uint32) float64 { return float64(hash(key+i)>>8)/(1<<23) - 1 }

func bell(key, i uint32) float64 {
	return (uniform(key, i) + uniform(key, i+1) + uniform(key, i+2) + uniform(key, i+3)) * math.Sqrt(3) / 2
}

func distortReference(image []byte, key uint32, d descent.Distortion) []float64 {
	const side, knots, spacing, middle = 28, 7, 7.0, 13.5
	turn := d.Turn * math.Pi / 180 * uniform(key, 0)
	width, height := 1+d.Size*uniform(key, 1), 1+d.Size*uniform(key, 2)
	slant := d.Slant * uniform(key, 3)
	sin, cos := math.Sincos(turn)
	out := make([]float64, Inputs)
	for i := range out {
		x, y := float64(i%side), float64(i/side)
		// stretch, then turn
		sx, sy := width*(x-middle)+slant*(y-middle), height*(y-middle)
		atX := cos*sx - sin*sy + middle + d.Shift*uniform(key, 4)
		atY := sin*sx + cos*sy + middle + d.Shift*uniform(key, 5)
		for knot := range uint32(knots * knots) {
			// The knot in column c is at (c - 1) * spacing.
			weight := cubicSpline(x/spacing-float64(knot%knots)+1) * cubicSpline(y/spacing-float64(knot/knots)+1)
			atX += weight * d.Rubber * bell(key, 100+8*knot)
			atY += weight * d.Rubber * bell(key, 104+8*knot)
		}
		left, top := math.Floor(atX), math.Floor(atY)
		for _, corner := range [][2]float64{{0, 0}, {1, 0}, {0, 1}, {1, 1}} {
			cx, cy := left+corner[0], top+corner[1]
			if cx >= 0 && cy >= 0 && cx < side && cy < side {
				out[i] += float64(image[int(cy)*side+int(cx)]) / 255 * (1 - math.Abs(atX-cx)) * (1 - math.Abs(atY-cy))
			}
		}
	}
	return out
}

// cubicSpline is the cubic B-spline around 0, which reaches from -2 to 2.
func cubicSpline(t float64) float64 {
	switch t = math.Abs(t); {
	case t < 1:
		return (4 - 6*t*t + 3*t*t*t) / 6
	case t < 2:
		return (2 - t) * (2 - t) * (2 - t) / 6
	}
	return 0
}
