package draw

import (
	"fmt"
	"math"

	"github.com/wgslab/wgslab/internal/networks/vit"
)

// attention is what the transformer reads, and where its heads look.
type attention struct {
	Probabilities []float32 `json:"probabilities"`
	Looks         [][]byte  `json:"looks"` // a layer each: heads × 16 × 16; 255 is everything
}

// prepareAttention makes r.attention of the weights that ship. sources holds the shaders that the
// other networks have, and gets the rest.
func (r *reader) prepareAttention(work string, sources map[string]string) error {
	if err := r.choose(work, vit.Exercises, sources); err != nil {
		return err
	}
	weights, err := vit.Trained()
	if err != nil {
		return err
	}
	r.attention, err = vit.NewReader(r.device, weights, sources)
	return err
}

// readAttention reads an image with the transformer, without some of its heads.
func (r *reader) readAttention(pixels []byte, off vit.Off) (*attention, error) {
	reading, err := r.attention.Read(pixels, off)
	if err != nil {
		return nil, fmt.Errorf("running the transformer: %w", err)
	}
	a := &attention{Probabilities: reading.Probabilities}
	for _, looks := range reading.Looks {
		bytes := make([]byte, len(looks))
		for i, share := range looks {
			bytes[i] = byte(math.Round(255 * float64(min(1, max(0, share)))))
		}
		a.Looks = append(a.Looks, bytes)
	}
	return a, nil
}

// offOf reads which heads are off: a character for each, layer after layer, of which 1 is off.
func offOf(text string) (off vit.Off) {
	for i := range min(len(text), vit.Layers*vit.Heads) {
		off[i/vit.Heads][i%vit.Heads] = text[i] == '1'
	}
	return off
}
