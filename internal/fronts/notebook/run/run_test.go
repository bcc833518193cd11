package run

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/fronts/notebook/jupyter"
	"github.com/wgslab/wgslab/internal/fronts/notebook/kernelspec"
	"github.com/wgslab/wgslab/internal/ground/ipynb/nbformat"
)

// startGoNB starts the real kernel that the set-up installs in the repository.
func startGoNB(t *testing.T) *jupyter.Kernel {
	t.Helper()
	root, err := filepath.Abs("../../../..")
	require.NoError(t, err)
	spec, err := kernelspec.Find(kernelspec.Name, filepath.Join(root, ".venv"))
	require.NoError(t, err, "run `make setup` first: it builds and installs the GoNB kernel")
	_, err = os.ReadFile(filepath.Join(root, ".build", "stamps", "gonb")) // for Go's test cache: another GoNB, another result
	require.NoError(t, err)
	kernel, err := jupyter.Start(t.Context(), spec, t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, kernel.Shutdown(context.Background())) })
	return kernel
}

// cells makes a notebook of code cells, after one that keeps GoNB offline.
func cells(sources ...string) *nbformat.Notebook {
	nb := &nbformat.Notebook{Cells: []*nbformat.Cell{{Type: nbformat.Code, Source: "%noautoget"}}}
	for _, source := range sources {
		nb.Cells = append(nb.Cells, &nbformat.Cell{Type: nbformat.Code, Source: source})
	}
	return nb
}

// bounded gives each cell here enough time, and ends a test that hangs.
var bounded = Options{CellDeadline: time.Minute}

const (
	hello  = "%%\nfmt.Println(\"hello\")"
	panics = "%%\nfmt.Println(\"so far\")\npanic(\"oh no\")"
)

func TestExecute(t *testing.T) {
	nb := cells(hello,
		"import \"github.com/janpfeifer/gonb/gonbui\"\n%%\ngonbui.DisplayHTML(\"<b>bold</b>\")\ngonbui.Sync()",
		"%%writefile out.txt\ntext", " \n ")
	nb.Cells = append(nb.Cells, &nbformat.Cell{Type: nbformat.Markdown, Source: "# not run"})
	nb.Cells[4].Outputs = []*nbformat.Output{{Type: nbformat.Stream, Name: "stdout", Text: "stale"}}

	var started []string
	options := bounded
	options.Started = func(n, total int) { started = append(started, fmt.Sprintf("%d/%d", n, total)) }
	options.Notice = func(text string) { t.Errorf("notice: %s", text) }
	require.NoError(t, Run(t.Context(), nb, startGoNB(t), options))

	require.Equal(t, []string{"1/4", "2/4", "3/4", "4/4"}, started)
	require.Equal(t, []*nbformat.Output{{Type: nbformat.Stream, Name: "stdout", Text: "hello\n"}}, nb.Cells[1].Outputs)
	require.Equal(t, 2, *nb.Cells[1].ExecutionCount)
	require.Len(t, nb.Cells[2].Outputs, 1)
	require.Equal(t, nbformat.DisplayData, nb.Cells[2].Outputs[0].Type)
	require.Equal(t, "<b>bold</b>", nb.Cells[2].Outputs[0].Data["text/html"])
	require.Len(t, nb.Cells[3].Outputs, 1)
	for i, cell := range nb.Cells {
		require.Empty(t, cell.Stderr(), "cell %d", i)
	}
	require.Empty(t, nb.Cells[4].Outputs, "what an empty cell showed before is gone")
	require.Equal(t, "gonb", nb.Kernel())
	language, ok := nb.Metadata["language_info"].(map[string]any)
	require.True(t, ok)
	require.Equal(t, "go", language["name"])
}

func TestExecuteStopsAtTheFirstError(t *testing.T) {
	nb := cells(hello, panics, hello)
	nb.Cells[3].Outputs = []*nbformat.Output{{Type: nbformat.Stream, Name: "stdout", Text: "stale"}}
	err := Run(t.Context(), nb, startGoNB(t), bounded)
	var failures Failures
	require.ErrorAs(t, err, &failures)
	require.Len(t, failures, 1)
	require.Same(t, nb.Cells[2], failures[0].Cell)
	require.Equal(t, 3, failures[0].Number)
	var raised *nbformat.Raised
	require.ErrorAs(t, failures[0], &raised)
	require.Equal(t, "so far\n", nb.Cells[2].Outputs[0].Text)
	require.Contains(t, nb.Cells[2].Stderr(), "oh no")
	require.Equal(t, "hello\n", nb.Cells[1].Outputs[0].Text)
	require.Empty(t, nb.Cells[3].Outputs)
}

func TestExecuteAllowsErrors(t *testing.T) {
	kernel := startGoNB(t)
	nb := cells(panics, "%%\nnot Go", hello)
	options := bounded
	options.AllowErrors = true
	var failures Failures
	require.ErrorAs(t, Run(t.Context(), nb, kernel, options), &failures)
	require.Len(t, failures, 2)
	require.Equal(t, "hello\n", nb.Cells[3].Outputs[0].Text)

	tagged := cells(panics, hello)
	tagged.Cells[1].Metadata = map[string]any{"tags": []any{"raises-exception"}}
	require.NoError(t, Run(t.Context(), tagged, kernel, bounded))
	require.Equal(t, "hello\n", tagged.Cells[2].Outputs[0].Text)
}

func TestExecuteCellDeadline(t *testing.T) {
	nb := cells("%%\nfmt.Println(\"so far\")\nfor {\n}", hello)
	options := Options{CellDeadline: 4 * time.Second, AllowErrors: true}
	var failures Failures
	require.ErrorAs(t, Run(t.Context(), nb, startGoNB(t), options), &failures)
	require.Len(t, failures, 1)
	var late *jupyter.DeadlineError
	require.ErrorAs(t, failures[0], &late)
	outputs := nb.Cells[1].Outputs
	require.Equal(t, "so far\n", outputs[0].Text)
	require.Equal(t, "DeadlineExceeded", outputs[len(outputs)-1].EName)
	require.Contains(t, outputs[len(outputs)-1].EValue, "not finished after 4s")
	require.Equal(t, "hello\n", nb.Cells[2].Outputs[0].Text, "the kernel goes on")
}

func TestExecuteNotebookDeadline(t *testing.T) {
	nb := cells("%%\nfor {\n}", hello)
	options := Options{Deadline: 3 * time.Second, AllowErrors: true}
	var failures Failures
	require.ErrorAs(t, Run(t.Context(), nb, startGoNB(t), options), &failures)
	require.Len(t, failures, 1)
	require.ErrorIs(t, failures[0], errNotebookDeadline)
	require.Empty(t, nb.Cells[2].Outputs)
}

// If GoNB dies, its cell fails. The kernel continues, and starts another GoNB.
func TestExecuteGoNBDies(t *testing.T) {
	nb := cells(hello, "!echo so far; sleep 0.2; kill -9 $PPID; sleep 100", hello)
	options := bounded
	options.AllowErrors = true
	var failures Failures
	require.ErrorAs(t, Run(t.Context(), nb, startGoNB(t), options), &failures)
	require.Len(t, failures, 1)
	require.Equal(t, "hello\n", nb.Cells[1].Outputs[0].Text)
	outputs := nb.Cells[2].Outputs
	require.Equal(t, "so far\n", outputs[0].Text)
	require.Equal(t, "GoNBDied", outputs[len(outputs)-1].EName)
	require.Equal(t, "hello\n", nb.Cells[3].Outputs[0].Text)
}

func TestExecuteFlood(t *testing.T) {
	nb := cells("%%\nline := strings.Repeat(\"x\", 999)\nfor range 40_000 {\nfmt.Println(line)\n}", hello)
	options := bounded
	options.AllowErrors, options.OutputLimit = true, 1_000_000
	var failures Failures
	require.ErrorAs(t, Run(t.Context(), nb, startGoNB(t), options), &failures)
	require.Len(t, failures, 1)
	var limit *outputLimitError
	require.ErrorAs(t, failures[0], &limit)
	require.ErrorContains(t, failures[0], "more than 1 MB of output")
	kept := len(nb.Cells[1].Outputs[0].Text)
	require.Greater(t, kept, 900_000)
	require.LessOrEqual(t, kept, options.OutputLimit)
	require.Equal(t, "hello\n", nb.Cells[2].Outputs[0].Text)
}

func TestExecuteEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	reason := errors.New("Ctrl-C")
	nb := cells(hello, "%%\nfor {\n}")
	options := Options{Started: func(n, _ int) {
		if n == 3 {
			time.AfterFunc(500*time.Millisecond, func() { cancel(reason) })
		}
	}}
	require.ErrorIs(t, Run(ctx, nb, startGoNB(t), options), reason)
	require.Equal(t, "hello\n", nb.Cells[1].Outputs[0].Text)
}

// record hands a recorder one message.
func record(t *testing.T, r *recorder, kind, content string) error {
	t.Helper()
	return r.take(jupyter.Message{Header: jupyter.Header{Type: kind}, Content: json.RawMessage(content)})
}

func newRecorder(t *testing.T) (*recorder, *[]string) {
	var notices []string
	return &recorder{
		cell: &nbformat.Cell{Type: nbformat.Code}, limit: DefaultOutputLimit, displays: displays{},
		notice: func(text string) { notices = append(notices, text) },
	}, &notices
}

func TestRecorderJoinsStreams(t *testing.T) {
	r, _ := newRecorder(t)
	for _, content := range []string{
		`{"name":"stdout","text":"a"}`, `{"name":"stdout","text":"b\n"}`,
		`{"name":"stderr","text":"c"}`, `{"name":"stdout","text":"d"}`,
	} {
		require.NoError(t, record(t, r, "stream", content))
	}
	require.NoError(t, record(t, r, "display_data", `{"data":{"text/plain":["x","y"]},"metadata":{"n":1.50}}`))
	require.NoError(t, record(t, r, "stream", `{"name":"stdout","text":"e"}`))
	r.settle()
	require.Equal(t, []*nbformat.Output{
		{Type: nbformat.Stream, Name: "stdout", Text: "ab\n"},
		{Type: nbformat.Stream, Name: "stderr", Text: "c"},
		{Type: nbformat.Stream, Name: "stdout", Text: "d"},
		{Type: nbformat.DisplayData, Data: map[string]any{"text/plain": "xy"}, Metadata: map[string]any{"n": json.Number("1.50")}},
		{Type: nbformat.Stream, Name: "stdout", Text: "e"},
	}, r.cell.Outputs)
}

func TestRecorderUpdatesDisplays(t *testing.T) {
	r, _ := newRecorder(t)
	show := `{"data":{"text/plain":%q},"metadata":{},"transient":{"display_id":"bar"}}`
	require.NoError(t, record(t, r, "display_data", fmt.Sprintf(show, "10%")))
	require.NoError(t, record(t, r, "update_display_data", fmt.Sprintf(show, "100%")))
	require.NoError(t, record(t, r, "update_display_data", strings.Replace(fmt.Sprintf(show, "x"), "bar", "other", 1)))
	require.Len(t, r.cell.Outputs, 1)
	require.Equal(t, "100%", r.cell.Outputs[0].Data["text/plain"])
}

func TestRecorderClears(t *testing.T) {
	r, _ := newRecorder(t)
	require.NoError(t, record(t, r, "stream", `{"name":"stdout","text":"a"}`))
	require.NoError(t, record(t, r, "clear_output", `{"wait":true}`))
	require.Len(t, r.cell.Outputs, 1, "it waits for what follows")
	require.NoError(t, record(t, r, "stream", `{"name":"stdout","text":"b"}`))
	r.settle()
	require.Equal(t, []*nbformat.Output{{Type: nbformat.Stream, Name: "stdout", Text: "b"}}, r.cell.Outputs)
	require.NoError(t, record(t, r, "clear_output", `{"wait":false}`))
	require.Empty(t, r.cell.Outputs)
}

func TestRecorderAndOddMessages(t *testing.T) {
	r, notices := newRecorder(t)
	require.NoError(t, record(t, r, "comm_open", `{"comm_id":"1","data":{}}`))
	require.Empty(t, *notices)
	require.NoError(t, record(t, r, "frobnicate", `{}`))
	require.Len(t, *notices, 1)
	require.Contains(t, (*notices)[0], `"frobnicate"`)
	require.ErrorIs(t, record(t, r, "stream", `{"name":1}`), jupyter.ErrFormat)
	require.Empty(t, r.cell.Outputs)
}
