package webgpu

import (
	"fmt"
	"strings"
)

// MapMode says what a mapping is for (§ Buffer Mapping).
type MapMode uint32

// The modes of a mapping.
const (
	MapModeNone  MapMode = 0
	MapModeRead  MapMode = 0x1
	MapModeWrite MapMode = 0x2
)

// MapStatus is how a mapping ended, with the numbers of the Go binding.
type MapStatus uint32

// The ends of a mapping.
const (
	MapSucceeded MapStatus = iota
	MapInvalid
	mapUnknown
	MapDeviceLost
	MapBufferDestroyed
	MapUnmapped
	MapAlreadyPending
)

// MapState is whether a buffer is mapped.
type MapState uint32

// The states of a buffer.
const (
	MapStateUnmapped MapState = iota
	MapStatePending
	MapStateMapped
)

// ShaderStage is the set of stages that see a binding.
type ShaderStage uint32

// The stages of shaders.
const (
	ShaderStageNone     ShaderStage = 0
	ShaderStageVertex   ShaderStage = 0x1
	ShaderStageFragment ShaderStage = 0x2
	ShaderStageCompute  ShaderStage = 0x4

	allStages = ShaderStageVertex | ShaderStageFragment | ShaderStageCompute
)

// stageNames are the names of the stages, by the number of their flag's bit.
var stageNames = [...]string{"vertex shaders", "fragment shaders", "compute shaders"}

// names returns the flags with WebGPU's names.
func (s ShaderStage) names() (names []string) {
	for i, name := range []string{"VERTEX", "FRAGMENT", "COMPUTE"} {
		if s&(1<<i) != 0 {
			names = append(names, "GPUShaderStage."+name)
		}
	}
	return names
}

// BufferBindingType is how a shader sees a buffer (§ Bind Group Layout Creation).
type BufferBindingType uint32

// The types of buffer bindings, with the numbers of the Go binding.
const (
	BufferBindingTypeUndefined BufferBindingType = iota
	BufferBindingTypeUniform
	BufferBindingTypeStorage
	BufferBindingTypeReadOnlyStorage
)

var bindingTypeNames = []string{"undefined", "uniform", "storage", "read-only-storage"}

// String returns WebGPU's name of the type.
func (t BufferBindingType) String() string {
	if int(t) < len(bindingTypeNames) {
		return bindingTypeNames[t]
	}
	return "unknown"
}

// FeatureName is an optional capability of an adapter, with the numbers of the Go binding. Those
// that it lacks have other numbers.
type FeatureName uint32

// The features that a compute program here can get.
const (
	FeatureTimestampQuery FeatureName = 3
	FeatureShaderF16      FeatureName = 8
	FeatureSubgroups      FeatureName = 0x40000
)

// featureNames are the names of all features (§ Feature Index), by their numbers.
var featureNames = map[FeatureName]string{
	1: "depth-clip-control", 2: "depth32float-stencil8", FeatureTimestampQuery: "timestamp-query", 4: "texture-compression-bc",
	5: "texture-compression-etc2", 6: "texture-compression-astc", 7: "indirect-first-instance", FeatureShaderF16: "shader-f16",
	9: "rg11b10ufloat-renderable", 10: "bgra8unorm-storage", 11: "float32-filterable",
	FeatureSubgroups: "subgroups", 0x40001: "core-features-and-limits", 0x40002: "float32-blendable", 0x40003: "clip-distances",
	0x40004: "dual-source-blending", 0x40005: "primitive-index", 0x40006: "texture-formats-tier1", 0x40007: "texture-formats-tier2",
	0x40008: "texture-component-swizzle", 0x40009: "texture-compression-bc-sliced-3d", 0x4000A: "texture-compression-astc-sliced-3d",
}

// featureCore is what every adapter and every device has in JavaScript (§ Feature Index).
const featureCore FeatureName = 0x40001

// String returns WebGPU's name of the feature.
func (f FeatureName) String() string {
	if name := featureNames[f]; name != "" {
		return name
	}
	return fmt.Sprintf("number %d", uint32(f))
}

// FeatureNamed returns the feature with a name, and whether there is one.
func FeatureNamed(name string) (f FeatureName, ok bool) {
	for f, known := range featureNames {
		if known == name {
			return f, true
		}
	}
	return 0, false
}

// enabledBy returns the feature that a device needs for an extension of WGSL (WGSL, § 4.1.1).
func enabledBy(extension string) string {
	if extension == "f16" {
		return FeatureShaderF16.String()
	}
	return strings.ReplaceAll(extension, "_", "-")
}

// QueryType is what a query set counts.
type QueryType uint32

// The types of queries.
const (
	QueryTypeOcclusion QueryType = iota
	QueryTypeTimestamp
)

// ErrorFilter says which errors an error scope catches (§ Error Scopes).
type ErrorFilter uint32

// The kinds of errors.
const (
	ErrorFilterValidation ErrorFilter = iota
	ErrorFilterOutOfMemory
	ErrorFilterInternal
)
