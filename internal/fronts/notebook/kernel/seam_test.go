package kernel

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/fronts/notebook/jupyter"
	"github.com/wgslab/wgslab/internal/ground/ipynb/cell"
)

// knowing takes the cells that begin with %%know, and remembers the others.
type knowing struct {
	sayings
	passed []string
}

func (*knowing) Takes(from *cell.CellSource) bool { return strings.HasPrefix(from.Code, "%%know") }

func (*knowing) IsComplete(*cell.CellSource) (status, indent string) { return "invalid", "  " }

func (k *knowing) Passed(from *cell.CellSource) (code string) {
	k.passed = append(k.passed, from.Code)
	return from.Code
}

// An answerer that knows is asked, and one that follows is told.
func TestAnswerersThatKnowMore(t *testing.T) {
	k := &knowing{}
	f := &front{config: Config{Answerers: []Answerer{ShaderFiles{}, k, sayings{}}}}
	status, indent := f.completeness(cell.Read("%%know"))
	require.Equal(t, [2]string{"invalid", "  "}, [2]string{status, indent})
	status, _ = f.completeness(cell.Read("var x = ("))
	require.Equal(t, "incomplete", status, "Go's own cells are read as ever")
	f.tellFollowers(cell.Read("var x = 1"))
	require.Equal(t, []string{"var x = 1"}, k.passed)
	require.True(t, isGo(k), "GoNB helps")
	require.True(t, isGo(nil))
	require.False(t, isGo(ShaderFiles{}))
}

// seen records the sources that a kernel hands out, as its debugger and as an answerer.
type seen struct{ sources []*cell.CellSource }

func (s *seen) Takes(from *cell.CellSource) bool {
	s.sources = append(s.sources, from)
	return true
}

func (s *seen) Run(_ context.Context, c Cell, _ Output) error {
	s.sources = append(s.sources, c.CellSource)
	return nil
}

func (s *seen) Ahead(ctx context.Context, c Cell, out Output) error { return s.Run(ctx, c, out) }

func (*seen) Request(context.Context, json.RawMessage) (json.RawMessage, error) { return nil, nil }

func (*seen) Save(context.Context) json.RawMessage { return nil }

// The debugger and the answerers get one source of a cell, so whoever reads it first reads it for
// all.
func TestACellIsReadOnce(t *testing.T) {
	s := &seen{}
	f := &front{config: Config{Answerers: []Answerer{s}}, gonb: &gonb{}, debugger: s}
	_, ok := f.run(t.Context(), jupyter.Message{}, executeRequest{Code: "fmt.Println()"})
	require.True(t, ok)
	require.Len(t, s.sources, 3, "Ahead, Takes and Run")
	for _, source := range s.sources {
		require.Same(t, s.sources[0], source)
	}
}
