package mnist

import "math"

// box is the side of the square that MNIST fits every digit into before it is
// placed in the 28×28 image.
const box = 20

// Frame turns a drawing of any size into a digit as MNIST frames its own:
//
//  1. It cuts out the part that has ink.
//  2. It scales that part, keeping the aspect ratio, so that the longer side is 20 pixels. Each
//     pixel is the mean of the area that it covers.
//  3. It places the centre of mass in pixel (14, 14) of the 28×28 image, counted from 0. MNIST's
//     description says "the centre"; its images show which of the four middle pixels it means.
//
// image holds w×h bytes, row by row, with bright ink on black. A network trained on MNIST has only
// seen digits framed like this, so frame the digits that you ask it to read. Shrink shows what
// happens otherwise. If there is no ink, the result is black.
func Frame(image []byte, w, h int) [Pixels]byte {
	ink := inkBounds(image, w, h)
	if ink.w == 0 {
		return [Pixels]byte{}
	}
	step := float64(max(ink.w, ink.h)) / box
	outW := min(box, int(math.Ceil(float64(ink.w)/step-1e-9)))
	outH := min(box, int(math.Ceil(float64(ink.h)/step-1e-9)))
	small := sample(image, w, h, float64(ink.x), float64(ink.y), step, outW, outH)
	dx, dy := centring(small, outW, outH)
	var framed [Pixels]byte
	for y := range outH {
		for x := range outW {
			// The centring may push a lopsided digit over the edge.
			if tx, ty := x+dx, y+dy; tx >= 0 && tx < Side && ty >= 0 && ty < Side {
				framed[ty*Side+tx] = small[y*outW+x]
			}
		}
	}
	return framed
}

// Shrink scales a whole drawing of w×h bytes down to 28×28, without cropping or centring. Each
// pixel is the mean of the area it covers. The downsample exercise computes this; Frame improves
// on it.
func Shrink(image []byte, w, h int) [Pixels]byte {
	step := float64(max(w, h)) / Side
	return [Pixels]byte(sample(image, w, h, 0, 0, step, Side, Side))
}

// bounds is a rectangle of pixels.
type bounds struct{ x, y, w, h int }

func inkBounds(image []byte, w, h int) bounds {
	left, top, right, bottom := w, h, -1, -1
	for y := range h {
		for x := range w {
			if image[y*w+x] == 0 {
				continue
			}
			left, right = min(left, x), max(right, x)
			top, bottom = min(top, y), max(bottom, y)
		}
	}
	if right < 0 {
		return bounds{}
	}
	return bounds{left, top, right - left + 1, bottom - top + 1}
}

// sample returns outW×outH pixels. Each is the mean of the step×step square of the image that it
// covers; the first square's corner is at (x0, y0). Everything outside the image counts as black.
func sample(image []byte, w, h int, x0, y0, step float64, outW, outH int) []byte {
	out := make([]byte, outW*outH)
	for oy := range outH {
		for ox := range outW {
			out[oy*outW+ox] = mean(image, w, h, x0+float64(ox)*step, y0+float64(oy)*step, step)
		}
	}
	return out
}

func mean(image []byte, w, h int, x0, y0, step float64) byte {
	sum := 0.0
	for y := int(y0); y < h && float64(y) < y0+step; y++ {
		tall := min(float64(y+1), y0+step) - max(float64(y), y0)
		for x := int(x0); x < w && float64(x) < x0+step; x++ {
			wide := min(float64(x+1), x0+step) - max(float64(x), x0)
			sum += tall * wide * float64(image[y*w+x])
		}
	}
	return byte(math.Round(sum / (step * step)))
}

// centring returns the shift, in whole pixels, that moves the centre of mass of a w×h image into
// pixel (14, 14) of the 28×28 image.
func centring(image []byte, w, h int) (dx, dy int) {
	var mass, mx, my float64
	for y := range h {
		for x := range w {
			m := float64(image[y*w+x])
			mass += m
			mx += m * (float64(x) + 0.5)
			my += m * (float64(y) + 0.5)
		}
	}
	if mass == 0 {
		return (Side - w) / 2, (Side - h) / 2
	}
	return Side/2 - int(mx/mass), Side/2 - int(my/mass)
}

// Rasterise draws strokes with a round pen and soft edges onto a black square of size×size pixels.
// The strokes' unit square is the whole image; width is the pen's diameter in the same unit.
func Rasterise(strokes []Stroke, size int, width float64) []byte {
	image := make([]byte, size*size)
	radius := width / 2 * float64(size)
	for _, stroke := range strokes {
		for i, to := range stroke {
			from := stroke[max(i-1, 0)]
			rasteriseSegment(image, size, radius, scaled(from, size), scaled(to, size))
		}
	}
	return image
}

func scaled(p Point, size int) Point { return Point{X: p.X * float64(size), Y: p.Y * float64(size)} }

// rasteriseSegment brightens the pixels whose centres are within radius of the segment. The ink
// fades out over the last pixel of distance.
func rasteriseSegment(image []byte, size int, radius float64, a, b Point) {
	reach := radius + 0.5
	left := max(0, int(min(a.X, b.X)-reach))
	right := min(size-1, int(max(a.X, b.X)+reach))
	top := max(0, int(min(a.Y, b.Y)-reach))
	bottom := min(size-1, int(max(a.Y, b.Y)+reach))
	for y := top; y <= bottom; y++ {
		for x := left; x <= right; x++ {
			squared := squaredDistance(Point{X: float64(x) + 0.5, Y: float64(y) + 0.5}, a, b)
			if squared >= reach*reach {
				continue
			}
			cover := min(1, reach-math.Sqrt(squared))
			image[y*size+x] = max(image[y*size+x], byte(255*cover+0.5))
		}
	}
}

// squaredDistance returns the square of the distance from p to the segment ab.
func squaredDistance(p, a, b Point) float64 {
	dx, dy := b.X-a.X, b.Y-a.Y
	t := 0.0
	if length := dx*dx + dy*dy; length > 0 {
		t = max(0, min(1, ((p.X-a.X)*dx+(p.Y-a.Y)*dy)/length))
	}
	ex, ey := p.X-a.X-t*dx, p.Y-a.Y-t*dy
	return ex*ex + ey*ey
}
