package sim

import (
	"fmt"
	"math"
	"strings"

	"github.com/wgslab/wgslab/internal/machine/sim/ir"
	"github.com/wgslab/wgslab/internal/machine/sim/texture"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// A BoundTexture says what the bytes of a bound texture are. The order is that of its extent: mip
// levels, layers, rows.
type BoundTexture struct {
	texture.Extent
	Format *texture.Format
}

// A handle is a texture in the machine's buffers, or a sampler.
type handle struct {
	*BoundTexture
	data     []byte
	word     uint32 // its first
	cube     bool
	axes     int
	writable bool
	filter   *texture.Filter
}

// fitsHandle checks that a texture or sampler suits its variable.
func fitsHandle(b ir.Binding, given *BoundBuffer) error {
	switch {
	case b.Sampler != nil && given.Sampler == nil:
		return fmt.Errorf("`%s` is a sampler, but something else is bound", b.Object.Name)
	case b.Texture != nil && given.Texture == nil:
		return fmt.Errorf("`%s` is a texture, but something else is bound", b.Object.Name)
	case !b.Handle():
		return fmt.Errorf("`%s` is a buffer, but a texture or sampler is bound", b.Object.Name)
	case b.Sampler != nil && b.Sampler.Comparison && given.Sampler.Compare == nil:
		return fmt.Errorf("`%s` compares, but the sampler has no comparison", b.Object.Name)
	case b.Sampler != nil:
		return nil
	}
	return fitsTexture(b, given.Texture, len(given.Data))
}

func fitsTexture(b ir.Binding, t *BoundTexture, bytes int) error {
	wrong := func(format string, args ...any) error {
		return fmt.Errorf("`%s` is %s, but %s", b.Object.Name, b.Texture, fmt.Sprintf(format, args...))
	}
	texels := t.Texels()
	integer, sign := t.Format.Integer()
	channels := types.F32
	switch {
	case sign:
		channels = types.I32
	case integer:
		channels = types.U32
	}
	_, layers := ir.Axes(b.Texture)
	cube := isCube(b.Texture)
	switch {
	case texels > texture.MostTexels:
		return wrong("the bound texture has more than %d texels", texture.MostTexels)
	case texels == 0:
		return wrong("the bound texture has no texels")
	case uint64(bytes) != texels*uint64(t.Format.Bytes):
		return wrong("its %d texels take %d bytes, not %d", texels, texels*uint64(t.Format.Bytes), bytes)
	case b.Texture.Format != nil && b.Texture.Format.Name != t.Format.Name:
		return wrong("the format of the bound texture is %s", t.Format.Name)
	case ir.ChannelType(b.Texture) != channels:
		return wrong("the format %s holds %s", t.Format.Name, channels)
	case t.Volume != (b.Texture.Dim == "3d"):
		return wrong("the dimension of the bound texture is another")
	case cube && (t.Size[0] != t.Size[1] || t.Size[2]%6 != 0 || !layers && t.Size[2] != 6):
		return wrong("a cube has six square faces, and the bound texture has %d layers of %d × %d", t.Size[2], t.Size[0], t.Size[1])
	case !cube && !layers && !t.Volume && t.Size[2] != 1:
		return wrong("the bound texture has %d layers", t.Size[2])
	case b.Texture.Dim == "1d" && t.Size[1] != 1:
		return wrong("the bound texture has %d rows", t.Size[1])
	case t.Samples > 1 && b.Texture.Kind != types.MultisampledTexture && b.Texture.Kind != types.DepthMultisampledTexture:
		return wrong("the bound texture has %d samples", t.Samples)
	case t.Levels > 1 && b.Texture.Kind == types.StorageTexture:
		return wrong("the bound texture has %d mip levels", t.Levels)
	case t.Levels > t.MostLevels():
		return wrong("a texture of this size has at most %d mip levels", t.MostLevels())
	}
	return nil
}

func isCube(t *types.Texture) bool { return t.Dim == "cube" || t.Dim == "cube_array" }

// place gives each writable or each read-only texture its words. It returns the next free one.
func (h *hostMemory) place(p *Program, bound []BoundBuffer, words uint64, writable bool) (uint64, error) {
	for i, b := range p.Bindings {
		switch {
		case b.Sampler != nil:
			h.handles[i].filter = bound[i].Sampler
		case b.Texture != nil && b.Writable == writable:
			axes, _ := ir.Axes(b.Texture)
			t := bound[i].Texture
			h.handles[i] = handle{BoundTexture: t, data: bound[i].Data, word: uint32(words), cube: isCube(b.Texture), axes: axes, writable: writable}
			words += t.Texels() * ir.TexelWords
			h.regions[i] = region{h.handles[i].word << 2, uint32(t.Texels() * ir.TexelWords << 2)}
			if words*4 > maxBuffers {
				return 0, fmt.Errorf("the buffers and textures together have more than %d bytes", maxBuffers)
			}
		}
	}
	return words, nil
}

// fill copies the texels of a texture to words.
func (h *hostMemory) fill(i int, words []uint32) {
	t := &h.handles[i]
	if t.BoundTexture == nil {
		return
	}
	to := words[t.word:][:h.regions[i].size/4]
	for at := 0; len(to) > 0; at += t.Format.Bytes {
		texel := t.Format.Decode(t.data[at:])
		to = to[copy(to, texel[:]):]
	}
}

// download copies the texels to the host, if the shader may have written them.
func (t *handle) download(words []uint32) {
	if !t.writable || t.BoundTexture == nil {
		return
	}
	for i := range int(t.Texels()) {
		word := int(t.word) + i*ir.TexelWords
		t.Format.Encode(texture.Texel(words[word:word+ir.TexelWords]), t.data[i*t.Format.Bytes:])
	}
}

// texel returns the address of the texel that an OpTexel names.
func (m *machine) texel(inv *invocation, pc uint32, in *ir.Instr) uint32 {
	at := inv.slots[in.B:][:in.N]
	t := &m.handles[at[ir.TexelTexture]]
	level, sample := at[ir.TexelLevel], uint32(0)
	if t.Samples > 1 {
		level, sample = sample, level
	}
	if index, ok := t.At([3]uint32(at[ir.TexelAt:]), level, sample); ok {
		return (t.word + index*ir.TexelWords) << 2
	}
	return m.bad(inv, pc, at[ir.TexelAt])
}

// lastTexel returns the address of the texel that is nearest to one that doesn't exist.
func (m *machine) lastTexel(inv *invocation, in *ir.Instr) uint32 {
	at := inv.slots[in.B:][:in.N]
	t := &m.handles[at[ir.TexelTexture]]
	level := min(at[ir.TexelLevel], t.Levels-1)
	size := t.Level(level)
	var nearest [3]uint32
	for axis := range nearest {
		nearest[axis] = min(at[ir.TexelAt+axis], size[axis]-1)
	}
	index, _ := t.At(nearest, level, 0)
	return (t.word + index*ir.TexelWords) << 2
}

// sizes executes an OpTextureSize (§ 17.7.1, § 17.7.5 to § 17.7.7). A level that doesn't exist
// counts as the last.
func (m *machine) sizes(slots []uint32, in *ir.Instr) {
	t := &m.handles[slots[in.B]]
	size := t.Level(min(slots[in.B+1], t.Levels-1))
	to := slots[in.A:][:ir.SizeSlots]
	copy(to, size[:])
	to[ir.SizeLayers], to[ir.SizeLevels], to[ir.SizeSamples] = size[2], t.Levels, t.Samples
	if t.cube {
		to[ir.SizeLayers] /= 6
	}
}

// sample executes an OpSample.
func (m *machine) sample(slots []uint32, in *ir.Instr) {
	from, to := slots[in.B:][:ir.SampleSlots], slots[in.A:][:ir.TexelWords]
	t := &m.handles[from[ir.SampleTexture]]
	filter := m.handles[from[ir.SampleSampler]].filter
	v := texture.TextureView{Extent: t.Extent, Words: m.buffers[t.word:][:t.Texels()*ir.TexelWords], Axes: t.axes, Cube: t.cube}
	point := texture.SamplePoint{At: coordinates(from[ir.SampleAt:]), Layer: m.layer(t, from[ir.SampleLayer])}
	for i := range point.Offset {
		point.Offset[i] = int32(from[ir.SampleOffset+i])
	}
	reference := ir.F32(from[ir.SampleReference])
	var texel [4]float32
	switch in.N {
	case ir.SampleAtLevel:
		texel = v.Sample(filter, point, ir.F32(from[ir.SampleLevel]))
	case ir.SampleByGradient:
		texel = v.Sample(filter, point, v.LevelOf(coordinates(from[ir.SampleDdx:]), coordinates(from[ir.SampleDdy:])))
	case ir.SampleInside:
		texel = v.Sample(filter, v.HalfTexelInside(point), 0)
	case ir.SampleCompare:
		texel[0] = v.SampleCompare(filter, point, reference)
	case ir.SampleGather:
		gathered := v.Gather(filter, point, from[ir.SampleComponent])
		copy(to, gathered[:])
		return
	case ir.SampleGatherCompare:
		texel = v.GatherCompare(filter, point, reference)
	}
	for i, x := range texel {
		to[i] = math.Float32bits(x)
	}
}

// layer returns the nearest layer that exists, or element of an array of cubes (§ 17.7.2).
func (m *machine) layer(t *handle, layer uint32) uint32 {
	n := t.Size[2]
	if t.cube {
		n /= 6
	}
	if int32(layer) < 0 {
		return 0
	}
	return min(layer, n-1)
}

func coordinates(words []uint32) (list [3]float32) {
	for i := range list {
		list[i] = ir.F32(words[i])
	}
	return list
}

// texelName names a texel: img[3, 4].
func (t *handle) texelName(name string, at [3]uint32, level uint32) string {
	text := fmt.Sprintf("%s[%d", name, at[0])
	if t.axes > 1 {
		text += fmt.Sprintf(", %d", at[1])
	}
	if t.Volume || t.Size[2] > 1 {
		text += fmt.Sprintf(", %d", at[2])
	}
	text += "]"
	if t.Levels > 1 {
		text += fmt.Sprintf(" of mip level %d", level)
	}
	return text
}

// texelSpot names a word of a texture.
func (m *machine) texelSpot(binding int, word uint32) ir.NamedWord {
	t, o := &m.handles[binding], m.Bindings[binding].Object
	at, level := t.Where(word / ir.TexelWords)
	return ir.NamedWord{
		Text: t.texelName(o.Name, at, level), Variable: o.Name, Index: int(word / ir.TexelWords), Length: int(t.Texels()),
		Kind: ir.KindOf(ir.TexelType(m.Bindings[binding].Texture)),
	}
}

// reportOutsideTexel reports a load of a texel that does not exist. A store is no mistake: it does
// nothing (§ 17.7.15).
func (m *machine) reportOutsideTexel(inv *invocation, kind findings.Kind, pc, made uint32) {
	if kind == findings.OutOfBoundsWrite || !m.watch.once(kind, pc, made) {
		return
	}
	row := inv.slots[m.Code[made].B:][:m.Code[made].N]
	t, b, signed := &m.handles[row[ir.TexelTexture]], m.Bindings[row[ir.TexelTexture]], m.Notes[made].Kind
	axes := t.axes
	if _, layers := ir.Axes(b.Texture); layers {
		axes++
	}
	size := t.Level(min(row[ir.TexelLevel], t.Levels-1))
	var at, sizes []string
	for axis := range axes {
		at = append(at, ir.FormatBits(row[ir.TexelAt+axis], signed))
		sizes = append(sizes, fmt.Sprint(size[axis]))
	}
	of, has := "", ""
	switch level := row[ir.TexelLevel]; {
	case t.Samples > 1:
		of, has = fmt.Sprintf(", sample %d", level), fmt.Sprintf(" and %d samples", t.Samples)
	case t.Levels > 1 || level > 0:
		of, has = fmt.Sprintf(" of mip level %d", level), fmt.Sprintf(" there and %d mip levels", t.Levels)
	}
	m.watch.tell(findings.Finding{
		Kind: kind, Severity: findings.Error, Location: m.place(pc, inv.local),
		Message: fmt.Sprintf("%s reads texel (%s)%s of `%s`, which has %s texels%s; here it reads 0, but a GPU may read another texel",
			m.invocationOf(inv.local), strings.Join(at, ", "), of, b.Object.Name, strings.Join(sizes, " × "), has),
		Variable: b.Object.Name, Index: signedIndex(row[ir.TexelAt], signed), Length: int(t.Texels()),
	})
	m.watch.outside[len(m.watch.outside)-1] = pc + 1
}
