package course_test

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/judge/evidence"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// seedsOfReferences is the number of seeds; make acceptance uses more.
var seedsOfReferences = 2

// What a reference shader leaves in the simulator, in 64 bits, is what Go computes: at most the
// rounding to f32 differs. The log compares the margins with the tolerances.
func TestReferencesComputeWhatGoComputes(t *testing.T) {
	for _, e := range course.All() {
		t.Run(e.ID, func(t *testing.T) {
			worst, least, most, elements := 0.0, math.Inf(1), 0.0, 0
			for seed := range uint64(seedsOfReferences) {
				for _, c := range e.Draw(seed) {
					want := inGo[e.ID].output(c)
					allowed := course.Tolerance{}
					if f := inGo[e.ID].tolerance; f != nil {
						allowed = f(c)
					}
					x, err := evidence.In(t.Context(), e, c)
					require.NoError(t, err)
					require.Empty(t, x.Undecided, c.Name)
					for i := range want.Len() {
						off := math.Abs(x.Output.At(i) - want.At(i))
						// A require for each of a million elements takes longer than the reference.
						if rounding := max(math.Abs(want.At(i)), 0x1p-126) * 0x1p-23; !(off <= rounding) {
							require.LessOrEqual(t, off, rounding, "seed %d, %s, element %d", seed, c.Name, i)
						}
						worst, elements = max(worst, off/max(math.Abs(want.At(i)), 0x1p-126)), elements+1
						margin, by := x.Allowed.At(i).Absolute, allowed.Absolute+allowed.Relative*math.Abs(want.At(i))
						if math.IsInf(margin, 0) || math.IsNaN(margin) || by == 0 && margin != 0 {
							require.FailNow(t, "the margin is wrong", "it is %v; %s, element %d", margin, c.Name, i)
						}
						if by == 0 {
							continue
						}
						least, most = min(least, margin/by), max(most, margin/by)
					}
				}
			}
			shares := "there is no margin, and none was thought out"
			if most > 0 {
				shares = fmt.Sprintf("margins are %.3g to %.3g of the tolerance that was thought out", least, most)
			}
			t.Logf("%d elements: the largest relative difference is %.2g; %s", elements, worst, shares)
		})
	}
}

// A written is the right output of a case, computed in Go, and a tolerance that was thought out for
// it.
type written struct {
	output    func(course.Case) course.Buffer
	tolerance func(course.Case) course.Tolerance // nil means not at all
}

// inGo are the right outputs of the exercises by id.
var inGo = map[string]written{
	"hello":           {helloNumbers, nil},
	"add":             {sumOf, func(c course.Case) course.Tolerance { return rounded(1, sumScale(c)) }},
	"vector-add":      {sumOf, func(c course.Case) course.Tolerance { return rounded(1, sumScale(c)) }},
	"find-vector-add": {sumOf, func(c course.Case) course.Tolerance { return rounded(1, sumScale(c)) }},
	"find-row-max":    {largestOfRows, nil},
	// Two operations, or one fused.
	"saxpy": {axpy, func(c course.Case) course.Tolerance {
		return rounded(2, abs(uniformF32(c, 0, 0))*magnitude(c.Buffers[1].Floats())+magnitude(c.Buffers[2].Floats()))
	}},
	"iota-2d":       {placeNumbers, nil},
	"row-sum":       {sumsOfRows, func(c course.Case) course.Tolerance { return sumTolerance(matrixOf(c)) }},
	"transpose":     {transposed, nil},
	"matmul":        {productReference, productTolerance},
	"matmul-tiled":  {productReference, productTolerance},
	"relu":          {func(c course.Case) course.Buffer { return activated(c, func(x float64) float64 { return max(x, 0) }) }, nil},
	"order-flip":    {flipped, nil},
	"leaky-relu":    {leakyReference, func(c course.Case) course.Tolerance { return rounded(1, magnitude(c.Buffers[1].Floats())) }},
	"quiz-chess":    {chessboard, nil},
	"quiz-contrast": {contrasted, func(course.Case) course.Tolerance { return rounded(2, 4) }}, // a product and a sum below 4
	"quiz-climb": {climbed, func(c course.Case) course.Tolerance {
		return rounded(2, 2*float64(matrixOf(c).cols)*magnitude(c.Buffers[1].Floats()))
	}},
	"reverse-64":     {reversedBlocks, nil},
	"order-sum-tree": {sumsOfSquares, func(c course.Case) course.Tolerance { return squaresTolerance(blocksOf(c)) }},
	"sum-64":         {func(c course.Case) course.Buffer { return blocksOf(c).sums() }, func(c course.Case) course.Tolerance { return sumTolerance(blocksOf(c)) }},
	"row-max":        {largestOfRows, nil},
	"softmax":        {softmaxReference, softmaxTolerance},
	"find-softmax":   {softmaxReference, softmaxTolerance},
	"linear":         {productReference, productTolerance},
	"quiz-bits":      {bitsAbove, nil},
	"quiz-rescale":   {rescaledRows, func(course.Case) course.Tolerance { return rounded(3, 1) }},
	"quiz-nearest":   {nearestExamples, nil},
	"quiz-votes":     {rowsInFavour, nil},
	"quiz-ridges":    {ridges, nil},
	"quiz-log-sum":   {logSums, func(course.Case) course.Tolerance { return rounded(1100, 120) }},
	"find-linear":    {productReference, productTolerance},
	"linear-relu":    {layerWithBend, productTolerance},
	// A logarithm has an absolute error of 2^-21, or 3 units in the last place.
	"loss-grad":        {crossEntropies, func(course.Case) course.Tolerance { return rounded(4, 4) }},
	"grad-weights":     {gradientOfWeights, gradientOfWeightsTolerance},
	"grad-hidden":      {gradientOfHidden, func(c course.Case) course.Tolerance { return productTolerance(throughTransposed(c)) }},
	"find-grad-hidden": {gradientOfHidden, func(c course.Case) course.Tolerance { return productTolerance(throughTransposed(c)) }},
	"order-momentum":   {stepWithMomentum, func(c course.Case) course.Tolerance { return rounded(6, 100) }},
	"grad-bias":        {sumsOfColumns, func(c course.Case) course.Tolerance { return sumTolerance(columnsOf(c)) }},
	"sgd": {stepDownhill, func(c course.Case) course.Tolerance {
		return rounded(2, uniformF32(c, 0, 1)*magnitude(c.Buffers[1].Floats())+magnitude(c.Buffers[2].Floats()))
	}},
	"adam":          {stepOfAdam, func(course.Case) course.Tolerance { return course.Tolerance{Absolute: 1e-5, Relative: 1e-5} }},
	"normalize":     {normalized, func(course.Case) course.Tolerance { return rounded(4, 4) }},
	"argmax":        {rowIndices, nil},
	"argmax-shared": {rowIndices, nil},
	"downsample": {averaged, func(c course.Case) course.Tolerance {
		// The sum of a block, and a division.
		block := pictureOf(c).block()
		return rounded(block*block+3, magnitude(c.Buffers[1].Floats()))
	}},
	"copy-2d":          {func(c course.Case) course.Buffer { return c.Buffers[1] }, nil},
	"transpose-fast":   {transposed, nil},
	"sum-fast":         {func(c course.Case) course.Buffer { return blocksOf(c).sums() }, func(c course.Case) course.Tolerance { return sumTolerance(blocksOf(c)) }},
	"matmul-registers": {productReference, productTolerance},

	// Up to 9 products for each channel, and a bias.
	"blur-1d":         {tapped, func(c course.Case) course.Tolerance { return convTolerance(c, 5) }},
	"conv-2d":         {convolved, func(c course.Case) course.Tolerance { return convTolerance(c, 9*uniformU32(c, 0, 2)) }},
	"conv-tiled":      {convolved, func(c course.Case) course.Tolerance { return convTolerance(c, 9*uniformU32(c, 0, 2)) }},
	"find-conv-tiled": {convolved, func(c course.Case) course.Tolerance { return convTolerance(c, 9*uniformU32(c, 0, 2)) }},
	"max-pool":        {pooled, nil},

	"patches":          {cut, nil},
	"scores":           {scored, func(c course.Case) course.Tolerance { return attentionTolerance(c, uniformU32(c, 0, 1)) }},
	"mix":              {mixedValues, func(c course.Case) course.Tolerance { return attentionTolerance(c, uniformU32(c, 0, 0)) }},
	"layer-norm":       {rowsNormalized, func(course.Case) course.Tolerance { return course.Tolerance{Absolute: 2e-3, Relative: 1e-3} }},
	"gelu":             {bentSmoothly, func(course.Case) course.Tolerance { return rounded(200, 4) }},
	"attention-online": {attended, func(course.Case) course.Tolerance { return course.Tolerance{Absolute: 1e-2} }},
	"absmax":           {scalesOfRows, func(c course.Case) course.Tolerance { return rounded(3, magnitude(c.Buffers[1].Floats())/127) }},
	"quantize":         {quantized, nil},
	"linear-int8":      {linearInBytes, scaledTolerance},

	"find-attention-online": {attended, func(course.Case) course.Tolerance { return course.Tolerance{Absolute: 1e-2} }},
	"find-linear-int8":      {linearInBytes, scaledTolerance},

	"embed":         {rowsOfLetters, nil},
	"causal-scores": {scoredCausally, func(c course.Case) course.Tolerance { return attentionTolerance(c, uniformU32(c, 0, 1)) }},
	"append":        {appended, nil},
	"attend":        {lookedBack, func(course.Case) course.Tolerance { return course.Tolerance{Absolute: 1e-2} }},
	"find-attend":   {lookedBack, func(course.Case) course.Tolerance { return course.Tolerance{Absolute: 1e-2} }},
	"sample":        {letterDrawn, nil},
	"top-k":         {bestKept, nil},

	"sum-together":      {sumsOf256, func(c course.Case) course.Tolerance { return rounded(256, 256*magnitude(c.Buffers[0].Floats())) }},
	"find-sum-together": {sumsOf256, func(c course.Case) course.Tolerance { return rounded(256, 256*magnitude(c.Buffers[0].Floats())) }},
	"scan-together":     {func(c course.Case) course.Buffer { return sumsBefore(c, 256) }, nil},
	"softmax-together":  {softmaxReference, softmaxTolerance},
	"gemv":              {func(c course.Case) course.Buffer { return rowTimes(c, c.Buffers[2].Floats()) }, rowTolerance},
	"gemv-half":         {func(c course.Case) course.Buffer { return rowTimes(c, halvesOf(c.Buffers[2])) }, rowTolerance},

	"count-up":      {inkCounted, nil},
	"histogram":     {bytesCounted, nil},
	"ink-box":       {inkBox, nil},
	"scan-256":      {func(c course.Case) course.Buffer { return sumsBefore(c, 256) }, nil},
	"find-scan-256": {func(c course.Case) course.Buffer { return sumsBefore(c, 256) }, nil},
	"scan":          {func(c course.Case) course.Buffer { return sumsBefore(c, c.Buffers[0].Len()) }, nil},
	"compact":       {inkListed, nil},
	"frame":         {framedInk, func(course.Case) course.Tolerance { return course.Tolerance{Absolute: 1e-5, Relative: 1e-4} }},
}

// cut returns the patches of an image, counted in rows, with their pixels in rows.
func cut(c course.Case) course.Buffer {
	side, p, image := uniformU32(c, 0, 0), uniformU32(c, 0, 1), c.Buffers[1].Floats()
	across := side / p
	return each(side*side, func(i int) float64 {
		patch, pixel := i/(p*p), i%(p*p)
		return float64(image[(patch/across*p+pixel/p)*side+patch%across*p+pixel%p])
	})
}

// A tokens is one of the matrices of an attention layer: a row for each token, in which the heads
// are side by side.
type tokens struct {
	t, d, heads int
	x           []float32
}

// tokensIn decodes a binding of an exercise about attention.
func tokensIn(c course.Case, binding int) tokens {
	t, d, x := uniformU32(c, 0, 0), uniformU32(c, 0, 1), c.Buffers[binding].Floats()
	return tokens{t, d, len(x) / (t * d), x}
}

// at returns number i of a token in a head.
func (t tokens) at(token, head, i int) float64 { return float64(t.x[(token*t.heads+head)*t.d+i]) }

// mixed adds up the values of all tokens, each times its share.
func (t tokens) mixed(share func(head, row, column int) float64) course.Buffer {
	return each(len(t.x), func(i int) float64 {
		sum := 0.0
		for column := range t.t {
			sum += share(i/t.d%t.heads, i/t.d/t.heads, column) * t.at(column, i/t.d%t.heads, i%t.d)
		}
		return sum
	})
}

// score returns the product of a query and a key in a head, divided by the root of d.
func score(c course.Case, head, row, column int) float64 {
	q, k, sum := tokensIn(c, 1), tokensIn(c, 2), 0.0
	for i := range q.d {
		sum += q.at(row, head, i) * k.at(column, head, i)
	}
	return sum / math.Sqrt(float64(q.d))
}

// scored returns the scores of all queries and keys, head by head.
func scored(c course.Case) course.Buffer {
	t := uniformU32(c, 0, 0)
	return each(c.Buffers[3].Len(), func(i int) float64 { return score(c, i/(t*t), i/t%t, i%t) })
}

// mixedValues mixes the values by the shares of the case.
func mixedValues(c course.Case) course.Buffer {
	v, p := tokensIn(c, 2), c.Buffers[1].Floats()
	return v.mixed(func(head, row, column int) float64 { return float64(p[(head*v.t+row)*v.t+column]) })
}

// attended mixes the values by the softmax of the scores.
func attended(c course.Case) course.Buffer {
	v := tokensIn(c, 3)
	shares := make([]float64, 0, v.heads*v.t*v.t)
	for i := range v.heads * v.t {
		largest, total, row := math.Inf(-1), 0.0, make([]float64, v.t)
		for column := range row {
			row[column] = score(c, i/v.t, i%v.t, column)
			largest = max(largest, row[column])
		}
		for column := range row {
			row[column] = math.Exp(row[column] - largest)
			total += row[column]
		}
		for _, weight := range row {
			shares = append(shares, weight/total)
		}
	}
	return v.mixed(func(head, row, column int) float64 { return shares[(head*v.t+row)*v.t+column] })
}

// attentionTolerance is for a sum of the given number of products, divided once.
func attentionTolerance(c course.Case, products int) course.Tolerance {
	return rounded(products+6, float64(products)*magnitude(c.Buffers[1].Floats())*magnitude(c.Buffers[2].Floats()))
}

// hidden is the score of a letter that may not be seen or chosen.
const hidden = -1e30

// slopeOf returns how much a head takes off a score for each letter back.
func slopeOf(head, heads int) float64 { return math.Exp2(-8 * float64(head+1) / float64(heads)) }

// rowsOfLetters returns the row of the table for each letter of a text.
func rowsOfLetters(c course.Case) course.Buffer {
	width, letters := uniformU32(c, 0, 1), c.Buffers[1].Uints()
	return each(c.Buffers[3].Len(), func(i int) float64 { return f32At(c, 2, int(letters[i/width])*width+i%width) })
}

// scoredCausally returns the scores of all queries with their own and the earlier keys.
func scoredCausally(c course.Case) course.Buffer {
	q := tokensIn(c, 1)
	return each(c.Buffers[3].Len(), func(i int) float64 {
		head, row, column := i/(q.t*q.t), i/q.t%q.t, i%q.t
		if column > row {
			return hidden
		}
		return score(c, head, row, column) - slopeOf(head, q.heads)*float64(row-column)
	})
}

// appended returns a cache with a new row.
func appended(c course.Case) course.Buffer {
	n, at := uniformU32(c, 0, 0), uniformU32(c, 0, 1)
	return each(c.Buffers[2].Len(), func(i int) float64 {
		if i/n == at {
			return f32At(c, 1, i%n)
		}
		return f32At(c, 2, i)
	})
}

// lookedBack mixes the values in a cache by the softmax of the newest letter's scores.
func lookedBack(c course.Case) course.Buffer {
	t, d := uniformU32(c, 0, 0), uniformU32(c, 0, 1)
	heads := c.Buffers[1].Len() / d
	return each(heads*d, func(i int) float64 {
		head, largest, scores := i/d, math.Inf(-1), make([]float64, t)
		for j := range scores {
			for m := range d {
				scores[j] += f32At(c, 1, head*d+m) * f32At(c, 2, (j*heads+head)*d+m)
			}
			scores[j] = scores[j]/math.Sqrt(float64(d)) - slopeOf(head, heads)*float64(t-1-j)
			largest = max(largest, scores[j])
		}
		mixed, total := 0.0, 0.0
		for j, score := range scores {
			weight := math.Exp(score - largest)
			total += weight
			mixed += weight * f32At(c, 3, (j*heads+head)*d+i%d)
		}
		return mixed / total
	})
}

// letterDrawn returns the letter whose piece of the line from 0 to the total of the weights holds
// the random number.
func letterDrawn(c course.Case) course.Buffer {
	scores, temperature, total := c.Buffers[1].Floats(), uniformF32(c, 0, 1), 0.0
	largest := float64(slices.Max(scores))
	weights := make([]float64, len(scores))
	for i, score := range scores {
		weights[i] = math.Exp((float64(score) - largest) / temperature)
		total += weights[i]
	}
	point, sum := uniformF32(c, 0, 2)*total, 0.0
	return eachU32(1, func(int) uint32 {
		return uint32(slices.IndexFunc(weights, func(weight float64) bool {
			sum += weight
			return sum > point
		}))
	})
}

// bestKept hides all but the k largest scores; of equal ones, the first are larger.
func bestKept(c course.Case) course.Buffer {
	scores := c.Buffers[1].Floats()
	order := make([]int, len(scores))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	best := order[:min(uniformU32(c, 0, 1), len(order))]
	return each(len(scores), func(i int) float64 {
		if slices.Contains(best, i) {
			return float64(scores[i])
		}
		return hidden
	})
}

// rowsNormalized gives each row mean 0 and variance 1, then gain and bias.
func rowsNormalized(c course.Case) course.Buffer {
	m := matrixOf(c)
	n := float64(m.cols)
	return each(m.rows*m.cols, func(i int) float64 {
		row, mean, variance := m.row(i/m.cols), 0.0, 0.0
		for _, x := range row {
			mean += x / n
		}
		for _, x := range row {
			variance += (x - mean) * (x - mean) / n
		}
		return (row[i%m.cols]-mean)/math.Sqrt(variance+float64(float32(1e-5)))*f32At(c, 2, i%m.cols) + f32At(c, 3, i%m.cols)
	})
}

// bentSmoothly applies gelu, with the formula for its step.
func bentSmoothly(c course.Case) course.Buffer {
	return each(c.Buffers[1].Len(), func(i int) float64 {
		x := f32At(c, 1, i)
		return 0.5 * x * (1 + math.Tanh(float64(float32(0.7978846))*(x+float64(float32(0.044715))*x*x*x)))
	})
}

// scalesOfRows returns the scale of each row: its largest magnitude divided by 127, or 1 for zeros.
func scalesOfRows(c course.Case) course.Buffer {
	m := matrixOf(c)
	return each(m.rows, func(r int) float64 {
		largest := 0.0
		for _, x := range m.row(r) {
			largest = max(largest, math.Abs(x))
		}
		if largest == 0 {
			return 1
		}
		return largest / 127
	})
}

// quantized packs numbers as signed bytes, four to a word, in steps of their row's scale.
func quantized(c course.Case) course.Buffer {
	x, cols := c.Buffers[1].Floats(), uniformU32(c, 0, 1)
	return eachU32(len(x)/4, func(word int) (packed uint32) {
		for i := range 4 {
			place := 4*word + i
			q := int8(math.Round(float64(x[place]) / f32At(c, 2, place/cols)))
			packed |= uint32(uint8(q)) << (8 * i)
		}
		return packed
	})
}

// linearInBytes multiplies rows of signed bytes, scales the sums and adds biases.
func linearInBytes(c course.Case) course.Buffer {
	m, n, k := uniformU32(c, 0, 0), uniformU32(c, 0, 1), uniformU32(c, 0, 2)
	signed := func(binding, place int) int { return int(int8(c.Buffers[binding].Bytes[place])) }
	return each(m*n, func(i int) float64 {
		row, column, sum := i/n, i%n, 0
		for at := range k {
			sum += signed(1, row*k+at) * signed(3, column*k+at)
		}
		return float64(sum)*f32At(c, 2, row)*f32At(c, 4, column) + f32At(c, 5, column)
	})
}

// scaledTolerance is that of a sum of products of signed bytes after both scales and a bias.
func scaledTolerance(c course.Case) course.Tolerance {
	const mostProduct = 128 * 128
	k := float64(uniformU32(c, 0, 2))
	return rounded(5, k*mostProduct*magnitude(c.Buffers[2].Floats())*magnitude(c.Buffers[4].Floats())+magnitude(c.Buffers[5].Floats()))
}

// tapped adds up five neighbours of each element, times their weights.
func tapped(c course.Case) course.Buffer {
	x, k := c.Buffers[1].Floats(), c.Buffers[2].Floats()
	return each(len(x), func(i int) float64 {
		sum := 0.0
		for tap, weight := range k {
			if at := i + tap - 2; at >= 0 && at < len(x) {
				sum += float64(weight) * float64(x[at])
			}
		}
		return sum
	})
}

// convolved runs filters of 3 × 3 over all channels. A case without biases has one filter.
func convolved(c course.Case) course.Buffer {
	w, h, ch := uniformU32(c, 0, 0), uniformU32(c, 0, 1), uniformU32(c, 0, 2)
	x, weights := c.Buffers[1].Floats(), c.Buffers[2].Floats()
	bias := make([]float32, 1)
	if len(c.Buffers) == 5 {
		bias = c.Buffers[3].Floats()
	}
	return each(len(bias)*w*h, func(i int) float64 {
		filter, row, column := i/(w*h), i/w%h, i%w
		sum := float64(bias[filter])
		for at, value := range x {
			down, right := at/w%h-row, at%w-column
			if max(abs(float64(down)), abs(float64(right))) <= 1 {
				sum += float64(value) * float64(weights[(filter*ch+at/(w*h))*9+(down+1)*3+right+1])
			}
		}
		return sum
	})
}

// convTolerance is for a sum of the given number of products, and a bias.
func convTolerance(c course.Case, products int) course.Tolerance {
	const bias = 10 // no case has a larger one
	return rounded(products+1, float64(products)*magnitude(c.Buffers[1].Floats())*magnitude(c.Buffers[2].Floats())+bias)
}

// pooled returns the largest of each square of 2 × 2.
func pooled(c course.Case) course.Buffer {
	w, h, ch, x := uniformU32(c, 0, 0), uniformU32(c, 0, 1), uniformU32(c, 0, 2), c.Buffers[1].Floats()
	wide, high := w/2, h/2
	return each(ch*wide*high, func(i int) float64 {
		at := (i/(wide*high)*h+i/wide%high*2)*w + i%wide*2
		return float64(max(x[at], x[at+1], x[at+w], x[at+w+1]))
	})
}

// bytesCounted adds the counts of the first n bytes to the bins.
func bytesCounted(c course.Case) course.Buffer {
	words, bins := c.Buffers[1].Uints(), slices.Clone(c.Buffers[2].Uints())
	for i := range uniformU32(c, 0, 0) {
		bins[words[i/4]>>(8*(i%4))&255]++
	}
	return eachU32(len(bins), func(i int) uint32 { return bins[i] })
}

// inkBox returns the smallest and largest columns and rows above the threshold.
func inkBox(c course.Case) course.Buffer {
	w, threshold, box := uniformU32(c, 0, 0), uniformF32(c, 0, 2), slices.Clone(c.Buffers[2].Uints())
	for i, ink := range c.Buffers[1].Floats() {
		if float64(ink) > threshold {
			x, y := uint32(i%w), uint32(i/w)
			box[0], box[1], box[2], box[3] = min(box[0], x), min(box[1], y), max(box[2], x), max(box[3], y)
		}
	}
	return eachU32(4, func(i int) uint32 { return box[i] })
}

// sumsBefore returns the sum of the elements before each one in its block.
func sumsBefore(c course.Case, block int) course.Buffer {
	x, sum := c.Buffers[0].Uints(), uint32(0)
	return eachU32(len(x), func(i int) uint32 {
		if i%block == 0 {
			sum = 0
		}
		before := sum
		sum += x[i]
		return before
	})
}

// inkListed lists the pixels above 0.
func inkListed(c course.Case) course.Buffer {
	list := slices.Clone(c.Buffers[2].Uints())
	found := 0
	for i, ink := range c.Buffers[0].Floats() {
		if ink > 0 {
			list[found] = uint32(i)
			found++
		}
	}
	return eachU32(len(list), func(i int) uint32 { return list[i] })
}

// framedInk frames the box of an image as MNIST does, with areas in whole twentieths.
func framedInk(c course.Case) course.Buffer {
	const fit, side = 20, 28
	w, image, box := uniformU32(c, 0, 0), c.Buffers[1].Floats(), c.Buffers[2].Uints()
	if box[0] > box[2] {
		return each(side*side, func(int) float64 { return 0 })
	}
	left, top := int(box[0]), int(box[1])
	wide, high := int(box[2])-left+1, int(box[3])-top+1
	step := max(wide, high)
	outWide, outHigh := (wide*fit+step-1)/step, (high*fit+step-1)/step
	overlap := func(pixel, begin int) float64 {
		return float64(max(0, min((pixel+1)*fit, begin+step)-max(pixel*fit, begin)))
	}
	var digit [fit * fit]float64
	mass, mx, my := 0.0, 0.0, 0.0
	for oy := range outHigh {
		for ox := range outWide {
			x0, y0, sum := left*fit+ox*step, top*fit+oy*step, 0.0
			for i, ink := range image {
				sum += overlap(i%w, x0) * overlap(i/w, y0) * float64(ink)
			}
			ink := sum / float64(step*step)
			digit[oy*fit+ox] = ink
			mass, mx, my = mass+ink, mx+ink*(float64(ox)+0.5), my+ink*(float64(oy)+0.5)
		}
	}
	return each(side*side, func(i int) float64 {
		x, y := i%side-side/2+int(mx/mass), i/side-side/2+int(my/mass)
		if x < 0 || x >= outWide || y < 0 || y >= outHigh {
			return 0
		}
		return digit[y*fit+x]
	})
}

// inkCounted adds the number of pixels above 0 to the total.
func inkCounted(c course.Case) course.Buffer {
	total := c.Buffers[1].Uints()[0]
	for _, ink := range c.Buffers[0].Floats() {
		if ink > 0 {
			total++
		}
	}
	return eachU32(1, func(int) uint32 { return total })
}

// helloNumbers returns the right answer: each element holds its own index.
func helloNumbers(c course.Case) course.Buffer {
	return eachU32(c.Buffers[0].Len(), func(i int) uint32 { return uint32(i) })
}

func sumOf(c course.Case) course.Buffer {
	return each(c.Buffers[2].Len(), func(i int) float64 { return f32At(c, 0, i) + f32At(c, 1, i) })
}

// sumScale returns the largest sum of magnitudes, which rounding errors are relative to.
func sumScale(c course.Case) float64 {
	scale := 0.0
	for i := range c.Buffers[0].Floats() {
		scale = max(scale, abs(f32At(c, 0, i))+abs(f32At(c, 1, i)))
	}
	return scale
}

func abs(x float64) float64 { return max(x, -x) }

// axpy updates the first n elements.
func axpy(c course.Case) course.Buffer {
	alpha, y := uniformF32(c, 0, 0), c.Buffers[2]
	full := each(y.Len(), func(i int) float64 { return alpha*f32At(c, 1, i) + y.At(i) })
	return onlyFirst(uniformU32(c, 0, 1), full, y)
}

// placeNumbers gives every place of a matrix a number that shows its row and its column.
func placeNumbers(c course.Case) course.Buffer {
	columns := uniformU32(c, 0, 1)
	return eachU32(c.Buffers[1].Len(), func(i int) uint32 { return uint32(i/columns*1000 + i%columns) })
}

// A product is a case in decoded form.
type product struct {
	m, n, k int
	a, b    []float32
	bias    []float32 // nil if there is none
}

func productOf(c course.Case) product {
	p := product{
		m: uniformU32(c, 0, 0),
		n: uniformU32(c, 0, 1),
		k: uniformU32(c, 0, 2),
		a: c.Buffers[1].Floats(), b: c.Buffers[2].Floats(),
	}
	if len(c.Buffers) > 4 {
		p.bias = c.Buffers[3].Floats()
	}
	return p
}

// productReference sums a row of a times a column of b, plus the column's bias if there is one.
func productReference(c course.Case) course.Buffer {
	p := productOf(c)
	return each(p.m*p.n, func(i int) float64 {
		row, column := i/p.n, i%p.n
		total := 0.0
		for step := range p.k {
			total += float64(p.a[row*p.k+step]) * float64(p.b[step*p.n+column])
		}
		if p.bias != nil {
			total += float64(p.bias[column])
		}
		return total
	})
}

// layerWithBend is linear, and 0 in place of what is below zero.
func layerWithBend(c course.Case) course.Buffer {
	out := productReference(c)
	return each(out.Len(), func(i int) float64 { return max(out.At(i), 0) })
}

// productTolerance returns the tolerance for k products and their sum. The largest sum of
// magnitudes in a row of a, times the largest element of b, is an upper bound for every sum of
// magnitudes.
func productTolerance(c course.Case) course.Tolerance {
	p := productOf(c)
	rowSum := 0.0
	for row := range p.m {
		sum := 0.0
		for _, v := range p.a[row*p.k : (row+1)*p.k] {
			sum += abs(float64(v))
		}
		rowSum = max(rowSum, sum)
	}
	return rounded(p.k+1, rowSum*magnitude(p.b)+magnitude(p.bias))
}

func magnitude(values []float32) float64 {
	largest := 0.0
	for _, v := range values {
		largest = max(largest, abs(float64(v)))
	}
	return largest
}

// activated applies f to every element of the last binding.
func activated(c course.Case, f func(x float64) float64) course.Buffer {
	data := c.Buffers[len(c.Buffers)-1]
	return each(data.Len(), func(i int) float64 { return f(data.At(i)) })
}

func leakyReference(c course.Case) course.Buffer {
	slope := uniformF32(c, 0, 0)
	return activated(c, func(x float64) float64 {
		if x < 0 {
			return slope * x
		}
		return x
	})
}

// A matrix is the x of a case in decoded form.
type matrix struct {
	rows, cols int
	x          []float32
}

func matrixOf(c course.Case) matrix {
	return matrix{uniformU32(c, 0, 0), uniformU32(c, 0, 1), c.Buffers[1].Floats()}
}

// row returns row r in float64.
func (m matrix) row(r int) []float64 {
	row := make([]float64, m.cols)
	for i := range row {
		row[i] = float64(m.x[r*m.cols+i])
	}
	return row
}

// sumsOf256 returns the sum of each block of 256 elements, of which the last may be shorter.
func sumsOf256(c course.Case) course.Buffer {
	x := c.Buffers[0].Floats()
	return each(c.Buffers[1].Len(), func(b int) (sum float64) {
		for _, v := range x[256*b : min(256*b+256, len(x))] {
			sum += float64(v)
		}
		return sum
	})
}

// rowTimes returns one row of inputs times the weights of each output, plus its bias.
func rowTimes(c course.Case, w []float32) course.Buffer {
	n, k := uniformU32(c, 0, 0), uniformU32(c, 0, 1)
	x, bias := c.Buffers[1].Floats(), c.Buffers[3].Floats()
	return each(n, func(o int) float64 {
		sum := float64(bias[o])
		for j := range k {
			sum += float64(x[j]) * float64(w[o*k+j])
		}
		return sum
	})
}

// rowTolerance allows for k products of magnitudes up to 100 · 100 and a bias.
func rowTolerance(c course.Case) course.Tolerance {
	k := uniformU32(c, 0, 1)
	return rounded(2*k+1, float64(k)*magnitude(c.Buffers[1].Floats())*100+100)
}

// halvesOf returns the numbers that words of two halves stand for.
func halvesOf(words course.Buffer) (halves []float32) {
	for _, word := range words.Uints() {
		for _, bits := range []uint32{word & 0xffff, word >> 16} {
			half := math.Ldexp(float64(1024+bits&1023), int(bits>>10&31)-25) // no subnormal numbers here
			if bits>>15 != 0 {
				half = -half
			}
			halves = append(halves, float32(half))
		}
	}
	return halves
}

// sumsOfRows returns the sum of each row.
func sumsOfRows(c course.Case) course.Buffer { return matrixOf(c).sums() }

// sums adds each row up.
func (m matrix) sums() course.Buffer {
	return each(m.rows, func(r int) float64 {
		total := 0.0
		for _, v := range m.row(r) {
			total += v
		}
		return total
	})
}

// sumTolerance returns the tolerance for the sum of a row.
func sumTolerance(m matrix) course.Tolerance {
	return rounded(m.cols, float64(m.cols)*magnitude(m.x))
}

// sumsOfSquares returns the sum of the squares of each block.
func sumsOfSquares(c course.Case) course.Buffer {
	m := blocksOf(c)
	return each(m.rows, func(r int) (sum float64) {
		for _, x := range m.row(r) {
			sum += float64(x) * float64(x)
		}
		return sum
	})
}

// squaresTolerance returns the tolerance for the sum of the squares of a row.
func squaresTolerance(m matrix) course.Tolerance {
	return rounded(m.cols+1, float64(m.cols)*magnitude(m.x)*magnitude(m.x))
}

// transposed exchanges rows and columns.
func transposed(c course.Case) course.Buffer {
	m := matrixOf(c)
	return each(m.rows*m.cols, func(i int) float64 { return m.row(i % m.rows)[i/m.rows] })
}

// largestOfRows returns the largest element of each row.
func largestOfRows(c course.Case) course.Buffer {
	m := matrixOf(c)
	return each(m.rows, func(r int) float64 { return slices.Max(m.row(r)) })
}

// rowIndices returns the index of the largest element of each row.
func rowIndices(c course.Case) course.Buffer {
	m := matrixOf(c)
	return eachU32(m.rows, func(r int) uint32 {
		row := m.row(r)
		return uint32(slices.Index(row, slices.Max(row)))
	})
}

// block is the number of elements that a workgroup of reverse-64 or sum-64 works on.
const block = 64

// reversedBlocks turns every block back to front.
func reversedBlocks(c course.Case) course.Buffer {
	data := c.Buffers[0]
	return each(data.Len(), func(i int) float64 { return data.At(i/block*block + block - 1 - i%block) })
}

// blocksOf returns the blocks of a case as rows.
func blocksOf(c course.Case) matrix {
	x, blocks := c.Buffers[0].Floats(), c.Buffers[1].Len()
	return matrix{blocks, len(x) / blocks, x}
}

func softmaxReference(c course.Case) course.Buffer {
	m := matrixOf(c)
	var out []float32
	for r := range m.rows {
		row := m.row(r)
		largest, total := slices.Max(row), 0.0
		for _, x := range row {
			total += math.Exp(x - largest)
		}
		for _, x := range row {
			out = append(out, float32(math.Exp(x-largest)/total))
		}
	}
	return shader.FloatBuffer(out)
}

// softmaxTolerance follows the section "Accuracy of Expressions" of the WGSL specification. There
// exp(t) is within 3 + 2|t| units in the last place, and a division within 2.5. Each addition of
// the total adds half a unit. Rounding t by half a unit changes exp(t) by |t| halves. Twice that
// allows for other ways, such as pow or exp2, whose bounds are looser. Subtracting log(total) from
// x, instead of dividing, rounds at the size of x. Values too small for a float32 may be 0.
func softmaxTolerance(c course.Case) course.Tolerance {
	const (
		smallest = 0x1p-126 // the smallest normal float32
		deepest  = 104      // exp(-104) and below are 0 in float32
	)
	m := matrixOf(c)
	depth := 0.0
	for r := range m.rows {
		row := m.row(r)
		depth = max(depth, slices.Max(row)-slices.Min(row))
	}
	units := 2*(3+2.5*min(depth, deepest)) + float64(m.cols)/2 + 2.5 + magnitude(m.x)/2
	return course.Tolerance{Absolute: 2 * smallest, Relative: 2 * units * epsilon}
}

// normalized unpacks and normalises n pixels.
func normalized(c course.Case) course.Buffer {
	words := c.Buffers[1].Uints()
	mean, stddev := uniformF32(c, 0, 1), uniformF32(c, 0, 2)
	return each(uniformU32(c, 0, 0), func(i int) float64 {
		pixel := words[i/4] >> (8 * (i % 4)) & 0xff
		return (float64(pixel)/255 - mean) / stddev
	})
}

// A picture is a case in decoded form.
type picture struct {
	src, dst int
	image    []float32
}

func pictureOf(c course.Case) picture {
	return picture{
		src:   uniformU32(c, 0, 0),
		dst:   uniformU32(c, 0, 1),
		image: c.Buffers[1].Floats(),
	}
}

// block returns the side of the square that one pixel of the small picture covers.
func (p picture) block() int { return p.src / p.dst }

// averaged gives every pixel the average of its block.
func averaged(c course.Case) course.Buffer {
	p := pictureOf(c)
	block := p.block()
	return each(p.dst*p.dst, func(i int) float64 {
		left, top := i%p.dst*block, i/p.dst*block
		total := 0.0
		for y := range block {
			for x := range block {
				total += float64(p.image[(top+y)*p.src+left+x])
			}
		}
		return total / float64(block*block)
	})
}

// epsilon is the spacing of float32 at 1: 2^-23 (IEEE 754 binary32).
const epsilon = 1.0 / (1 << 23)

// rounded returns the tolerance for n correctly rounded float32 operations in any order. Each adds
// an error of at most half an epsilon relative to its operands. scale is the magnitude of the
// largest intermediate value.
func rounded(n int, scale float64) course.Tolerance {
	return course.Tolerance{Absolute: float64(n) * epsilon * scale}
}

// each computes an output of n float32 elements, one by one, in float64.
func each(n int, at func(i int) float64) course.Buffer {
	out := make([]float32, n)
	for i := range out {
		out[i] = float32(at(i))
	}
	return shader.FloatBuffer(out)
}

// eachU32 computes an output of n uint32 elements, one by one.
func eachU32(n int, at func(i int) uint32) course.Buffer {
	out := make([]uint32, n)
	for i := range out {
		out[i] = at(i)
	}
	return shader.UintBuffer(out)
}

// onlyFirst returns the first n elements of full, followed by the rest of old. A shader leaves
// this if its invocations reach only n elements.
func onlyFirst(n int, full, old course.Buffer) course.Buffer {
	out := old.Clone()
	if n = min(n, full.Len()); full.Element == shader.F32 {
		copy(out.Floats(), full.Floats()[:n])
	} else {
		copy(out.Uints(), full.Uints()[:n])
	}
	return out
}

func f32At(c course.Case, binding, i int) float64 { return float64(c.Buffers[binding].Floats()[i]) }

func uniformF32(c course.Case, binding, member int) float64 {
	return float64(c.Buffers[binding].Members()[member].Float())
}

func uniformU32(c course.Case, binding, member int) int {
	return int(c.Buffers[binding].Members()[member].Uint())
}
