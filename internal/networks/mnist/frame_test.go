package mnist

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func centreOfMass(image [Pixels]byte) (x, y float64) {
	var mass, mx, my float64
	for i, pixel := range image {
		mass += float64(pixel)
		mx += float64(pixel) * (float64(i%Side) + 0.5)
		my += float64(pixel) * (float64(i/Side) + 0.5)
	}
	return mx / mass, my / mass
}

// A digit of any size and place ends in a box of 20 pixels, with its centre of mass in pixel (14,
// 14).
func TestFrameFitsTheBoxAndCentresTheMass(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		size := rapid.IntRange(20, 400).Draw(t, "size")
		image := Rasterise(Strokes(rng, rapid.IntRange(0, 9).Draw(t, "digit")), size, 0.09)
		framed := Frame(image, size, size)
		x, y := centreOfMass(framed)
		require.Equal(t, []int{14, 14}, []int{int(x), int(y)})
		ink := inkBounds(framed[:], Side, Side)
		// Faint edge pixels may round to black.
		require.GreaterOrEqual(t, max(ink.w, ink.h), box-1)
		require.LessOrEqual(t, max(ink.w, ink.h), box)
	})
}

// Frame returns MNIST's own digits unchanged after they were enlarged and moved, so the framing is
// MNIST's.
func TestFrameGivesMNISTBack(t *testing.T) {
	set, err := Test()
	require.NoError(t, err)
	const digits, factor, canvas = 500, 5, 200
	rng := rand.New(rand.NewPCG(3, 4))
	same := 0
	for i := range digits {
		image := make([]byte, canvas*canvas)
		left, top := rng.IntN(canvas-factor*Side), rng.IntN(canvas-factor*Side)
		for y := range factor * Side {
			for x := range factor * Side {
				image[(top+y)*canvas+left+x] = set.Image(i)[y/factor*Side+x/factor]
			}
		}
		if framed := Frame(image, canvas, canvas); meanDifference(framed[:], set.Image(i)) < 1 {
			same++
		}
	}
	require.Equal(t, digits, same)
}

func meanDifference(a, b []byte) float64 {
	sum := 0.0
	for i := range a {
		sum += math.Abs(float64(a[i]) - float64(b[i]))
	}
	return sum / float64(len(a))
}

func TestFrameOfNothingIsBlack(t *testing.T) {
	require.Equal(t, [Pixels]byte{}, Frame(make([]byte, 50*40), 50, 40))
	require.Equal(t, [Pixels]byte{}, Frame(nil, 0, 0))
}

func TestFrameOfASpeckFillsTheBox(t *testing.T) {
	image := make([]byte, 100*100)
	image[7*100+93] = 255
	framed := Frame(image, 100, 100)
	ink := inkBounds(framed[:], Side, Side)
	require.Equal(t, bounds{4, 4, box, box}, ink)
}

// A heavy foot far from the middle must not push the digit out of the array.
func TestFrameSurvivesLopsidedDrawings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, h := rapid.IntRange(1, 60).Draw(t, "w"), rapid.IntRange(1, 60).Draw(t, "h")
		image := rapid.SliceOfN(rapid.SampledFrom([]byte{0, 0, 0, 1, 255}), w*h, w*h).Draw(t, "image")
		Frame(image, w, h)
		Shrink(image, w, h)
	})
}

func TestShrinkIsThePlainMean(t *testing.T) {
	const size = 2 * Side
	image := make([]byte, size*size)
	image[0], image[1], image[size], image[size+1] = 100, 200, 0, 60
	image[(size-1)*size+size-1] = 255
	small := Shrink(image, size, size)
	require.Equal(t, byte(90), small[0])
	require.Equal(t, byte(64), small[Pixels-1])
	require.Equal(t, byte(0), small[1])
}
