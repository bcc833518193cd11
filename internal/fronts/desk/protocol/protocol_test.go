package protocol_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/fronts/desk/protocol"
)

func TestFromCall(t *testing.T) {
	for function, arguments := range map[string][]any{
		"check.Exercise": {1},
		"check.Forward":  {"add"},
		"course.Here":    {"3"},
		"trace.Exercise": {"a", "b"},
		"trace.Here":     {3},
		"trace.Compare":  {"a"},
		"race.Count":     {"a"},
		"":               nil,
	} {
		_, ok := protocol.FromCall(function, arguments)
		require.False(t, ok, function)
	}
	for function, want := range map[string]protocol.Request{
		"check.Exercise": {Do: protocol.Check, Exercise: "a"},
		"check.Goals":    {Do: protocol.Goals, Exercise: "a"},
		"trace.Exercise": {Do: protocol.Trace, Exercise: "a"},
		"cost.Exercise":  {Do: protocol.Cost, Exercise: "a"},
	} {
		got, ok := protocol.FromCall(function, []any{"a"})
		require.True(t, ok, function)
		require.Equal(t, want, got)
	}
	got, ok := protocol.FromCall("course.Here", []any{3})
	require.True(t, ok)
	require.Equal(t, protocol.Request{Do: protocol.Map, Lesson: 3}, got)
	got, ok = protocol.FromCall("race.Count", []any{"a", "b"})
	require.True(t, ok)
	require.Equal(t, protocol.Request{Do: protocol.Count, Rung: "a", Other: "b"}, got)
	got, ok = protocol.FromCall("cost.Beside", []any{"a m=1 + b", "c"})
	require.True(t, ok)
	require.Equal(t, protocol.Request{Do: protocol.Beside, Exercise: "a m=1 + b", Other: "c"}, got)
	got, ok = protocol.FromCall("trace.Compare", []any{"a", "b"})
	require.True(t, ok)
	require.Equal(t, protocol.Request{Do: protocol.Compare, Exercise: "a", Other: "b"}, got)
}

// A verdict with its reasons takes the place of the one that waited for them.
func TestShown(t *testing.T) {
	in := func(place, text string) protocol.View {
		return protocol.View{protocol.InPlace: place, "text/plain": text}
	}
	var shown protocol.Shown
	for _, c := range []struct {
		view     protocol.View
		place    string
		replaces bool
	}{
		{in("verdict", "wrong"), "verdict", false}, {protocol.View{"text/plain": "a note"}, "", false},
		{in("verdict", "wrong, because"), "verdict", true}, {protocol.View{"text/plain": "another"}, "", false},
	} {
		place, replaces := shown.Add(c.view)
		require.Equal(t, c.place, place)
		require.Equal(t, c.replaces, replaces)
	}
	require.Equal(t, []protocol.View{{"text/plain": "wrong, because"}, {"text/plain": "a note"}, {"text/plain": "another"}}, shown.Views)
}
