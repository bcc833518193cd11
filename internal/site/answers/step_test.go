package answers

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A stepper is somebody who steps through a shader, as the page asks for it.
type stepper struct {
	t      *testing.T
	desk   *Desk
	asked  Request
	stands Stand
}

func stepThrough(t *testing.T, id, source string) *stepper {
	return &stepper{t: t, desk: desk(t), asked: Request{Do: "step", Exercise: id, Source: source, Step: Step{Breakpoints: []Breakpoint{}}}}
}

// do asks, until it stands, and takes over what the view takes over.
func (s *stepper) do(what string, more ...func(*Step)) {
	s.t.Helper()
	r := s.asked
	r.Step.Do = what
	for _, change := range more {
		change(&r.Step)
	}
	for {
		s.stands = answer[Stand](s.t, s.desk, r)
		if !s.stands.Running {
			break
		}
		r.Step.Do = "on"
	}
	s.asked.Step.Breakpoints, s.asked.Step.Frame = s.stands.Breakpoints, s.stands.Frame
}

func (s *stepper) say(line string) Said {
	s.t.Helper()
	s.do("say", func(r *Step) { r.Line = line })
	require.NotNil(s.t, s.stands.Answer)
	return *s.stands.Answer
}

// line is the one of the source in which a text is.
func (s *stepper) line(text string) int {
	s.t.Helper()
	before, _, found := strings.Cut(s.asked.Source, text)
	require.True(s.t, found, text)
	return strings.Count(before, "\n") + 1
}

func (s *stepper) breakAt(text string) {
	s.asked.Step.Breakpoints = append(s.asked.Step.Breakpoints, Breakpoint{Line: s.line(text)})
}

// variable is what is shown under a path.
func (s *stepper) variable(path string) Variable {
	s.t.Helper()
	var find func(list []Variable) *Variable
	find = func(list []Variable) *Variable {
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
	for _, scope := range s.stands.Scopes {
		if found := find(scope.Variables); found != nil {
			return *found
		}
	}
	require.Fail(s.t, "it is not shown", path)
	return Variable{}
}

func TestStepThrough(t *testing.T) {
	s := stepThrough(t, "vector-add", reference(t, "vector-add"))
	s.do("begin")
	require.Equal(t, s.line("let i"), s.stands.At.Line)
	require.Equal(t, "let i = id.x;", s.asked.Source[s.stands.At.From:s.stands.At.To])
	require.Equal(t, "n = 1", s.stands.Case)
	s.do("begin", func(r *Step) { r.Case = "n = 65" })
	require.Equal(t, "n = 65", s.stands.Case)
	require.Contains(t, s.stands.Cases, "n = 65")
	require.Contains(t, s.stands.Says, "Before the first statement: line")
	require.Equal(t, "vec3u(0u, 0u, 0u)", s.variable("Variables/id").Value)
	require.Empty(t, s.stands.Breakpoints)

	s.do("over")
	require.Equal(t, s.line("if (i"), s.stands.At.Line)
	require.Equal(t, Variable{Path: "Variables/i", Name: "i", Type: "u32", Value: "0u"}, s.variable("Variables/i"), "there was none to change")
	s.breakAt("out[i] =")
	s.do("continue")
	require.Equal(t, s.line("out[i] ="), s.stands.At.Line)
	require.Contains(t, s.stands.Says, "Stopped at the breakpoint on line")
	s.do("over")
	require.True(t, s.variable("Buffers/out").Changed)
	s.do("back")
	require.Equal(t, s.line("out[i] ="), s.stands.At.Line)
	require.False(t, s.variable("Buffers/out").Changed)

	s.do("look", func(r *Step) { r.Invocation = 3 })
	require.Equal(t, 3, s.stands.Invocation)
	require.Equal(t, s.line("let i"), s.stands.At.Line)
	require.Len(t, s.stands.Picture.Cells, 64)
	require.Len(t, s.stands.Picture.Groups, 2)
	require.Contains(t, s.stands.Says, "invocation 3 of workgroup 0.")
	require.NotEqual(t, s.stands.Picture.Cells[0], s.stands.Picture.Cells[1])

	s.asked.Step.Breakpoints = nil
	s.do("continue")
	require.True(t, s.stands.Ended)
	require.Equal(t, "The run has ended.", s.stands.Says)
	require.Empty(t, s.stands.Findings)
	s.do("back")
	require.False(t, s.stands.Ended)
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

// The verdict's offer: it stops where the element is written, in the case and with the seed of the check.
func TestStopAtAWrite(t *testing.T) {
	wrong := strings.Replace(reference(t, "vector-add"), "a[i] + b[i]", "a[i] - 2.0 * b[i]", 1)
	s := stepThrough(t, "vector-add", wrong)
	seed := uint64(11)
	checked := answer[Checked](t, s.desk, Request{Do: "check", Exercise: "vector-add", Source: wrong, Seed: &seed})
	_, rest, found := strings.Cut(checked.HTML, `data-stop="`)
	require.True(t, found, checked.HTML)
	element, rest, _ := strings.Cut(rest, `"`)
	require.Contains(t, rest, `data-seed="11"`)
	s.do("begin", func(r *Step) { r.Seed, r.Write = seed, element })
	require.Equal(t, s.line("out[i] ="), s.stands.At.Line)
	require.Contains(t, s.stands.Says, "writes "+element+" here")

	never := strings.Replace(wrong, "out[i] =", "let sum =", 1)
	s.asked.Source = never
	s.do("begin", func(r *Step) { r.Seed, r.Write = seed, element })
	require.True(t, s.stands.Ended)
	require.Contains(t, s.stands.Says, "Nobody has written "+element)
}

func TestConsoleOfThePage(t *testing.T) {
	s := stepThrough(t, "row-max", reference(t, "row-max"))
	s.do("begin")
	require.Equal(t, Said{Text: "6"}, s.say("2 * 3"))
	require.Equal(t, "me * 2u = 0u", afterStepping(s, 2).say("watch me * 2u").Text)
	require.Contains(t, s.say("invocation 5").Text, "Invocation 5,0,0")
	require.Equal(t, 5, s.stands.Invocation)
	require.True(t, s.say("nonsense").Failed)
	require.Contains(t, s.say("help").Text, "break LINE")
	require.True(t, s.say("break 1 if").Failed)
	line := s.line("workgroupBarrier();")
	require.Contains(t, s.say("break "+itoa(line)+" if half == 16u").Text, "Stops at line "+itoa(line))
	require.Equal(t, []Breakpoint{{Line: line, Condition: "half == 16u"}}, s.stands.Breakpoints)
	require.Contains(t, s.say("break "+itoa(line)+" if half == 8u").Text, "Stops")
	require.Equal(t, []Breakpoint{{Line: line, Condition: "half == 8u"}}, s.stands.Breakpoints, "in the place of the other")
	s.do("continue")
	require.Equal(t, line, s.stands.At.Line)
	require.Equal(t, "8u", s.variable("Variables/half").Value)
	require.Equal(t, "10u", s.variable("Watched/me * 2u").Value)
	require.NotEmpty(t, s.variable("Workgroup memory/candidates").Value)
	var waits bool
	for _, g := range s.stands.Picture.Groups {
		waits = waits || g.State == "waits"
	}
	require.True(t, waits)
	at := slices.IndexFunc(s.stands.Picture.Memory, func(m Memory) bool { return m.Name == "candidates" })
	require.Contains(t, s.stands.Picture.Memory[at].Mine, 5)

	// What is watched is watched in the next run, too.
	s.do("end")
	s.do("begin")
	require.NotEmpty(t, s.variable("Watched/me * 2u").Value)
}

func itoa(n int) string { return thousands(n) } // below a thousand

func afterStepping(s *stepper, times int) *stepper {
	for range times {
		s.do("over")
	}
	return s
}

func TestWorkgroups(t *testing.T) {
	s := stepThrough(t, "row-max", reference(t, "row-max"))
	s.do("begin")
	require.True(t, s.stands.First && s.stands.Last)
	require.Equal(t, "1", s.stands.Workgroups)
	several := s.stands.Cases[slices.IndexFunc(s.stands.Cases, func(name string) bool { return !strings.HasPrefix(name, "1 ") })]
	s.do("begin", func(r *Step) { r.Case = several })
	require.True(t, s.stands.First)
	require.Equal(t, "0", s.stands.Workgroup)
	require.NotEqual(t, "1", s.stands.Workgroups)
	s.do("workgroup", func(r *Step) { r.By = 1 })
	require.Equal(t, "1", s.stands.Workgroup)
	s.do("workgroup", func(r *Step) { r.By = -1 })
	require.True(t, s.stands.First)
	s.do("workgroup", func(r *Step) { r.By = 1 << 20 })
	require.True(t, s.stands.Last)
}

// Functions that were entered are shown, and what is known in each.
func TestFrames(t *testing.T) {
	s := stepThrough(t, "matmul-tiled", reference(t, "matmul-tiled"))
	s.breakAt("return a[row")
	s.do("begin")
	require.Equal(t, s.line("return a[row"), s.stands.At.Line)
	require.Len(t, s.stands.Frames, 2)
	require.Equal(t, []string{"a_at", "main"}, []string{s.stands.Frames[0].Name, s.stands.Frames[1].Name})
	s.do("show", func(r *Step) { r.Frame = 1 })
	require.Equal(t, s.line("= a_at("), s.stands.At.Line)
	require.Equal(t, "0.0", s.variable("Variables/total").Value)
	require.Len(t, s.stands.Picture.Cells, 256)
	s.do("out")
	require.Len(t, s.stands.Frames, 1)
}

func TestWhatStopsByItself(t *testing.T) {
	source := reference(t, "vector-add")
	s := stepThrough(t, "vector-add", strings.Replace(source, "let i = id.x;", "let i = id.x; // debug: break if id.x == 3u", 1))
	s.do("begin")
	require.Equal(t, 3, s.stands.Invocation)
	require.Equal(t, []int{s.line("let i")}, s.stands.Own)
	require.Empty(t, s.stands.Breakpoints)

	past := stepThrough(t, "vector-add", strings.Replace(source, "if (i < arrayLength(&out))", "if (true)", 1))
	past.do("begin")
	past.do("continue")
	require.True(t, past.stands.Wrong)
	require.Contains(t, past.stands.Says, "Something goes wrong on line")
	require.Equal(t, past.line("out[i] ="), past.stands.At.Line)
}

// What cannot run is told in words; and a line at which nothing runs has no breakpoint.
func TestWhatCannotBeSteppedThrough(t *testing.T) {
	source := reference(t, "vector-add")
	for words, broken := range map[string]string{
		"does not compile yet":    strings.Replace(source, "let i", "let", 1),
		"no compute entry point":  strings.Replace(source, "fn main", "fn other", 1),
		"write `// debug:`":       source + "// debug: dance\n",
		"behind `break` comes no": source + "// debug: break dance\n",
	} {
		s := stepThrough(t, "vector-add", broken)
		s.do("begin")
		require.Contains(t, s.stands.Problem, words)
		_, err := s.desk.Answer(t.Context(), s.asked, nil)
		require.ErrorIs(t, err, errNoRun)
	}
	s := stepThrough(t, "forward", "")
	s.do("begin")
	require.NotEmpty(t, s.stands.Problem)

	s = stepThrough(t, "vector-add", source)
	s.do("begin", func(r *Step) { r.Case = "n = 66" })
	require.Contains(t, s.stands.Problem, "no case `n = 66`")
	s = stepThrough(t, "vector-add", source+"\n\n")
	s.asked.Step.Breakpoints = []Breakpoint{{Line: strings.Count(source, "\n") + 1}}
	s.do("begin")
	require.Contains(t, s.stands.Breakpoints[0].Problem, "Nothing runs")
	_, err := s.desk.Answer(t.Context(), Request{Do: "step", Step: Step{Do: "dance"}}, nil)
	require.ErrorContains(t, err, "dance")
}

// A shader that never ends answers all the same, and can be paused; what is asked meanwhile is told that it runs.
func TestPause(t *testing.T) {
	endless := strings.Replace(reference(t, "vector-add"), "out[i] =", "var n = 0u;\n    while (a[0] == a[0]) { n += 1u; }\n    out[i] =", 1)
	s := stepThrough(t, "vector-add", endless)
	s.asked.Step.Do = "begin"
	require.False(t, answer[Stand](t, s.desk, s.asked).Running)
	s.asked.Step.Do = "continue"
	for range 3 {
		began := time.Now()
		stand := answer[Stand](t, s.desk, s.asked)
		require.True(t, stand.Running)
		require.Contains(t, stand.Says, "steps so far")
		require.Less(t, time.Since(began), 20*shortest)
		s.asked.Step.Do = "on"
	}
	s.asked.Step.Do, s.asked.Step.Line = "say", "n"
	_, err := s.desk.Answer(t.Context(), s.asked, nil)
	require.ErrorContains(t, err, "pause")
	s.do("pause")
	require.Contains(t, s.stands.Says, "Paused on line")
	require.NotEqual(t, "0u", s.variable("Variables/n").Value)
}

func TestAWhileEndsByTheClock(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, until{ended, time.Now().Add(time.Hour)}.Err(), context.Canceled)
	require.ErrorIs(t, until{t.Context(), time.Now().Add(-time.Hour)}.Err(), errWhile)
	require.NoError(t, until{t.Context(), time.Now().Add(time.Hour)}.Err())
}
