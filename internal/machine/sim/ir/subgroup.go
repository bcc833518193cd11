package ir

import (
	"cmp"
	"slices"

	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// A SubgroupDivision says how a machine divides its workgroups into subgroups. The specification
// leaves both open: a device has one size or several, and nothing ties the invocations of a
// subgroup to their local_invocation_index (§ 15.5).
type SubgroupDivision struct {
	Size      uint32 // a power of 2 up to MaxSubgroup; 0 means UsualSubgroup
	Scattered bool   // neighbours are in different subgroups, and the last comes first
}

// The sizes of subgroups. WebGPU allows 4 to 128 (GPUAdapterInfo); 1 and 2 show what a shader
// assumes. UsualSubgroup is that of NVIDIA's and many other GPUs.
const (
	UsualSubgroup = 32
	MaxSubgroup   = 128
)

// SizeIn returns the size of the subgroups of a program, which may fix it itself.
func (d SubgroupDivision) SizeIn(p *Program) uint32 {
	switch {
	case p.Pipeline.SubgroupSize > 0:
		return p.Pipeline.SubgroupSize
	case d.Size > 0:
		return d.Size
	}
	return UsualSubgroup
}

// The functions of subgroups are OpSubgroup's N (§ 17.12, § 17.13).
const (
	SubgroupAdd = iota
	SubgroupExclusiveAdd
	SubgroupInclusiveAdd
	SubgroupMul
	SubgroupExclusiveMul
	SubgroupInclusiveMul
	SubgroupMin
	SubgroupMax
	SubgroupAnd
	SubgroupOr
	SubgroupXor
	SubgroupAll
	SubgroupAny
	SubgroupElect
	SubgroupBallot // operand c is the number of the word
	SubgroupBroadcastFirst
	SubgroupBroadcast
	SubgroupShuffle
	SubgroupShuffleUp
	SubgroupShuffleDown
	SubgroupShuffleXor
	QuadBroadcast
	QuadSwapX
	QuadSwapY
	QuadSwapDiagonal
)

var subgroupNames = [...]string{
	"subgroupAdd", "subgroupExclusiveAdd", "subgroupInclusiveAdd", "subgroupMul", "subgroupExclusiveMul",
	"subgroupInclusiveMul", "subgroupMin", "subgroupMax", "subgroupAnd", "subgroupOr", "subgroupXor", "subgroupAll",
	"subgroupAny", "subgroupElect", "subgroupBallot", "subgroupBroadcastFirst", "subgroupBroadcast", "subgroupShuffle",
	"subgroupShuffleUp", "subgroupShuffleDown", "subgroupShuffleXor", "quadBroadcast", "quadSwapX", "quadSwapY",
	"quadSwapDiagonal",
}

var subgroupKinds = map[string]int{}

func init() {
	for kind, name := range subgroupNames {
		subgroupKinds[name] = kind
	}
}

// A CountedLoop is a loop whose rounds a slot counts.
type CountedLoop struct{ Start, Rounds uint32 }

// LoopsAt returns the counted loops around an instruction in its function, from the outermost on.
func (p *Program) LoopsAt(pc uint32) (loops []CountedLoop) {
	for end, in := range p.Code {
		if in.Op == OpLoop && in.A > 0 && in.C <= pc && pc <= uint32(end) {
			loops = append(loops, CountedLoop{in.C, in.A})
		}
	}
	slices.SortFunc(loops, func(a, b CountedLoop) int { return cmp.Compare(a.Start, b.Start) })
	return loops
}

// subgroupCall compiles a function of subgroups. The invocations meet once for each component.
func (c *compiler) subgroupCall(x *syntax.CallExpr, call *types.Call, kind int, args [][]uint32) []uint32 {
	c.Barriers, c.Subgroups = true, true // each invocation keeps its slots while it waits
	c.note(x.Span())
	result := types.Concrete(call.Type)
	c.at.Kind = KindOf(result)
	to := c.row(c.FlatWords(result))
	for i, slot := range to {
		first, second := c.word(0), c.word(uint32(i))
		if len(args) > 0 {
			first = spread(args[0], i)
		}
		if len(args) > 1 {
			second = args[1][0]
		}
		c.emit(OpSubgroup, kind, slot, first, second)
		if KindOf(result) == types.F16Kind {
			c.round(types.F16Kind, slot)
		}
	}
	return to
}
