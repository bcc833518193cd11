package wgsl

import (
	"fmt"
	"slices"

	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// A Module holds the declarations that the host of a shader needs to know.
type Module struct {
	Bindings    []Binding    // by group, then binding number
	EntryPoints []EntryPoint // of compute shaders, in source order
	Endless     []Loop       // loops that no invocation can ever leave, in source order
}

// A Binding is a resource variable: `@group(0) @binding(1) var<storage> b: array<f32>;`.
type Binding struct {
	Group, Number uint32
	Name          string
	Space         Space
	Type          Type
	Line, Column  int
}

// A Space is the address space of a bound variable and its access mode.
type Space string

// The address spaces that a buffer can be bound to.
const (
	Uniform   Space = "uniform"
	ReadOnly  Space = "storage, read"
	ReadWrite Space = "storage, read_write"
	Handle    Space = "handle" // textures and samplers
)

// A Type is the type of a bound variable, with its layout in memory (§ 14.4).
type Type struct {
	Text    string // as WGSL writes it
	Element string // the scalar it is made of: f32, u32, i32; "" for mixed structs
	Size    uint64 // bytes; for a runtime-sized array, with one element
	Stride  uint64 // bytes from one element to the next, for arrays
	Members []Member
}

// A Member is one field of a struct.
type Member struct {
	Name   string
	Offset uint64 // bytes
	Type   Type
}

// An EntryPoint is a function marked `@compute`.
type EntryPoint struct {
	Name          string
	WorkgroupSize [3]uint32 // invocations in x, y, z
	Line, Column  int
	Builtins      []string          // that it asks for, "global_invocation_id" and so on
	Wrong         *findings.Finding // why the values of its overrides give no pipeline, or nil
}

// Entry returns the entry point with the given name.
func (m *Module) Entry(name string) (EntryPoint, bool) {
	for _, entry := range m.EntryPoints {
		if entry.Name == name {
			return entry, true
		}
	}
	return EntryPoint{}, false
}

// Module returns the declarations of a valid shader, with the host's values for overrides by their
// keys. The others have their default values.
func (s *Shader) Module(constants map[string]float64) *Module {
	m := &Module{Endless: s.endless()}
	for _, v := range s.Info.Globals {
		if v.Binding != nil && v.Group != nil {
			m.Bindings = append(m.Bindings, s.binding(v))
		}
	}
	slices.SortStableFunc(m.Bindings, func(a, b Binding) int {
		if a.Group != b.Group {
			return int(a.Group) - int(b.Group)
		}
		return int(a.Number) - int(b.Number)
	})
	for _, e := range s.Info.EntryPoints {
		if e.Stage == types.ComputeStage {
			m.EntryPoints = append(m.EntryPoints, s.entry(e, constants))
		}
	}
	return m
}

func (s *Shader) binding(v *types.Object) Binding {
	at := s.Source.Region(v.Span())
	return Binding{
		Group: *v.Group, Number: *v.Binding, Name: v.Name, Space: spaceOf(v), Type: typeOf(v.Store()),
		Line: at.Line, Column: at.Column,
	}
}

func spaceOf(v *types.Object) Space {
	switch {
	case v.Space() == types.SpaceUniform:
		return Uniform
	case v.Space() == types.SpaceStorage && v.Access().Writes():
		return ReadWrite
	case v.Space() == types.SpaceStorage:
		return ReadOnly
	}
	return Handle
}

func (s *Shader) entry(e *types.EntryPoint, constants map[string]float64) EntryPoint {
	at := s.Source.Region(e.Object.Span())
	entry := EntryPoint{Name: e.Object.Name, Line: at.Line, Column: at.Column}
	for _, in := range e.Inputs {
		entry.Builtins = append(entry.Builtins, in.Builtin)
	}
	pipeline, found := s.Info.Pipeline(e, constants)
	entry.WorkgroupSize, entry.Wrong = pipeline.WorkgroupSize, findings.FirstError(found)
	if entry.Wrong != nil {
		s.Source.Locate(entry.Wrong)
	}
	return entry
}

func typeOf(t types.Type) Type {
	read := Type{Text: fmt.Sprint(t), Size: types.SizeOf(t), Element: elementOf(t)}
	switch t := t.(type) {
	case *types.Array:
		read.Stride = t.Stride()
	case *types.Struct:
		for _, m := range t.Members {
			read.Members = append(read.Members, Member{m.Name, m.Offset, typeOf(m.Type)})
		}
	}
	return read
}

// elementOf returns the scalar type that a type consists of, if there is only one.
func elementOf(t types.Type) string {
	switch t := t.(type) {
	case *types.Array:
		return elementOf(t.Elem)
	case *types.Atomic:
		return elementOf(t.Elem)
	case *types.Struct:
		element := elementOf(t.Members[0].Type)
		for _, m := range t.Members[1:] {
			if elementOf(m.Type) != element {
				return ""
			}
		}
		return element
	}
	if scalar := types.ElemOf(t); scalar != nil {
		return scalar.String()
	}
	return ""
}
