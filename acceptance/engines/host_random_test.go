//go:build acceptance

package engines

import (
	_ "embed"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/acceptance/internal/browser"
	"github.com/wgslab/wgslab/acceptance/internal/lab"
	"github.com/wgslab/wgslab/acceptance/internal/site"
	"github.com/wgslab/wgslab/internal/course/coursetest"
)

//go:embed programs.js
var programsJS string

var hostPrograms = flag.Int("host-programs", 200, "number of random host programs to run in Chromium")

// chromiumDiffers are the differences between our rules and Chromium's WebGPU, by the fault of the
// program that shows them.
var chromiumDiffers = map[string]string{
	"dispatch-after-end": "Both make it an error of the device (§ Command Encoding). Go's calls of a pass return none, so a program in Go doesn't hear of it; a check does.",
}

// Random host programs are right or wrong on our rules and in Chromium's WebGPU alike, and leave
// the same bytes. TestRandomPrograms in pkg/wgpu compares with wgpu-native.
func TestRandomHostProgramsInChromium(t *testing.T) {
	first, end := coursetest.Range(t, *hostPrograms)
	from, to := strconv.Itoa(first), strconv.Itoa(end)
	binary := filepath.Join(t.TempDir(), "random")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", binary, "./pkg/wgpu/testdata/random")
	build.Dir = lab.Root(t)
	said, err := build.CombinedOutput()
	require.NoError(t, err, "%s", said)
	lines := func(arguments ...string) []string {
		command := exec.CommandContext(t.Context(), binary, arguments...)
		command.Env = append(os.Environ(), "WGSLAB_ENGINE=simulator")
		out, err := command.Output()
		require.NoError(t, err)
		return strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	}
	ours, programs := lines(from, to), lines(from, to, "json")
	require.Len(t, ours, end-first)
	require.Len(t, programs, end-first)

	page, err := browser.For(t, browser.WebGPU).Open(site.Serve(t).URL + "/")
	require.NoError(t, err)
	t.Cleanup(page.Close)
	_, err = browser.Evaluate[bool](page, "(() => {"+programsJS+"return true; })()")
	require.NoError(t, err)

	right, wrong, seen := 0, 0, map[string][]string{}
	for i, line := range ours {
		seed := first + i
		fields := strings.SplitN(line, "\t", 3)
		require.Len(t, fields, 3, line)
		fault, here := fields[1], fields[2]
		there, err := browser.Evaluate[string](page, fmt.Sprintf("runProgram(%s)", programs[i]))
		require.NoError(t, err, "seed %d", seed)
		failsHere, failsThere := !strings.HasPrefix(here, "ok "), !strings.HasPrefix(there, "ok ")
		switch {
		case failsHere && failsThere:
			wrong++
		case here == there:
			right++
		default:
			seen[fault] = append(seen[fault], fmt.Sprintf("seed %d:\n\there:  %s\n\tthere: %s", seed, here, there))
		}
	}
	t.Logf("%d programs are right on both, and %d wrong", right, wrong)
	for fault, all := range seen {
		if why := chromiumDiffers[fault]; why != "" {
			t.Logf("%s in %d programs, first %s\n\twhy: %s", fault, len(all), all[0], why)
			continue
		}
		slices.Sort(all)
		t.Errorf("%s in %d programs, first %s", fault, len(all), all[0])
	}
}
