package webgpu

import (
	"errors"
	"maps"
	"slices"

	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// Options say how an instance works.
type Options struct {
	// Open opens an engine of a kind, or the best one for shader.Best. Several devices may share
	// what it returns; the instance doesn't close it.
	Open    func(shader.AdapterKind) (*gpu.Device, error)
	Dialect *Dialect // nil for JavaScript
	Record  *Record  // nil for a new one
}

// An Instance is the entry to WebGPU.
type Instance struct {
	HostObject
	open    func(shader.AdapterKind) (*gpu.Device, error)
	dialect *Dialect
	record  *Record
}

// NewInstance makes an instance.
func NewInstance(at HostSite, o Options) *Instance {
	i := &Instance{open: o.Open, dialect: o.Dialect, record: o.Record}
	if i.dialect == nil {
		i.dialect = JavaScript
	}
	if i.record == nil {
		i.record = &Record{}
	}
	i.record.mu.Lock()
	defer i.record.mu.Unlock()
	i.record.dialect = i.dialect
	i.record.object(&i.HostObject, "instance", "", at, nil)
	return i
}

// Record returns the record of all calls on the instance's objects.
func (i *Instance) Record() *Record { return i.record }

// Release releases the instance.
func (i *Instance) Release(at HostSite) {
	i.record.mu.Lock()
	defer i.record.mu.Unlock()
	i.record.call(RecordedCall{Name: "release", At: at, On: &i.HostObject})
	i.released, i.Released = true, at
}

// An Adapter is an engine that gives devices.
type Adapter struct {
	HostObject
	instance *Instance
	engine   *gpu.Device
	limits   Limits
	consumed bool // it has given a device
}

// RequestAdapter opens an engine. fallback asks for a software driver.
func (i *Instance) RequestAdapter(at HostSite, fallback bool) (*Adapter, error) {
	kind := shader.Best
	if fallback {
		kind = shader.CPU
	}
	engine, err := i.open(kind)
	if i.record.hidden {
		err = errHidden
	}
	i.record.mu.Lock()
	defer i.record.mu.Unlock()
	a := &Adapter{instance: i, engine: engine}
	i.record.object(&a.HostObject, "adapter", "", at, nil)
	i.record.call(RecordedCall{Name: "requestAdapter", At: at, On: &i.HostObject, Made: &a.HostObject})
	if err != nil {
		return nil, &EngineFault{At: at, Kind: ErrorFilterInternal, Cause: err}
	}
	a.limits = limitsOf(engine.Adapter())
	return a, nil
}

// Info describes the adapter.
func (a *Adapter) Info() shader.Adapter { return a.engine.Adapter() }

// Limits returns what the adapter allows at most.
func (a *Adapter) Limits() Limits { return a.limits }

// Features returns what the adapter offers.
func (a *Adapter) Features() (all []FeatureName) {
	has := a.engine.Adapter()
	for _, f := range []struct {
		name FeatureName
		has  bool
	}{{featureCore, !a.instance.dialect.Native}, {FeatureTimestampQuery, has.Timestamps}, {FeatureShaderF16, has.Halves}, {FeatureSubgroups, has.Subgroups[1] > 0}} {
		if f.has {
			all = append(all, f.name)
		}
	}
	return all
}

// ForShaders returns the features that the adapter offers and shaders may need.
func (a *Adapter) ForShaders() []FeatureName {
	return slices.DeleteFunc(a.Features(), func(f FeatureName) bool { return f != FeatureShaderF16 && f != FeatureSubgroups })
}

// Release releases the adapter.
func (a *Adapter) Release(at HostSite) {
	r := a.instance.record
	r.mu.Lock()
	defer r.mu.Unlock()
	r.call(RecordedCall{Name: "release", At: at, On: &a.HostObject})
	a.released, a.Released = true, at
}

// A DeviceDescriptor describes a device.
type DeviceDescriptor struct {
	Label    string
	Features []FeatureName
	Limits   *Limits // nil for the defaults; fields may have the Go binding's value for "undefined"
	Unknown  UnknownNames
	Lost     func(reason LostReason, message string)
}

// UnknownNames are names of features and limits that a program requires and WebGPU doesn't have.
type UnknownNames struct{ Features, Limits []string }

// LostReason is why a device was lost (§ Fatal Errors), with the numbers of the Go binding.
type LostReason uint32

// The reasons why a device is lost.
const (
	LostUnknown   LostReason = 1
	LostDestroyed LostReason = 2
)

// RequestDevice makes a device. It returns nil and a *Mistake if the adapter can't give what is
// asked for.
func (a *Adapter) RequestDevice(at HostSite, desc DeviceDescriptor) (*Device, error) {
	r := a.instance.record
	r.mu.Lock()
	defer r.mu.Unlock()
	d := &Device{adapter: a, engine: a.engine, record: r, dialect: a.instance.dialect, features: slices.Clone(desc.Features), onLost: desc.Lost}
	if core := featureCore; !d.dialect.Native && !d.has(core) {
		d.features = append([]FeatureName{core}, d.features...)
	}
	r.object(&d.HostObject, "device", desc.Label, at, nil)
	d.device = d
	call := r.call(RecordedCall{Name: "requestDevice", At: at, On: &a.HostObject, Made: &d.HostObject})
	m := a.checkRequest(at, desc, d.dialect)
	if m == nil {
		d.limits, m = a.grant(at, desc.Limits, d.dialect)
	}
	if m != nil {
		r.wrong(call, m)
		d.Wrong = m
		return nil, m
	}
	a.consumed = true
	r.object(&(&d.queue).HostObject, "queue", "", at, d)
	d.queue.device, d.queue.shared = d, true
	return d, nil
}

func (a *Adapter) checkRequest(at HostSite, desc DeviceDescriptor, say *Dialect) *Mistake {
	if a.consumed && !say.Native {
		return say.mistake("device-second", at, nil, nil)
	}
	for _, name := range desc.Unknown.Features {
		return say.mistake("device-feature-unknown", at, nil, facts{"feature": name, "advice": meant(name, slices.Collect(maps.Values(featureNames)))})
	}
	for _, f := range desc.Features {
		if !slices.Contains(a.Features(), f) {
			return say.mistake("device-feature", at, nil, facts{"feature": f.String()})
		}
	}
	for _, name := range desc.Unknown.Limits {
		return say.mistake("device-limit-unknown", at, nil, facts{"limit": name, "advice": meant(name, slices.Collect(maps.Keys(Limits{}.Named())))})
	}
	return nil
}

// meant suggests a name in place of an unknown one.
func meant(name string, known []string) string {
	slices.Sort(known)
	if near := syntax.Closest(name, known); near != "" {
		return "Did you mean " + near + "?"
	}
	return "Compare its name with those that the adapter lists."
}

// grant returns the device's limits: the defaults, and what is better in those that are required.
func (a *Adapter) grant(at HostSite, required *Limits, say *Dialect) (Limits, *Mistake) {
	granted := Standard()
	if required == nil {
		return granted, nil
	}
	for _, l := range limits {
		if l.unset(required) {
			continue
		}
		value, most := l.get(required), l.get(&a.limits)
		switch {
		case l.better(value, most) && l.allowedAlignment(value):
			return granted, say.mistake("device-limit", at, nil, facts{"limit": l.name, "given": value, "needed": most})
		case !l.allowedAlignment(value):
			return granted, say.mistake("device-alignment", at, nil, facts{"limit": l.name, "given": value})
		case l.better(value, l.standard):
			l.set(&granted, value)
		}
	}
	return granted, nil
}

// A EngineFault is a failure that the program didn't cause by breaking a rule: the engine has no
// memory left, refuses a shader, or is lost.
type EngineFault struct {
	At    HostSite
	Kind  ErrorFilter
	Cause error
}

func (f *EngineFault) Error() string {
	if !f.At.Known() {
		return f.Cause.Error()
	}
	return f.At.String() + ": " + f.Cause.Error()
}

// Unwrap returns the engine's error.
func (f *EngineFault) Unwrap() error { return f.Cause }

// IsLost reports whether an error says that the device is lost.
func IsLost(err error) bool { return errors.Is(err, shader.ErrLost) }

func (r *Record) wrong(call int, m *Mistake) {
	if call >= 0 {
		r.Calls[call].Wrong = m
	}
	r.Mistakes = append(r.Mistakes, m)
}
