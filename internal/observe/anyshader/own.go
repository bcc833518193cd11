package anyshader

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/machine/sim/ir"
	"github.com/wgslab/wgslab/internal/wgsl/numeric"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// globals returns the variables of a shader that has no mistake.
func globals(of *shader.Source) []*types.Object {
	if of == nil || of.Unrunnable() != nil {
		return nil
	}
	return of.Shader().Info.Globals
}

// variables returns those that an argument can be for. Each entry point may have another one at the
// same binding (§ Resource Interface).
func (b *Argument) variables(of *shader.Source) (all []*types.Object) {
	for _, v := range globals(of) {
		immediate := v.Space() == types.SpaceImmediate && b.Group == ir.ImmediateGroup
		if immediate || v.Group != nil && v.Binding != nil && *v.Group == b.Group && *v.Binding == b.Binding {
			all = append(all, v)
		}
	}
	return all
}

// named ends an error about a variable that the shader doesn't have.
func named(of *shader.Source) string {
	var names []string
	for _, v := range globals(of) {
		if v.Group != nil || v.Space() == types.SpaceImmediate {
			names = append(names, v.Name)
		}
	}
	if names == nil {
		return ""
	}
	return ", and no variable that the shader binds: these are " + strings.Join(names, ", ")
}

// owns ends an error about a type, with what else fits the variable.
func owns(place string, variables []*types.Object) string {
	if len(variables) == 0 || variables[0].Space() == types.SpaceHandle {
		return ""
	}
	v := variables[0]
	return fmt.Sprintf(". `%s` has type %s: %s", v.Name, v.Store(), write(place, v))
}

// write says how to bind a variable by its own type: an array by its elements, and else by the
// names of its numbers in order.
func write(place string, v *types.Object) string {
	const shown = 4
	if of := elementOf(v.Store()); of != v.Store() {
		return fmt.Sprintf("write %s=%s[COUNT], or %s=%s:v,v,… with all numbers in order", place, of, place, of)
	}
	l := LayoutOf(v.Name, v.Store())
	var names []string
	cells, _ := l.Cells(1)
	for _, c := range cells[:min(shown, len(cells))] {
		names = append(names, cmp.Or(strings.TrimPrefix(strings.TrimPrefix(c.Name, v.Name), "."), v.Name))
	}
	text := fmt.Sprintf("write %s=%s", place, strings.Join(names, ","))
	if len(cells) > shown || l.each > 0 {
		text += ",…"
	}
	return text
}

// elementOf returns the elements of an array, or else the type itself.
func elementOf(t types.Type) types.Type {
	if a, is := t.(*types.Array); is {
		return a.Elem
	}
	return t
}

// parseOwn reads v,v,…, and TYPE:v,v,…, TYPE[COUNT] and TYPE[COUNT]:v,v,… with a type that the
// shader declares. It reports whether the text is one of these.
func (b *Argument) parseOwn(place, content string, variables []*types.Object, of *shader.Source) (is bool, err error) {
	name, values, listed := strings.Cut(content, ":")
	name, count, counted := strings.Cut(name, "[")
	count = strings.TrimSuffix(count, "]")
	plain := !listed && !counted && isNumber(strings.TrimSpace(firstOf(content)))
	if plain {
		name, values = "", content
	} else if !listed && !counted || elementType(name) != nil {
		return false, nil
	}
	for _, v := range variables {
		whole := plain || names(of, name, v.Store())
		if !whole && !names(of, name, elementOf(v.Store())) || v.Space() == types.SpaceHandle {
			continue
		}
		b.own = v.Store()
		if b.Data, err = fill(v, values, count, counted); err != nil {
			return true, fmt.Errorf("%w: %s", err, write(place, v))
		}
		return true, nil
	}
	switch {
	case plain && len(variables) > 0 && variables[0].Space() == types.SpaceHandle:
		return true, fmt.Errorf("`%s` has type %s, which has no numbers", variables[0].Name, variables[0].Store())
	case plain && of != nil && of.Unrunnable() == nil:
		return true, errors.New("the shader declares no variable there, so say which type the numbers have, such as f32:1,2")
	case of != nil && of.Unrunnable() != nil: // a run says what is wrong with the shader
		b.Element, b.Data = types.U32, make([]byte, shader.ElementBytes)
		return true, nil
	}
	return false, nil
}

func firstOf(list string) string { first, _, _ := strings.Cut(list, ","); return first }

func isNumber(text string) bool { _, err := numberIn(text); return err == nil }

// numberIn reads a literal of any type.
func numberIn(text string) (float64, error) {
	if n, err := strconv.ParseInt(strings.TrimRight(text, "iu"), 0, 64); err == nil {
		return float64(n), nil
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		v, err = strconv.ParseFloat(strings.TrimRight(text, "fh"), 64)
	}
	return v, err
}

// names reports whether a name is that of a type, or of an alias for it.
func names(of *shader.Source, name string, t types.Type) bool {
	if t.String() == name {
		return true
	}
	return slices.ContainsFunc(of.Shader().File.Decls, func(d syntax.Decl) bool {
		alias, is := d.(*syntax.AliasDecl)
		return is && alias.Name.Name == name && of.Shader().Info.Defs[alias.Name].Type == t
	})
}

// fill lays out numbers for a variable: those of a list, a count of elements with the same numbers,
// or a count of elements with 0, 1, 2, …
func fill(v *types.Object, list, count string, counted bool) ([]byte, error) {
	var numbers []float64
	if list != "" {
		for word := range strings.SplitSeq(list, ",") {
			n, err := numberIn(strings.TrimSpace(word))
			if err != nil {
				return nil, fmt.Errorf("%q is no number", word)
			}
			numbers = append(numbers, n)
		}
	}
	l := LayoutOf("", v.Store())
	l.name = "`" + v.Name + "`"
	elements, err := uint64(0), error(nil)
	if counted {
		elements, numbers, err = l.counted(count, numbers)
	} else {
		elements, err = l.Elements(len(numbers))
	}
	if err != nil {
		return nil, err
	}
	data := padded(make([]byte, types.SizeOf(v.Store())+max(elements, 1)*RuntimeStride(v.Store())-RuntimeStride(v.Store())))
	for i, c := range l.all(elements) {
		value := float64(i)
		if c.Kind == types.F16 {
			value = float64(i % wholeF16)
		}
		if numbers != nil {
			value = numbers[i]
		}
		if err := Fits(c.Kind, value); err != nil {
			named, _ := LayoutOf(v.Name, v.Store()).Cells(elements)
			return nil, fmt.Errorf("`%s`: %w", named[i].Name, err)
		}
		PutScalar(c.Kind, data, int(c.Offset), value)
	}
	return data, nil
}

// counted returns the elements of a runtime-sized array for a count, and the numbers of all of
// them; nil for 0, 1, 2, …
func (l NumberLayout) counted(count string, numbers []float64) (elements uint64, all []float64, err error) {
	n, err := strconv.ParseUint(count, 10, 32)
	array, isArray := l.kind.(*types.Array)
	switch {
	case err != nil || n < 1 || l.each > 0 && n > uint64(maxBound/RuntimeStride(l.kind)):
		return 0, nil, fmt.Errorf("%q is not a number of elements", count)
	case l.each > 0:
		elements = n
	case isArray && n != array.Count:
		return 0, nil, fmt.Errorf("%s has %d elements", l.name, array.Count)
	case !isArray && n != 1:
		return 0, nil, fmt.Errorf("%s is no array", l.name)
	}
	if numbers == nil {
		return elements, nil, nil
	}
	total := l.fixed + int(elements)*l.each
	if !isArray && l.each > 0 || total != int(n)*len(numbers) {
		return 0, nil, fmt.Errorf("%d numbers are not one element of %s to repeat", len(numbers), l.name)
	}
	return elements, slices.Repeat(numbers, int(n)), nil
}

// Numbers returns the numbers that a buffer holds for a variable of a type, in the order of the
// members and without padding.
func Numbers(t types.Type, data []byte) []numeric.JSONNumber {
	values := []numeric.JSONNumber{}
	elements := uint64(0)
	if RuntimeStride(t) > 0 {
		elements = RuntimeElements(t, len(data))
	}
	for _, c := range LayoutOf("", t).all(elements) {
		if v, ok := Scalar(c.Kind, data, int(c.Offset)); ok {
			values = append(values, numeric.JSONNumber(v))
		}
	}
	return values
}

// misread returns an error if the shader reads the numbers as another type than they were written
// in: a float as a whole number, or a small whole number as a float. Words that are bit patterns
// may stand for floats, and a shader may reinterpret a storage buffer of one type. Numbers that
// count from 0 only fill a storage buffer.
func (b *Argument) misread(place string, counts bool, variables []*types.Object) error {
	var wrong error
	for _, v := range variables {
		if counts && (v.Space() == types.SpaceStorage || wholes(types.ElemOf(b.Element))) {
			return nil
		}
		c := b.misreadIn(v)
		if c == nil {
			return nil
		}
		if wrong == nil {
			wrong = fmt.Errorf("`%s` has type %s, and its number %s is %s: %s", v.Name, v.Store(), c.Name, c.Kind, write(place, v))
		}
	}
	return wrong
}

// misreadIn returns the first number that a variable reads wrongly, or nil.
func (b *Argument) misreadIn(v *types.Object) *Cell {
	if _, words := v.Store().(*types.Buffer); words || v.Space() == types.SpaceHandle {
		return nil
	}
	elements := uint64(0)
	if RuntimeStride(v.Store()) > 0 {
		elements = RuntimeElements(v.Store(), len(b.Data))
	}
	if cells, _ := LayoutOf(v.Name, v.Store()).Cells(min(elements, 1)); v.Space() == types.SpaceStorage && !mixed(cells) {
		return nil
	}
	written := types.ElemOf(b.Element)
	for i, c := range LayoutOf("", v.Store()).all(elements) {
		bits, ok := Scalar(types.U32, b.Data, int(c.Offset)&^(shader.ElementBytes-1))
		if !ok || bits == 0 || alike(c.Kind, written) {
			continue
		}
		const smallest = 1 << 23 // of the floats that aren't subnormal
		if wholes(written) && c.Kind == types.F32 && bits >= smallest || wholes(written) && c.Kind == types.F16 {
			continue
		}
		named, _ := LayoutOf(v.Name, v.Store()).Cells(elements)
		return &named[i]
	}
	return nil
}

func mixed(cells []Cell) bool {
	return slices.ContainsFunc(cells, func(c Cell) bool { return !alike(c.Kind, cells[0].Kind) })
}

func alike(a, b *types.Scalar) bool { return a == b || wholes(a) && wholes(b) }

func wholes(t *types.Scalar) bool { return t == types.U32 || t == types.I32 }
