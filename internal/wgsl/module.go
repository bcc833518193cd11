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
	Workgroup   []Variable   // variables in the workgroup address space, in source order
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

// A Variable is a module-scope variable that is not a resource.
type Variable struct {
	Name string
	Type Type
}

// An EntryPoint is a function marked `@compute`.
type EntryPoint struct {
	Name          string
	WorkgroupSize [3]uint32 // invocations in x, y, z
	Line, Column  int
	Builtins      []string // that it asks for, "global_invocation_id" and so on
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

// Module returns the declarations of a valid shader. Overrides have their default values; the error
// reports an override expression whose value is not allowed.
func (s *Shader) Module() (*Module, error) {
	m := &Module{Endless: s.endless()}
	for _, v := range s.Info.Globals {
		switch {
		case v.Binding != nil && v.Group != nil:
			m.Bindings = append(m.Bindings, s.binding(v))
		case v.Space() == types.SpaceWorkgroup:
			m.Workgroup = append(m.Workgroup, Variable{v.Name, typeOf(v.Store())})
		}
	}
	slices.SortStableFunc(m.Bindings, func(a, b Binding) int {
		if a.Group != b.Group {
			return int(a.Group) - int(b.Group)
		}
		return int(a.Number) - int(b.Number)
	})
	for _, e := range s.Info.EntryPoints {
		if e.Stage != types.ComputeStage {
			continue
		}
		entry, err := s.entry(e)
		if err != nil {
			return nil, err
		}
		m.EntryPoints = append(m.EntryPoints, entry)
	}
	return m, nil
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

// A PipelineError says why an entry point has no pipeline without values for its overrides.
type PipelineError struct {
	Entry   string
	Finding *findings.Finding
}

func (e *PipelineError) Error() string {
	return fmt.Sprintf("line %d: entry point %s: %s", e.Finding.Line, e.Entry, e.Finding.Message)
}

func (s *Shader) entry(e *types.EntryPoint) (EntryPoint, error) {
	at := s.Source.Region(e.Object.Span())
	entry := EntryPoint{Name: e.Object.Name, Line: at.Line, Column: at.Column}
	for _, in := range e.Inputs {
		entry.Builtins = append(entry.Builtins, in.Builtin)
	}
	pipeline, found := s.Info.Pipeline(e, nil)
	if findings.HasErrors(found) {
		s.Source.Locate(found...)
		return entry, &PipelineError{Entry: entry.Name, Finding: findings.FirstError(found)}
	}
	entry.WorkgroupSize = pipeline.WorkgroupSize
	return entry, nil
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
