package race

import (
	"regexp"
	"strconv"

	"github.com/wgslab/wgslab/pkg/gpu"
	"github.com/wgslab/wgslab/shaders"
)

// A Rung is a shader of shaders/fast.
type Rung struct {
	Name     string
	Idea     string // what it does that the one before does not, a few words
	Multiple int    // what n and k must be multiples of
}

// Rungs is the ladder, from the plainest shader to the best.
var Rungs = []Rung{
	{"naive", "one element an invocation", 1},
	{"coalesced", "neighbours touch neighbouring numbers", 1},
	{"registers", "4 × 4 elements an invocation", 1},
	{"tiled", "a workgroup fetches together", 1},
	{"block", "tiles, and 4 × 4 elements an invocation", 1},
	{"vec4", "four numbers at a time", 4},
	{"wide", "8 × 8 elements an invocation", 4},
	{"prefetched", "the next tiles come meanwhile", 4},
	{"unrolled", "the steps written out", 4},
	{"padded", "no queue for a memory bank", 4},
}

// Variants of the last rung, for what it does not suit.
var Variants = []Rung{
	{"small", "padded, in blocks of 64 × 64", 4},
	{"any", "padded, for every k and n", 1},
}

// Source is the rung's WGSL.
func (r Rung) Source() (string, error) { return shaders.Source("fast/" + r.Name) }

// choices say which shader multiplies best, by the kind of adapter and the shape:
// the first whose multiple divides n and k. On a GPU blocks is how many blocks of
// 128 × 128 out must have to keep it busy, measured on an NVIDIA H200, which has 132
// processors. On a CPU adapter it is how many make wide's
// blocks worth their barriers. In the simulator a product of 256 × 784 and 784 × 128
// took wide 0.37 s, registers 0.61 s and matmul 2.7 s, on two busy cores.
var choices = []struct {
	kind   gpu.Kind
	blocks int
	name   string
}{
	{gpu.GPU, 128, "padded"},
	{gpu.GPU, 0, "small"},
	{gpu.GPU, 0, "any"},
	{gpu.CPU, 4, "wide"},
	{gpu.CPU, 0, "registers"},
	{gpu.Simulated, 0, "wide"},
	{gpu.Simulated, 0, "registers"},
}

// Best is the shader for a product of m × k and k × n on a kind of adapter.
func Best(kind gpu.Kind, m, n, k int) Rung {
	const side = 128
	blocks := (m + side - 1) / side * ((n + side - 1) / side)
	for _, c := range choices {
		if r := named(c.name); c.kind == kind && blocks >= c.blocks && n%r.Multiple == 0 && k%r.Multiple == 0 {
			return r
		}
	}
	return named("coalesced") // a kind that is not listed
}

func named(name string) Rung {
	for _, rungs := range [][]Rung{Rungs, Variants} {
		for _, r := range rungs {
			if r.Name == name {
				return r
			}
		}
	}
	panic("race: no rung is called " + name)
}

var (
	rowsPattern    = regexp.MustCompile(`(?m)^const ROWS(?:\s*:\s*u32)?\s*=\s*(\d{1,5})u?\s*;`)
	columnsPattern = regexp.MustCompile(`(?m)^const COLUMNS(?:\s*:\s*u32)?\s*=\s*(\d{1,5})u?\s*;`)
)

// workgroups is how many of them cover a result of m × n.
func workgroups(kernel *gpu.Kernel, m, n int) [3]uint32 {
	size := kernel.WorkgroupSize()
	columns, rows := size[0], size[1]
	if c, ok := constant(columnsPattern, kernel.Source().Text); ok {
		columns = c
	}
	if r, ok := constant(rowsPattern, kernel.Source().Text); ok {
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
