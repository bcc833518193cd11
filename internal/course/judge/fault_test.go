package judge

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/judge/evidence"
	"github.com/wgslab/wgslab/internal/course/judge/reasons"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/ground/fence"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

func withRule(t *testing.T, rules *[]rule, r rule) {
	t.Helper()
	before := *rules
	*rules = append([]rule{r}, before...)
	t.Cleanup(func() { *rules = before })
}

func boom(*facts) *verdict.Diagnosis { panic("boom") }

// A rule that fails costs no verdict on wrong values, and the verdict says so in one line.
func TestARuleThatFails(t *testing.T) {
	withRule(t, &wrongValues, boom)
	e, err := course.Find("add")
	require.NoError(t, err)
	skeleton, err := e.Skeleton()
	require.NoError(t, err)
	on := shader.Engines{Values: exact, Watcher: exact}
	v, err := Explain(t.Context(), on, e, shader.Read("add", skeleton), 1, nil)
	require.NoError(t, err)
	require.False(t, v.Passed())
	require.NotEmpty(t, v.Slug)
	require.Contains(t, v.Fault, "boom")
	require.Contains(t, v.Fault, "fault_test.go", "the stack says where")
	require.Contains(t, v.Text(), "a fault in wgslab")
	require.Contains(t, string(v.HTML()), "a fault in wgslab")
}

// Nothing passes because a rule failed.
func TestARuleThatFailsOnRightValues(t *testing.T) {
	withRule(t, &rightValues, boom)
	e, err := course.Find("add")
	require.NoError(t, err)
	source, err := e.Reference()
	require.NoError(t, err)
	require.Panics(t, func() {
		_, _ = Run(t.Context(), shader.Engines{Values: exact, Watcher: exact}, e, source, 1)
	})
}

// An engineThatFails panics when it compiles.
type engineThatFails struct{ shader.Backend }

func (engineThatFails) Compile(context.Context, *shader.Source) (shader.Program, error) {
	panic("boom")
}

// wrongVectorAdd is an exercise, and a wrong shader for it that no misconception names.
func wrongVectorAdd(t *testing.T) (*course.Exercise, *shader.Source) {
	t.Helper()
	e, err := course.Find("vector-add")
	require.NoError(t, err)
	source, err := e.Reference()
	require.NoError(t, err)
	wrong := strings.Replace(source.Text, "a[i] + b[i]", "a[i] + b[i] * 3.0", 1)
	require.NotEqual(t, source.Text, wrong)
	return e, shader.Read("vector-add", wrong)
}

// The search for the nearest right shader tries edits in goroutines of its own. A fault in one of
// them costs the reasons, and neither the verdict nor the program.
func TestATryThatFails(t *testing.T) {
	e, source := wrongVectorAdd(t)
	on := shader.Engines{Values: exact, Watcher: exact}
	explain := func() *verdict.Verdict {
		v, err := Explain(t.Context(), on, e, source, 1, nil)
		require.NoError(t, err)
		return v
	}
	whole := explain()
	require.Empty(t, whole.Fault)
	require.NotEmpty(t, whole.Reasons)
	before := exact
	exact = engineThatFails{before}
	defer func() { exact = before }()
	v := explain()
	require.Contains(t, v.Fault, "boom")
	require.Contains(t, v.Fault, "reasons.(*search).tryOne", "the stack is that of the goroutine")
	require.Equal(t, whole.Message, v.Message)
	require.Equal(t, whole.Cases, v.Cases)
	require.Contains(t, v.Text(), "a fault in wgslab")
}

// A fault in the goroutine of the watcher reaches the caller of the check, whose fence it is.
func TestAWatcherThatFails(t *testing.T) {
	e, source := wrongVectorAdd(t)
	fault := fence.Around(func() {
		_, _ = Run(t.Context(), shader.Engines{Values: exact, Watcher: engineThatFails{exact}}, e, source, 1)
	})
	require.Contains(t, fault, "boom")
	require.Contains(t, fault, "engineThatFails.Compile")
}

// So does a fault in the goroutine that computes the right outputs.
func TestARightOutputThatFails(t *testing.T) {
	e, source := wrongVectorAdd(t)
	broken := *e
	broken.Output = len(e.Bindings) // there is no such binding
	r := &run{facts: facts{Facts: evidence.About(&broken, source)}}
	outputs := r.expectAll(t.Context(), e.Draw(1))
	require.Contains(t, fence.Around(func() { (<-outputs).Value() }), "evidence.In")
}

// What a search had begun to change is as before if it fails, and a later search keeps the fault.
func TestASearchThatFails(t *testing.T) {
	r, v := &run{}, &verdict.Verdict{Diagnosis: verdict.Diagnosis{Message: "Wrong."}}
	r.search(v, func(_ *reasons.Input, told *verdict.Verdict) {
		told.Message = "Half."
		var none []int
		_ = none[len(told.Places)]
	})
	require.Equal(t, "Wrong.", v.Message)
	require.Contains(t, v.Fault, "index out of range")
	r.search(v, func(_ *reasons.Input, told *verdict.Verdict) { told.Message = "Whole." })
	require.Equal(t, "Whole.", v.Message)
	require.Contains(t, v.Fault, "index out of range")
}
