package wasm

import (
	"errors"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/wgslab/wgslab/internal/machine/sim/ir"
)

// A CodeEngine makes machine code of modules. A process gets one from package machinecode. Without
// one, the simulator interprets.
type CodeEngine interface {
	Compile(module []byte) (Compiled, error)
}

// A Compiled is a module as machine code.
type Compiled interface {
	// Start makes the module ready for a dispatch whose memory is words, in whole pages. Each core
	// has a host.
	Start(words []uint32, hosts []Host) (*Started, error)
	Close()
}

// A Started is a module that is ready for a dispatch.
type Started struct {
	Calls []Runner // a function for each core
	Stop  func()   // frees it

	// If the module has a memory of its own, Push copies a range of words there, and Pull copies it
	// back. Both are nil if the words are the module's memory.
	Push, Pull func(from, to uint32)
}

// A Runner runs invocations of a core, whose context is at an address, from the first one on. It
// returns what the module's function does.
type Runner func(core, first uint32) (at uint32, err error)

// A Host executes the instructions that compiled code leaves to it.
type Host interface {
	// Execute executes the instruction with a number for an invocation of the workgroup.
	Execute(invocation, pc uint32)
	// Own records a watched access to a slot of an array of the invocation's own.
	Own(invocation, pc, slot uint32)
}

var engine CodeEngine

// Use sets the engine, before the first run.
func Use(e CodeEngine) { engine = e }

var used atomic.Bool

// Used reports whether the engine has compiled anything.
func Used() bool { return used.Load() }

// Available reports whether there is an engine.
func Available() bool { return engine != nil }

var errSharesMuch = errors.New("the program needs the host too often for an engine that copies memory")

var errNoEngine = errors.New("this program has no engine for compiled code")

// machineCode is the machine code of a Code, made at its first use.
type machineCode struct {
	once     sync.Once
	compiled Compiled
	err      error
}

// compile makes the machine code, once.
func (c *Code) compile() (Compiled, error) {
	c.machine.once.Do(func() {
		if engine == nil {
			c.machine.err = errNoEngine
			return
		}
		used.Store(true)
		if c.machine.compiled, c.machine.err = engine.Compile(c.Module); c.machine.err == nil {
			runtime.AddCleanup(c, Compiled.Close, c.machine.compiled)
		}
	})
	return c.machine.compiled, c.machine.err
}

// Start makes the arena's cores ready to run. The hosts execute what the cores leave to them.
func (a *Arena) Start(hosts []Host) (stop func(), err error) {
	compiled, err := a.code.compile()
	if err != nil {
		return nil, err
	}
	if a.started, err = compiled.Start(a.words, hosts); err != nil {
		return nil, err
	}
	if a.started.Push != nil && (a.code.callsHost || a.code.program.Subgroups) { // a call takes ten microseconds
		a.started.Stop()
		return nil, errSharesMuch
	}
	for i, core := range a.Cores {
		core.call = a.started.Calls[i]
	}
	return a.started.Stop, nil
}

// HostModule is the name under which a module imports the host's functions: Function1, Function2,
// Function3 and Host.Execute.
const HostModule = "host"

// Function1 computes a function of one scalar that compiled code leaves to the host.
func Function1(n, a uint32) uint32 {
	return ir.Functions1[n].Call(a)
}

// Function2 computes a function of two scalars.
func Function2(n, a, b uint32) uint32 {
	if n == remainder {
		return ir.Remainder(a, b)
	}
	return ir.Functions2[n].Call(a, b)
}

// Function3 computes a function of three scalars.
func Function3(n, a, b, c uint32) uint32 { return ir.Functions3[n].Call(a, b, c) }
