package writer

import (
	"context"
	"math/rand/v2"

	"github.com/wgslab/wgslab/internal/networks/gpt"
)

// A Composition says how a text is written.
type Composition struct {
	Beginning   string
	Letters     int     // to add
	Temperature float64 // below 1: likely letters more often
	Seed        uint32  // the same seed draws the same letters
}

// Compose writes, and reports each letter. It returns the whole text. When ctx ends, it returns
// what there is, and ctx's error.
func Compose(ctx context.Context, by LetterWriter, s Composition, report func(letter uint32)) ([]uint32, error) {
	text, err := gpt.Letters(s.Beginning)
	if err != nil {
		return nil, err
	}
	random := rand.New(rand.NewPCG(uint64(s.Seed), 0))
	for range s.Letters {
		if err := ctx.Err(); err != nil {
			return text, err
		}
		letter, err := by.Next(text, float32(s.Temperature), random.Float32())
		if err != nil {
			return text, err
		}
		text = append(text, letter)
		report(letter)
	}
	return text, nil
}
