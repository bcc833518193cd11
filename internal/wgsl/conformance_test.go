// This file tests the WGSL front end on the validation cases of the WebGPU conformance
// test suite.

package wgsl

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// testCase is one line of validation.jsonl.gz; its README explains the fields.
type testCase struct {
	Test      string
	Kind      string // module, pipeline or warning
	Code      string
	Pass      *bool // the verdict with every feature on
	Core      *bool // the verdict without any feature; nil if that was not run
	Warning   bool
	Constants map[string]float64
}

// tally counts one directory's cases.
type tally struct{ cases, agreed, falseAlarms, missed int }

// report is the outcome of one run over all cases.
type report struct {
	total       tally
	directories map[string]*tally
	alarms      []string // the first of each kind of disagreement in each directory
	missed      []string
	slowest     time.Duration
	slowestTest string
}

// perDirectory is the maximum number of disagreements of each kind that are shown per directory.
const perDirectory = 3

func (r *report) add(c testCase, accepted, want bool, found []*findings.Finding, took time.Duration) {
	name := directory(c.Test)
	d := r.directories[name]
	if d == nil {
		d = &tally{}
		r.directories[name] = d
	}
	if took > r.slowest {
		r.slowest, r.slowestTest = took, c.Test
	}
	for _, t := range []*tally{&r.total, d} {
		t.cases++
		switch {
		case accepted == want:
			t.agreed++
		case want:
			t.falseAlarms++
		default:
			t.missed++
		}
	}
	if accepted != want && want && d.falseAlarms <= perDirectory {
		r.alarms = append(r.alarms, fmt.Sprintf("%s\n    %s\n    %q", c.Test, first(found), c.Code))
	}
	if accepted != want && !want && d.missed <= perDirectory {
		r.missed = append(r.missed, fmt.Sprintf("%s\n    %q", c.Test, c.Code))
	}
}

func first(list []*findings.Finding) string {
	for _, d := range list {
		if d.Severity == findings.Error {
			return d.String()
		}
	}
	return "nothing was reported"
}

// directory returns the directory of a test: webgpu:shader,validation,parse,literal:… gives
// parse,literal.
func directory(test string) string {
	parts := strings.SplitN(test, ":", 3)
	return strings.TrimPrefix(parts[1], "shader,validation,")
}

func (r *report) print(t *testing.T, name string) {
	names := make([]string, 0, len(r.directories))
	for n := range r.directories {
		names = append(names, n)
	}
	sort.Strings(names)
	var out strings.Builder
	fmt.Fprintf(&out, "%s\n%-55s %7s %7s %6s %6s\n", name, "", "cases", "agreed", "false", "missed")
	for _, n := range names {
		if d := r.directories[n]; d.agreed < d.cases {
			fmt.Fprintf(&out, "%-55s %7d %7d %6d %6d\n", n, d.cases, d.agreed, d.falseAlarms, d.missed)
		}
	}
	fmt.Fprintf(&out, "%-55s %7d %7d %6d %6d\n", "all", r.total.cases, r.total.agreed, r.total.falseAlarms, r.total.missed)
	fmt.Fprintf(&out, "agreement %.3f %%, false alarms %.3f %%, slowest %v (%s)\n",
		100*r.agreement(), 100*r.falseAlarms(), r.slowest, r.slowestTest)
	for _, a := range r.alarms {
		fmt.Fprintf(&out, "false alarm: %s\n", a)
	}
	for _, m := range r.missed {
		fmt.Fprintf(&out, "missed: %s\n", m)
	}
	t.Log(out.String())
}

func (r *report) agreement() float64   { return float64(r.total.agreed) / float64(r.total.cases) }
func (r *report) falseAlarms() float64 { return float64(r.total.falseAlarms) / float64(r.total.cases) }

// coreFeatures are the features that `core` verdicts assume. These verdicts are for implementations
// without optional features. Even so, some hundred tests of other things use readable storage
// textures and unpack4xI8.
const coreFeatures = types.FeatureStorageTextures | types.FeaturePackedDotProduct

// TestValidation compares the front end with the suite's verdicts. The bounds only go up.
func TestValidation(t *testing.T) {
	cases := readCases(t)
	for _, run := range []struct {
		name        string
		features    types.Features
		verdict     func(testCase) *bool
		agreement   float64 // at least
		falseAlarms float64 // at most
	}{
		{"core", coreFeatures, func(c testCase) *bool { return c.Core }, agreementCore, falseAlarmsCore},
		{"all features", types.AllFeatures, func(c testCase) *bool { return c.Pass }, agreementAll, falseAlarmsAll},
	} {
		t.Run(run.name, func(t *testing.T) {
			r := &report{directories: map[string]*tally{}}
			for _, c := range cases {
				verdict := run.verdict(c)
				if verdict == nil {
					continue
				}
				judge(r, c, *verdict, types.Options{Features: run.features})
			}
			require.Positive(t, r.total.cases)
			r.print(t, run.name)
			assert.GreaterOrEqual(t, r.agreement(), run.agreement, "agreement")
			assert.LessOrEqual(t, r.falseAlarms(), run.falseAlarms, "false alarms")
			assert.Less(t, r.slowest, limit, r.slowestTest)
		})
	}
}

// judge runs one case and counts its outcome.
func judge(r *report, c testCase, verdict bool, options types.Options) {
	accepted, found, took := verdictOf(c, options)
	for tries := 0; took > limit && tries < 5; tries++ { // a busy machine does not make the front end slow
		_, _, again := verdictOf(c, options)
		took = min(took, again)
	}
	if c.Kind == "warning" {
		r.add(c, accepted && warned(found) == c.Warning, true, found, took)
		return
	}
	r.add(c, accepted, verdict, found, took)
}

// limit is the maximum time for one case.
const limit = 50 * time.Millisecond

func verdictOf(c testCase, options types.Options) (accepted bool, found []*findings.Finding, took time.Duration) {
	start := time.Now()
	read := Read("", c.Code, options)
	accepted = read.Valid()
	if accepted && c.Kind == "pipeline" {
		accepted = pipeline(read.Info, c)
	}
	return accepted, read.Findings, time.Since(start)
}

func warned(list []*findings.Finding) bool {
	for _, d := range list {
		if d.Severity == findings.Warning {
			return true
		}
	}
	return false
}

func readCases(t *testing.T) []testCase {
	folder := os.Getenv("WGSLAB_CTS")
	if folder == "" {
		t.Skip("left out: set WGSLAB_CTS to the folder with validation.jsonl.gz to run the conformance cases")
	}
	file, err := os.Open(filepath.Join(folder, "validation.jsonl.gz"))
	require.NoError(t, err)
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	require.NoError(t, err)
	var cases []testCase
	lines := bufio.NewScanner(unzipped)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var c testCase
		require.NoError(t, json.Unmarshal(lines.Bytes(), &c))
		if only := os.Getenv("WGSLAB_CTS_ONLY"); only == "" || strings.Contains(c.Test, only) {
			cases = append(cases, c)
		}
	}
	require.NoError(t, lines.Err())
	return cases
}

// pipeline reports whether a compute pipeline of entry point main can be made with the case's
// constants.
func pipeline(info *types.Info, c testCase) bool {
	entry := info.Entry("main")
	if entry == nil {
		return false
	}
	_, diagnostics := info.Pipeline(entry, c.Constants)
	return !findings.HasErrors(diagnostics)
}
