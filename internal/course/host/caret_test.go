package host

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/machine/webgpu"
)

// A caret is below the argument that is wrong, or below the name that the verdict quotes.
func TestRegionIn(t *testing.T) {
	for _, c := range []struct{ line, slug, message, below string }{
		{"\tpass.DispatchWorkgroups(uint32(n), 1, 1)", "dispatch-elements", "", "uint32(n)"},
		{"    pass.dispatchWorkgroups(n / size);", "dispatch-floor", "", "n / size"},
		{"\tencoder.CopyBufferToBuffer(out, 0, readback, 0, uint64(len(a)))", "copy-multiple", "", "uint64(len(a))"},
		{"\tencoder.CopyBufferToBuffer(out, 0, readback, 0, bytes)", "copy-usage-source", "The buffer `out` is copied from", "out"},
		{"\tout := must(device.CreateBuffer(&wgpu.BufferDescriptor{Size: bytes, Usage: wgpu.BufferUsageStorage}))", "copy-usage-source", "The buffer `out`", "wgpu.BufferUsageStorage"},
		{"    const é = 1; device.queue.writeBuffer(first, 0, new Float32Array([1, 2]));", "write-range", "", "new Float32Array([1, 2])"},
		{"\t\t{Binding: 1, Buffer: second, Size: uint64(n)},", "group-entry-size", "", "uint64(n)"},
		{"\treadback.MapAsync(wgpu.MapModeRead, 0, bytes, func() {})", "readback-uncopied", "The buffer `readback` is read", "readback"},
		{"\tgroups := uint32(n / size)", "dispatch-floor", "", "uint32(n / size)"},
		{"\tpass.End()", "dispatch-pipeline", "A dispatch in the compute pass `pass`", "pass"},
		{"\tpass.Other(", "copy-multiple", "", "p"},
		{"\tencoder.CopyBufferToBuffer(out, 0,", "copy-multiple", "", "e"},
		{"\tfirst := makeBuffer(device)", "never-released", "The buffer `first` is never released", "f"},
	} {
		text := []rune(c.line)
		start := 1
		for text[start-1] == ' ' || text[start-1] == '\t' {
			start++
		}
		r := regionIn(webgpu.ShownLine{Line: 3, Column: start, Text: c.line}, c.slug, c.message)
		require.Equal(t, c.below, string(text[r.Column-1:r.EndColumn-1]), c.line)
	}
}
