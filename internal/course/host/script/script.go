// Package script runs a learner's JavaScript on a watched navigator.gpu: in a Web Worker of the
// page, or in a terminal, where goja takes the browser's place. The classes are in
// internal/fronts/page/assets/gpu.js: they have WebGPU's names, and convert what a call gets as a
// browser does. Each call then goes, with the line that made it, to package webgpu here, which
// checks, records and runs it.
//
// Calls of WebGPU that return at once must do so here as well. JavaScript waits for Go's answer,
// and no promise and no timer can end during that wait. So such a call never waits for the browser:
// see gpu.WithoutWaiting. Promises are kept by a goroutine that polls the device.
package script

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/wgslab/wgslab/internal/course/host"
	js "github.com/wgslab/wgslab/internal/course/host/script/javascript"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/machine/webgpu"
	"github.com/wgslab/wgslab/internal/wgsl"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// A Program is a learner's JavaScript.
type Program struct {
	Task *host.HostTask
	File string // where it is saved, with .js at its end
	Text string
	Kind shader.AdapterKind // the engine that it runs on

	own    string         // the learner's host file
	beside host.Companion // what the program gets from it
}

// text returns all that runs: the program, and below it what belongs to it.
func (p *Program) text() string {
	text := p.Text + "\n"
	if p.Task.Work.Piece {
		text += whole
	}
	return text + p.beside.Script()
}

// place returns the place of a line of text; nil if it isn't the learner's.
func (p *Program) place(line int) *webgpu.SourcePlace {
	below := line - strings.Count(p.Text, "\n") - 1
	if below <= 0 {
		return &webgpu.SourcePlace{File: p.File, Line: line, Text: p.Text}
	}
	if p.Task.Work.Piece {
		below -= strings.Count(whole, "\n")
	}
	if below <= 0 {
		return nil
	}
	return p.beside.Place(below, p.own)
}

// returnOf returns the place of a function's last return, or of its declaration if it has none.
func (p *Program) returnOf(function string) webgpu.HostSite {
	line := host.ScriptReturn(p.Text, function)
	if line == 0 {
		return webgpu.HostSite{}
	}
	return webgpu.At(*p.place(line))
}

// undeclared says that the program lacks the function that the exercise asks for.
func (p *Program) undeclared() string {
	return fmt.Sprintf("%s declares no function `%s`, which the exercise asks for.", filepath.Base(p.File), p.Task.Work.Function)
}

// NewProgram returns a learner's program for an exercise, to call outside of a check.
func NewProgram(id, file, text string) (*Program, error) {
	p := &Program{File: file, Text: text}
	return p, p.prepare(id)
}

// Call calls the program's function once, on a device that it opens.
func (p *Program) Call(arguments ...any) ([]float64, error) {
	engine, err := engines.get(p.kind())
	if err != nil {
		return nil, fmt.Errorf("there is no device to run your function on: %w", err)
	}
	r := newRun(p, engine)
	defer r.end()
	device, err := r.openDevice()
	if err != nil {
		return nil, err
	}
	return r.call(p.Task.Work.Function, device, arguments)
}

// Run calls the program's function on a case. It is a host.LearnersFunction.
func (p *Program) Run(c host.Case, on func(adapter string)) ([]float64, error) {
	engine, err := engines.get(p.kind())
	if err != nil {
		return nil, fmt.Errorf("there is no device to run your function on: %w", err)
	}
	on(engine.Adapter().String())
	r := newRun(p, engine)
	defer r.end()
	if p.Task.Work.Opens {
		return r.call("wgslabOpen", nil, append([]any{c.Hidden}, wholeArguments(p.Task.Whole(c))...))
	}
	device, err := r.openDevice()
	if err != nil {
		return nil, err
	}
	if p.Task.Work.Piece {
		return r.call("wgslabWhole", device, wholeArguments(p.Task.Whole(c)))
	}
	return r.call(p.Task.Work.Function, device, p.Task.Arguments(c))
}

// kind is the engine that the program needs: a browser's timestamps are too coarse.
func (p *Program) kind() shader.AdapterKind {
	if p.Kind == shader.Best && p.Task.Work.Timed {
		return shader.Simulated
	}
	return p.Kind
}

// openEngines are the engines that are open: all runs share them.
type openEngines struct {
	lock sync.Mutex
	open map[shader.AdapterKind]*gpu.Device
	lost time.Time // when the browser's device was seen to be lost
}

// rest is how long the simulator replaces a browser's device that was lost. A shader that never
// ends occupies the browser's only process for the GPU.
const rest = 30 * time.Second

var engines = openEngines{open: map[shader.AdapterKind]*gpu.Device{}}

func (e *openEngines) get(kind shader.AdapterKind) (*gpu.Device, error) {
	e.lock.Lock()
	defer e.lock.Unlock()
	if d := e.open[kind]; d != nil && d.Lost() == nil {
		return d, nil
	} else if d != nil && kind == shader.Best {
		e.lost = time.Now()
	}
	if kind == shader.Best && time.Since(e.lost) < rest {
		delete(e.open, kind)
		kind = shader.Simulated
		if d := e.open[kind]; d != nil && d.Lost() == nil {
			return d, nil
		}
	}
	d, err := gpu.Open(gpu.Require(kind), gpu.WithoutWaiting(), gpu.KeepPrograms(8))
	if err == nil {
		e.open[kind] = d
	}
	return d, err
}

// A run is one call of the learner's function.
type run struct {
	program  *Program
	engine   *gpu.Device
	instance *webgpu.Instance
	objects  []any          // by their handles; 0 is none
	ranges   map[int][]byte // what getMappedRange returned, by the range's handle
	waiting  int            // promises that are not kept yet
	polling  map[*webgpu.Device]bool

	watched *watched
}

// A watched program is what gpu.js runs it with, and the functions of Go that it may call.
type watched struct {
	js.Ref
	functions []js.Func
	ended     bool // calls of functions that still run are refused
}

// watch lets gpu.js run a program whose calls of WebGPU go to a function.
func watch(answer func(js.Ref, []js.Ref) any, instance int) *watched {
	w := &watched{}
	w.Ref = js.Global().Call("wgslabWatch", w.function(answer), instance)
	return w
}

// function makes a function of Go for JavaScript.
func (w *watched) function(call func(js.Ref, []js.Ref) any) js.Func {
	f := js.FuncOf(call)
	w.functions = append(w.functions, f)
	return f
}

// end refuses further calls, and gives back the functions.
func (w *watched) end() {
	w.ended = true
	js.End(w.Ref, w.functions)
}

func newRun(p *Program, engine *gpu.Device) *run {
	r := &run{program: p, engine: engine, objects: []any{nil}, ranges: map[int][]byte{}, polling: map[*webgpu.Device]bool{}}
	r.instance = webgpu.NewInstance(webgpu.HostSite{}, webgpu.Options{
		Open:    func(kind shader.AdapterKind) (*gpu.Device, error) { return engine, nil },
		Dialect: webgpu.JavaScript, Record: webgpu.Current(),
	})
	r.watched = watch(r.answer, r.handle(r.instance))
	return r
}

// languageFeatures lists the language features that shaders may use: the front end's, as far as the
// browser that runs them has them.
func (r *run) languageFeatures() []string {
	browser := js.Undefined()
	if r.engine.Adapter().Backend == shader.BrowserBackend {
		browser = js.Global().Get("navigator").Get("gpu").Get("wgslLanguageFeatures")
	}
	return slices.DeleteFunc(types.LanguageFeatures(), func(name string) bool {
		return !wgsl.Features.Has(types.FeatureNamed(name)) || !browser.IsUndefined() && !browser.Call("has", name).Bool()
	})
}

// openDevice opens the device that the function gets.
func (r *run) openDevice() (*webgpu.Device, error) {
	adapter, err := r.instance.RequestAdapter(webgpu.HostSite{}, false)
	if err != nil {
		return nil, err
	}
	features := adapter.ForShaders()
	if r.program.Task.Work.Timed {
		features = append(features, webgpu.FeatureTimestampQuery)
	}
	return adapter.RequestDevice(webgpu.HostSite{}, webgpu.DeviceDescriptor{Features: features})
}

// end refuses further calls, and frees what the run holds.
func (r *run) end() {
	r.watched.end()
	for _, o := range r.objects {
		if d, ok := o.(*webgpu.Device); ok {
			d.Release(webgpu.HostSite{})
		}
	}
}

// handle keeps an object for JavaScript, and returns its number.
func (r *run) handle(object any) int {
	r.objects = append(r.objects, object)
	return len(r.objects) - 1
}

// at returns the place of a line of the program, with two lines that called its functions. gpu.js
// packs all three into one number. 0 is unknown.
func (r *run) at(packed float64) webgpu.HostSite {
	lines := int64(packed)
	place := r.place(lines & lineMask)
	for place == nil && lines > lineMask { // a reference called it
		lines >>= lineBits
		place = r.place(lines & lineMask)
	}
	if place == nil {
		return webgpu.HostSite{}
	}
	for at := place; at != nil; at = at.Called {
		lines >>= lineBits
		at.Called = r.place(lines & lineMask)
	}
	return webgpu.At(*place)
}

// lineBits is how many bits of a packed number a line has.
const (
	lineBits = 16
	lineMask = 1<<lineBits - 1
)

func (r *run) place(line int64) *webgpu.SourcePlace {
	if line == 0 {
		return nil
	}
	return r.program.place(int(line))
}

// call calls a function of the program with arguments, and returns its result. The first is the
// device, unless that is nil.
func (r *run) call(function string, device *webgpu.Device, given []any) ([]float64, error) {
	var arguments []any
	handle := 0
	if device != nil {
		handle = r.handle(device)
	}
	for _, a := range given {
		arguments = append(arguments, toJS(a))
	}
	result, err := r.settled(function, handle, arguments, r.program.members(function))
	var thrown *host.Thrown
	if errors.As(err, &thrown) {
		panic(thrown)
	}
	return result, err
}

// members lists the members of the object that a function returns. It is empty if the function
// returns a list of numbers.
func (p *Program) members(function string) []any {
	members := []any{}
	switch {
	case function != p.Task.Work.Function: // it puts a piece to work
	case p.Task.Work.Timed:
		return append(members, p.Task.Work.Result[0], "ticks")
	case p.Task.Work.Apart:
		for _, array := range p.Task.Work.Result {
			members = append(members, array)
		}
	}
	return members
}

// settled calls a function of the program and waits for its promise. device is the handle of its
// first argument; 0 if there is none. members are those of its result; nil if no result is due. Its
// error is a *host.Thrown.
func (r *run) settled(function string, device int, arguments, members []any) (result []float64, err error) {
	done := make(chan js.Ref, 1)
	settled := js.FuncOf(func(_ js.Ref, outcome []js.Ref) any {
		done <- outcome[0]
		return nil
	})
	defer settled.Release()
	defer func() {
		var stopped *js.Stopped
		if p := recover(); p == nil {
			return
		} else if fault, ok := p.(error); !ok || !errors.As(fault, &stopped) {
			panic(p)
		}
		result, err = nil, &host.Thrown{Kind: "Endless", Message: stopped.Error(), At: r.at(float64(stopped.Line))}
	}()
	due := js.Null()
	if members != nil {
		due = js.ValueOf(members)
	}
	learners := r.program.Task.Work.Function
	r.watched.Call("run", r.program.text(), function, learners, due, device, js.ValueOf(arguments), settled)
	outcome, ok := js.Await(done)
	if !ok {
		return nil, &host.Thrown{Kind: "Endless", Message: "your function waits for a promise that nothing keeps"}
	}
	if thrown := outcome.Get("thrown"); !thrown.IsUndefined() {
		at, message := r.at(thrown.Get("line").Float()), thrown.Get("message").String()
		switch kind := thrown.Get("name").String(); {
		case strings.HasPrefix(message, learners+": it returns "):
			return nil, &host.Thrown{Kind: host.Returned, Message: message, At: r.program.returnOf(learners)}
		case kind == host.Undeclared:
			return nil, &host.Thrown{Kind: kind, Message: r.program.undeclared()}
		default:
			return nil, &host.Thrown{Kind: kind, Message: message, At: at}
		}
	}
	if members == nil {
		return nil, nil
	}
	return fromJS(outcome.Get("result")), nil
}

// wholeArguments returns what the function gets that puts a piece to work.
func wholeArguments(w host.Whole) []any {
	var inputs, usages []any
	for _, b := range w.Bindings {
		usage := gpu.UsageStorage
		if b.Uniform {
			usage = gpu.UsageUniform
		}
		if b.Result {
			usage |= gpu.UsageCopySrc
		}
		data := js.Global().Get("Uint8Array").New(len(b.Bytes))
		js.CopyBytesToJS(data, b.Bytes)
		if len(inputs)%2 == 1 { // not all typed arrays have one byte for each number
			data = js.Global().Get("Float32Array").New(data.Get("buffer"))
		}
		inputs, usages = append(inputs, data), append(usages, int(usage))
	}
	return []any{w.WGSL, int(w.Workgroups[0]), int(w.Workgroups[1]), inputs, usages, w.Result, w.Uints}
}

// toJS converts an argument of the learner's function.
func toJS(value any) any {
	switch v := value.(type) {
	case []float32:
		array := js.Global().Get("Float32Array").New(len(v))
		for i, x := range v {
			array.SetIndex(i, x)
		}
		return array
	case []uint32:
		array := js.Global().Get("Uint32Array").New(len(v))
		for i, n := range v {
			array.SetIndex(i, n)
		}
		return array
	case []byte:
		array := js.Global().Get("Uint8Array").New(len(v))
		js.CopyBytesToJS(array, v)
		return array
	case [2]int:
		return js.ValueOf([]any{v[0], v[1]})
	case host.HostShader:
		return js.ValueOf(map[string]any{"wgsl": v.WGSL, "size": []any{v.Size[0], v.Size[1]}})
	case map[string]host.HostShader:
		return objectOf(v)
	case map[string]int:
		return objectOf(v)
	}
	return value
}

// objectOf returns an object with the values of a map.
func objectOf[V any](values map[string]V) js.Ref {
	members := map[string]any{}
	for name, v := range values {
		members[name] = toJS(v)
	}
	return js.ValueOf(members)
}

// fromJS converts a result, which gpu.js has made a Float64Array; null is memory that the program
// has given back.
func fromJS(result js.Ref) []float64 {
	if result.IsNull() {
		return []float64{math.NaN()}
	}
	values := make([]float64, result.Length())
	for i := range values {
		values[i] = result.Index(i).Float()
	}
	return values
}

// answer answers a call of gpu.js: its name, its line, the object and the arguments.
func (r *run) answer(_ js.Ref, call []js.Ref) (answer any) {
	if r.watched.ended {
		return js.Undefined()
	}
	name := call[0].String()
	defer func() {
		if p := recover(); p != nil {
			answer = failed(fmt.Errorf("a bug in wgslab, not in your program: %s: %v", name, p))
		}
	}()
	c := &hostCall{run: r, at: r.at(call[1].Float()), on: r.objects[call[2].Int()], arguments: call[3:]}
	return calls[name](c)
}

// failed tells JavaScript about an error. It decides whether it throws, and what.
func failed(err error) any {
	return js.ValueOf(map[string]any{"error": err.Error(), "kind": kindOf(err)})
}

// kindOf returns the kind of an error: one that an error scope filters, or "type".
func kindOf(err error) string {
	var fault *webgpu.EngineFault
	var wrong *webgpu.Mistake
	switch {
	case errors.As(err, &wrong) && strings.HasPrefix(wrong.Rule.ID, "device-feature"):
		return "type" // an unknown name (Web IDL) and a missing feature (§ GPUAdapter) are a TypeError
	case errors.As(err, &fault):
		return map[webgpu.ErrorFilter]string{webgpu.ErrorFilterValidation: "validation", webgpu.ErrorFilterOutOfMemory: "out-of-memory", webgpu.ErrorFilterInternal: "internal"}[fault.Kind]
	}
	return "validation"
}

// soon polls a device until no promise waits. It does so in tasks of JavaScript: a buffer isn't
// mapped before the program waits.
func (r *run) soon(d *webgpu.Device) {
	r.waiting++
	if r.polling[d] {
		return
	}
	r.polling[d] = true
	js.Later(func() bool {
		if r.waiting > 0 && !r.watched.ended {
			if _, err := d.Poll(false); err == nil {
				return true
			}
		}
		delete(r.polling, d)
		return false
	})
}
