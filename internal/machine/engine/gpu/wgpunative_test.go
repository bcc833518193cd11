package gpu_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// pairs lists our declarations in wgpunative.go with those in the headers of the binding: each
// struct and the members that we use.
var pairs = []struct {
	ours, theirs string
	members      map[string]string
}{
	{"chained", "WGPUChainedStruct", map[string]string{"next": "next", "sType": "sType"}},
	{"instance_extras", "WGPUInstanceExtras", map[string]string{"chain": "chain", "backends": "backends", "flags": "flags", "dxcPath": "dxcPath"}},
	{"instance_descriptor", "WGPUInstanceDescriptor", map[string]string{"next": "nextInChain"}},
	{"supported_limits", "WGPUSupportedLimits", map[string]string{"next": "nextInChain", "limits": "limits"}},
	{"wgpu_limits", "WGPULimits", map[string]string{
		"maxBufferSize": "maxBufferSize", "maxStorageBufferBindingSize": "maxStorageBufferBindingSize", "maxUniformBufferBindingSize": "maxUniformBufferBindingSize",
		"maxStorageBuffers": "maxStorageBuffersPerShaderStage", "maxComputeWorkgroupStorageSize": "maxComputeWorkgroupStorageSize",
		"maxComputeInvocationsPerWorkgroup": "maxComputeInvocationsPerWorkgroup", "maxComputeWorkgroupSizeX": "maxComputeWorkgroupSizeX",
		"maxComputeWorkgroupSizeY": "maxComputeWorkgroupSizeY", "maxComputeWorkgroupSizeZ": "maxComputeWorkgroupSizeZ",
		"maxComputeWorkgroupsPerDimension": "maxComputeWorkgroupsPerDimension"}},
	{"timestamp_writes", "WGPUComputePassTimestampWrites", map[string]string{"querySet": "querySet", "begin": "beginningOfPassWriteIndex", "end": "endOfPassWriteIndex"}},
	{"pass_descriptor", "WGPUComputePassDescriptor", map[string]string{"next": "nextInChain", "label": "label", "timestamps": "timestampWrites"}},
}

var constants = map[string]string{
	"instance_extras_type": "WGPUSType_InstanceExtras",
	"backends_primary":     "WGPUInstanceBackend_Primary",
	"map_mode_read":        "WGPUMapMode_Read",
	"filter_validation":    "WGPUErrorFilter_Validation",
	"filter_out_of_memory": "WGPUErrorFilter_OutOfMemory",
	"no_error":             "WGPUErrorType_NoError",
	"map_success":          "WGPUBufferMapAsyncStatus_Success",
}

// The declarations in wgpunative.go agree with the headers of the pinned binding:
// each struct's size and members, each constant, and each function.
func TestNativeDeclarations(t *testing.T) {
	source, err := os.ReadFile("wgpunative.go")
	require.NoError(t, err)
	declarations := regexp.MustCompile(`(?s)typedef struct chained.*?\nstatic void \*create_instance`).FindString(string(source))
	types, functions, found := strings.Cut(declarations, "NATIVE void *wgpuCreateInstance")
	require.True(t, found)

	var c strings.Builder
	fmt.Fprintf(&c, "#include <stddef.h>\n#include <stdint.h>\n#include \"wgpu.h\"\n%s\n", types)
	for _, p := range pairs {
		fmt.Fprintf(&c, "_Static_assert(sizeof(%s) == sizeof(%s), \"size of %s\");\n", p.ours, p.theirs, p.ours)
		for ours, theirs := range p.members {
			fmt.Fprintf(&c, "_Static_assert(offsetof(%s, %s) == offsetof(%s, %s), \"%s.%s\");\n", p.ours, ours, p.theirs, theirs, p.ours, ours)
			fmt.Fprintf(&c, "_Static_assert(sizeof(((%s *)0)->%s) == sizeof(((%s *)0)->%s), \"%s.%s\");\n", p.ours, ours, p.theirs, theirs, p.ours, ours)
		}
	}
	for ours, theirs := range constants {
		fmt.Fprintf(&c, "_Static_assert((int)%s == (int)%s, \"%s\");\n", ours, theirs, ours)
	}
	// In C, a second declaration of a function with other types is an error.
	c.WriteString("#define NATIVE extern\n" + withHeaderTypes.Replace("NATIVE void *wgpuCreateInstance"+strings.TrimSuffix(functions, "static void *create_instance")))
	compileC(t, c.String())
}

// withHeaderTypes names the types that wgpunative.go calls void.
var withHeaderTypes = strings.NewReplacer(
	"void *wgpuCreateInstance", "WGPUInstance wgpuCreateInstance",
	"void *wgpuCommandEncoderBeginComputePass", "WGPUComputePassEncoder wgpuCommandEncoderBeginComputePass",
	"void *adapter", "WGPUAdapter adapter",
	"void *device", "WGPUDevice device",
	"void const *index", "WGPUWrappedSubmissionIndex const *index",
	"void *queue", "WGPUQueue queue",
	"void *const *commands", "WGPUCommandBuffer const *commands",
	"void *buffer", "WGPUBuffer buffer",
	"void *encoder", "WGPUCommandEncoder encoder",
	"void *pass", "WGPUComputePassEncoder pass",
	"void *pipeline", "WGPUComputePipeline pipeline",
	"void *group", "WGPUBindGroup group",
	"instance_descriptor", "WGPUInstanceDescriptor",
	"supported_limits", "WGPUSupportedLimits",
	"pass_descriptor", "WGPUComputePassDescriptor",
)

func compileC(t *testing.T, source string) {
	t.Helper()
	folder, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/cogentcore/webgpu").Output()
	require.NoError(t, err)
	compiler, err := exec.Command("go", "env", "CC").Output()
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "declarations.c")
	require.NoError(t, os.WriteFile(file, []byte(source), 0o600))
	headers := filepath.Join(strings.TrimSpace(string(folder)), "wgpu", "lib")
	// The headers' enums and our uint32_t are passed alike. gcc 13 and newer warn about it; older
	// versions ignore the flag's unknown name.
	flags := []string{"-fsyntax-only", "-Wall", "-Werror", "-Wno-enum-int-mismatch", "-I", headers, file}
	said, err := exec.Command(strings.TrimSpace(string(compiler)), flags...).CombinedOutput()
	require.NoError(t, err, "%s\n%s", said, source)
}
