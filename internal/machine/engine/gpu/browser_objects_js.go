package gpu

import (
	"errors"
	"fmt"
	"syscall/js"
	"time"

	"github.com/wgslab/wgslab/internal/ground/fence"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/wgsl"
)

// The functions below call the browser's WebGPU. The module cogentcore/webgpu supports browsers as
// well, but it lacks error scopes, compiler messages and lost devices, and returns a nil pointer if
// there is no adapter.
//
// A call waits only for promises, so the page's other work continues. No type here embeds
// js.Value: html/template makes the linker keep every method, also those of an embedded value.

// openingDeadline is the time limit for the browser to provide a device.
const openingDeadline = 15 * time.Second

// requestAdapter returns the browser's fastest adapter, or one in software.
func requestAdapter(software bool) (js.Value, error) {
	navigator := js.Global().Get("navigator")
	if navigator.IsUndefined() || navigator.Get("gpu").IsUndefined() {
		return js.Null(), errors.New("this browser has no WebGPU, or not for pages from this address")
	}
	adapter, err := within(openingDeadline, navigator.Get("gpu").Call("requestAdapter", map[string]any{
		"powerPreference": "high-performance", "forceFallbackAdapter": software,
	}))
	if err != nil || adapter.IsNull() {
		return js.Null(), errors.New("this browser's WebGPU finds no adapter")
	}
	return adapter, nil
}

// infoOf returns a word that the browser says about an adapter, or "".
func infoOf(adapter js.Value, what string) string {
	if word := adapter.Get("info").Get(what); word.Type() == js.TypeString {
		return word.String()
	}
	return ""
}

// hasFeature reports whether an adapter has a feature.
func hasFeature(adapter js.Value, feature string) bool {
	return adapter.Get("features").Call("has", feature).Bool()
}

// subgroupSizes returns the smallest and the largest size of subgroups. Those of a browser that
// doesn't say so are WebGPU's bounds.
func subgroupSizes(adapter js.Value) [2]uint32 {
	sizes := [2]uint32{4, 128}
	for i, name := range []string{"subgroupMinSize", "subgroupMaxSize"} {
		if size := adapter.Get("info").Get(name); size.Type() == js.TypeNumber && size.Int() > 0 {
			sizes[i] = uint32(size.Int())
		}
	}
	return sizes
}

// requestDevice returns a device with the adapter's maximum of some limits, and those of some
// features that the adapter has.
func requestDevice(adapter js.Value, limits, features []string) (js.Value, error) {
	required, wanted := map[string]any{}, []any{}
	for _, name := range limits {
		required[name] = adapter.Get("limits").Get(name)
	}
	for _, name := range features {
		if hasFeature(adapter, name) {
			wanted = append(wanted, name)
		}
	}
	return within(openingDeadline, adapter.Call("requestDevice", map[string]any{"requiredLimits": required, "requiredFeatures": wanted}))
}

// listen passes on the errors that the browser reports on its own: invalid calls, and the loss of
// the device. It returns what receives them, which is removed before the device is destroyed.
func listen(device js.Value, invalid, lost func(message string)) js.Func {
	hear := js.FuncOf(func(_ js.Value, arguments []js.Value) any {
		invalid(arguments[0].Get("error").Get("message").String())
		arguments[0].Call("preventDefault") // else the page's console also shows it
		return nil
	})
	device.Call("addEventListener", "uncapturederror", hear)
	go func() {
		if why, err := settled(device.Get("lost")); err == nil && why.Get("reason").String() != "destroyed" {
			lost(why.Get("message").String())
		}
	}()
	return hear
}

// settled waits for a promise.
func settled(promise js.Value) (js.Value, error) {
	var value js.Value
	o := <-settling(promise, &value)
	return value, o.Value()
}

// within waits for a promise with a deadline.
func within(deadline time.Duration, promise js.Value) (js.Value, error) {
	var value js.Value
	select {
	case o := <-settling(promise, &value):
		return value, o.Value()
	case <-time.After(deadline):
		return js.Null(), fmt.Errorf("no answer within %v", deadline)
	}
}

// settling returns a channel that receives the rejection error, or nil, when a promise is settled.
// If it was fulfilled, value then holds the result.
func settling(promise js.Value, value *js.Value) <-chan fence.Returned[error] {
	done := make(chan fence.Returned[error], 1)
	var kept, broken js.Func
	end := func(err error) {
		kept.Release()
		broken.Release()
		done <- fence.Of(err)
	}
	kept = js.FuncOf(func(_ js.Value, arguments []js.Value) any {
		*value = arguments[0]
		end(nil)
		return nil
	})
	broken = js.FuncOf(func(_ js.Value, arguments []js.Value) any {
		end(errors.New(arguments[0].Get("message").String()))
		return nil
	})
	promise.Call("then", kept, broken)
	return done
}

var uint8Array = js.Global().Get("Uint8Array")

// mapRead is WebGPU's flag for mapping a buffer to read it.
const mapRead = 0x1

// mapped begins to map a part of a buffer for reading. The channel receives the error, or nil.
func mapped(buffer js.Value, offset, size uint64) <-chan fence.Returned[error] {
	return settling(buffer.Call("mapAsync", mapRead, offset, size), new(js.Value))
}

// mappedBytes copies a range of a mapped buffer. A browser returns each range once.
func mappedBytes(buffer js.Value, into []byte, offset uint64) {
	js.CopyBytesToGo(into, uint8Array.New(buffer.Call("getMappedRange", offset, len(into))))
}

// A compilerMessage is an error that the browser's compiler found in a shader. line and column
// count from 1; column and length are in UTF-16 code units.
type compilerMessage struct {
	line, column, length int
	text                 string
}

func (m *compilerMessage) Error() string { return fmt.Sprintf("line %d: %s", m.line, m.text) }

// compiled compiles a shader. A mistake in the shader comes back as a *compilerMessage.
func compiled(device js.Value, code string) (js.Value, error) {
	device.Call("pushErrorScope", "validation")
	module := device.Call("createShaderModule", map[string]any{"code": code})
	settling(device.Call("popErrorScope"), new(js.Value)) // the compiler's messages say more
	info, err := settled(module.Call("getCompilationInfo"))
	if err != nil {
		return module, err
	}
	messages := info.Get("messages")
	for i := range messages.Length() {
		if m := messages.Index(i); m.Get("type").String() == "error" {
			return module, &compilerMessage{m.Get("lineNum").Int(), m.Get("linePos").Int(), m.Get("length").Int(), m.Get("message").String()}
		}
	}
	return module, nil
}

// computeStage is WebGPU's flag for what compute shaders see.
const computeStage = 0x4

// pipelineOf describes a pipeline for the browser: a module with the function to start, values for
// overrides, and bindings.
func pipelineOf(device, module js.Value, source *shader.Source, laid []wgsl.Binding) map[string]any {
	constants := map[string]any{}
	for key, value := range source.Constants() {
		constants[key] = value
	}
	entries := make([][]any, 1) // a layout has at least one group
	for _, b := range laid {
		for int(b.Group) >= len(entries) {
			entries = append(entries, nil)
		}
		entries[b.Group] = append(entries[b.Group], map[string]any{
			"binding": b.Number, "visibility": computeStage, "buffer": map[string]any{"type": shader.BindingKinds[b.Space]},
		})
	}
	groups := make([]any, len(entries))
	for i, of := range entries {
		groups[i] = device.Call("createBindGroupLayout", map[string]any{"entries": of})
	}
	return map[string]any{
		"layout":  device.Call("createPipelineLayout", map[string]any{"bindGroupLayouts": groups}),
		"compute": map[string]any{"module": module, "entryPoint": source.EntryPoint(), "constants": constants},
	}
}
