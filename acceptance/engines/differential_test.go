//go:build acceptance

package engines

import (
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/acceptance/internal/lab"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/coursetest"
	"github.com/wgslab/wgslab/internal/course/judge/evidence"
	"github.com/wgslab/wgslab/internal/machine/engine/enginetest"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/machine/engine/simulator"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/machine/sim/ir"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// chromiumPrograms is the number of random programs to run in Chromium.
const chromiumPrograms = 400

// Random programs leave the same words in the simulator and in Chromium, within WGSL's accuracy.
func TestRandomProgramsInChromium(t *testing.T) {
	first, end := coursetest.Range(t, chromiumPrograms)
	enginetest.Check(t, end-first, openTint(t), enginetest.Tint...)
}

// The largest cases that the zoo runs here, in elements and in invocations.
const (
	zooElements    = 4096
	zooInvocations = 1 << 15
)

// Every shader of the zoo leaves the same values in the simulator, on this machine's driver (whose
// compiler is naga) and in Chromium (Tint), within what WGSL allows for that shader, or the
// simulator has a finding that says why not. All three refuse what the simulator refuses. Right
// shaders leave the reference's values in every case, also in those that are too large for the
// simulator. A suite that takes shares runs the reference, a right shader and a wrong one of the
// other exercises.
func TestZooIsTheSameEverywhere(t *testing.T) {
	device, err := gpu.Open()
	require.NoError(t, err)
	t.Cleanup(device.Close)
	z := &zooComparison{
		simulator: simulator.New(simulator.Options{Steps: 20_000_000, Subgroups: ir.SubgroupDivision{Size: tintSubgroup}}), others: []shader.Backend{gpu.Backend(device), openTint(t)},
		wanted: map[string][]*evidence.RightOutput{}, excused: map[string]int{}, explained: map[string]int{},
	}
	share := coursetest.Exercises(t, course.All())
	for _, e := range course.All() {
		t.Run(e.ID, func(t *testing.T) {
			skipSeveralPasses(t, e)
			right, wrong := lab.Shaders(t, "exercises", e.ID, "right"), everySecond(lab.Shaders(t, "exercises", e.ID, "wrong"))
			if !slices.Contains(share, e) {
				right, wrong = coursetest.One(t, right), coursetest.One(t, wrong)
			}
			z.shader(t, e, filepath.Join(lab.Root(t), "exercises", e.ID, "reference.wgsl"))
			for _, path := range slices.Concat(right, wrong) {
				z.shader(t, e, path)
			}
		})
	}
	t.Logf("%d shaders, %d refused by all; %d runs compared, %d values, the largest difference of right ones is %.2g; left out for what the simulator sees: %v; explained: %v",
		z.shaders, z.refused, z.runs, z.values, z.largest, z.excused, z.explained)
	if coursetest.Whole(t) {
		assert.Positive(t, z.explained[string(findings.Subnormal)], "no shader reads a subnormal number any more")
	}
	require.Positive(t, z.runs)
}

// everySecond returns half of the wrong shaders: all of them take ten minutes.
func everySecond(paths []string) (some []string) {
	for i := 0; i < len(paths); i += 2 {
		some = append(some, paths[i])
	}
	return some
}

type zooComparison struct {
	simulator                      shader.Backend
	others                         []shader.Backend
	wanted                         map[string][]*evidence.RightOutput // of an exercise's cases, by its id
	shaders, refused, runs, values int
	largest                        float64        // difference between the engines in a right shader
	excused                        map[string]int // by the finding's kind
	explained                      map[string]int // differences, by their reason
}

// shader runs one shader on all engines in all small cases, and a right one in all cases.
func (z *zooComparison) shader(t *testing.T, e *course.Exercise, path string) {
	t.Helper()
	name := filepath.Join(filepath.Base(filepath.Dir(path)), filepath.Base(path))
	text := lab.Read(t, path)
	source := shader.Read(name, text)
	if usesSubgroups(source) && strings.HasPrefix(name, "wrong") {
		z.excused["a wrong shader may read an invocation that isn't there"]++
		return
	}
	z.shaders++
	isWrong := filepath.Base(filepath.Dir(path)) == "wrong"
	simulated, err := e.Compile(t.Context(), z.simulator, source)
	require.True(t, isWrong || err == nil && source.Mistake() == nil, "the simulator refuses %s: %v", name, err)
	if err != nil || source.Mistake() != nil { // the simulator alone runs what breaks § 15.2
		z.refused++
		z.allRefuse(t, e, source)
		return
	}
	defer simulated.Free()
	size := workgroupSize(t, e, source)
	var compiled []shader.Program
	if !isWrong {
		compiled = z.compile(t, e, source)
		z.requireTheReferencesValues(t, e, source, compiled)
	}
	for _, c := range zooCases(e, size) {
		dispatch, err := e.Dispatched(c, source)
		require.NoError(t, err)
		dispatch.Also = nil
		watched := dispatch
		watched.Watch = true
		want, err := simulated.Run(t.Context(), watched)
		if err != nil {
			z.noneRuns(t, e, source, dispatch)
			return
		}
		if i := slices.IndexFunc(want.Findings, func(f findings.Finding) bool { return f.Severity == findings.Error }); i >= 0 {
			z.excused[string(want.Findings[i].Kind)]++
			continue
		}
		if compiled == nil {
			compiled = z.compile(t, e, source)
		}
		allowed := ownMargins(t, simulated, dispatch)
		for i, p := range compiled {
			if p == nil {
				continue
			}
			got, err := p.Run(t.Context(), dispatch)
			if !assert.NoError(t, err, "%s, %s, on %s", name, c.Name, z.others[i].Adapter()) {
				continue
			}
			z.runs++
			z.values += want.Output.Len()
			difference := compareOutputs(bounded(got.Output, want.Output, allowed), want.Output, allowed)
			why := saidWhy(want.Findings)
			if isWrong && strings.Contains(text, "atomic") {
				why = "the order of atomics" // WGSL leaves it open, and only a right shader doesn't depend on it
			}
			if why != "" && difference.Wrong > 0 {
				z.explained[why]++
				continue
			}
			assert.Zero(t, difference.Wrong, "%s, %s: %d values differ on %s, the first is number %d: %g, not %g",
				name, c.Name, difference.Wrong, z.others[i].Adapter(), difference.First, valueAt(got.Output, difference.First), valueAt(want.Output, difference.First))
		}
	}
	for _, p := range compiled {
		if p != nil {
			p.Free()
		}
	}
}

// requireTheReferencesValues requires that a right shader leaves the reference's values on each
// engine, and that the engines differ by no more than is allowed.
func (z *zooComparison) requireTheReferencesValues(t *testing.T, e *course.Exercise, source *shader.Source, compiled []shader.Program) {
	t.Helper()
	cases := e.Draw(tintSeed)
	if z.wanted[e.ID] == nil {
		for _, c := range cases {
			right, err := evidence.In(t.Context(), e, c)
			require.NoError(t, err)
			z.wanted[e.ID] = append(z.wanted[e.ID], right)
		}
	}
	for k, c := range cases {
		want, allowed := z.wanted[e.ID][k].Output, z.wanted[e.ID][k].Allowed
		var before *course.Buffer
		for i, p := range compiled {
			if p == nil {
				continue
			}
			got := runCase(t, p, source, e, c)
			requireNear(t, got, want, allowed, fmt.Sprintf("%s, %s: %s against the reference", source.Name, c.Name, z.others[i].Adapter()))
			if before != nil {
				z.largest = max(z.largest, requireNear(t, got, *before, allowed, source.Name+", "+c.Name+": Tint against naga"))
			}
			before = &got
			z.runs++
			z.values += want.Len()
		}
	}
}

// saidWhy is the kind of the remark that explains why values may differ: an implementation
// may flush subnormal numbers to zero (WGSL § 15.7.2).
func saidWhy(seen []findings.Finding) string {
	if slices.ContainsFunc(seen, func(f findings.Finding) bool { return f.Kind == findings.Subnormal }) {
		return string(findings.Subnormal)
	}
	return ""
}

// valueAt returns element i, or 0 if there is no difference to show.
func valueAt(b shader.Buffer, i int) float64 { return b.At(max(i, 0)) }

// compile compiles a shader on all engines. A program is nil if its engine has a gap there.
func (z *zooComparison) compile(t *testing.T, e *course.Exercise, source *shader.Source) []shader.Program {
	t.Helper()
	var all []shader.Program
	for _, other := range z.others {
		p, err := e.Compile(t.Context(), other, source)
		if isNagasGap(other, source, err) {
			z.explained["naga's gaps"]++
			all = append(all, nil)
			continue
		}
		require.NoError(t, err, "%s, on %s", source.Name, other.Adapter())
		all = append(all, p)
	}
	return all
}

// packedIntegers are the builtin functions that naga 22 lacks. TestNagasGaps notices when it has
// them.
var packedIntegers = regexp.MustCompile(`\b(un)?pack4x[IU]8|\bdot4[IU]8Packed\b`)

// usesSubgroups reports whether a shader enables subgroups, which naga 22 doesn't take.
func usesSubgroups(source *shader.Source) bool {
	info := source.Shader().Info
	return info != nil && info.Enabled.Has(types.FeatureSubgroups)
}

// isNagasGap reports whether naga refuses a shader for functions that WGSL has and naga lacks.
func isNagasGap(on shader.Backend, source *shader.Source, err error) bool {
	return shader.RefusedOnly(err) && on.Adapter().Backend != shader.BrowserBackend && (packedIntegers.MatchString(source.Text) || usesSubgroups(source))
}

func (z *zooComparison) allRefuse(t *testing.T, e *course.Exercise, source *shader.Source) {
	t.Helper()
	for _, other := range z.others {
		_, err := e.Compile(t.Context(), other, source)
		assert.Error(t, err, "%s: the simulator refuses it, %s does not", source.Name, other.Adapter())
	}
}

// noneRuns requires that all engines refuse a dispatch that the simulator refuses, for its
// buffers or for an endless loop.
func (z *zooComparison) noneRuns(t *testing.T, e *course.Exercise, source *shader.Source, dispatch shader.Dispatch) {
	t.Helper()
	z.refused++
	for _, other := range z.others {
		p, err := e.Compile(t.Context(), other, source)
		if err != nil {
			continue // Chromium looks at bindings when it makes the pipeline
		}
		_, err = p.Run(t.Context(), dispatch)
		assert.Error(t, err, "%s: the simulator does not run it, %s does", source.Name, other.Adapter())
		p.Free()
	}
}

// zooCases returns the exercise's cases that are quick in the simulator.
func zooCases(e *course.Exercise, size [3]uint32) []course.Case {
	return slices.DeleteFunc(e.Draw(tintSeed), func(c course.Case) bool {
		elements := 0
		for _, b := range c.Buffers {
			elements += b.Len()
		}
		groups := e.Dispatch.Workgroups(c.Extent, size)
		return elements > zooElements || groups[0]*groups[1]*groups[2]*size[0]*size[1]*size[2] > zooInvocations
	})
}

// ownMargins is how far two engines' results of the same shader may be apart: each may be off by
// what WGSL allows for this shader, right or wrong.
func ownMargins(t *testing.T, simulated shader.Program, d shader.Dispatch) course.Tolerance {
	t.Helper()
	d.Exact = true
	result, err := simulated.Run(t.Context(), d)
	require.NoError(t, err)
	margins := slices.Clone(result.Margins)
	for i := range margins {
		margins[i] *= 2
	}
	return course.Tolerance{Margins: margins}
}

// bounded returns a result with the wanted value where WGSL allows any, NaN included.
func bounded(got, want course.Buffer, allowed course.Tolerance) course.Buffer {
	got = got.Clone()
	for i, margin := range allowed.Margins {
		if math.IsInf(margin, 1) {
			copy(got.Bytes[i*shader.ElementBytes:(i+1)*shader.ElementBytes], want.Bytes[i*shader.ElementBytes:])
		}
	}
	return got
}
