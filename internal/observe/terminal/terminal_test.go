package terminal

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/observe/anyshader"
	"github.com/wgslab/wgslab/internal/observe/debug"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

const tiled = `@group(0) @binding(0) var<storage, read_write> out: array<f32>;
var<workgroup> tile: array<f32, 4>;
@compute @workgroup_size(4)
fn main(@builtin(local_invocation_index) i: u32) {
	tile[i] = f32(i); // tabs, ` + "\x1b[31m" + `and colours
  workgroupBarrier();
  var sum = 0.0;
  for (var k = 0u; k < 4u; k++) {
    sum += tile[k];
  }
  out[i] = sum;
}
`

func session(t require.TestingT, code string, binds ...string) *debug.Session {
	at, err := anyshader.Target(context.Background(), shader.ReadWith("try.wgsl", code, types.AllFeatures), anyshader.ShaderRun{Entry: "main", Workgroups: "1", Binds: binds})
	require.NoError(t, err)
	s, err := debug.New(context.Background(), at)
	require.NoError(t, err)
	return s
}

func TestLines(t *testing.T) {
	var out bytes.Buffer
	input := "break 9 if k == 1u\nrun\nprint sum\np tile\nback\n\nwhere\nlocals\nmemory\ndelete 9\nbreak 99\nbreak x\nwrite of out[2]\nc\nfindings\nnonsense\nquit\nprint sum\n"
	require.NoError(t, Lines(context.Background(), session(t, tiled, "0=f32[4]"), strings.NewReader(input), &out))
	text := out.String()
	for _, want := range []string{
		"Stops at line 9.", "Invocation 0,0,0 of workgroup 0,0,0 at line 9.\n   9 |     sum += tile[k];\n0.0\n",
		"array<f32, 4>(0.0, 1.0, 2.0, 3.0)\n   [0] = 0.0\n", "   8 |   for (var k = 0u; k < 4u; k++) {",
		"main at line 8", "invocations 1 to 3 at line 7", "  i = 0u", "The breakpoint at line 9 is removed.", "This line has no statement to stop at.",
		"write `break 12`", "out[2] here: 2.0 becomes 6.0", "Nothing has gone wrong", "`nonsense` is not declared",
	} {
		assert.Contains(t, text, want)
	}
	assert.Equal(t, 1, strings.Count(text, "\n0.0\n"), "nothing runs after quit")
	assert.NotContains(t, text, "\x1b")
}

// A run to a breakpoint leaves out what goes wrong on the way, if that is wanted.
func TestFindingsOff(t *testing.T) {
	const racy = `@group(0) @binding(0) var<storage, read_write> out: array<f32>;
@compute @workgroup_size(4) fn main(@builtin(local_invocation_index) i: u32) {
  out[0] += 1.0;
  out[i] = 2.0;
}`
	for input, stops := range map[string]string{
		"break 4 if i == 3u\nrun\nq\n":                            "reads `out[0]` on line 3",
		"findings off\nbreak 4 if i == 3u\nrun\nprint i\nq\n":     "Invocation 3,0,0 of workgroup 0,0,0 at line 4.\n   4 |   out[i] = 2.0;\n3u",
		"findings off\nfindings on\nbreak 4 if i == 3u\nrun\nq\n": "reads `out[0]` on line 3",
		"findings off\nbreak 4 if i == 3u\nrun\nfindings\nq\n":    "reads `out[0]` on line 3",
		"findings maybe\nq\n":                                     "there is `maybe`",
		"write of out[2].x\nq\n":                                  "write out[2], and it stops when any part changes",
	} {
		var out bytes.Buffer
		require.NoError(t, Lines(t.Context(), session(t, racy, "0=f32[4]"), strings.NewReader(input), &out))
		assert.Contains(t, out.String(), stops, input)
	}
}

func TestLinesToTheEnd(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, Lines(context.Background(), session(t, tiled, "0=f32[4]"), strings.NewReader("c\nb\n"), &out))
	assert.Contains(t, out.String(), "The run has ended.")
	assert.Contains(t, out.String(), "at line 11.", "from the end one can go back")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	assert.ErrorIs(t, Lines(ctx, session(t, tiled, "0=f32[4]"), strings.NewReader("c\n"), &out), context.Canceled)
}

func press(m *screen, keys ...tea.KeyPressMsg) {
	for _, k := range keys {
		_, command := m.Update(k)
		if command != nil {
			m.Update(command())
		}
	}
}

func typed(text string) (keys []tea.KeyPressMsg) {
	for _, r := range text {
		keys = append(keys, tea.KeyPressMsg{Code: r, Text: string(r)})
	}
	return append(keys, tea.KeyPressMsg{Code: tea.KeyEnter})
}

func newScreen(t require.TestingT) *screen {
	m := &screen{ctx: context.Background(), sh: &shell{s: session(t, tiled, "0=f32[4]")}, width: 80, height: 24}
	m.look()
	return m
}

func TestScreen(t *testing.T) {
	m := newScreen(t)
	assert.Contains(t, m.draw(), "▶")
	assert.Equal(t, 5, m.seen.line)
	press(m, typed("break 9")...)
	press(m, tea.KeyPressMsg{Code: tea.KeyF5})
	assert.Equal(t, 9, m.seen.line)
	press(m, tea.KeyPressMsg{Code: tea.KeyF10}, tea.KeyPressMsg{Code: tea.KeyEnter})
	assert.Equal(t, 8, m.seen.line, "Enter repeats the step")
	press(m, tea.KeyPressMsg{Code: tea.KeyF7})
	assert.Equal(t, 8, m.seen.line)
	press(m, tea.KeyPressMsg{Code: tea.KeyUp}, tea.KeyPressMsg{Code: tea.KeyF9})
	assert.Equal(t, []int{9, 7}, m.seen.stops)
	press(m, typed("invocation 3")...)
	assert.Contains(t, m.draw(), "invocation 3,0,0")
	press(m, typed("i")...)
	assert.Equal(t, []string{"3u"}, m.messages)
	_, quit := m.Update(tea.KeyPressMsg{Code: 'c', Mod: tea.ModCtrl})
	assert.IsType(t, tea.QuitMsg{}, quit())
}

// A picture fits any size and contains no control sequences except colours.
func TestScreenFits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := newScreen(t)
		press(m, typed(rapid.SampledFrom([]string{"help", "step", "tile", "what", ""}).Draw(t, "line"))...)
		m.Update(tea.WindowSizeMsg{Width: rapid.IntRange(1, 200).Draw(t, "width"), Height: rapid.IntRange(1, 60).Draw(t, "height")})
		lines := strings.Split(m.draw(), "\n")
		require.LessOrEqual(t, len(lines), m.height)
		for _, line := range lines {
			require.LessOrEqual(t, lipgloss.Width(line), m.width, "%q", line)
			require.NotContains(t, line, "\x1b[31mand")
		}
	})
}

func TestScreenPauses(t *testing.T) {
	m := &screen{ctx: context.Background(), width: 80, height: 24, sh: &shell{s: session(t, `@compute @workgroup_size(4)
fn main(@builtin(local_invocation_index) i: u32) {
  var left = 10u;
  while (left > 0u) { left |= i; }
}
`)}}
	m.look()
	_, command := m.Update(tea.KeyPressMsg{Code: tea.KeyF5})
	ended := make(chan tea.Msg)
	go func() { ended <- command() }()
	assert.Contains(t, m.draw(), "running")
	_, second := m.Update(tea.KeyPressMsg{Code: tea.KeyF10})
	assert.Nil(t, second, "one thing after the other")
	assert.Len(t, m.waiting, 1)
	m.Update(tea.KeyPressMsg{Code: 'c', Mod: tea.ModCtrl})
	select {
	case message := <-ended:
		m.Update(message)
	case <-time.After(10 * time.Second):
		t.Fatal("it does not pause")
	}
	assert.Contains(t, m.messages[0], "Paused")
	assert.Empty(t, m.waiting, "what was to come after it does not")
}

func TestScreenLosesNoKey(t *testing.T) {
	m := newScreen(t)
	_, first := m.Update(tea.KeyPressMsg{Code: tea.KeyF10})
	_, none := m.Update(tea.KeyPressMsg{Code: tea.KeyF10}) // before the first is done
	require.Nil(t, none)
	_, second := m.Update(first())
	require.NotNil(t, second)
	m.Update(second())
	assert.Equal(t, 7, m.seen.line, "two steps: to the barrier and past it")
}
