//go:build acceptance

package answers_test

import (
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/kernelspec"
)

// overGoNB is a kernel with the GoNB that the set-up has built.
func overGoNB(t *testing.T) *underTest {
	t.Helper()
	root, err := filepath.Abs("../../..")
	require.NoError(t, err)
	spec, err := kernelspec.Find(kernelspec.Name, filepath.Join(root, ".venv"))
	require.NoError(t, err, "run `make setup` first: it builds and installs GoNB")
	behind := slices.Index(spec.Argv, "--")
	require.GreaterOrEqual(t, behind, 0, "%v", spec.Argv)
	return launch(t, spec.Env, append(slices.Clone(spec.Argv[behind+1:]), "--kernel")...)
}

// byGoNB is a check cell with a line more, so that GoNB runs it.
func byGoNB(id string) string { return checkCell(id) + "\n_ = 0" }

// drawnSeed is what two checks do not share when nobody chooses it: the seed, and a
// case whose size it draws.
var drawnSeed = regexp.MustCompile(`seed \d+|n = \d+, used memory`)

func (s shown) masked() []map[string]string {
	for _, view := range s.views {
		for format, content := range masked(view) {
			view[format] = drawnSeed.ReplaceAllString(content, "SEED")
		}
	}
	return s.views
}

// GoNB's own check cell and ours show the same, but for the noise that GoNB makes.
func TestGoNBSaysTheSame(t *testing.T) {
	k := overGoNB(t)
	right := reference(t, "vector-add")
	for name, source := range map[string]string{"right": right, "refused": right + "\nnonsense", "empty": ""} {
		k.execute(shaderCell("vector-add", source))
		ours := k.execute(checkCell("vector-add"))
		theirs := k.run(byGoNB("vector-add"))
		require.Equal(t, theirs.reply.Status, ours.reply.Status, name)
		require.Equal(t, theirs.masked(), ours.masked(), name)
		if ours.reply.Status == "error" {
			require.Contains(t, theirs.streams["stderr"], "exit status 1", "or nothing was GoNB's")
		}
	}
}

// What a learner declares under the name of the package is GoNB's to complain of.
func TestADeclarationThatIsInTheWay(t *testing.T) {
	k := overGoNB(t)
	k.execute(shaderCell("vector-add", reference(t, "vector-add")))
	require.Equal(t, "ok", k.execute(checkCell("vector-add")).reply.Status)
	require.Equal(t, "ok", k.run("%noautoget\nvar check = 1").reply.Status)
	got := k.run(checkCell("vector-add"))
	require.Equal(t, "error", got.reply.Status)
	require.NotEqual(t, "NotRight", got.reply.EName)
}
