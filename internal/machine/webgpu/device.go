package webgpu

import (
	"runtime"
	"slices"
	"time"

	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// A Device makes everything that a program needs, and owns it.
type Device struct {
	HostObject
	adapter  *Adapter
	engine   *gpu.Device
	record   *Record
	dialect  *Dialect
	limits   Limits
	features []FeatureName
	queue    Queue
	onLost   func(LostReason, string)
	lost     error
	lostBy   LostReason
	sources  map[[2]string]*shader.Source // by name and text

	scopes     []scope
	uncaptured []error // those that no scope caught
	pending    []*mapping
	doneCalls  []func(error)
	releases   []func() // frees what the engine holds for the device
}

// A scope is an open error scope (§ Error Scopes).
type scope struct {
	filter ErrorFilter
	first  error
}

// Queue returns the device's queue.
func (d *Device) Queue() *Queue { return &d.queue }

// Record returns the record of the calls on the device's objects.
func (d *Device) Record() *Record { return d.record }

// Adapter returns the adapter that gave the device.
func (d *Device) Adapter() *Adapter { return d.adapter }

// Limits returns what the device allows.
func (d *Device) Limits() Limits { return d.limits }

// Features returns the features that were required.
func (d *Device) Features() []FeatureName { return slices.Clone(d.features) }

func (d *Device) has(f FeatureName) bool { return slices.Contains(d.features, f) }

// begin locks the record, and records a call on an object of the device. The caller unlocks it.
func (d *Device) begin(name string, at HostSite, on, made *HostObject, bytes uint64) (call int) {
	d.record.mu.Lock()
	return d.record.call(RecordedCall{Name: name, At: at, On: on, Made: made, Bytes: bytes})
}

func (d *Device) object(o *HostObject, kind, label string, at HostSite) {
	d.record.object(o, kind, label, at, d)
}

func (d *Device) mistake(id string, at HostSite, about *HostObject, f facts) *Mistake {
	if !at.Known() && d.dialect.Native {
		at = callerOutside()
	}
	return d.dialect.mistake(id, at, about, f)
}

// fail reports a mistake of a call, and makes the object invalid that the call made, if any.
func (d *Device) fail(call int, made *HostObject, m *Mistake) error {
	if made != nil {
		made.Wrong = m
	}
	d.record.wrong(call, m)
	d.report(ErrorFilterValidation, m)
	return m
}

// fault reports a failure of the engine.
func (d *Device) fault(at HostSite, kind ErrorFilter, cause error) error {
	f := &EngineFault{At: at, Kind: kind, Cause: cause}
	if IsLost(cause) {
		d.lose(LostUnknown, f)
		return f
	}
	d.report(kind, f)
	return f
}

// report hands an error to the innermost scope for it, or keeps it. A lost device has no errors
// (§ Error Scopes).
func (d *Device) report(kind ErrorFilter, err error) {
	if d.lost != nil {
		return
	}
	for i := len(d.scopes) - 1; i >= 0; i-- {
		if d.scopes[i].filter == kind {
			if d.scopes[i].first == nil {
				d.scopes[i].first = err
			}
			return
		}
	}
	d.uncaptured = append(d.uncaptured, err)
}

// PushErrorScope opens an error scope.
func (d *Device) PushErrorScope(at HostSite, filter ErrorFilter) {
	d.begin("pushErrorScope", at, &d.HostObject, nil, 0)
	defer d.record.mu.Unlock()
	d.scopes = append(d.scopes, scope{filter: filter})
}

// PopErrorScope closes the innermost scope and returns the first error that it caught, or nil.
func (d *Device) PopErrorScope(at HostSite) (caught, err error) {
	call := d.begin("popErrorScope", at, &d.HostObject, nil, 0)
	defer d.record.mu.Unlock()
	if d.lost != nil {
		return nil, nil // a lost device has no errors (§ Error Scopes, popErrorScope)
	}
	if len(d.scopes) == 0 {
		m := d.mistake("scope-none", at, nil, nil)
		d.record.wrong(call, m)
		return nil, m
	}
	last := d.scopes[len(d.scopes)-1]
	d.scopes = d.scopes[:len(d.scopes)-1]
	return last.first, nil
}

// Uncaptured returns the errors that no scope caught, once.
func (d *Device) Uncaptured() []error {
	d.record.mu.Lock()
	defer d.record.mu.Unlock()
	errs := d.uncaptured
	d.uncaptured = nil
	return errs
}

// Lost returns why the device is lost, or nil.
func (d *Device) Lost() error {
	d.record.mu.Lock()
	defer d.record.mu.Unlock()
	return d.lost
}

// OnLost says whom to tell when the device is lost, in Poll (§ GPUDevice, lost).
func (d *Device) OnLost(tell func(reason LostReason, message string)) {
	d.record.mu.Lock()
	defer d.record.mu.Unlock()
	if d.onLost = tell; d.lost != nil {
		d.tellLost()
	}
}

// tellLost lets the next Poll call the program's function.
func (d *Device) tellLost() {
	reason, cause := d.lostBy, d.lost
	d.doneCalls = append(d.doneCalls, func(error) { d.onLost(reason, cause.Error()) })
}

func (d *Device) lose(reason LostReason, cause error) {
	if d.lost != nil {
		return
	}
	d.lost, d.lostBy = cause, reason
	if reason == LostUnknown && d.record.Lost == nil {
		d.record.Lost = cause
	}
	if d.onLost != nil {
		d.tellLost()
	}
}

// alive returns the fault of a call on a lost device, or nil.
func (d *Device) alive(at HostSite) error {
	if d.lost != nil {
		return &EngineFault{At: at, Kind: ErrorFilterInternal, Cause: d.lost}
	}
	return nil
}

// usable returns the mistake in the use of an object on the device, or nil.
func (d *Device) usable(at HostSite, o *HostObject) *Mistake {
	switch {
	case o.Wrong != nil:
		m := d.mistake("invalid-object", at, o, facts{"object": o})
		m.Do = o.Wrong.Wrong + " " + o.Wrong.Do
		return m
	case o.device != d:
		return d.mistake("other-device", at, o, facts{"object": o})
	case o.released:
		var made *HostObject
		if !at.Known() { // the course's own code uses what the program made
			made = o
		}
		return d.mistake("released", at, made, facts{"object": o})
	}
	return nil
}

// missing returns the mistake of a call without an argument that it needs.
func (d *Device) missing(at HostSite, call, what string) *Mistake {
	return d.mistake("argument-missing", at, nil, facts{"call": spelled(call), "what": what})
}

// release marks an object as released. ok is false if it was released before, which ends the
// process in wgpu-native. Queues, devices and automatic layouts are handed out again and again.
func (d *Device) release(at HostSite, o *HostObject) (ok bool) {
	call := d.begin("release", at, o, nil, 0)
	defer d.record.mu.Unlock()
	if o.released {
		if d.dialect.Native && !o.shared && o.Kind != "device" {
			_ = d.fail(call, nil, d.mistake("released-twice", at, o, facts{"object": o}))
		}
		return false
	}
	o.released, o.Released = true, at
	return true
}

// Release releases the device, and all that the engine still holds for it.
func (d *Device) Release(at HostSite) {
	if d.release(at, &d.HostObject) {
		d.end()
	}
}

// Destroy does the same, but doesn't wait for the work that the device still has.
func (d *Device) Destroy(at HostSite) {
	if d.release(at, &d.HostObject) {
		go d.end()
	}
}

func (d *Device) end() {
	d.record.mu.Lock()
	defer d.record.mu.Unlock()
	if d.lost == nil {
		_ = d.engine.Wait()
	}
	for _, free := range d.releases {
		free()
	}
	d.releases = nil
	d.lose(LostDestroyed, shader.ErrLost)
}

// Poll lets the engine report what it has finished, and calls the callbacks of mappings and of
// onSubmittedWorkDone. With wait, it returns when all submitted work has ended. idle reports
// whether it has. The record leaves it out: a program may poll in a loop.
func (d *Device) Poll(wait bool) (idle bool, err error) {
	for {
		var calls []func()
		idle, calls, err = d.pollOnce(wait)
		for _, call := range calls {
			call()
		}
		done := idle && !d.waits()
		if !done && runtime.GOOS == "js" {
			time.Sleep(time.Millisecond) // a browser works only while Go rests
		}
		if err != nil || !wait || done {
			return idle, err
		}
	}
}

func (d *Device) waits() bool {
	d.record.mu.Lock()
	defer d.record.mu.Unlock()
	return len(d.pending) > 0
}

// pollOnce polls the engine and returns the callbacks that are due.
func (d *Device) pollOnce(wait bool) (idle bool, calls []func(), err error) {
	d.record.mu.Lock()
	defer d.record.mu.Unlock()
	if d.record.judged {
		d.record.busy = time.Now()
	}
	if d.lost == nil {
		if wait {
			err = d.engine.Wait()
		}
		if err == nil {
			idle, err = gpu.Poll(d.engine)
		}
		if err != nil {
			err = d.fault(HostSite{}, ErrorFilterInternal, err)
		}
	}
	idle = idle || d.lost != nil // no work is left
	var still []*mapping
	for _, m := range d.pending {
		ended, status := m.ended(idle)
		if !ended {
			still = append(still, m)
			continue
		}
		calls = append(calls, m.end(status))
	}
	d.pending = still
	if idle {
		for _, done := range d.doneCalls {
			calls = append(calls, func() { done(d.lost) })
		}
		d.doneCalls, d.record.done = nil, nil
	}
	return idle, calls, err
}
