//go:build acceptance

package acceptance

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/acceptance/internal/browser"
	"github.com/wgslab/wgslab/internal/shader"
	"github.com/wgslab/wgslab/internal/site/answers"
	"github.com/wgslab/wgslab/internal/verdict"
)

// endlessAdd is a vector-add with a loop that ends by no condition a compiler sees.
func endlessAdd(t *testing.T) string {
	t.Helper()
	right := readFile(t, filepath.Join(repository(t), "shaders", "vector-add.wgsl"))
	endless := strings.Replace(right, "let i = id.x;", "let i = id.x; for (var k = 1u; k != 0u; k += 2u) { out[0] = f32(k); }", 1)
	require.NotEqual(t, right, endless)
	return endless
}

// A siteJudge is the judge of the course's site, in a Web Worker of a real browser.
type siteJudge struct {
	browser *browser.Browser
	page    *browser.Page
}

// openJudge starts a browser and the judge in it.
func openJudge(t *testing.T, more ...chromedp.ExecAllocatorOption) *siteJudge {
	t.Helper()
	chromium := startBrowser(t, more...)
	page, err := chromium.Open(serveJudge(t))
	require.NoError(t, err)
	t.Cleanup(func() {
		require.Empty(t, page.ConsoleErrors())
		page.Close()
	})
	require.NoError(t, page.Wait("globalThis.started"))
	return &siteJudge{chromium, page}
}

// judgePage is a page that does nothing but pass on what a test asks.
const judgePage = `<!DOCTYPE html><title>judge</title><link rel="icon" href="data:,"><script>
const told = new Map(), displayed = {};
let last = 0;
let worker;
function start() {
  worker = new Worker('worker.js');
  import('./compiled.js').then(({ compiled }) => compiled()).then((program) => worker.postMessage({ program }));
  worker.onmessage = ({ data }) => {
    if (data.ready) globalThis.started = true;
    else if (data.gone !== undefined) globalThis.gone = data.gone;
    else if (data.display) (displayed[data.id] ??= []).push(data.display);
    else told.get(data.id)(data);
  };
}
function ask(request) {
  const id = ++last;
  return new Promise((resolve) => { told.set(id, resolve); worker.postMessage({ id, ...request }); });
}
start();
</script>`

// contentPolicy is what the site's pages allow themselves.
const contentPolicy = "default-src 'none'; script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'; connect-src 'self'; worker-src 'self'; img-src data:"

// serveJudge serves the judge's files and a page, and gives its address.
func serveJudge(t *testing.T) string {
	t.Helper()
	folder := builtJudge(t)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", contentPolicy)
		if r.URL.Path == "/" {
			_, _ = w.Write([]byte(judgePage))
			return
		}
		http.ServeFile(w, r, filepath.Join(folder, filepath.Base(r.URL.Path)))
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// buildJudge makes the judge's files in a folder, once for all tests.
var buildJudge = sync.OnceValues(func() (string, error) {
	folder, err := os.MkdirTemp("", "judge")
	if err != nil {
		return "", err
	}
	program := filepath.Join(folder, "judge.wasm")
	build := exec.Command("go", "build", "-ldflags", "-s -w", "-trimpath", "-o", program, "github.com/wgslab/wgslab/internal/site/worker")
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0", "GOFLAGS=")
	if out, err := build.CombinedOutput(); err != nil {
		return folder, fmt.Errorf("building the judge: %w: %s", err, out)
	}
	raw, err := os.ReadFile(program)
	if err != nil {
		return folder, err
	}
	var packed bytes.Buffer
	packer, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if _, err := packer.Write(raw); err != nil {
		return folder, err
	}
	if err := packer.Close(); err != nil {
		return folder, err
	}
	return folder, os.WriteFile(filepath.Join(folder, "judge.wasmgz"), packed.Bytes(), 0o600)
})

// builtJudge is the folder with the judge's files.
func builtJudge(t *testing.T) string {
	t.Helper()
	folder, err := buildJudge()
	require.NoError(t, err)
	scripts, err := filepath.Glob(filepath.Join(repository(t), "internal", "site", "assets", "*.js"))
	require.NoError(t, err)
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	require.NoError(t, err)
	for _, path := range append(scripts, filepath.Join(strings.TrimSpace(string(goroot)), "lib", "wasm", "wasm_exec.js")) {
		require.NoError(t, os.WriteFile(filepath.Join(folder, filepath.Base(path)), []byte(readFile(t, path)), 0o600))
	}
	return folder
}

// checkedInPage is what the page is told of a check.
type checkedInPage struct {
	Verdict verdict.Verdict
	Text    string
	Files   map[string]string
}

// ask has a request answered, and reads the answer into what is given.
func (j *siteJudge) ask(t *testing.T, request answers.Request, into any) {
	t.Helper()
	said := j.askRaw(t, request)
	var failed struct{ Error string }
	require.NoError(t, json.Unmarshal([]byte(said), &failed), said)
	require.Empty(t, failed.Error)
	require.NoError(t, json.Unmarshal([]byte(said), into), said)
}

func (j *siteJudge) askRaw(t *testing.T, request any) string {
	t.Helper()
	asked, err := json.Marshal(request)
	require.NoError(t, err)
	said, err := browser.Evaluate[string](j.page, fmt.Sprintf("ask(%s).then(JSON.stringify)", asked))
	require.NoError(t, err)
	return said
}

// The judge in a page: it answers what a page asks, says which files changed, and
// another one takes over when it is stopped.
func TestWorker(t *testing.T) {
	j := openJudge(t)
	source := readFile(t, filepath.Join(repository(t), "shaders", "vector-add.wgsl"))
	check := answers.Request{Do: "check", Exercise: "vector-add", Source: source}

	var told checkedInPage
	j.ask(t, check, &told)
	require.True(t, told.Verdict.Passed(), told.Text)
	require.Equal(t, source, told.Files["work/vector-add.wgsl"])
	require.Contains(t, told.Files["work/progress.json"], "vector-add")
	require.Contains(t, told.Files["work/journal.jsonl"], `"passed":true`)
	require.Len(t, told.Files, 3, "what was made on the way is gone")
	displayed, err := browser.Evaluate[[]map[string]string](j.page, "displayed[1]")
	require.NoError(t, err)
	require.Equal(t, told.Text, displayed[0]["text/plain"])
	require.Contains(t, displayed[1]["text/plain"], "Beside the reference")

	var course answers.Displays
	j.ask(t, answers.Request{Do: "map", Lesson: 2}, &course)
	require.Contains(t, course.Displays[0]["text/plain"], "1 of ")

	// What another visit had kept is there again.
	j.askRaw(t, map[string]any{"do": "files", "files": map[string]string{"work/relu.wgsl": readFile(t, filepath.Join(repository(t), "shaders", "relu.wgsl"))}})
	var traced answers.Displays
	j.ask(t, answers.Request{Do: "trace", Exercise: "relu"}, &traced)
	require.Greater(t, len(traced.Displays), 1)

	var completed answers.Completion
	j.ask(t, answers.Request{Do: "complete", Source: source, Offset: strings.Index(source, "arrayLength") + 5}, &completed)
	require.Equal(t, "arrayLength", completed.Items[0].Text)

	require.Contains(t, j.askRaw(t, answers.Request{Do: "check", Exercise: "vector-ad"}), `"error":"no exercise `)

	// The page stops it, in the midst of a shader, and starts another.
	asked, err := json.Marshal(answers.Request{Do: "check", Exercise: "vector-add", Source: endlessAdd(t)})
	require.NoError(t, err)
	_, err = browser.Evaluate[bool](j.page, fmt.Sprintf("ask(%s); globalThis.started = false; worker.terminate(); start(); true", asked))
	require.NoError(t, err)
	require.NoError(t, j.page.Wait("globalThis.started"))
	j.ask(t, check, &told)
	require.True(t, told.Verdict.Passed(), told.Text)
	gone, err := browser.Evaluate[bool](j.page, "globalThis.gone !== undefined")
	require.NoError(t, err)
	require.False(t, gone)
}

// With the browser's WebGPU the values come from there. What it loses costs one run.
func TestWorkerOnWebGPU(t *testing.T) {
	j := openJudge(t, browser.WebGPU)
	var on answers.Engine
	j.ask(t, answers.Request{Do: "engine"}, &on)
	require.Equal(t, "Google SwiftShader, by WebGPU", on.Words)
	require.Equal(t, shader.CPU, on.Adapter.Kind)

	right := readFile(t, filepath.Join(repository(t), "shaders", "vector-add.wgsl"))
	check := func(source string) verdict.Verdict {
		var told checkedInPage
		j.ask(t, answers.Request{Do: "check", Exercise: "vector-add", Source: source}, &told)
		return told.Verdict
	}
	v := check(right)
	require.True(t, v.Passed(), v.Message)
	require.Equal(t, on.Adapter.String(), v.Adapter)
	v = check(strings.Replace(right, "+ b[i]", "- b[i]", 1))
	require.Equal(t, "subtract", v.Diagnosis)
	require.Equal(t, on.Adapter.String(), v.Adapter)

	v = check(endlessAdd(t))
	require.Equal(t, verdict.DidNotFinish, v.Diagnosis, v.Message)
	v = check(right) // with whatever runs beside that shader, which no page can stop
	require.True(t, v.Passed(), v.Message)

	require.NoError(t, j.browser.CrashGPU())
	v = check(right)
	require.True(t, v.Passed(), v.Message)
	require.Eventually(t, func() bool { return check(right).Adapter == on.Adapter.String() }, time.Minute, time.Second,
		"the browser has another process for the GPU by now")
}
