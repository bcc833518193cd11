// Package webgpu is WebGPU for compute, watched. It has WebGPU's objects and calls, checks each
// call by the specification's rules before an engine sees it, records it with its place in the
// caller's program, and runs it on a device of internal/machine/engine/gpu.
//
// The package knows no language. A layer above it gives the calls their names in a language and
// says where they come from: package pkg/wgpu for Go. A call that breaks a rule returns a *Mistake,
// which holds the rule, two sentences and the places in the program. The object that such a call
// makes is not nil, but invalid, as in WebGPU.
//
// Rules lists all rules; each names its section of the specification, https://www.w3.org/TR/webgpu.
// Habits lists what WebGPU allows although it is wrong or wasteful; Record.Habits finds it.
package webgpu
