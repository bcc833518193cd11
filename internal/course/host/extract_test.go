//go:build !js

package host

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A program is a function with all that it uses: of GoNB's file with all cells, and no more.
func TestExtract(t *testing.T) {
	const file = `package main

import (
	"fmt"
	named "strings"
	"slices"
)

const size = 64

type stage struct{ of part }

// part has a method.
type part int

func (p part) String() string { return named.Repeat("x", int(p)) }

var other = fmt.Sprint()

// addVectors is the learner's.
func addVectors() string { return must(stage{size}).of.String() }

func must[T any](v T) T { return v }

func unused() { slices.Sort(nil); addVectors() }

func main() { addVectors() }
`
	got, err := Extract(file, "addVectors")
	require.NoError(t, err)
	require.Equal(t, `//go:build ignore

package main

import (
	named "strings"
)

const size = 64

type stage struct{ of part }

// part has a method.
type part int

func (p part) String() string { return named.Repeat("x", int(p)) }

// addVectors is the learner's.
func addVectors() string { return must(stage{size}).of.String() }

func must[T any](v T) T { return v }
`, got)
	again, err := Extract(got, "addVectors")
	require.NoError(t, err)
	require.Equal(t, got, again, "a saved program is one")
	for _, wrong := range []string{"", "package main\nfunc", "package main\nfunc other() {}"} {
		_, err := Extract(wrong, "addVectors")
		require.Error(t, err, wrong)
	}
	require.Empty(t, OfFunction(TestExtract), "it is in no main")
	require.Empty(t, OfFunction(3))
	require.Empty(t, OfFunction((func())(nil)))
}
