//go:build acceptance

package coursecells_test

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/fronts/notebook/kernelspec"
)

// overGoNB returns a kernel with the GoNB that the set-up has built.
func overGoNB(t *testing.T) *underTest {
	t.Helper()
	root, err := filepath.Abs("../../../../..")
	require.NoError(t, err)
	spec, err := kernelspec.Find(kernelspec.Name, filepath.Join(root, ".venv"))
	require.NoError(t, err, "run `make setup` first: it builds and installs GoNB")
	behind := slices.Index(spec.Argv, "--")
	require.GreaterOrEqual(t, behind, 0, "%v", spec.Argv)
	return launch(t, spec.Env, append(slices.Clone(spec.Argv[behind+1:]), "--kernel")...)
}

// byGoNB returns a check cell with one more line, so that GoNB runs it. The line shows that it did.
func byGoNB(id string) string {
	return strings.Replace(checkCell(id), "%%\n", "%%\nprintln(\"GoNB ran this\")\n", 1)
}

// drawnSeed matches the text that differs between two checks with random seeds: the seed, and the
// size of a random case.
var drawnSeed = regexp.MustCompile(`seed \d+|n = \d+, old values in out`)

func (s shown) masked() []map[string]string {
	for _, view := range s.views {
		for format, content := range masked(view) {
			view[format] = drawnSeed.ReplaceAllString(content, "SEED")
		}
	}
	return s.views
}

// GoNB's own check cell and ours show the same, except for GoNB's extra output.
func TestGoNBSaysTheSame(t *testing.T) {
	k := overGoNB(t)
	right := reference(t, "vector-add")
	for name, source := range map[string]string{"right": right, "refused": right + "\nnonsense", "empty": ""} {
		k.execute(shaderCell("vector-add", source))
		ours := k.execute(checkCell("vector-add"))
		theirs := k.run(byGoNB("vector-add"))
		require.Equal(t, theirs.reply.Status, ours.reply.Status, name)
		require.Equal(t, theirs.masked(), ours.masked(), name)
		require.Contains(t, theirs.streams["stderr"], "GoNB ran this", name)
	}
}

// A learner's declaration that has the package's name hides it from no check, and stays theirs.
func TestADeclarationThatIsInTheWay(t *testing.T) {
	k := overGoNB(t)
	k.execute(shaderCell("vector-add", reference(t, "vector-add")))
	require.Equal(t, "ok", k.execute(checkCell("vector-add")).reply.Status)
	require.Equal(t, "ok", k.run("%noautoget\nvar check = 41").reply.Status)
	require.Equal(t, "ok", k.run(checkCell("vector-add")).reply.Status)
	require.Contains(t, k.run("%noautoget\n%%\nprintln(check + 1)").streams["stderr"], "42")
}
