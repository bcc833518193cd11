package doctor

import (
	"context"
	"debug/buildinfo"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/wgslab/wgslab/internal/fronts/class/jail"
	"github.com/wgslab/wgslab/internal/fronts/notebook/kernelspec"
	"github.com/wgslab/wgslab/internal/fronts/notebook/labextension"
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/networks/mnist"
)

const setUp = "run: make setup"

// answerTimeout is how long doctor waits for another program's answer.
const answerTimeout = 10 * time.Second

// place is the clone whose parts doctor looks for.
type place struct{ root string }

func (p place) bin(name string) string { return filepath.Join(p.root, ".build", "bin", name) }

func (p place) venv(elements ...string) string {
	return filepath.Join(append([]string{p.root, ".venv"}, elements...)...)
}

// relative shortens a path in the clone.
func (p place) relative(path string) string {
	if short, err := filepath.Rel(p.root, path); err == nil && !strings.HasPrefix(short, "..") {
		return short
	}
	return path
}

// ask runs a program in the clone and returns the first line that it prints.
func (p place) ask(ctx context.Context, program string, arguments ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, answerTimeout)
	defer cancel()
	command := exec.CommandContext(ctx, program, arguments...)
	command.Dir = p.root
	command.WaitDelay = time.Second
	out, err := command.Output()
	line, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	return line, err
}

func (p place) goCommand(ctx context.Context) Part {
	part := Part{Name: "Go", Required: true, Fix: setUp + " (it downloads the Go that go.mod names)"}
	// The kernel spec names the Go that the set-up chose, which may not be in PATH.
	program := "go"
	if spec, err := kernelspec.Read(kernelspec.Dir(p.root)); err == nil {
		program = findIn(spec.Env["PATH"], "go", program)
	}
	version, err := p.ask(ctx, program, "env", "GOVERSION")
	if err != nil {
		part.Detail = "no go command"
		return part
	}
	part.Version = strings.TrimPrefix(version, "go")
	text, err := os.ReadFile(filepath.Join(p.root, "go.mod"))
	if err != nil {
		part.Detail = err.Error()
		return part
	}
	if want := wantedGo(string(text)); compareVersions(part.Version, want) < 0 {
		part.Detail = "go.mod wants " + want + " or newer"
		return part
	}
	part.Found = true
	return part
}

var goLine = regexp.MustCompile(`(?m)^go (\S+)$`)

func wantedGo(goMod string) string {
	if match := goLine.FindStringSubmatch(goMod); match != nil {
		return match[1]
	}
	return "1.21"
}

// findIn returns the program in the folders of path, or the fallback.
func findIn(path, program, fallback string) string {
	for _, dir := range filepath.SplitList(path) {
		if info, err := os.Stat(filepath.Join(dir, program)); err == nil && info.Mode()&0o111 != 0 {
			return filepath.Join(dir, program)
		}
	}
	return fallback
}

// hostPrograms says whether wgslab grade can run the programs that learners write in Go.
func hostPrograms(context.Context) Part {
	part := Part{Name: "grading programs in Go", Found: jail.Confines, Fix: "wgslab grade marks them as needing execution here: grade on Linux, or with the Docker image"}
	switch {
	case !jail.Confines:
		part.Detail = "this system can't confine them"
	case !jail.HidesFiles():
		part.Version = "without Landlock"
	default:
		part.Version = "in jail"
	}
	return part
}

func (p place) compiler(ctx context.Context) Part {
	return p.program(ctx, Part{Name: "C compiler", Required: true, Fix: "Debian, Ubuntu: sudo apt-get install gcc libc6-dev"}, "gcc")
}

func (p place) mold(ctx context.Context) Part {
	return p.program(ctx, Part{Name: "mold", Fix: "without it cells take twice as long to link; Debian, Ubuntu: sudo apt-get install mold, then make setup"}, "mold")
}

// program finds a program in PATH and asks for its version.
func (p place) program(ctx context.Context, part Part, name string) Part {
	line, err := p.ask(ctx, name, "--version")
	if err != nil {
		return part
	}
	part.Found, part.Version = true, firstVersion(line)
	return part
}

var aVersion = regexp.MustCompile(`\d+(\.\d+)+`)

func firstVersion(line string) string {
	if version := aVersion.FindString(line); version != "" {
		return version
	}
	return line
}

// The places where systems keep the Vulkan loader and the descriptions of Vulkan drivers.
var (
	libraryDirs = []string{
		"/usr/lib/*-linux-gnu", "/usr/lib64", "/usr/lib", "/usr/local/lib", "/lib64", "/lib",
	}
	driverDirs = []string{"/etc/vulkan/icd.d", "/usr/local/share/vulkan/icd.d", "/usr/share/vulkan/icd.d"}
)

// driverVariables are environment variables that restrict the loader to the drivers that they name.
// The first one that is set counts.
var driverVariables = []string{"VK_DRIVER_FILES", "VK_ICD_FILENAMES"}

func (p place) loader(context.Context) Part {
	part := Part{Name: "Vulkan loader", Fix: "Vulkan finds no driver without it; Debian, Ubuntu: sudo apt-get install libvulkan1"}
	path, found := findLibrary("libvulkan.so.1")
	if !found {
		return part
	}
	part.Found, part.Detail = true, path
	if file, err := filepath.EvalSymlinks(path); err == nil {
		part.Version = strings.TrimPrefix(filepath.Base(file), "libvulkan.so.")
	}
	return part
}

// findLibrary finds a shared library by the linker's name for it.
func findLibrary(name string) (path string, found bool) {
	for _, dir := range append(filepath.SplitList(os.Getenv("LD_LIBRARY_PATH")), libraryDirs...) {
		if paths, _ := filepath.Glob(filepath.Join(dir, name)); len(paths) > 0 {
			return paths[0], true
		}
	}
	return "", false
}

func (p place) drivers(context.Context) Part {
	part := Part{Name: "Vulkan drivers", Fix: "Debian, Ubuntu: sudo apt-get install mesa-vulkan-drivers (it needs no GPU), or your GPU's own driver"}
	files := driverFiles()
	if len(files) == 0 {
		return part
	}
	var names []string
	for _, file := range files {
		name, _, _ := strings.Cut(filepath.Base(file), ".")
		names = append(names, strings.TrimSuffix(name, "_icd"))
	}
	slices.Sort(names)
	part.Found, part.Version = true, strings.Join(slices.Compact(names), ", ")
	return part
}

// driverFiles lists the drivers as the Vulkan loader does: only those that the environment names,
// or otherwise those in the system's folders.
func driverFiles() []string {
	for _, variable := range driverVariables {
		if list, set := os.LookupEnv(variable); set {
			return slices.DeleteFunc(filepath.SplitList(list), func(file string) bool {
				_, err := os.Stat(file)
				return err != nil
			})
		}
	}
	var files []string
	for _, dir := range driverDirs {
		found, _ := filepath.Glob(filepath.Join(dir, "*.json"))
		files = append(files, found...)
	}
	return files
}

// oldMesa is the version whose CPU driver is five times slower than newer ones.
const oldMesa = "24"

func (p place) mesa(ctx context.Context) Part {
	part := Part{Name: "Mesa", Fix: "Mesa before 24 is five times slower; " + setUp + " (Debian 12: from bookworm-backports)"}
	line, err := p.ask(ctx, "dpkg-query", "--show", "--showformat=${Version}", "mesa-vulkan-drivers")
	if err != nil || line == "" {
		part.Detail, part.Fix = "not installed as a Debian package", ""
		return part
	}
	part.Version = firstVersion(line)
	part.Found = compareVersions(part.Version, oldMesa) >= 0
	return part
}

func (p place) python(ctx context.Context) Part {
	part := Part{Name: "Python in .venv", Required: true, Fix: setUp}
	version, err := p.ask(ctx, p.venv("bin", "python"), "-V")
	if err != nil {
		return part
	}
	part.Found, part.Version = true, firstVersion(version)
	return part
}

// jupyterLab reads the version from the package's folder, because JupyterLab itself takes a second
// to print it.
func (p place) jupyterLab(context.Context) Part {
	part := Part{Name: "JupyterLab", Required: true, Fix: setUp}
	if _, err := os.Stat(p.venv("bin", "jupyter-lab")); err != nil {
		return part
	}
	found, _ := filepath.Glob(p.venv("lib", "python3*", "site-packages", "jupyterlab-[0-9]*.dist-info"))
	if len(found) == 0 {
		return part
	}
	name := strings.TrimSuffix(filepath.Base(found[0]), ".dist-info")
	part.Found, part.Version = true, strings.TrimPrefix(name, "jupyterlab-")
	return part
}

func (p place) gonb(context.Context) Part      { return p.tool("gonb") }
func (p place) goimports(context.Context) Part { return p.tool("goimports") }
func (p place) gopls(context.Context) Part     { return p.tool("gopls") }

// tool finds a Go program that the set-up built.
func (p place) tool(name string) Part {
	part := Part{Name: name, Required: true, Fix: setUp}
	info, err := buildinfo.ReadFile(p.bin(name))
	if err != nil {
		return part
	}
	part.Found, part.Version = true, strings.TrimPrefix(info.Main.Version, "v")
	return part
}

func (p place) kernel(context.Context) Part {
	part := Part{Name: "Jupyter kernel", Required: true, Fix: setUp}
	spec, err := kernelspec.Read(kernelspec.Dir(p.root))
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			part.Detail = err.Error()
		}
		return part
	}
	if part.Detail = p.wrongWith(spec); part.Detail != "" {
		return part
	}
	part.Found, part.Version, part.Detail = true, spec.DisplayName, p.relative(kernelspec.Dir(p.root))
	return part
}

// wrongWith says why the kernel spec would not start a kernel for this clone.
func (p place) wrongWith(spec kernelspec.Spec) string {
	switch {
	case !slices.Contains(spec.Argv, p.bin("gonb")):
		return "it starts another clone's gonb"
	case spec.Argv[0] != p.bin("gonb") && spec.Argv[0] != kernelspec.Program(p.root): // GoNB alone, or started by wgslab's own kernel
		return "it starts another clone's wgslab"
	case !slices.Contains(spec.Argv, "-go_work="+p.root):
		return "its cells import another clone's packages"
	case findIn(spec.Env["PATH"], "go", "") == "":
		return "the Go that it uses is gone"
	}
	return ""
}

// wgsl reports whether JupyterLab knows the language of shaders.
func (p place) wgsl(context.Context) Part {
	part := Part{Name: "WGSL in JupyterLab", Detail: labextension.Missing(p.root), Fix: setUp + "; without it JupyterLab colours shaders as Go"}
	if part.Detail == "" {
		part.Found, part.Detail = true, p.relative(labextension.Dir(p.root))
	}
	return part
}

// mnist reports the folder of the training images; the test images are in the program.
func (p place) mnist(context.Context) Part {
	part := Part{Name: "MNIST", Found: true, Version: "10,000 test images"}
	folders := mnist.Folders()
	at := slices.IndexFunc(folders, mnist.TrainFilesIn)
	switch {
	case at >= 0:
		part.Detail = "60,000 for training in " + folders[at]
	case os.Getenv("WGSLAB_MNIST") != "":
		part.Found, part.Detail = false, "none for training in "+folders[0]
		part.Fix = "put MNIST's two training files into this folder, or unset WGSLAB_MNIST: wgslab train then downloads them"
	default:
		part.Detail = "wgslab train downloads 60,000 for training"
	}
	return part
}

func (p place) weights(context.Context) Part {
	part := Part{Name: "Trained weights", Fix: "git checkout weights, or train your own: wgslab train"}
	found, _ := filepath.Glob(filepath.Join(p.root, "weights", "*.safetensors"))
	if len(found) > 0 {
		part.Found, part.Version = true, p.relative(found[0])
	}
	return part
}

// adapter reports what runs the shaders. There is always an adapter, unless a driver crashes, or
// the environment requires an adapter that doesn't exist.
func adapter(found *shader.Adapter, err error) Part {
	part := Part{Name: Adapter, Required: true, Fix: "fix the Vulkan loader and driver above; a new GPU may need a restart of this machine; " +
		"to work without a driver: export " + gpu.EngineVariable + "=simulator"}
	switch {
	case err != nil:
		part.Detail = err.Error()
		return part
	case found.Kind != shader.Simulated:
		part.Version = found.String()
	case os.Getenv(gpu.EngineVariable) != "":
		part.Version, part.Detail = "simulator: serves", gpu.EngineVariable+" asks for it"
	default:
		part.Version, part.Detail = "simulator: serves", "no driver answered; with one, even without a GPU, large products are at least ten times faster"
	}
	part.Found = true
	return part
}

// compareVersions compares dotted versions number by number.
func compareVersions(a, b string) int {
	return slices.Compare(numbers(a), numbers(b))
}

func numbers(version string) []int {
	var list []int
	for _, digits := range regexp.MustCompile(`\d+`).FindAllString(version, -1) {
		n, err := strconv.Atoi(digits)
		if err != nil {
			break // no version has a number that large
		}
		list = append(list, n)
	}
	return list
}
