package course

import (
	"math/rand/v2"
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

func folder(toml, hints string) fstest.MapFS {
	return fstest.MapFS{"x/exercise.toml": {Data: []byte(toml)}, "x/hints.md": {Data: []byte(hints)}}
}

// What is wrong with a folder is said with its file, and where TOML knows it, its line.
func TestWhatIsWrongWithAFolder(t *testing.T) {
	cases := "[[cases]]\nsizes = {n = 1}\n"
	for name, c := range map[string]struct{ toml, hints, want string }{
		"no cases":      {plain, "", "x/exercise.toml: an exercise needs cases and a small case"},
		"unknown key":   {plain + cases + "nots = \"\"\n", "", "x/exercise.toml: line 19: there is no key cases.nots"},
		"not TOML":      {plain + "[[cases\n", "", "x/exercise.toml: line 17: "},
		"wrong type":    {"lesson = \"one\"\n", "", "x/exercise.toml: line 1: "},
		"access":        {plain + "[[bindings]]\nname = \"a\"\naccess = \"write\"\n" + cases, "", `the binding a has the access "write": use uniform, read or read_write`},
		"hints":         {plain + cases, "1. One.\n3. Three.\n", `x/hints.md: a hint begins with its number, a point and a space: "3. Three."`},
		"nothing wrong": {plain + cases, "1. One. And more.\n\n2. Two.\n", ""},
	} {
		_, err := readFolder(folder(c.toml, c.hints), "x")
		if c.want == "" {
			require.NoError(t, err, name)
			continue
		}
		require.ErrorContains(t, err, c.want, name)
	}
	_, err := readFolder(fstest.MapFS{}, "x")
	require.ErrorContains(t, err, "reading an exercise: open x/exercise.toml")
}

func TestSizes(t *testing.T) {
	drawn, err := drawSizes(map[string]any{"a": "b * (c + 1) / 2", "b": int64(6), "c": "min(9, max(b, 3), 7) % 4", "d": map[string]any{"from": "b", "to": 8}},
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
	_, err = drawSizes(map[string]any{"a": map[string]any{"from": 3, "to": 2}}, nil, nil)
	require.ErrorContains(t, err, "3 to 2 is no range")
}
