package webgpu

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/machine/sim"
	"github.com/wgslab/wgslab/internal/wgsl"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// A ShaderModule is a shader's text that the front end has read.
type ShaderModule struct {
	HostObject
	Source *shader.Source
}

// String returns the module's name in a sentence.
func (s *ShaderModule) String() string {
	if s.Label != "" {
		return `the shader "` + s.Label + `"`
	}
	return "the shader"
}

// CreateShaderModule reads a shader (§ Shader Module Creation).
func (d *Device) CreateShaderModule(at HostSite, label, code string) (*ShaderModule, error) {
	s := &ShaderModule{}
	call := d.begin("createShaderModule", at, &d.HostObject, &s.HostObject, uint64(len(code)))
	defer d.record.mu.Unlock()
	d.object(&s.HostObject, "shader module", label, at)
	name := label
	if name == "" {
		name = "shader"
	}
	if code == "" && d.dialect.Native {
		return s, d.fail(call, &s.HostObject, d.mistake("shader-empty", at, nil, nil)) // wgpu-native 22 ends the process
	}
	s.Source = d.read(name, code)
	if mistake := s.Source.Mistake(); mistake != nil && mistake.Kind != findings.NoEntryPoint {
		return s, d.fail(call, &s.HostObject, d.mistake("shader-mistake", at, nil, facts{"shader": s, "message": mistake.Error()}))
	}
	if m := d.checkEnabled(at, s); m != nil {
		return s, d.fail(call, &s.HostObject, m)
	}
	return s, d.alive(at)
}

// checkEnabled compares the extensions of a shader with the device's features (WGSL, § 4.1.1).
func (d *Device) checkEnabled(at HostSite, s *ShaderModule) *Mistake {
	info := s.Source.Shader().Info
	if info == nil {
		return nil
	}
	for _, extension := range types.Extensions() {
		feature := enabledBy(extension)
		if !info.Enabled.Has(types.FeatureNamed(extension)) || slices.ContainsFunc(d.features, func(f FeatureName) bool { return f.String() == feature }) {
			continue
		}
		advice := "Require it where you request the device."
		if !slices.ContainsFunc(d.adapter.Features(), func(f FeatureName) bool { return f.String() == feature }) {
			advice = "The adapter doesn't offer it either, so write the shader without."
		}
		return d.mistake("shader-feature", at, nil, facts{"shader": s, "extension": extension, "feature": feature, "advice": advice})
	}
	return nil
}

// read analyses a shader. A program that makes everything anew in each round has the same shaders
// again.
func (d *Device) read(name, code string) *shader.Source {
	key := [2]string{name, code}
	if d.sources[key] == nil {
		if d.sources == nil || len(d.sources) >= mostSources {
			d.sources = map[[2]string]*shader.Source{}
		}
		d.sources[key] = shader.Read(name, code)
	}
	return d.sources[key]
}

// mostSources is the number of shaders that a device keeps analysed.
const mostSources = 64

// Release releases the module.
func (s *ShaderModule) Release(at HostSite) { s.device.release(at, &s.HostObject) }

// A PipelineDescriptor describes a compute pipeline.
type PipelineDescriptor struct {
	Label      string
	Layout     *PipelineLayout // nil for an automatic layout
	Module     *ShaderModule
	EntryPoint string             // "" for the only one
	Constants  map[string]float64 // the values of overrides: by the number in @id, or else by the name
	Async      bool               // createComputePipelineAsync, whose errors reach no error scope
}

// A ComputePipeline is a shader that is ready to run.
type ComputePipeline struct {
	HostObject
	Module        *ShaderModule
	EntryPoint    string
	WorkgroupSize [3]uint32

	layout *PipelineLayout
	source *shader.Source // at the entry point, with the constants
	used   []wgsl.Binding
	bytes  uint64 // of workgroup memory
	made   *gpu.Pipeline
	users  int
}

// CreateComputePipeline makes a pipeline (§ Compute Pipeline Creation).
func (d *Device) CreateComputePipeline(at HostSite, desc PipelineDescriptor) (*ComputePipeline, error) {
	p := &ComputePipeline{Module: desc.Module, EntryPoint: desc.EntryPoint, layout: desc.Layout, users: 1}
	call := d.begin("createComputePipeline", at, &d.HostObject, &p.HostObject, 0)
	defer d.record.mu.Unlock()
	d.object(&p.HostObject, "compute pipeline", desc.Label, at)
	if m := p.validate(d, desc.Constants); m != nil {
		if desc.Async {
			d.record.wrong(call, m)
			return nil, m
		}
		return p, d.fail(call, &p.HostObject, m)
	}
	if err := d.alive(at); err != nil {
		return p, err
	}
	var err error
	if p.made, err = gpu.CompileUsed(d.engine, p.source); err != nil {
		p.Wrong = d.mistake("pipeline-creation", at, nil, facts{"shader": p.Module, "message": err.Error()})
		return p, d.fault(at, ErrorFilterInternal, err)
	}
	d.releases = append(d.releases, p.free)
	keep(d.record, &d.record.Pipelines, p)
	return p, nil
}

// Program compiles the pipeline's shader for the simulator.
func (p *ComputePipeline) Program() (*sim.Program, error) {
	program, err := sim.CompileEntry(p.source, nil, false)
	if err != nil {
		return nil, fmt.Errorf("compiling %s for the simulator: %w", p.Module, err)
	}
	return program, nil
}

func (p *ComputePipeline) validate(d *Device, constants map[string]float64) *Mistake {
	at := p.Made
	if p.Module == nil {
		return d.missing(at, "createComputePipeline", "shader module")
	}
	for _, o := range []*HostObject{&p.Module.HostObject, p.layoutObject()} {
		if o == nil {
			continue
		}
		if m := d.usable(at, o); m != nil {
			return m
		}
	}
	for _, check := range []func() *Mistake{
		func() *Mistake { return p.choose(d) },
		func() *Mistake { return p.override(d, constants) },
		func() *Mistake { return p.checkWorkgroup(d) },
	} {
		if m := check(); m != nil {
			return m
		}
	}
	if p.layout == nil {
		var m *Mistake
		p.layout, m = p.automatic(d)
		return m
	}
	for _, b := range p.used {
		if m := p.checkBinding(d, b); m != nil {
			return m
		}
	}
	return nil
}

func (p *ComputePipeline) layoutObject() *HostObject {
	if p.layout == nil {
		return nil
	}
	return &p.layout.HostObject
}

// choose finds the entry point (§ GPUProgrammableStage).
func (p *ComputePipeline) choose(d *Device) *Mistake {
	at, source := p.Made, p.Module.Source
	var names []string
	for _, e := range source.Shader().Info.EntryPoints {
		if e.Stage == types.ComputeStage {
			names = append(names, e.Object.Name)
		}
	}
	f := facts{"shader": p.Module, "entry": p.EntryPoint, "given": uint64(len(names)), "entries": strings.Join(names, ", ")}
	if len(names) == 0 {
		f["entries"] = "it has none"
	}
	if p.EntryPoint == "" && d.dialect.Native {
		return d.mistake("pipeline-entry-none", at, nil, f) // wgpu-native 22 ends the process
	}
	if p.EntryPoint == "" && len(names) == 1 {
		p.EntryPoint = names[0]
	}
	if p.EntryPoint == "" {
		return d.mistake("pipeline-entry-choice", at, nil, f)
	}
	if !slices.Contains(names, p.EntryPoint) {
		return d.mistake("pipeline-entry-point", at, nil, f)
	}
	return nil
}

// override gives the overrides their values (§ GPUProgrammableStage).
func (p *ComputePipeline) override(d *Device, constants map[string]float64) *Mistake {
	at := p.Made
	known := p.Module.Source.Shader().Info.Overrides
	for _, key := range slices.Sorted(maps.Keys(constants)) {
		if !slices.ContainsFunc(known, func(o *types.Object) bool { return o.OverrideKey() == key }) {
			return d.mistake("pipeline-constant-unknown", at, nil, facts{"shader": p.Module, "constant": key, "keys": keysOf(known)})
		}
	}
	p.source = p.Module.Source.At(p.EntryPoint).With(constants)
	made, err := p.source.Pipeline()
	var wrong *shader.CompileError
	if errors.As(err, &wrong) {
		return p.wrongConstant(d, wrong)
	}
	p.WorkgroupSize, p.bytes = made.WorkgroupSize, made.WorkgroupBytes()
	if p.used, err = p.source.Used(); err != nil {
		return d.mistake("pipeline-creation", at, &p.Module.HostObject, facts{"shader": p.Module, "message": err.Error()})
	}
	for _, b := range p.used {
		if b.Space == wgsl.Handle {
			return d.mistake("pipeline-creation", at, &p.Module.HostObject, facts{"shader": p.Module, "message": fmt.Sprintf("`%s` is a texture or sampler, and these programs bind only buffers", b.Name)})
		}
	}
	return nil
}

// wrongConstant explains why values of overrides give no pipeline.
func (p *ComputePipeline) wrongConstant(d *Device, wrong *shader.CompileError) *Mistake {
	rule, about := "pipeline-constant", &p.Module.HostObject
	f := facts{"shader": p.Module, "message": wrong.Message, "hint": wrong.Hint}
	switch wrong.Kind {
	case "missing-constant":
		f["hint"] = "Set it in `constants`, or write a value after it in the shader."
		if d.dialect.Native {
			f["hint"] = "Write a value after it in the shader: Go's binding can't set it."
		}
	case "constant-value":
		about = nil
	default:
		rule, f["message"] = "pipeline-creation", wrong.Error()
	}
	return d.mistake(rule, p.Made, about, f)
}

// keysOf lists the keys of a shader's overrides in a sentence.
func keysOf(overrides []*types.Object) string {
	var keys []string
	for _, o := range overrides {
		key := "`" + o.OverrideKey() + "`"
		if o.ID != nil {
			key += " for `" + o.Name + "`"
		}
		keys = append(keys, key)
	}
	if len(keys) == 0 {
		return "It has none: leave `constants` out."
	}
	return "It has " + english.List(keys) + "."
}

func (p *ComputePipeline) checkWorkgroup(d *Device) *Mistake {
	f := func(given, needed uint64) facts { return facts{"shader": p.Module, "given": given, "needed": needed} }
	size, bytes := p.WorkgroupSize, p.bytes
	invocations := uint64(size[0]) * uint64(size[1]) * uint64(size[2])
	switch {
	case bytes > uint64(d.limits.MaxComputeWorkgroupStorageSize):
		return d.mistake("pipeline-workgroup-memory", p.Made, &p.Module.HostObject, f(bytes, uint64(d.limits.MaxComputeWorkgroupStorageSize)))
	case invocations > uint64(d.limits.MaxComputeInvocationsPerWorkgroup):
		return d.mistake("pipeline-invocations", p.Made, &p.Module.HostObject, f(invocations, uint64(d.limits.MaxComputeInvocationsPerWorkgroup)))
	}
	for i, most := range []uint32{d.limits.MaxComputeWorkgroupSizeX, d.limits.MaxComputeWorkgroupSizeY, d.limits.MaxComputeWorkgroupSizeZ} {
		if size[i] > most {
			facts := f(uint64(size[i]), uint64(most))
			facts["axis"] = "xyz"[i : i+1]
			return d.mistake("pipeline-workgroup-size", p.Made, &p.Module.HostObject, facts)
		}
	}
	return nil
}

// checkBinding compares a variable of the shader with an explicit layout.
func (p *ComputePipeline) checkBinding(d *Device, b wgsl.Binding) *Mistake {
	f := facts{"variable": "`" + b.Name + "`", "group": b.Group, "binding": b.Number, "space": string(b.Space), "expected": bindingTypes[b.Space].String()}
	layout := p.layout.group(b.Group)
	if layout == nil {
		return d.mistake("pipeline-binding-missing", p.Made, &p.layout.HostObject, f)
	}
	e, ok := layout.entry(b.Number)
	f["type"], f["given"], f["needed"] = e.Buffer.Type.String(), e.Buffer.MinBindingSize, b.Type.Size
	switch {
	case !ok:
		return d.mistake("pipeline-binding-missing", p.Made, &layout.HostObject, f)
	case e.Visibility&ShaderStageCompute == 0:
		f["visible"] = e.Visibility
		return d.mistake("pipeline-binding-visibility", p.Made, &layout.HostObject, f)
	case e.Buffer.Type != bindingTypes[b.Space]:
		return d.mistake("pipeline-binding-type", p.Made, &layout.HostObject, f)
	case e.Buffer.MinBindingSize != 0 && e.Buffer.MinBindingSize < b.Type.Size:
		return d.mistake("pipeline-binding-size", p.Made, &layout.HostObject, f)
	}
	return nil
}

// variable returns the shader's variable of a binding, in words after a comma, or "".
func (p *ComputePipeline) variable(group, binding uint32) string {
	for _, b := range p.used {
		if b.Group == group && b.Number == binding {
			return fmt.Sprintf(" for `%s`, %s", b.Name, b.Type.Text)
		}
	}
	return ""
}

// declaredOnly returns the name of a variable that the shader declares at a binding but doesn't
// use, or "".
func (p *ComputePipeline) declaredOnly(group, binding uint32) string {
	module, err := p.source.Module()
	if err != nil {
		return ""
	}
	for _, b := range module.Bindings {
		if b.Group == group && b.Number == binding {
			return b.Name
		}
	}
	return ""
}

// BindGroupLayout returns the layout of a group (§ Base pipelines). A group without bindings has an
// empty one.
func (p *ComputePipeline) BindGroupLayout(at HostSite, number uint32) (*BindGroupLayout, error) {
	d := p.device
	call := d.begin("getBindGroupLayout", at, &p.HostObject, nil, 0)
	defer d.record.mu.Unlock()
	m := d.usable(at, &p.HostObject)
	if m == nil && number >= d.limits.MaxBindGroups {
		m = d.mistake("layout-index", at, nil, facts{"given": uint64(number), "needed": uint64(d.limits.MaxBindGroups)})
	}
	if m == nil {
		if g := p.layout.group(number); g != nil {
			return g, nil
		}
	}
	empty := &BindGroupLayout{exclusive: p, group: number}
	d.object(&empty.HostObject, "bind group layout", "", at)
	empty.shared = true
	if m != nil {
		return empty, d.fail(call, &empty.HostObject, m)
	}
	return empty, nil
}

// Release tells that the program needs the pipeline no more.
func (p *ComputePipeline) Release(at HostSite) {
	if p.device.release(at, &p.HostObject) {
		p.device.record.mu.Lock()
		defer p.device.record.mu.Unlock()
		p.drop()
	}
}

func (p *ComputePipeline) drop() {
	if p.users--; p.users == 0 {
		p.free()
	}
}

func (p *ComputePipeline) free() {
	if p.made != nil {
		p.made.Free()
		p.made = nil
	}
}
