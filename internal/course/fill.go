package course

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/wgsl/numeric"
)

// A fill says what the host writes to a buffer or a member of a uniform.
type fill struct {
	Old       string    `toml:"old"`       // of an output: "nan", "stale" or, for whole numbers, "poison"
	Floats    float64   `toml:"floats"`    // of either sign, up to this magnitude, and not near 0 or it
	Eighths   int       `toml:"eighths"`   // of either sign, up to so many, and none of them 0: sums of products are exact
	Around    []float64 `toml:"around"`    // added to the floats of each row, in turn
	Whole     bool      `toml:"whole"`     // small whole numbers, all different, above 0 unless they have a sign
	Sign      string    `toml:"sign"`      // of the floats: "negative", "first negative" or "mostly negative"
	From      any       `toml:"from"`      // evenly from here: a number, or an expression of sizes
	To        any       `toml:"to"`        // to here
	Ties      bool      `toml:"ties"`      // the largest element of each row is there twice
	Last      bool      `toml:"last"`      // the largest element of each row is its last
	Different bool      `toml:"different"` // no whole number of the range twice
	Bits      int       `toml:"bits"`      // whole numbers of so many bits; only 32
	Halves    float64   `toml:"halves"`    // two f16 in each word, the first in the low bits, like Floats
	Value     any       `toml:"value"`     // this number, or these in turn
	Size      string    `toml:"size"`      // an expression of sizes
	Ink       int       `toml:"ink"`       // zeros, with so many rectangles of other numbers
}

func (f fill) isOld() bool { return f.Old != "" }

// isNone reports whether the fill says nothing.
func (f fill) isNone() bool {
	return !f.isOld() && f.Floats == 0 && f.Eighths == 0 && !f.Whole && f.From == nil && f.To == nil && f.Bits == 0 && f.Halves == 0 && f.Value == nil && f.Size == "" && f.Ink == 0
}

// A drawer draws numbers as a fill says.
type drawer struct {
	fill
	sizes sizes
	rng   *rand.Rand
}

// array fills an array of so many elements, in rows of so many columns if there are columns.
func (d drawer) array(b Binding, n, columns int) (Buffer, error) {
	components := b.Components()
	if d.isOld() { // the padding of vectors as well
		components = b.stride()
	}
	n, columns = n*components, columns*components
	var buffer Buffer
	switch element := b.Element(); element {
	case shader.F32:
		values, err := d.floats(n, columns)
		if err != nil {
			return Buffer{}, err
		}
		buffer = shader.FloatBuffer(values)
	default:
		values, err := d.wholeNumbers(element, n, columns)
		if err != nil {
			return Buffer{}, err
		}
		buffer = Buffer{Element: element, Bytes: shader.UintBuffer(values).Bytes}
	}
	return padded(buffer, components), nil
}

// padded moves vectors of three components to places of four words, as WGSL lays them out.
func padded(b Buffer, components int) Buffer {
	if components != 3 {
		return b
	}
	wide := make([]uint32, b.Len()/3*4)
	for i, word := range b.Uints() {
		wide[i/3*4+i%3] = word
	}
	return Buffer{Element: b.Element, Bytes: shader.UintBuffer(wide).Bytes}
}

// member returns a member of a uniform. A u32 without a fill is the size of its name.
func (d drawer) member(name string, kind shader.Element) (shader.UniformWord, error) {
	switch {
	case kind == shader.F32:
		values, err := d.floats(1, 0)
		if err != nil {
			return 0, err
		}
		return shader.Float(values[0]), nil
	case d.Size != "" || kind == shader.U32 && d.isNone():
		expression := any(d.Size)
		if d.Size == "" {
			expression = name
		}
		n, err := d.sizes.value(expression)
		return shader.Uint(n), err
	}
	values, err := d.wholeNumbers(kind, 1, 0)
	if err != nil {
		return 0, err
	}
	return shader.Uint(values[0]), nil
}

// wholeNumbers draws u32 or, as their bits, i32.
func (d drawer) wholeNumbers(kind shader.Element, n, columns int) ([]uint32, error) {
	least, most := int64(0), int64(math.MaxUint32)
	if kind == shader.I32 {
		least, most = math.MinInt32, math.MaxInt32
	}
	switch {
	case d.isOld():
		return slices.Repeat([]uint32{PoisonU32}, n), nil
	case d.Bits == 32:
		return each(n, func() uint32 { return d.rng.Uint32() }), nil
	case d.Halves > 0:
		halves := floats(d.rng, 2*n, float32(d.Halves))
		return each(n, func() uint32 {
			word := uint32(numeric.F16Bits(halves[0])) | uint32(numeric.F16Bits(halves[1]))<<16
			halves = halves[2:]
			return word
		}), nil
	case d.Value != nil:
		return inTurn(n, d.Value, func(value float64) (uint32, error) {
			whole, err := wholeBetween(value, least, most)
			return uint32(whole), err
		})
	case d.Whole:
		return d.smallNumbers(kind, n)
	case d.From != nil && d.To != nil:
		return d.wholeRange(n, least, most)
	case d.Ink > 0:
		values := make([]uint32, n)
		return values, d.ink(n, columns, func(i int) { values[i] = 1 + uint32(d.rng.IntN(255)) })
	}
	return nil, errors.New("whole numbers are filled with {from = 0, to = 9}, {value = 1}, {whole = true}, {bits = 32}, {halves = 10}, {ink = 1} or, for an output, {old = \"poison\"}")
}

// smallNumbers draws small whole numbers, all different.
func (d drawer) smallNumbers(kind shader.Element, n int) ([]uint32, error) {
	if d.Sign != "" && kind != shader.I32 {
		return nil, fmt.Errorf("%s has no sign", kind)
	}
	numbers := different(d.rng, n, d.Sign != "")
	d.sign(numbers)
	values := make([]uint32, n)
	for i, v := range numbers {
		values[i] = uint32(int32(v))
	}
	return values, nil
}

// wholeRange draws whole numbers from one to another, both included.
func (d drawer) wholeRange(n int, least, most int64) ([]uint32, error) {
	from, err := d.wholeEnd("from", d.From, least, most)
	if err != nil {
		return nil, err
	}
	to, err := d.wholeEnd("to", d.To, from, most)
	if err != nil {
		return nil, err
	}
	count := to - from + 1
	if !d.Different {
		return each(n, func() uint32 { return uint32(from + d.rng.Int64N(count)) }), nil
	}
	if count < int64(n) {
		return nil, fmt.Errorf("there are only %d whole numbers from %d to %d, and %d have to be different", count, from, to, n)
	}
	return d.withoutRepetition(n, from, count), nil
}

// withoutRepetition draws n of count whole numbers. It shuffles them and keeps the first n, but
// holds only those that have moved.
func (d drawer) withoutRepetition(n int, from, count int64) []uint32 {
	moved := map[int64]int64{}
	at := func(i int64) int64 {
		if value, ok := moved[i]; ok {
			return value
		}
		return i
	}
	values := make([]uint32, n)
	for i := range int64(n) {
		j := i + d.rng.Int64N(count-i)
		values[i] = uint32(from + at(j))
		moved[j] = at(i)
	}
	return values
}

// wholeEnd returns an end of a range of whole numbers.
func (d drawer) wholeEnd(name string, end any, least, most int64) (int64, error) {
	number, err := d.end(name, end)
	if err != nil {
		return 0, err
	}
	whole, err := wholeBetween(number, least, most)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", name, err)
	}
	return whole, nil
}

// asFloat returns the f32 that is nearest to a number. Infinity and NaN have to be meant.
func asFloat(number float64) (float32, error) {
	nearest := float32(number)
	if math.IsInf(float64(nearest), 0) && !math.IsInf(number, 0) {
		return 0, fmt.Errorf("%v is not a value of type f32: the largest is %v", number, float32(math.MaxFloat32))
	}
	return nearest, nil
}

// wholeBetween returns a number that is whole and in a range.
func wholeBetween(number float64, least, most int64) (int64, error) {
	if whole := int64(number); float64(whole) == number && whole >= least && whole <= most {
		return whole, nil
	}
	return 0, fmt.Errorf("it is %v: use a whole number from %d to %d", number, least, most)
}

// inTurn repeats the numbers that value holds: one, or a list.
func inTurn[T any](n int, value any, convert func(float64) (T, error)) ([]T, error) {
	list, several := value.([]any)
	if !several {
		list = []any{value}
	}
	var given []T
	for _, one := range list {
		number, isFloat := one.(float64)
		whole, isWhole := one.(int64)
		if !isFloat && !isWhole {
			return nil, fmt.Errorf("value: it is %v: write a number without quotes, or a list of them", one)
		}
		if isWhole {
			number = float64(whole)
		}
		converted, err := convert(number)
		if err != nil {
			return nil, fmt.Errorf("value: %w", err)
		}
		given = append(given, converted)
	}
	if len(given) == 0 {
		return nil, errors.New("value: the list is empty")
	}
	values := make([]T, n)
	for i := range values {
		values[i] = given[i%len(given)]
	}
	return values, nil
}

// end returns an end of a range: a number, or an expression of sizes.
func (d drawer) end(name string, end any) (float64, error) {
	switch end := end.(type) {
	case float64:
		return end, nil
	case int64:
		return float64(end), nil
	}
	n, err := d.sizes.value(end)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", name, err)
	}
	return float64(n), nil
}

// floats draws f32.
func (d drawer) floats(n, columns int) ([]float32, error) {
	switch {
	case d.Old == "nan":
		return slices.Repeat([]float32{PoisonF32}, n), nil
	case d.Old == "stale":
		return slices.Repeat([]float32{StaleF32}, n), nil
	case d.Value != nil:
		return inTurn(n, d.Value, asFloat)
	case d.Different:
		return nil, errors.New("only whole numbers can be different: floats nearly always are")
	case d.From != nil && d.To != nil:
		return d.floatRange(n, columns)
	case d.Whole:
		values := different(d.rng, n, d.Sign != "")
		d.sign(values)
		return values, nil
	case d.Eighths > 0:
		return each(n, func() float32 { return float32((1+d.rng.IntN(d.Eighths))*(1-2*d.rng.IntN(2))) / 8 }), nil
	case d.Floats > 0:
		values := floats(d.rng, n, float32(d.Floats))
		d.sign(values)
		for i := range values {
			if len(d.Around) > 0 {
				values[i] += float32(d.Around[i/max(columns, 1)%len(d.Around)])
			}
		}
		return values, nil
	case d.Ink > 0:
		values := make([]float32, n)
		return values, d.ink(n, columns, func(i int) { values[i] = 0.1 + float32(0.9*d.rng.Float32()) })
	}
	return nil, errors.New("it has no fill: use {floats = 10}, {whole = true}, {from = 0, to = 1}, {value = 1}, {ink = 1} or, for an output, {old = \"nan\"}")
}

// floatRange draws floats evenly from one number to another.
func (d drawer) floatRange(n, columns int) ([]float32, error) {
	first, err := d.end("from", d.From)
	if err != nil {
		return nil, err
	}
	last, err := d.end("to", d.To)
	if err != nil {
		return nil, err
	}
	from, errFrom := asFloat(first)
	to, errTo := asFloat(last)
	if err := errors.Join(errFrom, errTo); err != nil {
		return nil, err
	}
	values := each(n, func() float32 { return from + float32((to-from)*d.rng.Float32()) })
	if (d.Ties || d.Last) && columns < 2 {
		return nil, errors.New("ties and last need at least two columns")
	}
	if d.Last {
		largestLast(values, columns)
	}
	if d.Ties {
		tie(values, columns, d.rng)
	}
	return values, nil
}

// mostInk limits the rectangles of an image.
const mostInk = 100

// ink calls at for each pixel of rectangles in an image. A rectangle is at most half as wide and
// half as high as the image, so that most of it stays white.
func (d drawer) ink(n, columns int, at func(i int)) error {
	if columns < 1 || n%columns != 0 {
		return errors.New("ink needs an image: a length that is a multiple of `columns`")
	}
	if d.Ink > mostInk {
		return fmt.Errorf("ink is %d: use 1 to %d rectangles", d.Ink, mostInk)
	}
	rows := n / columns
	for range d.Ink {
		left, right := d.span(columns)
		top, bottom := d.span(rows)
		for y := top; y < bottom; y++ {
			for x := left; x < right; x++ {
				at(y*columns + x)
			}
		}
	}
	return nil
}

// span draws a range of at least one and at most half of the numbers below n.
func (d drawer) span(n int) (from, to int) {
	width := 1 + d.rng.IntN(max(1, n/2))
	from = d.rng.IntN(n - width + 1)
	return from, from + width
}

// sign makes those numbers negative that the fill says.
func (f fill) sign(values []float32) {
	for i, v := range values {
		if f.Sign == "negative" || f.Sign == "first negative" && i == 0 || f.Sign == "mostly negative" && i%4 > 0 {
			values[i] = -max(v, -v)
		}
	}
}

// largestLast exchanges the largest value of every row with its last one.
func largestLast(values []float32, columns int) {
	for row := range slices.Chunk(values, columns) {
		best, last := slices.Index(row, slices.Max(row)), len(row)-1
		row[best], row[last] = row[last], row[best]
	}
}

// tie copies the largest value of every row to a second place in the row.
func tie(values []float32, columns int, rng *rand.Rand) {
	for row := range slices.Chunk(values, columns) {
		best := slices.Index(row, slices.Max(row))
		row[(best+1+rng.IntN(columns-1))%columns] = row[best]
	}
}

// floats draws n values from [-scale, scale), none of them near zero or one, so that a sum, a
// product and a copy all look different. Each product is rounded by its conversion: Go may fuse it
// with the sum otherwise, as it does on Arm, and a seed would draw other last bits there (the Go
// specification, Floating-point operators).
func floats(rng *rand.Rand, n int, scale float32) []float32 {
	return each(n, func() float32 {
		v := (0.1 + float32(0.85*rng.Float32())) * scale
		if rng.IntN(2) == 0 {
			v = -v
		}
		return v
	})
}

// different draws n whole numbers with different magnitudes from 2 to n + 5, so that a learner can
// work out by hand what a shader should have left. With signs, about half of them are negative.
func different(rng *rand.Rand, n int, signs bool) []float32 {
	values := make([]float32, n)
	for i, magnitude := range rng.Perm(n + 4)[:n] {
		values[i] = float32(2 + magnitude)
		if signs && rng.IntN(2) == 0 {
			values[i] = -values[i]
		}
	}
	return values
}

// each draws n numbers, one by one.
func each[T any](n int, draw func() T) []T {
	values := make([]T, n)
	for i := range values {
		values[i] = draw()
	}
	return values
}
