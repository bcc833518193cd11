// Package ladder times shaders. It climbs the ladder of shaders/fast: shaders that all multiply two
// matrices, each made faster than the previous one by one idea. It checks a shader, times it, and
// compares it with the adapter's measured maximum.
//
//	table, err := ladder.Run(ctx, device, ladder.Options{})
//	fmt.Print(table.Text())
//
// A shader of the ladder computes out = a · b as matmul does, with the same bindings. Each of its
// workgroups computes ROWS × COLUMNS elements of out, which it declares as constants. Without
// these constants, each invocation computes one element.
package ladder

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// A Measured is what one run of the ladder measured.
type Measured struct {
	Adapter string             `json:"adapter"`
	Kind    shader.AdapterKind `json:"kind"`
	N       int                `json:"n"` // all matrices are n × n
	Roof    Roof               `json:"roof"`
	Rungs   []Timing           `json:"rungs"` // in the order of the ladder, with the learner's first
}

// A Timing is the measured speed of one shader.
type Timing struct {
	Name    string  `json:"name"`
	Idea    string  `json:"idea"`
	Own     bool    `json:"own,omitempty"` // the learner's shader
	Seconds float64 `json:"seconds"`       // for one product; 0 if the shader is wrong
	GFLOPS  float64 `json:"gflops"`
	Share   float64 `json:"share"`             // of the roof, from 0 to 1
	Problem string  `json:"problem,omitempty"` // why the shader did not run
	Refused bool    `json:"refused,omitempty"` // the shader may be right, but this device's compiler does not take it
}

// An Entry is a shader of the ladder.
type Entry struct {
	Name, Source string
}

// Options choose the entries and their size.
type Options struct {
	Own      []Entry           // the learner's shaders
	Without  bool              // leave out the rungs
	N        int               // the size of the matrices; 0 for one that suits the adapter
	Progress func(step string) // may be nil
}

// Run checks every shader, times the right ones, and measures the roof.
func Run(ctx context.Context, device *gpu.Device, o Options) (*Measured, error) {
	if o.Progress == nil {
		o.Progress = func(string) {}
	}
	if o.N%multiple != 0 || o.N < 0 {
		return nil, fmt.Errorf("matrices of %d × %d: n must be a multiple of %d", o.N, o.N, multiple)
	}
	t := &Measured{Adapter: device.Adapter().String(), Kind: device.Adapter().Kind, N: o.N}
	entries, err := entriesOf(o)
	if err != nil {
		return nil, err
	}
	if t.N == 0 {
		o.Progress("the size that suits")
		if t.N, err = suitable(device); err != nil {
			return nil, err
		}
	}
	o.Progress("the roof")
	if t.Roof, err = MeasureRoof(device); err != nil {
		return nil, fmt.Errorf("measuring the roof: %w", err)
	}
	arena, err := newArena(device, t.N)
	if err != nil {
		return nil, err
	}
	defer arena.free()
	for _, e := range entries {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		o.Progress(e.Name)
		r := Timing{Name: e.Name, Idea: e.idea, Own: e.own}
		if err := arena.run(e.Entry, &r); err != nil {
			return nil, fmt.Errorf("%s: %w", e.Name, err)
		}
		r.Share = r.GFLOPS / t.Roof.Of(t.N)
		t.Rungs = append(t.Rungs, r)
	}
	return t, nil
}

// multiple is the divisor that n needs so that every rung can run.
const multiple = 4

type ladderEntry struct {
	Entry
	idea string
	own  bool
}

func entriesOf(o Options) ([]ladderEntry, error) {
	var entries []ladderEntry
	for _, own := range o.Own {
		entries = append(entries, ladderEntry{own, "yours", true})
	}
	if o.Without {
		return entries, nil
	}
	for _, rung := range Rungs {
		source, err := rung.Source()
		if err != nil {
			return nil, err
		}
		entries = append(entries, ladderEntry{Entry{rung.Name, source}, rung.Idea, false})
	}
	return entries, nil
}

// TimeProduct times an n × n product with the shader of shaders/fast that Best chooses. It returns
// the shader's name and the time in seconds.
func TimeProduct(device *gpu.Device, n int) (name string, seconds float64, err error) {
	rung := Best(device.Adapter().Kind, n, n, n)
	source, err := rung.Source()
	if err != nil {
		return "", 0, err
	}
	arena, err := newArena(device, n)
	if err != nil {
		return "", 0, err
	}
	defer arena.free()
	var r Timing
	err = arena.time(Entry{Name: rung.Name, Source: source}, &r)
	return "fast/" + rung.Name, r.Seconds, err
}

// suitable returns the largest power of two, from 256 (64 in the simulator) to 4096, whose product
// takes a plain shader at most about longestRun.
func suitable(device *gpu.Device) (int, error) {
	const largest, longestRun = 4096, 120 * time.Millisecond
	smallest := 256
	if device.Adapter().Kind == shader.Simulated {
		smallest = 64
	}
	source, err := Rungs[1].Source() // coalesced
	if err != nil {
		return 0, err
	}
	for n := smallest; ; n *= 2 {
		arena, err := newArena(device, n)
		if err != nil {
			return 0, err
		}
		var r Timing
		err = arena.time(Entry{Name: "coalesced", Source: source}, &r)
		arena.free()
		if err != nil || n == largest || r.Seconds*8 > longestRun.Seconds() {
			return n, err
		}
	}
}

// An arena holds the matrices of a run.
type arena struct {
	device          *gpu.Device
	n               int
	dims, a, b, out *gpu.Buffer
}

func newArena(device *gpu.Device, n int) (*arena, error) {
	rng := rand.New(rand.NewPCG(uint64(n), 0))
	ar := &arena{device: device, n: n}
	var errs [4]error
	ar.dims, errs[0] = gpu.Uniform(device, uint32(n), uint32(n), uint32(n))
	ar.a, errs[1] = gpu.Upload(device, numbers(rng, n*n))
	ar.b, errs[2] = gpu.Upload(device, numbers(rng, n*n))
	ar.out, errs[3] = gpu.Alloc[float32](device, n*n)
	if err := errors.Join(errs[:]...); err != nil {
		ar.free()
		return nil, fmt.Errorf("making matrices of %d × %d: %w", n, n, err)
	}
	return ar, nil
}

// numbers draws n random numbers from -1 to 1.
func numbers(rng *rand.Rand, n int) []float32 {
	values := make([]float32, n)
	for i := range values {
		values[i] = 2*rng.Float32() - 1
	}
	return values
}

func (ar *arena) free() {
	for _, b := range []*gpu.Buffer{ar.dims, ar.a, ar.b, ar.out} {
		if b != nil {
			b.Free()
		}
	}
}

// failed says in two words why a shader did not run.
func (r *Timing) failed() string {
	if r.Refused {
		return "cannot run here"
	}
	return "not right"
}

// run checks and times a shader. Mistakes in the shader go to the result; an error means that no
// shader can run any more.
func (ar *arena) run(e Entry, r *Timing) error {
	if err := Check(ar.device, e); err != nil {
		if errors.Is(err, shader.ErrLost) {
			return err
		}
		r.Problem, r.Refused = err.Error(), shader.RefusedOnly(err)
		return nil
	}
	return ar.time(e, r)
}

func (ar *arena) time(e Entry, r *Timing) error {
	err := ar.with(e, func(pass gpu.Pass) (err error) {
		r.Seconds, err = Fastest(ar.device, pass)
		return err
	})
	if err == nil {
		r.GFLOPS = operations(ar.n, ar.n, ar.n) / r.Seconds / 1e9
	}
	return err
}

// with prepares the pass of a shader over the arena's matrices and calls do with it. The pass is
// valid until do returns.
func (ar *arena) with(e Entry, do func(gpu.Pass) error) error {
	pipeline, err := ar.device.Compile(e.Name, e.Source)
	if err != nil {
		return err
	}
	defer pipeline.Free()
	pass, err := pipeline.Pass(workgroups(pipeline, ar.n, ar.n), ar.dims, ar.a, ar.b, ar.out)
	if err != nil {
		return err
	}
	defer pass.Free()
	return do(pass)
}

// operations returns the number of multiplications and additions in a product of m × k and k × n.
func operations(m, n, k int) float64 { return 2 * float64(m) * float64(n) * float64(k) }

// Fastest returns the time in seconds of a pass's fastest run, since other load can only slow a run
// down. It keeps running for measuringTime, with a minimum number of runs: a GPU that was idle
// takes that long to speed up. If the device has a clock, each submission holds several runs in a
// row.
func Fastest(device *gpu.Device, pass gpu.Pass) (float64, error) {
	const least, measuringTime = 3, 200 * time.Millisecond
	together := 1
	var times []time.Duration
	for begun := time.Now(); len(times) < least || time.Since(begun) < measuringTime; {
		took, err := timed(device, slices.Repeat([]gpu.Pass{pass}, together))
		if err != nil {
			return 0, err
		}
		times = append(times, took...)
		together = int(min(8, max(1, measuringTime/8/max(1, slices.Min(times)))))
	}
	return max(slices.Min(times), 1).Seconds(), nil
}

// timed returns how long each pass ran, by the device's clock. If the device has none, it divides
// the host's time for all of them.
func timed(device *gpu.Device, passes []gpu.Pass) ([]time.Duration, error) {
	if device.Adapter().Timestamps {
		return device.Time(passes...)
	}
	started := time.Now()
	err := device.Run(passes...)
	return []time.Duration{time.Since(started) / time.Duration(len(passes))}, err
}
