package main

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"

	"github.com/wgslab/wgslab/internal/shader"
	"github.com/wgslab/wgslab/internal/verdict"
	"github.com/wgslab/wgslab/internal/wgsl/sim"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// boundBuffer is what one --bind gives.
type boundBuffer struct {
	group, binding uint32
	element        types.Type // nil where a file was given: the shader knows
	data           []byte
}

// maxBound bounds one buffer, in bytes.
const maxBound = 256 << 20

// parseBind reads N=TYPE[COUNT], N=TYPE:v,v,… or N=@FILE.
func parseBind(text string) (*boundBuffer, error) {
	wrong := func(format string, args ...any) error {
		return fmt.Errorf("--bind %s: %s", text, fmt.Sprintf(format, args...))
	}
	place, content, ok := strings.Cut(text, "=")
	if !ok {
		return nil, wrong("it is N=TYPE[COUNT], N=TYPE:v,v,… or N=@FILE")
	}
	b := &boundBuffer{}
	if err := b.parsePlace(place); err != nil {
		return nil, wrong("%v", err)
	}
	if path, file := strings.CutPrefix(content, "@"); file {
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, wrong("%v", err)
		}
		if len(data) > maxBound {
			return nil, wrong("%s has more than %d bytes", path, maxBound)
		}
		b.data = append(data, make([]byte, (4-len(data)%4)%4)...)
		return b, nil
	}
	name, values, listed := strings.Cut(content, ":")
	count := ""
	if !listed {
		name, count, ok = strings.Cut(strings.TrimSuffix(content, "]"), "[")
		if !ok || !strings.HasSuffix(content, "]") {
			return nil, wrong("behind the type comes [COUNT] or :v,v,…")
		}
	}
	if b.element = elementType(name); b.element == nil {
		return nil, wrong("%q is no type of a buffer's elements, such as f32 or vec4u", name)
	}
	var err error
	if listed {
		err = b.list(values)
	} else {
		err = b.count(count)
	}
	if err != nil {
		return nil, wrong("%v", err)
	}
	return b, nil
}

func (b *boundBuffer) parsePlace(text string) error {
	group, binding, both := strings.Cut(text, ".")
	if !both {
		group, binding = "0", text
	}
	for _, part := range []struct {
		text string
		into *uint32
	}{{group, &b.group}, {binding, &b.binding}} {
		n, err := strconv.ParseUint(part.text, 10, 16)
		if err != nil {
			return fmt.Errorf("%q is no number of a binding", text)
		}
		*part.into = uint32(n)
	}
	return nil
}

// elementType is the type of that name if buffers may hold it and it is made of one kind of scalar: f32, vec3<u32>,
// mat2x2f. Nil if there is none.
func elementType(name string) types.Type {
	if strings.ContainsAny(name, ";{}") {
		return nil
	}
	source := syntax.NewSource("", "alias element = "+name+";")
	info, found := sim.Analyse(source, 0)
	if syntax.HasErrors(found) || len(info.File.Decls) != 1 {
		return nil
	}
	alias, ok := info.File.Decls[0].(*syntax.AliasDecl)
	if !ok {
		return nil
	}
	t := info.Defs[alias.Name].Type
	if types.ElemOf(t) == nil || !types.HostShareable(t) {
		return nil
	}
	return t
}

// components are the byte offsets of an element's scalars, and stride what one element takes in an array.
func components(t types.Type) (offsets []int, stride int) {
	stride = int((&types.Array{Elem: t}).Stride())
	switch t := t.(type) {
	case *types.Vector:
		for i := range t.Size {
			offsets = append(offsets, 4*i)
		}
	case *types.Matrix:
		for column := range t.Columns {
			for row := range t.Rows {
				offsets = append(offsets, column*int(t.Stride())+4*row)
			}
		}
	default:
		offsets = []int{0}
	}
	return offsets, stride
}

// count fills a number of elements with 0, 1, 2, …, component by component.
func (b *boundBuffer) count(text string) error {
	n, err := strconv.Atoi(text)
	offsets, stride := components(b.element)
	if err != nil || n < 1 || n > maxBound/stride {
		return fmt.Errorf("%q is no number of elements", text)
	}
	b.data = make([]byte, n*stride)
	next := 0
	for i := range n {
		for _, at := range offsets {
			b.put(i*stride+at, float64(next))
			next++
		}
	}
	return nil
}

func (b *boundBuffer) list(text string) error {
	words := strings.Split(text, ",")
	offsets, stride := components(b.element)
	if len(words)%len(offsets) != 0 {
		return fmt.Errorf("%d values are no whole number of %s", len(words), b.element)
	}
	b.data = make([]byte, len(words)/len(offsets)*stride)
	for i, word := range words {
		v, err := b.parse(strings.TrimSpace(word))
		if err != nil {
			return fmt.Errorf("%q is no %s", word, types.ElemOf(b.element))
		}
		b.put(i/len(offsets)*stride+offsets[i%len(offsets)], v)
	}
	return nil
}

func (b *boundBuffer) parse(word string) (float64, error) {
	switch types.ElemOf(b.element) {
	case types.I32:
		n, err := strconv.ParseInt(strings.TrimSuffix(word, "i"), 0, 32)
		return float64(n), err
	case types.U32:
		n, err := strconv.ParseUint(strings.TrimSuffix(word, "u"), 0, 32)
		return float64(n), err
	}
	return strconv.ParseFloat(strings.TrimSuffix(word, "f"), 32)
}

func (b *boundBuffer) put(at int, v float64) {
	word := math.Float32bits(float32(v))
	switch types.ElemOf(b.element) {
	case types.I32:
		word = uint32(int32(v))
	case types.U32:
		word = uint32(v)
	}
	binary.LittleEndian.PutUint32(b.data[at:], word)
}

// fit learns from the shader what a file holds, and pads uniform buffers to whole rows as WebGPU wants them.
func (b *boundBuffer) fit(program *sim.Program) {
	for _, p := range program.Bindings {
		if p.Group != b.group || p.Number != b.binding {
			continue
		}
		if b.element == nil {
			b.element = innermost(p.Object.Store())
		}
		if p.Uniform {
			b.data = append(b.data, make([]byte, (shader.UniformRow-len(b.data)%shader.UniformRow)%shader.UniformRow)...)
		}
	}
	if b.element == nil {
		b.element = types.U32
	}
}

// innermost is the element of an array of numbers; nil where the type is not that simple.
func innermost(t types.Type) types.Type {
	for {
		switch a := t.(type) {
		case *types.Array:
			t = a.Elem
			continue
		case *types.Atomic:
			return a.Elem
		}
		if s := types.ElemOf(t); s == nil || s == types.F16 {
			return nil
		}
		return t
	}
}

// values are the buffer's scalars, without padding.
func (b *boundBuffer) values() []verdict.Number {
	offsets, stride := components(b.element)
	values := []verdict.Number{}
	for i := 0; i < len(b.data); i += stride {
		for _, at := range offsets {
			if i+at+4 > len(b.data) {
				break
			}
			word := binary.LittleEndian.Uint32(b.data[i+at:])
			switch types.ElemOf(b.element) {
			case types.I32:
				values = append(values, verdict.Number(int32(word)))
			case types.U32:
				values = append(values, verdict.Number(word))
			default:
				values = append(values, verdict.Number(math.Float32frombits(word)))
			}
		}
	}
	return values
}
