package types

import (
	"slices"
	"sort"

	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// Info is the result of Check. It is complete if there were no errors; otherwise Exprs lacks the
// expressions with errors. After Check it is read-only and safe for concurrent use.
type Info struct {
	File    *syntax.TranslationUnit
	Enabled Features // what the shader's `enable` directives switch on
	Asked   Features // what the result depends on: without any other feature it would be the same

	// Exprs maps every checked expression to its result, including expressions that denote types
	// and enumerants.
	Exprs map[syntax.Expr]*CheckedExpr
	// Defs maps each declaring name to its object: module-scope names, parameters, local names.
	Defs map[*syntax.Ident]*Object
	// Uses maps each use of a name to its object, predeclared ones included.
	Uses map[*syntax.IdentExpr]*Object
	// Calls maps each call to its callee.
	Calls map[*syntax.CallExpr]*Call
	// Scopes is the tree of scopes, the module's first; see InScope.
	Scopes []*Scope

	Functions   []*Function   // in source order, entry points included
	EntryPoints []*EntryPoint // in source order
	Structs     []*Struct     // those declared, in source order
	Globals     []*Object     // module-scope variables, in source order
	Overrides   []*Object     // in source order

	funcs  map[*Object]*Function
	module map[string]*Object // the names that the module declares
	index  *scopeIndex
}

// Stage says when an expression's value is known (§ 8.1).
type Stage uint8

// The stages, earliest first.
const (
	ConstStage    Stage = iota // when the shader is read
	OverrideStage              // when the pipeline is made
	RuntimeStage               // when it runs
)

// Mode is the kind of thing that an expression denotes.
type Mode uint8

// The modes.
const (
	ValueMode     Mode = iota // a value, or a reference to memory: see Type
	TypeMode                  // the type Type
	NothingMode               // a call of a function that returns nothing
	EnumerantMode             // a word such as read_write or rgba8unorm
	FunctionMode              // the name of a function
	GeneratorMode             // the name of a type generator without its arguments: vec3, array
)

// CheckedExpr is the result of checking an expression.
type CheckedExpr struct {
	Mode  Mode
	Stage Stage
	// Type is the static type: abstract for `1`, a *Reference for a variable's name.
	Type Type
	// As is the type that the context requires, after the load rule and automatic conversions
	// (§ 6.1.2, § 6.5.3); nil if it equals Type. If As is a reference's stored type, the reference
	// is loaded. An abstract constant is converted to As.
	As Type
	// Value is the value of a constant, converted to As if As is set. It is not Valid for other
	// stages; Pipeline.Value has the values of OverrideStage. It is also not Valid if the value is
	// never needed: the right operand of `false && …` may even divide by 0 and must not be
	// evaluated.
	Value Value
}

// ValueType returns the type of the value in its context: As if set, else Type.
func (e *CheckedExpr) ValueType() Type {
	if e.As != nil {
		return e.As
	}
	return e.Type
}

// Loads reports whether the expression is a reference that is loaded here.
func (e *CheckedExpr) Loads() bool {
	if _, ref := e.Type.(*Reference); !ref || e.As == nil {
		return false
	}
	_, still := e.As.(*Reference)
	return !still
}

// Reference returns the memory that the expression refers to, or nil.
func (e *CheckedExpr) Reference() *Reference {
	r, _ := e.Type.(*Reference)
	return r
}

// ObjectKind is the kind of thing that a name denotes.
type ObjectKind uint8

// The object kinds; the last four are predeclared.
const (
	ConstObject ObjectKind = iota
	OverrideObject
	LetObject
	VarObject
	ParamObject
	FunctionObject
	StructObject
	AliasObject
	TypeObject      // i32, vec3f, sampler
	GeneratorObject // vec3, array, ptr, texture_2d
	BuiltinObject   // a builtin function
	EnumerantObject // storage, read_write, rgba8unorm
)

var objectKinds = [...]string{
	"const", "override", "let", "var", "parameter", "function", "structure", "alias", "type", "type generator",
	"builtin function", "enumerant",
}

// String returns the kind in a word or two.
func (k ObjectKind) String() string { return objectKinds[k] }

// Object is what a name denotes: a declaration of the shader, or a predeclared part of WGSL.
type Object struct {
	Kind  ObjectKind
	Name  string
	Ident *syntax.Ident // where it is declared; nil if predeclared
	Decl  syntax.Node   // *syntax.VarDecl and so on; nil if predeclared
	// Type is the type of the value. For a variable it is the *Reference to its memory. For a type,
	// structure or alias it is the type itself, and for a function its result or nil. It is nil if
	// the declaration has an error.
	Type   Type
	Value  Value // of a const
	Global bool  // declared at module scope

	Group, Binding *uint32  // of a resource variable
	ID             *uint32  // @id of an override
	Builtin        *Builtin // of a builtin function

	state    resolveState
	bad      bool      // an error was reported: report nothing more
	mentions []*Object // the module-scope objects that its declaration names
	function *Function // of a function
	from     int32     // in scope from this offset on
}

// Span returns the place of the declaration; empty if predeclared.
func (o *Object) Span() syntax.Span {
	if o.Ident == nil {
		return syntax.Span{}
	}
	return o.Ident.Span()
}

// Store returns the type that a variable holds, or else the object's type.
func (o *Object) Store() Type { return Unref(o.Type) }

// Space returns the address space of a variable, or else NoSpace.
func (o *Object) Space() AddressSpace {
	if r, ok := o.Type.(*Reference); ok {
		return r.Space
	}
	return NoSpace
}

// Access returns the access mode of a variable, or else NoAccess.
func (o *Object) Access() AccessMode {
	if r, ok := o.Type.(*Reference); ok {
		return r.Access
	}
	return NoAccess
}

// CallKind is the kind of a call.
type CallKind uint8

// The call kinds.
const (
	UserCall      CallKind = iota // calls Function
	BuiltinCall                   // calls Builtin, by Overload
	ConstructCall                 // makes a value of Type: a zero value, from parts, or a conversion
)

// Call describes a call expression.
type Call struct {
	Kind     CallKind
	Function *Function // for a UserCall
	Builtin  *Builtin  // for a BuiltinCall, and for a ConstructCall of scalars, vectors and matrices
	Overload *Overload // the chosen one, if there is a Builtin
	Params   []Type    // the type that each argument is converted to
	Type     Type      // the result; nil for nothing
}

// Function is a function that the shader declares.
type Function struct {
	Object  *Object
	Decl    *syntax.FuncDecl
	Params  []*Object
	Result  Type // nil for nothing
	MustUse bool
	Entry   *EntryPoint // nil for ordinary functions
	Calls   []CallSite  // calls of functions that the shader declares, in source order
	Globals []*Object   // module-scope variables, overrides and consts that its own declaration names
	Locals  []*Object   // variables declared in it, in source order

	needs []stageNeed
}

// CallSite is one call of a function that the shader declares.
type CallSite struct {
	Callee *Function
	Call   *syntax.CallExpr
}

// ShaderStage is the stage of an entry point (§ 13.1).
type ShaderStage uint8

// The shader stages.
const (
	NoShaderStage ShaderStage = iota
	VertexStage
	FragmentStage
	ComputeStage
)

// String returns the stage's attribute.
func (s ShaderStage) String() string { return [...]string{"", "vertex", "fragment", "compute"}[s] }

// EntryPoint is a function at which a pipeline can start, with everything that it needs from
// outside (§ 13).
type EntryPoint struct {
	*Function
	Stage ShaderStage
	// WorkgroupSize holds the sizes in x, y and z of a compute entry point.
	WorkgroupSize [3]Dimension
	Inputs        []IOVar
	Outputs       []IOVar

	// The objects that the functions of the stage name, directly or through others (§ 13.3,
	// statically accessed).
	Functions []*Function // of the stage, callees before callers, so the entry point's own function is last
	Resources []*Object   // by group, then binding
	Workgroup []*Object   // workgroup variables, in source order
	Private   []*Object   // private variables, in source order
	Immediate *Object     // or nil
	Overrides []*Object   // in source order
}

// Dimension is a constant, or an override expression whose value Pipeline holds.
type Dimension struct {
	Value uint32      // 0 if CheckedExpr is an override expression
	Expr  syntax.Expr // nil if it was left out; then Value is 1
}

// IO describes how a parameter, result or member passes between stages (§ 13.3.1).
type IO struct {
	Builtin       string // global_invocation_id and so on, or ""
	DepthMode     string // the second word of @builtin(frag_depth, less)
	Location      *uint32
	BlendSrc      *uint32
	Interpolation string // perspective, linear, flat or ""
	Sampling      string // center, centroid, sample, first, either or ""
	Invariant     bool
}

// IOVar is one input or output of an entry point: a parameter, the result, or a member of either.
type IOVar struct {
	IO
	Type   Type
	Param  *Object // nil for results
	Member *Member // nil if it is not in a structure
	Span   syntax.Span
}

// Scope is a range of the source and the names declared in it.
type Scope struct {
	Span    syntax.Span
	Parent  *Scope // nil for the module
	Objects []*Object

	names map[string]*Object // of large scopes
}

// InScope returns the objects whose names are usable at the byte offset, inner ones first, each
// name once. It leaves out predeclared ones.
func (info *Info) InScope(offset int32) []*Object {
	var innermost *Scope
	for _, s := range info.Scopes {
		if s.Parent == nil || s.Span.Start <= offset && offset <= s.Span.End {
			innermost = s // Scopes lists outer scopes before inner ones
		}
	}
	var found []*Object
	seen := map[string]bool{}
	for s := innermost; s != nil; s = s.Parent {
		for i := len(s.Objects) - 1; i >= 0; i-- {
			if o := s.Objects[i]; !seen[o.Name] && (s.Parent == nil || o.from <= offset) {
				seen[o.Name] = true
				found = append(found, o)
			}
		}
	}
	return found
}

// ScopeOf returns the scope that declares an object, or nil for a predeclared object.
func (info *Info) ScopeOf(o *Object) *Scope {
	for _, s := range info.Scopes {
		if slices.Contains(s.Objects, o) {
			return s
		}
	}
	return nil
}

// TypeOf returns the static type of an expression, or nil.
func (info *Info) TypeOf(x syntax.Expr) Type {
	if e := info.Exprs[x]; e != nil && e.Mode == ValueMode {
		return e.Type
	}
	return nil
}

// ValueType returns the type of an expression's value after conversion, or nil.
func (info *Info) ValueType(x syntax.Expr) Type {
	if e := info.Exprs[x]; e != nil && e.Mode == ValueMode {
		return e.ValueType()
	}
	return nil
}

// ValueOf returns the value of a constant expression; it is not Valid if there is none.
func (info *Info) ValueOf(x syntax.Expr) Value {
	if e := info.Exprs[x]; e != nil {
		return e.Value
	}
	return Value{}
}

// Function returns the function that an object denotes, or nil.
func (info *Info) Function(o *Object) *Function { return info.funcs[o] }

// Entry returns the entry point with the given name, or nil.
func (info *Info) Entry(name string) *EntryPoint {
	for _, e := range info.EntryPoints {
		if e.Object.Name == name {
			return e
		}
	}
	return nil
}

// Root returns the variable or parameter that a memory view comes from (§ 11.4.1, root identifier).
// It follows lets, and returns nil if the expression is not a memory view.
func (info *Info) Root(x syntax.Expr) *Object {
	for {
		switch e := x.(type) {
		case *syntax.IdentExpr:
			o := info.Uses[e]
			if o == nil || o.Kind != LetObject {
				return o
			}
			x = o.Decl.(*syntax.LetDecl).Init
		case *syntax.ParenExpr:
			x = e.X
		case *syntax.UnaryExpr:
			x = e.X
		case *syntax.IndexExpr:
			x = e.X
		case *syntax.MemberExpr:
			x = e.X
		case *syntax.CallExpr: // a view of a buffer, the only call that gives a pointer
			if len(e.Args) == 0 || info.Calls[e] == nil || !info.Calls[e].Views() {
				return nil
			}
			x = e.Args[0]
		default:
			return nil
		}
	}
}

// byBinding sorts resources by group, then binding.
func byBinding(resources []*Object) {
	sort.SliceStable(resources, func(i, j int) bool {
		a, b := resources[i], resources[j]
		if *a.Group != *b.Group {
			return *a.Group < *b.Group
		}
		return *a.Binding < *b.Binding
	})
}
