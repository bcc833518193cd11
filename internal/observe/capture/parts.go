package capture

import (
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

// commandFile holds the command.
const commandFile = "command.txt"

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
	out.Command = strings.Join(words, " ")
	out.Files[commandFile] = []byte(out.Command + "\n")
	return out
}

// samplerWords writes a sampler in the notation of anyshader.
func samplerWords(b *anyshader.Argument) string {
	words := map[texture.AddressMode]string{texture.ClampToEdge: "clamp-to-edge", texture.Repeat: "repeat", texture.MirrorRepeat: "mirror-repeat"}[b.Sampler.Address[0]]
	if b.Sampler.Magnify {
		return "sampler:" + words + ",linear"
	}
	return "sampler:" + words + ",nearest"
}
