package sim

// The sizes of the GPU that counts assume: those of NVIDIA's (CUDA C++ Programming Guide: "SIMT
// Architecture" for the 32 neighbours, "Compute Capability 5.x" for the line and the banks). WGSL
// promises none of these, and other GPUs differ.
const (
	Neighbours  = 32  // invocations that run side by side
	LineBytes   = 128 // bytes of memory that arrive together at best
	SectorBytes = 32  // bytes of the smallest part of a line that moves
	Banks       = 32  // banks of workgroup memory
	WordBytes   = 4   // bytes of a word, of which each bank delivers one at a time
)

// Blocks returns how many aligned blocks of memory hold the words that neighbours touch together:
// lines or sectors, by their size in bytes. The words are sorted.
func Blocks[Word int | uint32](words []Word, bytes Word) (blocks int) {
	last := ^Word(0)
	for _, w := range words {
		if b := w / (bytes / WordBytes); b != last {
			blocks, last = blocks+1, b
		}
	}
	return blocks
}

// LeastBlocks returns how many blocks would hold as many words side by side.
func LeastBlocks[Word int | uint32](words []Word, bytes int) int {
	per := bytes / WordBytes
	return (len(words) + per - 1) / per
}

// Turns returns how often the busiest bank of workgroup memory has to deliver a word.
func Turns[Word int | uint32](words []Word) (turns int) {
	var per [Banks]int
	for _, w := range words {
		bank := w % Banks
		per[bank]++
		turns = max(turns, per[bank])
	}
	return turns
}
