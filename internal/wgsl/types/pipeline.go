package types

import "github.com/wgslab/wgslab/internal/wgsl/syntax"

// A Pipeline is an entry point with the values of its overrides (§ 8.1.2).
type Pipeline struct {
	Info          *Info
	Entry         *EntryPoint
	WorkgroupSize [3]uint32
	Overrides     map[*Object]Value // of those that the entry point uses

	values map[syntax.Expr]Value
}

// Pipeline gives the overrides of an entry point their values and checks what depends on them. A constant's key is
// the number of @id, or else the override's name. Where an error is among the diagnostics the pipeline is unusable.
func (info *Info) Pipeline(entry *EntryPoint, constants map[string]float64) (*Pipeline, []*syntax.Diagnostic) {
	return &Pipeline{Info: info, Entry: entry}, nil
}

// Value is the value of a const- or override-expression that the entry point uses.
func (p *Pipeline) Value(x syntax.Expr) Value {
	if v, ok := p.values[x]; ok {
		return v
	}
	return p.Info.ValueOf(x)
}

// Count is the number of elements of an array; 0 for a runtime-sized one.
func (p *Pipeline) Count(a *Array) uint64 {
	if a.CountExpr != nil {
		return uint64(p.Value(a.CountExpr).Int())
	}
	return a.Count
}

// SizeOf is the size of a type in bytes, override-sized arrays with all of their elements.
func (p *Pipeline) SizeOf(t Type) uint64 {
	if a, ok := t.(*Array); ok {
		return times(max(p.Count(a), 1), a.Stride())
	}
	return SizeOf(t)
}
