package ir

import (
	"fmt"
	"math"
	"sort"
	"strconv"
	"strings"

	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// Text returns a piece of the source on one line.
func (p *Program) Text(s syntax.Span) string {
	return strings.Join(strings.Fields(p.Source.Slice(s)), " ")
}

// A NamedWord is a word of memory, named as in the shader: s[49], params.n.
type NamedWord struct {
	Text     string
	Variable string
	Index    int // of the outermost array; -1 without one
	Length   int
	Kind     types.ScalarKind // of the word
}

// SharedSpot names a word of workgroup memory.
func (p *Program) SharedSpot(word uint32) NamedWord {
	for _, v := range p.Variables {
		if v.Where == InShared && v.Object != nil && v.Slots == nil {
			n := uint32(p.sharedWords(v.Object.Store()))
			switch at := word - v.Base; {
			case word < v.Base || at >= n:
			case p.SharedBytes:
				return p.Spot(v.Object, 4*at, true, int(4*n))
			default:
				return p.Spot(v.Object, word-v.Base, false, -1)
			}
		}
	}
	return NamedWord{Index: -1, Length: -1, Kind: types.U32Kind}
}

func (p *Program) Spot(o *types.Object, offset uint32, bytes bool, size int) NamedWord {
	s := NamedWord{Text: o.Name, Variable: o.Name, Index: -1, Length: -1}
	p.WalkSpot(&s, o.Store(), offset, bytes, size)
	return s
}

func (p *Program) WalkSpot(s *NamedWord, t types.Type, offset uint32, bytes bool, size int) {
	where := InShared
	if bytes {
		where = InBuffers
	}
	switch t := t.(type) {
	case *types.Struct:
		for i, member := range t.Members {
			at, n := p.memberWord(t, i), p.FlatWords(member.Type)
			if bytes {
				at, n = uint32(member.Offset), uint32(member.Size)
				if types.HasRuntimeArray(member.Type) {
					n = math.MaxUint32 - at
				}
			}
			if at <= offset && offset-at < n {
				s.Text += "." + member.Name
				p.WalkSpot(s, member.Type, offset-at, bytes, size-int(at))
				return
			}
		}
	case *types.Buffer:
		s.Text += fmt.Sprintf(", byte %d", offset)
		s.Kind = types.U32Kind
	case *types.Array, *types.Matrix, *types.Vector:
		elem, count := p.Parts(t)
		stride := p.Stride(where, t)
		index := offset / stride
		if _, vector := t.(*types.Vector); vector {
			s.Kind = KindOf(t)
			s.Text += "." + string("xyzw"[min(index, 3)])
			return
		}
		s.Text += fmt.Sprintf("[%d]", index)
		if _, array := t.(*types.Array); array && s.Index < 0 {
			s.Index, s.Length = int(index), int(count)
			if count == 0 {
				s.Length = size / int(stride)
			}
		}
		p.WalkSpot(s, elem, offset%stride, bytes, size)
	default:
		s.Kind = KindOf(t)
	}
}

// FormatBits formats 32 bits as a number of a kind.
func FormatBits(bits uint32, k types.ScalarKind) string {
	switch k {
	case types.I32Kind:
		return strconv.Itoa(int(int32(bits)))
	case types.F32Kind, types.F16Kind:
		return FormatFloat(bits)
	case types.BoolKind:
		return strconv.FormatBool(bits != 0)
	}
	return strconv.FormatUint(uint64(bits), 10)
}

func FormatFloat(bits uint32) string {
	f := F64(bits)
	switch {
	case f != f:
		return "NaN"
	case math.IsInf(f, 1):
		return "infinity"
	case math.IsInf(f, -1):
		return "-infinity"
	}
	return strconv.FormatFloat(f, 'g', -1, 32)
}

// FunctionAt returns the function to which an instruction belongs, or nil.
func (p *Program) FunctionAt(pc uint32) *function {
	after := sort.Search(len(p.functions), func(i int) bool { return p.functions[i].code.From > pc })
	if after > 0 && p.functions[after-1].code.has(pc) {
		return &p.functions[after-1]
	}
	return nil
}

// Visible reports whether a local name is visible at an offset: within its block, after its
// declaration.
func (v VariablePlace) Visible(offset int32) bool {
	if v.Object.Kind == types.ParamObject {
		return true
	}
	return v.scope.Start <= offset && offset < v.scope.End && v.Object.Span().End <= offset
}
