package browser

import (
	"context"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"

	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
)

//go:embed device.js
var deviceJS string

// A Device is the WebGPU of a page as an engine. Its compiler is Tint; the compiler of
// internal/machine/engine/gpu is naga.
type Device struct {
	page    *Page
	adapter shader.Adapter
}

var _ shader.Backend = (*Device)(nil)

// OpenDevice opens the WebGPU of a page. Browsers offer WebGPU only to pages from a file or from
// 127.0.0.1.
func OpenDevice(page *Page) (*Device, error) {
	if _, err := Evaluate[bool](page, "(async () => {"+deviceJS+"return true; })()"); err != nil {
		return nil, fmt.Errorf("opening the browser's WebGPU: %w", err)
	}
	name, err := Evaluate[string](page, "device.adapter")
	if err != nil {
		return nil, err
	}
	limits, err := Evaluate[shader.Limits](page, "device.limits")
	if err != nil {
		return nil, err
	}
	return &Device{page, shader.Adapter{Name: name, Kind: shader.CPU, Backend: shader.BrowserBackend, Limits: limits}}, nil
}

// Adapter describes what runs the shaders: SwiftShader, with the options that the tests use.
func (d *Device) Adapter() shader.Adapter { return d.adapter }

// Compile compiles a shader. The call cannot be interrupted before Tint answers.
func (d *Device) Compile(_ context.Context, source *shader.Source) (shader.Program, error) {
	if mistake := source.Mistake(); mistake != nil {
		return nil, mistake
	}
	said, err := d.Mistakes(source.Text)
	if err != nil {
		return nil, fmt.Errorf("compiling %s: %w", source.Name, err)
	}
	if len(said) > 0 {
		return nil, said[0].mistake(source)
	}
	if _, err := source.Entry(d.adapter); err != nil {
		return nil, err
	}
	if err := source.CheckLayout(); err != nil {
		return nil, err
	}
	number, err := call[int](d.page, "compile", source.Text, source.EntryPoint(), kinds(source))
	if err != nil {
		return nil, fmt.Errorf("compiling %s: %w", source.Name, err)
	}
	return &program{d, source, number}, nil
}

// Mistakes returns the errors in a shader that only Tint reports.
func (d *Device) Mistakes(source string) ([]TintMessage, error) {
	return call[[]TintMessage](d.page, "mistakes", source)
}

// A TintMessage is one of Tint's errors.
type TintMessage struct {
	Message      string
	Line, Column int // from 1; 0 if there is no place
	Length       int
}

// mistake converts an error of Tint, for a shader that the front end accepts.
func (m TintMessage) mistake(source *shader.Source) *shader.CompileError {
	return source.Error(findings.EngineRefuses, m.Line, m.Column, max(1, m.Length), m.Message)
}

// kinds returns the types of the bindings, in WebGPU's words.
func kinds(source *shader.Source) []string {
	module, _ := source.Module() // Entry has parsed it
	all := make([]string, len(module.Bindings))
	for i, b := range module.Bindings { // CheckDispatch reports the missing ones
		all[i] = shader.BindingKinds[b.Space]
	}
	return all
}

type program struct {
	device *Device
	source *shader.Source
	number int
}

// Free does nothing: the page frees its programs when it closes.
func (p *program) Free() {}

// Run runs the program. The call cannot be interrupted before the page answers.
func (p *program) Run(_ context.Context, d shader.Dispatch) (shader.Result, error) {
	contents := make([][]byte, len(d.Buffers))
	bound := make([]shader.Bound, len(d.Buffers))
	for i, b := range d.Buffers {
		contents[i] = b.Bytes
		bound[i] = shader.Bound{Element: b.Element, Bytes: uint64(len(b.Bytes)), ID: i}
	}
	if err := p.source.CheckDispatch(p.device.Adapter(), d.Workgroups, bound); err != nil {
		return shader.Result{}, err
	}
	text, err := call[string](p.device.page, "run", p.number, d.Workgroups, contents, d.Output)
	if err != nil {
		return shader.Result{}, fmt.Errorf("running %s: %w", p.source.Name, err)
	}
	bytes, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return shader.Result{}, fmt.Errorf("running %s: what came back: %w", p.source.Name, err)
	}
	return shader.Result{Left: shader.Left{Output: shader.Buffer{Element: d.Buffers[d.Output].Element, Bytes: bytes}}}, nil
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
