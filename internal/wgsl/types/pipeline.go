package types

import (
	"maps"
	"math"
	"slices"
	"sort"
	"strconv"

	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// A Pipeline is an entry point with the values of its overrides (§ 8.1.2). It is read-only and safe
// for concurrent use.
type Pipeline struct {
	Info          *Info
	Entry         *EntryPoint
	WorkgroupSize [3]uint32         // of a compute entry point
	SubgroupSize  uint32            // 0 if @subgroup_size does not fix it
	Overrides     map[*Object]Value // of those that the entry point uses

	values map[syntax.Expr]Value
	around *Pipeline // of the shader that an inspected expression is in, with its values; nil elsewhere
}

// Pipeline evaluates the overrides of an entry point and checks everything that depends on them.
// The key of a constant is the number in @id, or else the override's name. If the diagnostics
// contain an error, the pipeline is unusable.
func (info *Info) Pipeline(entry *EntryPoint, constants map[string]float64) (*Pipeline, []*findings.Finding) {
	b := &pipelineBuilder{
		Pipeline:  &Pipeline{Info: info, Entry: entry, Overrides: map[*Object]Value{}, values: map[syntax.Expr]Value{}},
		constants: constants,
		visited:   map[*Object]bool{},
	}
	b.checkConstants()
	for _, f := range entry.Functions {
		b.walk(f.Decl)
		b.mentions(f.Object)
	}
	b.workgroup()
	sort.SliceStable(b.diagnostics, func(i, j int) bool { return b.diagnostics[i].Span.Start < b.diagnostics[j].Span.Start })
	return b.Pipeline, b.diagnostics
}

// Value returns the value of a const- or override-expression that the entry point uses, converted
// to the type that its context requires.
func (p *Pipeline) Value(x syntax.Expr) Value {
	if v, ok := p.value(x); ok {
		return v
	}
	return p.Info.ValueOf(x)
}

func (p *Pipeline) value(x syntax.Expr) (Value, bool) {
	v, ok := p.values[x]
	if !ok && p.around != nil {
		return p.around.value(x)
	}
	return v, ok
}

// Count returns the number of elements of an array, or 0 for a runtime-sized one.
func (p *Pipeline) Count(a *Array) uint64 {
	if a.CountExpr != nil {
		return uint64(max(p.Value(a.CountExpr).Int(), 0))
	}
	return a.Count
}

// SizeOf returns the size of a type in bytes. Override-sized arrays count with all their elements.
func (p *Pipeline) SizeOf(t Type) uint64 {
	switch t := t.(type) {
	case *Array:
		return times(max(p.Count(t), 1), t.Stride())
	case *Buffer:
		if t.SizeExpr != nil {
			return uint64(max(p.Value(t.SizeExpr).Int(), leastBuffer))
		}
	}
	return SizeOf(t)
}

// WorkgroupBytes returns how much workgroup memory the entry point takes: the sizes of the
// variables that it uses, itself or in the functions that it calls, each rounded up to 16 bytes
// (WebGPU, § Compute Pipeline Creation).
func (p *Pipeline) WorkgroupBytes() uint64 {
	const unit = 16
	total := uint64(0)
	for _, o := range p.Entry.Workgroup {
		total = plus(total, plus(p.SizeOf(o.Store()), unit-1)/unit*unit)
	}
	return total
}

// pipelineBuilder is the state of one call of Info.Pipeline.
type pipelineBuilder struct {
	*Pipeline
	constants   map[string]float64
	visited     map[*Object]bool
	diagnostics []*findings.Finding
}

func (b *pipelineBuilder) report(at syntax.Node, bad *fault) {
	d := findings.Errorf(bad.kind, at.Span(), "%s", bad.message)
	d.Hint = bad.hint
	b.diagnostics = append(b.diagnostics, d)
}

// OverrideKey returns the host's name for an override (§ 7.2.2): the number in @id, or else its
// name.
func (o *Object) OverrideKey() string {
	if o.ID != nil {
		return strconv.FormatUint(uint64(*o.ID), 10)
	}
	return o.Name
}

// checkConstants reports the host's mistakes: values for overrides that don't exist, and values
// that an override can't have, also for one that the entry point doesn't use (WebGPU, §
// GPUProgrammableStage).
func (b *pipelineBuilder) checkConstants() {
	known := map[string]*Object{}
	for _, o := range b.Info.Overrides {
		known[o.OverrideKey()] = o
	}
	for _, key := range slices.Sorted(maps.Keys(b.constants)) {
		o := known[key]
		if o == nil {
			b.report(b.Entry.Decl.Name, faultf("unknown-constant", "The host sets the constant `%s`, but the shader has no such override.", key))
			continue
		}
		if t, ok := o.Type.(*Scalar); ok {
			if _, bad := fromHost(b.constants[key], t); bad != nil {
				b.report(o.Ident, faultf("constant-value", "The host sets the override `%s` to %v, which %s can't hold.", o.Name, b.constants[key], t).
					try("Choose a value of that type."))
			}
		}
	}
}

// mentions walks the module-scope declarations that an object's declaration names, once each.
func (b *pipelineBuilder) mentions(o *Object) {
	for _, m := range o.mentions {
		if b.visited[m] || m.Kind == FunctionObject {
			continue
		}
		b.visited[m] = true
		if m.Kind == OverrideObject {
			b.override(m)
			if _, given := b.constants[m.OverrideKey()]; given {
				continue
			}
		} else {
			b.walk(m.Decl)
		}
		b.mentions(m)
	}
}

// override returns the value of an override: the host's, or else its initialiser's.
func (b *pipelineBuilder) override(o *Object) Value {
	if v, ok := b.Overrides[o]; ok {
		return v
	}
	t, ok := o.Type.(*Scalar)
	if !ok {
		return Value{}
	}
	if b.around != nil && len(b.Overrides) == len(b.around.Overrides) {
		b.Overrides = maps.Clone(b.Overrides) // until here they were those of the shader
	}
	b.Overrides[o] = Value{}
	given, set := b.constants[o.OverrideKey()]
	d := o.Decl.(*syntax.OverrideDecl)
	switch {
	case set:
		if v, bad := fromHost(given, t); bad == nil { // else checkConstants says so
			b.Overrides[o] = v
		}
	case d.Init == nil:
		b.report(o.Ident, faultf("missing-constant", "The override `%s` has no value: neither the shader nor the host gives one.", o.Name).
			try("Write `= …` after it, or set it where the pipeline is made."))
	default:
		b.Overrides[o] = b.eval(d.Init)
	}
	return b.Overrides[o]
}

// fromHost converts the host's number to an override's type (WebGPU, to WGSL type).
func fromHost(f float64, t *Scalar) (Value, *fault) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return Value{}, faultf("const-range", "The host sets an override to %v.", f)
	}
	switch t {
	case Bool:
		return BoolValue(f != 0), nil
	case I32, U32:
		return materialise(IntValue(AbstractInt, int64(min(max(math.Trunc(f), math.MinInt64), math.MaxInt64/2))), t)
	}
	return toFloat(f, t)
}

// walk evaluates the override-expressions in a declaration and checks the expressions that contain
// them.
func (b *pipelineBuilder) walk(n syntax.Node) {
	syntax.Walk(n, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.AssignStmt:
			b.compound(n)
		case syntax.Expr:
			return b.expression(n)
		}
		return true
	}, nil)
}

// expression evaluates a whole override-expression. In other expressions it checks the known parts.
func (b *pipelineBuilder) expression(x syntax.Expr) bool {
	e := b.Info.Exprs[x]
	if e == nil || e.Mode != ValueMode && e.Mode != NothingMode {
		return true
	}
	switch e.Stage {
	case ConstStage:
		return false
	case OverrideStage:
		b.eval(x)
		return false
	}
	switch x := x.(type) {
	case *syntax.BinaryExpr:
		if x.Op == syntax.OpLogicalAnd || x.Op == syntax.OpLogicalOr {
			return b.shortCircuit(x)
		}
		b.partial(x, LookupBuiltin(OperatorBuiltin, x.Op.String()), x.X, x.Y)
	case *syntax.CallExpr:
		if call := b.Info.Calls[x]; call != nil && call.Kind == BuiltinCall {
			b.view(x, call)
			b.partial(x, call.Builtin, x.Args...)
		}
	case *syntax.IndexExpr:
		b.indexed(x)
	}
	return true
}

// shortCircuit reports whether the right operand is needed: a known left operand may decide the
// result.
func (b *pipelineBuilder) shortCircuit(x *syntax.BinaryExpr) bool {
	left := b.known(x.X)
	return !left.Valid() || left.Bool() == (x.Op == syntax.OpLogicalAnd)
}

// known returns the value of an expression if it is known now; otherwise the value is not Valid.
func (b *pipelineBuilder) known(x syntax.Expr) Value {
	e := b.Info.Exprs[x]
	if e == nil || e.Stage == RuntimeStage || e.Mode != ValueMode {
		return Value{}
	}
	return b.eval(x)
}

func (b *pipelineBuilder) partial(at syntax.Node, builtin *Builtin, args ...syntax.Expr) {
	if partialChecks[builtin.Kind][builtin.Name] == nil {
		return
	}
	values, types := make([]Value, len(args)), make([]Type, len(args))
	for i, x := range args {
		e := b.Info.Exprs[x]
		if e == nil {
			return
		}
		values[i], types[i] = b.known(x), e.ValueType()
	}
	if bad := partialFault(builtin, values, types); bad != nil {
		b.report(at, bad)
	}
}

func (b *pipelineBuilder) compound(s *syntax.AssignStmt) {
	left := b.Info.Exprs[s.LHS]
	if s.Op == syntax.OpNone || left == nil {
		return
	}
	builtin := LookupBuiltin(OperatorBuiltin, s.Op.String())
	if bad := partialFault(builtin, []Value{{}, b.known(s.RHS)}, []Type{Unref(left.Type), nil}); bad != nil {
		b.report(s, bad)
	}
}

func (b *pipelineBuilder) indexed(x *syntax.IndexExpr) {
	base := b.Info.Exprs[x.X]
	i := b.known(x.Index)
	if base == nil || !i.Valid() {
		return
	}
	t := Unref(base.Type)
	if p, ok := t.(*Pointer); ok {
		t = p.Elem
	}
	_, count := indexed(t)
	if a, ok := t.(*Array); ok && a.CountExpr != nil {
		b.known(a.CountExpr)
		b.values[a.CountExpr] = b.known(a.CountExpr)
		count = b.Count(a)
	}
	if bad := indexFault(i, t, count); bad != nil {
		b.report(x.Index, bad)
	}
}

// eval returns the value of a const- or override-expression, converted to the type that its context
// requires. It reports each fault once.
func (b *pipelineBuilder) eval(x syntax.Expr) Value {
	e := b.Info.Exprs[x]
	if e == nil {
		return Value{}
	}
	if e.Value.Valid() {
		return e.Value
	}
	if v, done := b.value(x); done {
		return v
	}
	v, bad := b.compute(x, e)
	if bad == nil && v.Valid() && e.As != nil {
		v, bad = convert(v, e.As)
	}
	if bad != nil {
		b.report(x, bad)
		v = Value{}
	}
	b.values[x] = v
	return v
}

func (b *pipelineBuilder) compute(x syntax.Expr, e *CheckedExpr) (Value, *fault) {
	switch x := x.(type) {
	case *syntax.Literal:
		if t := literalTypes[x.Kind]; t.Float() {
			return FloatValue(t, x.Float), nil
		}
		return IntValue(literalTypes[x.Kind], x.Int), nil
	case *syntax.ParenExpr:
		return b.eval(x.X), nil
	case *syntax.IdentExpr:
		o := b.Info.Uses[x]
		if o.Kind == OverrideObject {
			return b.override(o), nil
		}
		return o.Value, nil
	case *syntax.UnaryExpr:
		return b.builtin(LookupBuiltin(PrefixBuiltin, x.Op.String()), e.Type, x.X)
	case *syntax.BinaryExpr:
		return b.binary(x, e)
	case *syntax.CallExpr:
		return b.call(x, e)
	case *syntax.IndexExpr:
		return b.element(x)
	case *syntax.MemberExpr:
		return b.memberOf(x)
	}
	return Value{}, nil
}

func (b *pipelineBuilder) binary(x *syntax.BinaryExpr, e *CheckedExpr) (Value, *fault) {
	if x.Op == syntax.OpLogicalAnd || x.Op == syntax.OpLogicalOr {
		left := b.eval(x.X)
		if !left.Valid() || left.Bool() != (x.Op == syntax.OpLogicalAnd) {
			return left, nil
		}
		return b.eval(x.Y), nil
	}
	return b.builtin(LookupBuiltin(OperatorBuiltin, x.Op.String()), e.Type, x.X, x.Y)
}

func (b *pipelineBuilder) builtin(builtin *Builtin, result Type, args ...syntax.Expr) (Value, *fault) {
	values, ok := b.all(args)
	if !ok || builtin.eval == nil {
		return Value{}, nil
	}
	return builtin.eval(values, result)
}

func (b *pipelineBuilder) all(args []syntax.Expr) ([]Value, bool) {
	values, ok := make([]Value, len(args)), true
	for i, x := range args {
		values[i] = b.eval(x)
		ok = ok && values[i].Valid()
	}
	return values, ok
}

func (b *pipelineBuilder) call(x *syntax.CallExpr, e *CheckedExpr) (Value, *fault) {
	call := b.Info.Calls[x]
	switch {
	case call == nil:
		return Value{}, nil
	case call.Builtin != nil:
		return b.builtin(call.Builtin, e.Type, x.Args...)
	case len(x.Args) == 0:
		return ZeroValue(call.Type), nil
	}
	parts, ok := b.all(x.Args)
	if !ok {
		return Value{}, nil
	}
	return CompositeValue(call.Type, parts), nil
}

func (b *pipelineBuilder) element(x *syntax.IndexExpr) (Value, *fault) {
	base, i := b.eval(x.X), b.eval(x.Index)
	if !base.Valid() || !i.Valid() {
		return Value{}, nil
	}
	if bad := indexFault(i, base.Type, uint64(base.Len())); bad != nil {
		return Value{}, bad
	}
	return base.At(int(i.Int())), nil
}

func (b *pipelineBuilder) memberOf(x *syntax.MemberExpr) (Value, *fault) {
	base := b.eval(x.X)
	switch t := base.Type.(type) {
	case *Struct:
		return base.At(t.Member(x.Name.Name).Index), nil
	case *Vector:
		indices, _ := swizzleIndices(x.Name.Name)
		if len(indices) == 1 {
			return base.At(indices[0]), nil
		}
		parts := make([]Value, len(indices))
		for j, i := range indices {
			parts[j] = base.At(i)
		}
		return CompositeValue(VectorOf(len(parts), t.Elem), parts), nil
	}
	return Value{}, nil
}

// workgroup evaluates the workgroup size and the lengths of workgroup arrays (§ 12.15, § 6.2.9).
func (b *pipelineBuilder) workgroup() {
	for i, d := range b.Entry.WorkgroupSize {
		b.WorkgroupSize[i] = d.Value
		if d.Expr == nil || d.Value != 0 {
			continue
		}
		v := b.eval(d.Expr)
		if v.Valid() && v.Int() < 1 {
			b.report(d.Expr, faultf("workgroup-size", "A workgroup needs at least one invocation in each direction, not %d.", v.Int()))
		}
		b.WorkgroupSize[i] = uint32(max(v.Int(), 0))
	}
	b.subgroupSize()
	for _, o := range b.Entry.Workgroup {
		if t, ok := o.Store().(*Buffer); ok && t.SizeExpr != nil {
			b.bufferSize(t)
		}
		a, ok := o.Store().(*Array)
		if !ok || a.CountExpr == nil {
			continue
		}
		if v := b.eval(a.CountExpr); v.Valid() && v.Int() < 1 {
			b.report(a.CountExpr, faultf("array-length", "An array needs at least one element, but this one would have %d.", v.Int()))
		}
	}
}

func (b *pipelineBuilder) bufferSize(t *Buffer) {
	if v := b.eval(t.SizeExpr); v.Valid() {
		if bad := bufferSizeFault(v.Int(), b.Info.Enabled.Has(FeatureF16)); bad != nil {
			b.report(t.SizeExpr, bad)
		}
	}
}

func (b *pipelineBuilder) subgroupSize() {
	a := syntax.FindAttribute(b.Entry.Decl.Attrs, "subgroup_size")
	if a == nil || len(a.Args) != 1 {
		return
	}
	v := b.known(a.Args[0])
	if !v.Valid() {
		return
	}
	n := v.Int()
	switch {
	case !powerOfTwo(n):
		b.report(a.Args[0], faultf("subgroup-size", "A subgroup size must be a power of 2, not %d.", n))
	case n < minSubgroup || n > maxSubgroup:
		b.report(a.Args[0], faultf("subgroup-size", "No device has subgroups of %d: they are %d to %d.", n, minSubgroup, maxSubgroup))
	case int64(b.WorkgroupSize[0])%n != 0:
		b.report(a.Args[0], faultf("subgroup-size", "The workgroup is %d wide, which is not a multiple of the subgroup size %d.", b.WorkgroupSize[0], n))
	}
	b.SubgroupSize = uint32(n)
}
