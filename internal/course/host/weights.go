package host

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/machine/webgpu"
)

// A weightsFile holds the arrays of a layer: w as PyTorch stores it, [out, in], and the bias.
type weightsFile struct {
	text    []byte
	in, out int
	at      map[string]int // where an array begins
}

// fileOf writes arrays to a file, every second time in reverse order. There are other bytes before
// each. Where their number is odd, a float32 doesn't begin at a multiple of 4.
func fileOf(c course.HostCase, names []string, number int, random *rand.Rand) *weightsFile {
	f := &weightsFile{in: c.Sizes["in"], out: c.Sizes["out"], at: map[string]int{}}
	names = slices.Clone(names)
	if number%2 == 1 {
		slices.Reverse(names)
	}
	for _, name := range names {
		for range 8 + 4*random.IntN(5) + number%4 {
			f.text = append(f.text, byte(1+random.IntN(126))) // so that no four of them are a NaN
		}
		f.at[name] = len(f.text)
		array := c.Arrays[name]
		for column := range array.Columns {
			for row := range array.Len() / array.Columns {
				at := 4 * (row*array.Columns + column)
				f.text = append(f.text, array.Bytes[at:at+4]...)
			}
		}
	}
	f.text = append(f.text, 1, 2, 3, 4)
	return f
}

// transposed returns the bytes of a w in the file as the shader reads them.
func (f *weightsFile) transposed(stored []byte) []byte {
	w := make([]byte, 0, len(stored))
	for i := range f.in * f.out {
		at := 4 * (i%f.out*f.in + i/f.out)
		w = append(w, stored[at:at+4]...)
	}
	return w
}

// explainWeights compares the bytes that the shader reads as w and bias with those in the file.
func explainWeights(r *trial) *explanation {
	f := r.file
	for _, s := range r.record.Submissions {
		for _, step := range s.Steps {
			if step.Pass == nil {
				continue
			}
			for _, d := range step.Pass.Dispatches {
				if wrong := r.otherX(s, d); wrong != nil {
					return wrong
				}
				if wrong := cmp.Or(f.wrong(r.record, s, d, 2, f.at["w"], 4*f.in*f.out), f.wrong(r.record, s, d, 3, f.at["bias"], 4*f.out)); wrong != nil {
					return wrong
				}
			}
		}
	}
	return nil
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

// wrong explains what a dispatch has at a binding in place of the file's bytes from a place on.
func (f *weightsFile) wrong(r *webgpu.Record, s *webgpu.QueueSubmission, d webgpu.DispatchRun, binding uint32, at, count int) *explanation {
	e, ok := d.Entry(0, binding)
	if !ok {
		return nil
	}
	given, site, known := r.Bytes(s, e.Buffer, e.Offset, uint64(count))
	name, isW := "bias", binding == 2
	right := f.text[at : at+count]
	if isW {
		name, right = "w", f.transposed(right)
	}
	if !known || bytes.Equal(given, right) {
		return nil
	}
	if !site.Known() {
		at := d.At
		for _, w := range r.Writes {
			if w.To == e.Buffer && w.Call > s.Call {
				at = r.Calls[w.Call].At // too late
			}
		}
		return diagnosis("weights-not-sent", at, "The shader's "+name+" holds only zeros when the submission runs", "Write to its buffer before you submit.")
	}
	if isW && bytes.Equal(given, f.text[at:at+count]) {
		return diagnosis("not-transposed", site, "The shader's w gets the file's numbers in the file's order, [out, in]", "The shader reads [in, out]: number [row][column] of its w is number [column][row] of the file.")
	}
	if swapped := reversedWords(given); bytes.Equal(swapped, right) || isW && bytes.Equal(swapped, f.text[at:at+count]) {
		return diagnosis("big-endian", site, "The four bytes of each number in "+name+" are in reverse order", "The file is little-endian: the lowest byte comes first.")
	}
	for from := range len(f.text) - count + 1 {
		part := f.text[from : from+count]
		if bytes.Equal(given, part) || isW && bytes.Equal(given, f.transposed(part)) {
			return diagnosis("other-place", site, fmt.Sprintf("The shader's %s gets the file's bytes from %s on, but its own begin at %s", name, english.Thousands(from), english.Thousands(at)), "wAt and biasAt count bytes from the beginning of the file.")
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
