package doctor

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// newMachine makes a file system with a GPU that the named kernel driver drives.
func newMachine(t *testing.T, kernel string) (root, device string) {
	t.Helper()
	root = t.TempDir()
	if kernel == "nvidia" {
		device = filepath.Join(root, "dev", "nvidia0")
		writeFile(t, filepath.Join(root, "dev", "nvidiactl"), "", 0o666)
	} else {
		device = filepath.Join(root, "dev", "dri", "renderD128")
		card := filepath.Join(root, "sys", "class", "drm", "renderD128", "device")
		require.NoError(t, os.MkdirAll(card, 0o755))
		require.NoError(t, os.Symlink("../../../bus/pci/drivers/"+kernel, filepath.Join(card, "driver")))
	}
	writeFile(t, device, "", 0o666)
	return root, device
}

var lavapipe = &shader.Adapter{Name: "llvmpipe", Kind: shader.CPU, Backend: "vulkan"}

func TestAMachineWithoutAGPUIsComplete(t *testing.T) {
	part := gpus(gpuFiles(t.TempDir()), []string{"lvp_icd.json"}, lavapipe)
	require.True(t, part.Found)
	require.Equal(t, "none, and none is needed", part.Version)
}

func TestAGPUThatComputesIsInUse(t *testing.T) {
	root, _ := newMachine(t, "nvidia")
	part := gpus(gpuFiles(root), []string{"nvidia_icd.json"}, &shader.Adapter{Name: "NVIDIA H200", Kind: shader.GPU})
	require.True(t, part.Found)
	require.Equal(t, "in use", part.Version)
	require.Empty(t, part.Detail)
}

func TestAGPUBesideTheOneInUseGetsAWord(t *testing.T) {
	nvidia := &shader.Adapter{Name: "NVIDIA GeForce RTX 4070", Kind: shader.GPU}
	amd := &shader.Adapter{Name: "AMD Radeon RX 7900 XT (RADV NAVI31)", Kind: shader.GPU}
	first, second := gpuFile{"/dev/nvidia0", "nvidia"}, gpuFile{"/dev/nvidia1", "nvidia"}
	control, display := gpuFile{"/dev/nvidiactl", "nvidia"}, gpuFile{"/dev/dri/renderD128", "nvidia"}
	intel, radeon := gpuFile{"/dev/dri/renderD129", "i915"}, gpuFile{"/dev/dri/renderD130", "amdgpu"}
	console := gpuFile{"/dev/dri/renderD131", "virtio-pci"}
	const word = "wgslab computes on one GPU; not used: "
	for _, c := range []struct {
		adapter *shader.Adapter
		files   []gpuFile
		want    string
	}{
		{nvidia, []gpuFile{first, control, display, console}, ""},
		{nvidia, []gpuFile{first, control, display, intel}, word + "/dev/dri/renderD129 (i915)"},
		{nvidia, []gpuFile{first, second, control}, word + "1 of 2 of its kind"},
		{amd, []gpuFile{intel, radeon}, word + "/dev/dri/renderD129 (i915)"},
	} {
		part := gpus(c.files, nil, c.adapter)
		require.True(t, part.Found)
		require.Equal(t, c.want, part.Detail)
	}
}

func TestWhyAGPUIsNotUsed(t *testing.T) {
	libraries := t.TempDir()
	t.Setenv("LD_LIBRARY_PATH", libraries)
	for _, name := range nvidiaLibraries {
		writeFile(t, filepath.Join(libraries, name), "", 0o644)
	}
	for _, c := range []struct {
		kernel, driver, detail, fix string
	}{
		{"nvidia", "lvp_icd.json", "it has no Vulkan driver", "NVIDIA_DRIVER_CAPABILITIES must include graphics"},
		{"nvidia", "/etc/vulkan/icd.d/nvidia_icd.json", "no Vulkan driver accepted it", "vulkaninfo"},
		{"amdgpu", "lvp_icd.json", "it has no Vulkan driver", "mesa-vulkan-drivers"},
		{"amdgpu", "/usr/share/vulkan/icd.d/radeon_icd.json", "no Vulkan driver accepted it", "vulkaninfo"},
		{"i915", "radeon_icd.json", "it has no Vulkan driver", "mesa-vulkan-drivers"},
		{"virtio-pci", "lvp_icd.json", "no Vulkan driver accepted it", "vulkaninfo"},
	} {
		t.Run(c.kernel+" "+filepath.Base(c.driver), func(t *testing.T) {
			root, device := newMachine(t, c.kernel)
			part := gpus(gpuFiles(root), []string{c.driver}, lavapipe)
			require.False(t, part.Found)
			require.False(t, part.Required)
			require.Contains(t, part.Detail, device)
			require.Contains(t, part.Detail, c.detail)
			require.Contains(t, part.Fix, c.fix)
		})
	}
}

func TestNVIDIAsDriverWantsLibrariesThatOthersBring(t *testing.T) {
	usual := libraryDirs
	t.Cleanup(func() { libraryDirs = usual })
	libraries := t.TempDir()
	libraryDirs = []string{libraries}
	t.Setenv("LD_LIBRARY_PATH", "")
	root, _ := newMachine(t, "nvidia")
	for _, name := range nvidiaLibraries {
		part := gpus(gpuFiles(root), []string{"nvidia_icd.json"}, lavapipe)
		require.Contains(t, part.Detail, "its Vulkan driver needs "+name)
		require.Contains(t, part.Fix, "libegl1 libxext6")
		writeFile(t, filepath.Join(libraries, name), "", 0o644)
	}
	part := gpus(gpuFiles(root), []string{"nvidia_icd.json"}, lavapipe)
	require.Contains(t, part.Detail, "no Vulkan driver accepted it")
}

func TestDriversThatTheEnvironmentRulesOut(t *testing.T) {
	t.Setenv("VK_DRIVER_FILES", "/x/lvp_icd.json")
	root, _ := newMachine(t, "nvidia")
	part := gpus(gpuFiles(root), driverFiles(), nil)
	require.Contains(t, part.Fix, `VK_DRIVER_FILES allows only "/x/lvp_icd.json": unset it`)
}

// A test that runs as root may open the device whatever its mode, so it then expects the error of
// the file that is missing.
func TestAGPUThatItsUserMayNotOpen(t *testing.T) {
	_, device := newMachine(t, "amdgpu")
	require.NoError(t, os.Chmod(device, 0o060))
	require.Contains(t, allow(device), "--group-add "+strconv.Itoa(os.Getgid()))
	require.NoError(t, os.Chmod(device, 0o000))
	require.Contains(t, allow(device), "ask the administrator")

	gone := filepath.Join(t.TempDir(), "gone")
	reason, _ := whyUnused([]gpuFile{{path: device}, {path: gone}}, nil)
	if os.Getuid() == 0 {
		require.Contains(t, reason, "has no access to "+gone)
	} else {
		require.Contains(t, reason, "has no access to "+device)
	}
}
