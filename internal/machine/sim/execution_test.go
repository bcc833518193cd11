// This file runs the simulator on records of the WebGPU conformance suite.

package sim_test

import (
	"bufio"
	"compress/gzip"
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/machine/sim"
	_ "github.com/wgslab/wgslab/internal/machine/sim/machinecode"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// enough is the share of the execution records that must pass.
const enough = 0.995

// suite opens a file in the folder that WGSLAB_CTS names and passes each of its lines to a
// function.
func suite(t *testing.T, name string, each func(line []byte)) {
	t.Helper()
	folder := os.Getenv("WGSLAB_CTS")
	if folder == "" {
		t.Skip("left out: set WGSLAB_CTS to the folder with " + name)
	}
	file, err := os.Open(filepath.Join(folder, name))
	require.NoError(t, err)
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	require.NoError(t, err)
	lines := bufio.NewScanner(unzipped)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		each(lines.Bytes())
	}
	require.NoError(t, lines.Err())
}

// record is one line of execution.jsonl.gz or sanitizer.jsonl.gz; their README says what the fields
// mean.
type record struct {
	ID, Test, Code, Entry string
	Dispatch              [3]uint32
	Constants             map[string]float64
	Buffers               []buffer
	Expect                []expectation
	Findings              []string
	At                    []struct {
		Line int
		What string
	}
}

type buffer struct {
	Group, Binding uint32
	Size           int
	In             []byte
	Offset         json.Number
	BindSize       json.Number
}

type expectation struct {
	Group, Binding uint32
	Kind, Elem     string
	Offset, Stride int
	Bytes          string
	Words          [][2]uint32
	Scalars        [][3]json.RawMessage
	Comps          []int
	Cases          []json.RawMessage
}

func number(n json.Number) uint64 {
	v, _ := n.Int64()
	return uint64(v)
}

// play runs a record's shader and returns the buffers' contents afterwards.
func (r *record) play(options sim.Options) (*sim.Result, map[[2]uint32][]byte, error) {
	program, err := sim.CompileEntry(shader.ReadWith("test.wgsl", r.Code, types.AllFeatures).At(r.Entry), r.Constants, false)
	if err != nil {
		return nil, nil, err
	}
	memory := map[[2]uint32][]byte{}
	var bound []sim.BoundBuffer
	for _, b := range r.Buffers {
		data := make([]byte, b.Size)
		copy(data, b.In)
		memory[[2]uint32{b.Group, b.Binding}] = data
		bound = append(bound, sim.BoundBuffer{
			Group: b.Group, Binding: b.Binding, Data: data, Offset: number(b.Offset), Size: number(b.BindSize),
		})
	}
	result, err := program.Run(context.Background(), r.Dispatch, bound, options)
	return result, memory, err
}

// check describes a mismatch; it returns "" if there is none.
func (e *expectation) check(got []byte) string {
	switch e.Kind {
	case "bytes":
		want, err := base64.StdEncoding.DecodeString(e.Bytes)
		if err != nil {
			return err.Error()
		}
		return e.checkBytes(want, got[e.Offset:])
	case "words":
		for _, w := range e.Words {
			if v := binary.LittleEndian.Uint32(got[4*w[0]:]); v != w[1] {
				return fmt.Sprintf("word %d is %d, not %d", w[0], v, w[1])
			}
		}
	case "scalars":
		for _, s := range e.Scalars {
			var at int
			var elem string
			if json.Unmarshal(s[0], &at) != nil || json.Unmarshal(s[1], &elem) != nil {
				return "unreadable expectation"
			}
			if v := scalar(elem, got[at:]); !accepts(s[2], v) {
				return fmt.Sprintf("%s at %d is %v, not %s", elem, at, v, s[2])
			}
		}
	case "values":
		for i, c := range e.Cases {
			if !e.accepts(c, got[e.Offset+i*e.Stride:]) {
				var is []value
				for _, comp := range e.Comps {
					is = append(is, scalar(e.Elem, got[e.Offset+i*e.Stride+comp:]))
				}
				return fmt.Sprintf("case %d is %v, not %s", i, is, c)
			}
		}
	default:
		return "unknown kind " + e.Kind
	}
	return ""
}

func (e *expectation) checkBytes(want, got []byte) string {
	for i := 0; i+4 <= len(want); i += 4 {
		w, g := binary.LittleEndian.Uint32(want[i:]), binary.LittleEndian.Uint32(got[i:])
		same := w == g
		if e.Elem == "f32" {
			same = math.Float32frombits(w) == math.Float32frombits(g)
		}
		if !same {
			return fmt.Sprintf("byte %d: %#x, not %#x", i, g, w)
		}
	}
	return ""
}

func (e *expectation) accepts(one json.RawMessage, got []byte) bool {
	var either struct{ Or []json.RawMessage }
	if json.Unmarshal(one, &either) == nil && either.Or != nil {
		for _, o := range either.Or {
			if e.accepts(o, got) {
				return true
			}
		}
		return false
	}
	var comps []json.RawMessage
	if json.Unmarshal(one, &comps) != nil {
		return false
	}
	for i, comp := range comps {
		if !accepts(comp, scalar(e.Elem, got[e.Comps[i]:])) {
			return false
		}
	}
	return true
}

// A value is a scalar from a buffer. For an abstract-int, exact is set, because a float64 may not
// hold it.
type value struct {
	float float64
	exact *int64
}

func (v value) String() string {
	if v.exact != nil {
		return fmt.Sprint(*v.exact)
	}
	return fmt.Sprint(v.float)
}

func scalar(elem string, b []byte) value {
	if elem == "abstract-int" {
		exact := int64(binary.LittleEndian.Uint64(b))
		return value{exact: &exact}
	}
	return value{float: number64(elem, b)}
}

func number64(elem string, b []byte) float64 {
	switch word := binary.LittleEndian.Uint32(b); elem {
	case "f32":
		return float64(math.Float32frombits(word))
	case "i32":
		return float64(int32(word))
	case "bool":
		return float64(min(word, 1))
	case "abstract-float":
		return math.Float64frombits(binary.LittleEndian.Uint64(b))
	default:
		return float64(word)
	}
}

// accepts reports whether acc allows v.
func accepts(acc json.RawMessage, v value) bool {
	text := strings.TrimSpace(string(acc))
	switch {
	case text == "null":
		return true
	case strings.HasPrefix(text, "{"):
		var either struct{ Or []json.RawMessage }
		if json.Unmarshal(acc, &either) != nil {
			return false
		}
		for _, o := range either.Or {
			if accepts(o, v) {
				return true
			}
		}
		return false
	case strings.HasPrefix(text, "["):
		var ends []any
		if json.Unmarshal(acc, &ends) != nil || len(ends) != 2 {
			return false
		}
		low, high := bound(ends[0]), bound(ends[1])
		if v.float != v.float {
			return math.IsInf(low, -1) && math.IsInf(high, 1)
		}
		return low <= v.float && v.float <= high
	}
	if v.exact != nil {
		return strings.Trim(text, `"`) == v.String()
	}
	var want any
	return json.Unmarshal(acc, &want) == nil && bound(want) == v.float
}

func bound(x any) float64 {
	switch x := x.(type) {
	case float64:
		return x
	case bool:
		if x {
			return 1
		}
		return 0
	case string:
		switch x {
		case "inf", "+inf":
			return math.Inf(1)
		case "-inf":
			return math.Inf(-1)
		}
	}
	return math.NaN()
}

// directory returns the first words of a test's name.
func directory(test string) string {
	_, name, _ := strings.Cut(test, ":")
	name, _, _ = strings.Cut(name, ":")
	words := strings.Split(strings.TrimPrefix(name, "shader,execution,"), ",")
	return strings.Join(words[:min(2, len(words))], "/")
}

// TestExecution runs the execution records of the WebGPU conformance suite, unwatched and watched.
func TestExecution(t *testing.T) {
	type tally struct{ cases, passed, findings int }
	table := map[string]*tally{}
	var total tally
	shown := map[string]int{}
	suite(t, "execution.jsonl.gz", func(line []byte) {
		var r record
		require.NoError(t, json.Unmarshal(line, &r))
		d := directory(r.Test)
		if table[d] == nil {
			table[d] = &tally{}
		}
		problem := ""
		for _, watch := range []bool{false, true} {
			result, memory, err := r.play(sim.Options{Watch: watch, Compile: sim.Always})
			if err != nil {
				problem = err.Error()
				break
			}
			for _, e := range r.Expect {
				if bad := e.check(memory[[2]uint32{e.Group, e.Binding}]); bad != "" {
					problem = bad
				}
			}
			if !result.Finished {
				problem = "not finished"
			}
			if falseAlarm := errorOf(result.Findings); falseAlarm != nil && d != "robust_access" {
				table[d].findings++
				total.findings++
				if shown[d+"!"]++; shown[d+"!"] <= 3 {
					t.Logf("finding: %s: line %d: %s", r.Test, falseAlarm.Location.Line, falseAlarm.Message)
				}
			}
		}
		table[d].cases++
		total.cases++
		if problem == "" {
			table[d].passed++
			total.passed++
		} else if shown[d]++; shown[d] <= 6 {
			t.Logf("%s: %s: %s", r.ID, r.Test, problem)
		}
	})
	names := make([]string, 0, len(table))
	for d := range table {
		names = append(names, d)
	}
	sort.Strings(names)
	for _, d := range names {
		t.Logf("%-28s %5d of %5d, %d with findings", d, table[d].passed, table[d].cases, table[d].findings)
	}
	t.Logf("%-28s %5d of %5d, %d with findings", "all", total.passed, total.cases, total.findings)
	assert.GreaterOrEqual(t, float64(total.passed), enough*float64(total.cases))
	assert.Zero(t, total.findings, "records with an unexpected error finding")
}

func errorOf(seen []findings.Finding) *findings.Finding {
	for i, f := range seen {
		if f.IsError() {
			return &seen[i]
		}
	}
	return nil
}
