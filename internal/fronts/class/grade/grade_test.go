package grade

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/judge/evidence"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/fronts/class/gradebook"
	"github.com/wgslab/wgslab/internal/fronts/class/jail"
	"github.com/wgslab/wgslab/internal/fronts/class/jail/scripted"
	"github.com/wgslab/wgslab/internal/fronts/class/submission"
	"github.com/wgslab/wgslab/internal/ground/ipynb/nbformat"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/observe/cost"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
)

// TestMain lets the tests start this program again in jail.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == jail.Command {
		os.Exit(jail.Serve(scripted.Judge))
	}
	os.Exit(m.Run())
}

const testDeadline = 2 * time.Second // endless shaders run into it

func options() Options { return Options{Seed: 7, Parallel: 2, Deadline: testDeadline} }

func reference(t *testing.T, id string) string {
	t.Helper()
	exercise, err := course.Find(id)
	require.NoError(t, err)
	source, err := exercise.Reference()
	require.NoError(t, err)
	return source.Text
}

// handsIn returns a submission with the given shaders, by exercise id.
func handsIn(student string, sources map[string]string) submission.Submission {
	s := submission.Submission{Student: student, Shaders: map[string]submission.HandIn{}}
	for id, source := range sources {
		s.Shaders[id] = submission.HandIn{Source: source, File: student + ".ipynb", Cell: 1}
	}
	return s
}

func solved(t *testing.T, student string) submission.Submission {
	var ids []string
	for _, e := range course.Written() {
		ids = append(ids, e.ID)
	}
	return handsIn(student, references(t, ids...))
}

func references(t *testing.T, ids ...string) map[string]string {
	t.Helper()
	sources := map[string]string{}
	for _, id := range ids {
		e, err := course.Find(id)
		require.NoError(t, err)
		right, err := e.Reference() // of a case that breaks a shader, one that does
		require.NoError(t, err)
		sources[id] = right.Text
	}
	return sources
}

func mustHave(t *testing.T, s gradebook.Student, id string) gradebook.ExerciseResult {
	t.Helper()
	for _, e := range s.Exercises {
		if e.ID == id {
			return e
		}
	}
	t.Fatalf("%s has no exercise %s", s.Student, id)
	return gradebook.ExerciseResult{}
}

// Lesson 5 used to be one notebook, 05-softmax.ipynb. A hand-in from then gets the points of both.
func TestLesson5InOneNotebook(t *testing.T) {
	t.Parallel()
	whole := &nbformat.Notebook{}
	for _, l := range course.Lessons {
		if l.Number != 5 {
			continue
		}
		nb, err := nbformat.Read(filepath.Join("../../../../notebooks", l.Notebook))
		require.NoError(t, err)
		for _, cell := range nb.Cells {
			if id, ok := strings.CutSuffix(cell.ID, "-shader"); ok {
				require.NoError(t, cell.SetFileBody(reference(t, id)))
			}
			whole.Cells = append(whole.Cells, cell)
		}
	}
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "ada"), 0o755))
	require.NoError(t, whole.Write(filepath.Join(dir, "ada", "05-softmax.ipynb")))
	handedIn, err := submission.Collect(t.Context(), []string{dir})
	require.NoError(t, err)
	table, err := Run(t.Context(), handedIn, options())
	require.NoError(t, err)
	require.Len(t, table.Submissions, 1)
	s := table.Submissions[0]
	require.Equal(t, "ada", s.Student)
	require.Empty(t, s.Problems)
	points := 0.0
	for _, e := range course.Written() {
		if e.Lesson == 5 {
			require.Equal(t, gradebook.StatusRight, mustHave(t, s, e.ID).Status(), e.ID)
			points += float64(e.Points)
		}
	}
	require.Equal(t, points, s.Points)
	require.EqualValues(t, 9, points)
}

// oneBeyond is how many exercises beyond the eight lessons there are for each one that TestPoints
// grades: they give no points, and all of them would take minutes under the race detector.
const oneBeyond = 6

func TestPoints(t *testing.T) {
	t.Parallel()
	unsolved := map[string]string{}
	graded := map[string]string{} // what a hand-in from before the exercises for practice has
	full := solved(t, "full")
	maximum, optional, beyond := 0.0, 0, 0
	for _, e := range course.Written() {
		if e.IsBeyond() {
			if beyond++; beyond%oneBeyond > 0 {
				delete(full.Shaders, e.ID)
				continue
			}
			optional++
		}
		skeleton, err := e.Skeleton()
		require.NoError(t, err)
		unsolved[e.ID] = skeleton
		if e.IsBeyond() {
			continue
		}
		maximum += float64(e.Points)
		if !e.Practice {
			graded[e.ID] = reference(t, e.ID)
		}
	}
	require.EqualValues(t, 28, maximum, "the total of the shaders never changes: gradebooks hold it")
	onHost := 0
	full = withPrograms(t, full, "js")
	for _, e := range course.OnHost {
		if e.IsBeyond() {
			delete(full.Programs, e.ID)
			continue
		}
		onHost++
		maximum += float64(e.Points)
	}
	// Its sums lack b from element 300 on.
	partly := strings.Replace(reference(t, "vector-add"), "a[i] + b[i]", "select(a[i] + b[i], a[i], i >= 300u)", 1)
	require.NotEqual(t, reference(t, "vector-add"), partly)
	host := handsIn("host", graded)
	host.Programs = map[string]submission.HandIn{"forward": {Source: "function forward() {}", Script: true}}
	told := []string{}
	o := options()
	o.Graded = func(s gradebook.Student) { told = append(told, s.Student) }
	table, err := Run(t.Context(), []submission.Submission{
		full, handsIn("none", unsolved), handsIn("absent", nil), host, handsIn("earlier", graded),
		handsIn("partial", map[string]string{"add": reference(t, "add"), "vector-add": partly}),
	}, o)
	require.NoError(t, err)
	require.Equal(t, uint64(7), table.Seed)
	require.NotEmpty(t, table.Adapter)
	require.ElementsMatch(t, []string{"full", "none", "absent", "host", "earlier", "partial"}, told)
	byName := map[string]gradebook.Student{}
	var order []string
	for _, s := range table.Submissions {
		byName[s.Student], order = s, append(order, s.Student)
		require.Equal(t, maximum, s.MaxPoints, s.Student)
		handedIn := optional // those beyond are there only if they were handed in
		if slices.Contains([]string{"absent", "earlier", "host", "partial"}, s.Student) {
			handedIn = 0
		}
		require.Len(t, s.Exercises, len(course.Written())-beyond+handedIn+onHost, s.Student)
	}
	require.NotZero(t, optional)
	require.Equal(t, []string{"absent", "earlier", "full", "host", "none", "partial"}, order)
	for _, e := range byName["full"].Exercises {
		require.Equal(t, e.MaxPoints, e.Points, "%s: %+v", e.ID, e.Detail)
	}
	require.Equal(t, maximum, byName["full"].Points)
	require.EqualValues(t, 28, byName["host"].Points)
	require.EqualValues(t, 28, byName["earlier"].Points)
	require.Equal(t, verdict.Stub, mustHave(t, byName["host"], "forward").Diagnosis)
	require.Equal(t, gradebook.Missing, mustHave(t, byName["earlier"], "forward").Verdict)
	require.Zero(t, byName["none"].Points)
	require.Equal(t, "stub", mustHave(t, byName["none"], "matmul").Diagnosis)
	require.Zero(t, byName["absent"].Points)
	require.Equal(t, gradebook.Missing, mustHave(t, byName["absent"], "add").Verdict)
	p := byName["partial"]
	require.Equal(t, gradebook.Fail, mustHave(t, p, "vector-add").Verdict)
	require.Equal(t, 1.0, mustHave(t, p, "vector-add").Points, "half of the cases are right: %+v", mustHave(t, p, "vector-add").Detail.Cases)
	require.Equal(t, 2.0, p.Points)
}

// A shader that fits the cases of one seed fails with another.
// A student is told where to look, and never what to write.
func TestReasonsWithoutTheEdit(t *testing.T) {
	t.Parallel()
	wrong := strings.Replace(reference(t, "vector-add"), "a[i] + b[i]", "a[i] - b[i]", 1)
	table, err := Run(t.Context(), []submission.Submission{handsIn("ada", map[string]string{"vector-add": wrong})}, options())
	require.NoError(t, err)
	v := mustHave(t, table.Submissions[0], "vector-add").Detail
	question := v.Reasons[len(v.Reasons)-1]
	require.Contains(t, question.Text, "?")
	require.Empty(t, question.Hint)
	require.Equal(t, verdict.ByNearest, v.Places[0].Why)
	require.Contains(t, strings.Split(wrong, "\n")[v.Places[0].Line-1], "a[i] - b[i]")
}

func TestFreshSeedsCatchTunedShaders(t *testing.T) {
	t.Parallel()
	exercise, err := course.Find("add")
	require.NoError(t, err)
	var branches strings.Builder
	for _, c := range exercise.Draw(7) {
		right, err := evidence.In(t.Context(), exercise, c)
		require.NoError(t, err)
		fmt.Fprintf(&branches, "if (a[0] == %vf) { out[0] = %vf; }\n", c.Buffers[0].Floats()[0], right.Output.Floats()[0])
	}
	tuned := strings.Replace(reference(t, "add"), "out[0] = a[0] + b[0];", branches.String(), 1)
	require.NotEqual(t, reference(t, "add"), tuned)
	class := []submission.Submission{handsIn("tuned", map[string]string{"add": tuned})}
	for seed, want := range map[uint64]gradebook.ExerciseStatus{7: gradebook.Pass, 8: gradebook.Fail} {
		o := options()
		o.Seed = seed
		table, err := Run(t.Context(), class, o)
		require.NoError(t, err)
		require.Equal(t, want, mustHave(t, table.Submissions[0], "add").Verdict, "seed %d", seed)
	}
}

func TestOneJournalOneRun(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j")
	first, err := openJournal(path, Conditions{})
	require.NoError(t, err)
	defer first.close()
	_, err = openJournal(path, Conditions{})
	require.ErrorContains(t, err, "another grading run")
}

// cutEvery is the distance, in bytes, between the lengths that TestJournalCutShortAtOnce tries;
// the acceptance tests try all of them. Each takes three journals, which are synced to the disk.
var cutEvery = 16

// If a full disk cut off a journal's first line, the journal counts as empty. Any other file is
// left alone.
func TestJournalCutShortAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j")
	conditions := Conditions{Seed: 7, Adapter: "one"}
	journal, err := openJournal(path, conditions)
	require.NoError(t, err)
	journal.close()
	whole, err := os.ReadFile(path)
	require.NoError(t, err)
	for length := 0; length < len(whole); length += cutEvery {
		require.NoError(t, os.WriteFile(path, whole[:length], 0o644))
		journal, err = openJournal(path, conditions)
		require.NoError(t, err, "%d bytes", length)
		require.NoError(t, journal.add("fn f() {}", judged{Verdict: &verdict.Verdict{Exercise: "add"}}))
		journal.close()
		journal, err = openJournal(path, conditions)
		require.NoError(t, err, "%d bytes", length)
		require.Len(t, journal.known, 1)
		journal.close()
		begun, ok := Begun(path)
		require.True(t, ok)
		require.Equal(t, conditions, begun)
	}
}

// Equal programs share a verdict, unless the verdict points to a place in the text.
func TestSameProgram(t *testing.T) {
	journal, err := openJournal("", Conditions{})
	require.NoError(t, err)
	right := &verdict.Verdict{Exercise: "add", Outcome: verdict.Pass, Diagnosis: verdict.Diagnosis{Stage: verdict.StageCompare}}
	require.NoError(t, journal.add("fn  f() {}", judged{Verdict: right}))
	found, ok := journal.find("add", "fn f() { } // mine")
	require.True(t, ok)
	require.Equal(t, verdict.Digest("fn f() { } // mine"), found.Verdict.ShaderSHA256)
	for _, other := range []string{"fn g() {}", "fnf() {}", "// fn f() {}"} {
		_, ok = journal.find("add", other)
		require.False(t, ok, other)
	}
	_, ok = journal.find("relu", "fn f() {}")
	require.False(t, ok)
	for _, dropped := range []string{"fn \u200bf() {}", "fn f() {} /* never closed", "fn f() {} #", "\ufefffn f() {}", "fn f() {}\x00", "fn f() {} /* /* */"} {
		_, ok = journal.find("add", dropped)
		require.False(t, ok, "%q is not the same program", dropped)
	}
	padded := "fn f() {} //" + strings.Repeat("-", shader.MaxSource)
	_, ok = journal.find("add", padded)
	require.False(t, ok, "it is too large for a check")

	at := findings.Region{Line: 2}
	for what, v := range map[string]verdict.Verdict{
		"places": {Places: []verdict.Place{{Line: 2}}}, "line": {Line: 2}, "excerpt": {Diagnosis: verdict.Diagnosis{Excerpt: "fn h() {}"}},
		"findings": {Findings: []findings.Finding{{}, {Location: findings.Location{Region: at}}}},
		"related":  {Findings: []findings.Finding{{Related: []findings.Related{{Location: findings.Location{Region: at}}}}}},
		"reasons":  {Reasons: verdict.Reasons{{Region: at}}}, "origin": {Origin: &verdict.Origin{}},
	} {
		v.Exercise, v.Outcome, v.Stage = "add", verdict.Fail, verdict.StageCompare
		source := "fn h() { /* " + what + " */ }"
		require.NoError(t, journal.add(source, judged{Verdict: &v}))
		_, ok = journal.find("add", "\nfn h() {}")
		require.False(t, ok, "%s point to a line", what)
		_, ok = journal.find("add", source)
		require.True(t, ok, what)
	}

	require.NoError(t, journal.add("fn k() {}", judged{Verdict: right, Marks: cost.Marks{{Name: "coalesced", Line: 1}}}))
	_, ok = journal.find("add", "\nfn k() {}")
	require.False(t, ok, "a mark names a line")
	found, ok = journal.find("add", "fn k() {}")
	require.True(t, ok)
	require.Len(t, found.Marks, 1)
}

// Where a comment or the layout is a part of the answer, equal tokens are not the same answer.
func TestAnswersBesideTheTokens(t *testing.T) {
	for _, e := range course.Written() {
		if e.Kind == course.Write || e.IsOnHost() {
			continue
		}
		journal, err := openJournal("", Conditions{})
		require.NoError(t, err)
		right := &verdict.Verdict{Exercise: e.ID, Outcome: verdict.Pass, Diagnosis: verdict.Diagnosis{Stage: verdict.StageCompare}}
		require.NoError(t, journal.add("// The bug is in this line: x\nfn f() {}", judged{Verdict: right}))
		_, ok := journal.find(e.ID, "// The bug is in this line: y\nfn f() {}")
		require.False(t, ok, e.ID)
	}
}

// A link in a pack counts as what loading reads through it.
func TestConditionsFollowLinks(t *testing.T) {
	pack, outside := t.TempDir(), t.TempDir()
	write := func(path, text string) {
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	digest := func() string {
		d, err := digestOfPack(pack)
		require.NoError(t, err)
		return d
	}
	seen := map[string]string{digest(): "nothing"}
	requireNew := func(what string) {
		t.Helper()
		d := digest()
		require.Empty(t, seen[d], what)
		seen[d] = what
	}
	link := func(target, at string) {
		os.Remove(filepath.Join(pack, at)) // if there is one
		if err := os.Symlink(target, filepath.Join(pack, at)); err != nil {
			t.Skipf("this system makes no symbolic links here: %v. Run as a user who may.", err)
		}
	}
	write(filepath.Join(pack, "both", "hard.toml"), "points = 1")
	write(filepath.Join(pack, "both", "easy.toml"), "points = 2")
	write(filepath.Join(pack, "both", "wrong", "x.wgsl"), "// x")
	write(filepath.Join(pack, "more", "x.wgsl"), "// y")
	write(filepath.Join(pack, "own", "hints.md"), "Think.")
	write(filepath.Join(outside, "secret"), "1")
	requireNew("files")
	link("../both/hard.toml", "own/exercise.toml")
	requireNew("a link")
	link("../both/easy.toml", "own/exercise.toml")
	requireNew("another target")
	link("exercise.toml", "own/again.toml")
	requireNew("a link to a link")
	write(filepath.Join(pack, "both", "easy.toml"), "points = 3")
	requireNew("the target's text")
	link("../both/wrong", "own/wrong")
	requireNew("a link to a folder")
	link("../more", "own/wrong")
	requireNew("another folder")
	link("missing", "own/reference.wgsl")
	requireNew("a link to nothing")
	link("..", "own/circle")
	requireNew("a circle")
	link(filepath.Join(outside, "secret"), "own/skeleton.wgsl")
	requireNew("a link out of the pack")
	before := digest()
	write(filepath.Join(outside, "secret"), "2")
	require.Equal(t, before, digest(), "nothing outside the pack is read")
}

// A journal goes on only under the rules that it was begun under.
func TestConditionsKnowThePack(t *testing.T) {
	pack := t.TempDir()
	digest := func() string {
		d, err := digestOfPack(pack)
		require.NoError(t, err)
		return d
	}
	file := filepath.Join(pack, "own", "exercise.toml")
	require.NoError(t, os.Mkdir(filepath.Dir(file), 0o755))
	seen := map[string]bool{digest(): true}
	for _, text := range []string{"", "points = 1", "points = 2"} {
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		require.False(t, seen[digest()], text)
		seen[digest()] = true
	}
	require.NoError(t, os.Rename(file, filepath.Join(pack, "own", "hints.md")))
	require.False(t, seen[digest()], "another name")
	require.NoError(t, os.WriteFile(filepath.Join(pack, "large.png"), make([]byte, 1<<20), 0o600))
	require.False(t, seen[digest()], "a picture")
	none, err := digestOfPack("")
	require.NoError(t, err)
	require.Empty(t, none)
	program, err := digestOfProgram()
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "j")
	first, err := openJournal(path, Conditions{Program: program})
	require.NoError(t, err)
	first.close()
	_, err = openJournal(path, Conditions{Program: "newer"})
	require.ErrorIs(t, err, ErrOtherConditions)
}

// A check that was stopped as a whole counts again if it hardly got a processor: something else on
// the machine had them.
func TestAStoppedCheckOnABusyMachineCountsAgain(t *testing.T) {
	stopped := jail.TaskResult{Limit: 22 * time.Second, Verdict: &verdict.Verdict{Diagnosis: verdict.Diagnosis{Slug: verdict.DidNotFinish}}}
	for _, engine := range []shader.AdapterKind{shader.CPU, shader.Simulated} {
		g := &grading{Options: Options{Engine: engine, Deadline: testDeadline, Parallel: 2}, adapter: shader.Adapter{Kind: engine}}
		for used, again := range map[time.Duration]bool{2 * time.Second: true, 17 * time.Second: true, 18 * time.Second: false, 40 * time.Second: false} {
			r := stopped
			r.Used = used
			require.Equal(t, again, g.doubtful(jail.Task{}, r, 1), "%s, %v used", engine, used)
		}
	}
	g := &grading{Options: Options{Parallel: 2}, adapter: shader.Adapter{Kind: shader.GPU}}
	require.True(t, g.doubtful(jail.Task{}, stopped, 0))
	require.False(t, g.doubtful(jail.Task{}, stopped, 1), "a GPU is blocked without using a processor")
}
