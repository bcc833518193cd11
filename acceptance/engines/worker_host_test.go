//go:build acceptance

package engines

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/acceptance/internal/browser"
	"github.com/wgslab/wgslab/acceptance/internal/lab"
	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/fronts/desk/protocol"
	"github.com/wgslab/wgslab/internal/fronts/page/backend"
)

// noLine lists the diagnoses that show no line: those of a result with no call to blame.
var noLine = map[string]bool{
	"": true, "stub": true, "mapped-memory": true, "result-length": true,
	"no-relu": true, "no-softmax": true, "many-submissions": true, "stopped-early": true,
}

// endless is the diagnosis of a program that the page stops: see TestSiteHost.
const endless = "endless"

// checkedProgram is what a check of a program answers, as far as a test needs it.
type checkedProgram struct {
	Verdict  struct{ Verdict, Diagnosis, Message string }
	Displays []map[string]string
}

// text is the verdict as a terminal shows it.
func (c checkedProgram) text() string { return c.Displays[0]["text/plain"] }

// occupies lists programs that let a shader run almost for ever. A browser's GPU can't be stopped,
// and Firefox takes 20 seconds for as many steps as the simulator allows.
var occupies = map[string]bool{"float-dims.js": true}

// Every wrong program in JavaScript gets the diagnosis that it names, and every right one passes.
// Each runs on the simulator, a third on the browser's WebGPU, and an eighth in Firefox.
func TestHostPrograms(t *testing.T) {
	t.Run("simulator", func(t *testing.T) { judgePrograms(t, openJudge(t), 1) })
	t.Run("WebGPU", func(t *testing.T) { judgePrograms(t, openJudge(t, browser.WebGPU), 3) })
	t.Run("Firefox", func(t *testing.T) { judgePrograms(t, openJudgeInFirefox(t), 8) })
}

// judgePrograms judges every nth wrong program of each task, and the right ones.
func judgePrograms(t *testing.T, j *siteJudge, nth int) {
	for _, e := range course.OnHost {
		wrong, err := exercises.Files.Glob(e.ID + "/wrong/*.js")
		require.NoError(t, err)
		require.NotEmpty(t, wrong, e.ID)
		paths := []string{e.ID + "/reference.js", e.ID + "/skeleton.js"}
		for i := 0; i < len(wrong); i += nth {
			paths = append(paths, wrong[i])
		}
		for _, path := range paths {
			text, err := exercises.Files.ReadFile(path)
			require.NoError(t, err)
			want := diagnosisOf(t, path, string(text))
			if want == endless || occupies[filepath.Base(path)] && !strings.HasSuffix(t.Name(), "/simulator") {
				continue
			}
			t.Run(e.ID+"/"+strings.TrimSuffix(filepath.Base(path), ".js"), func(t *testing.T) {
				var told checkedProgram
				j.ask(t, backend.Request{Request: protocol.Request{Do: "check", Exercise: e.ID, Source: string(text)}}, &told)
				require.Equal(t, want, told.Verdict.Diagnosis, told.text())
				require.Equal(t, want == "", told.Verdict.Verdict == "pass", told.text())
				if !noLine[want] && (e.ID != course.Forward.ID && e.ID != course.Train.ID || want == "panic") {
					require.Regexp(t, `(?m)^\s+\d+ \| `, told.text(), "it shows a line")
				}
				t.Logf("%s", told.text())
			})
		}
	}
}

// diagnosisOf returns the diagnosis that a program should get.
func diagnosisOf(t *testing.T, path, text string) string {
	switch filepath.Base(path) {
	case "reference.js":
		return ""
	case "skeleton.js":
		return "stub"
	}
	require.NotEmpty(t, course.Diagnosis(text), path)
	return course.Diagnosis(text)
}

// A function that gets parts in place of a device throws errors in the program's words, with their
// line.
func TestPartsOfAProgram(t *testing.T) {
	j := openJudge(t)
	for _, c := range []struct{ id, from, to, says string }{
		{"forward", "layers.dims2", "layers.dim2", "Your function threw an error: linear.pass: its buffer number 1 is undefined: is its name right? (line 9)."},
		{"forward", "[rows, 1, 1]", "rows", "Your function threw an error: softmax.pass: the first argument is a list of three whole numbers of workgroups: [x, y, 1] (line 10)."},
		{"forward", "layers.shape, ", "", "softmax"},
		{"forward", "layers.device.run(", "while (true) relu.workgroupSize();\n    layers.device.run(", "Your function did not return within 10s, so the check stopped waiting for it (line 6)."},
		{"train", "await t.next()", "t.next()", "write `await` in front of it"},
		{"train", "t.relu(t.hidden)", "t.relu(t.hidden, t.x)", "relu gets 2 buffers, and needs 1 (line 4)."},
		{"train", "t.sgd(t.dW1, t.w1)", "t.dW1", "its pass number 11 is something else"},
	} {
		text := lab.Read(t, filepath.Join(lab.Root(t), "exercises", c.id, "reference.js"))
		wrong := strings.Replace(text, c.from, c.to, 1)
		require.NotEqual(t, text, wrong)
		var told checkedProgram
		j.ask(t, backend.Request{Request: protocol.Request{Do: "check", Exercise: c.id, Source: wrong}}, &told)
		require.Equal(t, "fail", told.Verdict.Verdict)
		require.Contains(t, told.Verdict.Message, c.says)
	}
}
