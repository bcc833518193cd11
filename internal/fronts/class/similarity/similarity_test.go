package similarity_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/fronts/class/similarity"
	"github.com/wgslab/wgslab/internal/fronts/class/submission"
	"gotest.tools/v3/golden"
	"pgregory.net/rapid"
)

// specimen returns one of the shaders that test the lessons.
func specimen(t testing.TB, exercise, name string) string {
	source, err := exercises.Files.ReadFile(exercise + "/" + name + ".wgsl")
	require.NoError(t, err)
	return string(source)
}

func reference(t testing.TB, exercise string) string {
	source, err := exercises.Reference(exercise)
	require.NoError(t, err)
	return source
}

func skeleton(t testing.TB, exercise string) string {
	e, err := course.Find(exercise)
	require.NoError(t, err)
	source, err := e.Skeleton()
	require.NoError(t, err)
	return source
}

// replaced applies replacements, each of which must change something.
func replaced(t testing.TB, source string, pairs ...string) string {
	for i := 0; i < len(pairs); i += 2 {
		require.Contains(t, source, pairs[i])
		source = regexp.MustCompile(`\b`+regexp.QuoteMeta(pairs[i])+`\b`).ReplaceAllString(source, pairs[i+1])
	}
	return source
}

func handedIn(exercise, student, source string) submission.Submission {
	return submission.Submission{Student: student, Shaders: map[string]submission.HandIn{exercise: {Source: source}}}
}

func of(t testing.TB, exercise string, submissions ...submission.Submission) similarity.Similarity {
	all, err := similarity.Find(submissions)
	require.NoError(t, err)
	for _, s := range all {
		if s.Exercise == exercise {
			return s
		}
	}
	t.Fatal("no such exercise")
	return similarity.Similarity{}
}

// Find reports each kind of likeness, and no likeness between different shaders.
func TestSimilar(t *testing.T) {
	original := specimen(t, "matmul", "right/helper-functions")
	laidOut := "// my own\n" + strings.ReplaceAll(original, "\n", "\n\n  ")
	renamed := replaced(t, original, "row", "r", "col", "c")
	edited := strings.Replace(original, "i++", "i += 1u", 1)
	require.NotEqual(t, original, edited)
	other := specimen(t, "matmul", "right/workgroup-ids")
	ref := reference(t, "matmul")
	_, bare, _ := strings.Cut(ref, "\n\n") // without the comment

	class := []submission.Submission{
		handedIn("matmul", "emil", edited), handedIn("matmul", "bob", original), handedIn("matmul", "ada", original),
		handedIn("matmul", "carl", laidOut), handedIn("matmul", "dora", renamed), handedIn("matmul", "fritz", other),
		handedIn("matmul", "gerda", bare), handedIn("matmul", "hans", skeleton(t, "matmul")),
		handedIn("matmul", "ida", strings.Replace(skeleton(t, "matmul"), "//", "out[0] = 1.0; //", 2)),
		handedIn("matmul", "jan", strings.Repeat("a", 1<<20)), {Student: "kim"},
	}
	got := of(t, "matmul", class...)
	require.Equal(t, 8, got.Students, "without the skeleton, what is too long to be checked, and nothing")
	require.Equal(t, 1, got.Short)
	require.Equal(t, []similarity.Cluster{
		{Who: similarity.Who{Students: []string{"ada", "bob"}}, Likeness: similarity.SameText},
		{Who: similarity.Who{Students: []string{"ada", "bob", "carl"}}, Likeness: similarity.SameTokens},
		{Who: similarity.Who{Students: []string{"gerda"}, Reference: true}, Likeness: similarity.SameTokens},
		{Who: similarity.Who{Students: []string{"ada", "bob", "carl", "dora"}}, Likeness: similarity.SameShape},
	}, got.Groups)
	require.Len(t, got.Pairs, 1)
	pair := got.Pairs[0]
	if slices.Equal(pair.B.Students, []string{"emil"}) {
		pair.A, pair.B = pair.B, pair.A
	}
	require.Equal(t, []string{"emil"}, pair.A.Students)
	require.Equal(t, []string{"ada", "bob", "carl", "dora"}, pair.B.Students)
	require.InDelta(t, 0.9, pair.Share, 0.09)
	require.Zero(t, got.MorePairs)

	all, err := similarity.Find(class)
	require.NoError(t, err)
	var text strings.Builder
	require.NoError(t, similarity.Write(&text, all))
	golden.Assert(t, text.String(), "golden/similar.txt")
}

// Swapped names are not a renaming: the shaders compute different things.
func TestSimilarKnowsSwappedNames(t *testing.T) {
	ref := reference(t, "matmul")
	swapped := replaced(t, ref, "row", "tmp", "column", "row", "tmp", "column")
	require.Contains(t, of(t, "matmul", handedIn("matmul", "a", ref), handedIn("matmul", "b", swapped)).Groups,
		similarity.Cluster{Who: similarity.Who{Students: []string{"a", "b"}, Reference: true}, Likeness: similarity.SameShape}, "a renaming, however confusing")
	wrong := strings.Replace(ref, "a[row * dims.k + i] * b[i * dims.n + column]", "a[column * dims.k + i] * b[i * dims.n + row]", 1)
	got := of(t, "matmul", handedIn("matmul", "a", ref), handedIn("matmul", "b", wrong))
	require.Equal(t, []similarity.Cluster{{Who: similarity.Who{Students: []string{"a"}, Reference: true}, Likeness: similarity.SameText}}, got.Groups)
}

// In a short exercise, all students give the same answer, so there is nothing to report.
func TestSimilarLeavesShortAnswersOut(t *testing.T) {
	var class []submission.Submission
	for i := range 30 {
		s := submission.Submission{Student: fmt.Sprint("student ", i), Shaders: map[string]submission.HandIn{}}
		for _, id := range []string{"hello", "add", "vector-add", "saxpy", "relu", "leaky-relu"} {
			s.Shaders[id] = submission.HandIn{Source: reference(t, id)}
		}
		class = append(class, s)
	}
	all, err := similarity.Find(class)
	require.NoError(t, err)
	for _, s := range all {
		require.Empty(t, s.Groups, s.Exercise)
		require.Empty(t, s.Pairs, s.Exercise)
		require.Equal(t, s.Students, s.Short)
	}
	var text strings.Builder
	require.NoError(t, similarity.Write(&text, all))
	require.Contains(t, text.String(), "Every answer is too short to compare: hello, add, vector-add, saxpy, relu, leaky-relu.")
	require.Less(t, strings.Count(text.String(), "\n"), 10)
}

// Runs that most of a class shares make no pair; runs that two students share do.
func TestSimilarNamesNoCommonAnswer(t *testing.T) {
	usual := specimen(t, "linear", "right/bias-first")
	var class []submission.Submission
	for i := range 40 {
		// Each shader is the usual answer with one extra line, so all of them are nearly the same.
		own := strings.Replace(usual, "@compute", fmt.Sprintf("const MINE_%d = %du; @compute", i, 3+i), 1)
		class = append(class, handedIn("linear", fmt.Sprintf("student %02d", i), own))
	}
	require.Empty(t, of(t, "linear", class...).Pairs)

	rare := specimen(t, "linear", "right/shared-row")
	class = append(class, handedIn("linear", "ada", rare), handedIn("linear", "bob", strings.Replace(rare, "@compute", "const HALF = 0.5; @compute", 1)))
	got := of(t, "linear", class...)
	require.Len(t, got.Pairs, 1)
	require.ElementsMatch(t, []string{"ada", "bob"}, slices.Concat(got.Pairs[0].A.Students, got.Pairs[0].B.Students))
	require.Greater(t, got.Pairs[0].Share, 0.9)

	// Fourteen of 56 are not more than a quarter: too many pairs to report them all.
	for i := range 12 {
		class = append(class, handedIn("linear", fmt.Sprintf("friend %02d", i), strings.Replace(rare, "@compute", fmt.Sprintf("const F_%d = %du; @compute", i, i), 1)))
	}
	class = append(class, handedIn("linear", "x", specimen(t, "linear", "right/bias-last")), handedIn("linear", "y", specimen(t, "linear", "wrong/no-bias")))
	got = of(t, "linear", class...)
	require.Equal(t, 14*13/2, len(got.Pairs)+got.MorePairs)
	require.Len(t, got.Pairs, 50)
	var text strings.Builder
	require.NoError(t, similarity.Write(&text, []similarity.Similarity{got}))
	require.Contains(t, text.String(), "and 41 more pairs, none of them more alike")
}

// Looking only at the first runs loses no pair: a comparison of every two shaders finds the same.
// The order does not matter either.
func TestSimilarFindsEveryPair(t *testing.T) {
	base := []string{specimen(t, "softmax", "right/trees"), specimen(t, "softmax", "right/online"), specimen(t, "softmax", "right/serial")}
	some := 0
	rapid.Check(t, func(t *rapid.T) {
		var class []submission.Submission
		for i := range rapid.IntRange(2, 10).Draw(t, "students") {
			words := strings.SplitAfter(rapid.SampledFrom(base).Draw(t, "base"), " ")
			for range rapid.IntRange(0, 12).Draw(t, "edits") {
				words[rapid.IntRange(0, len(words)-1).Draw(t, "at")] = rapid.SampledFrom([]string{"", "x + ", "y - 2.0 ", "max( "}).Draw(t, "word")
			}
			class = append(class, handedIn("softmax", fmt.Sprintf("student %02d", i), strings.Join(words, "")))
		}
		found, err := similarity.FindIn("softmax", class)
		require.NoError(t, err)
		all, err := similarity.EveryPair("softmax", class)
		require.NoError(t, err)
		require.Equal(t, shares(all), shares(found.Pairs))
		some += len(all)

		slices.Reverse(class)
		reversed, err := similarity.FindIn("softmax", class)
		require.NoError(t, err)
		require.Equal(t, found.Groups, reversed.Groups)
		require.Equal(t, shares(all), shares(reversed.Pairs))
	})
	require.Greater(t, some, 100, "the classes drawn must have pairs to lose")
}

// shares returns the pairs' shares, regardless of the order in a pair.
func shares(pairs []similarity.Pair) map[string]float64 {
	found := map[string]float64{}
	for _, p := range pairs {
		a, b := p.A.String(), p.B.String()
		found[min(a, b)+" | "+max(a, b)] = p.Share
	}
	return found
}
