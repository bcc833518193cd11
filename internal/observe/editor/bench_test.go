package editor_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/wgslab/wgslab/internal/observe/editor"
	"github.com/wgslab/wgslab/internal/observe/editor/editortest"
)

// long returns a valid shader of about so many lines.
func long(lines int) string {
	var b strings.Builder
	b.WriteString("@group(0) @binding(0) var<storage, read_write> out: array<f32>;\n")
	for i := 0; strings.Count(b.String(), "\n") < lines-10; i++ {
		fmt.Fprintf(&b, `
// part%d adds up a few elements.
fn part%d(start: u32, n: u32) -> f32 {
    var sum = 0.0;
    for (var i = start; i < min(start + n, arrayLength(&out)); i++) {
        let x = out[i] * %d.0;
        sum += clamp(x, 0.0, 1.0);
    }
    return sum;
}
`, i, i, i%9+1)
	}
	b.WriteString("\n@compute @workgroup_size(64)\nfn main(@builtin(global_invocation_id) id: vec3u) {\n    let here = 1.0;\n    out[id.x] = part0(id.x, 4u) + here;\n}\n")
	return b.String()
}

// BenchmarkKeys types 1,000 keys, one after the other, and reports the median and the longest time
// from a key to its diagnostics, and to the answer of a request for completion. After each key of
// a number the shader is valid, so that every stage runs; after those of a name it mostly isn't.
//
//	go test ./internal/observe/editor -run NONE -bench Keys -benchtime 1x
func BenchmarkKeys(b *testing.B) {
	for _, c := range []struct{ what, begun, word string }{{"number", "let here = 1.", "1415926535897932384"}, {"name", "let here = ", "part0clampminmaxabc"}} {
		for _, lines := range []int{500, 5000} {
			b.Run(fmt.Sprintf("%s/%d", c.what, lines), func(b *testing.B) {
				for range b.N {
					typeKeys(b, strings.Replace(long(lines), "let here = 1.0;", c.begun+";", 1), c.begun, c.word)
				}
			})
		}
	}
}

func typeKeys(b *testing.B, text, begun, word string) {
	e := editortest.Open(b, text)
	e.Diagnostics()
	place := position(text, strings.Index(text, begun+";")+len(begun))
	var reports, proposals []time.Duration
	for key := range 1000 {
		typed := key % (len(word) + 1)
		at := editor.Position{Line: place.Line, Character: place.Character + typed}
		began := time.Now()
		if typed == len(word) { // the word goes, so that the line stays short
			e.Change(&editor.Range{Start: place, End: at}, "")
		} else {
			e.Change(&editor.Range{Start: at, End: at}, word[typed:typed+1])
		}
		e.Diagnostics()
		reports = append(reports, time.Since(began))
		began = time.Now()
		e.Ask("textDocument/completion", editor.TextDocumentPositionParams{TextDocument: editor.TextDocumentIdentifier{URI: editortest.URI}, Position: at})
		proposals = append(proposals, time.Since(began))
	}
	report(b, "diagnostics", reports)
	report(b, "completion", proposals)
}

func report(b *testing.B, what string, times []time.Duration) {
	slices.Sort(times)
	b.ReportMetric(float64(times[len(times)/2].Microseconds())/1000, what+"-median-ms")
	b.ReportMetric(float64(times[len(times)-1].Microseconds())/1000, what+"-worst-ms")
}
