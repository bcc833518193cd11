package analysis

import (
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

var limitExceeded = &Rule{
	Kind:      findings.LimitExceeded,
	Title:     "more than every WebGPU device guarantees",
	Certainty: findings.Certain,
	Doc: "Every WebGPU device supports workgroups of up to 256 invocations (256 in x and y, 64 in z) and 16384 bytes of workgroup memory. " +
		"An entry point may use 8 storage buffers, 12 uniform buffers, 16 textures, 16 samplers and 4 storage textures, in groups 0 to 3, and 64 bytes of immediates " +
		"(WebGPU specification, section Limits: the default limits). A shader that needs more fails on devices that have no more. " +
		"Overrides count with their default values.",
	run: runLimitExceeded,
}

// The default limits of WebGPU (maxComputeInvocationsPerWorkgroup and so on).
const (
	maxInvocations    = 256
	maxWorkgroupBytes = 16 << 10
	maxGroups         = 4
	maxBindings       = 1000
	maxUniformBytes   = 64 << 10
	maxStorageBytes   = 128 << 20
	maxImmediateBytes = 64
)

var maxWorkgroupSize = [3]uint32{256, 256, 64}

// A resourceLimit is how many resources of a kind a shader stage may use.
type resourceLimit struct {
	what string
	most int
	of   func(*types.Object) bool
	try  string
}

var resourceLimits = []resourceLimit{
	{"storage buffers", 8, func(o *types.Object) bool { return o.Space() == types.SpaceStorage }, "Put several arrays into one buffer."},
	{"uniform buffers", 12, func(o *types.Object) bool { return o.Space() == types.SpaceUniform }, "Put several values into one struct."},
	{"textures", 16, func(o *types.Object) bool {
		t, ok := o.Store().(*types.Texture)
		return ok && t.Kind != types.StorageTexture
	}, "Put several pictures into one array texture."},
	{"samplers", 16, func(o *types.Object) bool { _, ok := o.Store().(*types.Sampler); return ok }, "Use a sampler for several textures."},
	{"storage textures", 4, func(o *types.Object) bool {
		t, ok := o.Store().(*types.Texture)
		return ok && t.Kind == types.StorageTexture
	}, "Put several pictures into one array texture."},
}

func runLimitExceeded(p *pass) {
	for _, e := range p.info.EntryPoints {
		pipeline, _ := p.info.Pipeline(e, nil)
		p.limits(pipeline, ", by default")
	}
}

// Limits returns what a pipeline needs beyond the limits of every device, with the values of its
// overrides.
func Limits(pipeline *types.Pipeline) []*findings.Finding {
	p := &pass{info: pipeline.Info, rule: limitExceeded}
	p.limits(pipeline, "")
	p.info.File.Source.Locate(p.found...)
	return p.found
}

// limits checks a pipeline. byDefault follows a value that the host may change.
func (p *pass) limits(pipeline *types.Pipeline, byDefault string) {
	if pipeline.Entry.Stage == types.ComputeStage {
		p.workgroupSize(pipeline, byDefault)
		p.workgroupMemory(pipeline, byDefault)
	}
	p.resources(pipeline)
}

// workgroupSize leaves out a dimension without a value: the host has to give one.
func (p *pass) workgroupSize(pipeline *types.Pipeline, byDefault string) {
	e, size, product := pipeline.Entry, pipeline.WorkgroupSize, uint64(1)
	overridden := ""
	for i, d := range e.WorkgroupSize {
		by := ""
		if d.Value == 0 && byDefault != "" {
			by, overridden = byDefault+",", byDefault
		}
		product *= uint64(max(size[i], 1))
		if size[i] > maxWorkgroupSize[i] && d.Expr != nil {
			p.report(d.Expr, "A workgroup size of %d in %s%s is more than every device guarantees: %d.", size[i], "xyz"[i:i+1], by, maxWorkgroupSize[i]).
				Try("Use at most %d.", maxWorkgroupSize[i])
			return
		}
	}
	if product > maxInvocations {
		p.report(e.Decl.Name, "A workgroup of `%s` has %d invocations%s, more than every device guarantees: %d.", e.Object.Name, product, overridden, maxInvocations).
			Try("Choose a workgroup size whose product is at most %d, such as `@workgroup_size(16, 16)`.", maxInvocations)
	}
}

func (p *pass) workgroupMemory(pipeline *types.Pipeline, byDefault string) {
	bytes, by := pipeline.WorkgroupBytes(), ""
	for _, o := range pipeline.Entry.Workgroup {
		if a, ok := o.Store().(*types.Array); ok && a.CountExpr != nil {
			by = byDefault
		}
	}
	if bytes > maxWorkgroupBytes {
		e := pipeline.Entry
		p.report(e.Workgroup[len(e.Workgroup)-1].Ident, "The workgroup variables of `%s` take %d bytes%s, more than every device guarantees: %d.", e.Object.Name, bytes, by, maxWorkgroupBytes).
			Try("Use smaller tiles.")
	}
}

// resources counts what an entry point uses, as each stage of a pipeline has its own limits.
func (p *pass) resources(pipeline *types.Pipeline) {
	e := pipeline.Entry
	for _, limit := range resourceLimits {
		var used []*types.Object
		for _, o := range e.Resources {
			if limit.of(o) {
				used = append(used, o)
			}
		}
		if len(used) > limit.most {
			p.once(used[limit.most], "`%s` uses %d %s, more than every device guarantees: %d.", limit.try, e.Object.Name, len(used), limit.what, limit.most)
		}
	}
	if o := e.Immediate; o != nil && pipeline.SizeOf(o.Store()) > maxImmediateBytes {
		p.once(o, "`%s` takes %d bytes of immediates, more than every device guarantees: %d.", "Put the rest in a uniform.", o.Name, pipeline.SizeOf(o.Store()), maxImmediateBytes)
	}
	for _, o := range e.Resources {
		bytes := pipeline.SizeOf(o.Store())
		switch {
		case *o.Group >= maxGroups:
			p.once(o, "`%s` is in @group(%d), and every device guarantees only the groups 0 to %d.", "Move it to one of them, with a @binding that is free there.", o.Name, *o.Group, maxGroups-1)
		case *o.Binding >= maxBindings:
			p.once(o, "`%s` is at @binding(%d), and every device guarantees only the bindings 0 to %d.", "Count bindings from 0 in each group.", o.Name, *o.Binding, maxBindings-1)
		case o.Space() == types.SpaceUniform && bytes > maxUniformBytes:
			p.once(o, "The uniform `%s` takes %d bytes, more than every device guarantees: %d.", "Make it `var<storage>`.", o.Name, bytes, maxUniformBytes)
		case o.Space() == types.SpaceStorage && bytes > maxStorageBytes:
			p.once(o, "The buffer of `%s` takes %d bytes, more than every device guarantees: %d.", "Divide it into several.", o.Name, bytes, maxStorageBytes)
		}
	}
}

// once reports a finding about a variable, unless another entry point has led to the same one.
func (p *pass) once(o *types.Object, format, try string, args ...any) {
	f := p.report(o.Ident, format, args...)
	for _, before := range p.found[:len(p.found)-1] {
		if before.Span == f.Span && before.Message == f.Message {
			p.found = p.found[:len(p.found)-1]
			return
		}
	}
	f.Try("%s", try)
}
