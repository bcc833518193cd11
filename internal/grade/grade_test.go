package grade

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/lesson"
	"github.com/wgslab/wgslab/internal/shader"
	"github.com/wgslab/wgslab/internal/submission"
	"github.com/wgslab/wgslab/internal/verdict"
	"github.com/wgslab/wgslab/shaders"
)

// The tests start this program again as a jail.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == JailCommand {
		if os.Getenv(probeMode) != "" {
			os.Exit(probe())
		}
		os.Exit(ServeJail())
	}
	os.Exit(m.Run())
}

const testDeadline = 2 * time.Second // what never ends need not last long

func options() Options { return Options{Seed: 7, Workers: 2, Deadline: testDeadline} }

func reference(t *testing.T, id string) string {
	t.Helper()
	source, err := shaders.Source(id)
	require.NoError(t, err)
	return source
}

// handsIn is a submission of some shaders, by the ids of their exercises.
func handsIn(student string, sources map[string]string) submission.Submission {
	s := submission.Submission{Student: student, Shaders: map[string]submission.Shader{}}
	for id, source := range sources {
		s.Shaders[id] = submission.Shader{Source: source, File: student + ".ipynb", Cell: 1}
	}
	return s
}

func solved(t *testing.T, student string) submission.Submission {
	sources := map[string]string{}
	for _, e := range lesson.All() {
		sources[e.ID] = reference(t, e.ID)
	}
	return handsIn(student, sources)
}

func (s Student) mustHave(t *testing.T, id string) Exercise {
	t.Helper()
	for _, e := range s.Exercises {
		if e.ID == id {
			return e
		}
	}
	t.Fatalf("%s has no exercise %s", s.Student, id)
	return Exercise{}
}

func TestPoints(t *testing.T) {
	t.Parallel()
	unsolved := map[string]string{}
	maximum := 0.0
	for _, e := range lesson.All() {
		skeleton, err := e.Skeleton()
		require.NoError(t, err)
		unsolved[e.ID] = skeleton
		maximum += float64(e.Points)
	}
	// Its sums are too large by one term for every k but 1 and 2.
	partly := strings.Replace(reference(t, "vector-add"), "a[i] + b[i]", "select(a[i] + b[i], a[i], i >= 300u)", 1)
	require.NotEqual(t, reference(t, "vector-add"), partly)
	host := solved(t, "host")
	host.Host = true
	told := []string{}
	o := options()
	o.Graded = func(s Student) { told = append(told, s.Student) }
	table, err := Run(t.Context(), []submission.Submission{
		solved(t, "full"), handsIn("none", unsolved), handsIn("absent", nil), host,
		handsIn("partial", map[string]string{"add": reference(t, "add"), "vector-add": partly}),
	}, o)
	require.NoError(t, err)
	require.Equal(t, uint64(7), table.Seed)
	require.NotEmpty(t, table.Adapter)
	require.ElementsMatch(t, []string{"full", "none", "absent", "host", "partial"}, told)
	byName := map[string]Student{}
	var order []string
	for _, s := range table.Submissions {
		byName[s.Student], order = s, append(order, s.Student)
		require.Equal(t, maximum, s.MaxPoints, s.Student)
		require.Len(t, s.Exercises, len(lesson.All())+1)
	}
	require.Equal(t, []string{"absent", "full", "host", "none", "partial"}, order)
	for _, e := range byName["full"].Exercises {
		require.Equal(t, e.MaxPoints, e.Points, "%s: %+v", e.ID, e.Detail)
	}
	require.Equal(t, maximum, byName["full"].Points)
	require.Equal(t, maximum, byName["host"].Points)
	require.Equal(t, NeedsExecution, byName["host"].mustHave(t, "forward").Verdict)
	require.Equal(t, Missing, byName["full"].mustHave(t, "forward").Verdict)
	require.Zero(t, byName["none"].Points)
	require.Equal(t, "stub", byName["none"].mustHave(t, "matmul").Diagnosis)
	require.Zero(t, byName["absent"].Points)
	require.Equal(t, Missing, byName["absent"].mustHave(t, "add").Verdict)
	p := byName["partial"]
	require.Equal(t, Fail, p.mustHave(t, "vector-add").Verdict)
	require.Equal(t, 1.0, p.mustHave(t, "vector-add").Points, "half of the cases are right: %+v", p.mustHave(t, "vector-add").Detail.Cases)
	require.Equal(t, 2.0, p.Points)
}

const add3 = `@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;
`

// hostile are shaders by what they get. Whatever it is, it is no points for that
// exercise and nothing else.
//
// A function, so that no jail has to build what is large among them.
func hostile() map[string]hostileShader {
	return map[string]hostileShader{
		"never ends":        {add3 + "@compute @workgroup_size(1) fn main() { var i = 0u; while (i < 10u) { out[0] = 1.0; } }", "did-not-finish"},
		"loop":              {add3 + "@compute @workgroup_size(1) fn main() { loop {} }", "did-not-finish"},
		"a bomb of parens":  {"@compute @workgroup_size(1) fn main() { let x = " + strings.Repeat("(", 100_000) + "1" + strings.Repeat(")", 100_000) + "; }", ""},
		"a bomb of minuses": {"@compute @workgroup_size(1) fn main() { let x = " + strings.Repeat("-", 200_000) + "1; }", ""},
		"a bomb of calls":   {callBomb(28), "too-much-to-compile"},
		"a bomb of consts":  {constBomb(24), ""},
		"much memory":       {add3 + "var<private> big: array<f32, 1000000000>; @compute @workgroup_size(1) fn main() { big[u32(a[0])] = b[0]; out[0] = big[u32(b[0])]; }", ""},
		"much workgroup":    {add3 + "var<workgroup> big: array<f32, 1000000000>; @compute @workgroup_size(1) fn main() { big[u32(a[0])] = b[0]; out[0] = big[u32(b[0])]; }", ""},
		"huge workgroup":    {"@compute @workgroup_size(4294967295u, 4294967295u, 1) fn main() {}", ""},
		"100 MB":            {strings.Repeat("// comment\n", 10<<20), "too-large"},
		"NUL":               {"@compute @workgroup_size(1) fn main() {}\x00", ""},
		"random":            {"\xff\xfe\x80ÿ\x1b[31m{{{%%%", ""},
		"empty":             {"", "empty"},
	}
}

type hostileShader struct{ source, diagnosis string }

// callBomb doubles the work with each function.
func callBomb(n int) string {
	var b strings.Builder
	b.WriteString(add3 + "fn g0(x: f32) -> f32 { return x * 1.5 + 1.0; }\n")
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&b, "fn g%d(x: f32) -> f32 { return g%d(x) + g%d(x + 1.0); }\n", i, i-1, i-1)
	}
	fmt.Fprintf(&b, "@compute @workgroup_size(1) fn main() { out[0] = g%d(out[0]); }\n", n)
	return b.String()
}

// constBomb doubles the size of a type with each line.
func constBomb(n int) string {
	var b strings.Builder
	b.WriteString("struct S0 { a: vec4<f32>, b: vec4<f32> }\n")
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&b, "struct S%d { a: S%d, b: S%d }\n", i, i-1, i-1)
	}
	fmt.Fprintf(&b, "var<private> p: S%d;\n@compute @workgroup_size(1) fn main() { p.a = p.b; }\n", n)
	return b.String()
}

func TestHostileShaders(t *testing.T) {
	t.Parallel()
	class := []submission.Submission{}
	shaders := hostile()
	for name, h := range shaders {
		class = append(class, handsIn(name, map[string]string{"add": h.source, "relu": reference(t, "relu")}))
		class = append(class, handsIn("beside "+name, map[string]string{"add": reference(t, "add") + "// " + name}))
	}
	begin := time.Now()
	table, err := Run(t.Context(), class, options())
	require.NoError(t, err)
	t.Logf("%d submissions in %v", len(class), time.Since(begin).Round(time.Millisecond))
	for _, s := range table.Submissions {
		add := s.mustHave(t, "add")
		if strings.HasPrefix(s.Student, "beside ") {
			require.Equal(t, Pass, add.Verdict, s.Student)
			continue
		}
		require.Equal(t, Fail, add.Verdict, s.Student)
		require.Zero(t, add.Points, s.Student)
		require.NotEmpty(t, add.Detail.Message, s.Student)
		if want := shaders[s.Student].diagnosis; want != "" {
			require.Equal(t, want, add.Diagnosis, s.Student)
		}
		require.Equal(t, Pass, s.mustHave(t, "relu").Verdict, s.Student)
		t.Logf("%-18s %-14s %.90s", s.Student, add.Diagnosis, add.Detail.Message)
	}
}

// A shader that is made for the cases of one seed fails with another.
func TestFreshSeedsCatchTunedShaders(t *testing.T) {
	t.Parallel()
	exercise, err := lesson.Find("add")
	require.NoError(t, err)
	var branches strings.Builder
	for _, c := range exercise.Draw(7) {
		fmt.Fprintf(&branches, "if (a[0] == %#v) { out[0] = %#v; }\n", c.Buffers[0].Floats()[0], exercise.Reference(c).Floats()[0])
	}
	tuned := strings.Replace(reference(t, "add"), "out[0] = a[0] + b[0];", branches.String(), 1)
	require.NotEqual(t, reference(t, "add"), tuned)
	class := []submission.Submission{handsIn("tuned", map[string]string{"add": tuned})}
	for seed, want := range map[uint64]Outcome{7: Pass, 8: Fail} {
		o := options()
		o.Seed = seed
		table, err := Run(t.Context(), class, o)
		require.NoError(t, err)
		require.Equal(t, want, table.Submissions[0].mustHave(t, "add").Verdict, "seed %d", seed)
	}
}

func TestResume(t *testing.T) {
	t.Parallel()
	class := []submission.Submission{solved(t, "a"), handsIn("b", map[string]string{"add": "fn", "relu": reference(t, "relu") + "\n"})}
	o := options()
	o.Workers = 1
	whole, err := Run(t.Context(), class, o)
	require.NoError(t, err)

	o.Journal = filepath.Join(t.TempDir(), "grades.csv.journal")
	ctx, cancel := context.WithCancelCause(t.Context())
	stop, checked := errors.New("Ctrl-C"), 0
	o.Checked = func() {
		if checked++; checked == 5 {
			cancel(stop)
		}
	}
	_, err = Run(ctx, class, o)
	require.ErrorIs(t, err, stop)

	begun, ok := Begun(o.Journal)
	require.True(t, ok)
	require.Equal(t, o.Seed, begun.Seed)

	// What a power cut leaves: half a line.
	data, err := os.ReadFile(o.Journal)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(o.Journal, data[:len(data)-20], 0o644))

	jails := 0
	o.Checked = func() { jails++ }
	journal, err := openJournal(o.Journal, begun)
	require.NoError(t, err)
	require.Len(t, journal.known, 4, "five verdicts, of which one was cut short")
	journal.close()
	resumed, err := Run(t.Context(), class, o)
	require.NoError(t, err)
	require.Equal(t, Shaders(class), jails)
	require.Equal(t, timeless(whole), timeless(resumed))

	other := o
	other.Seed = 8
	_, err = Run(t.Context(), class, other)
	require.ErrorIs(t, err, ErrOtherConditions)
	require.ErrorContains(t, err, "seed 7")

	notOurs := filepath.Join(t.TempDir(), "notes.txt")
	require.NoError(t, os.WriteFile(notOurs, []byte("my notes\n"), 0o644))
	other.Journal = notOurs
	_, err = Run(t.Context(), class, other)
	require.ErrorContains(t, err, "is no journal")
}

// timeless is the table without how long each check took.
func timeless(t *Table) *Table {
	for _, s := range t.Submissions {
		for _, e := range s.Exercises {
			if e.Detail != nil {
				e.Detail.Milliseconds = 0
			}
		}
	}
	return t
}

func TestOneJournalOneRun(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j")
	first, err := openJournal(path, Conditions{})
	require.NoError(t, err)
	defer first.close()
	_, err = openJournal(path, Conditions{})
	require.ErrorContains(t, err, "another grading run")
}

func TestShardsAndMerge(t *testing.T) {
	t.Parallel()
	var class []submission.Submission
	for i := range 12 {
		class = append(class, handsIn(fmt.Sprintf("student %02d", i), map[string]string{"add": reference(t, "add")}))
	}
	o := options()
	whole, err := Run(t.Context(), class, o)
	require.NoError(t, err)
	var parts []*Table
	for index := range 3 {
		o.Shard = Shard{Index: index, Of: 3}
		part, err := Run(t.Context(), class, o)
		require.NoError(t, err)
		require.NotEmpty(t, part.Submissions)
		require.Less(t, len(part.Submissions), 12)
		parts = append(parts, part)
	}
	// In another order, and one of them twice.
	merged, gaps, err := Merge([]*Table{parts[2], parts[0], parts[1], parts[0]})
	require.NoError(t, err)
	require.Empty(t, gaps)
	require.Equal(t, timeless(whole).Submissions, timeless(merged).Submissions)

	_, gaps, err = Merge(parts[:2])
	require.NoError(t, err)
	require.Len(t, gaps, 1)
	require.Contains(t, gaps[0], "shard 2 of 3 is missing: ")
	for _, s := range parts[2].Submissions {
		require.Contains(t, gaps[0], s.Student)
	}

	other := *parts[1]
	other.Seed++
	_, _, err = Merge([]*Table{parts[0], &other})
	require.ErrorIs(t, err, ErrOtherRun)
}

// The same program has one verdict, but only where the verdict is not about a
// place in the text.
func TestSameProgram(t *testing.T) {
	journal, err := openJournal("", Conditions{})
	require.NoError(t, err)
	right := &verdict.Verdict{Exercise: "add", Outcome: verdict.Pass, Stage: verdict.StageCompare}
	require.NoError(t, journal.add("fn  f() {}", right))
	found, ok := journal.find("add", "fn f() { } // mine")
	require.True(t, ok)
	require.Equal(t, shader.Digest("fn f() { } // mine"), found.ShaderSHA256)
	for _, other := range []string{"fn g() {}", "fnf() {}", "// fn f() {}"} {
		_, ok = journal.find("add", other)
		require.False(t, ok, other)
	}
	_, ok = journal.find("relu", "fn f() {}")
	require.False(t, ok)

	placed := &verdict.Verdict{Exercise: "add", Outcome: verdict.Fail, Stage: verdict.StageCompare, Line: 2}
	require.NoError(t, journal.add("fn h() {}", placed))
	_, ok = journal.find("add", "\nfn h() {}")
	require.False(t, ok)
	_, ok = journal.find("add", "fn h() {}")
	require.True(t, ok)
}
