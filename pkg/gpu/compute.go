package gpu

import (
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"strings"
	"sync"

	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/wgsl"
)

// Compute runs a shader once, on the device that Default returns, and returns what the shader left
// in its last binding. It compiles, uploads, dispatches and reads back in one call.
//
//	sum, err := gpu.Compute[float32]("work/vector-add.wgsl", gpu.Elements(3),
//		[]float32{1, 2, 3}, []float32{10, 20, 30}, gpu.Out(3))
//
// The shader is WGSL, or the name of a .wgsl file such as a shader cell writes. A value for each
// binding follows, in the order of their numbers:
//
//   - a slice of float32, uint32 or int32 becomes a storage buffer that starts with these values,
//   - a slice of bytes becomes a buffer of u32 that hold four bytes each, the first byte lowest,
//   - Members are the members of a uniform struct,
//   - Out(n) becomes a storage buffer of n elements of T, all zero.
//
// The last one is an Out or a slice of T. Compute changes no slice. Mistakes in the shader or the
// bindings come back as the errors of Device.Compile and Kernel.Pass.
func Compute[T Element](source string, over Dispatch, bindings ...any) ([]T, error) {
	if len(bindings) == 0 {
		return nil, errors.New("a shader without bindings has no result: give it at least a gpu.Out")
	}
	d, err := Default()
	if err != nil {
		return nil, err
	}
	read, err := sourceOf(source)
	if err != nil {
		return nil, err
	}
	kernel, err := d.CompileSource(read)
	if err != nil {
		return nil, err
	}
	defer kernel.Free()
	var buffers []*Buffer
	defer func() {
		for _, b := range buffers {
			b.Free()
		}
	}()
	for i, given := range bindings {
		b, err := bind[T](d, read, i, given)
		if err != nil {
			return nil, err
		}
		buffers = append(buffers, b)
	}
	pass, err := kernel.Pass(over.workgroups(kernel.WorkgroupSize()), buffers...)
	if err != nil {
		return nil, err
	}
	defer pass.Free()
	if err := d.Run(pass); err != nil {
		return nil, err
	}
	return Read[T](buffers[len(buffers)-1])
}

// Default returns the device that Compute runs on. The first call opens it, and it stays open until
// the program ends. If Open failed, every call returns its error.
func Default() (*Device, error) { return openOnce() }

var openOnce = sync.OnceValues(func() (*Device, error) { return Open() })

// A Dispatch says how many workgroups Compute starts. Elements, Grid and Workgroups are Dispatches.
type Dispatch interface {
	workgroups(size [3]uint32) [3]uint32
}

// Elements starts an invocation for each of n elements: n divided by the workgroup's size in x,
// rounded up.
type Elements int

// Grid starts an invocation for each element of a matrix of rows and columns: x is the column, y
// the row, and both are rounded up to whole workgroups.
type Grid [2]int

// Workgroups starts n workgroups, whatever their size: one for each row, for example.
type Workgroups int

func (n Elements) workgroups(size [3]uint32) [3]uint32 {
	return [3]uint32{Groups(int(n), size[0]), 1, 1}
}

func (g Grid) workgroups(size [3]uint32) [3]uint32 {
	return [3]uint32{Groups(g[1], size[0]), Groups(g[0], size[1]), 1}
}

func (n Workgroups) workgroups([3]uint32) [3]uint32 { return [3]uint32{uint32(n), 1, 1} }

// Out is a binding of Compute that the shader writes: n elements, all zero.
type Out int

// Members is a uniform binding of Compute: the members of the struct that the shader declares
// there, in order. Compute converts each number to the type that the shader declares for it: u32,
// i32 or f32. A number that does not fit is an error.
type Members []any

// bind makes the buffer for @binding(i).
func bind[T Element](d *Device, source *shader.Source, i int, given any) (*Buffer, error) {
	b, err := bufferOf[T](d, source, i, given)
	var mistake *BindError
	if err != nil && !errors.As(err, &mistake) {
		return nil, fmt.Errorf("%s: @binding(%d): %w", source.Name, i, err)
	}
	return b, err
}

func bufferOf[T Element](d *Device, source *shader.Source, i int, given any) (*Buffer, error) {
	switch given := given.(type) {
	case Out:
		return Alloc[T](d, int(given))
	case []float32:
		return Upload(d, given)
	case []uint32:
		return Upload(d, given)
	case []int32:
		return Upload(d, given)
	case []byte:
		return Upload(d, packed(given))
	case Members:
		words, err := words(source, i, given)
		if err != nil {
			return nil, err
		}
		return gpu.UploadContent(d, shader.UniformBuffer(words...))
	}
	return nil, fmt.Errorf("a %T cannot be bound: give a slice of float32, uint32, int32 or byte, gpu.Members or gpu.Out", given)
}

// packed puts four bytes into each word, the first one lowest.
func packed(bytes []byte) []uint32 {
	words := make([]uint32, (len(bytes)+shader.ElementBytes-1)/shader.ElementBytes)
	for i, b := range bytes {
		words[i/4] |= uint32(b) << (8 * (i % 4))
	}
	return words
}

// words converts the members given for @binding(i) to the types that the uniform there declares. If
// the shader declares no uniform there, the validation of the bindings reports it.
func words(source *shader.Source, i int, given Members) ([]shader.UniformWord, error) {
	declared, members, err := uniform(source, i)
	if err != nil {
		return nil, err
	}
	mistake := func(format string, arguments ...any) error {
		return &BindError{Shader: source.Name, Binding: i, Name: declared.Name, Message: fmt.Sprintf(format, arguments...)}
	}
	if members != nil && len(members) != len(given) {
		return nil, mistake("your shader declares `%s` with %d members, but the host gives %d", declared.Name, len(members), len(given))
	}
	words := make([]shader.UniformWord, len(given))
	for at, value := range given {
		name, element := fmt.Sprintf("number %d", at), shader.U32
		if members != nil {
			name, element = members[at].Name, shader.Element(members[at].Type.Text)
		}
		word, ok := wordOf(value, element)
		if !ok {
			return nil, mistake("the member `%s` of `%s` is of type %s, but the host gives %v (a Go %T)", name, declared.Name, element, value, value)
		}
		words[at] = word
	}
	return words, nil
}

// uniform returns the uniform that the shader declares at @binding(i) and its members, or no
// members if the shader declares something else there. A uniform that isn't a struct is its own
// only member.
func uniform(source *shader.Source, i int) (wgsl.Binding, []wgsl.Member, error) {
	bindings, err := source.Bindings()
	if err != nil {
		return wgsl.Binding{}, nil, err
	}
	for _, b := range bindings {
		if int(b.Number) != i || b.Space != wgsl.Uniform {
			continue
		}
		if b.Type.Members == nil {
			return b, []wgsl.Member{{Name: b.Name, Type: b.Type}}, nil
		}
		return b, b.Type.Members, nil
	}
	return wgsl.Binding{}, nil, nil
}

// wordOf converts a Go number to a scalar of WGSL; ok is false if it does not fit.
func wordOf(value any, element shader.Element) (word shader.UniformWord, ok bool) {
	v := reflect.ValueOf(value)
	switch {
	case element == shader.F32 && v.CanFloat():
		return shader.Float(float32(v.Float())), true
	case element == shader.F32 && v.CanInt():
		return shader.Float(float32(v.Int())), true
	case element == shader.F32 && v.CanUint():
		return shader.Float(float32(v.Uint())), true
	case element == shader.U32 && v.CanInt():
		return shader.Uint(uint32(v.Int())), int64(uint32(v.Int())) == v.Int()
	case element == shader.U32 && v.CanUint():
		return shader.Uint(uint32(v.Uint())), uint64(uint32(v.Uint())) == v.Uint()
	case element == shader.I32 && v.CanInt():
		return shader.Uint(uint32(v.Int())), int64(int32(v.Int())) == v.Int()
	}
	return 0, false
}

// sourceOf reads a shader given as WGSL or as the name of its file.
func sourceOf(given string) (*shader.Source, error) {
	if !strings.HasSuffix(given, ".wgsl") {
		return shader.Read("your shader", given), nil
	}
	text, err := shader.ReadFile(given)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("there is no file %s yet: run the cell that starts with %%%%writefile %s, then this one again", given, given)
	}
	if err != nil {
		return nil, fmt.Errorf("reading the shader: %w", err)
	}
	return shader.ReadCell(given, text), nil
}

// Edited returns the WGSL in a file with one change: it replaces old by new. It returns an error if
// the file does not contain old.
func Edited(file, old, new string) (string, error) {
	source, err := sourceOf(file)
	if err != nil {
		return "", err
	}
	if !strings.Contains(source.File(), old) {
		return "", fmt.Errorf("%s does not contain %q, so gpu cannot replace it with %q", file, old, new)
	}
	return strings.Replace(source.File(), old, new, 1), nil
}

// WorkgroupSize returns how many invocations a workgroup of the shader has in x and y. Give the
// shader as WGSL or as a file name, as for Compute.
func WorkgroupSize(source string) ([2]int, error) {
	d, err := Default()
	if err != nil {
		return [2]int{}, err
	}
	read, err := sourceOf(source)
	if err != nil {
		return [2]int{}, err
	}
	if mistake := read.Mistake(); mistake != nil {
		return [2]int{}, mistake
	}
	entry, err := read.Entry(d.Adapter())
	return [2]int{int(entry.WorkgroupSize[0]), int(entry.WorkgroupSize[1])}, err
}

// Matrix returns the values of a matrix, row by row. The formula computes the element in a row and
// a column.
func Matrix(rows, cols int, formula func(row, col int) float64) []float32 {
	values := make([]float32, 0, rows*cols)
	for row := range rows {
		for col := range cols {
			values = append(values, float32(formula(row, col)))
		}
	}
	return values
}
