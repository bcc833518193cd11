package types

import "github.com/wgslab/wgslab/internal/wgsl/syntax"

// Options say what the implementation can do. The zero value is core WGSL.
type Options struct {
	Features Features
}

// resolveState is how far a module-scope declaration is understood.
type resolveState uint8

const (
	unresolved resolveState = iota
	resolving
	resolved
)

// Check finds out what every name and expression of the shader is. There is always an Info, whatever is wrong; the
// diagnostics are in source order.
func Check(file *syntax.File, options Options) (*Info, []*syntax.Diagnostic) {
	return &Info{File: file}, nil
}
