package wgpu

import (
	"github.com/wgslab/wgslab/internal/machine/engine/gpu"
	"github.com/wgslab/wgslab/internal/machine/webgpu"
)

// The numbers below are those of the C interface, as in github.com/cogentcore/webgpu/wgpu.
type (
	// AdapterType says what an adapter is.
	AdapterType uint32

	// BackendType is a kind of driver.
	BackendType uint32

	// InstanceBackend is a set of kinds of drivers.
	InstanceBackend uint32

	// Dx12Compiler is a compiler for DX12. None is chosen here.
	Dx12Compiler uint32

	// PowerPreference says whether to save power. It changes nothing here.
	PowerPreference uint32

	// LogLevel selects the driver's messages. There are none here.
	LogLevel uint32

	// QueueWorkDoneStatus is how submitted work ended.
	QueueWorkDoneStatus uint32

	// PipelineStatisticName is a statistic of a pipeline. None is counted here.
	PipelineStatisticName uint32

	// BufferUsage is the set of ways in which a buffer may be used.
	BufferUsage = gpu.BufferUsage

	// BufferBindingType is how a shader sees a buffer.
	BufferBindingType = webgpu.BufferBindingType

	// BufferMapAsyncStatus is how a mapping ended.
	BufferMapAsyncStatus = webgpu.MapStatus

	// BufferMapState is whether a buffer is mapped.
	BufferMapState = webgpu.MapState

	// MapMode says what a mapping is for.
	MapMode = webgpu.MapMode

	// ShaderStage is the set of stages that see a binding.
	ShaderStage = webgpu.ShaderStage

	// FeatureName is an optional capability of an adapter.
	FeatureName = webgpu.FeatureName

	// QueryType is what a query set counts.
	QueryType = webgpu.QueryType

	// DeviceLostReason is why a device was lost.
	DeviceLostReason = webgpu.LostReason

	// Limits are what a device allows.
	Limits = webgpu.Limits
)

// The kinds of adapters.
const (
	AdapterTypeDiscreteGPU AdapterType = iota
	AdapterTypeIntegratedGPU
	AdapterTypeCPU
	AdapterTypeUnknown
)

// The kinds of drivers.
const (
	BackendTypeUndefined BackendType = iota
	BackendTypeNull
	BackendTypeWebGPU
	BackendTypeD3D11
	BackendTypeD3D12
	BackendTypeMetal
	BackendTypeVulkan
	BackendTypeOpenGL
	BackendTypeOpenGLES
)

// The sets of kinds of drivers.
const (
	InstanceBackendAll           InstanceBackend = 0x00
	InstanceBackendVulkan        InstanceBackend = 0x01
	InstanceBackendGL            InstanceBackend = 0x02
	InstanceBackendMetal         InstanceBackend = 0x04
	InstanceBackendDX12          InstanceBackend = 0x08
	InstanceBackendDX11          InstanceBackend = 0x10
	InstanceBackendSecondary     InstanceBackend = 0x12
	InstanceBackendBrowserWebGPU InstanceBackend = 0x20
	InstanceBackendPrimary       InstanceBackend = 0x2D
)

// The compilers for DX12.
const (
	Dx12CompilerUndefined Dx12Compiler = iota
	Dx12CompilerFxc
	Dx12CompilerDxc
)

// The preferences for power.
const (
	PowerPreferenceUndefined PowerPreference = iota
	PowerPreferenceLowPower
	PowerPreferenceHighPerformance
)

// The levels of logging.
const (
	LogLevelOff LogLevel = iota
	LogLevelError
	LogLevelWarn
	LogLevelInfo
	LogLevelDebug
	LogLevelTrace
)

// The ends of submitted work.
const (
	QueueWorkDoneStatusSuccess QueueWorkDoneStatus = iota
	QueueWorkDoneStatusError
	QueueWorkDoneStatusUnknown
	QueueWorkDoneStatusDeviceLost
)

// The ways to use a buffer.
const (
	BufferUsageNone         BufferUsage = 0
	BufferUsageMapRead                  = gpu.UsageMapRead // the host maps and reads it; only CopyDst may be beside it
	BufferUsageMapWrite                 = gpu.UsageMapWrite
	BufferUsageCopySrc                  = gpu.UsageCopySrc // you copy from it: your result needs this
	BufferUsageCopyDst                  = gpu.UsageCopyDst // you copy to it, or write to it with WriteBuffer
	BufferUsageIndex                    = gpu.UsageIndex
	BufferUsageVertex                   = gpu.UsageVertex
	BufferUsageUniform                  = gpu.UsageUniform // a shader sees it as var<uniform>
	BufferUsageStorage                  = gpu.UsageStorage // a shader sees it as var<storage>
	BufferUsageIndirect                 = gpu.UsageIndirect
	BufferUsageQueryResolve             = gpu.UsageQueryResolve // timestamps are resolved to it
)

// How a shader sees a buffer.
const (
	BufferBindingTypeUndefined       = webgpu.BufferBindingTypeUndefined
	BufferBindingTypeUniform         = webgpu.BufferBindingTypeUniform
	BufferBindingTypeStorage         = webgpu.BufferBindingTypeStorage
	BufferBindingTypeReadOnlyStorage = webgpu.BufferBindingTypeReadOnlyStorage
)

// The ends of a mapping.
const (
	BufferMapAsyncStatusSuccess BufferMapAsyncStatus = iota
	BufferMapAsyncStatusValidationError
	BufferMapAsyncStatusUnknown
	BufferMapAsyncStatusDeviceLost
	BufferMapAsyncStatusDestroyedBeforeCallback
	BufferMapAsyncStatusUnmappedBeforeCallback
	BufferMapAsyncStatusMappingAlreadyPending
	BufferMapAsyncStatusOffsetOutOfRange
	BufferMapAsyncStatusSizeOutOfRange
)

// The states of a buffer.
const (
	BufferMapStateUnmapped = webgpu.MapStateUnmapped
	BufferMapStatePending  = webgpu.MapStatePending
	BufferMapStateMapped   = webgpu.MapStateMapped
)

// The modes of a mapping.
const (
	MapModeNone  = webgpu.MapModeNone
	MapModeRead  = webgpu.MapModeRead
	MapModeWrite = webgpu.MapModeWrite
)

// The stages of shaders.
const (
	ShaderStageNone     = webgpu.ShaderStageNone
	ShaderStageVertex   = webgpu.ShaderStageVertex
	ShaderStageFragment = webgpu.ShaderStageFragment
	ShaderStageCompute  = webgpu.ShaderStageCompute
)

// FeatureNameTimestampQuery allows timestamps, FeatureNameShaderF16 shaders with `enable f16`, and
// FeatureNameSubgroups those with `enable subgroups`. FeatureNameUndefined is no feature.
const (
	FeatureNameUndefined      FeatureName = 0
	FeatureNameTimestampQuery             = webgpu.FeatureTimestampQuery
	FeatureNameShaderF16                  = webgpu.FeatureShaderF16
	FeatureNameSubgroups                  = webgpu.FeatureSubgroups
)

// The types of queries.
const (
	QueryTypeOcclusion = webgpu.QueryTypeOcclusion
	QueryTypeTimestamp = webgpu.QueryTypeTimestamp
)

// The reasons why a device is lost.
const (
	DeviceLostReasonUnknown   = webgpu.LostUnknown
	DeviceLostReasonDestroyed = webgpu.LostDestroyed
)

// Values that mean "the default" or "all of it".
const (
	LimitU32Undefined uint32 = 0xffffffff
	LimitU64Undefined uint64 = 0xffffffffffffffff
	WholeMapSize             = ^uint(0)
	WholeSize                = 0xffffffffffffffff
)

// Alignments and sizes in bytes, and the most queries of a set.
const (
	QueryResolveBufferAlignment = 256
	CopyBufferAlignment         = 4
	MapAlignment                = 8
	QuerySetMaxQueries          = 8192
	QuerySize                   = 8
)

// DefaultLimits returns limits that all mean the default. Change those that you need.
func DefaultLimits() Limits { return webgpu.UndefinedLimits() }
