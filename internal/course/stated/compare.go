package stated

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io/fs"
	"math"
	"path/filepath"
	"strings"

	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/machine/sim/texture"
	"github.com/wgslab/wgslab/internal/observe/anyshader"
	"github.com/wgslab/wgslab/internal/wgsl"
	"github.com/wgslab/wgslab/internal/wgsl/numeric"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// A check compares one binding after the run.
type check struct {
	binding int // among the run's
	want    []float64
	cells   []anyshader.Cell // of a buffer
	picture string           // the file of a texture's picture, or ""
	right   *image.NRGBA     // the picture, or nil if there is no file yet
}

// expect makes the checks: of what the test expects, or of all that a reference leaves.
func (r *run) expect(ctx context.Context) error {
	for i := range r.bindings {
		list, wanted := r.expected[r.bindings[i].Name]
		if !wanted {
			continue
		}
		c, err := r.checkOf(i, list)
		if err != nil {
			return err
		}
		r.checks = append(r.checks, *c)
	}
	if len(r.checks) == 0 {
		return r.asReference(ctx)
	}
	return nil
}

func (r *run) checkOf(i int, list []string) (*check, error) {
	b, a := &r.bindings[i], r.dispatches.Buffers[i]
	c := &check{binding: i}
	if name := strings.TrimPrefix(list[0], "@"); len(list) == 1 && strings.EqualFold(filepath.Ext(name), ".png") {
		if a.Texture == nil {
			return nil, fmt.Errorf("%s is no texture: only a texture becomes a picture", b.Name)
		}
		c.picture = filepath.Join(r.Folder, filepath.FromSlash(name))
		return c, r.readPicture(c)
	}
	numbers, err := numbersIn(r.shown(b.Name), list)
	if err != nil {
		return nil, err
	}
	c.want = numbers
	switch {
	case a.Texture != nil:
		return c, r.storedTexels(c, a)
	case a.Sampler != nil:
		return nil, fmt.Errorf("%s is a sampler: it is no output", b.Name)
	case b.Space != wgsl.ReadWrite:
		return nil, fmt.Errorf("%s is read-only: it is no output", b.Name)
	}
	if err := r.layBuffer(c); err != nil {
		return nil, err
	}
	if len(c.cells) != len(c.want) {
		return nil, fmt.Errorf("%s has %d numbers, and %d are expected", r.shown(b.Name), len(c.cells), len(c.want))
	}
	for k, cell := range c.cells {
		if err := anyshader.Fits(cell.Kind, c.want[k]); err != nil {
			return nil, fmt.Errorf("the expected value of %s: %w", cell.Name, err)
		}
		c.want[k] = rounded(cell.Kind, c.want[k])
	}
	return c, nil
}

// layBuffer finds the numbers of a buffer.
func (r *run) layBuffer(c *check) error {
	b := &r.bindings[c.binding]
	t := r.object(b).Store()
	elements := uint64(0)
	if anyshader.RuntimeStride(t) > 0 {
		elements = anyshader.RuntimeElements(t, len(r.dispatches.Buffers[c.binding].Data))
	}
	c.cells, _ = anyshader.LayoutOf(r.shown(b.Name), t).Cells(elements)
	return nil
}

// storedTexels gives the expected channels the values that the texture's format can hold.
func (r *run) storedTexels(c *check, a *anyshader.Argument) error {
	channels := a.Texture.Format.Channels()
	texels := int(a.Texture.Texels())
	name := r.bindings[c.binding].Name
	if len(c.want) != texels*len(channels) {
		return fmt.Errorf("%s has %d texels of %d channels, and %d numbers are expected", name, texels, len(channels), len(c.want))
	}
	integer, sign := a.Texture.Format.Integer()
	kind := types.F32
	if integer {
		if kind = types.U32; sign {
			kind = types.I32
		}
	}
	for i := range texels {
		var texel texture.Texel
		for k, channel := range channels {
			var data [4]byte
			if err := anyshader.Fits(kind, c.want[i*len(channels)+k]); err != nil {
				return fmt.Errorf("the expected value of %s: %w", name, err)
			}
			anyshader.PutScalar(kind, data[:], 0, c.want[i*len(channels)+k])
			texel[channel] = uint32(data[0]) | uint32(data[1])<<8 | uint32(data[2])<<16 | uint32(data[3])<<24
		}
		texel = a.Texture.Format.Stored(texel)
		for k, channel := range channels {
			bits := texel[channel]
			v, _ := anyshader.Scalar(kind, []byte{byte(bits), byte(bits >> 8), byte(bits >> 16), byte(bits >> 24)}, 0)
			c.want[i*len(channels)+k] = v
		}
	}
	return nil
}

// asReference makes the checks of what the reference leaves in the bindings that the shader writes.
func (r *run) asReference(ctx context.Context) error {
	right := *r.Test
	right.source, right.expected = r.reference, map[string][]string{}
	other := &run{Test: &right, out: &Ran{}, bindings: r.bindings, dispatches: &anyshader.Dispatches{Source: r.reference, Buffers: copies(r.dispatches.Buffers), Passes: r.dispatches.Passes}}
	for i := range r.entries {
		program, err := other.dispatches.Compile(i, false)
		if err != nil {
			return fmt.Errorf("the reference: %w", err)
		}
		pass, nothing, err := other.dispatches.Bind(i, program)
		if err == nil && nothing == nil {
			err = anyshader.Finish(ctx, pass)
		}
		if err != nil {
			return fmt.Errorf("the reference: %w", err)
		}
	}
	for i := range r.bindings {
		if !r.writes(i) {
			continue
		}
		left := other.dispatches.Buffers[i]
		c := check{binding: i}
		if left.Texture != nil {
			c.want = asFloats(left.Values())
		} else if err := r.layBuffer(&c); err != nil {
			return err
		}
		for _, cell := range c.cells {
			v, _ := anyshader.Scalar(cell.Kind, left.Data, int(cell.Offset))
			c.want = append(c.want, v)
		}
		r.checks = append(r.checks, c)
	}
	if len(r.checks) == 0 {
		return fmt.Errorf("the shader writes to no binding")
	}
	return nil
}

// writes reports whether a pass may write to a binding.
func (r *run) writes(i int) bool {
	for _, program := range r.programs {
		for _, p := range program.Bindings {
			if p.Group == r.bindings[i].Group && p.Number == r.bindings[i].Number && p.Writable {
				return true
			}
		}
	}
	return false
}

func asFloats(values []numeric.JSONNumber) (all []float64) {
	for _, v := range values {
		all = append(all, float64(v))
	}
	return all
}

// compare fails the run if a binding holds something else than it should.
func (r *run) compare(left []*anyshader.Argument, how manner) error {
	for _, c := range r.checks {
		a := left[c.binding]
		var wrong []string
		count := len(c.want)
		switch {
		case c.picture != "":
			if err := r.comparePicture(c, a, how); err != nil {
				return err
			}
			continue
		case a.Texture != nil:
			wrong = r.wrongTexels(c, a)
		default:
			wrong = r.wrongCells(c, a)
		}
		if len(wrong) > 0 {
			r.fail(r.differing(wrong, count, "number", "numbers"), how)
		}
	}
	return nil
}

// differing says what is wrong: the first in the message, and some more below.
func (r *run) differing(wrong []string, of int, one, many string) *Miss {
	const shown = 4
	f := &Miss{Source: r.source, Kind: WrongValue, Message: english.Sentence(wrong[0])}
	for _, line := range wrong[1:min(len(wrong), shown)] {
		f.More = append(f.More, english.Sentence(line))
	}
	if of > 1 {
		f.More = append(f.More, fmt.Sprintf("%d of %s are wrong.", len(wrong), english.Count(of, one, many)))
	}
	return f
}

func (r *run) wrongCells(c check, a *anyshader.Argument) (wrong []string) {
	for k, cell := range c.cells {
		got, _ := anyshader.Scalar(cell.Kind, a.Data, int(cell.Offset))
		whole := cell.Kind == types.U32 || cell.Kind == types.I32
		if !same(got, c.want[k], r.within, whole) {
			wrong = append(wrong, fmt.Sprintf("`%s` is %s, and %s is expected", cell.Name, numeric.JSONNumber(got), numeric.JSONNumber(c.want[k])))
		}
	}
	return wrong
}

func (r *run) wrongTexels(c check, a *anyshader.Argument) (wrong []string) {
	got := asFloats(a.Values())
	channels := a.Texture.Format.Channels()
	whole, _ := a.Texture.Format.Integer()
	for k, want := range c.want {
		if !same(got[k], want, r.within, whole) {
			at, level := a.Texture.Where(uint32(k / len(channels)))
			place := fmt.Sprintf("(%d, %d)", at[0], at[1])
			if a.Texture.Size[2] > 1 {
				place = fmt.Sprintf("(%d, %d, %d)", at[0], at[1], at[2])
			}
			if a.Texture.Levels > 1 {
				place += fmt.Sprintf(" of level %d", level)
			}
			wrong = append(wrong, fmt.Sprintf("`%s` at %s, %s, is %s, and %s is expected", r.bindings[c.binding].Name, place,
				[]string{"red", "green", "blue", "alpha"}[channels[k%len(channels)]], numeric.JSONNumber(got[k]), numeric.JSONNumber(want)))
		}
	}
	return wrong
}

// readPicture reads the expected picture. Without update it has to be there.
func (r *run) readPicture(c *check) error {
	content, err := shader.ReadStart(c.picture, mostPicture)
	if err != nil {
		if r.update && errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return fmt.Errorf("the expected picture: %w. --update writes it", err)
	}
	decoded, err := png.Decode(bytes.NewReader(content))
	if err != nil {
		if r.update {
			return nil
		}
		return fmt.Errorf("the expected picture %s: %w. --update writes it again", c.picture, err)
	}
	c.right = image.NewNRGBA(decoded.Bounds())
	for y := decoded.Bounds().Min.Y; y < decoded.Bounds().Max.Y; y++ {
		for x := decoded.Bounds().Min.X; x < decoded.Bounds().Max.X; x++ {
			c.right.Set(x, y, color.NRGBAModel.Convert(decoded.At(x, y)))
		}
	}
	return nil
}

// mostPicture limits the size of an expected picture, in bytes.
const mostPicture = 64 << 20

// comparePicture compares a texture with its picture. It may allow an error of each channel, from 0
// to 1.
func (r *run) comparePicture(c check, a *anyshader.Argument, how manner) error {
	got, ok := a.Picture().(*image.NRGBA)
	if !ok {
		return fmt.Errorf("%s has no picture", r.bindings[c.binding].Name)
	}
	var wrong []string
	name := r.bindings[c.binding].Name
	if c.right != nil && c.right.Bounds().Size() == got.Bounds().Size() {
		wrong = r.wrongPixels(name, got, c.right)
	} else if c.right != nil {
		wrong = []string{fmt.Sprintf("`%s` has %d × %d texels, and the picture %s has %d × %d", name, got.Bounds().Dx(), got.Bounds().Dy(), c.picture, c.right.Bounds().Dx(), c.right.Bounds().Dy())}
	}
	if c.right != nil && len(wrong) == 0 {
		return nil
	}
	var file bytes.Buffer
	if err := png.Encode(&file, got); err != nil {
		return fmt.Errorf("writing the picture of %s: %w", name, err)
	}
	if r.update && how.told == "" {
		r.out.Files[c.picture] = file.Bytes()
		r.out.Notes = append(r.out.Notes, "wrote "+c.picture)
		for i := range r.checks {
			if r.checks[i].picture == c.picture {
				r.checks[i].right = got // for the other orders
			}
		}
		return nil
	}
	failed := strings.TrimSuffix(c.picture, filepath.Ext(c.picture)) + ".failed.png"
	r.out.Files[failed] = file.Bytes()
	f := r.differing(wrong, got.Bounds().Dx()*got.Bounds().Dy(), "texel", "texels")
	f.More = append(f.More, failed+" shows the texture as it is. If that is right, --update keeps it.")
	r.fail(f, how)
	return nil
}

func (r *run) wrongPixels(name string, got, want *image.NRGBA) (wrong []string) {
	most := int(r.within * 255)
	for y := range got.Bounds().Dy() {
		for x := range got.Bounds().Dx() {
			is, should := got.NRGBAAt(x, y), want.NRGBAAt(want.Bounds().Min.X+x, want.Bounds().Min.Y+y)
			if far(is.R, should.R, most) || far(is.G, should.G, most) || far(is.B, should.B, most) || far(is.A, should.A, most) {
				wrong = append(wrong, fmt.Sprintf("`%s` at (%d, %d) is #%02x%02x%02x%02x, and #%02x%02x%02x%02x is expected", name, x, y,
					is.R, is.G, is.B, is.A, should.R, should.G, should.B, should.A))
			}
		}
	}
	return wrong
}

func far(a, b uint8, most int) bool { return max(int(a)-int(b), int(b)-int(a)) > most }

// poison is what an output holds before the run if the test says nothing.
func poison(kind *types.Scalar) float64 {
	if kind == types.U32 || kind == types.I32 {
		return 0x6b6b6b6b
	}
	return math.NaN()
}

// rounded returns the number as a type holds it.
func rounded(kind *types.Scalar, v float64) float64 {
	var data [4]byte
	anyshader.PutScalar(kind, data[:], 0, v)
	v, _ = anyshader.Scalar(kind, data[:], 0)
	return v
}

// same reports whether a number is the right one: exactly, if it is whole and no error is allowed.
func same(got, want, within float64, whole bool) bool {
	switch {
	case got == want || math.IsNaN(got) && math.IsNaN(want):
		return true
	case within > 0:
		return math.Abs(got-want) <= within
	}
	const most = 1e-6
	return !whole && math.Abs(got-want) <= most+most*math.Abs(want)
}
