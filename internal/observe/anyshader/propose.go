package anyshader

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/wgslab/wgslab/internal/wgsl/numeric"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// Propose returns a notation that fits a bound variable, to begin with: n elements for an array
// whose length the host decides, counted from 0. The whole numbers of a uniform are n, since most
// are sizes, and its other numbers are 1. With zero, other buffers begin with zeros. It returns ""
// for a type without a notation, or too large for a buffer.
func Propose(o *types.Object, n int, zero bool) string {
	t := o.Store()
	switch t := t.(type) {
	case *types.Texture:
		return proposeTexture(t)
	case *types.Sampler:
		return samplerWord
	case *types.Buffer:
		if t.Size > maxBound {
			return ""
		}
		if !t.Runtime() {
			n = int(t.Size+3) / 4
		}
		text := fmt.Sprintf("u32[%d]", n)
		if zero && o.Space() != types.SpaceUniform {
			text += ":0"
		}
		return text
	}
	switch {
	case !types.HostShareable(t) || types.SizeOf(t) > maxBound:
		return ""
	case o.Space() == types.SpaceUniform && types.SizeOf(t) <= mostListed && types.ElemOf(innermost(t)) != types.F16:
		return proposeUniform(t, uint32(n))
	}
	element := innermost(t)
	if element == nil {
		element = types.U32
	}
	offsets, stride := components(element)
	text := fmt.Sprintf("%s[%d]", element, (bytesWith(t, n)+stride-1)/stride)
	switch {
	case o.Space() == types.SpaceUniform && types.ElemOf(element) == types.F16:
		text += ":1" + strings.Repeat(",1", len(offsets)-1)
	case zero:
		text += ":0" + strings.Repeat(",0", len(offsets)-1)
	}
	return text
}

// proposeTexture returns a small texture; "" for one that a page gets from elsewhere.
func proposeTexture(t *types.Texture) string {
	switch {
	case t.Kind == types.MultisampledTexture, t.Kind == types.DepthMultisampledTexture:
		return textureWord + "[16,16;samples=4]"
	case t.Dim == "":
		return ""
	}
	sizes := map[string]string{"1d": "[64]", "2d_array": "[16,16,4]", "3d": "[16,16,4]", "cube": "[16,16,6]", "cube_array": "[16,16,6]"}
	return textureWord + cmp.Or(sizes[t.Dim], "[16,16]")
}

// mostListed is the size of the largest uniform whose words are listed, in bytes.
const mostListed = 1024

// bytesWith returns the size of a variable whose runtime-sized array has n elements.
func bytesWith(t types.Type, n int) int {
	size := int(types.SizeOf(t)) // with one element
	last := t
	if s, is := t.(*types.Struct); is {
		last = s.Members[len(s.Members)-1].Type
	}
	if a, is := last.(*types.Array); is && a.Runtime() {
		size += (n - 1) * int(a.Stride())
	}
	return size
}

// proposeUniform lists the words of a uniform.
func proposeUniform(t types.Type, n uint32) string {
	words := make([]uint32, (types.SizeOf(t)+3)/4)
	whole, float := fillWords(t, 0, words, n)
	element := types.U32
	if float && !whole {
		element = types.F32
	}
	var texts []string
	for _, w := range words {
		switch {
		case element == types.F32:
			texts = append(texts, fmt.Sprint(math.Float32frombits(w)))
		case w == math.Float32bits(1):
			texts = append(texts, fmt.Sprintf("%#x", w)) // 1.0 among whole numbers
		default:
			texts = append(texts, fmt.Sprint(w))
		}
	}
	return element.String() + ":" + strings.Join(texts, ",")
}

// fillWords fills in the scalars of a type at an offset, in bytes, and reports which kinds there
// are.
func fillWords(t types.Type, at uint64, words []uint32, n uint32) (whole, float bool) {
	add := func(t types.Type, at uint64) {
		w, f := fillWords(t, at, words, n)
		whole, float = whole || w, float || f
	}
	switch t := t.(type) {
	case *types.Scalar:
		switch {
		case at/4 >= uint64(len(words)):
			return true, false
		case t == types.F16:
			words[at/4] |= uint32(numeric.F16Bits(1)) << (8 * (at % 4))
		case t == types.F32:
			words[at/4] = math.Float32bits(1)
		default:
			words[at/4] = n
		}
		return t != types.F32, t == types.F32
	case *types.Atomic:
		add(t.Elem, at)
	case *types.Vector:
		for i := range uint64(t.Size) {
			add(t.Elem, at+i*types.SizeOf(t.Elem))
		}
	case *types.Matrix:
		for i := range uint64(t.Columns) {
			add(t.Column(), at+i*t.Stride())
		}
	case *types.Array:
		for i := range t.Count {
			add(t.Elem, at+i*t.Stride())
		}
	case *types.Struct:
		for _, m := range t.Members {
			add(m.Type, at+m.Offset)
		}
	}
	return whole, float
}

// Write returns the notation of a buffer's values. Values that count from 0 become TYPE[COUNT], and
// equal ones TYPE[COUNT]:VALUE. More than a limit of others also become TYPE[COUNT], and then
// counted is true: the notation has the size, but not the values.
func Write(element types.Type, data []byte, most int) (text string, counted bool) {
	b := &Argument{Element: element, Data: data}
	values := b.Values()
	rule := &Argument{Element: element}
	n := len(data) / strideOf(element)
	if rule.count(fmt.Sprint(n)) == nil && slices.Equal(rule.Data, data) {
		return fmt.Sprintf("%s[%d]", element, n), false
	}
	var texts []string
	for _, v := range values {
		texts = append(texts, exactly(v, types.ElemOf(element)))
	}
	if n > 1 && len(values) == n && len(slices.Compact(slices.Clone(texts))) == 1 {
		return fmt.Sprintf("%s[%d]:%s", element, n, texts[0]), false
	}
	if len(values) > most {
		return fmt.Sprintf("%s[%d]", element, n), true
	}
	return element.String() + ":" + strings.Join(texts, ","), false
}

// exactly formats a value with as many digits as it takes to read it back.
func exactly(v numeric.JSONNumber, of *types.Scalar) string {
	if of == types.F32 {
		return strconv.FormatFloat(float64(v), 'g', -1, 32)
	}
	return strconv.FormatFloat(float64(v), 'f', -1, 64)
}

func strideOf(t types.Type) int {
	_, stride := components(t)
	return stride
}
