//go:build js && wasm

package javascript

import "syscall/js"

// The names of syscall/js.
type (
	Ref  = js.Value
	Func = js.Func
)

// The types of values that matter here.
const (
	TypeNumber = js.TypeNumber
	TypeObject = js.TypeObject
)

// The functions of syscall/js.
var (
	ValueOf       = js.ValueOf
	Undefined     = js.Undefined
	Null          = js.Null
	Global        = js.Global
	FuncOf        = js.FuncOf
	CopyBytesToGo = js.CopyBytesToGo
	CopyBytesToJS = js.CopyBytesToJS
)

// Later calls a task, again and again until it returns false. Each time is a task of JavaScript's
// own: never during a call of a program.
func Later(task func() bool) {
	ticks := make(chan struct{}, 1)
	tick := js.FuncOf(func(js.Value, []js.Value) any {
		select {
		case ticks <- struct{}{}:
		default:
		}
		return nil
	})
	go func() {
		defer tick.Release()
		for again := true; again; again = task() {
			js.Global().Call("setTimeout", tick, 1)
			<-ticks
		}
	}()
}

// LastLine returns the line of the program's last call, as gpu.js packs it.
func LastLine(watched Ref) float64 { return watched.Call("lastLine").Float() }

// End ends a watched program, which may still run, and gives back the functions of Go that it has.
// JavaScript holds a function, and so all that it reaches, until then.
func End(watched Ref, functions []Func) {
	watched.Call("end")
	for _, f := range functions {
		f.Release()
	}
}

// Go calls a function that may wait for the device.
func Go(do func()) { go do() }

// Await waits for a value that a function of Go will get from JavaScript. ok is false if nothing
// can bring it any more, which only goja knows.
func Await(done <-chan Ref) (v Ref, ok bool) { return <-done, true }
