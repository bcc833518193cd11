//go:build acceptance

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
	"github.com/wgslab/wgslab/internal/submission"
)

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
	require.ErrorIs(t, err, errOtherRun)
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
