package bench

import (
	"context"
	"fmt"
	"slices"

	"github.com/wgslab/wgslab/internal/course/ownshaders"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/networks/gpt"
	"github.com/wgslab/wgslab/internal/networks/writer"
)

// A WritingTime is how long the language model takes for a letter, with the letter back on the
// host each time, or after many.
type WritingTime struct {
	Letters int     `json:"letters"` // so far
	Anew    float64 `json:"anew"`    // the course's shaders, without a cache
	Cached  float64 `json:"cached"`  // the course's shaders, one pass each
	Bytes   float64 `json:"bytes"`   // likewise, with weights of eight bits
	Nibbles float64 `json:"nibbles"` // and of four
	Fused   float64 `json:"fused"`   // in one pass
	Many    float64 `json:"many"`    // likewise, with letters of one submission
}

// manyLetters is how many letters one submission writes.
const manyLetters = 20

// lettersSoFar returns lengths of texts that an adapter can write in seconds.
func lettersSoFar(kind shader.AdapterKind) []int {
	if kind == shader.GPU {
		return []int{10, 20, 50, 100, 200, 500, 1000}
	}
	return []int{10, 50, 200}
}

func timeWriting(ctx context.Context, device *gpu.Device, letters, rounds int) (*WritingTime, error) {
	w, err := gpt.Trained()
	if err != nil {
		return nil, err
	}
	text := make([]uint32, letters)
	for i := range text {
		text[i] = uint32(i*i) % uint32(w.Letters)
	}
	t := &WritingTime{Letters: letters}
	sources := map[string]string{}
	ids := writer.ExercisesOfAnew
	for _, format := range writer.WeightFormats {
		ids = slices.Concat(ids, writer.ExercisesOfCached(format))
	}
	for _, id := range ids {
		if sources[id] != "" {
			continue
		}
		source, err := ownshaders.StandIn(ctx, device, id)
		if err != nil {
			return nil, err
		}
		sources[id] = source.Text
	}
	cached := func(i int) func() (writer.LetterWriter, error) {
		return func() (writer.LetterWriter, error) {
			return writer.NewCached(device, w, writer.WeightFormats[i], sources)
		}
	}
	for _, way := range []struct {
		seconds *float64
		open    func() (writer.LetterWriter, error)
	}{
		{&t.Anew, func() (writer.LetterWriter, error) { return writer.NewAnew(device, w, sources) }},
		{&t.Cached, cached(0)},
		{&t.Bytes, cached(1)},
		{&t.Nibbles, cached(2)},
		{&t.Fused, func() (writer.LetterWriter, error) { return writer.NewFused(device, w) }},
	} {
		by, err := way.open()
		if err != nil {
			return nil, err
		}
		if *way.seconds, err = smallest(rounds, func() error {
			_, err := by.Next(text, 1, 0.5)
			return err
		}); err != nil {
			by.Free()
			return nil, fmt.Errorf("after %d letters: %w", letters, err)
		}
		if fused, ok := by.(*writer.Fused); ok {
			random := make([]float32, manyLetters)
			t.Many, err = smallest(rounds, func() error {
				_, err := fused.Extend(text, 1, random)
				return err
			})
			t.Many /= manyLetters
		}
		by.Free()
		if err != nil {
			return nil, err
		}
	}
	return t, nil
}
