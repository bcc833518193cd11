package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"

	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/machine/sim"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// An agreed says how a driver's values compare with the simulator's.
type agreed string

// What a driver makes of an entry point that ran without errors.
const (
	same          agreed = "same"     // within WGSL's error bounds
	differs       agreed = "differs"  // by more, and nothing explains it
	unordered     agreed = "order"    // differs, and so does the simulator with another order of the invocations
	rounded       agreed = "rounding" // differs, and rounding decides which way the shader goes
	noDriver      agreed = "driver refuses"
	failed        agreed = "driver fails"
	notComparable agreed = "not comparable" // it has textures, or f16 in buffers, for which an exact run knows no bounds
)

// besideDriver runs the entry points that ran without errors on a driver, and writes what differs.
func besideDriver(ctx context.Context, w io.Writer, name string, runs []*preparedRun) error {
	kind, err := shader.ParseKind(name)
	if err != nil {
		return err
	}
	var device *gpu.Device
	for _, r := range runs {
		if r.Outcome != clean {
			continue
		}
		if device == nil || device.Lost() != nil {
			if device, err = gpu.Open(gpu.Require(kind)); err != nil {
				return err
			}
			defer device.Close()
		}
		r.compare(ctx, device)
		if err := json.NewEncoder(w).Encode(r.entryRun); err != nil {
			return err
		}
	}
	return nil
}

// compare runs the entry point on the device and compares what is left in the buffers.
func (r *preparedRun) compare(ctx context.Context, device *gpu.Device) {
	if r.program.Textures {
		r.Driver = notComparable
		return
	}
	pipeline, err := gpu.CompileUsed(device, withConstants(r.source))
	if err != nil {
		r.Driver, r.Differs = noDriver, reason(err)
		return
	}
	defer pipeline.Free()
	got, want := r.buffers(), r.buffers()
	if err := runOn(device, pipeline, got); err != nil {
		r.Driver, r.Differs = failed, err.Error()
		return
	}
	exact, err := r.program.Run(ctx, runWorkgroups, want, sim.Options{Exact: true, Steps: runSteps})
	if err != nil || !exact.Finished {
		r.Driver = notComparable
		return
	}
	r.Driver, r.Differs = same, r.difference(exact, want, got)
	switch {
	case r.Differs == "":
	case r.orderDecides(ctx):
		r.Driver = unordered
	case len(exact.Undecided(r.program)) > 0:
		r.Driver = rounded
	default:
		r.Driver = differs
	}
}

// withConstants returns the shader with constants instead of overrides, which wgpu-native's
// compiler doesn't know.
func withConstants(source *shader.Source) *shader.Source {
	overrides := source.Shader().Info.Overrides
	if len(overrides) == 0 {
		return source
	}
	text := []byte(source.Text)
	for _, o := range overrides {
		d := o.Decl.(*syntax.OverrideDecl)
		for _, a := range d.Attrs {
			blank(text[a.Span().Start:a.Span().End])
		}
		blank(text[d.Keyword.Start:d.Keyword.End])
		copy(text[d.Keyword.Start:], "const")
	}
	return shader.ReadWith(source.Name, string(text), types.AllFeatures).At(source.EntryPoint())
}

func blank(text []byte) {
	for i := range text {
		text[i] = ' '
	}
}

// runOn dispatches the pipeline, and replaces the contents of the buffers by what it leaves there.
func runOn(device *gpu.Device, pipeline *gpu.Pipeline, buffers []sim.BoundBuffer) error {
	const usage = gpu.UsageCopySrc | gpu.UsageCopyDst
	used, err := pipeline.Source().Used()
	if err != nil {
		return err
	}
	ranges := make([][]gpu.Range, 1) // as in the pipeline, which has at least one group
	made := make([]*gpu.Buffer, len(buffers))
	for i, b := range buffers {
		kind := gpu.UsageStorage
		if used[i].Space == shader.Uniform {
			kind = gpu.UsageUniform
		}
		if made[i], err = gpu.NewBuffer(device, uint64(len(b.Data)), usage|kind); err != nil {
			return err
		}
		defer made[i].Free()
		if err := made[i].WriteAt(b.Data, 0); err != nil {
			return err
		}
		for int(b.Group) >= len(ranges) {
			ranges = append(ranges, nil)
		}
		ranges[b.Group] = append(ranges[b.Group], gpu.Range{Binding: b.Binding, Buffer: made[i], Bytes: uint64(len(b.Data))})
	}
	groups := make([]*gpu.Group, len(ranges))
	for number, bound := range ranges {
		if groups[number], err = gpu.Bind(pipeline, uint32(number), bound); err != nil {
			return err
		}
		defer groups[number].Free()
	}
	if err := device.Run(gpu.Dispatch(pipeline, runWorkgroups, groups)); err != nil {
		return err
	}
	for i, b := range buffers {
		left, err := made[i].Content()
		if err != nil {
			return err
		}
		copy(b.Data, left.Bytes)
	}
	return nil
}

// difference describes the first number that differs by more than its bound. An exact run knows how
// far another right engine's float may be from its own.
func (r *preparedRun) difference(exact *sim.Result, want, got []sim.BoundBuffer) (first string) {
	for i, b := range r.program.Bindings {
		if !b.Writable {
			continue
		}
		margins := exact.Margins(r.program, b.Group, b.Number)
		wrong, all := 0, 0
		leaves(r.program.Program, b.Object.Store(), 0, uint64(len(want[i].Data)), false, func(l leaf) {
			x, y := binary.LittleEndian.Uint32(want[i].Data[l.at:]), binary.LittleEndian.Uint32(got[i].Data[l.at:])
			all++
			if x == y || l.scalar == types.F32 && near(x, y, margins[l.at/shader.ElementBytes]) {
				return
			}
			if wrong++; first == "" {
				first = fmt.Sprintf("`%s` at byte %d: %s in the simulator, %s on the driver", b.Object.Name, l.at, number(l.scalar, x), number(l.scalar, y))
			}
		})
		if wrong > 0 {
			return fmt.Sprintf("%s; %d of %d numbers", first, wrong, all)
		}
	}
	return ""
}

// near reports whether two f32 differ by a margin at most. A driver may flush subnormal numbers to
// zero (§ 15.7.2).
func near(x, y uint32, margin float64) bool {
	const subnormal = 0x1p-126
	a, b := float64(math.Float32frombits(x)), float64(math.Float32frombits(y))
	return math.IsNaN(a) && math.IsNaN(b) || math.IsInf(margin, 1) || math.Abs(a-b) <= max(margin, subnormal)
}

func number(t *types.Scalar, bits uint32) string {
	switch t {
	case types.F32:
		return fmt.Sprint(math.Float32frombits(bits))
	case types.I32:
		return fmt.Sprint(int32(bits))
	}
	return fmt.Sprint(bits)
}

// orderDecides reports whether another order of the invocations leaves other numbers, as WGSL
// allows where atomics are involved.
func (r *preparedRun) orderDecides(ctx context.Context) bool {
	usual, other := r.buffers(), r.buffers()
	if _, err := r.program.Run(ctx, runWorkgroups, usual, sim.Options{Steps: runSteps}); err != nil {
		return false
	}
	result, err := r.program.RunInTurns(ctx, runWorkgroups, other, runSteps)
	if err != nil || !result.Finished {
		return false
	}
	for i := range usual {
		if !bytes.Equal(usual[i].Data, other[i].Data) {
			return true
		}
	}
	return false
}
