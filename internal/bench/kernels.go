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

	"github.com/wgslab/wgslab/internal/jupyter"
	"github.com/wgslab/wgslab/internal/kernelspec"
	"github.com/wgslab/wgslab/internal/learner"
	"github.com/wgslab/wgslab/shaders"
)

// PythonVariable names a Python with ipykernel and wgpu-py, to be measured beside the
// course's kernel.
const PythonVariable = "WGSLAB_BENCH_PYTHON"

// renewed is the exercise whose shader is new in each round.
const renewed = "vector-add"

// newCheck and pythonCell check and run a shader that no driver has seen before.
const newCheck = "%noautoget\nimport \"github.com/wgslab/wgslab/pkg/check\"\n\n%%\ncheck.Exercise(\"" + renewed + "\")"

const pythonSetUp = `import array
from wgpu.utils.compute import compute_with_buffers
a = array.array("f", range(1000))
def add(source):
    out = compute_with_buffers({0: a, 1: a}, {2: (1000, "f")}, source, n=16)
    assert out[2].cast("B").cast("f")[7] == 14`

// compared is a kernel that is measured beside others.
type compared struct {
	name   string
	kernel *jupyter.Kernel
	cells  func(source string, round int) (before []string, timed string)
	times  []float64
}

// compareKernels times the check of a shader whose text is new each time: by the
// course's kernel, by GoNB alone, and, where Python can, the bare run of such a shader
// by ipykernel and wgpu-py. They take turns. The unchanged check is the course's, too.
func compareKernels(ctx context.Context, o Options) (waits []Wait, ratios []Ratio, remark string, err error) {
	spec, err := kernelspec.Find(kernelspec.Name, filepath.Join(o.Root, ".venv"))
	if err != nil {
		return nil, nil, "", fmt.Errorf("%w: run make setup", err)
	}
	plain, err := alone(spec)
	if err != nil {
		return nil, nil, "", err
	}
	check := func(source string, _ int) ([]string, string) { return []string{shaderCellOf(source)}, newCheck }
	same := func(string, int) ([]string, string) { return []string{shaderCellOf(numbered(-2))}, newCheck }
	all := []*compared{
		{name: "a check of a new shader, here", cells: check},
		{name: "a check of a new shader, GoNB alone", cells: check},
		{name: "an unchanged check of an unchanged shader, here", cells: same},
	}
	specs := []kernelspec.Spec{spec, plain, spec}
	python, missing := findPython(ctx, o.Root)
	if missing == nil {
		specs = append(specs, kernelspec.Spec{Name: "python", Argv: []string{python, "-m", "ipykernel_launcher", "-f", "{connection_file}"}})
		all = append(all, &compared{name: "a bare run of a new shader, ipykernel and wgpu-py", cells: func(source string, _ int) ([]string, string) {
			return []string{pythonSetUp}, "add(\"\"\"" + source + "\"\"\")"
		}})
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
		waits = append(waits, wait(c.name, c.times))
	}
	here := waits[0].Median
	ratios = []Ratio{{"a new shader's check: here / GoNB alone", here / waits[1].Median, newOverGoNB}}
	if missing == nil {
		ratios = append(ratios, Ratio{"a new shader: checked here / run bare by wgpu-py", here / waits[3].Median, newOverPython})
	}
	return waits, append(ratios, Ratio{"an unchanged check, in units of 30 ms", waits[2].Median / 0.030, 1}), remark, nil
}

func (o Options) takeTurns(ctx context.Context, all []*compared) error {
	for round := -1; round < o.Rounds; round++ { // round -1 warms up
		o.Progress(fmt.Sprintf("kernels, round %d of %d", max(round+1, 1), o.Rounds))
		for i, c := range all {
			before, timed := c.cells(numbered(10*(round+1)+i), round)
			seconds, err := timeLast(ctx, c.kernel, append(before, timed))
			if err != nil {
				return fmt.Errorf("%s: %w", c.name, err)
			}
			if round >= 0 {
				c.times = append(c.times, seconds)
			}
		}
	}
	return nil
}

// startIn starts a kernel in a folder of its own.
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
		_ = kernel.Shutdown(context.WithoutCancel(ctx)) // it is killed at worst
		os.RemoveAll(dir)
	}, nil
}

// alone is GoNB without the course's kernel before it.
func alone(spec kernelspec.Spec) (kernelspec.Spec, error) {
	behind := slices.Index(spec.Argv, "--")
	if behind < 0 {
		return kernelspec.Spec{}, errors.New("the installed kernel is GoNB alone: run make setup")
	}
	spec.Argv = append(slices.Clone(spec.Argv[behind+1:]), "--kernel", "{connection_file}")
	return spec, nil
}

// findPython finds a Python that can be compared with.
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

// numbered is the reference of the renewed exercise, made one that is new to every
// driver and every cache and does the same: it gives up at a place where nobody comes.
func numbered(n int) string {
	source, err := shaders.Source(renewed)
	if err != nil {
		panic(err) // it ships with this program
	}
	unique := uint32(os.Getpid())<<12 + uint32(n+2)
	head, body, _ := strings.Cut(source, ") {\n") // as it stands in the reference
	return head + ") {\n" + fmt.Sprintf("  if (id.x == %du) { return; }\n", 1<<31+unique%(1<<30)) + body
}

func shaderCellOf(source string) string {
	return "%%writefile " + learner.ShaderPath(renewed) + "\n" + source
}
