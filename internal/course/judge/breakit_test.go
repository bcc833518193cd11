package judge_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/judge"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/machine/engine"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// A case has to break the wrong shader, and right ones have to survive it. The verdict says what
// the wrong shader left. The folders' own cases are tested by package authoring.
func TestBreakIt(t *testing.T) {
	const id, broken = "break-row-max", "const rows = 1u;\nconst cols = 3u;\nconst x = array(1.0, 2.0, 3.0);\n"
	v := explained(t, id, broken)
	require.True(t, v.Passed())
	require.Contains(t, v.Message, "`out[0]` should be 3, but is 2. The 9 right shaders survive it.")
	require.Len(t, v.Cases, 1)

	v = explained(t, "break-dispatch", "const m = 2u;\nconst n = 17u;\nconst k = 1u;\n")
	require.True(t, v.Passed())
	require.Contains(t, v.Message, "The wrong host fails in your case, 2 × 1 times 1 × 17: no invocation writes `out[16]`, which should be ")

	v = explained(t, id, "const rows = 1u;\nconst cols = 3u;\nconst x = array(3.0, 2.0, 1.0);\n")
	require.Equal(t, verdict.Survived, v.Slug)
	require.Empty(t, v.Reasons)
	require.Empty(t, v.Places)
	for text, want := range map[string]string{
		"const rows = 1u;\nconst cols = 0u;\n":                                            "The size `cols` has to be a whole number from 1 to 1000.",
		"const rows = 1u;\nconst cols = 1.5;\n":                                           "The size `cols` has to be a whole number from 1 to 1000.",
		"const rows = 1u;\n":                                                              "The case doesn't say how large `cols` is",
		"const rows = 1u;\nconst cols = 2u;\nconst x = array(1.0);\n":                     "`x` has 1 values, and with these sizes it needs 2.",
		"const rows = 1u;\nconst cols = 2u;\nconst x = 1.0;\n":                            "`x` has to be an array of numbers",
		"const rows = 1000u;\nconst cols = 1000u;\n":                                      "16384 are the most",
		"const rows = 1u;\nconst cols = 1u;\nvar<private> x: f32;\n":                      "`x` isn't a constant",
		"const rows = 1u;\nconst cols = 1u;\nconst x = array<bool, 1>(true);\n":           "`x` has to be an array of numbers",
		"const rows = 1u;\nconst cols = 2u;\nconst x = array(1.0, -9e38);\n":              "`x` holds -9e+38, which is no f32",
		"const rows = 2u;\nconst cols = rows * 2u;\nconst x = array(1.0, 2.0, 3.0, 4.0);": "`x` has 4 values, and with these sizes it needs 8.",
	} {
		v := explained(t, id, text)
		require.Equal(t, "not-a-case", v.Slug, text)
		require.Contains(t, v.Message, want)
	}
	require.Equal(t, verdict.StageCompile, explained(t, id, "const rows = ;").Stage)
}

// A case in which a right shader fails as well breaks nothing.
func TestAnUnfairCase(t *testing.T) {
	on, err := engine.Open(t.Context(), shader.Simulated)
	require.NoError(t, err)
	defer on.Close()
	e, err := course.Find("break-row-max")
	require.NoError(t, err)
	unfair, broken := *e, *e.Break
	broken.Right, unfair.Break = append(broken.Right[:1:1], broken.Wrong), &broken
	source, err := e.Reference()
	require.NoError(t, err)
	v, err := judge.Run(t.Context(), on.Engines, &unfair, source, 1)
	require.NoError(t, err)
	require.Equal(t, "unfair-case", v.Slug)
	require.Contains(t, v.Why, "should be 9, but is 5")
}
