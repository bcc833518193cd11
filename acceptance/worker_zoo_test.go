//go:build acceptance

package acceptance

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
	"github.com/wgslab/wgslab/internal/engine"
	"github.com/wgslab/wgslab/internal/judge"
	"github.com/wgslab/wgslab/internal/learner"
	"github.com/wgslab/wgslab/internal/lesson"
	"github.com/wgslab/wgslab/internal/site/answers"
	"golang.org/x/sync/errgroup"
)

// Without WebGPU the judge in a page says of every right and every wrong shader what
// `wgslab check --engine simulator` says, byte by byte.
func TestWorkerAgreesInTheSimulator(t *testing.T) {
	compareInTheSimulator(t, openJudge(t))
}

// Firefox compiles the same WebAssembly by a compiler of its own.
func TestWorkerAgreesInFirefox(t *testing.T) {
	compareInTheSimulator(t, openJudgeInFirefox(t))
}

// With WebGPU it says the same, and byte by byte where the numbers are the same.
func TestWorkerAgreesOnWebGPU(t *testing.T) {
	same, shaders := 0, 0
	// Those that do not finish take ten seconds each, and leave half a minute without a
	// device: TestWorkerOnWebGPU has one.
	compareWithPage(t, openJudge(t, browser.WebGPU), "did-not-finish", func(path string, here, there verdictJSON) {
		assert.NotContains(t, there["adapter"], "simulator", "%s: the browser's WebGPU was to run it", path)
		assert.Equal(t, text(t, here.facts()), text(t, there.facts()), path)
		delete(here, "adapter")
		delete(there, "adapter")
		shaders++
		if text(t, here) == text(t, there) {
			same++
		}
	})
	t.Logf("%d of %d verdicts are the same byte by byte; in the others the values of the browser's WebGPU differ from the simulator's", same, shaders)
	require.Greater(t, same, shaders/2)
}

func compareInTheSimulator(t *testing.T, page *siteJudge) {
	compareWithPage(t, page, "", func(path string, here, there verdictJSON) {
		if diagnosisIn(t, path) == "did-not-finish" {
			// They say how long they were waited for.
			here, there = here.facts(), there.facts()
		}
		for field := range here {
			assert.Equal(t, text(t, here[field]), text(t, there[field]), "%s of %s", field, path)
		}
		assert.Len(t, there, len(here), path)
	})
}

// pageWorkers is how many shaders a page judges at once.
const pageWorkers = 2

// compareWithPage holds verdicts of the judge in a page against those from here, in the
// simulator: on all right shaders and on all wrong ones, but for those of a diagnosis.
func compareWithPage(t *testing.T, page *siteJudge, without string, compare func(path string, here, there verdictJSON)) {
	t.Helper()
	// A page has one core. On several, workgroups that write to one place come in another
	// order each time.
	before := runtime.GOMAXPROCS(1)
	t.Cleanup(func() { runtime.GOMAXPROCS(before) })
	zoo, left := wholeZoo(t, without)
	t.Logf("%d shaders are compared, %d are left out", len(zoo), left)
	pairs := make(chan pair, len(zoo))
	var judging errgroup.Group
	next := make(chan zooShader, len(zoo))
	for _, s := range zoo {
		next <- s
	}
	close(next)
	for number := range pageWorkers {
		page.start(t, number)
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
		compare(p.path, readVerdict(t, p.here), readVerdict(t, p.there))
	}
	require.NoError(t, <-ended)
}

// A zooShader is a right or a wrong shader.
type zooShader struct {
	*lesson.Exercise
	path, source string
}

// wholeZoo lists the shaders that are compared, and says how many are not.
func wholeZoo(t *testing.T, without string) (zoo []zooShader, left int) {
	t.Helper()
	for _, e := range lesson.All() {
		for _, path := range zooOf(t, e.ID) {
			if diagnosis := diagnosisIn(t, path); diagnosis != "" && diagnosis == without {
				left++
				continue
			}
			zoo = append(zoo, zooShader{e, path, readFile(t, path)})
		}
	}
	return zoo, left
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

// A pair is a shader's verdict from here and from the page.
type pair struct {
	path        string
	here, there []byte
}

// both judges a shader here and by the page's worker of a number.
func (j *siteJudge) both(number int, s zooShader) (pair, error) {
	here, err := verdictHere(s)
	if err != nil {
		return pair{}, err
	}
	seed := uint64(tintSeed)
	said, err := j.say(number, answers.Request{Do: "check", Exercise: s.ID, Source: s.source, Seed: &seed}, "error", "displays")
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
	// As the judge wrote it: JavaScript would write -0 as 0.
	return pair{s.path, here, []byte(told.Displays[0]["application/json"])}, nil
}

// verdictsHere are the simulator's verdicts by the shaders' paths, which all browsers are
// held against: each is made once.
var verdictsHere sync.Map

// verdictHere is the simulator's verdict here, as JSON.
func verdictHere(s zooShader) ([]byte, error) {
	made, _ := verdictsHere.LoadOrStore(s.path, sync.OnceValues(func() ([]byte, error) {
		on, err := engine.Open(context.Background(), engine.Simulator)
		if err != nil {
			return nil, err
		}
		v, err := judge.Run(context.Background(), on.Engines, s.Exercise, learner.ShaderPath(s.ID), s.source, tintSeed)
		if err != nil {
			return nil, err
		}
		return json.Marshal(v)
	}))
	return made.(func() ([]byte, error))()
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
