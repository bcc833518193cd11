// Package coursetest tells a long test how much of its work the running suite wants.
//
// A suite that takes a share sets WGSLAB_TURN to a number that changes each day, and WGSLAB_TOUCHED
// to a file with the paths that changed since the last commit that passed. Without WGSLAB_TURN, as
// in make nightly or in a test that a person starts, every test does all of its work. We use an
// environment variable because a tag would need a second build of the tests.
package coursetest

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/wgslab/wgslab/internal/course"
)

const (
	turnVariable    = "WGSLAB_TURN"
	touchedVariable = "WGSLAB_TOUCHED"

	// turns is the number of days after which a rotating share has had every exercise.
	turns = 8
	// most is the divisor of the largest share of touched exercises: a change of all of them must
	// not make a suite take hours.
	most = 4
)

// Exercises returns those for a long test: all of them, or, if the suite takes shares, those that
// were touched and an eighth that rotates by day.
func Exercises(t testing.TB, all []*course.Exercise) []*course.Exercise {
	t.Helper()
	ids := make([]string, len(all))
	for i, e := range all {
		ids[i] = e.ID
	}
	chosen := IDs(t, ids)
	return slices.DeleteFunc(slices.Clone(all), func(e *course.Exercise) bool { return !slices.Contains(chosen, e.ID) })
}

// IDs does the same for the ids of exercises.
func IDs(t testing.TB, all []string) []string {
	t.Helper()
	turn, whole := today(t)
	if whole {
		return all
	}
	return share(all, turn, touched(t))
}

// Eighth returns all elements of a list, or, if the suite takes shares, an eighth that rotates by
// day.
func Eighth[E any](t testing.TB, all []E) []E {
	t.Helper()
	turn, whole := today(t)
	if whole {
		return all
	}
	var chosen []E
	for i := turn % turns; i < len(all); i += turns {
		chosen = append(chosen, all[i])
	}
	return chosen
}

// One returns all elements of a list, or, if the suite takes shares, one that changes by day.
func One[E any](t testing.TB, all []E) []E {
	t.Helper()
	turn, whole := today(t)
	if whole || len(all) == 0 {
		return all
	}
	i := turn % len(all)
	return all[i : i+1]
}

// Range returns the numbers from 0 to n for a test that draws something from each, or, if the suite
// takes shares, an eighth of them that rotates by day.
func Range(t testing.TB, n int) (first, end int) {
	t.Helper()
	turn, whole := today(t)
	if whole {
		return 0, n
	}
	part := turn % turns
	return n * part / turns, n * (part + 1) / turns
}

func share(ids []string, turn int, paths []string) []string {
	isTouched := func(id string) bool { return below(paths, "exercises/"+id+"/") }
	count := 0
	for _, id := range ids {
		if isTouched(id) {
			count++
		}
	}
	// If too many were touched, every stride-th of them has its turn.
	stride := max(1, (count*most+len(ids)-1)/max(1, len(ids)))
	var chosen []string
	seen := 0
	for i, id := range ids {
		itsTurn := i%turns == turn%turns
		if isTouched(id) {
			itsTurn = itsTurn || seen%stride == turn%stride
			seen++
		}
		if itsTurn {
			chosen = append(chosen, id)
		}
	}
	return chosen
}

// Whole reports whether the test should do all of its work, such as draw every seed.
func Whole(t testing.TB) bool {
	t.Helper()
	_, whole := today(t)
	return whole
}

// NeedsChange skips a long test whose result depends on a few folders or files, unless one of them
// was touched or the test should do all of its work. A folder ends in a slash.
func NeedsChange(t testing.TB, folders ...string) {
	t.Helper()
	for _, folder := range folders {
		if _, err := os.Stat(filepath.Join(root(t), filepath.FromSlash(folder))); err != nil {
			t.Fatalf("%s, on which this test depends, is gone: name the new place", folder)
		}
	}
	_, whole := today(t)
	if whole {
		return
	}
	paths := touched(t)
	if !slices.ContainsFunc(folders, func(folder string) bool { return below(paths, folder) }) {
		t.Skipf("left to make nightly: nothing that it depends on changed")
	}
}

// root returns the repository's folder.
func root(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		if filepath.Dir(dir) == dir {
			t.Fatal("there is no go.mod above this test")
		}
		dir = filepath.Dir(dir)
	}
}

// today returns the number of the suite's turn, or whole if the suite takes no shares.
func today(t testing.TB) (turn int, whole bool) {
	t.Helper()
	text := os.Getenv(turnVariable)
	if text == "" {
		return 0, true
	}
	turn, err := strconv.Atoi(text)
	if err != nil || turn < 0 {
		t.Fatalf("%s is %q: set it to a number such as 3, or unset it to run everything", turnVariable, text)
	}
	return turn, false
}

// touched returns the paths that changed, or none if the suite doesn't know them.
func touched(t testing.TB) []string {
	t.Helper()
	name := os.Getenv(touchedVariable)
	if name == "" {
		return nil
	}
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatalf("%s: %v", touchedVariable, err)
	}
	return strings.Fields(string(text))
}

func below(paths []string, folder string) bool {
	return slices.ContainsFunc(paths, func(path string) bool { return strings.HasPrefix(path, folder) })
}
