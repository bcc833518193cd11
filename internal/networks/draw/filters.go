package draw

import (
	"fmt"

	"github.com/wgslab/wgslab/internal/networks/cnn"
)

// filtersReading is what the network with filters reads and sees, beside the plain one.
type filtersReading struct {
	Probabilities []float32  `json:"probabilities"`
	Layers        []pictures `json:"layers"`
}

// pictures are what the filters of a layer see. A byte of 128 is 0; the largest magnitude is at 1
// or 255.
type pictures struct {
	Title  string `json:"title"`
	Side   int    `json:"side"`
	Values []byte `json:"values"`
}

// prepareFilters makes r.filters of the weights that ship. sources holds the shaders that the plain
// network has, and gets the others.
func (r *reader) prepareFilters(work string, sources map[string]string) error {
	if err := r.choose(work, cnn.Exercises, sources); err != nil {
		return err
	}
	weights, err := cnn.Trained()
	if err != nil {
		return err
	}
	r.filters, err = cnn.NewReader(r.device, weights, sources)
	return err
}

// readFilters reads an image with the network of filters.
func (r *reader) readFilters(pixels []byte) (*filtersReading, error) {
	reading, err := r.filters.Read(pixels)
	if err != nil {
		return nil, fmt.Errorf("running the network with filters: %w", err)
	}
	return &filtersReading{reading.Probabilities, []pictures{
		{"Upper, lower, left and right edges, by four filters made by hand", cnn.Side, shades(reading.Edges)},
		{fmt.Sprintf("What its first %d filters see", cnn.First), cnn.Side, shades(reading.First)},
		{fmt.Sprintf("What its next %d filters see, in the pictures of the first", cnn.Second), cnn.Side / 2, shades(reading.Second)},
	}}, nil
}

// shades rounds values to bytes, as pictures holds them.
func shades(values []float32) []byte {
	largest := float32(0)
	for _, v := range values {
		largest = max(largest, v, -v)
	}
	bytes := make([]byte, len(values))
	for i, v := range values {
		bytes[i] = 128
		if largest > 0 {
			bytes[i] = byte(128 + 127*v/largest)
		}
	}
	return bytes
}
