package analysis

import (
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

var limitExceeded = &Rule{
	Kind:      findings.LimitExceeded,
	Title:     "more than every WebGPU device guarantees",
	Certainty: findings.Certain,
	Doc: "Every WebGPU device supports workgroups of up to 256 invocations (256 in x and y, 64 in z) and 16384 bytes of workgroup memory " +
		"(WebGPU specification, section Limits: the default limits). A shader that needs more fails on devices that have no more. Use smaller workgroups or tiles.",
	run: runLimitExceeded,
}

// The default limits of WebGPU (maxComputeInvocationsPerWorkgroup and so on).
const (
	maxInvocations    = 256
	maxWorkgroupBytes = 16384
)

var maxWorkgroupSize = [3]uint32{256, 256, 64}

func runLimitExceeded(p *pass) {
	for _, e := range p.info.EntryPoints {
		if e.Stage == types.ComputeStage {
			p.workgroupSize(e)
			p.workgroupMemory(e)
		}
	}
}

func (p *pass) workgroupSize(e *types.EntryPoint) {
	product := uint64(1)
	for i, d := range e.WorkgroupSize {
		if d.Value == 0 {
			return // an override: the pipeline knows
		}
		product *= uint64(d.Value)
		if d.Value > maxWorkgroupSize[i] && d.Expr != nil {
			p.report(d.Expr, "A workgroup size of %d in %s is more than every device guarantees: %d.", d.Value, "xyz"[i:i+1], maxWorkgroupSize[i]).
				Try("Use at most %d.", maxWorkgroupSize[i])
			return
		}
	}
	if product > maxInvocations {
		p.report(e.Decl.Name, "A workgroup of `%s` has %d invocations, more than every device guarantees: 256.", e.Object.Name, product).
			Try("Choose a workgroup size whose product is at most 256, such as `@workgroup_size(16, 16)`.")
	}
}

func (p *pass) workgroupMemory(e *types.EntryPoint) {
	bytes := uint64(0)
	for _, v := range e.Workgroup {
		bytes += (types.SizeOf(v.Store()) + 15) / 16 * 16 // WebGPU rounds each size up to 16
	}
	if bytes > maxWorkgroupBytes {
		last := e.Workgroup[len(e.Workgroup)-1]
		p.report(last.Ident, "The workgroup variables of `%s` take %d bytes, more than every device guarantees: %d.", e.Object.Name, bytes, maxWorkgroupBytes).
			Try("Use smaller tiles.")
	}
}
