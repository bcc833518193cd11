package capture

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/wgslab/wgslab/internal/machine/sim/texture"
	"github.com/wgslab/wgslab/internal/observe/anyshader"
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
	for i, b := range p.Buffers {
		place := fmt.Sprintf("%d.%d", b.Group, b.Binding)
		file := place + ".bin"
		switch {
		case b.Sampler != nil:
			words = append(words, "--bind "+place+"="+samplerWords(b))
			if f := b.Sampler; f.Address[0] != f.Address[1] || f.Magnify != f.Minify || f.Magnify != f.Mip || f.Compare != nil || f.MinLevel > 0 {
				out.Notes = append(out.Notes, fmt.Sprintf("`%s`: the command says only how the sampler magnifies, and its address mode in x.", p.vars[i].Name))
			}
			continue
		case b.Texture != nil:
			size := b.Texture.Size
			words = append(words, fmt.Sprintf("--bind '%s=%s[%d,%d,%d;levels=%d]@%s'", place, b.Texture.Format.Name, size[0], size[1], size[2], b.Texture.Levels, file))
		default:
			words = append(words, fmt.Sprintf("--bind %s=@%s", place, file))
		}
		out.Files[file] = b.Data
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
		size := b.Texture.Size
		fmt.Fprintf(&text, "%s[%d,%d,%d;levels=%d]", b.Texture.Format.Name, size[0], size[1], size[2], b.Texture.Levels)
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

// samplerWords writes a sampler in the notation of anyshader.
func samplerWords(b *anyshader.Argument) string {
	words := map[texture.AddressMode]string{texture.ClampToEdge: "clamp-to-edge", texture.Repeat: "repeat", texture.MirrorRepeat: "mirror-repeat"}[b.Sampler.Address[0]]
	if b.Sampler.Magnify {
		return "sampler:" + words + ",linear"
	}
	return "sampler:" + words + ",nearest"
}
