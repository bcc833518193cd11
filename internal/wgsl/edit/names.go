package edit

import (
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// values returns the variables and constants that have a type and can be named at an offset.
func (f *finder) values(offset int32, t types.Type) []string {
	var names []string
	for _, o := range f.objects(offset, t) {
		names = append(names, o.Name)
	}
	return names
}

func (f *finder) objects(offset int32, t types.Type) []*types.Object {
	return slices.DeleteFunc(f.info.InScope(offset), func(o *types.Object) bool { return !isValue(o) || !alike(o.Store(), t) })
}

func isValue(o *types.Object) bool {
	return slices.Contains([]types.ObjectKind{types.ConstObject, types.OverrideObject, types.LetObject, types.VarObject, types.ParamObject}, o.Kind)
}

// alike reports whether a value of one type can stand where one of the other type stands.
func alike(a, b types.Type) bool {
	return a != nil && b != nil && types.Identical(types.Concrete(a), b)
}

// members returns the members of structures that have a type and can be named at an offset, such as
// dims.m.
func (f *finder) members(offset int32, t types.Type) []string {
	var names []string
	for _, o := range f.info.InScope(offset) {
		structure, ok := o.Store().(*types.Struct)
		if !ok || !isValue(o) {
			continue
		}
		for _, m := range structure.Members {
			if alike(m.Type, t) {
				names = append(names, o.Name+"."+m.Name)
			}
		}
	}
	return names
}

// components returns the components of the vectors that can be named at an offset, such as id.x: x,
// and y in a shader that has a second dimension. A third one is rare.
func (f *finder) components(offset int32, t types.Type) []string {
	var names []string
	for _, o := range f.info.InScope(offset) {
		vector, ok := o.Store().(*types.Vector)
		if ok && isValue(o) && alike(vector.Elem, t) {
			names = append(names, o.Name+".x")
			if strings.Contains(f.source.Text, ".y") {
				names = append(names, o.Name+".y")
			}
		}
	}
	return names
}

// lengths returns the lengths of the arrays that the host binds.
func (f *finder) lengths() []string {
	var lengths []string
	for _, o := range f.info.Globals {
		if array, ok := o.Store().(*types.Array); ok && array.Runtime() {
			lengths = append(lengths, "arrayLength(&"+o.Name+")")
		}
	}
	return lengths
}

// typeOf returns the type of an expression's value, or nil if it has none.
func (f *finder) typeOf(x syntax.Expr) types.Type {
	return types.Unref(f.info.ValueType(x))
}

func isFloat(t types.Type) bool   { return t == types.F32 || t == types.AbstractFloat }
func isInteger(t types.Type) bool { return t == types.U32 || t == types.I32 || t == types.AbstractInt }
