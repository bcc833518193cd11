package machinecode

import (
	"errors"
	"fmt"
	"sync"
	"syscall/js"
	"unsafe"

	"github.com/wgslab/wgslab/internal/machine/sim/wasm"
)

func init() { wasm.Use(engine{}) }

// engine is the browser's. Its modules have memories of their own.
type engine struct{}

var webAssembly = js.Global().Get("WebAssembly")

// imports are the host's functions. No program calls them here: those that would are interpreted.
var imports = sync.OnceValue(func() js.Value {
	host := js.Global().Get("Object").New()
	for _, name := range []string{"function1", "function2", "function3", "execute", "own"} {
		host.Set(name, js.Global().Get("Function").Get("prototype")) // does nothing
	}
	all := js.Global().Get("Object").New()
	all.Set(wasm.HostModule, host)
	return all
})

// Compile compiles a module.
func (engine) Compile(module []byte) (compiled wasm.Compiled, err error) {
	defer caught(&err)
	bytes := js.Global().Get("Uint8Array").New(len(module))
	js.CopyBytesToJS(bytes, module)
	return &code{module: webAssembly.Get("Module").New(bytes)}, nil
}

// caught turns what the browser throws into an error.
func caught(err *error) {
	if thrown := recover(); thrown != nil {
		if *err, _ = thrown.(error); *err == nil {
			*err = fmt.Errorf("the browser's WebAssembly: %v", thrown)
		}
	}
}

type code struct {
	module js.Value
	idle   *instance // for the next dispatch, or nil
}

func (c *code) Close() { c.idle = nil }

// An instance is a module with its memory. One dispatch at a time uses it.
type instance struct {
	memory, run js.Value
	bytes       int
	parts       map[[2]uint32]js.Value // of the memory, as Uint8Arrays, by their words
}

// mostIdle limits the memory of an instance that waits for the next dispatch, in bytes.
const mostIdle = 16 << 20

var errManyCores = errors.New("a page has one core")

// Start makes an instance ready, the idle one if there is one.
func (c *code) Start(words []uint32, hosts []wasm.Host) (started *wasm.Started, err error) {
	defer caught(&err)
	if len(hosts) > 1 {
		return nil, errManyCores
	}
	ready := c.idle
	if c.idle = nil; ready == nil {
		exports := webAssembly.Get("Instance").New(c.module, imports()).Get("exports")
		ready = &instance{memory: exports.Get("memory"), run: exports.Get("run")}
	}
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), 4*len(words))
	ready.grow(len(bytes))
	ready.parts = map[[2]uint32]js.Value{}
	return &wasm.Started{
		Calls: []wasm.Runner{ready.call},
		Stop: func() {
			if ready.bytes <= mostIdle {
				c.idle = ready
			}
		},
		Push: func(from, to uint32) { js.CopyBytesToJS(ready.part(from, to), bytes[4*from:4*to]) },
		Pull: func(from, to uint32) { js.CopyBytesToGo(bytes[4*from:4*to], ready.part(from, to)) },
	}, nil
}

// grow makes the memory large enough, which gives it another ArrayBuffer.
func (i *instance) grow(bytes int) {
	const page = 1 << 16
	if bytes <= i.bytes {
		return
	}
	i.memory.Call("grow", (bytes-i.bytes)/page)
	i.bytes = bytes
}

// part returns words of the memory. A dispatch copies the same few parts again and again.
func (i *instance) part(from, to uint32) js.Value {
	part, ok := i.parts[[2]uint32{from, to}]
	if !ok {
		part = js.Global().Get("Uint8Array").New(i.memory.Get("buffer"), 4*from, 4*(to-from))
		i.parts[[2]uint32{from, to}] = part
	}
	return part
}

func (i *instance) call(core, first uint32) (at uint32, err error) {
	defer caught(&err)
	return uint32(i.run.Invoke(core, first).Int()), nil
}
