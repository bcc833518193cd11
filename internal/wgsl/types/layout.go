package types

import "math"

// facts say how a type may be used (§ 6.2.12 constructible, § 6.5.2 host-shareable, § 6.2.13
// footprints).
type facts uint8

const (
	isConstructible facts = 1 << iota
	isHostShareable
	isCreationFixed // its size is known when the shader is read
	isFixed         // its size is known when the pipeline is made
	hasAtomic
	hasRuntimeArray
	hasArray
	isPlain
)

const scalarFacts = isConstructible | isHostShareable | isCreationFixed | isFixed | isPlain

func factsOf(t Type) facts {
	switch t := t.(type) {
	case *Scalar:
		if t == Bool {
			return scalarFacts &^ isHostShareable
		}
		return scalarFacts
	case *Vector:
		return factsOf(t.Elem)
	case *Matrix:
		return scalarFacts
	case *Atomic:
		return scalarFacts&^isConstructible | hasAtomic
	case *Array:
		return arrayFacts(t)
	case *Struct:
		return t.facts
	case *Buffer:
		return t.facts()
	}
	return 0
}

func (b *Buffer) facts() facts {
	switch {
	case b.Runtime():
		return 0
	case b.SizeExpr != nil:
		return isFixed
	}
	return isFixed | isCreationFixed
}

func arrayFacts(t *Array) facts {
	f := factsOf(t.Elem) | hasArray
	switch {
	case t.Runtime():
		f = f&^(isConstructible|isCreationFixed|isFixed) | hasRuntimeArray
	case t.CountExpr != nil:
		f = f &^ (isConstructible | isCreationFixed | isHostShareable)
	}
	return f
}

// Constructible reports whether values of the type can be constructed, loaded, passed and returned
// (§ 6.2.12).
func Constructible(t Type) bool { return factsOf(t)&isConstructible != 0 }

// HostShareable reports whether buffers can hold the type (§ 6.5.2).
func HostShareable(t Type) bool { return factsOf(t)&isHostShareable != 0 }

// HasAtomic reports whether the type contains an atomic.
func HasAtomic(t Type) bool { return factsOf(t)&hasAtomic != 0 }

// HasRuntimeArray reports whether the type is, or ends in, a runtime-sized array.
func HasRuntimeArray(t Type) bool { return factsOf(t)&hasRuntimeArray != 0 }

func creationFixed(t Type) bool { return factsOf(t)&isCreationFixed != 0 }

// AlignOf returns the alignment in memory in bytes (§ 14.4.1), or 0 for types that cannot be in
// memory.
func AlignOf(t Type) uint64 {
	switch t := t.(type) {
	case *Scalar:
		return scalarSize(t)
	case *Vector:
		if t.Size == 2 {
			return 2 * scalarSize(t.Elem)
		}
		return 4 * scalarSize(t.Elem)
	case *Matrix:
		return AlignOf(t.Column())
	case *Atomic:
		return AlignOf(t.Elem)
	case *Array:
		return AlignOf(t.Elem)
	case *Struct:
		return t.Align
	}
	return 0
}

// SizeOf returns the size in memory in bytes (§ 14.4.1). A runtime- or override-sized array counts
// with one element. Sizes beyond 64 bits saturate at the largest number.
func SizeOf(t Type) uint64 {
	switch t := t.(type) {
	case *Scalar:
		return scalarSize(t)
	case *Vector:
		return uint64(t.Size) * scalarSize(t.Elem)
	case *Matrix:
		return uint64(t.Columns) * roundUp(SizeOf(t.Column()), AlignOf(t.Column()))
	case *Atomic:
		return SizeOf(t.Elem)
	case *Array:
		return times(max(t.Count, 1), t.Stride())
	case *Struct:
		return t.Size
	case *Buffer:
		return max(t.Size, leastBuffer)
	}
	return 0
}

// leastBuffer is the size that a buffer counts with if it isn't known: one word.
const leastBuffer = 4

// Stride returns the number of bytes from one element to the next (§ 14.4.1).
func (a *Array) Stride() uint64 { return roundUp(SizeOf(a.Elem), AlignOf(a.Elem)) }

// Stride returns the number of bytes from one column to the next.
func (m *Matrix) Stride() uint64 { return AlignOf(m.Column()) }

// scalarSize returns the size of a scalar in bytes: 4 for a bool in memory (§ 14.4.1); abstract
// numbers count as concretized.
func scalarSize(s *Scalar) uint64 {
	if s == F16 {
		return 2
	}
	return 4
}

func roundUp(n, multiple uint64) uint64 {
	if multiple == 0 || n > math.MaxUint64-multiple {
		return n
	}
	return (n + multiple - 1) / multiple * multiple
}

func times(a, b uint64) uint64 {
	if b != 0 && a > math.MaxUint64/b {
		return math.MaxUint64
	}
	return a * b
}

func plus(a, b uint64) uint64 {
	if a > math.MaxUint64-b {
		return math.MaxUint64
	}
	return a + b
}

// layOut places the members (§ 14.4.2). Members that already have an Align or Size keep it: it
// comes from attributes.
func (s *Struct) layOut() {
	s.Size, s.Align = 0, 1
	s.facts = scalarFacts
	for _, m := range s.Members {
		if m.Align == 0 {
			m.Align = AlignOf(m.Type)
		}
		if m.Size == 0 {
			m.Size = SizeOf(m.Type)
		}
		m.Offset = roundUp(s.Size, m.Align)
		s.Size = plus(m.Offset, m.Size)
		s.Align = max(s.Align, m.Align)
		f := factsOf(m.Type)
		s.facts = s.facts&f | (s.facts|f)&(hasAtomic|hasRuntimeArray|hasArray)
		s.depth = max(s.depth, nesting(m.Type))
	}
	s.depth++
	s.Size = roundUp(s.Size, s.Align)
}

// nesting returns the nesting depth of a composite type (§ 6.2.11).
func nesting(t Type) int {
	switch t := t.(type) {
	case *Scalar:
		return 0
	case *Vector:
		return 1
	case *Matrix:
		return 2
	case *Array:
		return 1 + nesting(t.Elem)
	case *Struct:
		return t.depth
	}
	return 0
}
