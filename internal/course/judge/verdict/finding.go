package verdict

import (
	"fmt"
	"strings"

	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
)

// mostAlso is the maximum number of findings shown besides the one that the verdict is about.
const mostAlso = 3

// Also returns sentences about the other findings, the most helpful first: one of each kind, and
// none of the kind that the story tells.
func (v *Verdict) Also() []string {
	var sentences []string
	told := map[findings.Kind]bool{v.Tells: true}
	s := v.Story()
	for _, f := range v.Findings {
		if strings.Contains(s.Says+" "+s.Because, english.Sentence(f.Message)) {
			told[f.Kind] = true
		}
	}
	for _, f := range v.Findings {
		if !told[f.Kind] && len(sentences) < mostAlso && v.worthTelling(f) {
			told[f.Kind] = true
			sentences = append(sentences, Told(f, v.Mismatch))
		}
	}
	return sentences
}

// Told returns a finding's message as a sentence. It names the case if the table of the verdict
// shows another one.
func Told(f findings.Finding, table *Mismatch) string {
	if table == nil || f.Case == "" || f.Case == table.Case {
		return english.Sentence(f.Message)
	}
	return english.Sentence(fmt.Sprintf("case %s: %s", f.Case, f.Message))
}

// worthTelling reports whether a finding helps. A remark does only if a value is wrong, or if it
// explains a wild index.
func (v *Verdict) worthTelling(f findings.Finding) bool {
	return f.IsError() || v.Mismatch != nil || f.Kind == findings.Wrapped && isWild(v.Findings[0], f)
}

// isWild reports whether the index of a finding is out of range for any buffer, and the other
// finding is about the same invocation.
func isWild(f, other findings.Finding) bool {
	return f.Variable != "" && f.Index >= 1<<31 && f.Workgroup == other.Workgroup && f.Invocation == other.Invocation
}
