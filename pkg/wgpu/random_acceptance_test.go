//go:build acceptance

package wgpu_test

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/course/coursetest"
)

var (
	programs  = flag.Int("programs", 500, "number of random host programs")
	firstSeed = flag.Int("seed", 0, "seed of the first program")
)

// An outcome is what became of a program: its fault, and its result or its error.
type outcome struct{ fault, said string }

func (o outcome) failed() bool { return !strings.HasPrefix(o.said, "ok ") }

// outcomes runs the programs of a range of seeds. The other package ends the process on some
// mistakes: that is an error of that program, and the next process goes on after it.
func outcomes(t *testing.T, binary, engine string, first, end int) map[int]outcome {
	t.Helper()
	all := map[int]outcome{}
	for next := first; next < end; {
		command := exec.Command(binary, strconv.Itoa(next), strconv.Itoa(end))
		command.Env = append(os.Environ(), "WGSLAB_ENGINE="+engine, "NODEVICE_SELECT=1")
		out, err := command.Output()
		if command.ProcessState.ExitCode() == 3 {
			t.Skipf("left out: %s", out)
		}
		lines := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
		for _, line := range lines {
			fields := strings.SplitN(line, "\t", 3)
			require.Len(t, fields, 3, "%q", line)
			seed, convErr := strconv.Atoi(fields[0])
			require.NoError(t, convErr)
			all[seed] = outcome{fields[1], fields[2]}
			next = seed + 1
		}
		if err != nil {
			last := all[next-1]
			require.Empty(t, last.said, "the process ended after its work: %v", err)
			last.said = "error: the process ended: " + lastLine(stderrOf(err))
			all[next-1] = last
		}
	}
	return all
}

func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for _, line := range lines {
		if strings.Contains(line, "anic") || strings.Contains(line, "rror") {
			return strings.TrimSpace(line)
		}
	}
	return lines[0]
}

// differences are those between WebGPU's rules and wgpu-native 22, by the fault of the program that
// shows them. We follow WebGPU.
var differences = map[string]string{
	"clear-nothing":    "WebGPU allows a clear of 0 bytes (§ Buffer Copy Commands). wgpu-native turns the size into a number that can't be 0, and ends the process.",
	"copy-in-pass":     "A pass locks its encoder (§ Command Encoding). wgpu 22 records a pass by itself until it ends, so it doesn't notice.",
	"begin-in-pass":    "The same: the second pass locks nothing there, and the first one is dropped.",
	"no-end":           "An encoder can't be finished while a pass is open (§ Finalization). wgpu 22 drops the pass without a word: the dispatches never run.",
	"end-again":        "A pass ends once (§ Finalization). wgpu 22 finds an empty pass the second time.",
	"submit-again":     "A command buffer is used up by its submission (§ Queues). wgpu-native forgets what it holds, and submits nothing the second time.",
	"indirect-odd":     "The offset is a multiple of 4 (§ Dispatch). wgpu 22 doesn't check, and the driver reads at any offset.",
	"entry-odd-size":   "The size of a storage binding is a multiple of 4 (§ Bind Group Creation). wgpu 22 doesn't check.",
	"write-odd-offset": "An offset is a multiple of 4, also of a write of 0 bytes (§ GPUQueue). wgpu 22 does nothing for 0 bytes, and checks nothing.",
	"workgroup-memory": "A device has 16,384 bytes of workgroup memory unless more is required (§ Compute Pipeline Creation). wgpu 22 doesn't check, and the driver takes what it has.",
	"override":         "WebGPU has overrides (WGSL § 7.2.2). wgpu 22's compiler doesn't know the word, so our driver refuses them as well, and the simulator runs them.",
	"write-mapped":     "The queue can't write to a buffer that is about to be mapped (§ GPUQueue). wgpu 22 checks only the usage.",
}

// Random host programs are right or wrong on both packages alike, and leave the same values.
func TestRandomPrograms(t *testing.T) {
	first, end := coursetest.Range(t, *programs)
	first, end = *firstSeed+first, *firstSeed+end
	mine := build(t, "random", ours)
	began := time.Now()
	here := outcomes(t, mine, "simulator", first, end)
	t.Logf("%d programs on the simulator in %v", len(here), time.Since(began))
	wrong, right := 0, 0
	for seed, o := range here {
		if o.fault == "" && o.failed() {
			t.Errorf("seed %d: a valid program fails: %s", seed, o.said)
		}
		if o.failed() {
			wrong++
		} else {
			right++
		}
	}
	t.Logf("%d right, %d wrong", right, wrong)
	t.Run("driver", func(t *testing.T) {
		theirs := outcomes(t, build(t, "random", real), "", first, end)
		onDriver := outcomes(t, mine, "", first, end)
		compare(t, here, theirs, onDriver)
	})
}

func compare(t *testing.T, here, theirs, onDriver map[int]outcome) {
	agreed, seen := 0, map[string][]int{}
	for seed, o := range here {
		other, driven := theirs[seed], onDriver[seed]
		if o.said != driven.said && !(o.failed() && driven.failed()) && o.fault != "override" {
			t.Errorf("seed %d (%s): the simulator says %s, the driver %s", seed, o.fault, o.said, driven.said)
		}
		switch {
		case o.failed() == other.failed() && (o.failed() || o.said == other.said):
			agreed++
		default:
			seen[o.fault] = append(seen[o.fault], seed)
		}
	}
	t.Logf("%d programs agree", agreed)
	for fault, seeds := range seen {
		slices.Sort(seeds)
		example := fmt.Sprintf("%s in %d programs, first seed %d:\n\there:  %s\n\tthere: %s", fault, len(seeds), seeds[0], here[seeds[0]].said, theirs[seeds[0]].said)
		if why := differences[fault]; why != "" {
			t.Logf("%s\n\twhy: %s", example, why)
		} else {
			t.Error(example)
		}
	}
}

// Each row of the table of differences is what its program does with the Go binding, on a driver.
func TestTheTableOnADriver(t *testing.T) {
	notRun := map[string]string{"undefined": "a mistake that Go can't catch may do anything", "depends on the driver": "it could take all memory"}
	rows := tableOfDifferences(t)
	binary, run := build(t, "differences", real), programsOf(rows)
	for _, r := range rows {
		if why := notRun[r.there]; why != "" {
			t.Logf("left out: %s: %s", r.does, why)
		} else if slices.Contains(run, r.does) {
			require.Equal(t, r.there, become(t, binary, "", r.does)[r.does], r.does)
		}
	}
}
