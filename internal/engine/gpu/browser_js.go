package gpu

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"syscall/js"
	"time"
	"unicode/utf16"

	"github.com/wgslab/wgslab/internal/fence"
	"github.com/wgslab/wgslab/internal/shader"
	"github.com/wgslab/wgslab/internal/wgsl"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
)

// browser is the platform of a web page: WebGPU in JavaScript. It waits only for promises, so the
// page's other work continues.
type browser struct {
	chosen    shader.Adapter
	device    js.Value
	queue     js.Value
	staging   js.Value // reused by every read
	stagingSz uint64

	said error   // the first error that the browser reported and no call has returned yet
	gone error   // why the device is lost
	hear js.Func // receives the browser's errors
}

// openingDeadline is the time limit for the browser to provide a device.
const openingDeadline = 15 * time.Second

// openWebGPU opens the browser's adapter of a kind, or any adapter if kind is "".
func openWebGPU(kind shader.AdapterKind) (platform, error) {
	navigator := js.Global().Get("navigator")
	if navigator.IsUndefined() || navigator.Get("gpu").IsUndefined() {
		return nil, fmt.Errorf("%w: this browser has no WebGPU, or not for pages from this address", shader.ErrNoAdapter)
	}
	adapter, err := within(openingDeadline, navigator.Get("gpu").Call("requestAdapter", map[string]any{
		"powerPreference": "high-performance", "forceFallbackAdapter": kind == shader.CPU,
	}))
	if err != nil || adapter.IsNull() {
		return nil, fmt.Errorf("%w: this browser's WebGPU finds no adapter", shader.ErrNoAdapter)
	}
	b := &browser{chosen: describeBrowsers(adapter)}
	if kind != "" && kind != b.chosen.Kind {
		return nil, fmt.Errorf("%w: this browser has no %s", shader.ErrNoAdapter, kind)
	}
	if b.device, err = within(openingDeadline, adapter.Call("requestDevice", map[string]any{"requiredLimits": b.wantedLimits()})); err != nil {
		return nil, fmt.Errorf("%w: the browser gave no device of %s: %w", shader.ErrNoAdapter, b.chosen.Name, err)
	}
	b.queue = b.device.Get("queue")
	b.listen()
	return b, nil
}

// makers maps the browsers' lower-case names to the spelling that the manufacturers use.
var makers = map[string]string{
	"nvidia": "NVIDIA", "amd": "AMD", "intel": "Intel", "apple": "Apple", "arm": "Arm", "qualcomm": "Qualcomm",
	"google": "Google", "microsoft": "Microsoft", "swiftshader": softwareDriver,
}

// softwareDriver is Chromium's driver for machines without a GPU.
const softwareDriver = "SwiftShader"

// describeBrowsers returns the browser's description of its adapter. It says little, so that a page
// can't identify its visitor by it.
func describeBrowsers(adapter js.Value) shader.Adapter {
	info := adapter.Get("info")
	told := func(what string) string {
		if word := info.Get(what); word.Type() == js.TypeString {
			return spelt(word.String())
		}
		return ""
	}
	name := cmp.Or(told("description"), strings.TrimSpace(told("vendor")+" "+told("architecture")), "this browser's GPU")
	kind := shader.GPU
	if info.Get("isFallbackAdapter").Truthy() || told("architecture") == softwareDriver {
		kind = shader.CPU
	}
	limits := adapter.Get("limits")
	number := func(name string) uint64 { return uint64(limits.Get(name).Float()) }
	return shader.Adapter{
		Name: name, Kind: kind, Backend: shader.BrowserBackend,
		Limits: shader.Limits{
			BufferBytes:             number("maxBufferSize"),
			StorageBindingBytes:     number("maxStorageBufferBindingSize"),
			UniformBindingBytes:     number("maxUniformBufferBindingSize"),
			StorageBuffersPerShader: uint32(number("maxStorageBuffersPerShaderStage")),
			WorkgroupStorageBytes:   uint32(number("maxComputeWorkgroupStorageSize")),
			InvocationsPerWorkgroup: uint32(number("maxComputeInvocationsPerWorkgroup")),
			WorkgroupSize: [3]uint32{
				uint32(number("maxComputeWorkgroupSizeX")), uint32(number("maxComputeWorkgroupSizeY")), uint32(number("maxComputeWorkgroupSizeZ")),
			},
			WorkgroupsPerDimension: uint32(number("maxComputeWorkgroupsPerDimension")),
		},
	}
}

func spelt(word string) string {
	if name, known := makers[word]; known {
		return name
	}
	return word
}

// wantedLimits asks for the adapter's maximum of every limit that the lessons use.
func (b *browser) wantedLimits() map[string]any {
	l := b.chosen.Limits
	return map[string]any{
		"maxBufferSize": l.BufferBytes, "maxStorageBufferBindingSize": l.StorageBindingBytes,
		"maxUniformBufferBindingSize": l.UniformBindingBytes, "maxStorageBuffersPerShaderStage": l.StorageBuffersPerShader,
		"maxComputeWorkgroupStorageSize": l.WorkgroupStorageBytes, "maxComputeInvocationsPerWorkgroup": l.InvocationsPerWorkgroup,
		"maxComputeWorkgroupSizeX": l.WorkgroupSize[0], "maxComputeWorkgroupSizeY": l.WorkgroupSize[1], "maxComputeWorkgroupSizeZ": l.WorkgroupSize[2],
		"maxComputeWorkgroupsPerDimension": l.WorkgroupsPerDimension,
	}
}

// listen records the errors that the browser reports on its own: invalid calls and the loss of the
// device.
func (b *browser) listen() {
	b.hear = js.FuncOf(func(_ js.Value, arguments []js.Value) any {
		if b.said == nil {
			b.said = fmt.Errorf("WebGPU: %s", arguments[0].Get("error").Get("message"))
		}
		arguments[0].Call("preventDefault") // else the page's console also shows it
		return nil
	})
	b.device.Call("addEventListener", "uncapturederror", b.hear)
	go func() {
		if lost, err := settled(b.device.Get("lost")); err == nil && lost.Get("reason").String() != "destroyed" {
			b.gone = fmt.Errorf("%w: %w (%s)", shader.ErrLost, errAborted, lost.Get("message"))
		}
	}()
}

func (b *browser) adapter() shader.Adapter { return b.chosen }

// settled waits for a promise.
func settled(promise js.Value) (js.Value, error) {
	var value js.Value
	o := <-settling(promise, &value)
	return value, o.Value()
}

// within waits for a promise with a deadline.
func within(deadline time.Duration, promise js.Value) (js.Value, error) {
	var value js.Value
	select {
	case o := <-settling(promise, &value):
		return value, o.Value()
	case <-time.After(deadline):
		return js.Null(), fmt.Errorf("no answer within %v", deadline)
	}
}

// settling returns a channel that receives the rejection error, or nil, when a promise is settled.
// If it was fulfilled, value then holds the result.
func settling(promise js.Value, value *js.Value) <-chan fence.Returned[error] {
	done := make(chan fence.Returned[error], 1)
	var kept, broken js.Func
	end := func(err error) {
		kept.Release()
		broken.Release()
		done <- fence.Of(err)
	}
	kept = js.FuncOf(func(_ js.Value, arguments []js.Value) any {
		*value = arguments[0]
		end(nil)
		return nil
	})
	broken = js.FuncOf(func(_ js.Value, arguments []js.Value) any {
		end(errors.New(arguments[0].Get("message").String()))
		return nil
	})
	promise.Call("then", kept, broken)
	return done
}

// await waits for a promise about the device's work until the deadline or the context ends the
// wait. It also returns an error that the browser reported in the meantime.
func (b *browser) await(d *Device, promise js.Value) error {
	var value js.Value
	ended, err := d.outcome(running, settling(promise, &value))
	switch {
	case !ended:
		return err
	case b.gone != nil:
		return d.lose(b.gone)
	case err != nil: // WebGPU breaks these promises where the device is lost
		return d.lose(fmt.Errorf("%w: %w", errAborted, err))
	}
	return b.complaint()
}

// complaint returns the error that the browser has reported, once.
func (b *browser) complaint() error {
	err := b.said
	b.said = nil
	return err
}

func (b *browser) wait(d *Device) error { return b.await(d, b.queue.Call("onSubmittedWorkDone")) }

func (b *browser) finish(d *Device) error { return b.wait(d) }

func (b *browser) close() {
	b.device.Call("removeEventListener", "uncapturederror", b.hear)
	b.hear.Release()
	b.device.Call("destroy")
}

// WebGPU's flags.
const (
	mapRead     = 0x1
	copySrc     = 0x4
	copyDst     = 0x8
	uniformUse  = 0x40
	storageUse  = 0x80
	computeOnly = 0x4
)

var browserUsages = map[use]int{storage: storageUse, uniform: uniformUse, shared: storageUse}

// A browserBuffer is memory of the browser.
type browserBuffer struct{ js.Value }

func (b browserBuffer) release() { b.Call("destroy") }

func (b *browser) newBuffer(bytes uint64, use use) (memory, error) {
	if b.gone != nil {
		return nil, b.gone
	}
	return browserBuffer{b.createBuffer(bytes, browserUsages[use]|copyDst|copySrc)}, nil
}

func (b *browser) createBuffer(bytes uint64, usage int) js.Value {
	return b.device.Call("createBuffer", map[string]any{"size": bytes, "usage": usage})
}

var uint8Array = js.Global().Get("Uint8Array")

func (b *browser) write(to memory, raw []byte) error {
	if b.gone != nil {
		return b.gone
	}
	bytes := uint8Array.New(len(raw))
	js.CopyBytesToJS(bytes, raw)
	b.queue.Call("writeBuffer", to.(browserBuffer).Value, 0, bytes)
	return nil
}

func (b *browser) read(d *Device, from memory, into []byte) error {
	size := uint64(len(into))
	staging := b.stagingFor(size)
	b.submitCommands(func(encoder js.Value) {
		encoder.Call("copyBufferToBuffer", from.(browserBuffer).Value, 0, staging, 0, size)
	})
	if err := b.await(d, staging.Call("mapAsync", mapRead, 0, size)); err != nil {
		b.staging, b.stagingSz = js.Undefined(), 0 // it may still be mapped: the next read takes another
		return err
	}
	js.CopyBytesToGo(into, uint8Array.New(staging.Call("getMappedRange", 0, size)))
	staging.Call("unmap")
	return nil
}

// stagingFor keeps one mappable buffer, as large as the largest read so far.
func (b *browser) stagingFor(bytes uint64) js.Value {
	if b.stagingSz < bytes {
		if b.stagingSz > 0 {
			b.staging.Call("destroy")
		}
		b.staging, b.stagingSz = b.createBuffer(bytes, mapRead|copyDst), bytes
	}
	return b.staging
}

// A browserProgram is a shader compiled by the browser.
type browserProgram struct{ layout, pipeline js.Value }

func (browserProgram) release() {} // the page's garbage collector does it

func (b *browser) compile(source *shader.Source) (program, error) {
	declared, err := source.Module()
	if err != nil {
		return nil, err
	}
	b.device.Call("pushErrorScope", "validation")
	module := b.device.Call("createShaderModule", map[string]any{"code": source.Text})
	told := module.Call("getCompilationInfo")
	layout := b.device.Call("createBindGroupLayout", map[string]any{"entries": browserEntries(declared)})
	pipeline := b.device.Call("createComputePipelineAsync", map[string]any{
		"layout":  b.device.Call("createPipelineLayout", map[string]any{"bindGroupLayouts": []any{layout}}),
		"compute": map[string]any{"module": module, "entryPoint": source.EntryPoint()},
	})
	scope := b.device.Call("popErrorScope") // its error says no more than those two

	info, toldErr := settled(told)
	made, pipelineErr := settled(pipeline)
	_, _ = settled(scope)
	switch {
	case b.gone != nil:
		return nil, b.gone
	case toldErr == nil && firstMistake(source, info) != nil:
		return nil, firstMistake(source, info)
	case pipelineErr != nil:
		return nil, source.Error(findings.EngineRefuses, 0, 0, 1, pipelineErr.Error())
	}
	return browserProgram{layout, made}, nil
}

// browserEntries builds the bind group layout from the shader's declarations, not from its uses: a
// binding that the learner does not use yet is not a mistake.
func browserEntries(module *wgsl.Module) []any {
	entries := make([]any, len(module.Bindings))
	for i, b := range module.Bindings {
		entries[i] = map[string]any{
			"binding": b.Number, "visibility": computeOnly,
			"buffer": map[string]any{"type": shader.BindingKinds[b.Space]},
		}
	}
	return entries
}

// firstMistake returns the first error of the browser's compiler in a shader that the front end
// accepts, or nil.
func firstMistake(source *shader.Source, info js.Value) error {
	messages := info.Get("messages")
	for i := range messages.Length() {
		m := messages.Index(i)
		if m.Get("type").String() != "error" {
			continue
		}
		line := m.Get("lineNum").Int()
		text, _ := source.Line(line)
		first := charactersIn(text, m.Get("linePos").Int()-1)
		end := charactersIn(text, m.Get("linePos").Int()-1+m.Get("length").Int())
		return source.Error(findings.EngineRefuses, line, first+1, max(1, end-first), m.Get("message").String())
	}
	return nil
}

// charactersIn converts a number of UTF-16 code units of a line to characters.
func charactersIn(line string, units int) int {
	encoded := utf16.Encode([]rune(line))
	return len(utf16.Decode(encoded[:max(0, min(units, len(encoded)))]))
}

// A browserGroup is a bind group; its address identifies it.
type browserGroup struct{ js.Value }

func (*browserGroup) release() {}

func (b *browser) bind(to program, buffers []*Buffer) (bindGroup, error) {
	entries := make([]any, len(buffers))
	for i, buffer := range buffers {
		entries[i] = map[string]any{"binding": i, "resource": map[string]any{"buffer": buffer.memory.(browserBuffer).Value}}
	}
	return &browserGroup{b.device.Call("createBindGroup", map[string]any{"layout": to.(browserProgram).layout, "entries": entries})}, nil
}

func (b *browser) submit(d *Device, passes []Pass) error {
	if b.gone != nil {
		return d.lose(b.gone)
	}
	b.submitCommands(func(encoder js.Value) {
		pass := encoder.Call("beginComputePass")
		for _, p := range passes {
			pass.Call("setPipeline", p.pipeline.made.program.(browserProgram).pipeline)
			pass.Call("setBindGroup", 0, p.group.(*browserGroup).Value)
			pass.Call("dispatchWorkgroups", p.workgroups[0], p.workgroups[1], p.workgroups[2])
		}
		pass.Call("end")
	})
	return nil
}

// submitCommands records one command buffer and hands it to the queue.
func (b *browser) submitCommands(record func(encoder js.Value)) {
	encoder := b.device.Call("createCommandEncoder")
	record(encoder)
	b.queue.Call("submit", []any{encoder.Call("finish")})
}

// time is never called, because the adapter has no timestamps. Browsers round theirs to a tenth of
// a millisecond, which is longer than most of the passes timed here.
func (b *browser) time(*Device, []Pass) ([]time.Duration, error) {
	return nil, errors.New("a browser's timestamps are not used")
}

// A browserTrip copies to the browser and back, because a page and a program do not share memory.
type browserTrip struct {
	platform *browser
	in, out  memory
	from     []byte
}

func (b *browser) newTrip(_ *Device, in, out *Buffer) (trip, error) {
	return &browserTrip{b, in.memory, out.memory, make([]byte, in.bytes)}, nil
}

func (*browserTrip) release() {}

func (t *browserTrip) upload() []byte { return t.from }

func (t *browserTrip) run(d *Device, passes []Pass, answer []byte) error {
	if err := t.platform.write(t.in, t.from); err != nil {
		return err
	}
	if err := t.platform.submit(d, passes); err != nil {
		return err
	}
	return t.platform.read(d, t.out, answer)
}
