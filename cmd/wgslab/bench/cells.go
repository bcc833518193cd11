package bench

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/learner"
	"github.com/wgslab/wgslab/internal/fronts/notebook/jupyter"
	"github.com/wgslab/wgslab/internal/fronts/notebook/kernelspec"
)

// The cells to time. measured is the exercise that they check.
const (
	measured = "add"

	// Each round uses new numbers, so that no cell was built before.
	plainCell = "%%noautoget\nimport \"fmt\"\n\n%%%%\nfmt.Println(%d)"

	gpuCell = `%%noautoget
import (
	"fmt"

	"github.com/wgslab/wgslab/pkg/gpu"
)

%%%%
device, err := gpu.Open()
if err != nil {
	panic(err)
}
defer device.Close()
out, err := gpu.Alloc[float32](device, %d)
fmt.Println(out.Len(), err)`
)

// measureCells times cells in one kernel. It alternates between them, so that other load on the
// machine affects all of them. The order of the waits is: a new cell that builds nothing but its
// own line, the same cell again, a new GPU cell, an unchanged check cell.
func measureCells(ctx context.Context, o Options) ([]MeasuredWait, error) {
	dir, err := learnersFolder()
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	reference, err := exercises.Reference(measured)
	if err != nil {
		return nil, err
	}
	shaderCell := "%%writefile " + learner.ShaderPath(measured) + "\n" + reference
	spec, err := kernelspec.Find(kernelspec.Name, filepath.Join(o.Root, ".venv"))
	if err != nil {
		return nil, fmt.Errorf("%w: run make setup", err)
	}
	kernel, err := jupyter.Start(ctx, spec, dir)
	if err != nil {
		return nil, err
	}
	defer kernel.Shutdown(context.WithoutCancel(ctx))
	times := make([][]float64, 4)
	for round := -1; round < o.Rounds; round++ { // round -1 warms up
		o.Progress(fmt.Sprintf("cells, round %d of %d", max(round+1, 1), o.Rounds))
		for i, cells := range [][]string{
			{fmt.Sprintf(plainCell, round)},
			{fmt.Sprintf(plainCell, round)},
			{fmt.Sprintf(gpuCell, round+2)},
			{course.CheckCell("Exercise", measured), shaderCell, course.CheckCell("Exercise", measured)}, // like a learner: another shader, the same check
		} {
			seconds, err := timeLast(ctx, kernel, cells)
			if err != nil {
				return nil, err
			}
			if round >= 0 {
				times[i] = append(times[i], seconds)
			}
		}
	}
	return []MeasuredWait{
		wait("a GoNB cell that builds only its own line", times[0]),
		wait("the same cell again, unchanged", times[1]),
		wait("a new GPU cell", times[2]),
		wait("an unchanged check cell, after another shader", times[3]),
	}, nil
}

// learnersFolder returns a folder in which the measured exercise is solved.
func learnersFolder() (string, error) {
	dir, err := os.MkdirTemp("", "wgslab-bench-")
	if err != nil {
		return "", err
	}
	source, err := exercises.Reference(measured)
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, learner.ShaderPath(measured))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return "", err
	}
	return dir, os.WriteFile(path, []byte(source), 0o644)
}

// timeLast runs cells in order and times the last one.
func timeLast(ctx context.Context, kernel *jupyter.Kernel, cells []string) (seconds float64, err error) {
	for _, code := range cells {
		if _, seconds, err = timeCell(ctx, kernel, code); err != nil {
			return 0, err
		}
	}
	return seconds, nil
}

// timeCell returns the seconds until a cell first displays something, and until it ends. If it
// displays nothing, both are the same.
func timeCell(ctx context.Context, kernel *jupyter.Kernel, code string) (drawn, ended float64, err error) {
	started := time.Now()
	reply, err := kernel.Execute(ctx, jupyter.Request{Code: code, Deadline: 2 * time.Minute, Output: func(m jupyter.Message) error {
		if m.Header.Type == "display_data" && drawn == 0 {
			drawn = time.Since(started).Seconds()
		}
		return nil
	}})
	if err != nil {
		return 0, 0, err
	}
	if reply.Status != "ok" {
		return 0, 0, fmt.Errorf("a cell ended with %s: %s %s", reply.Status, reply.EName, reply.EValue)
	}
	ended = time.Since(started).Seconds()
	return cmp.Or(drawn, ended), ended, nil
}

// measureChecks times the whole program: cold without a shader in Mesa's disk cache, and warm with
// the cache of the run before.
func measureChecks(ctx context.Context, o Options) ([]MeasuredWait, error) {
	dir, err := learnersFolder()
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	var cold, warm []float64
	for round := range o.Rounds {
		o.Progress(fmt.Sprintf("wgslab check, round %d of %d", round+1, o.Rounds))
		cache := filepath.Join(dir, fmt.Sprint("cache-", round))
		for _, times := range []*[]float64{&cold, &warm} {
			seconds, err := timeCheck(ctx, o.Program, dir, cache)
			if err != nil {
				return nil, err
			}
			*times = append(*times, seconds)
		}
	}
	return []MeasuredWait{wait("wgslab check "+measured+", cold", cold), wait("wgslab check "+measured+", warm", warm)}, nil
}

func timeCheck(ctx context.Context, program, dir, cache string) (float64, error) {
	command := exec.CommandContext(ctx, program, "check", measured)
	command.Dir = dir
	command.Env = append(os.Environ(), "MESA_SHADER_CACHE_DIR="+cache)
	started := time.Now()
	output, err := command.CombinedOutput()
	if err != nil {
		return 0, fmt.Errorf("%s: %w\n%s", strings.Join(command.Args, " "), err, output)
	}
	return time.Since(started).Seconds(), nil
}
