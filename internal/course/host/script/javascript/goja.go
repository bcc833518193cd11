//go:build !js

package javascript

import (
	_ "embed"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/dop251/goja"
)

// patience is how long a program may make no call. The page waits as long.
const patience = 10 * time.Second

// deepest is how many calls of functions a program may be in. Browsers allow about as many.
const deepest = 10_000

//go:embed worker.js
var worker string

// A machine is goja with the parts of a Web Worker that package script's JavaScript needs. Only one
// goroutine runs it: tasks run in Await.
type machine struct {
	vm     *goja.Runtime
	timers []timer
	last   int // the number of the last timer
	watch  *time.Timer
	line   atomic.Int64 // of the program's last call
}

// A timer is a task that is due.
type timer struct {
	number int
	at     time.Time
	do     func()
}

var now *machine

// Open makes a new machine and runs a script in it.
func Open(name, script string) error {
	m := &machine{vm: goja.New(), watch: time.NewTimer(patience)}
	m.watch.Stop()
	m.vm.SetMaxCallStackSize(deepest)
	now = m
	native := map[string]any{"evaluate": m.evaluate, "detach": m.detach, "after": m.after, "cancel": m.cancel, "alive": m.alive, "print": m.print}
	if err := m.vm.Set("wgslabNative", native); err != nil {
		return fmt.Errorf("preparing JavaScript: %w", err)
	}
	for _, file := range [][2]string{{"worker.js", worker}, {name, script}} {
		if _, err := m.vm.RunScript(file[0], file[1]); err != nil {
			return fmt.Errorf("running %s: %w", file[0], err)
		}
	}
	return nil
}

// parserPlace and compilerPlace match goja's messages about a text that is not JavaScript.
var (
	parserPlace   = regexp.MustCompile(`(?s)^SyntaxError: .*?Line (?P<line>\d+):\d+ (?P<message>.*?)(?: \(and \d+ more errors\))?$`)
	compilerPlace = regexp.MustCompile(`(?s)^(?:SyntaxError: )+(?P<message>.*) at \S+?:(?P<line>\d+):\d+$`)
)

// evaluate runs a program. For one that can't be read it returns the line and the message.
func (m *machine) evaluate(text, name string) any {
	compiled, err := goja.Compile(name, text, false)
	if err != nil {
		line, message := 0, err.Error()
		for _, place := range []*regexp.Regexp{parserPlace, compilerPlace} {
			if found := place.FindStringSubmatch(message); found != nil {
				line, _ = strconv.Atoi(found[place.SubexpIndex("line")]) // digits
				message = found[place.SubexpIndex("message")]
			}
		}
		return map[string]any{"line": line, "message": message}
	}
	if _, err := m.vm.RunProgram(compiled); err != nil {
		panic(err)
	}
	return nil
}

// detach takes a buffer's memory from the program.
func (m *machine) detach(buffer goja.Value) {
	if memory, ok := buffer.Export().(goja.ArrayBuffer); ok {
		memory.Detach()
	}
}

// after plans a call, as setTimeout does. An exception of it has nobody to catch it.
func (m *machine) after(call goja.FunctionCall) goja.Value {
	do, ok := goja.AssertFunction(call.Argument(0))
	if !ok {
		return goja.Undefined()
	}
	return m.vm.ToValue(m.plan(time.Duration(call.Argument(1).ToFloat()*float64(time.Millisecond)), func() {
		var thrown *goja.Exception
		if v, err := do(goja.Undefined()); errors.As(err, &thrown) {
			m.print(thrown.Error())
		} else {
			must(v, err)
		}
	}))
}

func (m *machine) plan(wait time.Duration, do func()) int {
	m.last++
	m.timers = append(m.timers, timer{m.last, time.Now().Add(max(wait, time.Millisecond)), do})
	return m.last
}

func (m *machine) cancel(number int) {
	m.timers = slices.DeleteFunc(m.timers, func(t timer) bool { return t.number == number })
}

// alive hears that the program makes calls, or that a call may take long.
func (m *machine) alive(where string, line int) {
	m.watch.Stop()
	if m.line.Store(int64(line)); where == "program" {
		m.watch = time.AfterFunc(patience, func() { m.vm.Interrupt("no call") })
	}
}

func (m *machine) print(text string) { fmt.Fprintln(os.Stderr, text) }

// must returns the result of a call. An exception in Go's own JavaScript is a mistake in it.
func must(v goja.Value, err error) goja.Value {
	if _, stopped := err.(*goja.InterruptedError); stopped {
		now.vm.ClearInterrupt()
		panic(&Stopped{Line: int(now.line.Load()), Seconds: int(patience.Seconds())})
	}
	var overflow *goja.StackOverflowError
	if errors.As(err, &overflow) {
		panic(fmt.Errorf("its functions call each other more than %d deep", deepest))
	}
	if err != nil {
		panic(err)
	}
	return v
}

// Later calls a task, again and again until it returns false, never during a call of a program.
func Later(task func() bool) {
	now.plan(time.Millisecond, func() {
		if task() {
			Later(task)
		}
	})
}

// LastLine returns the line of the program's last call. Any goroutine may ask.
func LastLine(Ref) float64 { return float64(now.line.Load()) }

// End does nothing: the garbage collector frees functions. Another goroutine may still run the
// program, so this one may not call it.
func End(Ref, []Func) {}

// Go calls a function, in a task of its own: only one goroutine runs JavaScript.
func Go(do func()) { now.plan(0, do) }

// Await runs tasks until a function of Go has got a value from JavaScript. ok is false if no task
// is left that could bring it.
func Await(done <-chan Ref) (v Ref, ok bool) {
	for {
		select {
		case v = <-done:
			return v, true
		default:
		}
		if len(now.timers) == 0 {
			return v, false
		}
		first := slices.MinFunc(now.timers, func(a, b timer) int { return a.at.Compare(b.at) })
		now.cancel(first.number)
		time.Sleep(time.Until(first.at))
		first.do()
	}
}

// A Ref is a value of JavaScript, as syscall/js has it.
type Ref struct{ v goja.Value }

// A Func is a function of Go for JavaScript.
type Func struct{ Ref }

// Release does nothing: the garbage collector frees functions.
func (Func) Release() {}

// The types of values that matter here.
const (
	typeOther = iota
	TypeNumber
	TypeObject
)

// Undefined returns undefined.
func Undefined() Ref { return Ref{goja.Undefined()} }

// Null returns null.
func Null() Ref { return Ref{goja.Null()} }

// Global returns the global object.
func Global() Ref { return Ref{now.vm.GlobalObject()} }

// ValueOf converts a value of Go.
func ValueOf(x any) Ref {
	switch x := x.(type) {
	case nil:
		return Null()
	case Ref:
		return Ref{x.known()}
	case Func:
		return x.Ref
	case map[string]any:
		object := now.vm.NewObject()
		for name, member := range x {
			_ = object.Set(name, ValueOf(member).v) // a plain object takes any member
		}
		return Ref{object}
	case []any:
		all := make([]any, len(x))
		for i, one := range x {
			all[i] = ValueOf(one).v
		}
		return Ref{now.vm.NewArray(all...)}
	}
	return Ref{now.vm.ToValue(x)}
}

// FuncOf makes a function that calls one of Go.
func FuncOf(do func(this Ref, arguments []Ref) any) Func {
	return Func{Ref{now.vm.ToValue(func(call goja.FunctionCall) goja.Value {
		return ValueOf(do(Ref{call.This}, wrapped(call.Arguments))).v
	})}}
}

func wrapped(all []goja.Value) []Ref {
	values := make([]Ref, len(all))
	for i, v := range all {
		values[i] = Ref{v}
	}
	return values
}

func unwrapped(all []any) []goja.Value {
	values := make([]goja.Value, len(all))
	for i, x := range all {
		values[i] = ValueOf(x).v
	}
	return values
}

// known returns the value; the zero Ref is undefined.
func (v Ref) known() goja.Value {
	if v.v == nil {
		return goja.Undefined()
	}
	return v.v
}

func (v Ref) object() *goja.Object { return v.known().ToObject(now.vm) }

// Get returns a member.
func (v Ref) Get(name string) Ref { return Ref{v.object().Get(name)} }

// Index returns an element.
func (v Ref) Index(i int) Ref { return v.Get(strconv.Itoa(i)) }

// SetIndex sets an element.
func (v Ref) SetIndex(i int, x any) {
	if err := v.object().Set(strconv.Itoa(i), ValueOf(x).v); err != nil {
		panic(err)
	}
}

// Length returns the number of elements.
func (v Ref) Length() int { return v.Get("length").Int() }

// Call calls a method.
func (v Ref) Call(name string, arguments ...any) Ref {
	return v.Get(name).call(v.known(), arguments)
}

// Invoke calls the function.
func (v Ref) Invoke(arguments ...any) Ref { return v.call(goja.Undefined(), arguments) }

func (v Ref) call(this goja.Value, arguments []any) Ref {
	function, ok := goja.AssertFunction(v.known())
	if !ok {
		panic(fmt.Errorf("%v is no function", v.known()))
	}
	return Ref{must(function(this, unwrapped(arguments)...))}
}

// New calls the constructor.
func (v Ref) New(arguments ...any) Ref {
	made, err := now.vm.New(v.known(), unwrapped(arguments)...)
	return Ref{must(made, err)}
}

// String returns a string, or another value in words.
func (v Ref) String() string { return v.known().String() }

// Float returns a number.
func (v Ref) Float() float64 { return v.known().ToFloat() }

// Int returns a number's whole part.
func (v Ref) Int() int { return int(v.known().ToInteger()) }

// Bool returns a boolean.
func (v Ref) Bool() bool { return v.known().ToBoolean() }

// Truthy reports whether a condition takes the value as true.
func (v Ref) Truthy() bool { return v.known().ToBoolean() }

// IsUndefined reports whether the value is undefined.
func (v Ref) IsUndefined() bool { return goja.IsUndefined(v.known()) }

// IsNull reports whether the value is null.
func (v Ref) IsNull() bool { return goja.IsNull(v.known()) }

// Type returns the value's type.
func (v Ref) Type() int {
	if _, isObject := v.known().(*goja.Object); isObject {
		return TypeObject
	}
	switch v.known().Export().(type) {
	case int64, float64:
		return TypeNumber
	}
	return typeOther
}

// bytes returns the memory of a Uint8Array.
func (v Ref) bytes() []byte {
	memory, _ := v.Get("buffer").known().Export().(goja.ArrayBuffer)
	begin := v.Get("byteOffset").Int()
	return memory.Bytes()[begin : begin+v.Get("byteLength").Int()]
}

// CopyBytesToGo copies the bytes of a Uint8Array.
func CopyBytesToGo(to []byte, from Ref) int { return copy(to, from.bytes()) }

// CopyBytesToJS copies bytes to a Uint8Array.
func CopyBytesToJS(to Ref, from []byte) int { return copy(to.bytes(), from) }
