//go:build acceptance

package engines

import (
	_ "embed"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/acceptance/internal/browser"
	"github.com/wgslab/wgslab/internal/fronts/desk/protocol"
	"github.com/wgslab/wgslab/internal/fronts/page/backend"
)

//go:embed probes.js
var probesJS string

// The page's navigator.gpu answers requests for devices, features, limits, constants and layouts
// as Chromium's own, whatever runs the shaders.
func TestProbes(t *testing.T) {
	chromium := openJudge(t, browser.WebGPU)
	has, err := browser.Evaluate[string](chromium.page, "(async () => JSON.stringify([...(await navigator.gpu.requestAdapter()).features]))()")
	require.NoError(t, err)
	text, err := browser.Evaluate[string](chromium.page, "(async () => { "+probesJS+" return JSON.stringify(await probes(navigator.gpu, "+has+")); })()")
	require.NoError(t, err)
	there := answersIn(t, text)
	for name, j := range map[string]*siteJudge{"WebGPU": chromium, "simulator": openJudge(t)} {
		t.Run(name, func(t *testing.T) {
			var told checkedProgram
			_, err := browser.Evaluate[bool](j.page, "globalThis.told = new Promise((hear) => { globalThis.channel = new BroadcastChannel('probes'); channel.onmessage = ({ data }) => hear(data); }), true")
			require.NoError(t, err)
			program := "async function addVectors() { new BroadcastChannel('probes').postMessage(JSON.stringify(await probes(navigator.gpu, " + has + "))); }\n" + probesJS
			j.ask(t, backend.Request{Request: protocol.Request{Do: "check", Exercise: "host-add", Source: program}}, &told)
			text, err := browser.Evaluate[string](j.page, "told")
			require.NoError(t, err, told.Verdict.Message)
			here := answersIn(t, text)
			require.Len(t, here, len(there))
			require.Greater(t, len(here), 200)
			for i, answer := range here {
				require.Equal(t, there[i][0], answer[0])
				if there[i] != answer {
					t.Errorf("%s\n\tChromium: %s\n\there:     %s", answer[0], there[i][1], answer[1])
				}
			}
		})
	}
}

// JavaScript's column of the table of differences in notebooks/webgpu.md is what Chromium's own
// navigator.gpu does.
func TestTheTableInChromium(t *testing.T) {
	programs, err := os.ReadFile("../../pkg/wgpu/testdata/differences/programs.js")
	require.NoError(t, err)
	empty := filepath.Join(t.TempDir(), "empty.html")
	require.NoError(t, os.WriteFile(empty, []byte("<!DOCTYPE html><title>empty</title>"), 0o644))
	page, err := browser.For(t, browser.WebGPU).Open("file://" + empty)
	require.NoError(t, err)
	t.Cleanup(page.Close)
	text, err := browser.Evaluate[string](page, "(async () => { "+string(programs)+" return JSON.stringify(await differences(navigator.gpu, false)); })()")
	require.NoError(t, err)
	var said map[string]string
	require.NoError(t, json.Unmarshal([]byte(text), &said))
	table, err := os.ReadFile("../../notebooks/webgpu.md")
	require.NoError(t, err)
	for does, is := range said {
		row := regexp.MustCompile("(?m)^\\| " + regexp.QuoteMeta(does) + " \\|.*\\| ([^|,]+)(,[^|]*)? \\|$").FindSubmatch(table)
		require.NotNil(t, row, does)
		if is == "the adapter has none" || string(row[1]) == "a `GPUOutOfMemoryError`" {
			t.Logf("left out: %s: a browser's memory isn't ours to fill, and not every adapter has subgroups", does)
			continue
		}
		require.Equal(t, string(row[1]), is, does)
	}
}

func answersIn(t *testing.T, text string) (answers [][2]string) {
	t.Helper()
	require.NoError(t, json.Unmarshal([]byte(text), &answers))
	return answers
}
