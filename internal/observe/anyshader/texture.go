package anyshader

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/wgslab/wgslab/internal/machine/sim"
	"github.com/wgslab/wgslab/internal/machine/sim/ir"
	"github.com/wgslab/wgslab/internal/machine/sim/texture"
	"github.com/wgslab/wgslab/internal/wgsl/numeric"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// textureWord stands for the format that the shader names.
const textureWord = "texture"

// A textureArgument describes a texture: FORMAT[WIDTH,HEIGHT,DEPTH;levels=N;samples=N], then
// nothing, :v,v,… or @FILE. A PNG file alone needs no size.
type textureArgument struct {
	format  string // textureWord until the shader names one
	extent  texture.Extent
	values  []string
	content []byte // of a file
}

// isTexture reports whether a text without its binding describes a texture.
func isTexture(content string) bool {
	name, _, ok := strings.Cut(content, "[")
	return ok && (name == textureWord || texture.FormatNamed(name) != nil)
}

func parseTexture(content string) (*textureArgument, error) {
	name, rest, _ := strings.Cut(content, "[")
	size, rest, closed := strings.Cut(rest, "]")
	if !closed {
		return nil, fmt.Errorf("write %s[WIDTH,HEIGHT]", name)
	}
	t := &textureArgument{format: name, extent: texture.Extent{Size: [3]uint32{1, 1, 1}, Levels: 1, Samples: 1}}
	for i, part := range strings.Split(size, ";") {
		if err := t.parseSize(i, strings.TrimSpace(part)); err != nil {
			return nil, err
		}
	}
	if n := t.extent.Texels(); n > texture.MostTexels {
		return nil, fmt.Errorf("%s has more than %d texels", content, texture.MostTexels)
	}
	switch {
	case strings.HasPrefix(rest, "@"):
		var err error
		t.content, err = readLimited(rest[1:], maxBound)
		return t, err
	case strings.HasPrefix(rest, ":"):
		t.values = strings.Split(rest[1:], ",")
	case rest != "":
		return nil, fmt.Errorf("write :v,v,… or @FILE after the size, not %q", rest)
	}
	return t, nil
}

// parseSize reads the sizes, or one of the settings after them.
func (t *textureArgument) parseSize(i int, part string) error {
	if i == 0 {
		sizes := strings.Split(part, ",")
		if len(sizes) > 3 {
			return fmt.Errorf("%q: give at most width, height and depth", part)
		}
		for axis, text := range sizes {
			n, err := strconv.ParseUint(strings.TrimSpace(text), 10, 16)
			if err != nil || n == 0 {
				return fmt.Errorf("%q is not a number of texels", text)
			}
			t.extent.Size[axis] = uint32(n)
		}
		return nil
	}
	key, text, _ := strings.Cut(part, "=")
	n, err := strconv.ParseUint(text, 10, 8)
	if err != nil || n == 0 {
		return fmt.Errorf("%q: write levels=N or samples=N", part)
	}
	switch key {
	case "levels":
		t.extent.Levels = uint32(n)
	case "samples":
		t.extent.Samples = uint32(n)
	default:
		return fmt.Errorf("%q: write levels=N or samples=N", part)
	}
	return nil
}

// fit chooses the format, and makes the texels.
func (b *Argument) fitTexture(as *types.Texture) error {
	t := b.texture
	format := texture.FormatNamed(t.format)
	if format == nil {
		format = texture.FormatNamed(usualFormat(as))
	}
	extent := t.extent
	extent.Volume = as.Dim == "3d"
	if most := extent.MostLevels(); extent.Levels > most {
		return fmt.Errorf("a texture of this size has at most %d mip levels", most)
	}
	b.Texture = &sim.BoundTexture{Extent: extent, Format: format}
	size := extent.Texels() * uint64(format.Bytes)
	switch {
	case t.content != nil && uint64(len(t.content)) != size:
		return fmt.Errorf("%d texels of %s take %d bytes, but the file has %d", extent.Texels(), format.Name, size, len(t.content))
	case t.content != nil:
		b.Data = t.content
		return nil
	}
	b.Data = make([]byte, size)
	if t.values != nil {
		return b.listTexels(t.values)
	}
	b.fillTexels()
	return nil
}

// usualFormat returns the format that a shader names, or a usual one for its channels.
func usualFormat(as *types.Texture) string {
	switch {
	case as.Format != nil:
		return as.Format.Name
	case as.Kind == types.DepthTexture, as.Kind == types.DepthMultisampledTexture:
		return "depth32float"
	case as.Sampled == types.U32:
		return "rgba32uint"
	case as.Sampled == types.I32:
		return "rgba32sint"
	}
	return "rgba8unorm"
}

// fillTexels fills a texture by a rule. For floats, red grows from left to right, green from top to
// bottom and blue with the depth or layer; integers count 0, 1, 2, … channel by channel.
func (b *Argument) fillTexels() {
	integer, _ := b.Texture.Format.Integer()
	next := uint32(0)
	for i := range int(b.Texture.Texels()) {
		texel := texture.Texel{3: math.Float32bits(1)}
		at, level := b.Texture.Where(uint32(i))
		size := b.Texture.Level(level)
		for channel := range texel {
			switch {
			case integer:
				texel[channel] = next
				next++
			case channel < len(at):
				texel[channel] = math.Float32bits(float32(at[channel]) / float32(max(size[channel], 2)-1))
			}
		}
		b.Texture.Format.Encode(texel, b.Data[i*b.Texture.Format.Bytes:])
	}
}

// listTexels fills a texture with values, channel by channel: as many as it has, or one for each
// channel of every texel.
func (b *Argument) listTexels(words []string) error {
	channels := b.Texture.Format.Channels()
	texels := int(b.Texture.Texels())
	if len(words) != texels*len(channels) && len(words) != len(channels) {
		return fmt.Errorf("%d values do not fill %d texels of %d channels", len(words), texels, len(channels))
	}
	for i := range texels {
		var texel texture.Texel
		for j, channel := range channels {
			word := words[(i*len(channels)+j)%len(words)]
			bits, err := b.channelBits(strings.TrimSpace(word))
			if err != nil {
				return fmt.Errorf("%q is not a value for a channel of %s", word, b.Texture.Format.Name)
			}
			texel[channel] = bits
		}
		b.Texture.Format.Encode(texel, b.Data[i*b.Texture.Format.Bytes:])
	}
	return nil
}

func (b *Argument) channelBits(word string) (uint32, error) {
	switch integer, sign := b.Texture.Format.Integer(); {
	case sign:
		n, err := strconv.ParseInt(word, 0, 32)
		return uint32(n), err
	case integer:
		n, err := strconv.ParseUint(word, 0, 32)
		return uint32(n), err
	}
	f, err := strconv.ParseFloat(word, 32)
	return math.Float32bits(float32(f)), err
}

// texelValues returns the channels of all texels, as the shader reads them.
func (b *Argument) texelValues() []numeric.JSONNumber {
	values := []numeric.JSONNumber{}
	for i := range int(b.Texture.Texels()) {
		texel := b.Texture.Format.Decode(b.Data[i*b.Texture.Format.Bytes:])
		for _, channel := range b.Texture.Format.Channels() {
			values = append(values, b.channelValue(texel[channel]))
		}
	}
	return values
}

func (b *Argument) channelValue(bits uint32) numeric.JSONNumber {
	switch integer, sign := b.Texture.Format.Integer(); {
	case sign:
		return numeric.JSONNumber(int32(bits))
	case integer:
		return numeric.JSONNumber(bits)
	}
	return numeric.JSONNumber(math.Float32frombits(bits))
}

// A sampler's words.
var (
	addressWords = map[string]texture.AddressMode{
		"clamp-to-edge": texture.ClampToEdge, "repeat": texture.Repeat, "mirror-repeat": texture.MirrorRepeat,
	}
	samplerWord = "sampler"
)

// mostLevels is more mip levels than a texture can have.
const mostLevels = 32

// parseSampler reads sampler, or sampler:WORD,WORD,…
func parseSampler(content string) (*texture.Filter, error) {
	f := &texture.Filter{MaxLevel: mostLevels}
	_, words, some := strings.Cut(content, ":")
	if !some {
		return f, nil
	}
	for word := range strings.SplitSeq(words, ",") {
		word = strings.TrimSpace(word)
		mode, address := addressWords[word]
		compare, compares := texture.Compares[word]
		switch {
		case address:
			f.Address = [3]texture.AddressMode{mode, mode, mode}
		case compares:
			f.Compare = compare
		case word == "linear":
			f.Magnify, f.Minify, f.Mip = true, true, true
		case word == "nearest":
			f.Magnify, f.Minify, f.Mip = false, false, false
		default:
			return nil, fmt.Errorf("a sampler has no setting %q; examples are linear, nearest, repeat, clamp-to-edge, mirror-repeat and less", word)
		}
	}
	return f, nil
}

// fitHandle makes the argument a texture if its binding is one.
func (b *Argument) fitHandle(p *ir.Binding) error {
	switch {
	case p.Sampler != nil && b.Sampler != nil && p.Sampler.Comparison && b.Sampler.Compare == nil:
		b.Sampler.Compare = texture.Compares["less"]
	case p.Texture != nil && b.Texture != nil: // by an earlier pass
	case p.Texture != nil && b.texture != nil:
		return b.fitTexture(p.Texture)
	case p.Texture != nil && b.Element == nil && bytes.HasPrefix(b.Data, pngStart):
		return b.fitPicture(p.Texture, b.Data)
	case p.Texture != nil:
		return fmt.Errorf("`%s` is a texture: write FORMAT[WIDTH,HEIGHT], such as texture[64,64], or @FILE.png", p.Object.Name)
	case p.Sampler != nil && b.Sampler == nil:
		return fmt.Errorf("`%s` is a sampler: write sampler or sampler:linear,repeat", p.Object.Name)
	}
	return nil
}
