package sim_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
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
	backend := sim.New(sim.Options{Steps: 50_000_000})
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
		result, err := program.Run(context.Background(), shader.Dispatch{
			Workgroups: e.Dispatch.Workgroups(c.Extent, entry.WorkgroupSize), Buffers: c.Buffers, Output: e.Output,
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

// TestWrongShadersAreSeen prints how each wrong shader fares, and holds those whose diagnosis is of what a simulator
// sees to a finding with its line.
func TestWrongShadersAreSeen(t *testing.T) {
	seen := map[string]int{}
	for _, e := range lesson.All() {
		specimens(t, e.ID, "wrong", func(name, text string) {
			diagnosis := strings.TrimSpace(strings.TrimPrefix(strings.SplitN(text, "\n", 2)[0], "//"))
			o := play(t, e, name, text)
			kind := "nothing seen"
			var refused *shader.CompileError
			var unbound *shader.BindError
			switch found := errorFindings(o.findings); {
			case errors.As(o.compile, &refused):
				kind = "compile"
			case errors.As(o.compile, &unbound):
				kind = "bind"
			case o.compile != nil:
				kind = "endless"
			case len(found) > 0:
				kind = found[0].Kind
				assert.Positive(t, found[0].Place.Line)
			case o.right:
				kind = "right in small cases"
			}
			seen[kind]++
			t.Logf("%-16s %-34s %-34s %s", e.ID, name, diagnosis, kind)
		})
	}
	t.Log(seen)
}
