package desk

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/course/learner"
	"github.com/wgslab/wgslab/internal/fronts/desk/protocol"
	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/ground/view"
	"github.com/wgslab/wgslab/internal/machine/engine"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

func reference(t *testing.T, id string) string {
	t.Helper()
	source, err := exercises.Reference(id)
	require.NoError(t, err)
	return source
}

// newDesk returns a desk in its own folder that uses the simulator.
func newDesk(t *testing.T) *Desk {
	t.Helper()
	t.Chdir(t.TempDir())
	d := &Desk{Read: shader.Read}
	d.Device.Open = func(ctx context.Context) (*engine.Opened, error) { return engine.Open(ctx, shader.Simulated) }
	return d
}

func stateOf(t *testing.T, d *Desk, r protocol.Request) protocol.StepState {
	t.Helper()
	got, err := d.Answer(t.Context(), r, nil)
	require.NoError(t, err)
	return *got.Step
}

// checkedHTML checks a shader and returns its verdict as the page shows it.
func checkedHTML(t *testing.T, d *Desk, source string, seed uint64) string {
	t.Helper()
	path := learner.ShaderPath("vector-add")
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(source), 0o600))
	got, err := d.Answer(t.Context(), protocol.Request{Do: protocol.Check, Exercise: "vector-add", Seed: &seed}, func(...view.View) {})
	require.NoError(t, err)
	return string(got.Verdict.HTML())
}

// A stepper steps through a shader with the requests of the page.
type stepper struct {
	t     *testing.T
	desk  *Desk
	asked protocol.Request
	state protocol.StepState
}

func stepThrough(t *testing.T, id, source string) *stepper {
	return &stepper{t: t, desk: newDesk(t), asked: protocol.Request{Do: "step", Exercise: id, Source: source, Step: protocol.StepRequest{Breakpoints: []protocol.Breakpoint{}}}}
}

// do repeats the request until the run stops, and keeps the same state as the view.
func (s *stepper) do(what string, more ...func(*protocol.StepRequest)) {
	s.t.Helper()
	r := s.asked
	r.Step.Do = what
	for _, change := range more {
		change(&r.Step)
	}
	for {
		s.state = stateOf(s.t, s.desk, r)
		if !s.state.Running {
			break
		}
		r.Step.Do = "on"
	}
	s.asked.Step.Breakpoints, s.asked.Step.Frame = s.state.Breakpoints, s.state.Frame
}

func (s *stepper) say(line string) protocol.Said {
	s.t.Helper()
	s.do("say", func(r *protocol.StepRequest) { r.Line = line })
	require.NotNil(s.t, s.state.Answer)
	return *s.state.Answer
}

// line returns the number of the source line that contains a text.
func (s *stepper) line(text string) int {
	s.t.Helper()
	before, _, found := strings.Cut(s.asked.Source, text)
	require.True(s.t, found, text)
	return strings.Count(before, "\n") + 1
}

func (s *stepper) breakAt(text string) {
	s.asked.Step.Breakpoints = append(s.asked.Step.Breakpoints, protocol.Breakpoint{Line: s.line(text)})
}

// variable returns the variable with a path.
func (s *stepper) variable(path string) protocol.Variable {
	s.t.Helper()
	var find func(list []protocol.Variable) *protocol.Variable
	find = func(list []protocol.Variable) *protocol.Variable {
		for i := range list {
			if list[i].Path == path {
				return &list[i]
			}
			if found := find(list[i].Parts); found != nil {
				return found
			}
		}
		return nil
	}
	for _, scope := range s.state.Scopes {
		if found := find(scope.Variables); found != nil {
			return *found
		}
	}
	require.Fail(s.t, "it is not shown", path)
	return protocol.Variable{}
}

func TestStepThrough(t *testing.T) {
	s := stepThrough(t, "vector-add", reference(t, "vector-add"))
	s.do("begin")
	require.Equal(t, s.line("let i"), s.state.At.Line)
	require.Equal(t, "let i = id.x;", s.asked.Source[s.state.At.From:s.state.At.To])
	require.Equal(t, "n = 64", s.state.Case, "a whole workgroup has work")
	s.do("begin", func(r *protocol.StepRequest) { r.Case = "n = 65" })
	require.Equal(t, "n = 65", s.state.Case)
	require.Contains(t, s.state.Cases, "n = 65")
	require.Contains(t, s.state.Says, "Before the first statement: line")
	require.Equal(t, "vec3u(0u, 0u, 0u)", s.variable("Variables/id").Value)
	require.Empty(t, s.state.Breakpoints)

	s.do("over")
	require.Equal(t, s.line("if (i"), s.state.At.Line)
	require.Equal(t, protocol.Variable{Path: "Variables/i", Name: "i", Type: "u32", Value: "0u"}, s.variable("Variables/i"), "there was none to change")
	s.breakAt("out[i] =")
	s.do("continue")
	require.Equal(t, s.line("out[i] ="), s.state.At.Line)
	require.Contains(t, s.state.Says, "Stopped at the breakpoint on line")
	s.do("over")
	require.True(t, s.variable("Buffers/out").Changed)
	s.do("back")
	require.Equal(t, s.line("out[i] ="), s.state.At.Line)
	require.False(t, s.variable("Buffers/out").Changed)

	s.do("look", func(r *protocol.StepRequest) { r.Invocation = 3 })
	require.Equal(t, 3, s.state.Invocation)
	require.Equal(t, s.line("let i"), s.state.At.Line)
	require.Len(t, s.state.Picture.Cells, 64)
	require.Len(t, s.state.Picture.Groups, 2)
	require.Contains(t, s.state.Says, "invocation 3 of workgroup 0.")
	require.NotEqual(t, s.state.Picture.Cells[0], s.state.Picture.Cells[1])

	s.asked.Step.Breakpoints = nil
	s.do("continue")
	require.True(t, s.state.Ended)
	require.Equal(t, "The run has ended.", s.state.Says)
	require.Empty(t, s.state.Findings)
	s.do("back")
	require.False(t, s.state.Ended)
	s.do("end")
	_, err := s.desk.Answer(t.Context(), s.asked, nil)
	require.ErrorContains(t, err, "start it again")
}

// Long arrays are folded into ranges, of which those are sent that are open.
func TestWhatIsOpen(t *testing.T) {
	s := stepThrough(t, "vector-add", reference(t, "vector-add"))
	s.do("begin")
	out := s.variable("Buffers/out")
	require.True(t, out.More)
	require.Empty(t, out.Parts)
	s.asked.Step.Open = []string{"Buffers/out", "Variables/id"}
	s.do("show")
	require.Equal(t, "array<f32>", s.variable("Buffers/out").Type)
	require.Equal(t, "0u", s.variable("Variables/id/x").Value)
	require.NotEmpty(t, s.variable("Buffers/out").Parts)
}

// This is the verdict's offer: the run stops when the element is written, in the case and with the
// seed of the check.
func TestStopAtAWrite(t *testing.T) {
	wrong := strings.Replace(reference(t, "vector-add"), "a[i] + b[i]", "a[i] - 2.0 * b[i]", 1)
	s := stepThrough(t, "vector-add", wrong)
	seed := uint64(11)
	html := checkedHTML(t, s.desk, wrong, seed)
	_, rest, found := strings.Cut(html, `data-stop="`)
	require.True(t, found, html)
	element, rest, _ := strings.Cut(rest, `"`)
	require.Contains(t, rest, `data-seed="11"`)
	s.do("begin", func(r *protocol.StepRequest) { r.Seed, r.Write = seed, element })
	require.Equal(t, s.line("out[i] ="), s.state.At.Line)
	require.Contains(t, s.state.Says, "writes "+element+" here")

	never := strings.Replace(wrong, "out[i] =", "let sum =", 1)
	s.asked.Source = never
	s.do("begin", func(r *protocol.StepRequest) { r.Seed, r.Write = seed, element })
	require.True(t, s.state.Ended)
	require.Contains(t, s.state.Says, "No invocation has written "+element)
}

func TestConsoleOfThePage(t *testing.T) {
	s := stepThrough(t, "row-max", reference(t, "row-max"))
	s.do("begin")
	require.Equal(t, protocol.Said{Text: "6"}, s.say("2 * 3"))
	require.Equal(t, "me * 2u = 0u", afterStepping(s, 2).say("watch me * 2u").Text)
	require.Contains(t, s.say("invocation 5").Text, "Invocation 5,0,0")
	require.Equal(t, 5, s.state.Invocation)
	require.True(t, s.say("nonsense").Failed)
	require.Contains(t, s.say("help").Text, "break LINE")
	require.True(t, s.say("break 1 if").Failed)
	line := s.line("workgroupBarrier();")
	require.Contains(t, s.say("break "+itoa(line)+" if half == 16u").Text, "Stops at line "+itoa(line))
	require.Equal(t, []protocol.Breakpoint{{Line: line, Condition: "half == 16u"}}, s.state.Breakpoints)
	require.Contains(t, s.say("break "+itoa(line)+" if half == 8u").Text, "Stops")
	require.Equal(t, []protocol.Breakpoint{{Line: line, Condition: "half == 8u"}}, s.state.Breakpoints, "in the place of the other")
	s.do("continue")
	require.Equal(t, line, s.state.At.Line)
	require.Equal(t, "8u", s.variable("Variables/half").Value)
	require.Equal(t, "10u", s.variable("Watched/me * 2u").Value)
	require.NotEmpty(t, s.variable("Workgroup memory/candidates").Value)
	var waits bool
	for _, g := range s.state.Picture.Groups {
		waits = waits || g.State == "waits"
	}
	require.True(t, waits)
	at := slices.IndexFunc(s.state.Picture.Memory, func(m protocol.Memory) bool { return m.Name == "candidates" })
	require.Contains(t, s.state.Picture.Memory[at].Mine, 5)

	// The next run keeps the watched expressions.
	s.do("end")
	s.do("begin")
	require.NotEmpty(t, s.variable("Watched/me * 2u").Value)
}

func itoa(n int) string { return english.Thousands(n) } // below a thousand

func afterStepping(s *stepper, times int) *stepper {
	for range times {
		s.do("over")
	}
	return s
}

func TestWorkgroups(t *testing.T) {
	s := stepThrough(t, "row-max", reference(t, "row-max"))
	s.do("begin", func(r *protocol.StepRequest) { r.Case = "1 × 1" })
	require.True(t, s.state.First && s.state.Last)
	require.Equal(t, "1", s.state.Workgroups)
	several := s.state.Cases[slices.IndexFunc(s.state.Cases, func(name string) bool { return !strings.HasPrefix(name, "1 ") })]
	s.do("begin", func(r *protocol.StepRequest) { r.Case = several })
	require.True(t, s.state.First)
	require.Equal(t, "0", s.state.Workgroup)
	require.NotEqual(t, "1", s.state.Workgroups)
	s.do("workgroup", func(r *protocol.StepRequest) { r.By = 1 })
	require.Equal(t, "1", s.state.Workgroup)
	s.do("workgroup", func(r *protocol.StepRequest) { r.By = -1 })
	require.True(t, s.state.First)
	s.do("workgroup", func(r *protocol.StepRequest) { r.By = 1 << 20 })
	require.True(t, s.state.Last)
}

// The view shows the functions that were entered, each with its variables.
func TestFrames(t *testing.T) {
	s := stepThrough(t, "matmul-tiled", reference(t, "matmul-tiled"))
	s.breakAt("return a[row")
	s.do("begin")
	require.Equal(t, s.line("return a[row"), s.state.At.Line)
	require.Len(t, s.state.Frames, 2)
	require.Equal(t, []string{"a_at", "main"}, []string{s.state.Frames[0].Name, s.state.Frames[1].Name})
	s.do("show", func(r *protocol.StepRequest) { r.Frame = 1 })
	require.Equal(t, s.line("= a_at("), s.state.At.Line)
	require.Equal(t, "0.0", s.variable("Variables/total").Value)
	require.Len(t, s.state.Picture.Cells, 256)
	s.do("out")
	require.Len(t, s.state.Frames, 1)
}

func TestWhatStopsByItself(t *testing.T) {
	source := reference(t, "vector-add")
	s := stepThrough(t, "vector-add", strings.Replace(source, "let i = id.x;", "let i = id.x; // debug: break if id.x == 3u", 1))
	s.do("begin")
	require.Equal(t, 3, s.state.Invocation)
	require.Equal(t, []int{s.line("let i")}, s.state.Own)
	require.Empty(t, s.state.Breakpoints)

	past := stepThrough(t, "vector-add", strings.Replace(source, "if (i < arrayLength(&out))", "if (true)", 1))
	past.do("begin")
	past.do("continue")
	require.True(t, past.state.Wrong)
	require.Contains(t, past.state.Says, "Something goes wrong on line")
	require.Equal(t, past.line("out[i] ="), past.state.At.Line)
}

// If a shader cannot run, a sentence says so. A line without code has no breakpoint.
func TestWhatCannotBeSteppedThrough(t *testing.T) {
	source := reference(t, "vector-add")
	for words, broken := range map[string]string{
		"does not compile yet":   strings.Replace(source, "let i", "let", 1),
		"no compute entry point": strings.Replace(source, "fn main", "fn other", 1),
		"write `// debug:`":      source + "// debug: dance\n",
		"write `break` alone or": source + "// debug: break dance\n",
	} {
		s := stepThrough(t, "vector-add", broken)
		s.do("begin")
		require.Contains(t, s.state.Problem, words)
		_, err := s.desk.Answer(t.Context(), s.asked, nil)
		require.ErrorIs(t, err, errNoRun)
	}
	s := stepThrough(t, "forward", "")
	s.do("begin")
	require.NotEmpty(t, s.state.Problem)

	s = stepThrough(t, "vector-add", source)
	s.do("begin", func(r *protocol.StepRequest) { r.Case = "n = 66" })
	require.Contains(t, s.state.Problem, "no case `n = 66`")
	s = stepThrough(t, "vector-add", source+"\n\n")
	s.asked.Step.Breakpoints = []protocol.Breakpoint{{Line: strings.Count(source, "\n") + 1}}
	s.do("begin")
	require.Contains(t, s.state.Breakpoints[0].Problem, "no statement to stop at")
	_, err := s.desk.Answer(t.Context(), protocol.Request{Do: "step", Step: protocol.StepRequest{Do: "dance"}}, nil)
	require.ErrorContains(t, err, "dance")
}

// A shader that never ends still answers, and can be paused. Requests in the meantime learn that it
// runs.
func TestPause(t *testing.T) {
	endless := strings.Replace(reference(t, "vector-add"), "out[i] =", "var n = 0u;\n    while (a[0] == a[0]) { n += 1u; }\n    out[i] =", 1)
	s := stepThrough(t, "vector-add", endless)
	s.asked.Step.Do = "begin"
	require.False(t, stateOf(t, s.desk, s.asked).Running)
	s.asked.Step.Do = "continue"
	for range 3 {
		began := time.Now()
		stand := stateOf(t, s.desk, s.asked)
		require.True(t, stand.Running)
		require.Contains(t, stand.Says, "steps so far")
		require.Less(t, time.Since(began), 20*minRunTime)
		s.asked.Step.Do = "on"
	}
	s.asked.Step.Do, s.asked.Step.Line = "say", "n"
	_, err := s.desk.Answer(t.Context(), s.asked, nil)
	require.ErrorContains(t, err, "pause")
	s.do("pause")
	require.Contains(t, s.state.Says, "Paused on line")
	require.NotEqual(t, "0u", s.variable("Variables/n").Value)
}

func TestAWhileEndsByTheClock(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, until{ended, time.Now().Add(time.Hour)}.Err(), context.Canceled)
	require.ErrorIs(t, until{t.Context(), time.Now().Add(-time.Hour)}.Err(), errWhile)
	require.NoError(t, until{t.Context(), time.Now().Add(time.Hour)}.Err())
}
