package gpu

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"syscall/js"
	"time"
	"unicode/utf16"

	"github.com/wgslab/wgslab/internal/ground/fence"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/wgsl"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
)

// browser is the platform of a web page: the browser's WebGPU.
type browser struct {
	chosen    shader.Adapter
	device    js.Value
	hearing   js.Func  // receives the browser's errors
	queue     js.Value // of the device
	staging   js.Value // a buffer that every read uses
	stagingSz uint64

	hasty   bool                         // see WithoutWaiting
	working <-chan fence.Returned[error] // receives the end of the latest submission; nil if none runs

	said error // the first error that the browser reported and no call has returned yet
	gone error // why the device is lost
}

// openWebGPU opens the browser's adapter of a kind, or any adapter if kind is "".
func openWebGPU(kind shader.AdapterKind) (platform, error) {
	adapter, err := requestAdapter(kind == shader.CPU)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", shader.ErrNoAdapter, err)
	}
	limits, names := limitsOf(adapter)
	b := &browser{chosen: describeBrowsers(adapter, limits)}
	if kind != "" && kind != b.chosen.Kind {
		return nil, fmt.Errorf("%w: this browser has no %s", shader.ErrNoAdapter, kind)
	}
	if b.device, err = requestDevice(adapter, names, []string{subgroups, halves}); err != nil {
		return nil, fmt.Errorf("%w: the browser gave no device of %s: %w", shader.ErrNoAdapter, b.chosen.Name, err)
	}
	b.queue = b.device.Get("queue")
	b.hearing = listen(b.device, b.hear, b.lost)
	return b, nil
}

// makers maps the browsers' lower-case names to the spelling that the manufacturers use.
var makers = map[string]string{
	"nvidia": "NVIDIA", "amd": "AMD", "intel": "Intel", "apple": "Apple", "arm": "Arm", "qualcomm": "Qualcomm",
	"google": "Google", "microsoft": "Microsoft", "swiftshader": softwareDriver,
}

// softwareDriver is Chromium's driver for machines without a GPU.
const softwareDriver = "SwiftShader"

// The features that shaders may need.
const subgroups, halves = "subgroups", "shader-f16"

// describeBrowsers returns the browser's description of its adapter. It says little, so that a page
// can't identify its visitor by it.
func describeBrowsers(adapter js.Value, limits shader.Limits) shader.Adapter {
	told := func(what string) string { return spelt(infoOf(adapter, what)) }
	name := cmp.Or(told("description"), strings.TrimSpace(told("vendor")+" "+told("architecture")), "this browser's GPU")
	kind := shader.GPU
	if adapter.Get("info").Get("isFallbackAdapter").Truthy() || told("architecture") == softwareDriver {
		kind = shader.CPU
	}
	described := shader.Adapter{Name: name, Kind: kind, Backend: shader.BrowserBackend, Limits: limits, Halves: hasFeature(adapter, halves)}
	if hasFeature(adapter, subgroups) {
		described.Subgroups = subgroupSizes(adapter)
	}
	return described
}

// limitsOf returns the adapter's maximum of every limit that the lessons use, and the names of
// these limits.
func limitsOf(adapter js.Value) (limits shader.Limits, names []string) {
	limit := func(name string) uint64 {
		names = append(names, name)
		return uint64(adapter.Get("limits").Get(name).Float())
	}
	small := func(name string) uint32 { return uint32(limit(name)) }
	return shader.Limits{
		BufferBytes:             limit("maxBufferSize"),
		StorageBindingBytes:     limit("maxStorageBufferBindingSize"),
		UniformBindingBytes:     limit("maxUniformBufferBindingSize"),
		StorageBuffersPerShader: small("maxStorageBuffersPerShaderStage"),
		WorkgroupStorageBytes:   small("maxComputeWorkgroupStorageSize"),
		InvocationsPerWorkgroup: small("maxComputeInvocationsPerWorkgroup"),
		WorkgroupSize:           [3]uint32{small("maxComputeWorkgroupSizeX"), small("maxComputeWorkgroupSizeY"), small("maxComputeWorkgroupSizeZ")},
		WorkgroupsPerDimension:  small("maxComputeWorkgroupsPerDimension"),
	}, names
}

func spelt(word string) string {
	if name, known := makers[word]; known {
		return name
	}
	return word
}

// hear records the first error that the browser reports on its own.
func (b *browser) hear(message string) {
	if b.said == nil {
		b.said = fmt.Errorf("WebGPU: %s", message)
	}
}

func (b *browser) lost(message string) {
	b.gone = fmt.Errorf("%w: %w (%s)", shader.ErrLost, errAborted, message)
}

func (b *browser) adapter() shader.Adapter { return b.chosen }

func (b *browser) hurry() { b.hasty = true }

// await waits for the device's work until the deadline or the context ends the wait. It also
// returns an error that the browser reported in the meantime.
func (b *browser) await(d *Device, work <-chan fence.Returned[error]) error {
	ended, err := d.outcome(running, work)
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

func (b *browser) wait(d *Device) error { return b.await(d, b.ended()) }

// ended returns a channel that receives nil when all submitted work has ended. It receives an error
// if the device is lost.
func (b *browser) ended() <-chan fence.Returned[error] {
	return settling(b.queue.Call("onSubmittedWorkDone"), new(js.Value))
}

func (b *browser) finish(d *Device) error { return b.wait(d) }

func (b *browser) close() {
	b.device.Call("removeEventListener", "uncapturederror", b.hearing)
	b.hearing.Release()
	b.device.Call("destroy")
}

// A browserBuffer is memory of the browser.
type browserBuffer struct{ value js.Value }

func (b browserBuffer) release() { b.value.Call("destroy") }

// allocate makes a buffer of the browser, all zero.
func (b *browser) allocate(bytes uint64, usage BufferUsage) js.Value {
	return b.device.Call("createBuffer", map[string]any{"size": bytes, "usage": uint32(usage &^ (inHostMemory | answersHost))})
}

func (b *browser) newBuffer(bytes uint64, usage BufferUsage) (memory, error) {
	if b.gone != nil {
		return nil, b.gone
	}
	return browserBuffer{b.allocate(bytes, usage)}, nil
}

func (b *browser) write(to memory, offset uint64, raw []byte) error {
	if b.gone != nil {
		return b.gone
	}
	bytes := uint8Array.New(len(raw))
	js.CopyBytesToJS(bytes, raw)
	b.queue.Call("writeBuffer", to.(browserBuffer).value, offset, bytes)
	return nil
}

func (b *browser) read(d *Device, from memory, into []byte) error {
	size := uint64(len(into))
	staging := b.stagingFor(size)
	b.submitCommands(func(encoder js.Value) {
		encoder.Call("copyBufferToBuffer", from.(browserBuffer).value, 0, staging, 0, size)
	})
	if err := b.await(d, mapped(staging, 0, size)); err != nil {
		b.stagingSz = 0 // it may still be mapped: the next read takes another
		return err
	}
	mappedBytes(staging, into, 0)
	staging.Call("unmap")
	return nil
}

// stagingFor keeps one mappable buffer, as large as the largest read so far.
func (b *browser) stagingFor(bytes uint64) js.Value {
	if b.stagingSz < bytes {
		if b.stagingSz > 0 {
			b.staging.Call("destroy")
		}
		b.staging = b.allocate(bytes, UsageMapRead|UsageCopyDst)
		b.stagingSz = bytes
	}
	return b.staging
}

// A browserProgram is a shader compiled by the browser.
type browserProgram struct{ pipeline js.Value }

func (browserProgram) release() {} // the page's garbage collector does it

func (b *browser) compile(source *shader.Source, laid []wgsl.Binding) (program, error) {
	if b.hasty { // the listener hears what is wrong with it
		module := b.device.Call("createShaderModule", map[string]any{"code": source.Text})
		return browserProgram{b.device.Call("createComputePipeline", pipelineOf(b.device, module, source, laid))}, b.gone
	}
	module, err := compiled(b.device, source.Text)
	made := browserProgram{}
	if err == nil {
		b.device.Call("pushErrorScope", "validation")
		making := b.device.Call("createComputePipelineAsync", pipelineOf(b.device, module, source, laid))
		settling(b.device.Call("popErrorScope"), new(js.Value)) // the pipeline's error says more
		made.pipeline, err = settled(making)
	}
	switch {
	case b.gone != nil:
		return nil, b.gone
	case err != nil:
		return nil, refused(source, err)
	}
	return made, nil
}

// refused returns the error of the browser's compiler about a shader that the front end accepts.
func refused(source *shader.Source, err error) error {
	var m *compilerMessage
	if !errors.As(err, &m) {
		return source.Error(findings.EngineRefuses, 0, 0, 1, err.Error())
	}
	text, _ := source.Line(m.line)
	first := charactersIn(text, m.column-1)
	end := charactersIn(text, m.column-1+m.length)
	return source.Error(findings.EngineRefuses, m.line, first+1, max(1, end-first), m.text)
}

// charactersIn converts a number of UTF-16 code units of a line to characters.
func charactersIn(line string, units int) int {
	encoded := utf16.Encode([]rune(line))
	return len(utf16.Decode(encoded[:max(0, min(units, len(encoded)))]))
}

// A browserGroup is a bind group; its address identifies it.
type browserGroup struct{ value js.Value }

func (*browserGroup) release() {}

func (b *browser) bind(to program, number uint32, ranges []Range) (bindGroup, error) {
	entries := make([]any, len(ranges))
	for i, r := range ranges {
		resource := map[string]any{"buffer": r.Buffer.memory.(browserBuffer).value, "offset": r.Offset, "size": r.Bytes}
		entries[i] = map[string]any{"binding": r.Binding, "resource": resource}
	}
	layout := to.(browserProgram).pipeline.Call("getBindGroupLayout", number)
	return &browserGroup{b.device.Call("createBindGroup", map[string]any{"layout": layout, "entries": entries})}, nil
}

func (b *browser) submit(d *Device, commands []QueueCommand) error {
	if b.gone != nil {
		return d.lose(b.gone)
	}
	b.submitCommands(func(encoder js.Value) {
		for _, c := range commands {
			encodeForBrowser(encoder, c)
		}
	})
	return nil
}

// encodeForBrowser records a command. It leaves out timestamps: see time.
func encodeForBrowser(encoder js.Value, c QueueCommand) {
	handle := func(b *Buffer) js.Value { return b.memory.(browserBuffer).value }
	switch c := c.(type) {
	case BufferCopy:
		encoder.Call("copyBufferToBuffer", handle(c.From), c.FromOffset, handle(c.To), c.ToOffset, c.Bytes)
	case BufferClear:
		encoder.Call("clearBuffer", handle(c.Buffer), c.Offset, c.Bytes)
	case ComputePass:
		pass := encoder.Call("beginComputePass")
		for _, p := range c.Dispatches {
			pass.Call("setPipeline", p.pipeline.made.program.(browserProgram).pipeline)
			for number, g := range p.groups {
				pass.Call("setBindGroup", number, g.bound.(*browserGroup).value)
			}
			if p.counts != nil {
				pass.Call("dispatchWorkgroupsIndirect", handle(p.counts), p.offset)
			} else {
				pass.Call("dispatchWorkgroups", p.workgroups[0], p.workgroups[1], p.workgroups[2])
			}
		}
		pass.Call("end")
	}
}

// poll doesn't let the browser work: the caller rests between two polls.
func (b *browser) poll(d *Device) (bool, error) {
	if b.working == nil {
		b.working = b.ended()
	}
	select {
	case o := <-b.working:
		b.working = nil
		switch {
		case b.gone != nil:
			return false, d.lose(b.gone)
		case o.Value() != nil:
			return false, d.lose(fmt.Errorf("%w: %w", errAborted, o.Value()))
		}
		return true, b.complaint()
	default:
		return false, nil
	}
}

// A browserReading is a mapped buffer of the browser.
type browserReading struct {
	buffer        js.Value
	mapping       <-chan fence.Returned[error]
	offset, bytes uint64
	finished      bool
	copied        []byte // what is mapped, once it was asked for
}

func (b *browser) startRead(from memory, offset, bytes uint64) (reading, error) {
	buffer := from.(browserBuffer).value
	return &browserReading{buffer: buffer, mapping: mapped(buffer, offset, bytes), offset: offset, bytes: bytes}, nil
}

func (r *browserReading) done(d *Device) (bool, error) {
	if r.finished {
		return true, nil
	}
	select {
	case o := <-r.mapping:
		r.finished = true
		if err := o.Value(); err != nil {
			return false, d.lose(err)
		}
		return true, nil
	default:
		return false, nil
	}
}

func (r *browserReading) copy(into []byte, from uint64) {
	if r.copied == nil {
		r.copied = make([]byte, r.bytes)
		mappedBytes(r.buffer, r.copied, r.offset)
	}
	copy(into, r.copied[from:])
}

func (r *browserReading) end(*Device) error {
	r.buffer.Call("unmap")
	return nil
}

// newQueries is never called: see time.
func (b *browser) newQueries(uint32) (queries, error) { return nil, errNoTimestamps }

var errNoTimestamps = errors.New("a browser's timestamps are not used")

// submitCommands records one command buffer and hands it to the queue. The browser reports errors
// later.
func (b *browser) submitCommands(record func(encoder js.Value)) {
	encoder := b.device.Call("createCommandEncoder")
	record(encoder)
	b.queue.Call("submit", []any{encoder.Call("finish")})
}

// time is never called, because the adapter has no timestamps. Browsers round theirs to a tenth of
// a millisecond, which is longer than most of the passes timed here.
func (b *browser) time(*Device, []Pass) ([]time.Duration, error) {
	return nil, errNoTimestamps
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
	if err := t.platform.write(t.in, 0, t.from); err != nil {
		return err
	}
	if err := t.platform.submit(d, onePass(passes)); err != nil {
		return err
	}
	return t.platform.read(d, t.out, answer)
}
