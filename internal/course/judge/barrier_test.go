package judge

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
)

// A missing barrier is asked for in the direction that matters, and between two lines.
func TestWhereABarrierBelongs(t *testing.T) {
	for _, c := range []struct {
		name, exercise string
		changes        []string
		asks, hint     string
	}{
		{"before a read", "softmax", []string{"    workgroupBarrier();\n    let largest", "    let largest"},
			"Line 43 reads what line 40 writes. Has everyone finished writing by then?", "`workgroupBarrier();`, which is missing between lines 42 and 43"},
		{"before an overwrite", "softmax", []string{"    workgroupBarrier(); // all have read it: partial is free again\n", ""},
			"Line 50 overwrites what line 44 reads. Has everyone read it by then?", "`workgroupBarrier();`, which is missing between lines 49 and 50"},
		{"before the next round", "matmul-tiled", []string{"        workgroupBarrier(); // all invocations are done with them\n", ""},
			"In the next round, line 36 overwrites what line 40 reads. Has everyone read it by then?", "`workgroupBarrier();`, which is missing between lines 41 and 42"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			v, reasons := reasonsOf(t, c.exercise, c.changes...)
			require.Equal(t, c.asks, v.Ask)
			require.Equal(t, verdict.ByNearest, reasons[0].Why)
			require.Equal(t, c.asks, reasons[0].Text)
			require.Equal(t, c.hint, reasons[0].Hint)
		})
	}
}
