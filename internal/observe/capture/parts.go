package capture

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/machine/sim/texture"
	"github.com/wgslab/wgslab/internal/observe/anyshader"
	"github.com/wgslab/wgslab/internal/wgsl/numeric"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// DispatchFiles are the files of a dispatch, for somebody who goes on with them by hand.
type DispatchFiles struct {
	Files   map[string][]byte // by name
	Command string            // that runs them in their folder
	Notes   []string
}

// commandFile holds the command. benchFile is for the bench of the course's page, which takes so
// many bytes.
const (
	commandFile = "command.txt"
	benchFile   = "bench.json"
	mostBench   = 2 << 20
)

// Parts returns the files of a dispatch.
func (p *ReadyDispatch) Parts() DispatchFiles {
	pass := p.Passes[0]
	name := fileName(p.Source.Name, p.Dispatch.Number)
	out := DispatchFiles{Files: map[string][]byte{name: []byte(p.Source.Text)}}
	words := []string{"wgslab simulate", name, "--entry " + pass.Entry,
		fmt.Sprintf("--workgroups %d,%d,%d", pass.Workgroups[0], pass.Workgroups[1], pass.Workgroups[2])}
	for _, o := range p.Overrides {
		words = append(words, "--override "+o)
	}
	var binds []string
	for i, b := range p.Buffers {
		place := fmt.Sprintf("%d.%d", b.Group, b.Binding)
		file := place + ".bin"
		notation := "@" + file
		if b.Texture != nil {
			notation = textureWords(b) + notation
		}
		switch {
		case b.Sampler != nil:
			notation = samplerWords(b)
			words = append(words, "--bind "+place+"="+notation)
			if f := b.Sampler; f.Address[0] != f.Address[1] || f.Magnify != f.Minify || f.Magnify != f.Mip || f.Compare != nil || f.MinLevel > 0 {
				out.Notes = append(out.Notes, fmt.Sprintf("`%s`: the command says only how the sampler magnifies, and its address mode in x.", p.vars[i].Name))
			}
		case b.Texture != nil:
			words = append(words, fmt.Sprintf("--bind '%s=%s'", place, notation))
		default:
			words = append(words, fmt.Sprintf("--bind %s=%s", place, notation))
		}
		if b.Sampler == nil {
			out.Files[file] = b.Data
		}
		binds = append(binds, fmt.Sprintf("%s = %q", p.vars[i].Name, notation))
	}
	if expected, why := p.expected(); len(expected) == 0 {
		out.Notes = append(out.Notes, "There is no test: "+why+".")
	} else {
		out.Files[strings.TrimSuffix(name, ".wgsl")+"_test.toml"] = fmt.Appendf(nil,
			"# What the page's GPU left is expected.\n[[cases]]\nname = \"on the page\"\nentry = %q\nworkgroups = [%d, %d, %d]\nwithin = %g\n%sbind = {%s}\nexpect = {%s}\n",
			pass.Entry, pass.Workgroups[0], pass.Workgroups[1], pass.Workgroups[2], roundingOf[types.F32], p.overrides(), strings.Join(binds, ", "), strings.Join(expected, ", "))
	}
	if bench := p.bench(); len(bench) <= mostBench {
		out.Files[benchFile] = bench
	} else {
		out.Notes = append(out.Notes, fmt.Sprintf("There is no %s: the page's bench takes %d MiB, and these buffers are longer as text.", benchFile, mostBench>>20))
	}
	out.Command = strings.Join(words, " ")
	out.Files[commandFile] = []byte(out.Command + "\n")
	return out
}

// bench writes the dispatch as the page's bench reads it: the fields are lists of what a person
// would type.
func (p *ReadyDispatch) bench() []byte {
	pass := p.Passes[0]
	fields := struct {
		Source    string      `json:"source"`
		Binds     [][2]string `json:"binds"`
		Passes    [][2]string `json:"passes"`
		Overrides [][2]string `json:"overrides"`
		Notes     string      `json:"notes"`
	}{p.Source.Text, [][2]string{}, nil, [][2]string{}, strings.Join(p.Notes, " ")}
	fields.Passes = [][2]string{{pass.Entry, fmt.Sprintf("%d,%d,%d", pass.Workgroups[0], pass.Workgroups[1], pass.Workgroups[2])}}
	for _, o := range p.Overrides {
		key, value, _ := strings.Cut(o, "=")
		fields.Overrides = append(fields.Overrides, [2]string{key, value})
	}
	for _, b := range p.Buffers {
		fields.Binds = append(fields.Binds, [2]string{fmt.Sprintf("%d.%d", b.Group, b.Binding), listed(b)})
	}
	text, err := json.Marshal(fields)
	if err != nil {
		panic(err) // texts alone
	}
	return text
}

// listed writes a binding with all its values.
func listed(b *anyshader.Argument) string {
	if b.Sampler != nil {
		return samplerWords(b)
	}
	values := b.Values()
	text := strings.Builder{}
	if b.Texture != nil {
		text.WriteString(textureWords(b))
	} else {
		text.WriteString(b.Element.String())
	}
	for i, v := range values {
		if text.Len() > mostBench {
			break // it doesn't fit anyway
		}
		text.WriteByte(":,"[min(i, 1)])
		text.WriteString(v.String())
	}
	return text.String()
}

// mostExpected is how many values of a buffer a test file lists.
const mostExpected = 4096

// expected returns the values that the page's GPU left in buffers, as a test file lists them, or
// why there are none.
func (p *ReadyDispatch) expected() (all []string, why string) {
	why = "the capture doesn't say what the page's GPU left"
	for i, left := range p.After {
		name := p.vars[i].Name
		if left == nil {
			continue
		}
		if p.Buffers[i].Texture != nil {
			why = fmt.Sprintf("`%s` is a texture, and a test file lists only buffers", name)
			continue
		}
		const mostBytes = 16 * mostExpected // of numbers with padding
		if len(left) > mostBytes {
			why = fmt.Sprintf("`%s` has %d bytes, and a test file lists at most %d numbers", name, len(left), mostExpected)
			continue
		}
		values := anyshader.Numbers(p.vars[i].Store(), left)
		if len(values) > mostExpected {
			why = fmt.Sprintf("`%s` has %d numbers, and a test file lists at most %d", name, len(values), mostExpected)
			continue
		}
		if slices.ContainsFunc(values, func(v numeric.JSONNumber) bool { return math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) }) {
			why = fmt.Sprintf("`%s` has numbers that aren't finite", name)
			continue
		}
		var words []string
		for _, v := range values {
			words = append(words, v.String())
		}
		all = append(all, fmt.Sprintf("%s = [%s]", name, strings.Join(words, ", ")))
	}
	return all, why
}

// overrides writes the values of overrides as a test file has them; "" if there are none.
func (p *ReadyDispatch) overrides() string {
	if len(p.Overrides) == 0 {
		return ""
	}
	var words []string
	for _, o := range p.Overrides {
		key, value, _ := strings.Cut(o, "=")
		words = append(words, key+" = "+value)
	}
	return "override = {" + strings.Join(words, ", ") + "}\n"
}

// textureWords writes a texture in the notation of anyshader, without its texels.
func textureWords(b *anyshader.Argument) string {
	size := b.Texture.Size
	return fmt.Sprintf("%s[%d,%d,%d;levels=%d]", b.Texture.Format.Name, size[0], size[1], size[2], b.Texture.Levels)
}

// samplerWords writes a sampler in the notation of anyshader.
func samplerWords(b *anyshader.Argument) string {
	words := map[texture.AddressMode]string{texture.ClampToEdge: "clamp-to-edge", texture.Repeat: "repeat", texture.MirrorRepeat: "mirror-repeat"}[b.Sampler.Address[0]]
	if b.Sampler.Magnify {
		return "sampler:" + words + ",linear"
	}
	return "sampler:" + words + ",nearest"
}
