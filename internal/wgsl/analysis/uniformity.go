package analysis

import (
	"strings"

	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// scope is the group of invocations for which something must be uniform (§ 15.2.1).
type scope uint8

const (
	wideScope     scope = iota // the workgroup, or the draw command outside of compute shaders
	subgroupScope              // analysed separately only if subgroup_uniformity is supported
)

// rule is the rule of a requirement, with its name in diagnostic filters.
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

// class is a rule at a severity. Callers treat requirements of the same class alike.
type class struct {
	rule     rule
	severity findings.Severity
}

// requirement is a place that all invocations must reach together, or a value that must be equal in
// all of them.
type requirement struct {
	class
	builtin *syntax.CallExpr // the call of the builtin function
	value   syntax.Span      // of the argument that must be uniform; empty for control flow
	via     []syntax.Span    // the calls that lead from the current function to it, outermost first
	target  nodeID           // the node that must be uniform, in the current graph
}

// paramTags describe how a function's parameter relates to uniformity (§ 15.2.3).
type paramTags struct {
	value, contents []requirement // the requirements on its value, and on the memory that it points to
	toResult        bool          // the result depends on the value
	contentsResult  bool          // the result depends on the memory
	fromValues      []int         // parameters whose values the memory depends on after the call
	fromContents    []int         // parameters whose memory it depends on
	becomesNonUni   bool          // the memory may be non-uniform after the call
	becomesWhy      []reason
}

// summary holds what callers need to know about a function.
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

// uniformity reports barriers, derivatives and subgroup operations that invocations may not all
// reach together (§ 15.2).
func uniformity(info *types.Info, order []*types.Function, options types.Options) []*findings.Finding {
	separate := options.Features.Has(types.FeatureSubgroupUniformity)
	diagnostics := analyze(info, order, wideScope, separate)
	if separate && info.Enabled.Has(types.FeatureSubgroups) {
		diagnostics = append(diagnostics, analyze(info, order, subgroupScope, separate)...)
	}
	return diagnostics
}

func analyze(info *types.Info, order []*types.Function, s scope, separate bool) []*findings.Finding {
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
	separate    bool // the subgroup scope is analysed separately
	summaries   map[*types.Function]*summary
	filters     [rules]findings.Severity // those of the module
	seen        map[reported]bool
	diagnostics []*findings.Finding
}

func (a *analysis) globalFilters() {
	for _, d := range a.info.File.Directives {
		if d, ok := d.(*syntax.DiagnosticDirective); ok {
			setFilter(&a.filters, d.Control)
		}
	}
}

var severities = map[string]findings.Severity{
	"error": findings.Error, "warning": findings.Warning, "info": findings.Info, "off": findings.Off,
}

func setFilter(filters *[rules]findings.Severity, c *syntax.DiagnosticControl) {
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

// builtinTags are the tags for a call of a builtin function (§ 15.2.7).
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
	case strings.HasPrefix(name, "atomic"):
		// The table of § 15.2.7 leaves them out, but they read memory that other invocations write.
		tags.nonUniResult = true
	case name == "textureLoad":
		tags.nonUniResult = readWriteTexture(a.info.ValueType(x.Args[0]))
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

// uniformInput reports whether a builtin input value is equal in all invocations of the scope.
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
