package course_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/wgsl"
)

// leftOut returns the parts of the frame that a skeleton leaves to the learner: bindings, the
// struct of a uniform, the entry point, or builtins among its parameters. "everything" is all of
// them.
func leftOut(t *testing.T, e *course.Exercise) (parts []string) {
	t.Helper()
	text, err := e.Skeleton()
	require.NoError(t, err)
	skeleton, err := shader.Read("", text).Module()
	require.NoError(t, err)
	solution, err := e.Reference()
	require.NoError(t, err)
	reference, err := solution.Module()
	require.NoError(t, err)
	if len(course.CodeLines(text)) == 0 {
		return []string{"everything"}
	}
	for _, b := range reference.Bindings {
		has := slices.ContainsFunc(skeleton.Bindings, func(own wgsl.Binding) bool { return own.Number == b.Number })
		if name, _, _ := strings.Cut(b.Type.Text, "<"); !has {
			parts = append(parts, "the binding of "+b.Name)
			if b.Space == shader.Uniform && !strings.Contains(text, "struct "+name+" {") {
				parts = append(parts, "its struct")
			}
		}
	}
	if len(skeleton.EntryPoints) == 0 {
		return append(parts, "the entry point and the workgroup size")
	}
	for i, entry := range reference.EntryPoints[:min(len(reference.EntryPoints), len(skeleton.EntryPoints))] {
		if len(skeleton.EntryPoints[i].Builtins) < len(entry.Builtins) {
			parts = append(parts, "parameters of "+entry.Name)
		}
	}
	return parts
}

// From lesson 2 on, a skeleton in each lesson leaves out a part of the frame. From lesson 7 on, one
// leaves out everything. With -v the test lists them.
func TestLessonsLeaveSomethingOut(t *testing.T) {
	some, everything := map[int]int{}, map[int]int{} // by the lesson's number: lesson 5 is two notebooks
	for _, l := range slices.Concat(course.Lessons, course.Beyond) {
		for _, e := range l.Exercises() {
			if e.IsOnHost() || e.Kind != course.Write {
				continue
			}
			parts := leftOut(t, e)
			if len(parts) == 0 {
				continue
			}
			some[l.Number]++
			if parts[0] == "everything" {
				everything[l.Number]++
			}
			t.Logf("lesson %d: %s leaves out %s", l.Number, e.ID, strings.Join(parts, ", "))
		}
	}
	for number := 2; number <= len(some)+1; number++ {
		assert.Positive(t, some[number], "lesson %d", number)
		if number >= 7 {
			assert.Positive(t, everything[number], "lesson %d", number)
		}
	}
	require.Len(t, some, 15)
}
