package kernel

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// knowing takes the cells that begin with %%know, and remembers the others.
type knowing struct {
	sayings
	passed []string
}

func (*knowing) Takes(code string) bool { return strings.HasPrefix(code, "%%know") }

func (*knowing) IsComplete(code string) (status, indent string) { return "invalid", "  " }

func (k *knowing) Passed(code string) { k.passed = append(k.passed, code) }

// An answerer that knows is asked, and one that follows is told.
func TestAnswerersThatKnowMore(t *testing.T) {
	k := &knowing{}
	f := &front{config: Config{Answerers: []Answerer{ShaderFiles{}, k, sayings{}}}}
	status, indent := f.completeness("%%know")
	require.Equal(t, [2]string{"invalid", "  "}, [2]string{status, indent})
	status, _ = f.completeness("var x = (")
	require.Equal(t, "incomplete", status, "Go's own cells are read as ever")
	f.tellFollowers("var x = 1")
	require.Equal(t, []string{"var x = 1"}, k.passed)
	require.True(t, isGo(k), "GoNB helps")
	require.True(t, isGo(nil))
	require.False(t, isGo(ShaderFiles{}))
}
