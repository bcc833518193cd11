package stated

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/machine/sim/ir"
	"github.com/wgslab/wgslab/internal/observe/anyshader"
	"github.com/wgslab/wgslab/internal/wgsl"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// asBound matches what --bind takes, and no list of numbers.
var asBound = regexp.MustCompile(`^(@|\w+\[|\w+:|sampler|texture)`)

// argument makes what the test binds to a binding of the shader.
func (r *run) argument(b *wgsl.Binding) (*anyshader.Argument, error) {
	list, given := r.given[b.Name]
	text := strings.Join(list, ",")
	switch {
	case given && asBound.MatchString(text):
		return r.parse(b, text)
	case b.Space == wgsl.Handle && r.object(b) != nil && isSampler(r.object(b)):
		return nil, fmt.Errorf("%s is a sampler: write %s = sampler, or %s = sampler:linear,repeat", b.Name, b.Name, b.Name)
	case b.Space == wgsl.Handle:
		return nil, fmt.Errorf("%s is a texture: write its size before the run, %s = texture[WIDTH,HEIGHT], or a picture, %s = @photo.png", b.Name, b.Name, b.Name)
	}
	return r.buffer(b, list, given)
}

func isSampler(v *types.Object) bool { _, is := v.Store().(*types.Sampler); return is }

// parse reads an argument as --bind does. Its files are in the test's folder.
func (r *run) parse(b *wgsl.Binding, text string) (*anyshader.Argument, error) {
	if before, file, named := strings.Cut(text, "@"); named && !filepath.IsAbs(file) {
		text = before + "@" + filepath.Join(r.Folder, filepath.FromSlash(file))
	}
	place := fmt.Sprintf("%d.%d", b.Group, b.Number)
	if b.Group == ir.ImmediateGroup {
		place = anyshader.ImmediateWord
	}
	a, err := anyshader.Parse(place+"="+text, r.source)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", b.Name, err)
	}
	return a, nil
}

// buffer makes a buffer of a list of numbers, or one with room for those that are expected.
func (r *run) buffer(b *wgsl.Binding, list []string, given bool) (*anyshader.Argument, error) {
	expected, wanted := r.expected[b.Name]
	if wanted && b.Space != wgsl.ReadWrite {
		return nil, fmt.Errorf("%s is read-only: it is no output", b.Name)
	}
	if !given {
		list = expected
		if !wanted {
			return nil, fmt.Errorf("%s has no values: write %s = … before the arrow, or after it if it is an output", b.Name, b.Name)
		}
	}
	numbers, err := numbersIn(r.shown(b.Name), list)
	if err != nil {
		return nil, err
	}
	l := anyshader.LayoutOf(r.shown(b.Name), r.object(b).Store())
	elements, err := l.Elements(len(numbers))
	if err != nil {
		return nil, err
	}
	if wanted && given && len(expected) != len(list) {
		if after, err := numbersIn(b.Name, expected); err == nil && len(after) != len(numbers) {
			return nil, fmt.Errorf("%s has %d numbers before and %d after the run", b.Name, len(numbers), len(after))
		}
	}
	cells, size := l.Cells(elements)
	if size%shader.ElementBytes != 0 {
		return nil, fmt.Errorf("%s takes %d bytes, and a buffer's size is a multiple of %d: give an even number of f16", b.Name, size, shader.ElementBytes)
	}
	a := &anyshader.Argument{Group: b.Group, Binding: b.Number, Data: make([]byte, size)}
	for i, c := range cells {
		value := numbers[i]
		if err := anyshader.Fits(c.Kind, value); err != nil {
			return nil, fmt.Errorf("%s: %w", c.Name, err)
		}
		if !given {
			value = poison(c.Kind)
		}
		anyshader.PutScalar(c.Kind, a.Data, int(c.Offset), value)
	}
	return a, nil
}

// shown names a number as the test does: what a call returns goes by the call.
func (r *run) shown(name string) string {
	if rest, is := strings.CutPrefix(name, resultName); is {
		return r.call + rest
	}
	return name
}
