package zoo_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"runtime/debug"
	"slices"
	"sort"
	"strings"
	"sync"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/judge"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/machine/engine"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// The zoo is exercises/ID/right.md and wrong.md: correct shaders in many styles, and typical wrong
// ones. A wrong one begins with comments: the required diagnosis, the words for it if it is a
// misconception, and what the learner thought.
const (
	// mostUndiagnosed is the maximum share of an exercise's wrong shaders without a diagnosis of
	// their own.
	mostUndiagnosed = 0.1
	// mostInSubgroups is the maximum number of seeds for a right shader that uses subgroups.
	// No driver here runs it: the simulator does, each seed in eight divisions.
	mostInSubgroups = 3
)

// seeds are those up to a number for each right and each wrong specimen.
type seeds struct{ right, wrong int }

// onDriver are the seeds on a driver.
var onDriver = seeds{1, 1}

// zooTable is the environment variable with a file name for the final table. `go test` shows a
// passing package's output only with -v.
const zooTable = "WGSLAB_ZOO_TABLE"

// A specimen is one shader of the zoo.
type specimen struct{ name, source string }

// A trial judges a specimen with its first seeds, up to the first unwanted verdict.
type trial struct {
	name      string
	source    *shader.Source // the same for all seeds, which read and compile it once
	seeds     int
	right     bool
	diagnosis string // of one that isn't right
	elsewhere bool   // in a process of its own

	last   *verdict.Verdict
	failed bool // the last verdict is unwanted
}

// A tally is one line of the table: the results of an exercise's specimens.
type tally struct {
	exercise                   string
	right, accepted            int
	wrong, rejected, diagnosed int
	runs                       int
	took                       time.Duration
}

// TestZoo judges every specimen on a driver, while the simulator watches.
func TestZoo(t *testing.T) { visitAll(t, course.All(), shader.CPU, onDriver) }

func visitAll(t *testing.T, exercises []*course.Exercise, kind shader.AdapterKind, seeds seeds) {
	var mu sync.Mutex
	var tallies []tally
	t.Run("exercises", func(t *testing.T) {
		for _, exercise := range exercises {
			t.Run(exercise.ID, func(t *testing.T) {
				t.Parallel()
				k := &keeper{exercise: exercise, on: open(t, kind), seeds: seeds, tally: tally{exercise: exercise.ID}}
				k.visit(t)
				mu.Lock()
				defer mu.Unlock()
				tallies = append(tallies, k.tally)
			})
		}
	})
	printTallies(t, tallies)
}

func open(t *testing.T, kind shader.AdapterKind) shader.Engines {
	opened, err := engine.Open(t.Context(), kind)
	require.NoError(t, err)
	t.Cleanup(opened.Close)
	return opened.Engines
}

// keeper runs the zoo of one exercise.
type keeper struct {
	exercise *course.Exercise
	on       shader.Engines
	tally    tally
	seeds    seeds
}

func (k *keeper) visit(t *testing.T) {
	started := time.Now()
	right := k.rightOnes(t)
	var wrong []*trial
	if k.seeds.wrong > 0 {
		wrong = k.wrongOnes(t)
	}
	k.judgeAll(t, slices.Concat([]*trial{k.skeleton(t)}, right, wrong))
	k.tally.count(right, wrong)
	k.tally.took = time.Since(started)
}

// judgeAll judges all specimens with one seed before the next, because the judge keeps what the
// reference leaves in the last cases.
func (k *keeper) judgeAll(t *testing.T, trials []*trial) {
	for seed := 0; seed < max(k.seeds.right, k.seeds.wrong); seed++ {
		for _, s := range trials {
			if seed < s.seeds && !s.failed {
				s.last = k.judge(t, s, uint64(seed+1))
				s.failed = !report(t, s)
			}
		}
	}
}

func (k *keeper) judge(t *testing.T, s *trial, seed uint64) *verdict.Verdict {
	k.tally.runs++
	if s.elsewhere {
		return k.judgedElsewhere(t, s.source)
	}
	v, err := judge.Run(context.Background(), k.on, k.exercise, s.source, seed)
	require.NoError(t, err, s.name)
	return v
}

// report says what is unwanted about the last verdict.
func report(t *testing.T, s *trial) bool {
	ok := s.last.Passed() == s.right && (s.right || s.last.Slug == s.diagnosis)
	if !ok {
		t.Errorf("%s, which wants %q: %s, diagnosis %q\n%s", s.name, s.diagnosis, s.last.Outcome, s.last.Slug, s.last.Text())
	}
	return ok
}

func (k *keeper) skeleton(t *testing.T) *trial {
	source, err := k.exercise.Skeleton()
	require.NoError(t, err)
	return &trial{name: "the skeleton", source: shader.Read("skeleton", source), seeds: max(1, k.seeds.wrong), diagnosis: start(k.exercise)}
}

// start is the diagnosis of the shader that learners start with.
func start(e *course.Exercise) string {
	if e.Kind == course.FindBug {
		return verdict.Unnamed
	}
	return verdict.Stub
}

func (k *keeper) rightOnes(t *testing.T) (trials []*trial) {
	for _, s := range append(specimens(t, k.exercise.ID, "right"), reference(t, k.exercise.ID)) {
		one := &trial{name: "right/" + s.name, source: shader.Read(s.name, s.source), seeds: k.seeds.right, right: true}
		if strings.Contains(s.source, "enable subgroups;") {
			one.seeds = min(one.seeds, mostInSubgroups)
		}
		trials = append(trials, one)
	}
	return trials
}

func (k *keeper) wrongOnes(t *testing.T) (trials []*trial) {
	undiagnosed := 0
	for _, s := range specimens(t, k.exercise.ID, "wrong") {
		one := &trial{name: "wrong/" + s.name, source: shader.Read(s.name, s.source), seeds: k.seeds.wrong, diagnosis: wantedDiagnosis(t, s)}
		if one.diagnosis == "" {
			undiagnosed++
		}
		if k.on.Values != k.on.Watcher && runsForEver(t, one) {
			one.elsewhere, one.seeds = true, 1
		}
		trials = append(trials, one)
	}
	if float64(undiagnosed) > mostUndiagnosed*float64(len(trials)) {
		t.Errorf("%d of %d wrong shaders want no diagnosis; at most one in ten may", undiagnosed, len(trials))
	}
	return trials
}

// runsForEver reports whether a wrong shader keeps the device busy until the process ends, because
// no compiler sees that its loops never end.
func runsForEver(t *testing.T, s *trial) bool {
	if s.diagnosis != verdict.DidNotFinish || s.source.Mistake() != nil {
		return false
	}
	module, err := s.source.Module()
	require.NoError(t, err, s.name)
	return len(module.Endless) == 0
}

// judgedElsewhere judges a shader in a process of its own.
func (k *keeper) judgedElsewhere(t *testing.T, source *shader.Source) *verdict.Verdict {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	child := exec.CommandContext(ctx, os.Args[0])
	child.Env = append(os.Environ(), judgeVariable+"="+k.exercise.ID)
	child.Stdin = strings.NewReader(source.Text)
	said, err := child.Output()
	require.NoError(t, err, "%s: %s", source.Name, said)
	v := new(verdict.Verdict)
	require.NoError(t, json.Unmarshal(said, v), "%s: %s", source.Name, said)
	return v
}

// judgeVariable is an environment variable with the id of an exercise. If it is set, this test
// binary judges the shader on its standard input, prints the verdict as JSON and ends.
const judgeVariable = "WGSLAB_TEST_JUDGE"

func TestMain(m *testing.M) {
	debug.SetGCPercent(400) // saves a fifth of the time: little of what a check allocates stays
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
	exercise, err := course.Find(id)
	if err != nil {
		return err
	}
	source, err := io.ReadAll(os.Stdin)
	if err != nil {
		return err
	}
	opened, err := engine.Open(context.Background(), shader.CPU, gpu.WithDeadline(deadline))
	if err != nil {
		return err
	}
	v, err := judge.Run(context.Background(), opened.Engines, exercise, shader.Read(id, string(source)), 1)
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(v)
}

func specimens(t *testing.T, id, kind string) []specimen {
	names, err := exercises.Files.Glob(id + "/" + kind + "/*.wgsl")
	require.NoError(t, err)
	var found []specimen
	for _, name := range names {
		source, err := exercises.Files.ReadFile(name)
		require.NoError(t, err)
		found = append(found, specimen{path.Base(name), string(source)})
	}
	return found
}

func reference(t *testing.T, id string) specimen {
	source, err := exercises.Reference(id)
	require.NoError(t, err)
	return specimen{"the reference", source}
}

// wantedDiagnosis reads the specimen's first comment.
func wantedDiagnosis(t *testing.T, s specimen) string {
	slug := course.Diagnosis(s.source)
	require.NotEmpty(t, slug, "wrong/%s must begin with `// diagnosis: SLUG`", s.name)
	if slug == "none" {
		return ""
	}
	return slug
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

// place returns an exercise's position in the course.
func place(id string) int {
	for i, e := range course.All() {
		if e.ID == id {
			return i
		}
	}
	return -1
}

func (l *tally) count(right, wrong []*trial) {
	l.right, l.wrong = len(right), len(wrong)
	for _, s := range right {
		if !s.failed {
			l.accepted++
		}
	}
	for _, s := range wrong {
		if !s.last.Passed() {
			l.rejected++
		}
		if !s.failed {
			l.diagnosed++
		}
	}
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
