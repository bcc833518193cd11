package doctor

import (
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/machine/shader"
)

// A gpuFile is the file through which programs access a GPU of this machine.
type gpuFile struct {
	path   string // "/dev/dri/renderD128"
	kernel string // the kernel's driver, "amdgpu"; "" if the system does not tell
}

// gpuFiles lists the GPUs of the machine whose file system is at root. NVIDIA's own driver has its
// own files, and has the common ones only if it serves a display.
func gpuFiles(root string) []gpuFile {
	var files []gpuFile
	for _, name := range []string{"nvidia[0-9]*", "nvidiactl"} {
		nvidia, _ := filepath.Glob(filepath.Join(root, "dev", name))
		for _, path := range nvidia {
			files = append(files, gpuFile{path, "nvidia"})
		}
	}
	render, _ := filepath.Glob(filepath.Join(root, "dev", "dri", "renderD*"))
	for _, path := range render {
		file := gpuFile{path: path}
		if driver, err := os.Readlink(filepath.Join(root, "sys", "class", "drm", filepath.Base(path), "device", "driver")); err == nil {
			file.kernel = filepath.Base(driver)
		}
		files = append(files, file)
	}
	return files
}

// vulkanNames maps a kernel driver to the beginnings of the names of its Vulkan drivers'
// descriptions.
var vulkanNames = map[string][]string{
	"nvidia":  {"nvidia"},
	"nouveau": {"nouveau"},
	"amdgpu":  {"radeon", "amd"},
	"radeon":  {"radeon", "amd"},
	"i915":    {"intel"},
	"xe":      {"intel"},
}

// nvidiaLibraries lists libraries that NVIDIA's Vulkan driver needs and does not ship. It links
// libXext, and loads libEGL if there is no display (observed with 580.159).
var nvidiaLibraries = []string{"libXext.so.6", "libEGL.so.1"}

// gpus reports whether shaders run on this machine's GPU, if it has one, and if not, why. adapter
// is the chosen adapter, or nil.
func gpus(files []gpuFile, drivers []string, adapter *shader.Adapter) Part {
	part := Part{Name: GPU}
	switch {
	case adapter != nil && adapter.Kind == shader.GPU:
		part.Found, part.Version, part.Detail = true, "in use", besides(files, adapter)
	case len(files) == 0:
		part.Found, part.Version = true, "none, and none is needed"
	default:
		part.Version = "not used"
		part.Detail, part.Fix = whyUnused(files, drivers)
	}
	return part
}

// makers maps words in an adapter's name to the kernel driver for it.
var makers = map[string]string{
	"nvidia": "NVIDIA", "nouveau": "NVIDIA", "amdgpu": "AMD", "radeon": "AMD", "i915": "Intel", "xe": "Intel",
}

// besides names the machine's GPUs that stay idle besides the one in use, or returns "" if there
// are none. If several have the same maker, it does not say which one is idle.
func besides(files []gpuFile, adapter *shader.Adapter) string {
	var idle []string
	same := 0
	for _, file := range files {
		maker, known := makers[file.kernel]
		switch {
		case known && !strings.Contains(adapter.Name, maker):
			idle = append(idle, fmt.Sprintf("%s (%s)", file.path, file.kernel))
		case known && file.isCard():
			same++
		}
	}
	if same > 1 {
		idle = append(idle, fmt.Sprintf("%d of %d of its kind", same-1, same))
	}
	if len(idle) == 0 {
		return ""
	}
	return "wgslab computes on one GPU; not used: " + strings.Join(idle, ", ")
}

// isCard reports whether the file belongs to one GPU. It is false for a file that all GPUs of a
// kind share, and for the second file that NVIDIA's driver has for the same GPU.
func (f gpuFile) isCard() bool {
	name := filepath.Base(f.path)
	return name != "nvidiactl" && (f.kernel != "nvidia" || strings.HasPrefix(name, "nvidia"))
}

// whyUnused returns the reason why no shader runs on a GPU. It checks the obstacles in the order in
// which a driver meets them.
func whyUnused(files []gpuFile, drivers []string) (reason, fix string) {
	for _, file := range files {
		if !mayUse(file.path) {
			return fmt.Sprintf("user %d has no access to %s", os.Getuid(), file.path), allow(file.path)
		}
	}
	file := files[0]
	names, known := vulkanNames[file.kernel]
	drives := func(driver string) bool {
		return slices.ContainsFunc(names, func(name string) bool { return strings.HasPrefix(filepath.Base(driver), name) })
	}
	if known && !slices.ContainsFunc(drivers, drives) {
		return fmt.Sprintf("%s is present, but it has no Vulkan driver", file.path), bringDriver(file.kernel)
	}
	if file.kernel == "nvidia" {
		for _, library := range nvidiaLibraries {
			if _, found := findLibrary(library); !found {
				return fmt.Sprintf("%s is present, but its Vulkan driver needs %s", file.path, library),
					"Debian, Ubuntu: sudo apt-get install libegl1 libxext6"
			}
		}
	}
	return fmt.Sprintf("%s is present, but no Vulkan driver accepted it", file.path),
		"vulkaninfo --summary shows Vulkan's own report (Debian, Ubuntu: sudo apt-get install vulkan-tools)"
}

// allow says how to give the user access to a file.
func allow(path string) string {
	info, err := os.Stat(path)
	if err != nil {
		return "pass the device itself to the container"
	}
	group, ok := groupOf(info)
	if !ok || info.Mode().Perm()&0o060 != 0o060 {
		return "ask the administrator of this machine for access: its permissions are " + info.Mode().Perm().String()
	}
	name := group
	if known, err := user.LookupGroupId(group); err == nil {
		name = known.Name
	}
	return fmt.Sprintf("sudo usermod -aG %s $USER, then log in again; for a container: --group-add %s", name, group)
}

// bringDriver says how to install the Vulkan driver for a kernel driver.
func bringDriver(kernel string) string {
	for _, variable := range driverVariables {
		if list, set := os.LookupEnv(variable); set {
			return fmt.Sprintf("%s allows only %q: unset it", variable, list)
		}
	}
	if kernel == "nvidia" {
		return "install the Vulkan part of NVIDIA's driver; for a container: the host needs it, and NVIDIA_DRIVER_CAPABILITIES must include graphics"
	}
	return "Debian, Ubuntu: sudo apt-get install mesa-vulkan-drivers"
}
