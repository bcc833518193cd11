package judge

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/judge/evidence"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// Nothing is taken as a fact about an entry point that is not there, neither main nor one of a
// later pass: the check and the look name the one that is missing.
func TestAMissingEntryPoint(t *testing.T) {
	for id, missing := range map[string][]string{"relu": {"main"}, "compact": nil} {
		e, err := course.Find(id)
		require.NoError(t, err)
		source, err := e.Reference()
		require.NoError(t, err)
		for _, name := range append(missing, e.Entries()...) {
			for what, without := range map[string]string{
				"renamed": strings.Replace(source.Text, "fn "+name+"(", "fn other(", 1),
				"renamed, and a barrier that not all reach": strings.Replace(source.Text, "fn "+name+"(", "fn other(", 1) +
					"\n@compute @workgroup_size(4) fn apart(@builtin(local_invocation_index) i: u32) { if (i > 1u) { workgroupBarrier(); } }\n",
			} {
				require.NotContains(t, without, "fn "+name+"(", what)
				renamed := shader.Read(id, without)
				facts := evidence.About(e, renamed)
				if renamed.Mistake() == nil {
					require.ErrorAs(t, facts.Read(), new(*shader.CompileError), "%s: %s", id, name)
				} else {
					require.Error(t, facts.Read(), "%s: %s", id, name)
				}
				v, err := Run(t.Context(), shader.Engines{Values: exact, Watcher: exact}, e, renamed, 1)
				require.NoError(t, err)
				require.False(t, v.Passed())
				_, d, err := Look(t.Context(), exact, e, renamed, 1)
				require.NoError(t, err)
				require.NotNil(t, d, "%s without %s", id, name)
				require.Equal(t, v.Slug, d.Slug, "%s without %s, %s", id, name, what)
				require.Equal(t, v.Message, d.Message)
				if what == "renamed" {
					require.Contains(t, d.Message, name)
				}
			}
		}
	}
}
