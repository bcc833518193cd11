// This file counts what memory does for an access that neighbours make together: the lines
// and sectors that it moves, and the turns of the banks.
//
// The sizes are those of NVIDIA's GPUs (CUDA C++ Programming Guide: "SIMT Architecture" for the 32
// neighbours, "Compute Capability 5.x" for the line and the banks). WGSL promises none of these,
// and other GPUs differ.

package ir

import "slices"

// The sizes of the GPU that counts assume.
const (
	Neighbours  = 32  // invocations that run side by side
	LineBytes   = 128 // bytes of memory that arrive together at best
	SectorBytes = 32  // bytes of the smallest part of a line that moves
	Banks       = 32  // banks of workgroup memory
	WordBytes   = 4   // bytes of a word, of which each bank delivers one at a time
)

// A Footprint is the memory that neighbours touch with one access. Add each neighbour's bytes, then
// Sort.
type Footprint struct {
	Words []uint32 // each once, in order

	last     uint32 // 1 + the offset that was added last
	unsorted bool
}

// Add adds the words of some bytes.
func (f *Footprint) Add(offset, bytes uint32) {
	if offset+1 == f.last {
		return
	}
	f.last = offset + 1
	first, last := offset/WordBytes, (offset+bytes-1)/WordBytes
	if n := len(f.Words); n > 0 && first <= f.Words[n-1] {
		f.unsorted = true
	}
	for w := first; w <= last; w++ {
		f.Words = append(f.Words, w)
	}
}

// Sort sorts the words and removes duplicates.
func (f *Footprint) Sort() {
	if f.unsorted {
		slices.Sort(f.Words)
		f.Words, f.unsorted = slices.Compact(f.Words), false
	}
}

// Clear makes the footprint empty, and keeps its memory.
func (f *Footprint) Clear() { *f = Footprint{Words: f.Words[:0]} }

// Blocks returns how many aligned blocks of memory hold the words: lines or sectors, by their size
// in bytes.
func (f *Footprint) Blocks(bytes uint32) (blocks int) {
	last := ^uint32(0)
	for _, w := range f.Words {
		if b := w / (bytes / WordBytes); b != last {
			blocks, last = blocks+1, b
		}
	}
	return blocks
}

// LeastBlocks returns how many blocks would hold as many words side by side.
func (f *Footprint) LeastBlocks(bytes int) int {
	per := bytes / WordBytes
	return (len(f.Words) + per - 1) / per
}

// Turns returns how often the busiest bank of workgroup memory has to deliver a word.
func (f *Footprint) Turns() int {
	var b BankUse
	for _, w := range f.Words {
		b.Use(w)
	}
	return b.Turns
}

// BankUse counts the turns of the banks.
type BankUse struct {
	Turns int // of the busiest

	per [Banks]int
}

// Use lets a bank deliver a word.
func (b *BankUse) Use(word uint32) {
	bank := word % Banks
	b.per[bank]++
	b.Turns = max(b.Turns, b.per[bank])
}
