// Package fence keeps a panic, a fault of ours, from costing more than the work that it ends.
// Around fences work that only adds to an answer, such as a picture beside a verdict. A panic in a
// goroutine would end the program whatever fence its caller has: Start, Try and Group bring it back
// to the code that waits for the goroutine.
package fence

import (
	"fmt"
	"runtime/debug"
	"sync"
)

// Around does work that only adds to an answer. A panic in it ends the work alone. The fault says
// what a maintainer needs to know, with the stack from the second line on; it is "" if there was
// none.
func Around(work func()) (fault string) {
	if caught := catch(work); caught != nil {
		return caught.text
	}
	return ""
}

// A Fault is a panic that came from another goroutine, and panics again in the code that waits. Its
// text has the stack of the first panic, which is where the mistake is.
type Fault struct{ text string }

func (f *Fault) Error() string { return f.text }

// catch does work, and returns the panic in it; nil if there was none.
func catch(work func()) (fault *Fault) {
	defer func() {
		switch cause := recover().(type) {
		case nil:
		case *Fault:
			fault = cause
		default:
			fault = &Fault{fmt.Sprintf("%v\n%s", cause, debug.Stack())}
		}
	}()
	work()
	return nil
}

// A Returned is what work returned, or its panic.
type Returned[T any] struct {
	value T
	fault *Fault
}

// Of returns the outcome of work that has returned.
func Of[T any](value T) Returned[T] { return Returned[T]{value: value} }

// Value returns what the work returned. If the work panicked, Value panics with a *Fault.
func (o Returned[T]) Value() T {
	if o.fault != nil {
		panic(o.fault)
	}
	return o.value
}

// Failed reports whether the work panicked.
func (o Returned[T]) Failed() bool { return o.fault != nil }

// Try does work, for a goroutine that passes the outcome on.
func Try[T any](work func() T) (o Returned[T]) {
	o.fault = catch(func() { o.value = work() })
	return o
}

// Start does work in a goroutine of its own. The channel has room for the outcome, so nobody has to
// receive it.
func Start[T any](work func() T) <-chan Returned[T] {
	done := make(chan Returned[T], 1)
	go func() { done <- Try(work) }()
	return done
}

// A Group is goroutines that one waits for. The zero Group is ready.
type Group struct {
	slots chan struct{} // of a limited group: one for each goroutine that runs; nil otherwise
	all   sync.WaitGroup

	mu    sync.Mutex
	fault *Fault // the first
}

// Limited returns a group of which at most n goroutines run at a time.
func Limited(n int) *Group { return &Group{slots: make(chan struct{}, n)} }

// Go does work in a goroutine of its own. In a limited group it first waits until one may run.
// After a panic in the group, what has not begun is left out.
func (g *Group) Go(work func()) {
	if g.slots != nil {
		g.slots <- struct{}{}
	}
	g.all.Go(func() {
		if g.first() == nil {
			g.keep(catch(work))
		}
		if g.slots != nil {
			<-g.slots
		}
	})
}

// Wait waits for all goroutines of the group, and panics with the first *Fault among them.
func (g *Group) Wait() {
	g.all.Wait()
	if fault := g.first(); fault != nil {
		panic(fault)
	}
}

func (g *Group) keep(fault *Fault) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.fault == nil {
		g.fault = fault
	}
}

func (g *Group) first() *Fault {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.fault
}
