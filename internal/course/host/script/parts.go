package script

import (
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/wgslab/wgslab/internal/course/forward"
	"github.com/wgslab/wgslab/internal/course/host"
	js "github.com/wgslab/wgslab/internal/course/host/script/javascript"
	"github.com/wgslab/wgslab/internal/course/training"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
)

// Forward calls the program's function forward, which puts the given passes together. Its error
// says what the function threw.
func (p *Program) Forward(l forward.Layers) error {
	return p.withParts("forward", func(m *parts) map[string]any {
		return map[string]any{
			"device": map[string]any{"run": m.function(func(a []js.Ref) (any, error) {
				passes, err := m.passes("run", a)
				if err != nil {
					return nil, err
				}
				return nil, l.Device.Submit(passes...)
			})},
			"linear": m.kernel("linear", l.Linear), "relu": m.kernel("relu", l.Relu), "softmax": m.kernel("softmax", l.Softmax), "rows": l.Rows,
			"dims1": m.part(l.Dims1), "dims2": m.part(l.Dims2), "shape": m.part(l.Shape),
			"x": m.part(l.X), "w1": m.part(l.W1), "b1": m.part(l.B1), "w2": m.part(l.W2), "b2": m.part(l.B2), "hidden": m.part(l.Hidden), "out": m.part(l.Out),
		}
	})
}

// Train calls the program's function train, which trains on every batch.
func (p *Program) Train(t *training.Training) error {
	return p.withParts("train", func(m *parts) map[string]any {
		// pass is a method that makes a pass of n buffers.
		pass := func(name string, n int, with func(b []*gpu.Buffer) gpu.Pass) js.Ref {
			return m.function(func(a []js.Ref) (any, error) {
				buffers, err := m.buffers(name, a)
				if err == nil && len(buffers) != n {
					err = fmt.Errorf("%s gets %d buffers, and needs %d", name, len(buffers), n)
				}
				if err != nil {
					return nil, err
				}
				return m.part(with(buffers)), t.Err()
			})
		}
		return map[string]any{
			"next": m.promise(func() any { return t.Next() }),
			"run": m.function(func(a []js.Ref) (any, error) {
				passes, err := m.passes("run", a)
				if err != nil {
					return nil, err
				}
				return nil, t.Run(passes...)
			}),
			"linear":      pass("linear", 4, func(b []*gpu.Buffer) gpu.Pass { return t.Linear(b[0], b[1], b[2], b[3]) }),
			"relu":        pass("relu", 1, func(b []*gpu.Buffer) gpu.Pass { return t.Relu(b[0]) }),
			"softmax":     pass("softmax", 1, func(b []*gpu.Buffer) gpu.Pass { return t.Softmax(b[0]) }),
			"lossGrad":    pass("lossGrad", 4, func(b []*gpu.Buffer) gpu.Pass { return t.LossGrad(b[0], b[1], b[2], b[3]) }),
			"gradWeights": pass("gradWeights", 3, func(b []*gpu.Buffer) gpu.Pass { return t.GradWeights(b[0], b[1], b[2]) }),
			"gradBias":    pass("gradBias", 2, func(b []*gpu.Buffer) gpu.Pass { return t.GradBias(b[0], b[1]) }),
			"gradHidden":  pass("gradHidden", 4, func(b []*gpu.Buffer) gpu.Pass { return t.GradHidden(b[0], b[1], b[2], b[3]) }),
			"sgd":         pass("sgd", 2, func(b []*gpu.Buffer) gpu.Pass { return t.SGD(b[0], b[1]) }),
			"x":           m.part(t.X), "label": m.part(t.Label), "w1": m.part(t.W1), "b1": m.part(t.B1), "w2": m.part(t.W2), "b2": m.part(t.B2),
			"hidden": m.part(t.Hidden), "prob": m.part(t.Prob), "loss": m.part(t.Loss), "d": m.part(t.D), "dHidden": m.part(t.DHidden),
			"dW1": m.part(t.DW1), "dB1": m.part(t.DB1), "dW2": m.part(t.DW2), "dB2": m.part(t.DB2),
		}
	})
}

// parts are what a function gets in place of a device: kernels, buffers and passes of package gpu.
type parts struct {
	watched js.Ref
	known   []any     // buffers and passes, by their handles
	began   time.Time // later by the time that its calls have taken
	late    bool      // the function has had its time
	ended   bool      // the check goes on without the function
}

// patience is how long a function may work, without its calls. One that makes none is stopped by
// the page.
const patience = 10 * time.Second

// refuses reports whether the function may make no more calls.
func (m *parts) refuses() bool {
	m.late = m.late || time.Since(m.began) > patience
	return m.late || m.ended
}

// withParts calls a function of the program with an object of parts.
func (p *Program) withParts(name string, make func(*parts) map[string]any) error {
	r := &run{program: p, objects: []any{nil}}
	r.watched = js.Global().Call("wgslabWatch", js.FuncOf(r.answer), 0)
	m := &parts{watched: r.watched, began: time.Now()}
	object := make(m)
	overdue := func() *host.Overdue {
		if !m.refuses() {
			return nil
		}
		return &host.Overdue{Limit: patience, At: r.at(js.LastLine(r.watched))}
	}
	err := host.Guarded(func() error {
		_, err := r.settled(name, 0, []any{object})
		var thrown *host.Thrown
		if m.late {
			select {} // it was refused a call, and Guarded says why
		} else if errors.As(err, &thrown) {
			panic(thrown)
		}
		return err
	}, overdue)
	m.ended = true
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
	return m.watched.Call("throwing", js.FuncOf(func(_ js.Ref, arguments []js.Ref) (answer any) {
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
	return m.watched.Call("promising", js.FuncOf(func(_ js.Ref, arguments []js.Ref) any {
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
