// Package types analyses every name and expression of a WGSL shader. It resolves names, checks
// types, evaluates constants and lays out memory, and it reports mistakes in a learner's words.
//
// Check is the entry point. Its Info maps the tree's nodes to expressions and names. It also holds
// everything that a host must know: entry points, resources, layouts, overrides. Info.Pipeline
// evaluates the overrides. One table, builtins.txt, describes the builtin functions and operators.
// Package flow analyses control flow (behaviors, uniformity, aliases).
//
// Sections (§) are those of the WebGPU Shading Language specification, https://www.w3.org/TR/WGSL/.
package types

import (
	"fmt"
	"strings"

	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// A Type is one of *Scalar, *Vector, *Matrix, *Atomic, *Array, *Struct, *Pointer, *Reference,
// *Texture, *Sampler and *Buffer (§ 6). Scalars, vectors, matrices and samplers exist once each, so
// == compares them; use Identical for the others. String returns the type as WGSL writes it, in its
// short form: vec3f, not vec3<f32>.
type Type interface {
	String() string
	typ()
}

// ScalarKind tells the scalars apart.
type ScalarKind uint8

// The scalar kinds. The abstract ones are the types of literals without a suffix and of constant
// expressions made from them. They exist at compile time only (§ 6.2.1).
const (
	BoolKind ScalarKind = iota
	AbstractIntKind
	I32Kind
	U32Kind
	AbstractFloatKind
	F32Kind
	F16Kind
	scalarKinds
)

// A Scalar is a bool or a number (§ 6.2.5).
type Scalar struct{ Kind ScalarKind }

// The scalar types; there are no others.
var (
	Bool          = &Scalar{BoolKind}
	AbstractInt   = &Scalar{AbstractIntKind}
	I32           = &Scalar{I32Kind}
	U32           = &Scalar{U32Kind}
	AbstractFloat = &Scalar{AbstractFloatKind}
	F32           = &Scalar{F32Kind}
	F16           = &Scalar{F16Kind}
)

var scalars = [scalarKinds]*Scalar{Bool, AbstractInt, I32, U32, AbstractFloat, F32, F16}

// A Vector has 2, 3 or 4 scalars of one type (§ 6.2.6). VectorOf returns it.
type Vector struct {
	Size int
	Elem *Scalar
}

// A Matrix has 2, 3 or 4 columns, each a vector of Rows floats (§ 6.2.7). MatrixOf returns it.
type Matrix struct {
	Columns, Rows int
	Elem          *Scalar
}

// An Atomic holds an i32 or u32 that many invocations can change without tearing (§ 6.2.8). With
// the extension atomic_vec2u_min_max it can also hold a vec2u.
type Atomic struct{ Elem Type }

// An Array is a sequence of elements (§ 6.2.9). Its length is Count. If Count is 0, the length is
// the override expression CountExpr, and Pipeline.Count returns it. If CountExpr is nil as well,
// the bound buffer decides the length.
type Array struct {
	Elem      Type
	Count     uint64
	CountExpr syntax.Expr // not nil if and only if the length is an override expression
	CountName *Object     // the override, if CountExpr is just its name
}

// Runtime reports whether the bound buffer decides the array's length.
func (a *Array) Runtime() bool { return a.Count == 0 && a.CountExpr == nil }

// A Struct is a structure (§ 6.2.10). There is one for each declaration, so == compares them. Decl
// is nil for the structures that builtin functions return (frexp, modf, atomicCompareExchangeWeak).
type Struct struct {
	Name    string
	Decl    *syntax.StructDecl
	Members []*Member
	Size    uint64 // bytes of a value in memory; a runtime-sized array at the end counts with one element
	Align   uint64 // bytes

	abstract bool // __frexp_result_abstract and the like
	depth    int  // nesting depth (§ 6.2.11)
	facts    facts
}

// Member returns the member with the given name, or nil.
func (s *Struct) Member(name string) *Member {
	for _, m := range s.Members {
		if m.Name == name {
			return m
		}
	}
	return nil
}

// A Member is one member of a structure, with its place in memory (§ 14.4.2) and its attributes.
type Member struct {
	Name   string
	Index  int
	Type   Type
	Decl   *syntax.Member // nil if the structure has none
	Offset uint64         // bytes from the start of the structure
	Size   uint64         // bytes reserved for it: @size, or those of its type
	Align  uint64         // bytes: @align, or that of its type
	IO     *IO            // what @builtin, @location and so on say, or nil
}

// A Pointer is the address of something in memory; a Reference is the thing itself. A variable's
// name, an access or a parenthesised expression yields a reference, which is loaded if a value is
// needed (§ 6.5.3).
type (
	Pointer struct {
		Space  AddressSpace
		Elem   Type // the type of the memory: the store type
		Access AccessMode
	}
	Reference struct {
		Space  AddressSpace
		Elem   Type
		Access AccessMode
		// Component marks one component of a vector, whose address cannot be taken. Swizzle marks
		// several components, which can only be assigned to (swizzle_assignment).
		Component, Swizzle bool
	}
)

// AddressSpace is the part of memory that a variable is in (§ 14.3).
type AddressSpace uint8

// The address spaces. Shaders never write Handle: it contains textures and samplers.
const (
	NoSpace AddressSpace = iota
	SpaceFunction
	SpacePrivate
	SpaceWorkgroup
	SpaceUniform
	SpaceStorage
	SpaceHandle
	SpaceImmediate
)

var spaceNames = [...]string{"", "function", "private", "workgroup", "uniform", "storage", "handle", "immediate"}

// String returns the name of the address space as WGSL writes it.
func (s AddressSpace) String() string { return spaceNames[s] }

// AccessMode says which accesses to memory are allowed (§ 14.2).
type AccessMode uint8

// The access modes.
const (
	NoAccess AccessMode = iota
	Read
	Write
	ReadWrite
)

// String returns the name of the access mode as WGSL writes it.
func (m AccessMode) String() string { return [...]string{"", "read", "write", "read_write"}[m] }

// Reads reports whether the mode allows reads.
func (m AccessMode) Reads() bool { return m == Read || m == ReadWrite }

// Writes reports whether the mode allows writes.
func (m AccessMode) Writes() bool { return m == Write || m == ReadWrite }

// TextureKind is the purpose of a texture.
type TextureKind uint8

// The texture kinds (§ 6.6).
const (
	SampledTexture TextureKind = iota
	MultisampledTexture
	DepthTexture
	DepthMultisampledTexture
	StorageTexture
	ExternalTexture
)

// A Texture is a texture's type (§ 6.6).
type Texture struct {
	Kind    TextureKind
	Dim     string       // 1d, 2d, 2d_array, 3d, cube, cube_array
	Sampled *Scalar      // sampled and multisampled textures: f32, i32, u32
	Format  *TexelFormat // storage textures
	Access  AccessMode   // storage textures
}

// A TexelFormat is the format of a storage texture's texels (§ 6.6.1).
type TexelFormat struct {
	Name    string
	Channel *Scalar // the type of a channel in the shader: f32, i32 or u32
	Needs   Feature // 0 if every implementation has it
}

// A Sampler says how to sample a texture (§ 6.6.7). There are two: SamplerType and
// ComparisonSampler.
type Sampler struct{ Comparison bool }

// The sampler types.
var (
	SamplerType       = &Sampler{false}
	ComparisonSampler = &Sampler{true}
)

// A Buffer is memory without a type of its own: the functions of views read it as other types
// (§ Buffer Types). Its size is Size. If Size is 0, the size is the override expression SizeExpr,
// and if that is nil as well, the bound buffer decides it.
type Buffer struct {
	Size     uint64      // bytes
	SizeExpr syntax.Expr // not nil if and only if the size is an override expression
	SizeName *Object     // the override, if SizeExpr is just its name
}

// Runtime reports whether the bound buffer decides the size.
func (b *Buffer) Runtime() bool { return b.Size == 0 && b.SizeExpr == nil }

func (b *Buffer) String() string {
	switch {
	case b.Size > 0:
		return fmt.Sprintf("buffer<%d>", b.Size)
	case b.SizeName != nil:
		return "buffer<" + b.SizeName.Name + ">"
	case b.SizeExpr != nil:
		return "buffer<(an override expression)>"
	}
	return "buffer"
}

// sameSize reports whether two buffers have the same type. Override-sized ones do only if one
// override's name sizes both.
func (b *Buffer) sameSize(other *Buffer) bool {
	if b.SizeExpr != nil || other.SizeExpr != nil {
		return b.SizeName != nil && b.SizeName == other.SizeName
	}
	return b.Size == other.Size
}

// shrinks reports whether a pointer to src, as an argument, converts to a parameter's type: to a
// smaller buffer, or to one without a size (§ 6.1.2).
func shrinks(src, dest Type) bool {
	s, ok := src.(*Pointer)
	d, too := dest.(*Pointer)
	if !ok || !too || s.Space != d.Space || s.Access != d.Access {
		return false
	}
	from, ok := s.Elem.(*Buffer)
	to, too := d.Elem.(*Buffer)
	return ok && too && !from.Runtime() && (to.Runtime() || to.SizeExpr == nil && to.Size < from.Size)
}

func (*Buffer) typ()    {}
func (*Scalar) typ()    {}
func (*Vector) typ()    {}
func (*Matrix) typ()    {}
func (*Atomic) typ()    {}
func (*Array) typ()     {}
func (*Struct) typ()    {}
func (*Pointer) typ()   {}
func (*Reference) typ() {}
func (*Texture) typ()   {}
func (*Sampler) typ()   {}

// vectors and matrices hold every vector and matrix type, by size and scalar.
var vectors = func() (all [5][scalarKinds]*Vector) {
	for n := 2; n <= 4; n++ {
		for _, s := range scalars {
			all[n][s.Kind] = &Vector{n, s}
		}
	}
	return all
}()

var matrices = func() (all [5][5][scalarKinds]*Matrix) {
	for c := 2; c <= 4; c++ {
		for r := 2; r <= 4; r++ {
			for _, s := range []*Scalar{AbstractFloat, F32, F16} {
				all[c][r][s.Kind] = &Matrix{c, r, s}
			}
		}
	}
	return all
}()

// VectorOf returns the vector type of size 2 to 4.
func VectorOf(size int, elem *Scalar) *Vector { return vectors[size][elem.Kind] }

// MatrixOf returns the matrix type with 2 to 4 columns and rows of f32, f16 or abstract floats.
func MatrixOf(columns, rows int, elem *Scalar) *Matrix { return matrices[columns][rows][elem.Kind] }

// Column returns the type of one column.
func (m *Matrix) Column() *Vector { return VectorOf(m.Rows, m.Elem) }

var scalarNames = [scalarKinds]string{"bool", "abstract-int", "i32", "u32", "abstract-float", "f32", "f16"}

func (s *Scalar) String() string { return scalarNames[s.Kind] }

// suffixes are the last letters of the predeclared aliases vec2f, mat2x2h and so on (§ 6.2.6,
// § 6.2.7).
var suffixes = map[ScalarKind]string{I32Kind: "i", U32Kind: "u", F32Kind: "f", F16Kind: "h"}

func short(name string, elem *Scalar) string {
	if suffix, ok := suffixes[elem.Kind]; ok {
		return name + suffix
	}
	return name + "<" + elem.String() + ">"
}

func (v *Vector) String() string { return short(fmt.Sprintf("vec%d", v.Size), v.Elem) }
func (m *Matrix) String() string { return short(fmt.Sprintf("mat%dx%d", m.Columns, m.Rows), m.Elem) }
func (a *Atomic) String() string { return "atomic<" + a.Elem.String() + ">" }
func (s *Struct) String() string { return s.Name }

func (a *Array) String() string {
	switch {
	case a.Count > 0:
		return fmt.Sprintf("array<%s, %d>", a.Elem, a.Count)
	case a.CountName != nil:
		return fmt.Sprintf("array<%s, %s>", a.Elem, a.CountName.Name)
	case a.CountExpr != nil:
		return fmt.Sprintf("array<%s, (an override expression)>", a.Elem)
	}
	return fmt.Sprintf("array<%s>", a.Elem)
}

func (p *Pointer) String() string   { return memoryView("ptr", p.Space, p.Elem, p.Access) }
func (r *Reference) String() string { return memoryView("ref", r.Space, r.Elem, r.Access) }

func memoryView(name string, space AddressSpace, elem Type, access AccessMode) string {
	if space == SpaceStorage {
		return fmt.Sprintf("%s<%s, %s, %s>", name, space, elem, access)
	}
	return fmt.Sprintf("%s<%s, %s>", name, space, elem)
}

func (t *Texture) String() string {
	switch t.Kind {
	case MultisampledTexture:
		return "texture_multisampled_" + t.Dim + "<" + t.Sampled.String() + ">"
	case DepthTexture:
		return "texture_depth_" + t.Dim
	case DepthMultisampledTexture:
		return "texture_depth_multisampled_" + t.Dim
	case StorageTexture:
		return fmt.Sprintf("texture_storage_%s<%s, %s>", t.Dim, t.Format.Name, t.Access)
	case ExternalTexture:
		return "texture_external"
	}
	return "texture_" + t.Dim + "<" + t.Sampled.String() + ">"
}

func (s *Sampler) String() string {
	if s.Comparison {
		return "sampler_comparison"
	}
	return "sampler"
}

// Identical reports whether a and b are the same type.
func Identical(a, b Type) bool {
	if a == b {
		return true
	}
	switch a := a.(type) {
	case *Atomic:
		b, ok := b.(*Atomic)
		return ok && a.Elem == b.Elem
	case *Array:
		b, ok := b.(*Array)
		return ok && sameCount(a, b) && Identical(a.Elem, b.Elem)
	case *Pointer:
		b, ok := b.(*Pointer)
		return ok && a.Space == b.Space && a.Access == b.Access && Identical(a.Elem, b.Elem)
	case *Reference:
		b, ok := b.(*Reference)
		return ok && a.Space == b.Space && a.Access == b.Access && Identical(a.Elem, b.Elem)
	case *Texture:
		b, ok := b.(*Texture)
		return ok && *a == *b
	case *Buffer:
		b, ok := b.(*Buffer)
		return ok && a.sameSize(b)
	case *Struct: // those of builtin functions are created as needed
		b, ok := b.(*Struct)
		return ok && a.Decl == nil && b.Decl == nil && a.Name == b.Name
	}
	return false
}

// sameCount reports whether two arrays have the same length. Override-sized arrays do only if one
// override's name sizes both (§ 6.2.9).
func sameCount(a, b *Array) bool {
	if a.CountExpr != nil || b.CountExpr != nil {
		return a.CountName != nil && a.CountName == b.CountName
	}
	return a.Count == b.Count
}

// ElemOf returns the scalar type of a scalar, vector or matrix, or nil.
func ElemOf(t Type) *Scalar {
	switch t := t.(type) {
	case *Scalar:
		return t
	case *Vector:
		return t.Elem
	case *Matrix:
		return t.Elem
	}
	return nil
}

// Numeric reports whether the scalar is a number.
func (s *Scalar) Numeric() bool { return s.Kind != BoolKind }

// Integer reports whether it is i32, u32 or abstract-int.
func (s *Scalar) Integer() bool { return s.Kind >= AbstractIntKind && s.Kind <= U32Kind }

// Float reports whether it is f32, f16 or abstract-float.
func (s *Scalar) Float() bool { return s.Kind >= AbstractFloatKind }

// Abstract reports whether it exists at compile time only.
func (s *Scalar) Abstract() bool { return s.Kind == AbstractIntKind || s.Kind == AbstractFloatKind }

// withElem returns t with its scalars changed to elem: vec3<abstract-int> becomes vec3f.
func withElem(t Type, elem *Scalar) Type {
	switch t := t.(type) {
	case *Scalar:
		return elem
	case *Vector:
		return VectorOf(t.Size, elem)
	case *Matrix:
		return MatrixOf(t.Columns, t.Rows, elem)
	case *Array:
		return &Array{Elem: withElem(t.Elem, elem), Count: t.Count}
	}
	return t
}

// IsAbstract reports whether t contains abstract numbers.
func IsAbstract(t Type) bool {
	switch t := t.(type) {
	case *Array:
		return IsAbstract(t.Elem)
	case *Struct:
		return t.abstract
	}
	s := ElemOf(t)
	return s != nil && s.Abstract()
}

// Concrete returns the type that a value of type t has if the context requires no other (§ 6.1.2,
// concretization): i32 for abstract-int, f32 for abstract-float, the stored type for a reference.
func Concrete(t Type) Type {
	switch t := t.(type) {
	case *Reference:
		return t.Elem
	case *Array:
		if elem := Concrete(t.Elem); elem != t.Elem {
			return &Array{Elem: elem, Count: t.Count}
		}
		return t
	case *Struct:
		if t.abstract {
			return concreteResult(t, F32)
		}
		return t
	}
	switch s := ElemOf(t); s {
	case AbstractInt:
		return withElem(t, I32)
	case AbstractFloat:
		return withElem(t, F32)
	}
	return t
}

// Unref returns the stored type of a reference, and any other type unchanged.
func Unref(t Type) Type {
	if r, ok := t.(*Reference); ok {
		return r.Elem
	}
	return t
}

// never is the rank of a conversion that WGSL does not allow.
const never = 1 << 20

// scalarRank[src][dest] are the conversion ranks of § 6.1.2; 0 off the diagonal means never.
var scalarRank = [scalarKinds][scalarKinds]int{
	AbstractFloatKind: {F32Kind: 1, F16Kind: 2},
	AbstractIntKind:   {I32Kind: 3, U32Kind: 4, AbstractFloatKind: 5, F32Kind: 6, F16Kind: 7},
}

// conversionRank ranks WGSL's automatic conversion of src to dest, lower being preferred; never
// if there is none (§ 6.1.2).
func conversionRank(src, dest Type) int {
	if r, ok := src.(*Reference); ok {
		if _, ok := dest.(*Reference); !ok {
			if !r.Access.Reads() {
				return never
			}
			src = r.Elem
		}
	}
	if src == dest {
		return 0
	}
	switch s := src.(type) {
	case *Scalar:
		if d, ok := dest.(*Scalar); ok {
			return rankOf(s, d)
		}
	case *Vector:
		if d, ok := dest.(*Vector); ok && d.Size == s.Size {
			return rankOf(s.Elem, d.Elem)
		}
	case *Matrix:
		if d, ok := dest.(*Matrix); ok && d.Columns == s.Columns && d.Rows == s.Rows {
			return rankOf(s.Elem, d.Elem)
		}
	case *Array:
		if d, ok := dest.(*Array); ok && sameCount(s, d) {
			return conversionRank(s.Elem, d.Elem)
		}
	case *Struct:
		if d, ok := dest.(*Struct); ok && s.abstract && d.Decl == nil {
			return resultRank(s, d)
		}
	}
	if Identical(src, dest) {
		return 0
	}
	return never
}

func rankOf(src, dest *Scalar) int {
	if src == dest {
		return 0
	}
	if rank := scalarRank[src.Kind][dest.Kind]; rank > 0 {
		return rank
	}
	return never
}

// resultRank ranks the conversion of __frexp_result_abstract and the like to the f32 and f16
// structures.
func resultRank(src, dest *Struct) int {
	for rank, elem := range []*Scalar{F32, F16} {
		if concreteResult(src, elem).Name == dest.Name {
			return rank + 1
		}
	}
	return never
}

// resultStruct returns the structure that frexp, modf or atomicCompareExchangeWeak returns, laid
// out in memory.
func resultStruct(name string, abstract bool, members ...*Member) *Struct {
	s := &Struct{Name: name, Members: members, abstract: abstract}
	for i, m := range members {
		m.Index = i
	}
	s.layOut()
	return s
}

// concreteResult returns the f32 or f16 counterpart of an abstract result structure (§ 17.5.34,
// § 17.5.44).
func concreteResult(s *Struct, elem *Scalar) *Struct {
	members := make([]*Member, len(s.Members))
	for i, m := range s.Members {
		t := m.Type
		switch ElemOf(t) {
		case AbstractFloat:
			t = withElem(t, elem)
		case AbstractInt:
			t = withElem(t, I32)
		}
		members[i] = &Member{Name: m.Name, Type: t}
	}
	return resultStruct(strings.Replace(s.Name, "abstract", elem.String(), 1), false, members...)
}
