package browser

import (
	_ "embed"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"

	"github.com/wgslab/wgslab/pkg/check"
	"github.com/wgslab/wgslab/pkg/lesson"
	"github.com/wgslab/wgslab/pkg/wgsl"
)

//go:embed device.js
var deviceJS string

// A Device is the WebGPU of a page as a backend for exercises. Its compiler is
// Tint, where pkg/gpu's is naga.
type Device struct {
	page    *Page
	adapter string
}

var _ check.Backend = (*Device)(nil)

// OpenDevice opens the WebGPU of a page, which must be one that the browser
// trusts with it: from a file or from 127.0.0.1.
func OpenDevice(page *Page) (*Device, error) {
	if _, err := Evaluate[bool](page, "(async () => {"+deviceJS+"return true; })()"); err != nil {
		return nil, fmt.Errorf("opening the browser's WebGPU: %w", err)
	}
	adapter, err := Evaluate[string](page, "device.adapter")
	if err != nil {
		return nil, err
	}
	return &Device{page, adapter}, nil
}

// Adapter names what runs the shaders.
func (d *Device) Adapter() string { return d.adapter }

// Compile compiles a shader for an exercise. The error has Tint's message.
func (d *Device) Compile(name, source string) (check.Program, error) {
	module, err := wgsl.Parse(source)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	entry, found := module.Entry("main")
	if !found {
		return nil, fmt.Errorf("%s has no entry point `main`", name)
	}
	number, err := call[int](d.page, "compile", source, kinds(module))
	if err != nil {
		return nil, fmt.Errorf("compiling %s: %w", name, err)
	}
	return &program{d.page, name, number, entry.WorkgroupSize}, nil
}

// kinds are those of the bindings, in WebGPU's words.
func kinds(module *wgsl.Module) []string {
	words := map[wgsl.Space]string{wgsl.Uniform: "uniform", wgsl.ReadOnly: "read-only-storage", wgsl.ReadWrite: "storage"}
	all := make([]string, len(module.Bindings))
	for i, b := range module.Bindings { // a right shader leaves none out
		all[i] = words[b.Space]
	}
	return all
}

type program struct {
	page   *Page
	name   string
	number int
	size   [3]uint32
}

func (p *program) WorkgroupSize() [3]uint32 { return p.size }

// Free does nothing: the page takes its programs along when it closes.
func (p *program) Free() {}

func (p *program) Run(workgroups [3]uint32, buffers []lesson.Buffer, output int) (lesson.Buffer, error) {
	contents := make([][]byte, len(buffers))
	for i, b := range buffers {
		contents[i] = contentOf(b)
	}
	text, err := call[string](p.page, "run", p.number, workgroups, contents, output)
	if err != nil {
		return lesson.Buffer{}, fmt.Errorf("running %s: %w", p.name, err)
	}
	bytes, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return lesson.Buffer{}, fmt.Errorf("running %s: what came back: %w", p.name, err)
	}
	return like(buffers[output], bytes)
}

// uniformMultiple is what the size of a uniform buffer is rounded up to.
const uniformMultiple = 16

// contentOf is what a buffer holds, as bytes.
func contentOf(b lesson.Buffer) []byte {
	var values any = b.F32
	switch {
	case b.U32 != nil:
		values = b.U32
	case b.Uniform != nil:
		var bytes []byte
		for _, member := range b.Uniform {
			bytes = encoded(bytes, member)
		}
		return append(bytes, make([]byte, (uniformMultiple-len(bytes)%uniformMultiple)%uniformMultiple)...)
	}
	return encoded(nil, values)
}

func encoded(bytes []byte, values any) []byte {
	bytes, err := binary.Append(bytes, binary.LittleEndian, values)
	if err != nil {
		panic(err) // an exercise holds float32 and uint32 alone
	}
	return bytes
}

// like reads bytes as a buffer of the kind of another.
func like(b lesson.Buffer, raw []byte) (lesson.Buffer, error) {
	if b.U32 != nil {
		values := make([]uint32, len(raw)/4)
		_, err := binary.Decode(raw, binary.LittleEndian, values)
		return lesson.Buffer{U32: values}, err
	}
	values := make([]float32, len(raw)/4)
	_, err := binary.Decode(raw, binary.LittleEndian, values)
	return lesson.Buffer{F32: values}, err
}

// call calls a function of device.js.
func call[T any](p *Page, function string, arguments ...any) (T, error) {
	list, err := json.Marshal(arguments)
	if err != nil {
		var none T
		return none, err
	}
	return Evaluate[T](p, fmt.Sprintf("device.%s(...%s)", function, list))
}
