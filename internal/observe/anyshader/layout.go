package anyshader

import (
	"fmt"
	"iter"
	"math"

	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/wgsl/numeric"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// A Cell is a single number in a buffer.
type Cell struct {
	Name   string // such as lights[2].color.x
	Offset uint64 // in bytes
	Kind   *types.Scalar
}

// cellsOf returns the numbers of a type in the order of its layout (§ 14.4), without padding. A
// runtime-sized array has n elements. Without a name, the numbers have none: a large buffer has
// millions.
func cellsOf(name string, at uint64, t types.Type, n uint64) (all []Cell) {
	switch t := t.(type) {
	case *types.Scalar:
		return []Cell{{name, at, t}}
	case *types.Atomic:
		return []Cell{{name, at, types.ElemOf(t.Elem)}}
	case *types.Vector:
		for i := range uint64(t.Size) {
			all = append(all, Cell{within(name, "."+"xyzw"[i:i+1]), at + i*types.SizeOf(t.Elem), t.Elem})
		}
	case *types.Matrix:
		for i := range uint64(t.Columns) {
			all = append(all, cellsOf(element(name, i), at+i*t.Stride(), t.Column(), 0)...)
		}
	case *types.Array:
		if !t.Runtime() {
			n = t.Count
		}
		for i := range n {
			all = append(all, cellsOf(element(name, i), at+i*t.Stride(), t.Elem, 0)...)
		}
	case *types.Struct:
		for _, m := range t.Members {
			all = append(all, cellsOf(within(name, "."+m.Name), at+m.Offset, m.Type, n)...)
		}
	case *types.Buffer: // its views decide what the words are
		if !t.Runtime() {
			n = t.Size / shader.ElementBytes
		}
		for i := range n {
			all = append(all, Cell{element(name, i), at + i*shader.ElementBytes, types.U32})
		}
	}
	return all
}

func within(name, part string) string {
	if name == "" {
		return ""
	}
	return name + part
}

func element(name string, i uint64) string {
	if name == "" {
		return ""
	}
	return fmt.Sprintf("%s[%d]", name, i)
}

// A NumberLayout is how the numbers of a binding lie in a buffer.
type NumberLayout struct {
	name  string
	kind  types.Type
	fixed int // how many numbers there are without a runtime-sized array
	each  int // and how many in each element of it; 0 if there is none
}

// LayoutOf returns the layout of a variable called name.
func LayoutOf(name string, t types.Type) NumberLayout {
	l := NumberLayout{name: name, kind: t, fixed: len(cellsOf("", 0, t, 0))}
	if RuntimeStride(t) > 0 {
		l.each = len(cellsOf("", 0, t, 1)) - l.fixed
	}
	return l
}

// Elements returns how many elements a runtime-sized array has if the buffer has so many numbers.
func (l NumberLayout) Elements(numbers int) (uint64, error) {
	switch {
	case l.each == 0 && numbers != l.fixed:
		return 0, fmt.Errorf("%s has %s, as %s has, and %s given", l.name, english.Count(l.fixed, "number", "numbers"), l.kind, english.Count(numbers, "is", "are"))
	case l.each == 0:
		return 0, nil
	case numbers <= l.fixed || (numbers-l.fixed)%l.each != 0:
		return 0, fmt.Errorf("%s has type %s, and %d numbers fill no whole number of its elements of %d", l.name, l.kind, numbers, l.each)
	}
	return uint64((numbers - l.fixed) / l.each), nil
}

// Cells returns the numbers of the buffer, and its size in bytes.
func (l NumberLayout) Cells(elements uint64) (all []Cell, size uint64) {
	size = types.SizeOf(l.kind)
	if stride := RuntimeStride(l.kind); stride > 0 {
		size += (elements - 1) * stride
	}
	return cellsOf(l.name, 0, l.kind, elements), size
}

// all yields the numbers of the buffer without names: it may have millions.
func (l NumberLayout) all(elements uint64) iter.Seq2[int, Cell] {
	one := cellsOf("", 0, l.kind, min(elements, 1))
	return func(yield func(int, Cell) bool) {
		for i, c := range one {
			if !yield(i, c) {
				return
			}
		}
		for e := uint64(1); e < elements; e++ {
			for k, c := range one[l.fixed:] {
				c.Offset += e * RuntimeStride(l.kind)
				if !yield(l.fixed+int(e)*l.each+k, c) {
					return
				}
			}
		}
	}
}

// RuntimeStride returns the bytes of an element of the array whose length the buffer decides, or 0
// if the type has none.
func RuntimeStride(t types.Type) uint64 {
	switch of := t.(type) {
	case *types.Buffer:
		if of.Runtime() {
			return shader.ElementBytes
		}
	case *types.Struct:
		return RuntimeStride(of.Members[len(of.Members)-1].Type)
	case *types.Array:
		if of.Runtime() {
			return of.Stride()
		}
	}
	return 0
}

// RuntimeElements returns how many elements that array has in a buffer of so many bytes.
func RuntimeElements(t types.Type, size int) uint64 {
	stride := RuntimeStride(t)
	return (uint64(size) - min(uint64(size), types.SizeOf(t)-stride)) / stride
}

// Fits returns an error if a number is no value of a type. A float may be rounded.
func Fits(kind *types.Scalar, v float64) error {
	least, most, whole := -math.MaxFloat32, math.MaxFloat32, false
	switch kind {
	case types.U32:
		least, most, whole = 0, math.MaxUint32, true
	case types.I32:
		least, most, whole = math.MinInt32, math.MaxInt32, true
	case types.F16:
		least, most = -numeric.LargestF16, numeric.LargestF16
	}
	if whole && v != math.Trunc(v) || (whole || !math.IsInf(v, 0) && !math.IsNaN(v)) && !(v >= least && v <= most) {
		return fmt.Errorf("%v is no value of type %s", v, kind)
	}
	return nil
}
