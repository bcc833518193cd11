package course

import (
	"cmp"
	"hash/maphash"
	"slices"

	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// MostAlike returns the misconceptions in the order in which their texts resemble a shader's text.
// A learner's mistake is mostly written like the one that is known.
func MostAlike(text string, misconceptions []*Misconception) []*Misconception {
	learners := shapeOf(text)
	likeness := map[*Misconception]float64{}
	for _, m := range misconceptions {
		likeness[m] = learners.likeness(m.shape())
	}
	ordered := slices.Clone(misconceptions)
	slices.SortStableFunc(ordered, func(a, b *Misconception) int { return cmp.Compare(likeness[b], likeness[a]) })
	return ordered
}

// A shape holds a text's runs of five tokens, as sorted hashes. Names count as they are:
// dims.rows and dims.cols are often the whole difference.
type shape []uint64

var shapeSeed = maphash.MakeSeed()

func shapeOf(text string) shape {
	source := syntax.NewSource("", text)
	tokens := syntax.Tokens(source)
	s := make(shape, len(tokens))
	var run [5]string
	for i, token := range tokens {
		run = [5]string{run[1], run[2], run[3], run[4], source.Slice(token)}
		s[i] = maphash.Comparable(shapeSeed, run)
	}
	slices.Sort(s)
	return s
}

// likeness is the Jaccard index of two shapes: the share of their runs that both have.
func (s shape) likeness(t shape) float64 {
	both := 0
	for i, j := 0, 0; i < len(s) && j < len(t); {
		switch cmp.Compare(s[i], t[j]) {
		case -1:
			i++
		case 1:
			j++
		default:
			both, i, j = both+1, i+1, j+1
		}
	}
	return float64(both) / float64(len(s)+len(t)-both)
}
