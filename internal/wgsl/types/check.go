package types

import (
	"slices"
	"sort"

	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// Options describe the capabilities of the implementation. The zero value is core WGSL.
type Options struct {
	Features Features
	Implied  Features // the extensions that the implementation has without `enable`
}

// resolveState says how far a module-scope declaration has been resolved.
type resolveState uint8

const (
	unresolved resolveState = iota
	resolving
	resolved
)

// maxErrors is the maximum number of reported errors. People read no more, and a hostile shader
// could have millions.
const maxErrors = 200

// maxReach is the maximum number of steps through the call graph and its declarations, for all
// entry points together. Real shaders need a few hundred.
const maxReach = 1 << 19

// maxChain is the maximum length of a chain of dependent declarations, so that no shader exhausts
// the stack.
const maxChain = 2000

// Check resolves and type-checks every name and expression of the shader. It always returns an
// Info, even after errors. The diagnostics are in source order.
func Check(file *syntax.TranslationUnit, options Options) (*Info, []*findings.Finding) {
	c := &checker{features: options.Features, module: make(map[string]*Object, 2*len(file.Decls))}
	size := 64
	if file.Source != nil {
		size = len(file.Source.Text) / 10
	}
	c.info = &Info{
		File:  file,
		Exprs: make(map[syntax.Expr]*CheckedExpr, size),
		Uses:  make(map[*syntax.IdentExpr]*Object, size/2),
		Defs:  make(map[*syntax.Ident]*Object, size/8),
		Calls: make(map[*syntax.CallExpr]*Call, size/16),
		funcs: map[*Object]*Function{}, module: c.module, index: &scopeIndex{}, Enabled: options.Implied,
	}
	c.reachBudget, c.unknown, c.ids = maxReach, map[string]role{}, map[uint32]*Object{}
	c.openScope(file.Span())
	c.directives(file.Directives)
	c.collect(file.Decls)
	c.declarations(file.Decls)
	c.functionBodies()
	c.callGraph()
	c.entryPoints()
	sort.SliceStable(c.diagnostics, func(i, j int) bool {
		return c.diagnostics[i].Span.Start < c.diagnostics[j].Span.Start
	})
	return c.info, c.diagnostics
}

// checker is the state of one Check.
type checker struct {
	info        *Info
	features    Features // of the implementation
	module      map[string]*Object
	scope       *Scope    // the innermost open one
	upTo        int32     // only local names that are usable at this offset count; 0 if all do
	owner       *Object   // the module-scope declaration being checked
	function    *Function // the function being checked
	flow        flowContext
	unevaluated int             // above 0 if constants are typed but not computed
	recursive   bool            // an error was reported: the call graph has a cycle
	reachBudget int             // of steps through the call graph
	unknown     map[string]role // undeclared names already reported
	asked       []string        // the features in directives that this package doesn't know yet
	muted       bool
	views       []unsizedView
	isLength    bool               // the expression is the length of an array
	ids         map[uint32]*Object // overrides by @id
	chain       int
	slab        []CheckedExpr
	diagnostics []*findings.Finding
}

// errorf reports an error and returns it, so that the caller can add to it.
func (c *checker) errorf(kind findings.Kind, at syntax.Node, format string, args ...any) *findings.Finding {
	return c.report(findings.Errorf(kind, at.Span(), format, args...))
}

func (c *checker) report(d *findings.Finding) *findings.Finding {
	if !c.full() && !c.muted {
		c.diagnostics = append(c.diagnostics, d)
	}
	return d
}

// full reports whether the limit of errors is reached.
func (c *checker) full() bool { return len(c.diagnostics) >= maxErrors }

// quietly runs f and drops its errors, because they follow from one that has been reported.
func (c *checker) quietly(f func()) {
	outer := c.muted
	c.muted = true
	f()
	c.muted = outer
}

func (c *checker) fault(at syntax.Node, bad *fault) {
	d := c.errorf(bad.kind, at, "%s", bad.message)
	d.Hint = bad.hint
}

// Scopes (§ 5).

func (c *checker) openScope(span syntax.Span) {
	s := &Scope{Span: span, Parent: c.scope}
	c.info.Scopes = append(c.info.Scopes, s)
	c.scope = s
}

func (c *checker) closeScope() { c.scope = c.scope.Parent }

// declare adds a name to the innermost scope, visible from the offset on.
func (c *checker) declare(o *Object, from int32) {
	o.from = from
	c.info.Defs[o.Ident] = o
	if earlier := c.scope.find(o.Name); earlier != nil {
		c.errorf("redeclared", o.Ident, "`%s` is declared twice in the same scope.", o.Name).
			See(earlier.Span(), "`%s` is a %s here.", earlier.Name, earlier.Kind).
			Try("Give one of them another name.")
	}
	c.scope.add(o)
}

// manyNames is the number of names from which on a scope stores them in a map.
const manyNames = 12

func (s *Scope) add(o *Object) {
	s.Objects = append(s.Objects, o)
	if s.names != nil {
		s.names[o.Name] = o
	} else if len(s.Objects) > manyNames {
		s.names = make(map[string]*Object, 2*manyNames)
		for _, o := range s.Objects {
			s.names[o.Name] = o
		}
	}
}

func (s *Scope) find(name string) *Object {
	if s.names != nil {
		return s.names[name]
	}
	for i := len(s.Objects) - 1; i >= 0; i-- {
		if s.Objects[i].Name == name {
			return s.Objects[i]
		}
	}
	return nil
}

// lookup returns the object of a name: a local one, else one of the module, else a predeclared one
// (§ 5).
func (c *checker) lookup(name string) *Object {
	for s := c.scope; s != nil && s.Parent != nil; s = s.Parent {
		if o := s.find(name); o != nil && (c.upTo == 0 || o.from <= c.upTo) {
			return o
		}
	}
	if o := c.module[name]; o != nil {
		return o
	}
	return predeclared()[name]
}

// Directives (§ 4).

func (c *checker) directives(list []syntax.Directive) {
	for _, directive := range list {
		switch d := directive.(type) {
		case *syntax.EnableDirective:
			for _, name := range d.Names {
				c.enable(name)
			}
		case *syntax.RequiresDirective:
			for _, name := range d.Names {
				c.require(name)
			}
		}
	}
	c.globalFilters(list)
}

func (c *checker) enable(name *syntax.Ident) {
	feature, known := enableNames[name.Name]
	switch {
	case !known && c.laterDirective(name):
	case !known && requireNames[name.Name] != 0:
		c.errorf("unknown-extension", name, "`%s` is a language feature, not an extension to enable.", name.Name).
			Try("Write `requires %s;`, or delete the line.", name.Name)
	case !known:
		c.suggest(c.errorf("unknown-extension", name, "There is no extension `%s`.", name.Name), name.Name, keysOf(enableNames))
	case !c.features.Has(feature):
		c.errorf("unsupported-extension", name, "The extension `%s` is not available here.", name.Name)
	}
	c.info.Asked |= feature
	c.info.Enabled |= feature
	if feature == FeatureSubgroupSizeControl {
		c.info.Enabled |= FeatureSubgroups
	}
}

func (c *checker) require(name *syntax.Ident) {
	feature, known := requireNames[name.Name]
	c.info.Asked |= feature
	switch {
	case !known && c.laterDirective(name):
	case !known && enableNames[name.Name] != 0:
		c.errorf("unknown-feature", name, "`%s` is an extension, not a language feature.", name.Name).
			Try("Write `enable %s;`.", name.Name)
	case !known:
		c.suggest(c.errorf("unknown-feature", name, "There is no language feature `%s`.", name.Name), name.Name, keysOf(requireNames))
	case !c.features.Has(feature):
		c.errorf("unsupported-feature", name, "The language feature `%s` is not available here.", name.Name)
	}
}

// extensions are the features that a shader has to enable.
const extensions = FeatureStorageTextures - 1

// has reports whether the shader may use a feature: a language feature if the implementation has
// it, an extension if the shader enables it.
func (c *checker) has(f Feature) bool {
	c.info.Asked |= f &^ extensions
	return c.info.Enabled.Has(f&extensions) && c.features.Has(f&^extensions)
}

// needs reports that a construct requires a missing feature.
func (c *checker) needs(at syntax.Node, what string, f Feature) {
	if f&extensions != 0 {
		d := c.errorf("extension-not-enabled", at, "%s needs the extension `%s`.", what, f).
			Try("Write `enable %s;` on the first line, if the device has it.", f)
		if c.features.Has(f) {
			d.Replace(syntax.Span{}, "enable "+f.String()+";\n", "write `enable "+f.String()+";`")
		}
		return
	}
	c.errorf("feature-missing", at, "%s needs the language feature `%s`, which not every implementation has.", what, f)
}

// Module-scope declarations (§ 5).

// collect declares every name of the module, so that each can be used before its declaration.
func (c *checker) collect(decls []syntax.Decl) {
	for _, decl := range decls {
		switch d := decl.(type) {
		case *syntax.VarDecl:
			c.collectOne(VarObject, d.Name, d)
		case *syntax.ConstDecl:
			c.collectOne(ConstObject, d.Name, d)
		case *syntax.OverrideDecl:
			c.collectOne(OverrideObject, d.Name, d)
		case *syntax.AliasDecl:
			c.collectOne(AliasObject, d.Name, d)
		case *syntax.StructDecl:
			c.collectOne(StructObject, d.Name, d)
		case *syntax.FuncDecl:
			c.collectOne(FunctionObject, d.Name, d)
		}
	}
}

func (c *checker) collectOne(kind ObjectKind, name *syntax.Ident, decl syntax.Node) {
	if name == nil {
		return
	}
	o := &Object{Kind: kind, Name: name.Name, Ident: name, Decl: decl, Global: true}
	c.info.Defs[name] = o
	if name.Name == "" {
		return
	}
	if earlier := c.module[name.Name]; earlier != nil {
		c.errorf("redeclared", name, "`%s` is declared twice.", name.Name).
			See(earlier.Span(), "`%s` is a %s here.", name.Name, earlier.Kind).Try("Give one of them another name.")
		return
	}
	c.module[name.Name] = o
	c.scope.Objects = append(c.scope.Objects, o)
}

// declarations checks everything at module scope except the bodies of functions.
func (c *checker) declarations(decls []syntax.Decl) {
	for _, decl := range decls {
		switch d := decl.(type) {
		case *syntax.VarDecl:
			c.resolveNamed(d.Name)
		case *syntax.ConstDecl:
			c.resolveNamed(d.Name)
		case *syntax.OverrideDecl:
			c.resolveNamed(d.Name)
		case *syntax.AliasDecl:
			c.resolveNamed(d.Name)
		case *syntax.StructDecl:
			c.resolveNamed(d.Name)
		case *syntax.FuncDecl:
			c.resolveNamed(d.Name)
		case *syntax.ConstAssert:
			c.constAssert(d)
		}
	}
}

func (c *checker) resolveNamed(name *syntax.Ident) {
	if name != nil {
		c.resolve(c.info.Defs[name])
	}
}

// resolve checks the declaration of a module-scope object, once.
func (c *checker) resolve(o *Object) {
	if o.state != unresolved {
		return
	}
	outer := *c
	for c.scope.Parent != nil {
		c.scope = c.scope.Parent
	}
	c.owner, c.function, c.unevaluated, c.flow = o, nil, 0, flowContext{}
	c.chain++
	o.state = resolving
	if c.chain > maxChain {
		c.errorf("too-deep", o.Ident, "More than %d declarations depend on each other in a row here.", maxChain)
	} else {
		c.resolveDecl(o)
	}
	o.state = resolved
	c.scope, c.owner, c.function, c.unevaluated, c.flow, c.chain =
		outer.scope, outer.owner, outer.function, outer.unevaluated, outer.flow, outer.chain
}

func (c *checker) resolveDecl(o *Object) {
	switch d := o.Decl.(type) {
	case *syntax.VarDecl:
		c.globalVar(o, d)
	case *syntax.ConstDecl:
		c.constDecl(o, d)
	case *syntax.OverrideDecl:
		c.overrideDecl(o, d)
	case *syntax.AliasDecl:
		o.Type = c.typeExpr(d.Type)
	case *syntax.StructDecl:
		c.structDecl(o, d)
	case *syntax.FuncDecl:
		c.functionHeader(o, d)
	}
}

// use records that the current declaration names o, and resolves o first. It reports whether o is
// usable.
func (c *checker) use(x *syntax.IdentExpr, o *Object) bool {
	if !o.Global {
		return true
	}
	if o.state == resolving && o.Kind != FunctionObject {
		if !o.bad {
			o.bad = true
			c.errorf("cycle", x, "`%s` depends on itself.", o.Name).
				See(o.Span(), "`%s` is declared here.", o.Name).
				Try("Break the cycle: one of the declarations must do without the others.")
		}
		return false
	}
	c.resolve(o)
	c.mention(o)
	return true
}

// mention records that the current declaration names a module-scope object (§ 13.3, statically
// accessed).
func (c *checker) mention(o *Object) {
	if c.owner == nil || c.owner == o {
		return
	}
	list := &c.owner.mentions
	if n := len(*list); n > 0 && (*list)[n-1] == o {
		return
	}
	if len(*list) < 16 {
		if slices.Contains(*list, o) {
			return
		}
	}
	*list = append(*list, o)
}
