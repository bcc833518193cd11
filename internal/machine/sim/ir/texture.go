package ir

import (
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/machine/sim/texture"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// The value of a texture or sampler is the index of its binding, so functions pass them on like
// numbers. A texel is four words in the machine's buffers. OpTexel computes its address, and the
// instructions that load and store buffers do the rest: the watcher sees texels as it sees
// elements. Sampling is one instruction, because no shader writes a texture that it samples.

// TexelWords is the number of words of a texel in the machine's buffers.
const TexelWords = 4

// The slots of OpTexel's operand b: the texture, the column, the row, the depth or layer, and the
// mip level or sample.
const (
	TexelTexture = iota
	TexelAt
	TexelLevel = TexelAt + 3
	texelSlots = TexelLevel + 1
)

// The slots of OpTextureSize's operand a: width, height and depth, then these. Operand b is the
// texture and the mip level.
const (
	SizeLayers = 3 + iota
	SizeLevels
	SizeSamples
	SizeSlots
)

// The slots of OpSample's operand b.
const (
	SampleTexture   = iota
	SampleSampler   //
	SampleAt        // three coordinates
	SampleLayer     = SampleAt + 3
	SampleLevel     = SampleLayer + 1 // f32
	SampleReference = SampleLevel + 1 // the depth to compare with
	SampleComponent = SampleReference + 1
	SampleOffset    = SampleComponent + 1 // three i32
	SampleDdx       = SampleOffset + 3
	SampleDdy       = SampleDdx + 3
	SampleSlots     = SampleDdy + 3
)

// The functions that sample are OpSample's N (§ 17.7).
const (
	SampleAtLevel = iota
	SampleByGradient
	SampleInside
	SampleCompare
	SampleGather
	SampleGatherCompare
)

var sampleNames = [...]string{
	"textureSampleLevel", "textureSampleGrad", "textureSampleBaseClampToEdge", "textureSampleCompareLevel", "textureGather",
	"textureGatherCompare",
}

// Formats are the texel formats; OpStored names one by its index.
var Formats = func() (list []*texture.Format) {
	for _, name := range texture.FormatNames() {
		list = append(list, texture.FormatNamed(name))
	}
	return list
}()

// handle gives a texture or sampler its place.
func (c *compiler) handle(o *types.Object) {
	b := Binding{Group: *o.Group, Number: *o.Binding, Object: o, Slot: c.alloc(1)}
	b.Sampler, _ = o.Store().(*types.Sampler)
	if t, ok := o.Store().(*types.Texture); ok {
		b.Texture, b.Writable = t, t.Kind == types.StorageTexture && t.Access.Writes()
		c.Textures = true
	}
	c.places[o] = place{where: InBuffers, dyn: b.Slot, dynamic: true, t: o.Store()}
	c.Bindings = append(c.Bindings, b)
}

// Axes returns how many coordinates a texture of a dimension has, and whether they name a layer as
// well.
func Axes(t *types.Texture) (axes int, layers bool) {
	dim, layers := strings.CutSuffix(t.Dim, "_array")
	switch dim {
	case "1d":
		return 1, layers
	case "3d", "cube":
		return 3, layers
	}
	return 2, layers
}

// A textureArguments takes the arguments of a function of textures one after the other.
type textureArguments struct {
	*compiler
	list []syntax.Expr
	t    *types.Texture
}

// next returns the slots of the next argument.
func (a *textureArguments) next() []uint32 {
	x := a.list[0]
	a.list = a.list[1:]
	return a.value(x)
}

// first takes the texture.
func (a *textureArguments) first() uint32 {
	a.t = a.typeOf(a.list[0]).(*types.Texture)
	return a.next()[0]
}

func (c *compiler) textureCall(x *syntax.CallExpr, call *types.Call) []uint32 {
	a := &textureArguments{compiler: c, list: x.Args}
	switch name := call.Builtin.Name; name {
	case "textureLoad":
		return a.load(x)
	case "textureStore":
		a.store(x)
		return nil
	case "textureDimensions":
		return a.sizes(x)[:c.FlatWords(call.Type)]
	case "textureNumLayers":
		return a.sizes(x)[SizeLayers:][:1]
	case "textureNumLevels":
		return a.sizes(x)[SizeLevels:][:1]
	case "textureNumSamples":
		return a.sizes(x)[SizeSamples:][:1]
	default:
		kind := slices.Index(sampleNames[:], name)
		if kind < 0 {
			c.fail(x, "the function `%s`", name)
		}
		return a.sample(x, kind)[:c.FlatWords(call.Type)]
	}
}

// fill puts values into a row of slots, from a place on.
func (a *textureArguments) fill(row []uint32, at int, values []uint32) {
	a.move(row[at:at+len(values)], values)
}

// zeros returns a row of slots that hold 0.
func (a *textureArguments) zeros(n uint32) []uint32 {
	row := a.row(n)
	a.emit(OpZero, 0, row[0], 0, n)
	return row
}

// texel computes the address of the texel that the next arguments name.
func (a *textureArguments) texel(x *syntax.CallExpr, leveled bool) uint32 {
	row := a.zeros(texelSlots)
	a.fill(row, TexelTexture, []uint32{a.first()})
	at := a.list[0]
	a.fill(row, TexelAt, a.next())
	if _, layers := Axes(a.t); layers {
		a.fill(row, TexelAt+2, a.next())
	}
	if leveled && len(a.list) > 0 {
		a.fill(row, TexelLevel, a.next())
	}
	a.at = SourceNote{Span: x.Span(), Index: at.Span(), Kind: KindOf(a.typeOf(at))}
	address := a.alloc(1)
	a.emit(OpTexel, texelSlots, address, row[0], 0)
	return address
}

// load compiles textureLoad (§ 17.7.4).
func (a *textureArguments) load(x *syntax.CallExpr) []uint32 {
	address := a.texel(x, true)
	to := a.row(TexelWords)
	if a.t.Kind == types.DepthTexture || a.t.Kind == types.DepthMultisampledTexture {
		to = to[:1]
	}
	a.at.Float = ChannelType(a.t).Float()
	a.emit(OpLoadBuffer, len(to), to[0], address, 0)
	return to
}

// ChannelType returns the type of a texel's channels in a shader: f32, i32 or u32.
func ChannelType(t *types.Texture) *types.Scalar {
	switch {
	case t.Format != nil:
		return t.Format.Channel
	case t.Sampled != nil:
		return t.Sampled
	}
	return types.F32
}

// TexelType returns the type of a texture's texels in the machine's buffers.
func TexelType(t *types.Texture) types.Type { return types.VectorOf(TexelWords, ChannelType(t)) }

// store compiles textureStore (§ 17.7.15).
func (a *textureArguments) store(x *syntax.CallExpr) {
	address := a.texel(x, false)
	at := a.at
	value := a.inRow(a.next())
	a.at = at
	stored := a.row(TexelWords)
	a.emit(OpStored, TexelWords, stored[0], value, formatAt(a.t.Format.Name))
	a.emit(OpStoreBuffer, TexelWords, stored[0], address, 0)
}

func formatAt(name string) uint32 {
	for i, f := range Formats {
		if f.Name == name {
			return uint32(i)
		}
	}
	panic("ir: no format " + name)
}

// sizes returns the slots of OpTextureSize's results.
func (a *textureArguments) sizes(x *syntax.CallExpr) []uint32 {
	row := a.zeros(2)
	a.fill(row, 0, []uint32{a.first()})
	if len(a.list) > 0 {
		a.fill(row, 1, a.next())
	}
	a.note(x.Span())
	to := a.row(SizeSlots)
	a.emit(OpTextureSize, 2, to[0], row[0], SizeSlots)
	return to
}

// sample compiles a function that samples. Their arguments come in one order: component, texture,
// sampler, coordinates, layer, level or reference or gradients, offset.
func (a *textureArguments) sample(x *syntax.CallExpr, kind int) []uint32 {
	row := a.zeros(SampleSlots)
	if _, texture := a.typeOf(a.list[0]).(*types.Texture); !texture {
		a.fill(row, SampleComponent, a.next())
	}
	a.fill(row, SampleTexture, []uint32{a.first()})
	a.fill(row, SampleSampler, a.next())
	a.fill(row, SampleAt, a.next())
	if _, layers := Axes(a.t); layers {
		a.fill(row, SampleLayer, a.next())
	}
	switch kind {
	case SampleAtLevel:
		of := KindOf(a.typeOf(a.list[0]))
		a.fill(row, SampleLevel, a.convert(a.next(), of, types.F32Kind))
	case SampleCompare, SampleGatherCompare:
		a.fill(row, SampleReference, a.next())
	case SampleByGradient:
		a.fill(row, SampleDdx, a.next())
		a.fill(row, SampleDdy, a.next())
	}
	if len(a.list) > 0 {
		a.fill(row, SampleOffset, a.next())
	}
	a.note(x.Span())
	a.at.Kind = types.F32Kind
	to := a.row(TexelWords)
	a.emit(OpSample, kind, to[0], row[0], TexelWords)
	return to
}
