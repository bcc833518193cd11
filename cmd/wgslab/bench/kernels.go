package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/wgslab/wgslab/exercises"
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/learner"
	"github.com/wgslab/wgslab/internal/fronts/notebook/jupyter"
	"github.com/wgslab/wgslab/internal/fronts/notebook/kernelspec"
)

// PythonVariable names an environment variable with a Python that has ipykernel and wgpu-py. The
// benchmark compares it with the course's kernel.
const PythonVariable = "WGSLAB_BENCH_PYTHON"

// renewed is the exercise whose shader is new in each round.
const renewed = "vector-add"

// pythonSetUp runs a shader that no driver has seen before, as the check of renewed does.
const pythonSetUp = `import array
from wgpu.utils.compute import compute_with_buffers
a = array.array("f", range(1000))
def add(source):
    out = compute_with_buffers({0: a, 1: a}, {2: (1000, "f")}, source, n=16)
    assert out[2].cast("B").cast("f")[7] == 14`

// compared is a kernel in the comparison.
type compared struct {
	name   string
	kernel *jupyter.Kernel
	before func(source string) string // returns the cell before the timed one
	timed  func(source string) string

	// One value per round, in seconds: from the timed cell to its first display, from the timed
	// cell to its end, and from the cell before it to the first display.
	drawn, ended, both []float64
}

// compareKernels times the check of a shader whose text is new each time. It compares the course's
// kernel, GoNB alone and, if Python is available, the bare run of such a shader by ipykernel and
// wgpu-py. They take turns. It also times the unchanged check in the course's kernel.
//
// The course's worker starts to compile a shader in the cell before the check, but Python has only
// one cell. The comparison therefore also lists the time of both cells together.
func compareKernels(ctx context.Context, o Options) (waits []MeasuredWait, ratios []Ratio, remark string, err error) {
	spec, err := kernelspec.Find(kernelspec.Name, filepath.Join(o.Root, ".venv"))
	if err != nil {
		return nil, nil, "", fmt.Errorf("%w: run make setup", err)
	}
	plain, err := alone(spec)
	if err != nil {
		return nil, nil, "", err
	}
	check := func(string) string { return course.CheckCell("Exercise", renewed) }
	all := []*compared{
		{name: "a check of a new shader, here", before: shaderCellOf, timed: check},
		{name: "a check of a new shader, GoNB alone", before: shaderCellOf, timed: check},
		{name: "an unchanged check of an unchanged shader, here", before: func(string) string { return shaderCellOf(numbered(-2)) }, timed: check},
	}
	specs := []kernelspec.Spec{spec, plain, spec}
	python, missing := findPython(ctx, o.Root)
	if missing == nil {
		specs = append(specs, kernelspec.Spec{Name: "python", Argv: []string{python, "-m", "ipykernel_launcher", "-f", "{connection_file}"}})
		all = append(all, &compared{
			name:   "a bare run of a new shader, ipykernel and wgpu-py",
			before: func(string) string { return pythonSetUp },
			timed:  func(source string) string { return "add(\"\"\"" + source + "\"\"\")" },
		})
	} else {
		remark = fmt.Sprintf("ipykernel with wgpu-py is not measured (%v): name a Python that has both in %s.", missing, PythonVariable)
	}
	for i, c := range all {
		var end func()
		if c.kernel, end, err = startIn(ctx, specs[i]); err != nil {
			return nil, nil, "", fmt.Errorf("%s: %w", c.name, err)
		}
		defer end()
	}
	if err := o.takeTurns(ctx, all); err != nil {
		return nil, nil, "", err
	}
	for _, c := range all {
		waits = append(waits, wait(c.name, c.drawn))
	}
	here := waits[0].Median
	both := wait("the cell of a new shader and its check, here", all[0].both)
	ratios = []Ratio{{"a new shader's check: here / GoNB alone", here / waits[1].Median, newOverGoNB}}
	if missing == nil {
		ratios = append(ratios,
			Ratio{"a new shader: checked here / run bare by wgpu-py", here / waits[3].Median, newOverPython},
			Ratio{"a new shader: its cell and its check here / run bare by wgpu-py", both.Median / waits[3].Median, 0})
	}
	waits = append(waits, wait("a check of a new shader, here, until the cell has ended", all[0].ended), both)
	return waits, append(ratios, Ratio{"an unchanged check, in units of 30 ms", waits[2].Median / 0.030, 1}), remark, nil
}

func (o Options) takeTurns(ctx context.Context, all []*compared) error {
	for round := -1; round < o.Rounds; round++ { // round -1 warms up
		o.Progress(fmt.Sprintf("kernels, round %d of %d", max(round+1, 1), o.Rounds))
		for i, c := range all {
			source := numbered(len(all)*(round+1) + i)
			began := time.Now()
			if _, _, err := timeCell(ctx, c.kernel, c.before(source)); err != nil {
				return fmt.Errorf("%s: %w", c.name, err)
			}
			ahead := time.Since(began).Seconds()
			drawn, ended, err := timeCell(ctx, c.kernel, c.timed(source))
			if err != nil {
				return fmt.Errorf("%s: %w", c.name, err)
			}
			if round >= 0 {
				c.drawn, c.ended, c.both = append(c.drawn, drawn), append(c.ended, ended), append(c.both, ahead+drawn)
			}
		}
	}
	return nil
}

// startIn starts a kernel in its own folder.
func startIn(ctx context.Context, spec kernelspec.Spec) (*jupyter.Kernel, func(), error) {
	dir, err := learnersFolder()
	if err != nil {
		return nil, nil, err
	}
	kernel, err := jupyter.Start(ctx, spec, dir)
	if err != nil {
		os.RemoveAll(dir)
		return nil, nil, err
	}
	return kernel, func() {
		_ = kernel.Shutdown(context.WithoutCancel(ctx)) // in the worst case it is killed
		os.RemoveAll(dir)
	}, nil
}

// alone returns the spec of GoNB without the course's kernel.
func alone(spec kernelspec.Spec) (kernelspec.Spec, error) {
	behind := slices.Index(spec.Argv, "--")
	if behind < 0 {
		return kernelspec.Spec{}, errors.New("the installed kernel is GoNB alone: run make setup")
	}
	spec.Argv = append(slices.Clone(spec.Argv[behind+1:]), "--kernel", "{connection_file}")
	return spec, nil
}

// findPython finds a Python for the comparison.
func findPython(ctx context.Context, root string) (string, error) {
	python := os.Getenv(PythonVariable)
	if python == "" {
		python = filepath.Join(root, ".venv", "bin", "python")
	}
	out, err := exec.CommandContext(ctx, python, "-c", "import ipykernel, wgpu").CombinedOutput()
	if err != nil {
		lines := strings.Split(strings.TrimSpace(string(out)), "\n")
		return "", errors.New(lines[len(lines)-1])
	}
	return python, nil
}

// numbered returns the reference of the renewed exercise in a version that is new to every driver
// and cache. It computes the same: the change is in code that never runs.
func numbered(n int) string {
	source, err := exercises.Reference(renewed)
	if err != nil {
		panic(err) // it ships with this program
	}
	unique := uint32(os.Getpid())<<12 + uint32(n+2)
	head, body, _ := strings.Cut(source, ") {\n") // the spelling of the reference
	return head + ") {\n" + fmt.Sprintf("  if (id.x == %du) { return; }\n", 1<<31+unique%(1<<30)) + body
}

func shaderCellOf(source string) string {
	return "%%writefile " + learner.ShaderPath(renewed) + "\n" + source
}
