package machinecode

import (
	"errors"
	"fmt"
	"syscall/js"
	"unsafe"

	"github.com/wgslab/wgslab/internal/machine/sim/wasm"
)

func init() { wasm.Use(engine{}) }

// engine is the browser's. Its modules have memories of their own.
type engine struct{}

var webAssembly = js.Global().Get("WebAssembly")

// Compile compiles a module.
func (engine) Compile(module []byte) (compiled wasm.Compiled, err error) {
	defer caught(&err)
	bytes := js.Global().Get("Uint8Array").New(len(module))
	js.CopyBytesToJS(bytes, module)
	return code{webAssembly.Get("Module").New(bytes)}, nil
}

// caught turns what the browser throws into an error.
func caught(err *error) {
	if thrown := recover(); thrown != nil {
		if *err, _ = thrown.(error); *err == nil {
			*err = fmt.Errorf("the browser's WebAssembly: %v", thrown)
		}
	}
}

type code struct{ module js.Value }

func (code) Close() {}

var errManyCores = errors.New("a page has one core")

// Start instantiates the module.
func (c code) Start(words []uint32, hosts []wasm.Host) (started *wasm.Started, err error) {
	defer caught(&err)
	if len(hosts) > 1 {
		return nil, errManyCores
	}
	var functions []js.Func
	host := map[string]any{}
	add := func(name string, do func(n []uint32) any) {
		f := js.FuncOf(func(_ js.Value, args []js.Value) any {
			n := make([]uint32, len(args))
			for i, a := range args {
				n[i] = uint32(a.Int())
			}
			return do(n)
		})
		functions = append(functions, f)
		host[name] = f
	}
	add("function1", func(n []uint32) any { return int32(wasm.Function1(n[0], n[1])) })
	add("function2", func(n []uint32) any { return int32(wasm.Function2(n[0], n[1], n[2])) })
	add("function3", func(n []uint32) any { return int32(wasm.Function3(n[0], n[1], n[2], n[3])) })
	for _, name := range []string{"execute", "own"} { // programs that need them are left to the interpreter
		add(name, func([]uint32) any { return nil })
	}
	instance := webAssembly.Get("Instance").New(c.module, map[string]any{wasm.HostModule: host})
	exports := instance.Get("exports")
	memory := exports.Get("memory")
	const page = 1 << 16
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), 4*len(words))
	memory.Call("grow", len(bytes)/page)
	all := js.Global().Get("Uint8Array").New(memory.Get("buffer"))
	run := exports.Get("run")
	started = &wasm.Started{
		Stop: func() {
			for _, f := range functions {
				f.Release()
			}
		},
		Push: func(from, to uint32) { js.CopyBytesToJS(all.Call("subarray", 4*from, 4*to), bytes[4*from:4*to]) },
		Pull: func(from, to uint32) { js.CopyBytesToGo(bytes[4*from:4*to], all.Call("subarray", 4*from, 4*to)) },
	}
	started.Calls = []wasm.Runner{func(core, first uint32) (at uint32, err error) {
		defer caught(&err)
		return uint32(run.Invoke(core, first).Int()), nil
	}}
	return started, nil
}
