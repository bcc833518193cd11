// This file parses what people type to run a shader: buffers, such as 0=f32[8],
// 1=u32:3,1,2, 2=f32[8]:0 and 3=@data.bin, textures, samplers, numbers of workgroups, and values
// for overrides, such as SIZE=64.

package anyshader

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/machine/sim"
	"github.com/wgslab/wgslab/internal/machine/sim/ir"
	"github.com/wgslab/wgslab/internal/machine/sim/texture"
	"github.com/wgslab/wgslab/internal/wgsl"
	"github.com/wgslab/wgslab/internal/wgsl/numeric"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// An Argument is the buffer, texture or sampler that one argument describes.
type Argument struct {
	Group, Binding uint32
	Element        types.Type // of a buffer; nil for a file until Fit takes it from the shader
	Data           []byte
	Texture        *sim.BoundTexture // of a texture, after Fit
	Sampler        *texture.Filter   // of a sampler

	texture *textureArgument // until Fit
	own     types.Type       // of a buffer that holds what the shader declares; else nil
}

// maxBound limits the size of one buffer, in bytes.
const maxBound = 256 << 20

// ParseAll reads buffers for a shader, and refuses two for one binding.
func ParseAll(texts []string, of *shader.Source) ([]*Argument, error) {
	var all []*Argument
	for i, text := range texts {
		b, err := Parse(text, of)
		if err != nil {
			return nil, err
		}
		for j, other := range all {
			if other.Group == b.Group && other.Binding == b.Binding {
				return nil, fmt.Errorf("%s and %s: both are for %s", texts[j], texts[i], b.place())
			}
		}
		all = append(all, b)
	}
	return all, nil
}

// Parse reads N=TYPE[COUNT], N=TYPE[COUNT]:v, N=TYPE:v,v,… or N=@FILE; N may be GROUP.BINDING, or
// immediate for the variable in var<immediate>. With the shader that the argument is for, N may be
// the name of a variable, TYPE one of the shader's types, and N=v,v,… lists the numbers of what the
// shader declares, in the order of the members. A texture is
// N=FORMAT[WIDTH,HEIGHT,DEPTH;levels=N;samples=N], with :v,v,… or @FILE after it, or a PNG file;
// "texture" stands for the format that the shader names. A sampler is N=sampler:WORD,WORD,…
func Parse(text string, of *shader.Source) (*Argument, error) {
	wrong := func(format string, args ...any) error {
		return fmt.Errorf("%s: %s", text, fmt.Sprintf(format, args...))
	}
	place, content, ok := strings.Cut(text, "=")
	if !ok {
		return nil, wrong("write N=TYPE[COUNT], N=TYPE:v,v,… or N=@FILE")
	}
	b := &Argument{}
	if err := b.parsePlace(place, of); err != nil {
		return nil, wrong("%v", err)
	}
	if path, file := strings.CutPrefix(content, "@"); file {
		data, err := readLimited(path, maxBound)
		if err != nil {
			return nil, wrong("%v", err)
		}
		b.Data = padded(data)
		if v := b.variables(of); len(v) == 1 && v[0].Space() != types.SpaceHandle && innermost(v[0].Store()) == nil {
			b.own = v[0].Store()
		}
		return b, nil
	}
	if name, _, _ := strings.Cut(content, ":"); name == samplerWord || isTexture(content) {
		var err error
		if name == samplerWord {
			b.Sampler, err = parseSampler(content)
		} else {
			b.texture, err = parseTexture(content)
		}
		if err != nil {
			return nil, wrong("%v", err)
		}
		return b, nil
	}
	variables := b.variables(of)
	if is, err := b.parseOwn(place, content, variables, of); is || err != nil {
		if err != nil {
			return nil, wrong("%v", err)
		}
		return b, nil
	}
	name, values, listed := strings.Cut(content, ":")
	count, each := "", ""
	if listed {
		name, each, _ = strings.Cut(strings.TrimSuffix(name, "]"), "[")
	} else {
		name, count, ok = strings.Cut(strings.TrimSuffix(content, "]"), "[")
		if !ok || !strings.HasSuffix(content, "]") {
			return nil, wrong("write [COUNT] or :v,v,… after the type")
		}
	}
	if b.Element = elementType(name); b.Element == nil && strings.Contains(count, ",") {
		return nil, wrong("%q is not a texture format; examples are rgba8unorm, r32float and texture, which takes the shader's", name)
	}
	if b.Element == nil {
		return nil, wrong("%q is not an element type for a buffer; examples are f32, f16 and vec4u%s", name, owns(place, variables))
	}
	var err error
	switch {
	case !listed:
		err = b.count(count)
	case each != "":
		err = b.repeat(each, values)
	default:
		err = b.list(values)
	}
	if err != nil {
		return nil, wrong("%v", err)
	}
	b.Data = padded(b.Data)
	if err := b.misread(place, !listed, variables); err != nil {
		return nil, wrong("%v", err)
	}
	return b, nil
}

// padded fills a last word with zeros: WebGPU binds whole words, so an odd number of f16 gets one
// more.
func padded(data []byte) []byte { return append(data, make([]byte, -len(data)&3)...) }

// readLimited reads a file of at most so many bytes. It reads no more of a larger one, and
// nothing of a pipe or a device.
func readLimited(path string, most int64) ([]byte, error) {
	data, err := shader.ReadStart(path, most+1)
	if err == nil && int64(len(data)) > most {
		err = fmt.Errorf("%s has more than %d bytes", path, most)
	}
	return data, err
}

// ImmediateWord stands for a binding's number where the variable is in var<immediate>.
var ImmediateWord = types.SpaceImmediate.String()

// parsePlace reads the number of a binding, or the name of a variable if the shader is known.
func (b *Argument) parsePlace(text string, of *shader.Source) error {
	for _, v := range globals(of) {
		switch {
		case v.Name != text:
		case v.Space() == types.SpaceImmediate:
			b.Group = ir.ImmediateGroup
			return nil
		case v.Group != nil && v.Binding != nil:
			b.Group, b.Binding = *v.Group, *v.Binding
			return nil
		}
	}
	if text == ImmediateWord {
		b.Group = ir.ImmediateGroup
		return nil
	}
	group, binding, both := strings.Cut(text, ".")
	if !both {
		group, binding = "0", text
	}
	for _, part := range []struct {
		text string
		into *uint32
	}{{group, &b.Group}, {binding, &b.Binding}} {
		n, err := strconv.ParseUint(part.text, 10, 16)
		if err != nil {
			return fmt.Errorf("%q is not a binding number%s", text, named(of))
		}
		*part.into = uint32(n)
	}
	return nil
}

// elementType returns the type of that name if buffers may hold it and it consists of one kind of
// scalar, such as f32, vec3<u32> or mat2x2f; else nil.
func elementType(name string) types.Type {
	if strings.ContainsAny(name, ";{}") {
		return nil
	}
	read := wgsl.Read("", "enable f16; alias element = "+name+";", types.Options{Features: types.AllFeatures})
	if !read.Valid() || len(read.File.Decls) != 1 {
		return nil
	}
	alias, ok := read.File.Decls[0].(*syntax.AliasDecl)
	if !ok {
		return nil
	}
	t := read.Info.Defs[alias.Name].Type
	if types.ElemOf(t) == nil || !types.HostShareable(t) {
		return nil
	}
	return t
}

// components returns the byte offsets of an element's scalars and the element's stride in an array.
func components(t types.Type) (offsets []int, stride int) {
	stride = int((&types.Array{Elem: t}).Stride())
	size := scalarBytes(t)
	switch t := t.(type) {
	case *types.Vector:
		for i := range t.Size {
			offsets = append(offsets, size*i)
		}
	case *types.Matrix:
		for column := range t.Columns {
			for row := range t.Rows {
				offsets = append(offsets, column*int(t.Stride())+size*row)
			}
		}
	default:
		offsets = []int{0}
	}
	return offsets, stride
}

// scalarBytes returns the size of an element's scalars.
func scalarBytes(t types.Type) int { return int(types.SizeOf(types.ElemOf(t))) }

// wholeF16 is how many whole numbers from 0 on an f16 holds exactly, each as itself: up to 2,048.
const wholeF16 = 2049

// count fills a number of elements with 0, 1, 2, …, component by component. An f16 starts again
// before it would round.
func (b *Argument) count(text string) error {
	n, err := strconv.Atoi(text)
	offsets, stride := components(b.Element)
	if digits := strings.TrimLeft(text, "0123456789"); digits == "" && (n < 1 || n > maxBound/stride) && strings.Trim(text, "0") != "" {
		return fmt.Errorf("%s elements are too many: a binding holds at most %s of %s", text, english.Count(maxBound/stride, "element", "elements"), b.Element)
	}
	if err != nil || n < 1 {
		return fmt.Errorf("%q is not a number of elements", text)
	}
	b.Data = make([]byte, n*stride)
	next := 0
	for i := range n {
		for _, at := range offsets {
			b.put(i*stride+at, float64(next))
			if next++; next == wholeF16 && types.ElemOf(b.Element) == types.F16 {
				next = 0
			}
		}
	}
	return nil
}

// repeat fills a number of elements with the same value.
func (b *Argument) repeat(count, value string) error {
	if err := b.count(count); err != nil {
		return err
	}
	size, stride := len(b.Data), strideOf(b.Element)
	if offsets, _ := components(b.Element); !strings.Contains(value, ",") {
		value += strings.Repeat(","+value, len(offsets)-1) // 0 is a vector of zeros
	}
	if err := b.list(value); err != nil {
		return err
	}
	if len(b.Data) != stride {
		return fmt.Errorf("%s is not one %s to repeat: leave out [%s] to list the elements", value, b.Element, count)
	}
	b.Data = bytes.Repeat(b.Data, size/stride)
	return nil
}

func (b *Argument) list(text string) error {
	words := strings.Split(text, ",")
	offsets, stride := components(b.Element)
	if len(words)%len(offsets) != 0 {
		return fmt.Errorf("%d values do not fill a whole number of %s", len(words), b.Element)
	}
	b.Data = make([]byte, len(words)/len(offsets)*stride)
	for i, word := range words {
		v, err := b.parse(strings.TrimSpace(word))
		switch {
		case errors.Is(err, errBeyondF16):
			return fmt.Errorf("%q is no f16: %w", word, err)
		case err != nil:
			return fmt.Errorf("%q is not a value of type %s", word, types.ElemOf(b.Element))
		}
		b.put(i/len(offsets)*stride+offsets[i%len(offsets)], v)
	}
	return nil
}

func (b *Argument) parse(word string) (float64, error) {
	switch types.ElemOf(b.Element) {
	case types.I32:
		n, err := strconv.ParseInt(strings.TrimSuffix(word, "i"), 0, 32)
		return float64(n), err
	case types.U32:
		n, err := strconv.ParseUint(strings.TrimSuffix(word, "u"), 0, 32)
		return float64(n), err
	}
	v, err := strconv.ParseFloat(word, 32)
	if err != nil { // Inf ends with an f as well
		v, err = strconv.ParseFloat(strings.TrimRight(word, "fh"), 32)
	}
	if err == nil && types.ElemOf(b.Element) == types.F16 && !math.IsInf(v, 0) && math.IsInf(float64(numeric.FromF16Bits(numeric.F16Bits(float32(v)))), 0) {
		err = errBeyondF16
	}
	return v, err
}

var errBeyondF16 = fmt.Errorf("the largest f16 is %d", numeric.LargestF16)

func (b *Argument) put(at int, v float64) { PutScalar(types.ElemOf(b.Element), b.Data, at, v) }

// PutScalar writes a number of a type at an offset.
func PutScalar(t *types.Scalar, data []byte, at int, v float64) {
	word := math.Float32bits(float32(v))
	switch t {
	case types.F16:
		binary.LittleEndian.PutUint16(data[at:], numeric.F16Bits(float32(v)))
		return
	case types.I32:
		word = uint32(int32(v))
	case types.U32:
		word = uint32(v)
	}
	binary.LittleEndian.PutUint32(data[at:], word)
}

// Scalar returns the number of a type at an offset, if the data has one there.
func Scalar(t *types.Scalar, data []byte, at int) (v float64, ok bool) {
	if at+int(types.SizeOf(t)) > len(data) {
		return 0, false
	}
	if t == types.F16 {
		return float64(numeric.FromF16Bits(binary.LittleEndian.Uint16(data[at:]))), true
	}
	switch word := binary.LittleEndian.Uint32(data[at:]); t {
	case types.I32:
		return float64(int32(word)), true
	case types.U32:
		return float64(word), true
	default:
		return float64(math.Float32frombits(word)), true
	}
}

// place names what the argument is for.
func (b *Argument) place() string {
	if b.Group == ir.ImmediateGroup {
		return "var<immediate>"
	}
	return fmt.Sprintf("@group(%d) @binding(%d)", b.Group, b.Binding)
}

// Fit takes a file's element type and a texture's format from the shader, and pads uniform buffers
// to whole rows, as WebGPU requires. It fails if the shader binds something else there.
func (b *Argument) Fit(program *sim.Program) error {
	for _, p := range program.Bindings {
		if p.Group != b.Group || p.Number != b.Binding {
			continue
		}
		if p.Handle() {
			if err := b.fitHandle(&p); err != nil {
				return fmt.Errorf("%s: %w", b.place(), err)
			}
			return nil
		}
		if b.texture != nil || b.Sampler != nil {
			return fmt.Errorf("%s: `%s` is a buffer: write one such as %s=%s", b.place(), p.Object.Name, b.typed(), Propose(p.Object, proposed, false))
		}
		if b.Element == nil && b.own == nil {
			b.Element = innermost(p.Object.Store())
		}
		if p.Uniform {
			b.Data = append(b.Data, make([]byte, (shader.UniformRow-len(b.Data)%shader.UniformRow)%shader.UniformRow)...)
		}
	}
	if b.Element == nil && b.own == nil && b.texture == nil && b.Sampler == nil {
		b.Element = types.U32
	}
	return nil
}

// Type names what the argument is: a buffer's element, a texture's format and size, or a sampler.
func (b *Argument) Type() string {
	switch {
	case b.Texture != nil:
		size := b.Texture.Size
		return fmt.Sprintf("%s[%d,%d,%d]", b.Texture.Format.Name, size[0], size[1], size[2])
	case b.Sampler != nil:
		return samplerWord
	case b.own != nil:
		return fmt.Sprint(b.own)
	case b.Element == nil: // a texture that no entry point uses
		return textureWord
	}
	return b.Element.String()
}

// Bound returns the argument as the simulator binds it.
func (b *Argument) Bound() sim.BoundBuffer {
	return sim.BoundBuffer{Group: b.Group, Binding: b.Binding, Data: b.Data, Texture: b.Texture, Sampler: b.Sampler}
}

// innermost returns the innermost element type of an array of numbers, or nil for any other type.
func innermost(t types.Type) types.Type {
	for {
		switch a := t.(type) {
		case *types.Array:
			t = a.Elem
			continue
		case *types.Atomic:
			return a.Elem
		}
		if types.ElemOf(t) == nil {
			return nil
		}
		return t
	}
}

// Values returns the buffer's scalars without padding, or a texture's channels texel by texel.
func (b *Argument) Values() []numeric.JSONNumber {
	switch {
	case b.Texture != nil:
		return b.texelValues()
	case b.own != nil:
		return Numbers(b.own, b.Data)
	case b.Element == nil:
		return nil
	}
	offsets, stride := components(b.Element)
	values := []numeric.JSONNumber{}
	for i := 0; i < len(b.Data); i += stride {
		for _, at := range offsets {
			if v, ok := Scalar(types.ElemOf(b.Element), b.Data, i+at); ok {
				values = append(values, numeric.JSONNumber(v))
			}
		}
	}
	return values
}

// ParseWorkgroups reads X, X,Y or X,Y,Z.
func ParseWorkgroups(text string) (workgroups [3]uint32, err error) {
	workgroups = [3]uint32{1, 1, 1}
	parts := strings.Split(text, ",")
	if len(parts) > len(workgroups) {
		return workgroups, fmt.Errorf("%s: give at most three numbers, for x, y and z", text)
	}
	for i, part := range parts {
		n, err := strconv.ParseUint(strings.TrimSpace(part), 10, 16)
		if err != nil || n == 0 {
			return workgroups, fmt.Errorf("%s: %q is not a number from 1 to 65535", text, part)
		}
		workgroups[i] = uint32(n)
	}
	return workgroups, nil
}
