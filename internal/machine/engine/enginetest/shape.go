package enginetest

import (
	"fmt"
	"strings"
)

// A shape is a type of WGSL: a scalar, a vector of size components, a matrix of columns, an array
// or a structure.
type shape struct {
	name    string // as WGSL writes it
	scalar  string // of scalars, vectors and matrices: bool, i32, u32 or f32
	size    int    // components of a vector, rows of a matrix; 1 for scalars
	columns int    // of a matrix
	elem    *shape // of an array
	length  int    // of an array
	members []member
}

type member struct {
	name  string
	shape *shape
}

func scalarShape(name string) *shape { return &shape{name: name, scalar: name, size: 1} }

var (
	boolean  = scalarShape("bool")
	signed   = scalarShape("i32")
	unsigned = scalarShape("u32")
	float    = scalarShape("f32")

	scalars = []*shape{signed, unsigned, float, boolean}
)

func vector(scalar *shape, size int) *shape {
	if size == 1 {
		return scalar
	}
	return &shape{name: fmt.Sprintf("vec%d<%s>", size, scalar.name), scalar: scalar.name, size: size}
}

func matrix(columns, rows int) *shape {
	return &shape{name: fmt.Sprintf("mat%dx%d<f32>", columns, rows), scalar: "f32", size: rows, columns: columns}
}

func array(elem *shape, length int) *shape {
	return &shape{name: fmt.Sprintf("array<%s, %d>", elem.name, length), elem: elem, length: length}
}

func (s *shape) isScalar() bool     { return s.scalar != "" && s.size == 1 && s.columns == 0 }
func (s *shape) isVector() bool     { return s.scalar != "" && s.size > 1 && s.columns == 0 }
func (s *shape) isMatrix() bool     { return s.columns > 0 }
func (s *shape) isInteger() bool    { return s.scalar == "i32" || s.scalar == "u32" }
func (s *shape) same(o *shape) bool { return s.name == o.name }

// with returns the scalar or vector with another scalar type.
func (s *shape) with(scalar *shape) *shape { return vector(scalar, s.size) }

// component returns the scalar shape of a vector's or matrix's components.
func (s *shape) component() *shape { return scalarShape(s.scalar) }

// column returns the shape of a matrix's column.
func (s *shape) column() *shape { return vector(float, s.size) }

// declaration returns a structure's declaration.
func (s *shape) declaration() string {
	var b strings.Builder
	fmt.Fprintf(&b, "struct %s {\n", s.name)
	for _, m := range s.members {
		fmt.Fprintf(&b, "  %s: %s,\n", m.name, m.shape.name)
	}
	b.WriteString("}\n")
	return b.String()
}
