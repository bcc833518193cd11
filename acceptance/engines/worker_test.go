//go:build acceptance

package engines

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/acceptance/internal/browser"
	"github.com/wgslab/wgslab/acceptance/internal/firefox"
	"github.com/wgslab/wgslab/acceptance/internal/lab"
	"github.com/wgslab/wgslab/acceptance/internal/site"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/fronts/desk/protocol"
	"github.com/wgslab/wgslab/internal/fronts/page/backend"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// A siteJudge is the page's judge, in Web Workers of one of its pages.
type siteJudge struct {
	evaluate func(expression string) (string, error) // gives a string, or the one that is promised
	browser  *browser.Browser                        // nil in Firefox
	page     *browser.Page                           // nil in Firefox
}

// openJudge starts Chromium and the judge in it.
func openJudge(t *testing.T, more ...chromedp.ExecAllocatorOption) *siteJudge {
	t.Helper()
	chromium := browser.For(t, more...)
	page, err := chromium.Open(site.Serve(t).URL + "/")
	require.NoError(t, err)
	t.Cleanup(func() {
		require.Empty(t, page.ConsoleErrors())
		page.Close()
	})
	j := &siteJudge{browser: chromium, page: page, evaluate: func(expression string) (string, error) {
		return browser.Evaluate[string](page, expression)
	}}
	j.prepare(t)
	return j
}

// openJudgeInFirefox starts Firefox and the judge in it.
func openJudgeInFirefox(t *testing.T) *siteJudge {
	t.Helper()
	fox := firefox.For(t)
	page, err := fox.Open(site.Serve(t).URL + "/")
	require.NoError(t, err)
	t.Cleanup(func() { require.Empty(t, fox.ConsoleErrors()) })
	j := &siteJudge{evaluate: func(expression string) (string, error) { return firefox.Evaluate[string](page, expression) }}
	j.prepare(t)
	return j
}

// judgeScript lets a page start one or more judges and forward a test's requests.
const judgeScript = `(() => {
  const beside = (name) => new URL(name, document.querySelector('script[type=module]').src);
  const program = fetch(beside('judge.wasmgz')).then(({ body }) => new Response(
    body.pipeThrough(new DecompressionStream('gzip')), { headers: { 'Content-Type': 'application/wasm' } }));
  const compiled = WebAssembly.compileStreaming(program);
  globalThis.judges = [];
  globalThis.startJudge = (number) => new Promise((resolve) => {
    judges[number]?.worker.terminate();
    const judge = { worker: new Worker(beside('worker.js')), last: 0, told: new Map(), displayed: {}, gone: '' };
    judge.worker.onmessage = ({ data }) => {
      if (data.ready) resolve('ready');
      else if (data.gone !== undefined) judge.gone = 'gone: ' + data.gone;
      else if (data.display) {
        (judge.displayed[data.id] ??= []).push(data.display);
        if (judge.hurried && data.display['application/json']) askJudge(number, { do: 'enough' });
      } else if (data.host === undefined) judge.told.get(data.id)(data);
    };
    judges[number] = judge;
    compiled.then((program) => judge.worker.postMessage({ program }));
  });
  // A hurried judge ends the search for reasons as soon as a verdict is there.
  globalThis.hurry = (number) => { judges[number].hurried = true; return ''; };
  globalThis.askJudge = (number, request) => new Promise((resolve) => {
    const judge = judges[number], id = ++judge.last;
    judge.told.set(id, resolve);
    judge.worker.postMessage({ id, ...request });
  });
  return '';
})()`

// prepare puts the script into the page and starts a judge.
func (j *siteJudge) prepare(t *testing.T) {
	t.Helper()
	_, err := j.evaluate(judgeScript)
	require.NoError(t, err)
	j.start(t, 0)
}

// start starts judge number i, or restarts it if it runs.
func (j *siteJudge) start(t *testing.T, number int) {
	t.Helper()
	_, err := j.evaluate(fmt.Sprintf("startJudge(%d)", number))
	require.NoError(t, err)
}

// say asks judge number i, and returns its answer as JSON, or the named fields of it.
func (j *siteJudge) say(number int, request any, fields ...string) (string, error) {
	asked, err := json.Marshal(request)
	if err != nil {
		return "", err
	}
	text := "JSON.stringify"
	if len(fields) > 0 {
		wanted := "{ " + strings.Join(fields, ", ") + " }"
		text = fmt.Sprintf("((%s) => JSON.stringify(%[1]s))", wanted)
	}
	return j.evaluate(fmt.Sprintf("askJudge(%d, %s).then(%s)", number, asked, text))
}

// checkedInPage is the page's answer to a check.
type checkedInPage struct {
	Verdict  verdict.Verdict
	Displays []map[string]string
	Files    map[string]string
}

// text is the verdict as a terminal shows it.
func (c checkedInPage) text() string { return c.Displays[0]["text/plain"] }

// ask sends a request and decodes the answer.
func (j *siteJudge) ask(t *testing.T, request backend.Request, into any) {
	t.Helper()
	said := j.askRaw(t, request)
	var failed struct{ Error string }
	require.NoError(t, json.Unmarshal([]byte(said), &failed), said)
	require.Empty(t, failed.Error)
	require.NoError(t, json.Unmarshal([]byte(said), into), said)
}

func (j *siteJudge) askRaw(t *testing.T, request any) string {
	t.Helper()
	said, err := j.say(0, request)
	require.NoError(t, err)
	return said
}

// The judge in a page answers requests, reports changed files, and is replaced when it is
// stopped.
func TestWorker(t *testing.T) {
	j := openJudge(t)
	source := lab.Read(t, filepath.Join(lab.Root(t), "exercises", "vector-add", "reference.wgsl"))
	check := backend.Request{Request: protocol.Request{Do: "check", Exercise: "vector-add", Source: source}}

	var told checkedInPage
	j.ask(t, check, &told)
	require.True(t, told.Verdict.Passed(), told.text())
	require.Equal(t, source, told.Files["work/vector-add.wgsl"])
	require.Contains(t, told.Files["work/progress.json"], "vector-add")
	require.Contains(t, told.Files["work/journal.jsonl"], `"passed":true`)
	require.Len(t, told.Files, 3, "what was made on the way is gone")
	displayed, err := browser.Evaluate[[]map[string]string](j.page, "judges[0].displayed[1]")
	require.NoError(t, err)
	require.Equal(t, told.text(), displayed[0]["text/plain"])
	require.Contains(t, displayed[1]["text/plain"], "Compared with the reference")

	var course protocol.Response
	j.ask(t, backend.Request{Request: protocol.Request{Do: "map", Lesson: 2}}, &course)
	require.Contains(t, course.Displays[0]["text/plain"], "1 of ")

	// A wrong shader gets its reason after the verdict, unless the visitor wants something else
	// first.
	wrong := check
	wrong.Source = strings.Replace(source, "+ b[i]", "+ b[i] * 2.0", 1)
	j.ask(t, wrong, &told)
	require.Len(t, told.Displays, 1)
	require.Contains(t, told.text(), "grow by 2")
	_, err = j.evaluate("hurry(0)")
	require.NoError(t, err)
	told = checkedInPage{}
	wrong.Exercise = "matmul-tiled"
	wrong.Source = lab.Read(t, filepath.Join(lab.Root(t), "exercises", "matmul-tiled", "wrong", "no-edge.wgsl")) // whose reasons take long
	j.ask(t, wrong, &told)
	require.False(t, told.Verdict.Passed())
	require.Len(t, told.Displays, 1)

	// Files kept by an earlier visit are there again.
	j.askRaw(t, map[string]any{"do": "files", "files": map[string]string{"work/relu.wgsl": lab.Read(t, filepath.Join(lab.Root(t), "exercises", "relu", "reference.wgsl"))}})
	var traced protocol.Response
	j.ask(t, backend.Request{Request: protocol.Request{Do: "trace", Exercise: "relu"}}, &traced)
	require.Greater(t, len(traced.Displays), 1)

	var completed backend.Completion
	j.ask(t, backend.Request{Request: protocol.Request{Do: "complete", Source: source}, Offset: strings.Index(source, "arrayLength") + 5}, &completed)
	require.Equal(t, "arrayLength", completed.Items[0].Text)

	require.Contains(t, j.askRaw(t, backend.Request{Request: protocol.Request{Do: "check", Exercise: "vector-ad"}}), `"error":"no exercise `)

	// The page stops it in the middle of a shader and starts another.
	asked, err := json.Marshal(backend.Request{Request: protocol.Request{Do: "check", Exercise: "vector-add", Source: lab.EndlessAdd(t)}})
	require.NoError(t, err)
	_, err = j.evaluate(fmt.Sprintf("(askJudge(0, %s), '')", asked))
	require.NoError(t, err)
	j.start(t, 0)
	j.ask(t, check, &told)
	require.True(t, told.Verdict.Passed(), told.text())
	gone, err := j.evaluate("judges[0].gone")
	require.NoError(t, err)
	require.Empty(t, gone)
}

// With the browser's WebGPU, the values come from there. A lost device costs one run.
func TestWorkerOnWebGPU(t *testing.T) {
	j := openJudge(t, browser.WebGPU)
	var on backend.Engine
	j.ask(t, backend.Request{Request: protocol.Request{Do: "engine"}}, &on)
	require.Equal(t, "Google SwiftShader, by WebGPU", on.Words)
	require.Equal(t, shader.CPU, on.Adapter.Kind)

	right := lab.Read(t, filepath.Join(lab.Root(t), "exercises", "vector-add", "reference.wgsl"))
	check := func(source string) verdict.Verdict {
		var told checkedInPage
		j.ask(t, backend.Request{Request: protocol.Request{Do: "check", Exercise: "vector-add", Source: source}}, &told)
		return told.Verdict
	}
	v := check(right)
	require.True(t, v.Passed(), v.Message)
	require.Equal(t, on.Adapter.String(), v.Adapter)
	v = check(strings.Replace(right, "+ b[i]", "- b[i]", 1))
	require.Equal(t, "subtract", v.Slug)
	require.Equal(t, on.Adapter.String(), v.Adapter)

	v = check(lab.EndlessAdd(t))
	require.Equal(t, verdict.DidNotFinish, v.Slug, v.Message)
	v = check(right) // with whatever runs beside that shader, which no page can stop
	require.True(t, v.Passed(), v.Message)

	require.NoError(t, j.browser.CrashGPU())
	v = check(right)
	require.True(t, v.Passed(), v.Message)
	require.Eventually(t, func() bool { return check(right).Adapter == on.Adapter.String() }, time.Minute, time.Second,
		"the browser has another process for the GPU by now")
}
