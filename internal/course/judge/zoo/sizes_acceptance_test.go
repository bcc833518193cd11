//go:build acceptance

package zoo_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/coursetest"
	"github.com/wgslab/wgslab/internal/course/judge"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// A misconception is recognised in workgroups of other sizes than in its file.
func TestMisconceptionsInOtherSizes(t *testing.T) {
	on := open(t, shader.Simulated)
	for _, exercise := range coursetest.Exercises(t, course.All()) {
		if exercise.ID == "add" {
			continue // one invocation: more of them race
		}
		if strings.HasPrefix(exercise.ID, "find-") {
			continue // its wrong shaders don't name the bug, which is told first
		}
		known, err := exercise.Misconceptions()
		require.NoError(t, err)
		for _, m := range known {
			for _, size := range [][3]uint32{{32, 1, 1}, {8, 8, 1}} {
				source, ok := m.In(size)
				if !ok || (size[1] > 1) != twoDimensional(exercise) || m.Slug == "power-of-two" {
					continue
				}
				v, err := judge.Run(t.Context(), on, exercise, source, 1)
				require.NoError(t, err)
				if v.Slug == verdict.OtherSubgroups {
					continue // in a small workgroup, only smaller subgroups show it
				}
				assert.Equal(t, m.Slug, v.Slug, "%s in workgroups of %v\n%s", exercise.ID, size, v.Text())
			}
		}
	}
}

func twoDimensional(e *course.Exercise) bool { return e.DrawSmall(1).Extent[1] > 0 }
