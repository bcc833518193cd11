package webgpu

import "sync/atomic"

// current is the record that new instances of the Go binding write to.
var current atomic.Pointer[Record]

// NewRecord makes a record that keeps all calls, for a check to judge.
func NewRecord() *Record { return &Record{judged: true} }

// Watch makes a record to which all instances write that the Go binding makes from now on. A
// program has no way to say where its calls go, so this is the same for the whole process.
func Watch() *Record {
	r := NewRecord()
	r.limits = checkMemory
	current.Store(r)
	return r
}

// Current returns the record of the latest Watch, or nil.
func Current() *Record { return current.Load() }
