package internal_test

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// In make nightly, the race detector sees every package that starts goroutines. The scripts look
// for them line by line; Go's parser also finds those that are written in another way. In make
// test and make acceptance, it sees those that setup/results.sh names: each of them exists and
// starts goroutines.
func TestTheDetectorSeesEveryPackageThatStartsGoroutines(t *testing.T) {
	started := map[string]bool{}
	for _, name := range script(t, "git ls-files --cached --others --exclude-standard '*.go' ':!*_test.go' ':!*/testdata/*'") {
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join("..", name), nil, 0)
		if errors.Is(err, fs.ErrNotExist) {
			continue // it was removed, but not committed yet
		}
		require.NoError(t, err)
		if startsGoroutines(file) {
			started["./"+path.Dir(name)] = true
		}
	}
	require.NotEmpty(t, started)
	_, err := os.ReadFile("../setup/results.sh") // so that Go's test cache notices a change
	require.NoError(t, err)
	require.Equal(t, slices.Sorted(maps.Keys(started)), script(t, "source setup/results.sh; starts_goroutines | LC_ALL=C sort"))
	named := script(t, `source setup/results.sh; printf '%s\n' "${raced[@]}" "${raced_slowly[@]}"`)
	require.NotEmpty(t, named)
	for _, folder := range named {
		require.True(t, started[folder], "%s, which setup/results.sh names, starts no goroutines", folder)
	}
	for _, folder := range script(t, `source setup/results.sh; printf '%s\n' "${longest[@]}"`) {
		require.DirExists(t, filepath.Join("..", folder), "setup/results.sh names it")
	}
}

// script runs a script in the repository's root and returns the words that it prints.
func script(t *testing.T, text string) []string {
	t.Helper()
	command := exec.CommandContext(t.Context(), "bash", "-c", text)
	command.Dir = ".."
	command.Stderr = os.Stderr
	out, err := command.Output()
	require.NoError(t, err)
	return strings.Fields(string(out))
}

func startsGoroutines(file *ast.File) (found bool) {
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			found = true
		case *ast.CallExpr:
			called, ok := n.Fun.(*ast.SelectorExpr)
			found = found || ok && (called.Sel.Name == "Go" || called.Sel.Name == "AfterFunc")
		}
		return !found
	})
	return found
}
