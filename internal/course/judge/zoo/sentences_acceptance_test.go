//go:build acceptance

package zoo_test

import (
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/course/judge/zoo"
	"github.com/wgslab/wgslab/internal/machine/engine/simulator"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// TestSentencesHold draws wrong shaders, and tries what their verdicts say about inputs: it changes
// these in the case of the verdict, runs both shaders, and compares. WGSLAB_LABELLED names a folder
// of labelled shaders to take instead, all of them.
func TestSentencesHold(t *testing.T) {
	needsChange(t)
	all, err := zoo.Planted()
	require.NoError(t, err)
	share := zoo.Share(all, 30, 2)
	if dir := os.Getenv("WGSLAB_LABELLED"); dir != "" {
		share, err = zoo.ReadLabelled(dir)
		require.NoError(t, err)
	}
	tried := 0
	for _, s := range share {
		a, err := s.Judge(t.Context())
		require.NoError(t, err, s.Name)
		for _, reason := range a.Verdict.Reasons {
			if c := claimOf(&s, a.Verdict, reason.Text); c != nil {
				tried++
				c.try(t, s.Name+": "+reason.Text)
			}
		}
	}
	t.Logf("%d sentences tried", tried)
	require.NotZero(t, tried)
}

// A claim is what a sentence says about an element of a case: on which words it should depend, on
// which it does, and on which it doesn't.
type claim struct {
	exercise *course.Exercise
	learner  *shader.Source
	course.Case
	element                            int
	needs, needless, uses, usesNothing []word
}

// A word is an element of a binding.
type word struct{ binding, index int }

var (
	quoted  = "`([^`]*)`"
	ofOne   = regexp.MustCompile("^(?:Case ([^:]*): )?" + quoted + " (also needs|needs|should not depend on) (.*)$")
	wordRE  = regexp.MustCompile("`(\\w+)\\[(\\d+)\\]`(?: to `\\w+\\[(\\d+)\\]`)?")
	nothing = []string{"does not use", "uses no input"} // that one change showed nothing says nothing of others
)

// claimOf reads a sentence; nil if it claims nothing that can be tried.
func claimOf(s *zoo.Specimen, v *verdict.Verdict, text string) *claim {
	m := ofOne.FindStringSubmatch(text)
	name := ""
	if m == nil || strings.Contains(text, " more") {
		return nil
	}
	if name = m[1]; name == "" && v.Mismatch != nil {
		name = v.Mismatch.Case
	}
	cases := s.Exercise.Draw(7)
	i := slices.IndexFunc(cases, func(c course.Case) bool { return c.Name == name })
	if i < 0 {
		return nil
	}
	c := &claim{exercise: s.Exercise, learner: shader.Read("try.wgsl", s.Text), Case: cases[i]}
	about := c.words("`" + m[2] + "`")
	if len(about) != 1 || about[0].binding != s.Exercise.Output {
		return nil
	}
	c.element = about[0].index
	first, then, _ := strings.Cut(m[4], "Your shader")
	switch {
	case m[3] == "should not depend on":
		c.needless = c.words(m[4])
		c.uses = c.needless
	case slices.ContainsFunc(nothing, func(words string) bool { return strings.Contains(m[4], words) }):
		c.needs = c.words(first)
		c.usesNothing = c.needs
	case strings.Contains(m[4], "stayed the same"):
		c.needs = c.words(m[4])
	default:
		c.needs, c.uses = c.words(first), c.words(then)
		c.usesNothing, c.needless = c.needs, c.uses
	}
	return c
}

// words returns the words that a list names.
func (c *claim) words(list string) (all []word) {
	for _, m := range wordRE.FindAllStringSubmatch(list, -1) {
		binding := slices.IndexFunc(c.exercise.Bindings, func(b course.Binding) bool { return b.Name == m[1] })
		from, _ := strconv.Atoi(m[2])
		to := from
		if m[3] != "" {
			to, _ = strconv.Atoi(m[3])
		}
		for i := from; binding >= 0 && i <= to && i < c.Buffers[binding].Len(); i++ {
			all = append(all, word{binding, i})
		}
	}
	if strings.Contains(list, "its own old value") {
		all = append(all, word{c.exercise.Output, c.element})
	}
	return all
}

// try runs both shaders with other values of each word.
func (c *claim) try(t *testing.T, sentence string) {
	right, err := c.exercise.Reference()
	require.NoError(t, err)
	for _, w := range c.needs {
		assert.True(t, c.depends(t, right, w), "%s\na right shader does not depend on %v", sentence, w)
	}
	for _, w := range c.needless {
		assert.False(t, c.depends(t, right, w), "%s\na right shader depends on %v", sentence, w)
	}
	for _, w := range c.uses {
		assert.True(t, c.depends(t, c.learner, w), "%s\nthis shader does not depend on %v", sentence, w)
	}
	for _, w := range c.usesNothing {
		assert.False(t, c.depends(t, c.learner, w), "%s\nthis shader depends on %v", sentence, w)
	}
}

// depends reports whether the element becomes another one with another value of a word.
func (c *claim) depends(t *testing.T, source *shader.Source, w word) bool {
	exact := simulator.New(simulator.Options{})
	leaves := func(changed course.Case) float64 {
		result, err := c.exercise.RunOnce(t.Context(), exact, source, changed, func(*shader.Dispatch) {})
		require.NoError(t, err)
		return result.Output.At(c.element)
	}
	before := leaves(c.Case)
	for _, by := range []float64{1, -7, 64, 1 << 20, -1 << 20, -1} {
		changed := c.Case
		changed.Buffers = slices.Clone(c.Buffers)
		b := c.Buffers[w.binding].Clone()
		if b.Element == shader.F32 {
			b.Floats()[w.index] += float32(by)
		} else {
			b.Uints()[w.index] ^= uint32(int32(by)) // of packed numbers, several
		}
		changed.Buffers[w.binding] = b
		if after := leaves(changed); after != before && (after == after || before == before) {
			return true
		}
	}
	return false
}
