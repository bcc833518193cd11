package flow

import (
	"strings"

	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// scope is the group of invocations within which something must be uniform (§ 15.2.1).
type scope uint8

const (
	wideScope     scope = iota // the workgroup, or outside of compute shaders the draw command
	subgroupScope              // analysed by itself only where subgroup_uniformity is supported
)

// rule is what a requirement belongs to, and the name by which diagnostic filters know it.
type rule uint8

const (
	barrierRule rule = iota // cannot be filtered
	derivativeRule
	subgroupRule
	rules
)

func (r rule) String() string {
	return [...]string{"", "derivative_uniformity", "subgroup_uniformity"}[r]
}

// class is a rule at a severity; requirements of the same class are alike for callers.
type class struct {
	rule     rule
	severity syntax.Severity
}

// requirement is one place that all invocations must reach together, or a value that must be the same for all.
type requirement struct {
	class
	builtin *syntax.CallExpr // the call of the builtin function
	value   syntax.Span      // of the argument that must be uniform; empty where it is control flow
	via     []syntax.Span    // the calls that lead from the function at hand to it, outermost first
	target  nodeID           // what must be uniform, in the graph at hand
}

// paramTags say what a function's parameter has to do with uniformity (§ 15.2.3).
type paramTags struct {
	value, contents []requirement // what requires its value, or the memory that it points to, to be uniform
	toResult        bool          // the result depends on the value
	contentsResult  bool          // the result depends on the memory
	fromValues      []int         // parameters on whose values the memory depends after the call
	fromContents    []int         // parameters on whose memory it depends
	becomesNonUni   bool          // the memory may be non-uniform after the call
	becomesWhy      []reason
}

// summary is what callers need to know of a function.
type summary struct {
	callSite     []requirement
	nonUniResult bool
	resultWhy    []reason
	params       []paramTags
}

// reason is one step of an explanation.
type reason struct {
	at   syntax.Span
	text string
}

// uniformity reports where barriers, derivatives and subgroup operations may not be reached by all invocations alike
// (§ 15.2).
func uniformity(info *types.Info, order []*types.Function, options types.Options) []*syntax.Diagnostic {
	separate := options.Features.Has(types.FeatureSubgroupUniformity)
	diagnostics := analyze(info, order, wideScope, separate)
	if separate && info.Enabled.Has(types.FeatureSubgroups) {
		diagnostics = append(diagnostics, analyze(info, order, subgroupScope, separate)...)
	}
	return diagnostics
}

func analyze(info *types.Info, order []*types.Function, s scope, separate bool) []*syntax.Diagnostic {
	a := &analysis{info: info, scope: s, separate: separate, summaries: make(map[*types.Function]*summary, len(order)), seen: map[reported]bool{}}
	a.globalFilters()
	for _, f := range order {
		a.function(f)
	}
	return a.diagnostics
}

// analysis is the state of the uniformity analysis in one scope.
type analysis struct {
	info        *types.Info
	scope       scope
	separate    bool // the subgroup scope is analysed by itself
	summaries   map[*types.Function]*summary
	filters     [rules]syntax.Severity // those of the module
	seen        map[reported]bool
	diagnostics []*syntax.Diagnostic
}

func (a *analysis) globalFilters() {
	for _, d := range a.info.File.Directives {
		if d, ok := d.(*syntax.DiagnosticDirective); ok {
			setFilter(&a.filters, d.Control)
		}
	}
}

var severities = map[string]syntax.Severity{
	"error": syntax.Error, "warning": syntax.Warning, "info": syntax.Info, "off": syntax.Off,
}

func setFilter(filters *[rules]syntax.Severity, c *syntax.DiagnosticControl) {
	severity, known := severities[c.Severity.Name]
	if !known {
		return
	}
	switch c.RuleName() {
	case derivativeRule.String():
		filters[derivativeRule] = severity
	case subgroupRule.String():
		filters[subgroupRule] = severity
	}
}

// builtinTags are the tags of a builtin function's call (§ 15.2.7).
type builtinTags struct {
	required     bool
	rule         rule
	nonUniResult bool
	uniformArg   int // index of an argument that must be uniform, or -1
}

// uniformSubgroupResults are the operations whose result is the same for a whole subgroup.
var uniformSubgroupResults = map[string]bool{
	"subgroupAdd": true, "subgroupAll": true, "subgroupAnd": true, "subgroupAny": true, "subgroupBallot": true,
	"subgroupBroadcast": true, "subgroupBroadcastFirst": true, "subgroupMax": true, "subgroupMin": true,
	"subgroupMul": true, "subgroupOr": true, "subgroupXor": true,
}

func (a *analysis) builtin(x *syntax.CallExpr, call *types.Call) builtinTags {
	tags := builtinTags{uniformArg: -1}
	name := call.Builtin.Name
	wide := !a.separate || a.scope == wideScope
	switch {
	case name == "workgroupBarrier" || name == "storageBarrier" || name == "textureBarrier":
		tags.required, tags.rule = wide, barrierRule
	case name == "workgroupUniformLoad":
		tags.required, tags.rule = wide, barrierRule
		if wide {
			tags.uniformArg = 0
		}
	case strings.HasPrefix(name, "dpdx"), strings.HasPrefix(name, "dpdy"), strings.HasPrefix(name, "fwidth"),
		name == "textureSample", name == "textureSampleBias", name == "textureSampleCompare":
		tags.required, tags.rule, tags.nonUniResult = wide, derivativeRule, true
	case name == "textureLoad":
		tags.nonUniResult = readWriteTexture(valueType(a.info, x.Args[0]))
	case strings.HasPrefix(name, "subgroup"), strings.HasPrefix(name, "quad"):
		tags.required, tags.rule = !a.separate || a.scope == subgroupScope, subgroupRule
		tags.nonUniResult = !(a.scope == subgroupScope && uniformSubgroupResults[name])
		if tags.required && (name == "subgroupShuffleUp" || name == "subgroupShuffleDown" || name == "subgroupShuffleXor") {
			tags.uniformArg = 1
		}
	}
	return tags
}

func readWriteTexture(t types.Type) bool {
	texture, ok := t.(*types.Texture)
	return ok && texture.Kind == types.StorageTexture && texture.Access == types.ReadWrite
}

// uniformInput reports whether a builtin input value is the same for all invocations of the scope.
func (a *analysis) uniformInput(name string, stage types.ShaderStage) bool {
	switch name {
	case "workgroup_id", "num_workgroups", "num_subgroups":
		return true
	case "subgroup_size":
		return stage == types.ComputeStage
	case "subgroup_id":
		return a.separate && a.scope == subgroupScope
	}
	return false
}
