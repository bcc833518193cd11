//go:build acceptance

package engines

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/acceptance/internal/browser"
	"github.com/wgslab/wgslab/acceptance/internal/lab"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/coursetest"
	"github.com/wgslab/wgslab/internal/course/judge"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/course/learner"
	"github.com/wgslab/wgslab/internal/fronts/desk/protocol"
	"github.com/wgslab/wgslab/internal/fronts/page/backend"
	"github.com/wgslab/wgslab/internal/machine/engine"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"golang.org/x/sync/errgroup"
)

// Without WebGPU, the judge in a page gives a shader the verdict of `wgslab check --engine
// simulator`, byte for byte. A ninth of the shaders of each diagnosis and a twentieth of all
// reach most rules: all of them take hours in a page.
func TestWorkerAgreesInTheSimulator(t *testing.T) {
	zoo := wholeZoo(t)
	some := oneInThree(oneInThree(oneOfEach(zoo)))
	for i, s := range zoo {
		if i%20 == 0 && !slices.ContainsFunc(some, func(other zooShader) bool { return other.path == s.path }) {
			some = append(some, s)
		}
	}
	compareInTheSimulator(t, openJudge(t), coursetest.Eighth(t, some))
}

// Firefox compiles the same WebAssembly with its own compiler. Fewer shaders are enough for that.
func TestWorkerAgreesInFirefox(t *testing.T) {
	compareInTheSimulator(t, openJudgeInFirefox(t), coursetest.Eighth(t, oneInThree(oneInThree(oneOfEach(wholeZoo(t))))))
}

// With WebGPU the facts are the same, and the bytes where the numbers are. The judge is the same as
// without; TestZooIsTheSameEverywhere compares the values of all shaders.
func TestWorkerAgreesOnWebGPU(t *testing.T) {
	// Each endless shader takes ten seconds and then leaves the page half a minute without
	// a device: TestWorkerOnWebGPU has one.
	ending := slices.DeleteFunc(coursetest.Eighth(t, oneInThree(oneInThree(oneOfEach(wholeZoo(t))))), func(s zooShader) bool { return s.diagnosis == verdict.DidNotFinish })
	same, shaders := 0, 0
	compareWithPage(t, openJudge(t, browser.WebGPU), ending, func(s zooShader, here, there verdictJSON) {
		path := s.path
		adapter := fmt.Sprint(there["adapter"])
		simulated := strings.Contains(lab.Read(t, path), "enable subgroups;") // it has all sizes
		assert.Equal(t, simulated, strings.Contains(adapter, "simulator"), "%s: the browser's WebGPU runs all others, not %s", path, adapter)
		assert.Equal(t, text(t, here.facts()), text(t, there.facts()), path)
		delete(here, "adapter")
		delete(there, "adapter")
		shaders++
		if text(t, here) == text(t, there) {
			same++
		}
	})
	t.Logf("%d of %d verdicts are the same byte by byte; in the others the values of the browser's WebGPU differ from the simulator's", same, shaders)
	if coursetest.Whole(t) {
		require.Greater(t, same, shaders/2)
	}
}

// oneInThree returns a third of the shaders: all of them take minutes in a page.
func oneInThree(zoo []zooShader) (some []zooShader) {
	for i := 0; i < len(zoo); i += 3 {
		some = append(some, zoo[i])
	}
	return some
}

func compareInTheSimulator(t *testing.T, page *siteJudge, zoo []zooShader) {
	compareWithPage(t, page, zoo, func(s zooShader, here, there verdictJSON) {
		if s.diagnosis == verdict.DidNotFinish {
			// Their texts contain the waiting time.
			here, there = here.facts(), there.facts()
		}
		for field := range here {
			assert.Equal(t, text(t, here[field]), text(t, there[field]), "%s of %s", field, s.path)
		}
		assert.Len(t, there, len(here), s.path)
	})
}

// pageWorkers is the number of shaders that a page judges at once.
const pageWorkers = 2

// compareWithPage compares the page's verdicts on shaders with the simulator's verdicts here.
func compareWithPage(t *testing.T, page *siteJudge, zoo []zooShader, compare func(s zooShader, here, there verdictJSON)) {
	t.Helper()
	// A page has one core. On several, workgroups that write to one place run in a different
	// order each time.
	before := runtime.GOMAXPROCS(1)
	t.Cleanup(func() { runtime.GOMAXPROCS(before) })
	t.Logf("%d shaders are compared", len(zoo))
	pairs := make(chan pair, len(zoo))
	var judging errgroup.Group
	next := make(chan zooShader, len(zoo))
	for _, s := range zoo {
		next <- s
	}
	close(next)
	for number := range pageWorkers {
		page.start(t, number)
		_, err := page.evaluate(fmt.Sprintf("hurry(%d)", number))
		require.NoError(t, err)
		judging.Go(func() error {
			for s := range next {
				p, err := page.both(number, s)
				if err != nil {
					return fmt.Errorf("%s: %w", s.path, err)
				}
				pairs <- p
			}
			return nil
		})
	}
	ended := make(chan error, 1)
	go func() {
		ended <- judging.Wait()
		close(pairs)
	}()
	for p := range pairs {
		compare(p.zooShader, readVerdict(t, p.here), readVerdict(t, p.there))
	}
	require.NoError(t, <-ended)
}

// A zooShader is a right or a wrong shader.
type zooShader struct {
	*course.Exercise
	path, source string
	diagnosis    string // that a wrong one names, "" for a right one
}

// wholeZoo lists the right and wrong shaders of all exercises, each reference first.
func wholeZoo(t *testing.T) (zoo []zooShader) {
	t.Helper()
	for _, e := range course.All() {
		folder := []string{"exercises", e.ID}
		for _, path := range slices.Concat([]string{filepath.Join(lab.Root(t), "exercises", e.ID, "reference.wgsl")},
			lab.Shaders(t, append(folder, "right")...), lab.Shaders(t, append(folder, "wrong")...)) {
			text := lab.Read(t, path)
			zoo = append(zoo, zooShader{e, path, text, course.Diagnosis(text)})
		}
	}
	return zoo
}

// oneOfEach returns the references, the first shader with each diagnosis, and all without a
// diagnosis.
func oneOfEach(zoo []zooShader) (some []zooShader) {
	had := map[string]bool{}
	for _, s := range zoo {
		kind := s.diagnosis
		if kind == "" {
			kind = s.ID // the reference comes first
		}
		if kind == "none" || !had[kind] {
			had[kind] = true
			some = append(some, s)
		}
	}
	return some
}

// A pair is a shader's verdict here and in the page.
type pair struct {
	zooShader
	here, there []byte
}

// both judges a shader here and with the page's worker number i.
func (j *siteJudge) both(number int, s zooShader) (pair, error) {
	here, err := verdictHere(s)
	if err != nil {
		return pair{}, err
	}
	seed := uint64(tintSeed)
	said, err := j.say(number, backend.Request{Request: protocol.Request{Do: "check", Exercise: s.ID, Source: s.source, Seed: &seed}}, "error", "displays")
	if err != nil {
		return pair{}, err
	}
	var told struct {
		Error    string
		Displays []map[string]string
	}
	if err := json.Unmarshal([]byte(said), &told); err != nil {
		return pair{}, fmt.Errorf("reading what the page says: %w", err)
	}
	if told.Error != "" || len(told.Displays) == 0 {
		return pair{}, fmt.Errorf("the page says: %s", told.Error)
	}
	// The judge's own text: JavaScript would write -0 as 0.
	there := []byte(told.Displays[0]["application/json"])
	searched := !strings.Contains(string(there), `"reasons":[]`) || strings.Contains(string(there), `"why":"program"`)
	if searched { // it ended before the page was told to hurry
		if here, err = explainedHere(s); err != nil {
			return pair{}, err
		}
	}
	return pair{s, here, there}, nil
}

// verdictsHere caches the simulator's verdicts by the shaders' paths, since all browsers are
// compared with them.
var verdictsHere sync.Map

// verdictHere returns the simulator's verdict here as JSON.
func verdictHere(s zooShader) ([]byte, error) {
	made, _ := verdictsHere.LoadOrStore(s.path, sync.OnceValues(func() ([]byte, error) {
		on, err := engine.Open(context.Background(), shader.Simulated)
		if err != nil {
			return nil, err
		}
		v, err := judge.Run(context.Background(), on.Engines, s.Exercise, shader.Read(learner.ShaderPath(s.ID), s.source), tintSeed)
		if err != nil {
			return nil, err
		}
		return json.Marshal(v)
	}))
	return made.(func() ([]byte, error))()
}

// explainedHere returns the simulator's verdict here with its reasons.
func explainedHere(s zooShader) ([]byte, error) {
	on, err := engine.Open(context.Background(), shader.Simulated)
	if err != nil {
		return nil, err
	}
	v, err := judge.Explain(context.Background(), on.Engines, s.Exercise, shader.Read(learner.ShaderPath(s.ID), s.source), tintSeed, nil)
	if err != nil {
		return nil, err
	}
	return json.Marshal(v)
}

// A verdictJSON is a verdict as programs read it, with its numbers as they were written.
type verdictJSON map[string]any

// readVerdict reads a verdict, but for how long it took.
func readVerdict(t *testing.T, raw []byte) verdictJSON {
	t.Helper()
	var v verdictJSON
	decoder := json.NewDecoder(strings.NewReader(string(raw)))
	decoder.UseNumber()
	require.NoError(t, decoder.Decode(&v))
	require.Contains(t, v, "ms")
	delete(v, "ms")
	return v
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
