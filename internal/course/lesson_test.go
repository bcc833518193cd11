package course_test

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/judge/evidence"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// seeds is the number of seeds to draw cases from; make acceptance uses more.
var seeds = 5

// forEach runs a subtest for every exercise.
func forEach(t *testing.T, test func(t *testing.T, e *course.Exercise)) {
	for _, e := range course.All() {
		t.Run(e.ID, func(t *testing.T) { test(t, e) })
	}
}

func TestUnknownIDNamesTheNearest(t *testing.T) {
	for id, nearest := range map[string]string{
		"vectoradd": "vector-add", "ad": "add", "Hello": "hello", "arg-max": "argmax", "normalise": "normalize", "saxy": "saxpy",
	} {
		_, err := course.Find(id)
		var unknown *course.UnknownError
		require.True(t, errors.As(err, &unknown), id)
		assert.Equal(t, nearest, unknown.Nearest, id)
		assert.Contains(t, err.Error(), fmt.Sprintf("%q", nearest))
	}
	_, err := course.Find("banana")
	require.EqualError(t, err, "no exercise is called \"banana\"; `wgslab exercises` lists them all")
}

func TestFindFindsEveryExercise(t *testing.T) {
	forEach(t, func(t *testing.T, e *course.Exercise) {
		found, err := course.Find(e.ID)
		require.NoError(t, err)
		assert.Same(t, e, found)
	})
}

func TestAllIsACopy(t *testing.T) {
	course.All()[0] = nil
	assert.NotNil(t, course.All()[0])
}

// The exercises in which every element has a separate invocation.
func TestCasesContainTheAwkwardLengths(t *testing.T) {
	for _, id := range []string{"hello", "vector-add", "saxpy", "normalize"} {
		e, err := course.Find(id)
		require.NoError(t, err)
		for seed := range uint64(seeds) {
			var lengths []int
			for _, c := range e.Draw(seed) {
				lengths = append(lengths, c.Buffers[e.Output].Len())
			}
			assert.Subset(t, lengths, []int{1, 63, 64, 65, 1000}, "%s, seed %d", id, seed)
		}
	}
}

// No workgroup that WebGPU guarantees (256 invocations) or that devices commonly run (1024) may
// cover all cases of a dispatch that covers the elements, unless the check adds one: see
// Exercise.Past.
func TestNoSingleWorkgroupCoversEveryCase(t *testing.T) {
	const largestWorkgroup = 1024
	forEach(t, func(t *testing.T, e *course.Exercise) {
		for seed := range uint64(seeds) {
			largest, rows := 0, 0
			for _, c := range e.Draw(seed) {
				largest, rows = max(largest, c.Extent[0]), max(rows, c.Extent[1])
			}
			if e.Dispatch == course.Cover && rows == 0 && e.Past == nil {
				assert.Greater(t, largest, largestWorkgroup, "seed %d", seed)
			}
		}
	})
}

func TestOutputsArePoisoned(t *testing.T) {
	forEach(t, func(t *testing.T, e *course.Exercise) {
		if e.InPlace {
			return
		}
		for seed := range uint64(seeds) {
			for _, c := range e.Draw(seed) {
				out := c.Buffers[e.Output]
				for i := range out.Len() {
					poison := out.Element == shader.F32 && (math.IsNaN(out.At(i)) || out.Floats()[i] == course.StaleF32) ||
						out.Element == shader.U32 && out.Uints()[i] == course.PoisonU32
					if !poison {
						require.FailNow(t, "not poisoned", "seed %d, %s, element %d is %v", seed, c.Name, i, out.At(i))
					}
				}
			}
		}
	})
}

// A right answer must not look like poison; otherwise an unwritten element would pass. In few
// cases of an exercise, there is nothing to do.
func TestNoRightAnswerIsPoison(t *testing.T) {
	forEach(t, func(t *testing.T, e *course.Exercise) {
		for seed := range uint64(seeds) {
			var idle []string
			for _, c := range e.Draw(seed) {
				x, err := evidence.In(t.Context(), e, c)
				require.NoError(t, err)
				want := x.Output
				require.Equal(t, c.Buffers[e.Output].Len(), want.Len())
				changed := false
				for i := range want.Len() {
					changed = changed || !want.Same(i, c.Buffers[e.Output])
				}
				if !changed {
					idle = append(idle, c.Name)
				}
			}
			require.Less(t, 3*len(idle), len(e.Draw(seed)), "seed %d: doing nothing is right in %q", seed, idle)
		}
	})
}

func TestSameSeedSameCases(t *testing.T) {
	forEach(t, func(t *testing.T, e *course.Exercise) {
		first, again, other := e.Draw(7), e.Draw(7), e.Draw(8)
		assert.Equal(t, printed(first), printed(again))
		if e.ID != "hello" {
			assert.NotEqual(t, printed(first), printed(other))
		}
	})
}

// printed formats cases as text, in which NaN equals NaN.
func printed(cases []course.Case) string { return fmt.Sprintf("%v", cases) }

func TestDrawingDoesNotShareMemory(t *testing.T) {
	forEach(t, func(t *testing.T, e *course.Exercise) {
		for _, c := range e.Draw(3) {
			before := printed([]course.Case{c})
			_, err := evidence.In(t.Context(), e, c)
			require.NoError(t, err)
			require.Equal(t, before, printed([]course.Case{c}), "%s: the reference changed its case", c.Name)
		}
	})
}

func TestExercisesAreComplete(t *testing.T) {
	seen := map[string]bool{}
	slug := regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	forEach(t, func(t *testing.T, e *course.Exercise) {
		assert.Regexp(t, slug, e.ID)
		assert.False(t, seen[e.ID], "the id is taken")
		seen[e.ID] = true
		assert.True(t, e.Lesson >= 1 && e.Lesson <= course.Core+len(course.Beyond))
		assert.NotEmpty(t, e.Title)
		assert.True(t, strings.HasSuffix(e.Task, "."), "the task is a sentence")
		assert.Equal(t, e.Practice, e.Points == 0, "all exercises but those for practice give points")
		assert.LessOrEqual(t, e.Partial, e.Points)
		assert.GreaterOrEqual(t, len(e.Hints), 3)
		assert.Len(t, e.DrawSmall(1).Buffers, len(e.Bindings), "the small case")
		assert.LessOrEqual(t, e.DrawSmall(1).Buffers[e.Output].Len(), 1024, "the small case is small")
		for _, m := range misconceptions(t, e) {
			assert.Regexp(t, slug, m.Slug)
			for _, text := range []string{m.Title, m.Why, m.Ask} {
				assert.NotEmpty(t, text, m.Slug)
			}
			assert.True(t, strings.HasSuffix(m.Ask, "?") || strings.HasSuffix(m.Ask, "."), "%s asks: %s", m.Slug, m.Ask)
		}
	})
}

func misconceptions(t *testing.T, e *course.Exercise) []*course.Misconception {
	t.Helper()
	found, err := e.Misconceptions()
	require.NoError(t, err)
	require.NotEmpty(t, found)
	return found
}

// A shader with other white space, comments and local names still resembles its own misconception
// most.
func TestMostAlike(t *testing.T) {
	forEach(t, func(t *testing.T, e *course.Exercise) {
		for _, m := range misconceptions(t, e) {
			source, ok := m.In([3]uint32{4, 1, 1})
			if !ok {
				continue
			}
			text := regexp.MustCompile(`(?m)^//.*\n|^ +`).ReplaceAllString(source.Text, "")
			first := course.MostAlike(strings.ReplaceAll(text, "sum", "so_far"), misconceptions(t, e))[0]
			require.Equal(t, m.Slug, first.Slug)
		}
	})
	all := misconceptions(t, course.All()[0])
	require.Len(t, course.MostAlike("", all), len(all))
}

// No hint or diagnosis may give away the line to write.
func TestNoTextGivesTheAnswerAway(t *testing.T) {
	forEach(t, func(t *testing.T, e *course.Exercise) {
		source, err := exercises.Reference(e.ID)
		require.NoError(t, err)
		skeleton, err := e.Skeleton()
		require.NoError(t, err)
		given := " " + strings.Join(code(strings.NewReplacer("/*", "", "*/", "").Replace(skeleton)), " ")
		texts := append([]string{}, e.Hints...)
		for _, m := range misconceptions(t, e) {
			texts = append(texts, m.Title, m.Why, m.Ask)
		}
		for _, line := range code(source) {
			line = strings.TrimSuffix(line, ";")
			if len(line) < 8 || strings.Contains(given, line) || !strings.Contains(line, " = ") {
				continue
			}
			for _, text := range texts {
				assert.NotContains(t, text, line)
			}
		}
	})
}

// Solving an exercise only adds lines: the reference contains the skeleton's lines in the same
// order.
func TestSolvingOnlyAddsLines(t *testing.T) {
	forEach(t, func(t *testing.T, e *course.Exercise) {
		if e.Kind == course.FindBug {
			return // a line of it is wrong
		}
		skeleton, err := e.Skeleton()
		require.NoError(t, err)
		reference, err := exercises.Reference(e.ID)
		require.NoError(t, err)
		solved := code(reference)
		at := 0
		for _, line := range code(skeleton) {
			from := at
			for at < len(solved) && solved[at] != line {
				at++
			}
			require.Less(t, at, len(solved), "the reference has no line %q behind its line %d of code", line, from)
			at++
		}
	})
}

func code(source string) []string {
	var lines []string
	for _, line := range course.CodeLines(source) {
		lines = append(lines, line.Text)
	}
	return lines
}

// A skeleton may leave bindings to the learner. Those that it has are the exercise's.
func TestSkeletonsBindWhatTheExerciseSays(t *testing.T) {
	forEach(t, func(t *testing.T, e *course.Exercise) {
		source, err := e.Skeleton()
		require.NoError(t, err)
		module, err := shader.Read("", source).Module()
		require.NoError(t, err)
		for _, b := range module.Bindings {
			wanted := e.Bindings[b.Number]
			assert.Equal(t, wanted.Name, b.Name)
			assert.EqualValues(t, wanted.Access, b.Space)
			if wanted.Access != shader.Uniform {
				assert.Equal(t, wanted.Type, b.Type.Text)
				continue
			}
			var members []string
			for _, m := range b.Type.Members {
				members = append(members, m.Name+": "+m.Type.Text)
			}
			assert.Equal(t, wanted.Type, b.Type.Text+"{"+strings.Join(members, ", ")+"}")
		}
	})
}

func TestWorkgroupsCoverTheExtent(t *testing.T) {
	for _, c := range []struct {
		rule   course.DispatchRule
		extent [3]int
		size   [3]uint32
		want   [3]uint32
	}{
		{course.Cover, [3]int{1}, [3]uint32{64, 1, 1}, [3]uint32{1, 1, 1}},
		{course.Cover, [3]int{64}, [3]uint32{64, 1, 1}, [3]uint32{1, 1, 1}},
		{course.Cover, [3]int{65}, [3]uint32{64, 1, 1}, [3]uint32{2, 1, 1}},
		{course.Cover, [3]int{65}, [3]uint32{8, 8, 1}, [3]uint32{9, 1, 1}},
		{course.Cover, [3]int{17, 33}, [3]uint32{16, 16, 1}, [3]uint32{2, 3, 1}},
		{course.Cover, [3]int{17, 33, 4}, [3]uint32{16, 16, 1}, [3]uint32{2, 3, 4}},
		{course.Each, [3]int{7}, [3]uint32{64, 1, 1}, [3]uint32{7, 1, 1}},
		{course.Each, [3]int{7, 2, 3}, [3]uint32{64, 1, 1}, [3]uint32{7, 2, 3}},
	} {
		assert.Equal(t, c.want, c.rule.Workgroups(c.extent, c.size), "%v of %v by %v", c.rule, c.extent, c.size)
	}
}
