package jail

import (
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/course"
	"golang.org/x/sys/unix"
)

// A rule allows access to a file, or to a folder and everything in it.
type rule struct {
	path   string
	rights uint64
}

// system lists what drivers, their loader and Go read. It names no folder in which somebody keeps
// submissions: nbgrader's exchange is in /usr/local/share, and others use /opt or /srv.
var system = []string{
	"/proc/self/exe", // this program
	"/lib", "/lib32", "/lib64", "/usr/lib", "/usr/lib32", "/usr/lib64",
	"/usr/local/lib", "/usr/local/lib64", "/etc/ld.so.cache",
	"/nix/store", "/gnu/store", "/run/opengl-driver",
	"/usr/share/vulkan", "/usr/local/share/vulkan", "/etc/vulkan", "/etc/xdg/vulkan",
	"/usr/share/drirc.d", "/etc/drirc", "/usr/share/libdrm",
	"/usr/share/glvnd", "/etc/glvnd", "/usr/share/nvidia", "/etc/nvidia",
	"/sys/devices", "/sys/class", "/sys/bus", "/sys/dev", "/sys/module",
	"/sys/fs/cgroup", "/sys/kernel/mm",
	"/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/proc/version", "/proc/devices",
	"/proc/modules", "/proc/filesystems", "/proc/driver", "/proc/sys/vm", "/proc/sys/kernel",
	"/dev/zero", "/dev/full", "/dev/random", "/dev/urandom",
}

// hardware lists the devices that drivers open, as patterns.
var hardware = []string{
	"/dev/null", "/dev/dri", "/dev/nvidia*", "/dev/kfd", "/dev/dxg", "/dev/mali*", "/dev/udmabuf",
}

// neededFiles returns rules for everything that a check needs outside its folder.
func neededFiles() []rule {
	rules := driverFiles()
	for _, path := range system {
		rules = append(rules, rule{path, reading})
	}
	for _, path := range globbed(hardware...) {
		rules = append(rules, rule{path, using})
	}
	if pack := course.PackFolder(); pack != "" {
		rules = append(rules, rule{pack, reading})
	}
	if coverage := os.Getenv("GOCOVERDIR"); coverage != "" {
		rules = append(rules, rule{coverage, using | unix.LANDLOCK_ACCESS_FS_MAKE_REG})
	}
	return rules
}

// driverFiles returns rules for drivers outside the system's folders: those that the machine's
// settings name, and those that the grader's environment names. Of the latter's folders, which may
// hold anything, it allows only libraries.
func driverFiles() []rule {
	var rules []rule
	for _, folder := range libraryFolders() {
		rules = append(rules, rule{folder, reading})
	}
	folders := filepath.SplitList(os.Getenv("LD_LIBRARY_PATH"))
	for _, path := range manifestPaths() {
		manifests := []string{path}
		if !strings.HasSuffix(path, ".json") { // as the loaders decide
			rules = append(rules, rule{path, unix.LANDLOCK_ACCESS_FS_READ_DIR})
			manifests = globbed(filepath.Join(path, "*.json"))
		}
		for _, manifest := range manifests {
			rules = append(rules, rule{manifest, readingFiles})
			if library := libraryOf(manifest); library != "" {
				folders = append(folders, filepath.Dir(library))
			}
		}
	}
	slices.Sort(folders)
	for _, folder := range slices.Compact(folders) {
		if filepath.IsAbs(folder) { // relative to a check's folder, there is nothing
			for _, library := range globbed(filepath.Join(folder, "*.so*")) {
				rules = append(rules, rule{library, readingFiles})
			}
		}
	}
	return rules
}

// libraryFolders returns the folders in which the dynamic linker looks, besides its own.
func libraryFolders() []string {
	var folders []string
	for _, file := range globbed("/etc/ld.so.conf", "/etc/ld.so.conf.d/*.conf") {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // the linker can't read it either
		}
		for line := range strings.Lines(string(text)) {
			if line = strings.TrimSpace(line); filepath.IsAbs(line) {
				folders = append(folders, line)
			}
		}
	}
	return folders
}

// manifestPaths returns the files and folders that tell Vulkan's loader about drivers and layers,
// and EGL's about drivers: NVIDIA's Vulkan driver asks both. In a container they are often links.
func manifestPaths() []string {
	var paths []string
	folders := filepath.SplitList(os.Getenv("XDG_DATA_DIRS"))
	for _, data := range append(folders, "/etc", "/etc/xdg", "/usr/share", "/usr/local/share") {
		paths = append(paths, globbed(filepath.Join(data, "vulkan", "*.d"), filepath.Join(data, "glvnd", "egl_vendor.d"))...)
	}
	for _, name := range []string{
		"VK_DRIVER_FILES", "VK_ADD_DRIVER_FILES", "VK_ICD_FILENAMES", "VK_LAYER_PATH", "VK_ADD_LAYER_PATH",
		"__EGL_VENDOR_LIBRARY_FILENAMES", "__EGL_VENDOR_LIBRARY_DIRS",
	} {
		paths = append(paths, filepath.SplitList(os.Getenv(name))...)
	}
	return paths
}

// libraryOf returns the path of the library that a manifest names, or "" if it names none or only
// a name for the dynamic linker to find.
func libraryOf(manifest string) string {
	type named struct {
		Path string `json:"library_path"`
	}
	var m struct{ ICD, Layer named }
	text, err := os.ReadFile(manifest)
	if err != nil || json.Unmarshal(text, &m) != nil {
		return "" // the loader skips it as well
	}
	path := cmp.Or(m.ICD.Path, m.Layer.Path)
	switch {
	case !strings.Contains(path, "/"):
		return ""
	case filepath.IsAbs(path):
		return path
	}
	return filepath.Join(filepath.Dir(manifest), path)
}

// globbed returns the paths that match any of the patterns. A pattern that is none matches nothing.
func globbed(patterns ...string) []string {
	var paths []string
	for _, pattern := range patterns {
		found, _ := filepath.Glob(pattern)
		paths = append(paths, found...)
	}
	return paths
}
