package course

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

// plain describes an exercise with an out of n elements; the rest of the file follows.
const plain = `lesson = 1
title = "T"
task = "T."
points = 1
dispatch = "cover"
extent = ["n"]
output = "out"
case_name = "n = {n}"
[small]
sizes = {n = 4}
[[bindings]]
name = "out"
access = "read_write"
type = "array<u32>"
length = "n"
fill = {old = "poison"}
`

// inPasses describes an exercise with a pass that starts at a.
func inPasses(rule string) string {
	return strings.Replace(plain, "dispatch = \"cover\"\nextent = [\"n\"]\n", "", 1) +
		"[[passes]]\nentry = \"a\"\ndispatch = \"" + rule + "\"\nextent = [\"n\"]\n"
}

func folder(toml, hints string) fstest.MapFS {
	return fstest.MapFS{"x/exercise.toml": {Data: []byte(toml)}, "x/hints.md": {Data: []byte(hints)}}
}

// What is wrong with a folder is said with its file, and where TOML knows it, its line.
func TestWhatIsWrongWithAFolder(t *testing.T) {
	cases := "[[cases]]\nsizes = {n = 1}\n"
	for name, c := range map[string]struct{ toml, hints, want string }{
		"no cases":       {plain, "", "x/exercise.toml: an exercise needs cases and a small case"},
		"unknown key":    {plain + cases + "nots = \"\"\n", "", "x/exercise.toml: line 19: there is no key cases.nots"},
		"not TOML":       {plain + "[[cases\n", "", "x/exercise.toml: line 17: "},
		"a number":       {"lesson = \"one\"\n", "", "x/exercise.toml: line 1: lesson is a string: write a whole number without quotes"},
		"a text":         {"title = 3\n", "", "x/exercise.toml: line 1: title is an integer: write a text in quotes"},
		"a truth":        {"stretch = 1\n", "", "line 1: stretch is an integer: write true or false"},
		"a list":         {"extent = \"n\"\n", "", `line 1: extent is a string: write a list, such as ["n"]`},
		"a fill":         {"[[bindings]]\nfill = 3\n", "", "line 2: bindings.fill is an integer: write a table, such as {floats = 10}"},
		"a float":        {"[[bindings]]\nfill = {floats = \"x\"}\n", "", "bindings.fill.floats is a string: write a number without quotes"},
		"a bound":        {"tolerance = {absolute = \"x\"}\n", "", "line 1: tolerance.absolute is a string: write a number without quotes"},
		"several":        {"cases = {}\n", "", "line 1: cases is an inline table: write [[cases]] above the keys of each"},
		"half a goal":    {plain + cases + "[[cost]]\nname = \"few\"\ncount = \"barriers\"\nlimit = 1\n", "", "[[cost]] needs a name and a question"},
		"a wrong count":  {plain + cases + "[[cost]]\nname = \"few\"\ncount = \"seconds\"\nlimit = 1\nask = \"Why?\"\n", "", `the goal "few" has the count "seconds": use one of requests, fetched`},
		"no limit":       {plain + cases + "[[cost]]\nname = \"few\"\ncount = \"barriers\"\nask = \"Why?\"\n", "", `the goal "few" needs a limit above 0`},
		"barriers of":    {plain + cases + "[[cost]]\nname = \"few\"\ncount = \"barriers\"\nof = \"out\"\nlimit = 1\nask = \"Why?\"\n", "", "only requests and fetched can be those of a binding"},
		"cost of what":   {plain + cases + "[[cost]]\nname = \"few\"\ncount = \"requests\"\nof = \"z\"\nlimit = 1\nask = \"Why?\"\n", "", "counts accesses of z, but no binding has that name"},
		"only one":       {"[[small]]\nname = \"x\"\n", "", "there is only one small: write [small]"},
		"a length":       {strings.Replace(plain, `length = "n"`, "length = 1.5", 1) + cases, "", "the binding out: its length: it is 1.5: write a whole number, or an expression of sizes in quotes"},
		"no length":      {strings.Replace(plain, `length = "n"`, "", 1) + cases, "", "the binding out: its length: it is missing"},
		"access":         {plain + "[[bindings]]\nname = \"a\"\naccess = \"write\"\n" + cases, "", `the binding a has the access "write": use uniform, read or read_write`},
		"two outputs":    {strings.Replace(plain, `output = "out"`, `output = ["out", "out"]`, 1) + cases, "", "the output out is there twice"},
		"an output":      {strings.Replace(plain, `output = "out"`, `output = ["b"]`, 1) + cases, "", `the output is "b", but no binding has that name`},
		"no output":      {strings.Replace(plain, `output = "out"`, `output = []`, 1) + cases, "", "output is an empty list"},
		"to read":        {strings.Replace(plain, `"read_write"`, `"read"`, 1) + cases, "", "the output out has another access than read_write"},
		"a pass":         {inPasses("cover") + cases, "", ""},
		"a pass's rule":  {inPasses("all") + cases, "", `dispatch is "all": use cover or each`},
		"both":           {inPasses("cover") + "[[passes]]\nentry = \"b\"\ndispatch = \"cover\"\nextent = [\"n\"]\n" + cases, "", ""},
		"two dispatches": {strings.Replace(inPasses("each"), "case_name", "dispatch = \"each\"\ncase_name", 1) + cases, "", "dispatch and extent belong below [[passes]]"},
		"floats":         {strings.Replace(inPasses("each"), "array<u32>", "array<f32>", 1) + cases, "", "the errors of floats are not added up over several passes: state a tolerance"},
		"any size":       {"any_size = true\n" + inPasses("each") + cases, "", "an exercise of several passes has no any_size"},
		"no entry":       {strings.Replace(inPasses("each"), `entry = "a"`, "", 1) + cases, "", `the pass has the entry ""`},
		"17 passes":      {inPasses("each") + strings.Repeat("[[passes]]\nentry = \"a\"\ndispatch = \"each\"\nextent = [1]\n", 16) + cases, "", "there are 17 passes, and 16 are the most"},
		"no extent":      {strings.Replace(plain, `extent = ["n"]`, `extent = ["n - 1"]`, 1) + cases, "", "the extent: it is 0: use 1 or more"},
		"4 dimensions":   {strings.Replace(plain, `extent = ["n"]`, `extent = [1, 1, 1, 1]`, 1) + cases, "", "the extent has 4 numbers: use one for x, two for x and y, or three for x, y and z"},
		"13 bindings":    {plain + strings.Repeat("[[bindings]]\nname = \"a\"\n", 12) + cases, "", "there are 13 bindings, and 12 are the most"},
		"hints":          {plain + cases, "1. One.\n3. Three.\n", `x/hints.md: a hint begins with its number, a point and a space: "3. Three."`},
		"nothing wrong":  {plain + cases, "1. One. And more.\n\n2. Two.\n", ""},
		"plain numbers":  {strings.NewReplacer(`length = "n"`, "length = 256", `extent = ["n"]`, "extent = [256]").Replace(plain) + cases, "", ""},
	} {
		_, err := ReadFolder(folder(c.toml, c.hints), "x")
		if c.want == "" {
			require.NoError(t, err, name)
			continue
		}
		require.ErrorContains(t, err, c.want, name)
	}
	_, err := ReadFolder(fstest.MapFS{}, "x")
	require.ErrorContains(t, err, "reading an exercise: open x/exercise.toml")
}

func TestSizes(t *testing.T) {
	drawn, err := drawSizes(map[string]any{"a": "b * (c + 1) / 2", "b": int64(6), "c": "min(9, max(b, 3), 7) % 4", "d": map[string]any{"from": "b", "to": int64(8)}},
		rand.New(rand.NewPCG(1, 1)), nil)
	require.NoError(t, err)
	require.Equal(t, 6, drawn["b"])
	require.Equal(t, 2, drawn["c"])
	require.Equal(t, 9, drawn["a"])
	require.Contains(t, []int{6, 7, 8}, drawn["d"])
	for rule, want := range map[string]string{
		"b +": "not an expression", "b": "the size a: there is no size b", "1 / 0": "division by 0", "1 << 2": "operator", "sqrt(4)": "no function sqrt", "1; const b = 2": "not an expression",
		"true ? 1 : 2": "not an expression", "a": "there is no size a",
	} {
		_, err := drawSizes(map[string]any{"a": rule}, nil, nil)
		require.ErrorContains(t, err, want, rule)
	}
	_, err = drawSizes(map[string]any{"a": map[string]any{"from": int64(3), "to": int64(2)}}, nil, nil)
	require.ErrorContains(t, err, "3 to 2 is no range")
}

// Find says what is wrong with a broken exercise; it doesn't say so of an id that nothing has.
func TestFindABrokenExercise(t *testing.T) {
	before := pack
	t.Cleanup(func() { pack = before })
	pack = func() packed { return packed{broken: []error{&BrokenError{"sum-up", errors.New("no hints")}}} }
	_, err := Find("sum-up")
	require.EqualError(t, err, "exercise sum-up: no hints")
	_, err = Find("sum-down")
	var unknown *UnknownError
	require.ErrorAs(t, err, &unknown)
	require.EqualError(t, Broken(), "exercise sum-up: no hints")
	pack = func() packed { return packed{broken: []error{errors.New("no folder")}} }
	_, err = Find("sum-down")
	require.ErrorContains(t, err, "no other can be read: no folder")
}

// The course's order comes from the folders. A folder with a mistake, or without a lesson, is left
// out.
func TestCourseOrder(t *testing.T) {
	files := fstest.MapFS{}
	for id, where := range map[string]string{"a": "lesson = 2\nposition = 2", "b": "lesson = 2\nposition = 1", "c": "lesson = 1", "d": "lesson = 0", "e": "lesson = 1.5"} {
		files[id+"/exercise.toml"] = &fstest.MapFile{Data: []byte(strings.Replace(plain, "lesson = 1", where, 1) + "[[cases]]\nsizes = {n = 1}\n")}
		files[id+"/hints.md"] = &fstest.MapFile{}
	}
	found, broken := readCourse(files)
	var ids []string
	for _, e := range found {
		ids = append(ids, e.ID)
	}
	require.Equal(t, []string{"c", "b", "a"}, ids)
	require.Len(t, broken, 2)
	require.EqualError(t, broken[0], "exercise d: d/exercise.toml: lesson is 0: use 1 to 16")

	_, broken = ofTheCourse()
	require.Empty(t, broken)
}
