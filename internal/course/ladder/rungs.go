package ladder

import (
	"regexp"
	"strconv"

	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/shaders"
)

// A Rung is a shader of shaders/fast.
type Rung struct {
	Name     string
	Idea     string // what it does that the previous one does not, in a few words
	Multiple int    // what n and k must be multiples of
}

// Rungs is the ladder, from the plainest shader to the best.
var Rungs = []Rung{
	{"naive", "one element per invocation", 1},
	{"coalesced", "neighbours touch neighbouring numbers", 1},
	{"registers", "4 × 4 elements per invocation", 1},
	{"tiled", "a workgroup fetches together", 1},
	{"block", "tiles, and 4 × 4 elements per invocation", 1},
	{"vec4", "four numbers at a time", 4},
	{"wide", "8 × 8 elements per invocation", 4},
	{"prefetched", "the next tiles are fetched ahead", 4},
	{"unrolled", "the steps written out", 4},
	{"padded", "no queue for a memory bank", 4},
}

// Variants are versions of the last rung for shapes that it does not suit.
var Variants = []Rung{
	{"small", "padded, in blocks of 64 × 64", 4},
	{"any", "padded, for every k and n", 1},
}

// Source returns the rung's WGSL.
func (r Rung) Source() (string, error) { return shaders.Source("fast/" + r.Name) }

// choices lists which shader multiplies fastest, by kind of adapter and shape. The first entry
// wins whose multiple divides n and k and whose blocks fit into out. On a GPU, blocks is how many
// 128 × 128 blocks out must have to keep it busy, measured on an NVIDIA H200 with its 132
// multiprocessors. On a CPU adapter, blocks is how many of wide's blocks justify their barriers.
// In the simulator, a product of 256 × 784 and 784 × 128 took wide 0.37 s, registers 0.61 s and
// matmul 2.7 s, on two busy cores.
var choices = []struct {
	kind   shader.AdapterKind
	blocks int
	name   string
}{
	{shader.GPU, 128, "padded"},
	{shader.GPU, 0, "small"},
	{shader.GPU, 0, "any"},
	{shader.CPU, 4, "wide"},
	{shader.CPU, 0, "registers"},
	{shader.Simulated, 0, "wide"},
	{shader.Simulated, 0, "registers"},
}

// Best returns the fastest shader for a product of m × k and k × n on a kind of adapter.
func Best(kind shader.AdapterKind, m, n, k int) Rung {
	const side = 128
	blocks := (m + side - 1) / side * ((n + side - 1) / side)
	for _, c := range choices {
		if r := named(c.name); c.kind == kind && blocks >= c.blocks && n%r.Multiple == 0 && k%r.Multiple == 0 {
			return r
		}
	}
	return named("coalesced") // a kind without an entry
}

func named(name string) Rung {
	for _, rungs := range [][]Rung{Rungs, Variants} {
		for _, r := range rungs {
			if r.Name == name {
				return r
			}
		}
	}
	panic("ladder: no rung is called " + name)
}

var (
	rowsPattern    = regexp.MustCompile(`(?m)^const ROWS(?:\s*:\s*u32)?\s*=\s*(\d{1,5})u?\s*;`)
	columnsPattern = regexp.MustCompile(`(?m)^const COLUMNS(?:\s*:\s*u32)?\s*=\s*(\d{1,5})u?\s*;`)
)

// workgroups returns how many workgroups cover an m × n result.
func workgroups(pipeline *gpu.Pipeline, m, n int) [3]uint32 {
	return covering(pipeline.Source().Text, pipeline.WorkgroupSize(), m, n)
}

func covering(source string, size [3]uint32, m, n int) [3]uint32 {
	columns, rows := size[0], size[1]
	if c, ok := constant(columnsPattern, source); ok {
		columns = c
	}
	if r, ok := constant(rowsPattern, source); ok {
		rows = r
	}
	return [3]uint32{gpu.Groups(n, columns), gpu.Groups(m, rows), 1}
}

func constant(pattern *regexp.Regexp, source string) (value uint32, ok bool) {
	found := pattern.FindStringSubmatch(source)
	if found == nil {
		return 0, false
	}
	parsed, err := strconv.ParseUint(found[1], 10, 32)
	return uint32(parsed), err == nil && parsed > 0
}
