package webgpu

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strconv"

	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/wgsl"
)

// boundTwice finds a dispatch that has the same bytes at two bindings. If the shader may write to
// them, that breaks a rule.
func boundTwice(r *Record, want Want) (all []found) {
	r.runs(want, func(_ *QueueSubmission, d DispatchRun, _ DispatchWant) {
		before := map[BindGroupEntry]uint32{} // by the bytes: the binding is 0
		for _, b := range d.Pipeline.used {
			e, ok := d.Entry(b.Group, b.Number)
			if !ok {
				continue
			}
			e.Binding = 0
			if first, twice := before[e]; twice {
				all = append(all, found{at: d.Groups[b.Group].Made, facts: facts{"buffer": e.Buffer, "first": first, "second": b.Number, "binding": b.Number}})
			}
			before[e] = b.Number
		}
	})
	return all
}

// bindingShort finds a binding with fewer bytes than the shader works on. WebGPU allows it: an
// access past the end reads or changes another element, or does nothing.
func bindingShort(r *Record, want Want) (all []found) {
	r.runs(want, func(_ *QueueSubmission, d DispatchRun, due DispatchWant) {
		for _, b := range d.Pipeline.used {
			e, ok := d.Entry(b.Group, b.Number)
			if !ok || int(b.Number) >= len(due.Bytes) || e.Bound() >= due.Bytes[b.Number] {
				continue
			}
			at := d.Groups[b.Group].Made
			if e.Bound() == e.Buffer.Size {
				at = e.Buffer.Made
			}
			all = append(all, found{at: at, facts: facts{"binding": b.Number, "given": e.Bound(), "needed": due.Bytes[b.Number], "buffer": e.Buffer}})
		}
	})
	return all
}

// Entry returns what a dispatch has at a binding.
func (d DispatchRun) Entry(group, binding uint32) (BindGroupEntry, bool) {
	all := d.Entries(group)
	if i := slices.IndexFunc(all, func(e BindGroupEntry) bool { return e.Binding == binding }); i >= 0 {
		return all[i], true
	}
	return BindGroupEntry{}, false
}

// uniformWord finds a number of a uniform that is not what it should be when its dispatch runs.
func uniformWord(r *Record, want Want) (all []found) {
	r.runs(want, func(s *QueueSubmission, d DispatchRun, w DispatchWant) {
		for _, b := range d.Pipeline.used {
			if e, ok := d.Entry(b.Group, b.Number); ok && b.Space == wgsl.Uniform {
				all = append(all, r.wrongWords(s, d, b, e, w)...)
			}
		}
	})
	return all
}

// A Share is a due word that several dispatches may divide between them.
type Share uint32

// Fits returns how many of the due words the uniform of a dispatch holds, and how many there are.
func (w DispatchWant) Fits(r *Record, s *QueueSubmission, d DispatchRun) (fit, all int) {
	for _, b := range d.Pipeline.used {
		e, ok := d.Entry(b.Group, b.Number)
		if !ok || b.Space != wgsl.Uniform {
			continue
		}
		for i, want := range w.Words {
			if want == nil {
				continue
			}
			all++
			if given, _, known := r.Word(s, e.Buffer, e.Offset+uint64(i)*wordBytes); known && given == bitsOf(want) {
				fit++
			}
		}
	}
	return fit, all
}

// Held reports whether bytes begin with all due words.
func (w DispatchWant) Held(data []byte) bool {
	for i, word := range w.Words {
		if word != nil && (wordBytes*i+wordBytes > len(data) || binary.LittleEndian.Uint32(data[wordBytes*i:]) != bitsOf(word)) {
			return false
		}
	}
	return len(w.Words) > 0
}

// WordsOf returns the bytes of a uniform's words, or nil if some are unknown.
func WordsOf(words []any) (data []byte) {
	for _, word := range words {
		if word == nil {
			return nil
		}
		data = binary.LittleEndian.AppendUint32(data, bitsOf(word))
	}
	return data
}

// Divided returns what one of several dispatches should do that share the work: only what is the
// same for all of them.
func (w DispatchWant) Divided() DispatchWant {
	divided := DispatchWant{Words: slices.Clone(w.Words)}
	for i, word := range divided.Words {
		if _, shared := word.(Share); shared {
			divided.Words[i] = nil
		}
	}
	return divided
}

// wrongWords compares the words of a uniform with what is due.
func (r *Record) wrongWords(s *QueueSubmission, d DispatchRun, b wgsl.Binding, e BindGroupEntry, due DispatchWant) (all []found) {
	for i, want := range due.Words {
		given, at, known := r.Word(s, e.Buffer, e.Offset+uint64(i)*wordBytes)
		if want == nil || !known || given == bitsOf(want) {
			continue
		}
		if !at.Known() {
			at = d.At
		}
		wrong := found{at: at, facts: facts{"shader": cmp.Or(due.Name, "the shader"), "variable": "`" + memberAt(b, uint64(i)*wordBytes) + "`", "given": sayWord(given, want), "needed": sayWord(bitsOf(want), want), "layout": layoutOf(b)}}
		if bits.ReverseBytes32(given) == bitsOf(want) {
			wrong.wrong, wrong.do = "The four bytes of {variable} are in reverse order: {shader} reads {given}, and {needed} is due.", r.Dialect().LowestFirst()
		}
		all = append(all, wrong)
	}
	return all
}

// LowestFirst says how to write a number as a shader reads it (WGSL § Internal Layout of Values).
func (d *Dialect) LowestFirst() string {
	if d.Native {
		return "The lowest byte comes first: use `binary.LittleEndian`."
	}
	return "The lowest byte comes first: give the call of the `DataView` one argument more, `true`."
}

// Word returns 4 bytes of a buffer, as Bytes does.
func (r *Record) Word(s *QueueSubmission, b *Buffer, offset uint64) (word uint32, at HostSite, known bool) {
	data, at, known := r.Bytes(s, b, offset, wordBytes)
	if !known {
		return 0, at, false
	}
	return binary.LittleEndian.Uint32(data), at, true
}

// Bytes returns bytes of a buffer when a submission runs, and the last call that wrote to any of
// them; the call is unknown if none did. known is false if a write is too large to be kept, or if
// the GPU may write to the buffer.
func (r *Record) Bytes(s *QueueSubmission, b *Buffer, offset, count uint64) (data []byte, at HostSite, known bool) {
	if r.writtenBefore(nil)[b] {
		return nil, HostSite{}, false
	}
	data = make([]byte, count)
	for _, w := range r.Writes {
		begin, end := max(offset, w.Offset), min(offset+count, w.Offset+w.Bytes)
		if w.To != b || w.Call > s.Call || begin >= end {
			continue
		}
		if w.Data == nil || w.Call < 0 {
			return nil, HostSite{}, false
		}
		copy(data[begin-offset:end-offset], w.Data[begin-w.Offset:])
		at = r.Calls[w.Call].At
	}
	return data, at, true
}

func bitsOf(word any) uint32 {
	if f, ok := word.(float32); ok {
		return math.Float32bits(f)
	}
	if n, ok := word.(Share); ok {
		return uint32(n)
	}
	return word.(uint32)
}

// sayWord writes the bits of a word as the type of another one.
func sayWord(word uint32, like any) string {
	const whole = 1 << 20 // the bits of smaller whole numbers are those of an f32 near 0
	if _, ok := like.(float32); !ok {
		return english.Thousands(int(word))
	}
	text := strconv.FormatFloat(float64(math.Float32frombits(word)), 'g', 4, 32)
	if 0 < word && word < whole {
		text += fmt.Sprintf(" (the bits of the whole number %d)", word)
	}
	return text
}

// memberAt returns how the shader calls the member of a uniform at a byte.
func memberAt(b wgsl.Binding, offset uint64) string {
	for _, m := range b.Type.Members {
		if m.Offset == offset {
			return b.Name + "." + m.Name
		}
	}
	return b.Name
}

// layoutOf says where the members of a uniform are, with a space after it; "" if it has none.
func layoutOf(b wgsl.Binding) string {
	var members []string
	for _, m := range b.Type.Members {
		members = append(members, fmt.Sprintf("`%s` is at byte %d", m.Name, m.Offset))
	}
	if len(members) == 0 {
		return ""
	}
	return fmt.Sprintf("In `%s`, %s. ", b.Name, english.List(members))
}
