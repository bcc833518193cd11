package targets

import (
	"strings"

	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/wgsl"
	"github.com/wgslab/wgslab/internal/wgsl/analysis"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// A need is a feature that a shader can't do without, and the first place that needs it.
type need struct {
	types.Feature
	at     findings.Location
	reason string // what is wrong without it, where the feature's name doesn't say so
	named  bool   // the shader names it in `enable` or `requires`, at this place
}

// needs returns the optional features among some that a valid shader needs: those without which the
// front end refuses it.
func needs(read *wgsl.Shader, among, implied types.Features) (list []need) {
	asked := read.Info.Asked
	if read.Info.Enabled.Has(types.FeatureSubgroups) {
		asked |= types.FeatureSubgroupUniformity // which the analysis of the control flow asks for
	}
	for f := types.Feature(1); f&types.AllFeatures != 0; f <<= 1 {
		if !(asked & among).Has(f) {
			continue
		}
		if wrong := without(read, f, implied); wrong != nil {
			named := wrong.Kind == "unsupported-extension" || wrong.Kind == "unsupported-feature"
			list = append(list, need{f, wrong.Location, reasonOf(f, wrong), named})
		}
	}
	return list
}

// without returns the first error of a valid shader where a feature is missing, or nil.
func without(read *wgsl.Shader, f, implied types.Feature) *findings.Finding {
	options := types.Options{Features: types.AllFeatures &^ f, Implied: implied}
	info, found := types.Check(read.File, options)
	wrong := findings.FirstError(found)
	if wrong == nil && f == types.FeatureSubgroupUniformity {
		wrong = findings.FirstError(analysis.Check(info, options))
	}
	if wrong != nil {
		read.Source.Locate(wrong)
	}
	return wrong
}

// reasonOf returns what is wrong without a feature, unless that only names the feature.
func reasonOf(f types.Feature, wrong *findings.Finding) string {
	if strings.Contains(wrong.Message, "`"+f.String()+"`") {
		return ""
	}
	return " Without it: " + strings.ToLower(wrong.Message[:1]) + wrong.Message[1:]
}

// Check reports what a shader needs that its targets lack, one error for each feature. Without
// targets, it notes who lacks a language feature, as far as the table knows. It notes no extension:
// a shader that enables one says itself that its device has it. It says nothing about a shader with
// mistakes.
func Check(source *shader.Source, targets []Release) (found []*findings.Finding) {
	read, implied := source.Shader(), Implied(targets)
	if !read.Valid() { // perhaps for lack of a feature
		read = wgsl.ReadSource(read.Source, types.Options{Features: types.AllFeatures, Implied: implied})
	}
	if !read.Valid() {
		return nil
	}
	among := types.AllFeatures
	if len(targets) == 0 {
		among &^= enabled
	}
	for _, n := range needs(read, among, implied) {
		if f := n.missing(targets); f != nil {
			found = append(found, f)
		}
		if f := n.refused(targets); f != nil {
			found = append(found, f)
		}
	}
	for _, t := range targets {
		found = append(found, t.exceeded(read.Info)...)
	}
	read.Source.Locate(found...)
	return found
}

// enabled are the features that a shader enables itself: the extensions, and what is about one.
const enabled = types.AllExtensions | types.FeatureSubgroupID | types.FeatureSubgroupUniformity

// missing reports the targets that lack the feature, or nil.
func (n need) missing(targets []Release) *findings.Finding {
	severity, asked := findings.Error, targets
	if len(asked) == 0 {
		severity, asked = findings.Info, everyone()
	}
	without, perhaps := n.among(asked, lacks), n.among(asked, unclear)
	f := &findings.Finding{Kind: findings.TargetLacks, Severity: severity, Location: n.at, Hint: n.whoHas() + n.reason}
	switch {
	case len(without) > 0:
		f.Message = listed(without) + " " + english.Form(len(without), "has", "have") + " no `" + n.String() + "`."
	case len(perhaps) > 0:
		f.Severity = max(f.Severity, findings.Warning)
		f.Message = listed(perhaps) + " may have no `" + n.String() + "`: the source doesn't say which of two versions was the first."
	default:
		return nil
	}
	return f
}

// refused reports the targets that have the feature but refuse its name, or nil.
func (n need) refused(targets []Release) *findings.Finding {
	for _, t := range targets {
		native := t.native(n.Feature)
		if native == "" || !n.named {
			continue
		}
		f := &findings.Finding{Kind: findings.TargetLacks, Severity: findings.Error, Location: n.at}
		f.Message = t.String() + " refuses the name `" + n.String() + "`, and has the feature without it."
		return f.Try("Leave the name out for wgpu, and request `Features::%s` from the device.", native)
	}
	return nil
}

// listed begins a sentence with names, of which only wgpu stays small.
func listed(named []string) string {
	if text := english.List(named); !strings.HasPrefix(text, names["wgpu"]) {
		return english.Capital(text)
	}
	return english.List(named)
}

// everyone returns the newest known version of each implementation.
func everyone() (all []Release) {
	for _, implementation := range order {
		if implementation != core {
			all = append(all, newest(implementation))
		}
	}
	return all
}

// among names the targets that answer a question about the feature in one way.
func (n need) among(targets []Release, want answer) (named []string) {
	for _, t := range targets {
		if t.has(n.Feature) != want {
			continue
		}
		name := t.String()
		if last := newest(t.implementation).version; t.version.compare(last) > 0 {
			name += " (known up to " + last.String() + ")"
		}
		named = append(named, name)
	}
	return named
}

// whoHas says who has the feature, and since when.
func (n need) whoHas() string {
	var since []string
	for _, implementation := range order {
		if f := find(implementation, n.String()); f != nil {
			since = append(since, names[implementation]+" since "+f.since())
		}
	}
	if len(since) == 0 {
		return "No implementation that we know has it yet."
	}
	return listed(since) + " " + english.Form(len(since), "has", "have") + " it."
}

// A measure is what a pipeline takes of a limit, and the first place that takes more than most:
// where the front end warns about what not every device has.
type measure struct {
	limit string
	of    func(p *types.Pipeline, most uint64) (taken uint64, at findings.Span)
	what  string
}

// measures are the limits of the table that a shader can exceed.
var measures = []measure{
	{"maxComputeWorkgroupSizeX", sizeIn(0), "invocations in x"},
	{"maxComputeWorkgroupSizeY", sizeIn(1), "invocations in y"},
	{"maxComputeWorkgroupSizeZ", sizeIn(2), "invocations in z"},
	{invocations, func(p *types.Pipeline, _ uint64) (uint64, findings.Span) {
		s := p.WorkgroupSize
		return uint64(max(s[0], 1)) * uint64(max(s[1], 1)) * uint64(max(s[2], 1)), p.Entry.Decl.Name.Span()
	}, "invocations in a workgroup"},
	{"maxComputeWorkgroupStorageSize", func(p *types.Pipeline, _ uint64) (uint64, findings.Span) {
		all := p.Entry.Workgroup
		if len(all) == 0 {
			return 0, findings.Span{}
		}
		return p.WorkgroupBytes(), all[len(all)-1].Ident.Span()
	}, "bytes of workgroup memory"},
	{"maxStorageBuffersPerShaderStage", bound(types.SpaceStorage), "storage buffers"},
	{"maxUniformBuffersPerShaderStage", bound(types.SpaceUniform), "uniform buffers"},
}

const invocations = "maxComputeInvocationsPerWorkgroup"

func sizeIn(dimension int) func(*types.Pipeline, uint64) (uint64, findings.Span) {
	return func(p *types.Pipeline, _ uint64) (uint64, findings.Span) {
		at := p.Entry.Decl.Name.Span()
		if size := p.Entry.WorkgroupSize; dimension < len(size) && size[dimension].Expr != nil {
			at = size[dimension].Expr.Span()
		}
		return uint64(p.WorkgroupSize[dimension]), at
	}
}

// bound counts the buffers of an address space.
func bound(space types.AddressSpace) func(*types.Pipeline, uint64) (uint64, findings.Span) {
	return func(p *types.Pipeline, most uint64) (n uint64, at findings.Span) {
		for _, o := range p.Entry.Resources {
			if o.Space() != space {
				continue
			}
			if n == most {
				at = o.Ident.Span()
			}
			n++
		}
		return n, at
	}
}

// exceeded reports what the entry points take beyond the target's limits, with the default values
// of overrides. A dimension that is too large says enough of the invocations.
func (t Release) exceeded(info *types.Info) (found []*findings.Finding) {
	for _, e := range info.EntryPoints {
		pipeline, _ := info.Pipeline(e, nil)
		if e.Stage != types.ComputeStage || pipeline == nil {
			continue
		}
		before := len(found)
		for _, m := range measures {
			known := find(t.implementation, m.limit)
			if known == nil || t.version.compare(known.surely) < 0 || m.limit == invocations && len(found) > before {
				continue
			}
			if taken, at := m.of(pipeline, known.limit); taken > known.limit {
				found = append(found, findings.Errorf(findings.TargetLacks, at, "`%s` needs %d %s, and %s grants at most %d.", e.Object.Name, taken, m.what, t, known.limit).
					Try("The limit is `%s`.", m.limit))
			}
		}
	}
	return found
}
