//go:build acceptance

package acceptance

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/acceptance/internal/browser"
	"github.com/wgslab/wgslab/internal/engine"
	"github.com/wgslab/wgslab/internal/judge"
	"github.com/wgslab/wgslab/internal/learner"
	"github.com/wgslab/wgslab/internal/lesson"
	"github.com/wgslab/wgslab/internal/shader"
	"github.com/wgslab/wgslab/internal/site/answers"
)

// Without WebGPU the judge in a page says of every right and every wrong shader what
// `wgslab check --engine simulator` says, byte by byte.
func TestWorkerAgreesInTheSimulator(t *testing.T) {
	// A page has one core. On several, workgroups that write to one place come in another
	// order each time.
	before := runtime.GOMAXPROCS(1)
	t.Cleanup(func() { runtime.GOMAXPROCS(before) })
	c := newPageComparison(t, openJudge(t), 3)
	c.all(t, func(path string, here, there verdictJSON) {
		if diagnosisIn(t, path) == "did-not-finish" {
			// They say how long they were waited for.
			here, there = here.facts(), there.facts()
		}
		for field := range here {
			require.Equal(t, text(t, here[field]), text(t, there[field]), "%s of %s", field, path)
		}
		require.Len(t, there, len(here))
	})
	c.report(t)
}

// With WebGPU it says the same, and byte by byte where the numbers are the same.
func TestWorkerAgreesOnWebGPU(t *testing.T) {
	c := newPageComparison(t, openJudge(t, browser.WebGPU), 5)
	c.leaveOut = "did-not-finish" // ten seconds each, and half a minute without a device: TestWorkerOnWebGPU has one
	same, shaders := 0, 0
	c.all(t, func(path string, here, there verdictJSON) {
		require.NotContains(t, there["adapter"], "simulator", "%s: the browser's WebGPU was to run it", path)
		require.Equal(t, here.facts(), there.facts(), path)
		delete(here, "adapter")
		delete(there, "adapter")
		shaders++
		if text(t, here) == text(t, there) {
			same++
		}
	})
	c.report(t)
	t.Logf("%d of %d verdicts are the same byte by byte; in the others the values of the browser's WebGPU differ from the simulator's", same, shaders)
	require.Greater(t, same, shaders/2)
}

// A pageComparison holds the judge in a page against the one here, in the simulator.
type pageComparison struct {
	page     *siteJudge
	here     shader.Engines
	every    int    // so many wrong shaders, one is compared: all of them take minutes
	leaveOut string // a diagnosis whose shaders are not compared
	left     int    // shaders that were not compared
	times    []timesOf
}

// timesOf is how long all checks of an exercise took.
type timesOf struct {
	id          string
	shaders     int
	here, there float64 // milliseconds
}

func newPageComparison(t *testing.T, page *siteJudge, every int) *pageComparison {
	t.Helper()
	on, err := engine.Open(t.Context(), engine.Simulator)
	require.NoError(t, err)
	return &pageComparison{page: page, here: on.Engines, every: every}
}

// all compares the verdicts on shaders of all exercises: on the right ones, and on some
// of the wrong ones.
func (c *pageComparison) all(t *testing.T, compare func(path string, here, there verdictJSON)) {
	t.Helper()
	for _, e := range lesson.All() {
		times := timesOf{id: e.ID}
		for i, path := range zooOf(t, e.ID) {
			diagnosis := diagnosisIn(t, path)
			if diagnosis != "" && (i%c.every != 0 || diagnosis == c.leaveOut) {
				c.left++
				continue
			}
			here, there := c.both(t, e, path)
			times.shaders++
			times.here += here.takeTime(t)
			times.there += there.takeTime(t)
			compare(path, here, there)
		}
		c.times = append(c.times, times)
	}
}

// zooOf lists an exercise's right and wrong shaders, the reference first.
func zooOf(t *testing.T, id string) []string {
	t.Helper()
	zoo := []string{"internal", "lesson", "testdata", id}
	return slices.Concat([]string{filepath.Join(repository(t), "shaders", id+".wgsl")},
		wgslFiles(t, append(zoo, "right")...), wgslFiles(t, append(zoo, "wrong")...))
}

// diagnosisIn is the diagnosis that a wrong shader's first line asks for; "" for a right one.
func diagnosisIn(t *testing.T, path string) string {
	t.Helper()
	line, _, _ := strings.Cut(readFile(t, path), "\n")
	slug, wrong := strings.CutPrefix(strings.TrimSpace(line), "// diagnosis: ")
	if !wrong {
		return ""
	}
	return slug
}

// A verdictJSON is a verdict as programs read it, with its numbers as they were written.
type verdictJSON map[string]any

// both gives the verdict from here and from the page.
func (c *pageComparison) both(t *testing.T, e *lesson.Exercise, path string) (here, there verdictJSON) {
	t.Helper()
	source, seed := readFile(t, path), uint64(tintSeed)
	v, err := judge.Run(t.Context(), c.here, e, learner.ShaderPath(e.ID), source, seed)
	require.NoError(t, err, path)
	encoded, err := json.Marshal(v)
	require.NoError(t, err)
	var told struct{ Verdict json.RawMessage }
	c.page.ask(t, answers.Request{Do: "check", Exercise: e.ID, Source: source, Seed: &seed}, &told)
	return readVerdict(t, encoded), readVerdict(t, told.Verdict)
}

func readVerdict(t *testing.T, raw []byte) verdictJSON {
	t.Helper()
	var v verdictJSON
	decoder := json.NewDecoder(strings.NewReader(string(raw)))
	decoder.UseNumber()
	require.NoError(t, decoder.Decode(&v))
	return v
}

// takeTime takes out how long a check took, in milliseconds.
func (v verdictJSON) takeTime(t *testing.T) float64 {
	t.Helper()
	number, ok := v["ms"].(json.Number)
	require.True(t, ok, v)
	delete(v, "ms")
	ms, err := number.Float64()
	require.NoError(t, err)
	return ms
}

func text(t *testing.T, value any) string {
	t.Helper()
	encoded, err := json.Marshal(value)
	require.NoError(t, err)
	return string(encoded)
}

// facts is a verdict without the numbers that values and clocks make.
func (v verdictJSON) facts() verdictJSON {
	facts := verdictJSON{}
	for _, name := range []string{"exercise", "verdict", "stage", "diagnosis", "seed", "shader_sha256"} {
		facts[name] = v[name]
	}
	return facts
}

func (c *pageComparison) report(t *testing.T) {
	t.Helper()
	var table strings.Builder
	rows := tabwriter.NewWriter(&table, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(rows, "exercise\tshaders\there\tin the page\ttimes\t")
	sum := timesOf{id: "all"}
	for _, s := range c.times {
		fmt.Fprintf(rows, "%s\t%d\t%.0f ms\t%.0f ms\t%.1f\t\n", s.id, s.shaders, s.here, s.there, s.there/s.here)
		sum = timesOf{sum.id, sum.shaders + s.shaders, sum.here + s.here, sum.there + s.there}
	}
	fmt.Fprintf(rows, "%s\t%d\t%.0f ms\t%.0f ms\t%.1f\t\n", sum.id, sum.shaders, sum.here, sum.there, sum.there/sum.here)
	require.NoError(t, rows.Flush())
	t.Logf("here in the simulator:\n%s\nleft out: %d wrong shaders; of them, one in %d is compared", &table, c.left, c.every)
}
