package webgpu

import "strings"

// BufferUsage is the set of ways in which a buffer may be used (§ Buffer Usages).
type BufferUsage uint32

// The ways to use a buffer.
const (
	BufferUsageNone         BufferUsage = 0
	BufferUsageMapRead      BufferUsage = 0x0001
	BufferUsageMapWrite     BufferUsage = 0x0002
	BufferUsageCopySrc      BufferUsage = 0x0004
	BufferUsageCopyDst      BufferUsage = 0x0008
	BufferUsageIndex        BufferUsage = 0x0010
	BufferUsageVertex       BufferUsage = 0x0020
	BufferUsageUniform      BufferUsage = 0x0040
	BufferUsageStorage      BufferUsage = 0x0080
	BufferUsageIndirect     BufferUsage = 0x0100
	BufferUsageQueryResolve BufferUsage = 0x0200

	allBufferUsages = 2*BufferUsageQueryResolve - 1
)

var usageNames = []string{"MAP_READ", "MAP_WRITE", "COPY_SRC", "COPY_DST", "INDEX", "VERTEX", "UNIFORM", "STORAGE", "INDIRECT", "QUERY_RESOLVE"}

// names returns the flags with WebGPU's names.
func (u BufferUsage) names() (names []string) {
	for i, name := range usageNames {
		if u&(1<<i) != 0 {
			names = append(names, "GPUBufferUsage."+name)
		}
	}
	return names
}

// String returns the names of the flags, as the Go binding does.
func (u BufferUsage) String() string {
	if u == 0 {
		return "none"
	}
	var names []string
	for i, name := range usageNames {
		if u&(1<<i) != 0 {
			names = append(names, strings.ReplaceAll(strings.ToLower(name), "_", "-"))
		}
	}
	return strings.Join(names, "|")
}

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

// FeatureName is an optional capability of an adapter, with the numbers of the Go binding.
type FeatureName uint32

// FeatureTimestampQuery allows timestamps. It is the only feature that a compute program here gets.
const FeatureTimestampQuery FeatureName = 3

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
