//go:build !js

package machinecode

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"unsafe"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"

	"github.com/wgslab/wgslab/internal/ground/fence"
	"github.com/wgslab/wgslab/internal/machine/sim/wasm"
)

func init() { wasm.Use(engine{}) }

// engine is wazero.
type engine struct{}

// started is wazero with the host's functions, made at the first use. All modules share it.
var started = sync.OnceValues(start)

// A running is a core's host, as the context of a call has it.
type running struct{ wasm.Host }

type hostKey struct{}

func start() (made wazero.Runtime, err error) {
	fault := fence.Around(func() {
		made = wazero.NewRuntimeWithConfig(context.Background(), wazero.NewRuntimeConfigCompiler())
		host := made.NewHostModuleBuilder(wasm.HostModule)
		add := func(name string, params, results int, do func(ctx context.Context, s []uint64)) {
			word := api.ValueTypeI32
			kinds := []api.ValueType{word, word, word, word}
			host = host.NewFunctionBuilder().WithGoFunction(api.GoFunc(do), kinds[:params], kinds[:results]).Export(name)
		}
		add("function1", 2, 1, func(_ context.Context, s []uint64) { s[0] = uint64(wasm.Function1(uint32(s[0]), uint32(s[1]))) })
		add("function2", 3, 1, func(_ context.Context, s []uint64) {
			s[0] = uint64(wasm.Function2(uint32(s[0]), uint32(s[1]), uint32(s[2])))
		})
		add("function3", 4, 1, func(_ context.Context, s []uint64) {
			s[0] = uint64(wasm.Function3(uint32(s[0]), uint32(s[1]), uint32(s[2]), uint32(s[3])))
		})
		add("execute", 3, 0, func(ctx context.Context, s []uint64) {
			ctx.Value(hostKey{}).(running).Execute(uint32(s[1]), uint32(s[2]))
		})
		add("own", 4, 0, func(ctx context.Context, s []uint64) {
			ctx.Value(hostKey{}).(running).Own(uint32(s[1]), uint32(s[2]), uint32(s[3]))
		})
		_, err = host.Instantiate(context.Background())
	})
	if fault != "" {
		return nil, fmt.Errorf("this system runs no machine code: %s", fault)
	}
	return made, err
}

// Compile compiles a module. It fails where a process may not make memory executable.
func (engine) Compile(module []byte) (compiled wasm.Compiled, err error) {
	made, err := started()
	if err != nil {
		return nil, err
	}
	fault := fence.Around(func() {
		var m wazero.CompiledModule
		if m, err = made.CompileModule(context.Background(), module); err == nil {
			compiled = code{made, m}
		}
	})
	if fault != "" {
		return nil, fmt.Errorf("wazero did not compile the module: %s", fault)
	}
	return compiled, err
}

type code struct {
	runtime wazero.Runtime
	module  wazero.CompiledModule
}

func (c code) Close() { _ = c.module.Close(context.Background()) }

// A given is memory that exists already.
type given []byte

func (g given) Reallocate(size uint64) []byte { return g[:size:size] }
func (g given) Free()                         {}

var errTooLarge = errors.New("wazero did not take the memory")

// Start instantiates the module on the given memory.
func (c code) Start(words []uint32, hosts []wasm.Host) (*wasm.Started, error) {
	bytes := given(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), 4*len(words)))
	ctx := experimental.WithMemoryAllocator(context.Background(), experimental.MemoryAllocatorFunc(func(uint64, uint64) experimental.LinearMemory { return bytes }))
	instance, err := c.runtime.InstantiateModule(ctx, c.module, wazero.NewModuleConfig().WithName("").WithStartFunctions())
	if err != nil {
		return nil, err
	}
	started := &wasm.Started{Stop: func() { _ = instance.Close(context.Background()) }}
	const page = 1 << 16
	if _, ok := instance.Memory().Grow(uint32(len(bytes) / page)); !ok {
		started.Stop()
		return nil, errTooLarge
	}
	for _, host := range hosts {
		run := instance.ExportedFunction("run")
		ctx := context.WithValue(context.Background(), hostKey{}, running{host})
		var stack [2]uint64
		started.Calls = append(started.Calls, func(core, first uint32) (uint32, error) {
			stack[0], stack[1] = uint64(core), uint64(first)
			err := run.CallWithStack(ctx, stack[:])
			return uint32(stack[0]), err
		})
	}
	return started, nil
}
