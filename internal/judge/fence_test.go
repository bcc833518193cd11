package judge

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/judge/reasons"
	"github.com/wgslab/wgslab/internal/judge/verdict"
	"github.com/wgslab/wgslab/internal/shader"
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
	require.NotEmpty(t, v.Diagnosis)
	require.Contains(t, v.Fault, "boom")
	require.Contains(t, v.Fault, "fence_test.go", "the stack says where")
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

// What a search had begun to change is as before if it fails, and a later search keeps the fault.
func TestASearchThatFails(t *testing.T) {
	r, v := &run{}, &verdict.Verdict{Message: "Wrong."}
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
