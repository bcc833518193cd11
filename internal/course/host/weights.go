package host

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/machine/webgpu"
)

// A weightsFile holds matrices as PyTorch stores them, [out, in], and biases.
type weightsFile struct {
	text []byte
	at   map[string]int // where an array begins
}

// fileOf writes arrays to a file, every second time in reverse order. There are other bytes before
// each. Where their number is odd, a float32 doesn't begin at a multiple of 4.
func fileOf(c course.HostCase, names []string, number int, random *rand.Rand) *weightsFile {
	f := &weightsFile{at: map[string]int{}}
	names = slices.Clone(names)
	if number%2 == 1 {
		slices.Reverse(names)
	}
	for _, name := range names {
		for range 8 + 4*random.IntN(5) + number%4 {
			f.text = append(f.text, byte(1+random.IntN(126))) // so that no four of them are a NaN
		}
		f.at[name] = len(f.text)
		f.text = append(f.text, transposed(c.Arrays[name].Bytes, c.Arrays[name].Columns)...)
	}
	f.text = append(f.text, 1, 2, 3, 4)
	return f
}

// transposed returns the bytes of a matrix column by column.
func transposed(matrix []byte, columns int) (turned []byte) {
	for column := range columns {
		for at := 4 * column; at < len(matrix); at += 4 * columns {
			turned = append(turned, matrix[at:at+4]...)
		}
	}
	return turned
}

// explainWeights compares the bytes that the shaders read of the file's arrays with those in the
// file.
func explainWeights(r *trial) *explanation {
	f := r.follow()
	number := 0
	var found *explanation
	r.record.Runs(func(s *webgpu.QueueSubmission, d webgpu.DispatchRun) {
		stage := f.stage[number]
		if number++; found != nil || stage < 0 {
			return
		}
		for binding, o := range r.stages[stage].gets {
			switch _, inFile := r.file.at[o.array]; {
			case found != nil:
			case inFile:
				found = r.otherWeights(s, d, uint32(binding), o.array)
			case o.array == "x" && o.data != nil:
				found = r.otherX(s, d)
			}
		}
	})
	return found
}

// otherX explains numbers at binding 1 that are not those of x.
func (r *trial) otherX(s *webgpu.QueueSubmission, d webgpu.DispatchRun) *explanation {
	e, ok := d.Entry(0, 1)
	if !ok {
		return nil
	}
	due := r.Arrays["x"].Floats()
	given, site, known := r.record.Bytes(s, e.Buffer, e.Offset, uint64(4*len(due)))
	if !known || !site.Known() {
		return nil
	}
	for i, x := range due {
		if got := math.Float32frombits(binary.LittleEndian.Uint32(given[4*i:])); got != x {
			return diagnosis("other-x", site, fmt.Sprintf("The shader's x[%d] is %v, and yours is %v", i, got, x), "Only w is stored in another order: x comes as it is.")
		}
	}
	return nil
}

// otherWeights explains what a dispatch has at a binding in place of the file's array.
func (r *trial) otherWeights(s *webgpu.QueueSubmission, d webgpu.DispatchRun, binding uint32, name string) *explanation {
	e, ok := d.Entry(0, binding)
	if !ok {
		return nil
	}
	right, at, text := r.Arrays[name].Bytes, r.file.at[name], r.file.text
	count, columns := len(right), r.Arrays[name].Columns
	isMatrix := columns < count/4
	stored := func(from int) []byte { return transposed(text[from:from+count], count/4/columns) }
	given, site, known := r.record.Bytes(s, e.Buffer, e.Offset, uint64(count))
	if !known || bytes.Equal(given, right) {
		return nil
	}
	if !site.Known() {
		at := d.At
		for _, w := range r.record.Writes {
			if w.To == e.Buffer && w.Call > s.Call {
				at = r.record.Calls[w.Call].At // too late
			}
		}
		return diagnosis("weights-not-sent", at, "The shader's "+name+" holds only zeros when the submission runs", "Write to its buffer before you submit.")
	}
	if isMatrix && bytes.Equal(given, text[at:at+count]) {
		return diagnosis("not-transposed", site, "The shader's "+name+" gets the file's numbers in the file's order, [out, in]", "The shader reads [in, out]: number [row][column] of its "+name+" is number [column][row] of the file.")
	}
	if swapped := reversedWords(given); bytes.Equal(swapped, right) || isMatrix && bytes.Equal(swapped, text[at:at+count]) {
		return diagnosis("big-endian", site, "The four bytes of each number in "+name+" are in reverse order", r.record.Dialect().LowestFirst())
	}
	for from := range len(text) - count + 1 {
		if bytes.Equal(given, text[from:from+count]) || isMatrix && bytes.HasPrefix(text[from:], given[:4]) && bytes.Equal(given, stored(from)) {
			return diagnosis("other-place", site, fmt.Sprintf("The shader's %s gets the file's bytes from %s on, but its own begin at %s", name, english.Thousands(from), english.Thousands(at)), "Places in the file count bytes from its beginning.")
		}
	}
	i := 0
	for bytes.Equal(given[4*i:4*i+4], right[4*i:4*i+4]) {
		i++
	}
	number := func(b []byte) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:])) }
	return diagnosis("other-numbers", site, fmt.Sprintf("The shader's %s[%d] is %v, and the file has %v for it", name, i, number(given), number(right)),
		"Count for this number by hand where it is in the file, and which bytes your program reads for it.")
}

// reversedWords returns words with their bytes in reverse.
func reversedWords(data []byte) []byte {
	reversed := slices.Clone(data)
	for word := range slices.Chunk(reversed, 4) {
		slices.Reverse(word)
	}
	return reversed
}
