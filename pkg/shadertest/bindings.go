package shadertest

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"

	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/wgsl"
)

// matching returns an error if a Go function can't have parameters for the bindings.
func matching(f reflect.Type, bindings []wgsl.Binding) error {
	if f.Kind() != reflect.Func || f.NumOut() > 0 || f.IsVariadic() {
		return fmt.Errorf("it is compared with a value of type %s: pass a function that changes its parameters and returns nothing", f)
	}
	if f.NumIn() != len(bindings) {
		return fmt.Errorf("it has %d bindings, and the Go function %d parameters: each binding needs one, in order", len(bindings), f.NumIn())
	}
	outputs := 0
	for i, b := range bindings {
		kind := f.In(i)
		switch {
		case b.Group != 0 || int(b.Number) != i:
			return fmt.Errorf("`%s` is @group(%d) @binding(%d): a test binds @group(0), numbered from 0 without a gap", b.Name, b.Group, b.Number)
		case b.Space == wgsl.Handle:
			return fmt.Errorf("`%s` is a texture or a sampler: a test has only buffers", b.Name)
		case (kind.Kind() == reflect.Slice) != (b.Space != wgsl.Uniform):
			return fmt.Errorf("parameter %d is a %s, and `%s` is var<%s>: use a slice for storage, and a struct or a number for a uniform", i+1, kind, b.Name, b.Space)
		}
		element := kind
		if kind.Kind() == reflect.Slice {
			element = kind.Elem()
		}
		kinds := wordsOf(element)
		if kinds == nil {
			return fmt.Errorf("parameter %d is a %s: its parts have to be float32, uint32 or int32", i+1, kind)
		}
		for _, k := range kinds {
			if e := b.Type.Element; e != "" && string(k) != e {
				return fmt.Errorf("parameter %d is a %s, and `%s` holds %s", i+1, kind, b.Name, e)
			}
		}
		if b.Type.Stride > 0 && kind.Kind() == reflect.Slice && uint64(len(kinds))*shader.ElementBytes != b.Type.Stride {
			return fmt.Errorf("parameter %d is a %s of %d bytes each, and `%s` has an element every %d bytes (vec3 takes 16: use [4]float32)",
				i+1, kind, len(kinds)*shader.ElementBytes, b.Name, b.Type.Stride)
		}
		if b.Space == wgsl.ReadWrite {
			outputs++
		}
	}
	if outputs == 0 {
		return errors.New("it has no binding that it may write")
	}
	return nil
}

// wordsOf returns the kind of each word of a type; nil if it has another part.
func wordsOf(t reflect.Type) (kinds []shader.Element) {
	switch t.Kind() {
	case reflect.Float32:
		return []shader.Element{shader.F32}
	case reflect.Uint32:
		return []shader.Element{shader.U32}
	case reflect.Int32:
		return []shader.Element{shader.I32}
	case reflect.Array:
		of := wordsOf(t.Elem())
		for range t.Len() {
			kinds = append(kinds, of...)
		}
	case reflect.Struct:
		for i := range t.NumField() {
			of := wordsOf(t.Field(i).Type)
			if of == nil {
				return nil
			}
			kinds = append(kinds, of...)
		}
	}
	return kinds
}

// drawn returns a random value of a type: a slice of n elements, and n for a whole number of a
// uniform.
func drawn(t reflect.Type, n int, random *rand.Rand) reflect.Value {
	v := reflect.New(t).Elem()
	if t.Kind() != reflect.Slice {
		fill(v, func() uint32 { return uint32(n) }, random)
		return v
	}
	v.Set(reflect.MakeSlice(t, n, n))
	const most = 100
	for i := range n {
		fill(v.Index(i), func() uint32 { return random.Uint32N(most) }, random)
	}
	return v
}

func fill(v reflect.Value, whole func() uint32, random *rand.Rand) {
	switch v.Kind() {
	case reflect.Float32:
		v.SetFloat(float64(float(random)))
	case reflect.Uint32:
		v.SetUint(uint64(whole()))
	case reflect.Int32:
		v.SetInt(int64(whole()))
	case reflect.Array:
		for i := range v.Len() {
			fill(v.Index(i), whole, random)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() { // others stay 0: padding
				fill(v.Field(i), whole, random)
			}
		}
	}
}

// bufferOf returns a value as the host gives it to the shader.
func bufferOf(b wgsl.Binding, value any) (shader.Buffer, error) {
	bytes, err := binary.Append(nil, binary.LittleEndian, value)
	if err != nil {
		return shader.Buffer{}, fmt.Errorf("the value of `%s`: %w", b.Name, err)
	}
	if b.Space == wgsl.Uniform {
		bytes = append(bytes, make([]byte, (shader.UniformRow-len(bytes)%shader.UniformRow)%shader.UniformRow)...)
		return shader.Buffer{Element: shader.Words, Bytes: bytes}, nil
	}
	element := shader.Element(b.Type.Element)
	if element == shader.Words { // a struct of several types
		element = shader.U32
	}
	return shader.Buffer{Element: element, Bytes: bytes}, nil
}

// at returns word i of a buffer as a number of a kind.
func at(b shader.Buffer, i int, kind shader.Element) float64 {
	word := binary.LittleEndian.Uint32(b.Bytes[shader.ElementBytes*i:])
	switch kind {
	case shader.F32:
		return float64(math.Float32frombits(word))
	case shader.I32:
		return float64(int32(word))
	}
	return float64(word)
}
