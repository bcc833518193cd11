package view

import (
	"fmt"
	"html/template"
	"image"
	"image/color"
	"strings"

	"github.com/wgslab/wgslab/internal/ground/english"
)

const (
	digitSide   = 28
	digitPixels = digitSide * digitSide
	// maxDigits is the maximum number of digits in a grid; each one is about a kilobyte.
	maxDigits = 120
)

// Digits shows handwritten digits as a grid, each with what is known about it: what a network
// read, how sure it was, and whether that is right.
type Digits struct {
	Title      string
	Source     string    // the origin of the digits: "MNIST test images" or "drawn digits"
	Images     []byte    // n·784, row by row, white on black
	Labels     []byte    // the true digits; optional
	Read       []uint32  // the digits that the network read; optional
	Confidence []float32 // how sure the reader was, 0 to 1; optional
}

type digit struct {
	Picture template.URL
	Alt     string
	Mark    Mark
	Main    string // the digit as read, or else as labelled
	Side    string // how sure the network was
	Under   string // the true digit, if it was misread
}

type digitsLayout struct {
	Title, Source string
	Digits        []digit
	LeftOut       string
}

// HTML renders the grid.
func (d Digits) HTML() template.HTML {
	layout := digitsLayout{Title: d.Title, Source: d.Source}
	for i := range min(d.count(), maxDigits) {
		one := d.describe(i)
		one.Picture = pngAddress(enlarge(d.image(i)))
		layout.Digits = append(layout.Digits, one)
	}
	if more := d.count() - maxDigits; more > 0 {
		layout.LeftOut = fmt.Sprintf("… and %s more", english.Thousands(more))
	}
	return render("digits", layout)
}

// Text renders up to ten digits in dots, five per row, and lists the rest of the grid.
func (d Digits) Text() string {
	const inDots, across = 10, 5
	lines := titled(d.Title, d.Source)
	shown := min(d.count(), maxDigits)
	if len(d.Labels)+len(d.Read)+len(d.Confidence) == 0 {
		shown = min(shown, inDots) // there is nothing to list
	}
	for first := 0; first < min(shown, inDots); first += across {
		lines = append(lines, d.dotRow(first, min(first+across, shown, inDots))...)
	}
	for i := inDots; i < shown; i++ {
		lines = append(lines, fmt.Sprintf("%4d: %s", i, d.describe(i).caption()))
	}
	if more := d.count() - shown; more > 0 {
		lines = append(lines, fmt.Sprintf("… and %s more", english.Thousands(more)))
	}
	return strings.Join(lines, "\n")
}

func (d Digits) count() int { return len(d.Images) / digitPixels }

func (d Digits) image(i int) []byte { return d.Images[i*digitPixels : (i+1)*digitPixels] }

func (d Digits) describe(i int) digit {
	var one digit
	labelled, read := i < len(d.Labels), i < len(d.Read)
	switch {
	case read:
		one.Main = fmt.Sprint(d.Read[i])
		one.Alt = "a handwritten digit, read as " + one.Main
	case labelled:
		one.Main = fmt.Sprint(d.Labels[i])
		one.Alt = "a handwritten " + one.Main
	default:
		one.Alt = "a handwritten digit"
	}
	if i < len(d.Confidence) {
		one.Side = fmt.Sprintf("%.1f %%", 100*d.Confidence[i])
		one.Alt += " with " + one.Side
	}
	if read && labelled {
		one.Mark = Good
		one.Alt += ", right"
		if d.Read[i] != uint32(d.Labels[i]) {
			one.Mark = Bad
			one.Under = fmt.Sprintf("is %d", d.Labels[i])
			one.Alt = strings.TrimSuffix(one.Alt, ", right") + ", but it " + one.Under
		}
	}
	return one
}

// caption returns the short text form of the labels around the picture.
func (o digit) caption() string {
	words := []string{o.Main, o.Side, o.Under}
	if o.Mark != Neutral {
		words = append([]string{o.Mark.Sign()}, words...)
	}
	return strings.Join(strings.Fields(strings.Join(words, " ")), " ")
}

// enlarge doubles a digit's pixels, which keeps them sharp on pages that cannot ask for it.
func enlarge(pixels []byte) image.Image {
	const factor = 2
	picture := image.NewGray(image.Rect(0, 0, factor*digitSide, factor*digitSide))
	for y := range factor * digitSide {
		for x := range factor * digitSide {
			picture.SetGray(x, y, color.Gray{Y: pixels[y/factor*digitSide+x/factor]})
		}
	}
	return picture
}

// dotRow draws the digits from first to end-1 side by side, with their captions.
func (d Digits) dotRow(first, end int) []string {
	const gap = "  "
	lines := make([]string, digitSide/4+1)
	for i := first; i < end; i++ {
		for y, dots := range braille(d.image(i)) {
			lines[y] += dots + gap
		}
		lines[digitSide/4] += padRight(d.describe(i).caption(), digitSide/2) + gap
	}
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	if lines[digitSide/4] == "" { // there are no captions
		lines = lines[:digitSide/4]
	}
	return lines
}

// braille draws a digit in Braille characters of 2×4 dots, 14 across and 7 down.
func braille(pixels []byte) []string {
	// The bit of each dot in Unicode's Braille block, U+2800: [row][column].
	bits := [4][2]rune{{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}}
	lines := make([]string, digitSide/4)
	for y := range lines {
		for x := range digitSide / 2 {
			char := rune(0x2800)
			for dy := range 4 {
				for dx := range 2 {
					if pixels[(4*y+dy)*digitSide+2*x+dx] > 96 {
						char |= bits[dy][dx]
					}
				}
			}
			lines[y] += string(char)
		}
	}
	return lines
}
