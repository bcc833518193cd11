package script

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/host"
	js "github.com/wgslab/wgslab/internal/course/host/script/javascript"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
)

// onParts calls the program's function, which puts the given passes together. It is a
// host.LearnersFunction. Its error says what the function threw.
func (p *Program) onParts(c host.Case, _ func(adapter string)) ([]float64, error) {
	return nil, p.withParts(func(m *parts) map[string]any {
		object := map[string]any{}
		for name, b := range c.Parts.Buffers {
			object[lowerFirst(name)] = m.part(b)
		}
		if p.Task.Exercise == course.Train {
			m.training(c.Parts, object)
		} else {
			m.layers(c, object)
		}
		return object
	})
}

// lowerFirst returns a name of Go as JavaScript writes it.
func lowerFirst(name string) string { return strings.ToLower(name[:1]) + name[1:] }

// layers adds the kernels, and what submits their passes.
func (m *parts) layers(c host.Case, to map[string]any) {
	to["device"], to["rows"] = map[string]any{"run": m.run(c.Parts.Device.Submit)}, c.Sizes["rows"]
	for id, k := range c.Parts.Pipelines {
		to[id] = m.kernel(id, k)
	}
}

// run makes a function that submits passes.
func (m *parts) run(submit func(...gpu.Pass) error) js.Ref {
	return m.function(func(a []js.Ref) (any, error) {
		passes, err := m.passes("run", a)
		if err != nil {
			return nil, err
		}
		return nil, submit(passes...)
	})
}

// training adds the loop of a training, and a function for each of its passes.
func (m *parts) training(of *host.Parts, to map[string]any) {
	t := of.Training()
	to["next"], to["run"] = m.promise(func() any { return t.Next() }), m.run(t.Run)
	for name, pass := range map[string]struct {
		buffers int
		of      func(b []*gpu.Buffer) gpu.Pass
	}{
		"linear":      {4, func(b []*gpu.Buffer) gpu.Pass { return t.Linear(b[0], b[1], b[2], b[3]) }},
		"relu":        {1, func(b []*gpu.Buffer) gpu.Pass { return t.Relu(b[0]) }},
		"softmax":     {1, func(b []*gpu.Buffer) gpu.Pass { return t.Softmax(b[0]) }},
		"lossGrad":    {4, func(b []*gpu.Buffer) gpu.Pass { return t.LossGrad(b[0], b[1], b[2], b[3]) }},
		"gradWeights": {3, func(b []*gpu.Buffer) gpu.Pass { return t.GradWeights(b[0], b[1], b[2]) }},
		"gradBias":    {2, func(b []*gpu.Buffer) gpu.Pass { return t.GradBias(b[0], b[1]) }},
		"gradHidden":  {4, func(b []*gpu.Buffer) gpu.Pass { return t.GradHidden(b[0], b[1], b[2], b[3]) }},
		"sgd":         {2, func(b []*gpu.Buffer) gpu.Pass { return t.SGD(b[0], b[1]) }},
	} {
		to[name] = m.function(func(a []js.Ref) (any, error) {
			buffers, err := m.buffers(name, a)
			if err == nil && len(buffers) != pass.buffers {
				err = fmt.Errorf("%s gets %d buffers, and needs %d", name, len(buffers), pass.buffers)
			}
			if err != nil {
				return nil, err
			}
			return m.part(pass.of(buffers)), t.Err()
		})
	}
}

// parts are what a function gets in place of a device: kernels, buffers and passes of package gpu.
type parts struct {
	watched *watched
	known   []any     // buffers and passes, by their handles
	began   time.Time // later by the time that its calls have taken
	late    bool      // the function has had its time
}

// patience is how long a function may work, without its calls. One that makes none is stopped by
// the page.
const patience = 10 * time.Second

// refuses reports whether the function may make no more calls.
func (m *parts) refuses() bool {
	m.late = m.late || time.Since(m.began) > patience
	return m.late || m.watched.ended
}

// withParts calls a function of the program with an object of parts.
func (p *Program) withParts(make func(*parts) map[string]any) error {
	r := &run{program: p, objects: []any{nil}}
	r.watched = watch(r.answer, 0)
	m := &parts{watched: r.watched, began: time.Now()}
	object := make(m)
	overdue := func() *host.Overdue {
		if !m.refuses() {
			return nil
		}
		return &host.Overdue{Limit: patience, At: r.at(js.LastLine(r.watched.Ref))}
	}
	err := host.Guarded(func() error {
		_, err := r.settled(p.Task.Work.Function, 0, []any{object}, nil)
		var thrown *host.Thrown
		if m.late {
			select {} // it was refused a call, and Guarded says why
		} else if errors.As(err, &thrown) {
			panic(thrown)
		}
		return err
	}, overdue)
	m.watched.end()
	return err
}

// handleName is the member of a part's object that holds its handle.
const handleName = "part"

// part keeps a buffer or a pass for JavaScript.
func (m *parts) part(of any) map[string]any {
	m.known = append(m.known, of)
	return map[string]any{handleName: len(m.known) - 1}
}

// known returns the parts that a call gets, which are all of one kind.
func partsOf[T any](m *parts, call, kind string, given []js.Ref) ([]T, error) {
	all := make([]T, len(given))
	for i, v := range given {
		var ok bool
		if v.Type() == js.TypeObject && v.Get(handleName).Type() == js.TypeNumber {
			all[i], ok = m.known[v.Get(handleName).Int()].(T)
		}
		if !ok {
			what := "something else"
			if v.IsUndefined() {
				what = "undefined: is its name right?"
			}
			return nil, fmt.Errorf("%s: its %s number %d is %s", call, kind, i+1, what)
		}
	}
	return all, nil
}

func (m *parts) passes(call string, given []js.Ref) ([]gpu.Pass, error) {
	return partsOf[gpu.Pass](m, call, "pass", given)
}

func (m *parts) buffers(call string, given []js.Ref) ([]*gpu.Buffer, error) {
	return partsOf[*gpu.Buffer](m, call, "buffer", given)
}

// kernel makes the object of a pipeline.
func (m *parts) kernel(name string, k *gpu.Pipeline) map[string]any {
	return map[string]any{
		"workgroupSize": m.function(func([]js.Ref) (any, error) {
			size := k.WorkgroupSize()
			return []any{int(size[0]), int(size[1]), int(size[2])}, nil
		}),
		"pass": m.function(func(a []js.Ref) (any, error) {
			workgroups, err := workgroupsOf(name, a)
			if err != nil {
				return nil, err
			}
			buffers, err := m.buffers(name+".pass", a[1:])
			if err != nil {
				return nil, err
			}
			pass, err := k.Pass(workgroups, buffers...)
			return m.part(pass), err
		}),
	}
}

// workgroupsOf returns the numbers of workgroups, which pass gets first.
func workgroupsOf(kernel string, a []js.Ref) (n [3]uint32, err error) {
	wrong := fmt.Errorf("%s.pass: the first argument is a list of three whole numbers of workgroups: [x, y, 1]", kernel)
	if len(a) == 0 || a[0].Type() != js.TypeObject || a[0].Get("length").Type() != js.TypeNumber || a[0].Length() != len(n) {
		return n, wrong
	}
	for i := range n {
		v := a[0].Index(i)
		if v.Type() != js.TypeNumber || v.Float() < 0 || v.Float() > math.MaxUint32 || v.Float() != float64(int(v.Float())) {
			return n, wrong
		}
		n[i] = uint32(v.Int())
	}
	return n, nil
}

// function makes a function that throws Go's errors.
func (m *parts) function(call func(arguments []js.Ref) (any, error)) js.Ref {
	return m.watched.Call("throwing", m.watched.function(func(_ js.Ref, arguments []js.Ref) (answer any) {
		defer func() {
			if p := recover(); p != nil {
				answer = map[string]any{"error": fmt.Sprintf("a bug in wgslab, not in your program: %v", p)}
			}
		}()
		if m.refuses() {
			return map[string]any{"error": "the check no longer waits for this program", "refused": true}
		}
		began := time.Now()
		value, err := call(arguments)
		m.began = m.began.Add(time.Since(began))
		if err != nil {
			return map[string]any{"error": err.Error()}
		}
		return map[string]any{"value": value}
	}))
}

// promise makes a function that gives a promise of what a call returns, which may wait.
func (m *parts) promise(call func() any) js.Ref {
	return m.watched.Call("promising", m.watched.function(func(_ js.Ref, arguments []js.Ref) any {
		if !m.refuses() { // else the promise is never kept, and the program ends with its worker
			js.Go(func() {
				began := time.Now()
				value := call()
				m.began = m.began.Add(time.Since(began))
				arguments[0].Invoke(value)
			})
		}
		return nil
	}))
}
