package sim_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/machine/sim"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
)

// sanitizerKinds maps the suite's words to our kinds. The suite has no words for our other remarks.
var sanitizerKinds = map[findings.Kind]string{
	findings.RaceWorkgroup: "race", findings.RaceStorage: "race", findings.OutOfBoundsRead: "oob", findings.OutOfBoundsWrite: "oob",
	findings.DivergentBarrier: "barrier", findings.NotANumber: "value", findings.Overflow: "value", findings.DivisionByZero: "value",
	findings.StepLimit: "step-limit",
}

// missingConstants are constants that the host sets in two cases, but the records omit: a workgroup
// of 8 invocations.
var missingConstants = map[string]map[string]float64{
	"NamedPipelineOverridableWorkgroupArraySize":   {"wgx": 4, "wgy": 2},
	"UnnamedPipelineOverridableWorkgroupArraySize": {"wgx": 4},
}

// TestSanitizer compares the findings with those of tint-interp's tests: exactly the same kinds at
// the same lines.
func TestSanitizer(t *testing.T) {
	cases, passed := 0, 0
	suite(t, "sanitizer.jsonl.gz", func(line []byte) {
		var r record
		require.NoError(t, json.Unmarshal(line, &r))
		cases++
		r.Constants = missingConstants[r.Test[strings.LastIndex(r.Test, ".")+1:]]
		r.Code = strings.Replace(r.Code, "enable chromium_disable_uniformity_analysis;", "", 1)
		if problem := r.sanitize(); problem != "" {
			t.Logf("%s: %s", r.Test, problem)
			return
		}
		passed++
	})
	t.Logf("%d of %d", passed, cases)
	assert.Equal(t, cases, passed)
}

func (r *record) sanitize() string {
	result, _, err := r.play(sim.Options{Watch: true})
	if err != nil {
		return err.Error()
	}
	wanted := map[string]bool{}
	for _, kind := range r.Findings {
		wanted[kind] = true
	}
	seen, lines := map[string]bool{}, map[int]bool{}
	for _, f := range result.Findings {
		kind := sanitizerKinds[f.Kind]
		if kind == "" {
			continue
		}
		if !wanted[kind] {
			return "not asked for: " + describe(f)
		}
		seen[kind] = true
		lines[f.Location.Line] = true
		if f.Other() != nil && !left(f) {
			lines[f.Other().Line] = true
		}
	}
	for kind := range wanted {
		if !seen[kind] {
			return "nothing of kind " + kind
		}
	}
	expected := map[int]bool{}
	for _, at := range r.At {
		if strings.Contains(at.What, "data race detected") || strings.Contains(at.What, "byte allocation") {
			continue // this is the variable's declaration
		}
		expected[at.Line] = true
		if !lines[at.Line] {
			return fmt.Sprintf("nothing on line %d (%s): %v", at.Line, at.What, result.Findings)
		}
	}
	for line := range lines {
		if len(r.At) > 0 && !expected[line] {
			return fmt.Sprintf("line %d was not asked for", line)
		}
	}
	return ""
}

// left reports whether the other invocations of a finding returned: the suite names only those that
// wait at a barrier.
func left(f findings.Finding) bool {
	line := f.Other().Line
	return f.Kind == findings.DivergentBarrier &&
		(strings.Contains(f.Message, fmt.Sprintf("returned on line %d", line)) || strings.Contains(f.Message, " it; all") && strings.Count(f.Message, "at the barrier") == 1 || strings.HasPrefix(f.Message, fmt.Sprintf("line %d lets", line)))
}

func describe(f findings.Finding) string {
	return fmt.Sprintf("%s on line %d: %s", f.Kind, f.Location.Line, f.Message)
}
