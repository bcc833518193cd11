package shadertest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/machine/engine/simulator"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/wgsl"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// A sameRun is a test in progress.
type sameRun struct {
	Setup
	source   *shader.Source
	bindings []wgsl.Binding
	size     [3]uint32     // of a workgroup
	want     reflect.Value // the Go function
	usual    shader.Program
}

// prepare reads and compiles the shader. Its errors are about what the test asks for, or about a
// shader that doesn't compile.
func (s Setup) prepare(want any) (*sameRun, error) {
	s.From = max(s.From, 1)
	if s.To == 0 {
		s.To = max(300, s.From)
	}
	if s.To < s.From {
		return nil, fmt.Errorf("no size is from %d to %d", s.From, s.To)
	}
	text, err := shader.ReadFile(s.File)
	if err != nil {
		return nil, err
	}
	run := &sameRun{Setup: s, source: shader.Read(s.File, text), want: reflect.ValueOf(want)}
	module, err := run.source.Module()
	if err != nil {
		return nil, err
	}
	if s.Entry == "" && len(module.EntryPoints) != 1 {
		return nil, fmt.Errorf("it has %d compute functions: name one as Entry", len(module.EntryPoints))
	}
	if s.Entry == "" {
		run.Entry = module.EntryPoints[0].Name
	}
	entry, found := module.Entry(run.Entry)
	if run.source = run.source.At(run.Entry); !found {
		return nil, run.source.NoEntryPoint()
	}
	run.size = entry.WorkgroupSize
	if run.bindings, err = run.source.Bindings(); err != nil {
		return nil, err
	}
	if want == nil {
		return nil, errors.New("there is no Go function to compare with")
	}
	if err := matching(run.want.Type(), run.bindings); err != nil {
		return nil, err
	}
	run.usual, err = simulator.New(simulator.Options{}).Compile(context.Background(), run.source)
	return run, err
}

// searching limits the search for the smallest size that fails.
const searching = 3 * time.Second

// all tries sizes, and explains the smallest that fails; "" if none does.
func (r *sameRun) all(ctx context.Context) string {
	for _, n := range r.sizes() {
		why, err := r.one(ctx, n)
		if err != nil {
			return fmt.Sprintf("%s, n = %d: %v", r.File, n, err)
		}
		if why != "" {
			return r.smallest(ctx, n, why)
		}
	}
	return ""
}

// smallest explains the smallest size that fails, at most n; or n, if the search takes too long.
func (r *sameRun) smallest(ctx context.Context, n int, why string) string {
	deadline := time.Now().Add(searching)
	for m := r.From; m < n; m++ {
		if time.Now().After(deadline) {
			return fmt.Sprintf("%s fails with n = %d, of %d to %d.\n%s", r.File, n, r.From, r.To, why)
		}
		if smaller, err := r.one(ctx, m); err == nil && smaller != "" {
			n, why = m, smaller // which ends the search
		}
	}
	return fmt.Sprintf("%s fails with n = %d, the smallest from %d to %d that does.\n%s", r.File, n, r.From, r.To, why)
}

// sizes are the ends, those around whole workgroups, and some between.
func (r *sameRun) sizes() (list []int) {
	whole := int(r.size[0] * r.size[1] * r.size[2])
	for _, n := range []int{r.From, r.From + 1, whole - 1, whole, whole + 1, 2*whole - 1, 2 * whole, 2*whole + 1, r.To} {
		if n >= r.From && n <= r.To {
			list = append(list, n)
		}
	}
	random := rand.New(rand.NewPCG(r.Seed, 0))
	const between = 8
	for range between {
		list = append(list, r.From+random.IntN(r.To-r.From+1))
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// one tries a size, and says why it fails; "" if it doesn't.
func (r *sameRun) one(ctx context.Context, n int) (why string, err error) {
	d, want, err := r.dispatch(n)
	if err != nil {
		return "", err
	}
	watched := d
	watched.Watch = true
	seen, err := r.usual.Run(ctx, watched)
	if err != nil {
		return "", err
	}
	for _, f := range seen.Findings {
		if f.IsError() || f.Kind == findings.StepLimit {
			return r.told(f), nil
		}
	}
	allowed, err := r.allowed(ctx, d, want)
	if err != nil {
		return "", err
	}
	if why := r.differ(seen, want, allowed); why != "" {
		return why, nil
	}
	return r.otherwise(ctx, d, seen, want, allowed)
}

// dispatch draws the inputs of a size, and computes with Go what has to be there afterwards.
func (r *sameRun) dispatch(n int) (d shader.Dispatch, want []shader.Buffer, err error) {
	random := rand.New(rand.NewPCG(r.Seed, uint64(n)))
	parameters := make([]reflect.Value, len(r.bindings))
	longest := 1
	if r.Inputs != nil {
		given := r.Inputs(n, random)
		if len(given) != len(parameters) {
			return d, nil, fmt.Errorf("it has %d values from Inputs, for %d bindings", len(given), len(parameters))
		}
		for i, value := range given {
			parameters[i] = reflect.ValueOf(value)
			if value == nil || parameters[i].Type() != r.want.Type().In(i) {
				return d, nil, fmt.Errorf("value %d of Inputs is a %T, and the Go function's parameter is a %s", i+1, value, r.want.Type().In(i))
			}
		}
	}
	for i, b := range r.bindings {
		if r.Inputs == nil {
			parameters[i] = drawn(r.want.Type().In(i), n, random)
		}
		if parameters[i].Kind() == reflect.Slice {
			longest = max(longest, parameters[i].Len())
		}
		buffer, err := bufferOf(b, parameters[i].Interface())
		if err != nil {
			return d, nil, err
		}
		d.Buffers = append(d.Buffers, buffer)
	}
	outputs := r.outputs()
	d.Output, d.Also = outputs[0], outputs[1:]
	d.Workgroups = [3]uint32{(uint32(longest) + r.size[0] - 1) / r.size[0], 1, 1}
	if r.Workgroups != nil {
		d.Workgroups = r.Workgroups(n)
	}
	r.want.Call(parameters)
	for _, i := range outputs {
		buffer, err := bufferOf(r.bindings[i], parameters[i].Interface())
		if err != nil {
			return d, nil, err
		}
		want = append(want, buffer)
	}
	return d, want, nil
}

// outputs returns the indices of the bindings that the shader may write.
func (r *sameRun) outputs() (list []int) {
	for i, b := range r.bindings {
		if b.Space == wgsl.ReadWrite {
			list = append(list, i)
		}
	}
	return list
}

// kinds returns the kinds of the words of an element of an output.
func (r *sameRun) kinds(output int) []shader.Element {
	return wordsOf(r.want.Type().In(r.outputs()[output]).Elem())
}

// allowed returns for each word of each output how far a float may be from Go's: by WGSL's bounds
// for the shader's operations, on the same inputs.
func (r *sameRun) allowed(ctx context.Context, d shader.Dispatch, want []shader.Buffer) ([][]float64, error) {
	all := make([][]float64, len(want))
	floats := false
	for i := range want {
		all[i] = make([]float64, want[i].Len())
		kinds := r.kinds(i)
		for word := range all[i] {
			if kinds[word%len(kinds)] == shader.F32 {
				floats = true
				all[i][word] = r.Tolerance * max(1, math.Abs(at(want[i], word, shader.F32)))
			}
		}
	}
	if r.Tolerance > 0 || !floats {
		return all, nil
	}
	d.Exact = true
	exact, err := r.usual.Run(ctx, d)
	if err != nil {
		return nil, fmt.Errorf("its errors can't be bounded (%w): state a Tolerance", err)
	}
	if len(exact.Undecided) > 0 {
		return nil, fmt.Errorf("rounding decides what happens on line %d: state a Tolerance, or choose other numbers", exact.Undecided[0].Line)
	}
	for i, left := range exact.All() {
		kinds := r.kinds(i)
		for word := range all[i] {
			if kinds[word%len(kinds)] != shader.F32 {
				continue
			}
			if word < len(left.Margins) {
				all[i][word] = left.Margins[word]
			}
			if math.IsInf(all[i][word], 0) || math.IsNaN(all[i][word]) {
				return nil, fmt.Errorf("WGSL bounds no error for %s: state a Tolerance, or choose other numbers", r.name(i, word))
			}
		}
	}
	return all, nil
}

// name returns the name of a word of an output, such as out[3], or v[3], number 2.
func (r *sameRun) name(output, word int) string {
	each := len(r.kinds(output))
	name := fmt.Sprintf("%s[%d]", r.bindings[r.outputs()[output]].Name, word/each)
	if each > 1 {
		name += fmt.Sprintf(", number %d", word%each)
	}
	return name
}

// differ names the first wrong value, and counts them; "" if all are right.
func (r *sameRun) differ(got shader.Result, want []shader.Buffer, allowed [][]float64) string {
	for i, left := range got.All() {
		first, wrong := -1, 0
		kinds := r.kinds(i)
		for word := range want[i].Len() {
			kind := kinds[word%len(kinds)]
			x, y := at(left.Output, word, kind), at(want[i], word, kind)
			if x == y || math.IsNaN(x) && math.IsNaN(y) || math.Abs(x-y) <= allowed[i][word] {
				continue
			}
			if wrong++; first < 0 {
				first = word
			}
		}
		if first < 0 {
			continue
		}
		kind := kinds[first%len(kinds)]
		return fmt.Sprintf("%s is %v, and should be %v (wrong: %d of %s)", r.name(i, first),
			at(left.Output, first, kind), at(want[i], first, kind), wrong, english.Count(want[i].Len(), "number", "numbers"))
	}
	return ""
}

// otherwise tries the other orders, and the other subgroups if the shader uses them.
func (r *sameRun) otherwise(ctx context.Context, d shader.Dispatch, usual shader.Result, want []shader.Buffer, allowed [][]float64) (string, error) {
	for _, order := range simulator.OtherOrders {
		if order.InTurns && !strings.Contains(r.source.Text, "atomic") {
			continue
		}
		d.InTurns = order.InTurns
		why, err := r.with(ctx, order.Patience(usual.Steps), d, want, allowed)
		if why != "" || err != nil {
			return prefixed("The values depend on the order: all is right if workgroups run by their numbers, and wrong if "+order.Told+".\n", why), err
		}
	}
	d.InTurns = false
	if info := r.source.Shader().Info; !info.Enabled.Has(types.FeatureSubgroups) {
		return "", nil
	}
	for _, division := range simulator.OtherDivisions {
		where := fmt.Sprintf("The shader is wrong with subgroups of %d", division.Size)
		if division.Scattered {
			where += " whose neighbours are elsewhere"
		}
		why, err := r.with(ctx, simulator.Options{Subgroups: division}, d, want, allowed)
		if why != "" || err != nil {
			return prefixed(where+".\n", why), err
		}
	}
	return "", nil
}

func prefixed(prefix, why string) string {
	if why == "" {
		return ""
	}
	return prefix + why
}

// with runs the shader in another way.
func (r *sameRun) with(ctx context.Context, options simulator.Options, d shader.Dispatch, want []shader.Buffer, allowed [][]float64) (string, error) {
	program, err := simulator.New(options).Compile(ctx, r.source)
	if err != nil {
		return "", err
	}
	defer program.Free()
	result, err := program.Run(ctx, d)
	var late *shader.DeadlineError
	switch {
	case errors.As(err, &late):
		return "It never ends then.", nil
	case d.InTurns && err != nil: // too many invocations to run side by side
		return "", ctx.Err()
	case err != nil:
		return "", err
	}
	return r.differ(result, want, allowed), nil
}

// told returns a finding with its place, as compilers do.
func (r *sameRun) told(f findings.Finding) string {
	line, _ := r.source.Line(f.Line)
	text := fmt.Sprintf("%s:%d:%d: %s", r.File, f.Line, max(1, f.Column), english.Sentence(f.Message))
	if f.Hint != "" {
		text += " " + f.Hint
	}
	return text + "\n" + f.Excerpt(line)
}
