package stated

import (
	"fmt"
	"math"

	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/observe/anyshader"
	"github.com/wgslab/wgslab/internal/wgsl/numeric"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// A cell is a single number in a buffer.
type cell struct {
	name   string // such as lights[2].color.x
	offset uint64 // in bytes
	kind   *types.Scalar
}

// cellsOf returns the numbers of a type in the order of its layout (§ 14.4), without padding. A
// runtime-sized array has n elements.
func cellsOf(name string, at uint64, t types.Type, n uint64) (all []cell) {
	switch t := t.(type) {
	case *types.Scalar:
		return []cell{{name, at, t}}
	case *types.Atomic:
		return []cell{{name, at, types.ElemOf(t.Elem)}}
	case *types.Vector:
		for i := range uint64(t.Size) {
			all = append(all, cell{name + "." + "xyzw"[i:i+1], at + i*types.SizeOf(t.Elem), t.Elem})
		}
	case *types.Matrix:
		for i := range uint64(t.Columns) {
			all = append(all, cellsOf(fmt.Sprintf("%s[%d]", name, i), at+i*t.Stride(), t.Column(), 0)...)
		}
	case *types.Array:
		if !t.Runtime() {
			n = t.Count
		}
		for i := range n {
			all = append(all, cellsOf(fmt.Sprintf("%s[%d]", name, i), at+i*t.Stride(), t.Elem, 0)...)
		}
	case *types.Struct:
		for _, m := range t.Members {
			all = append(all, cellsOf(name+"."+m.Name, at+m.Offset, m.Type, n)...)
		}
	}
	return all
}

// A layout is how the numbers of a binding lie in a buffer.
type layout struct {
	name  string
	kind  types.Type
	fixed int // how many numbers there are without a runtime-sized array
	each  int // and how many in each element of it; 0 if there is none
}

func layoutOf(name string, t types.Type) layout {
	l := layout{name: name, kind: t, fixed: len(cellsOf("", 0, t, 0))}
	if types.HasRuntimeArray(t) {
		l.each = len(cellsOf("", 0, t, 1)) - l.fixed
	}
	return l
}

// elements returns how many elements a runtime-sized array has if the buffer has so many numbers.
func (l layout) elements(numbers int) (uint64, error) {
	switch {
	case l.each == 0 && numbers != l.fixed:
		return 0, fmt.Errorf("%s has %s, as %s has, and the test has %d", l.name, english.Count(l.fixed, "number", "numbers"), l.kind, numbers)
	case l.each == 0:
		return 0, nil
	case numbers <= l.fixed || (numbers-l.fixed)%l.each != 0:
		return 0, fmt.Errorf("%s has type %s, and %d numbers fill no whole number of its elements of %d", l.name, l.kind, numbers, l.each)
	}
	return uint64((numbers - l.fixed) / l.each), nil
}

// cells returns the numbers of the buffer, and its size in bytes.
func (l layout) cells(elements uint64) (all []cell, size uint64) {
	size = types.SizeOf(l.kind)
	if array := runtimeArray(l.kind); array != nil {
		size += (elements - 1) * array.Stride()
	}
	return cellsOf(l.name, 0, l.kind, elements), size
}

// runtimeArray returns the array of a type whose length the buffer decides, or nil.
func runtimeArray(t types.Type) *types.Array {
	if s, is := t.(*types.Struct); is {
		t = s.Members[len(s.Members)-1].Type
	}
	if a, is := t.(*types.Array); is && a.Runtime() {
		return a
	}
	return nil
}

// fits returns an error if a number is no value of a type. A float may be rounded.
func fits(kind *types.Scalar, v float64) error {
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

// poison is what an output holds before the run if the test says nothing.
func poison(kind *types.Scalar) float64 {
	if kind == types.U32 || kind == types.I32 {
		return 0x6b6b6b6b
	}
	return math.NaN()
}

// rounded returns the number as a type holds it.
func rounded(kind *types.Scalar, v float64) float64 {
	var data [4]byte
	anyshader.PutScalar(kind, data[:], 0, v)
	v, _ = anyshader.Scalar(kind, data[:], 0)
	return v
}

// same reports whether a number is the right one: exactly, if it is whole and no error is allowed.
func same(got, want, within float64, whole bool) bool {
	switch {
	case got == want || math.IsNaN(got) && math.IsNaN(want):
		return true
	case within > 0:
		return math.Abs(got-want) <= within
	}
	const most = 1e-6
	return !whole && math.Abs(got-want) <= most+most*math.Abs(want)
}
