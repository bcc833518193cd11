package sim_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/engine/sim"
	"github.com/wgslab/wgslab/internal/lesson"
	"github.com/wgslab/wgslab/internal/shader"
	"github.com/wgslab/wgslab/shaders"
)

const zoo = "../../lesson/testdata"

// smallest is the largest number of elements that a case may have to be tried here.
const smallest = 4096

// mostInvocations is how many invocations one of them may have.
const mostInvocations = 1 << 15

// smallCases are the cases of an exercise that take no time.
func smallCases(e *lesson.Exercise) []lesson.Case {
	var small []lesson.Case
	for _, c := range e.Draw(1) {
		elements := 0
		for _, b := range c.Buffers {
			elements += b.Len()
		}
		if elements <= smallest {
			small = append(small, c)
		}
	}
	return small
}

// outcome is what running a shader of the zoo came to: findings of all cases, and whether the values were right.
type outcome struct {
	compile  error // a *CompileError, *BindError or *EndlessError
	findings []shader.Finding
	right    bool
}

func play(t *testing.T, e *lesson.Exercise, name, text string) outcome {
	t.Helper()
	backend := sim.New(sim.Options{Steps: 20_000_000})
	source := shader.Read(name, text)
	program, err := backend.Compile(context.Background(), source)
	if err != nil {
		return outcome{compile: err}
	}
	defer program.Free()
	module, err := source.Module()
	require.NoError(t, err)
	entry, _ := module.Entry(shader.EntryPoint)
	o := outcome{right: true}
	for _, c := range smallCases(e) {
		groups, size := e.Dispatch.Workgroups(c.Extent, entry.WorkgroupSize), entry.WorkgroupSize
		if groups[0]*groups[1]*groups[2]*size[0]*size[1]*size[2] > mostInvocations {
			continue
		}
		result, err := program.Run(context.Background(), shader.Dispatch{
			Workgroups: groups, Buffers: c.Buffers, Output: e.Output,
		})
		if err != nil {
			return outcome{compile: err}
		}
		o.findings = append(o.findings, result.Findings...)
		want := e.Reference(c)
		for i := range want.Len() {
			if !near(want.At(i), result.Output.At(i)) {
				o.right = false
			}
		}
	}
	return o
}

func near(a, b float64) bool {
	d := a - b
	return a == b || a != a && b != b || d*d <= 1e-6*(a*a+1)
}

func specimens(t *testing.T, id, kind string, each func(name, text string)) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(zoo, id, kind, "*.wgsl"))
	require.NoError(t, err)
	for _, f := range files {
		text, err := os.ReadFile(f)
		require.NoError(t, err)
		each(filepath.Base(f), string(text))
	}
}

func errorFindings(findings []shader.Finding) (errs []shader.Finding) {
	for _, f := range findings {
		if f.Severity == shader.SeverityError {
			errs = append(errs, f)
		}
	}
	return errs
}

// TestRightShadersAreClean: every right shader of the zoo, and the references, give the right values and no error
// finding.
func TestRightShadersAreClean(t *testing.T) {
	for _, e := range lesson.All() {
		if e == lesson.Forward {
			continue
		}
		t.Run(e.ID, func(t *testing.T) {
			require.NotEmpty(t, smallCases(e))
			check := func(name, text string) {
				o := play(t, e, name, text)
				if !assert.NoError(t, o.compile, name) {
					return
				}
				assert.True(t, o.right, "%s: wrong values", name)
				for _, f := range errorFindings(o.findings) {
					t.Errorf("%s: line %d: %s", name, f.Place.Line, f.Message)
				}
			}
			specimens(t, e.ID, "right", check)
			text, err := shaders.Source(e.ID)
			require.NoError(t, err)
			check("reference", text)
		})
	}
}

// seenAs are the diagnoses that are of what a simulator sees, and as what it must see them.
var seenAs = map[string][]string{
	"missing-barrier":      {"race-workgroup", "race-storage"},
	"race":                 {"race-storage", "race-workgroup"},
	"divergent-barrier":    {"divergent-barrier"},
	"missing-guard":        {"out-of-bounds-read", "out-of-bounds-write", "race-storage"},
	"missing-row-guard":    {"out-of-bounds-read", "out-of-bounds-write", "race-storage"},
	"missing-column-guard": {"out-of-bounds-read", "out-of-bounds-write", "race-storage"},
	"guard-off-by-one":     {"out-of-bounds-read", "out-of-bounds-write", "race-storage"},
	"local-id":             {"race-storage"},
	"first-only":           {"race-storage"},
	"runs-into-next-row":   {"out-of-bounds-read"},
}

// sameValues are the diagnoses whose shaders may write the same value at once, which is a remark.
var sameValues = map[string]bool{"first-only": true, "local-id": true}

// notSeen are wrong shaders with such a diagnosis that do nothing of the kind in the small cases.
var notSeen = map[string]string{
	"row-max/first-out.wgsl":     "only the first workgroup writes at all",
	"matmul-tiled/own-slot.wgsl": "each invocation keeps to its own element, so that no barrier is missing",
	"downsample/local-id.wgsl":   "the small cases have one workgroup",
}

// TestWrongShadersAreSeen holds the wrong shaders of the zoo whose diagnosis is of what a simulator sees to an error
// finding of that kind, with a line; and prints how all of them fare.
func TestWrongShadersAreSeen(t *testing.T) {
	seen := map[string]int{}
	for _, e := range lesson.All() {
		specimens(t, e.ID, "wrong", func(name, text string) {
			first, _, _ := strings.Cut(text, "\n")
			diagnosis := strings.TrimPrefix(first, "// diagnosis: ")
			o := play(t, e, name, text)
			kinds := kindsOf(t, o)
			seen[kinds[0]]++
			t.Logf("%-16s %-34s %-24s %s", e.ID, name, diagnosis, strings.Join(kinds, ", "))
			if want := seenAs[diagnosis]; want != nil && notSeen[e.ID+"/"+name] == "" {
				assert.True(t, slices.ContainsFunc(o.findings, func(f shader.Finding) bool {
					return f.Place.Line > 0 && slices.Contains(want, f.Kind) && (f.Severity == shader.SeverityError || sameValues[diagnosis])
				}), "%s/%s: %s is seen as %s", e.ID, name, diagnosis, kinds)
			}
		})
	}
	t.Log(seen)
}

// kindsOf is how an outcome is seen: the kinds of its error findings, or why there are none.
func kindsOf(t *testing.T, o outcome) (kinds []string) {
	var refused *shader.CompileError
	var unbound *shader.BindError
	switch {
	case errors.As(o.compile, &refused):
		return []string{"compile"}
	case errors.As(o.compile, &unbound):
		return []string{"bind"}
	case o.compile != nil:
		return []string{"endless"}
	}
	for _, f := range errorFindings(o.findings) {
		assert.Positive(t, f.Place.Line)
		if !slices.Contains(kinds, f.Kind) {
			kinds = append(kinds, f.Kind)
		}
	}
	switch {
	case kinds != nil:
		return kinds
	case o.right:
		return []string{"right in small cases"}
	}
	return []string{"wrong values only"}
}
