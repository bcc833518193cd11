//go:build acceptance

package mutants

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/wgslab/wgslab/internal/ground/plaintext"
)

// A report adds up the results.
type report struct {
	tools    []*tally // in the order in which they were used first
	failures []string
}

// A tally is what all mutants came to in one tool.
type tally struct {
	tool     string
	outcomes map[string]int
	uses     int
	total    time.Duration
	longest  time.Duration
	of       string // the mutant that took most
}

func (r *report) add(m *trial, tool string, one result) {
	i := slices.IndexFunc(r.tools, func(t *tally) bool { return t.tool == tool })
	if i < 0 {
		i = len(r.tools)
		r.tools = append(r.tools, &tally{tool: tool, outcomes: map[string]int{}})
	}
	t := r.tools[i]
	t.uses++
	t.total += one.used
	t.outcomes[one.outcome]++
	if one.used > t.longest {
		t.longest, t.of = one.used, m.String()
	}
	if one.err != nil {
		r.failures = append(r.failures, fmt.Sprintf("%s fails on %s: %s\n%v", tool, m, m.keep(), one.err))
	}
}

func (r *report) String() string {
	var out strings.Builder
	rows := [][]string{{"tool", "mutants", "mean CPU", "most CPU", "of"}}
	for _, t := range r.tools {
		mean := (t.total / time.Duration(t.uses)).Round(time.Microsecond)
		longest := t.longest.Round(time.Millisecond)
		rows = append(rows, []string{t.tool, fmt.Sprint(t.uses), mean.String(), longest.String(), t.of})
	}
	_ = plaintext.Table(&out, rows)
	for _, t := range r.tools {
		if len(t.outcomes) > 1 {
			fmt.Fprintf(&out, "\n%s:", t.tool)
			often := func(a, b string) int { return t.outcomes[b] - t.outcomes[a] }
			for _, outcome := range slices.SortedFunc(maps.Keys(t.outcomes), often) {
				fmt.Fprintf(&out, " %d %s,", t.outcomes[outcome], outcome)
			}
		}
	}
	return out.String()
}
