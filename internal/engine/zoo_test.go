package engine_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
	"sync"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/engine"
	"github.com/wgslab/wgslab/internal/judge"
	"github.com/wgslab/wgslab/internal/lesson"
	"github.com/wgslab/wgslab/internal/shader"
	"github.com/wgslab/wgslab/internal/verdict"
	"github.com/wgslab/wgslab/pkg/gpu"
	"github.com/wgslab/wgslab/shaders"
)

// The zoo is internal/lesson/testdata/ID/{right,wrong}/NAME.wgsl: correct shaders in
// many styles, and wrong ones as learners write them. A wrong one begins with
// two comments: the diagnosis that it must get, and what the learner thought.
const (
	zooDir = "../lesson/testdata"

	leastRight = 4
	leastWrong = 6
	// mostUndiagnosed is the part of an exercise's wrong shaders that may have
	// no diagnosis of their own.
	mostUndiagnosed = 0.1
)

// How many seeds each specimen is checked with: make acceptance asks for more.
var seedsForRight, seedsForWrong = 1, 1

// zooTable names a file that the table at the end goes to. `go test` shows a
// passing package's output only with -v.
const zooTable = "WGSLAB_ZOO_TABLE"

// A specimen is one shader of the zoo.
type specimen struct{ name, source string }

// A tally is one line of the table: how an exercise's specimens fared.
type tally struct {
	exercise                   string
	right, accepted            int
	wrong, rejected, diagnosed int
	runs                       int
	took                       time.Duration
}

// With a driver, and the simulator watching beside it.
func TestZoo(t *testing.T) { visitAll(t, engine.CPU, seedsForRight, seedsForWrong) }

// With the simulator alone. It has watched the same cases beside the driver: a fifth of the seeds will do.
func TestZooInTheSimulator(t *testing.T) {
	visitAll(t, engine.Simulator, (seedsForRight+4)/5, (seedsForWrong+4)/5)
}

func visitAll(t *testing.T, choice engine.Choice, seedsForRight, seedsForWrong int) {
	var mu sync.Mutex
	var tallies []tally
	t.Run("exercises", func(t *testing.T) {
		for _, exercise := range lesson.All() {
			t.Run(exercise.ID, func(t *testing.T) {
				t.Parallel()
				k := &keeper{exercise: exercise, on: open(t, choice), seedsForRight: seedsForRight, seedsForWrong: seedsForWrong, tally: tally{exercise: exercise.ID}}
				k.visit(t)
				mu.Lock()
				defer mu.Unlock()
				tallies = append(tallies, k.tally)
			})
		}
	})
	printTallies(t, tallies)
}

func open(t *testing.T, choice engine.Choice) shader.Engines {
	opened, err := engine.Open(t.Context(), choice)
	require.NoError(t, err)
	t.Cleanup(opened.Close)
	return opened.Engines
}

// keeper runs the zoo of one exercise.
type keeper struct {
	exercise                     *lesson.Exercise
	on                           shader.Engines
	tally                        tally
	seedsForRight, seedsForWrong int
}

func (k *keeper) visit(t *testing.T) {
	started := time.Now()
	right, wrong := specimens(t, k.exercise.ID, "right"), specimens(t, k.exercise.ID, "wrong")
	k.checkSkeleton(t)
	k.acceptsAll(t, append(right, reference(t, k.exercise.ID)))
	k.rejectsAll(t, wrong)
	k.tally.took = time.Since(started)
	assert.GreaterOrEqual(t, len(right), leastRight, "right shaders for %s", k.exercise.ID)
	assert.GreaterOrEqual(t, len(wrong), leastWrong, "wrong shaders for %s", k.exercise.ID)
}

func (k *keeper) checkSkeleton(t *testing.T) {
	source, err := k.exercise.Skeleton()
	require.NoError(t, err)
	k.eachSeed(t, specimen{"skeleton", source}, seedsForWrong, func(v *verdict.Verdict) bool {
		return report(t, "the skeleton", v, v.Diagnosis == "stub" && !v.Passed())
	})
}

func (k *keeper) acceptsAll(t *testing.T, right []specimen) {
	for _, s := range right {
		k.tally.right++
		accepted := k.eachSeed(t, s, k.seedsForRight, func(v *verdict.Verdict) bool {
			return report(t, "right/"+s.name, v, v.Passed())
		})
		if accepted {
			k.tally.accepted++
		}
	}
}

func (k *keeper) rejectsAll(t *testing.T, wrong []specimen) {
	undiagnosed := 0
	for _, s := range wrong {
		k.tally.wrong++
		diagnosis := wantedDiagnosis(t, s)
		if diagnosis == "" {
			undiagnosed++
		}
		rejected := true
		wanted := func(v *verdict.Verdict) bool {
			rejected = rejected && !v.Passed()
			return report(t, fmt.Sprintf("wrong/%s, which wants %q", s.name, diagnosis), v, !v.Passed() && v.Diagnosis == diagnosis)
		}
		diagnosed := false
		if k.on.Values != k.on.Watcher && runsForEver(t, s, diagnosis) {
			diagnosed = wanted(k.judgedElsewhere(t, s))
		} else {
			diagnosed = k.eachSeed(t, s, k.seedsForWrong, wanted)
		}
		if rejected {
			k.tally.rejected++
		}
		if diagnosed {
			k.tally.diagnosed++
		}
	}
	if float64(undiagnosed) > mostUndiagnosed*float64(len(wrong)) {
		t.Errorf("%d of %d wrong shaders want no diagnosis; at most one in ten may", undiagnosed, len(wrong))
	}
}

// eachSeed checks a specimen against seeds 1, 2, 3, … and stops at the first
// verdict that is not as wanted.
func (k *keeper) eachSeed(t *testing.T, s specimen, seeds int, wanted func(*verdict.Verdict) bool) bool {
	for seed := range seeds {
		k.tally.runs++
		v, err := judge.Run(context.Background(), k.on, k.exercise, s.name, s.source, uint64(seed+1))
		require.NoError(t, err, s.name)
		if !wanted(v) {
			return false
		}
	}
	return true
}

// runsForEver says whether a wrong shader keeps the device busy to the end of
// the process: no compiler sees that its loops never end.
func runsForEver(t *testing.T, s specimen, diagnosis string) bool {
	if diagnosis != "did-not-finish" {
		return false
	}
	source := shader.Read(s.name, s.source)
	if source.Mistake() != nil {
		return false
	}
	module, err := source.Module()
	require.NoError(t, err, s.name)
	return len(module.Endless) == 0
}

// judgedElsewhere has a specimen judged by a process that ends with it.
func (k *keeper) judgedElsewhere(t *testing.T, s specimen) *verdict.Verdict {
	k.tally.runs++
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	child := exec.CommandContext(ctx, os.Args[0])
	child.Env = append(os.Environ(), judgeVariable+"="+k.exercise.ID)
	child.Stdin = strings.NewReader(s.source)
	said, err := child.Output()
	require.NoError(t, err, "%s: %s", s.name, said)
	v := new(verdict.Verdict)
	require.NoError(t, json.Unmarshal(said, v), "%s: %s", s.name, said)
	return v
}

// judgeVariable names an exercise: then this test binary judges the shader on
// its standard input, prints the verdict as JSON and ends.
const judgeVariable = "WGSLAB_TEST_JUDGE"

func TestMain(m *testing.M) {
	id := os.Getenv(judgeVariable)
	if id == "" {
		os.Exit(m.Run())
	}
	if err := judgeHere(id); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func judgeHere(id string) error {
	const deadline = time.Second
	exercise, err := lesson.Find(id)
	if err != nil {
		return err
	}
	source, err := io.ReadAll(os.Stdin)
	if err != nil {
		return err
	}
	opened, err := engine.Open(context.Background(), engine.CPU, gpu.WithDeadline(deadline))
	if err != nil {
		return err
	}
	v, err := judge.Run(context.Background(), opened.Engines, exercise, id, string(source), 1)
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(v)
}

func report(t *testing.T, what string, v *verdict.Verdict, ok bool) bool {
	if !ok {
		t.Errorf("%s: %s, diagnosis %q\n%s", what, v.Outcome, v.Diagnosis, v.Text())
	}
	return ok
}

func specimens(t *testing.T, id, kind string) []specimen {
	entries, err := os.ReadDir(filepath.Join(zooDir, id, kind))
	if err != nil {
		require.ErrorIs(t, err, fs.ErrNotExist)
		return nil
	}
	var found []specimen
	for _, entry := range entries {
		source, err := os.ReadFile(filepath.Join(zooDir, id, kind, entry.Name()))
		require.NoError(t, err)
		found = append(found, specimen{entry.Name(), string(source)})
	}
	return found
}

func reference(t *testing.T, id string) specimen {
	source, err := shaders.Source(id)
	require.NoError(t, err)
	return specimen{"the reference", source}
}

var diagnosisPattern = regexp.MustCompile(`\A// diagnosis: ([a-z0-9-]+)\r?\n// \S`)

// wantedDiagnosis reads the specimen's first comment.
func wantedDiagnosis(t *testing.T, s specimen) string {
	found := diagnosisPattern.FindStringSubmatch(s.source)
	require.NotNil(t, found, "wrong/%s must begin with `// diagnosis: SLUG` and a comment on what the learner thought", s.name)
	if found[1] == "none" {
		return ""
	}
	return found[1]
}

func printTallies(t *testing.T, tallies []tally) {
	sort.Slice(tallies, func(i, j int) bool { return place(tallies[i].exercise) < place(tallies[j].exercise) })
	var b strings.Builder
	table := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "exercise\tright tried\taccepted\twrong tried\trejected\tright diagnosis\truns\ttime\t")
	total := tally{exercise: "all"}
	for _, l := range tallies {
		l.print(table)
		total.add(l)
	}
	total.print(table)
	require.NoError(t, table.Flush())
	fmt.Print(b.String())
	if path := os.Getenv(zooTable); path != "" {
		require.NoError(t, os.WriteFile(path, []byte(b.String()), 0o644))
	}
}

// place is where an exercise stands in the course.
func place(id string) int {
	for i, e := range lesson.All() {
		if e.ID == id {
			return i
		}
	}
	return -1
}

func (l *tally) add(other tally) {
	l.right += other.right
	l.accepted += other.accepted
	l.wrong += other.wrong
	l.rejected += other.rejected
	l.diagnosed += other.diagnosed
	l.runs += other.runs
	l.took += other.took
}

func (l tally) print(w io.Writer) {
	fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%.1fs\t\n", l.exercise, l.right, l.accepted, l.wrong, l.rejected, l.diagnosed, l.runs, l.took.Seconds())
}
