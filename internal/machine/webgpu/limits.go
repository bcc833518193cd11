package webgpu

import (
	"maps"
	"math"
	"math/bits"
	"reflect"
	"slices"

	"github.com/wgslab/wgslab/internal/machine/shader"
)

// Limits are what a device allows (§ Limits). The order and the names are the Go binding's.
type Limits struct {
	MaxTextureDimension1D                     uint32
	MaxTextureDimension2D                     uint32
	MaxTextureDimension3D                     uint32
	MaxTextureArrayLayers                     uint32
	MaxBindGroups                             uint32
	MaxBindingsPerBindGroup                   uint32
	MaxDynamicUniformBuffersPerPipelineLayout uint32
	MaxDynamicStorageBuffersPerPipelineLayout uint32
	MaxSampledTexturesPerShaderStage          uint32
	MaxSamplersPerShaderStage                 uint32
	MaxStorageBuffersPerShaderStage           uint32
	MaxStorageTexturesPerShaderStage          uint32
	MaxUniformBuffersPerShaderStage           uint32
	MaxUniformBufferBindingSize               uint64
	MaxStorageBufferBindingSize               uint64
	MinUniformBufferOffsetAlignment           uint32
	MinStorageBufferOffsetAlignment           uint32
	MaxVertexBuffers                          uint32
	MaxBufferSize                             uint64
	MaxVertexAttributes                       uint32
	MaxVertexBufferArrayStride                uint32
	MaxInterStageShaderComponents             uint32
	MaxInterStageShaderVariables              uint32
	MaxColorAttachments                       uint32
	MaxColorAttachmentBytesPerSample          uint32
	MaxComputeWorkgroupStorageSize            uint32
	MaxComputeInvocationsPerWorkgroup         uint32
	MaxComputeWorkgroupSizeX                  uint32
	MaxComputeWorkgroupSizeY                  uint32
	MaxComputeWorkgroupSizeZ                  uint32
	MaxComputeWorkgroupsPerDimension          uint32

	MaxPushConstantSize uint32

	// more are limits that the Go binding lacks.
	more [mostMore]uint64
}

// The limits that the Go binding lacks, as indices of Limits.more.
const (
	groupsAndVertexBuffers = iota
	storageBuffersInVertexStage
	storageBuffersInFragmentStage
	storageTexturesInVertexStage
	storageTexturesInFragmentStage
	mostMore
)

// A limit is one field of Limits: its name in WebGPU, where it is, and its default.
type limit struct {
	name      string
	standard  uint64
	alignment bool // a lower value is better
	small     func(*Limits) *uint32
	large     func(*Limits) *uint64
}

func small(name string, standard uint64, at func(*Limits) *uint32) limit {
	return limit{name: name, standard: standard, small: at}
}

func large(name string, standard uint64, at func(*Limits) *uint64) limit {
	return limit{name: name, standard: standard, large: at}
}

func added(name string, standard uint64, i int) limit {
	return large(name, standard, func(l *Limits) *uint64 { return &l.more[i] })
}

func alignment(name string, at func(*Limits) *uint32) limit {
	return limit{name: name, standard: 256, alignment: true, small: at}
}

// limits are WebGPU's, with their defaults (§ Limits). Compute needs only some, but a program may
// require each.
var limits = []limit{
	small("maxTextureDimension1D", 8192, func(l *Limits) *uint32 { return &l.MaxTextureDimension1D }),
	small("maxTextureDimension2D", 8192, func(l *Limits) *uint32 { return &l.MaxTextureDimension2D }),
	small("maxTextureDimension3D", 2048, func(l *Limits) *uint32 { return &l.MaxTextureDimension3D }),
	small("maxTextureArrayLayers", 256, func(l *Limits) *uint32 { return &l.MaxTextureArrayLayers }),
	added("maxBindGroupsPlusVertexBuffers", 24, groupsAndVertexBuffers),
	small("maxSampledTexturesPerShaderStage", 16, func(l *Limits) *uint32 { return &l.MaxSampledTexturesPerShaderStage }),
	small("maxSamplersPerShaderStage", 16, func(l *Limits) *uint32 { return &l.MaxSamplersPerShaderStage }),
	added("maxStorageBuffersInVertexStage", 8, storageBuffersInVertexStage),
	added("maxStorageBuffersInFragmentStage", 8, storageBuffersInFragmentStage),
	small("maxStorageTexturesPerShaderStage", 4, func(l *Limits) *uint32 { return &l.MaxStorageTexturesPerShaderStage }),
	added("maxStorageTexturesInVertexStage", 4, storageTexturesInVertexStage),
	added("maxStorageTexturesInFragmentStage", 4, storageTexturesInFragmentStage),
	small("maxVertexBuffers", 8, func(l *Limits) *uint32 { return &l.MaxVertexBuffers }),
	small("maxVertexAttributes", 16, func(l *Limits) *uint32 { return &l.MaxVertexAttributes }),
	small("maxVertexBufferArrayStride", 2048, func(l *Limits) *uint32 { return &l.MaxVertexBufferArrayStride }),
	small("maxInterStageShaderVariables", 16, func(l *Limits) *uint32 { return &l.MaxInterStageShaderVariables }),
	small("maxColorAttachments", 8, func(l *Limits) *uint32 { return &l.MaxColorAttachments }),
	small("maxColorAttachmentBytesPerSample", 32, func(l *Limits) *uint32 { return &l.MaxColorAttachmentBytesPerSample }),
	small("maxBindGroups", 4, func(l *Limits) *uint32 { return &l.MaxBindGroups }),
	small("maxBindingsPerBindGroup", 1000, func(l *Limits) *uint32 { return &l.MaxBindingsPerBindGroup }),
	small("maxDynamicUniformBuffersPerPipelineLayout", 8, func(l *Limits) *uint32 { return &l.MaxDynamicUniformBuffersPerPipelineLayout }),
	small("maxDynamicStorageBuffersPerPipelineLayout", 4, func(l *Limits) *uint32 { return &l.MaxDynamicStorageBuffersPerPipelineLayout }),
	small("maxStorageBuffersPerShaderStage", 8, func(l *Limits) *uint32 { return &l.MaxStorageBuffersPerShaderStage }),
	small("maxUniformBuffersPerShaderStage", 12, func(l *Limits) *uint32 { return &l.MaxUniformBuffersPerShaderStage }),
	large("maxUniformBufferBindingSize", 64<<10, func(l *Limits) *uint64 { return &l.MaxUniformBufferBindingSize }),
	large("maxStorageBufferBindingSize", 128<<20, func(l *Limits) *uint64 { return &l.MaxStorageBufferBindingSize }),
	alignment("minUniformBufferOffsetAlignment", func(l *Limits) *uint32 { return &l.MinUniformBufferOffsetAlignment }),
	alignment("minStorageBufferOffsetAlignment", func(l *Limits) *uint32 { return &l.MinStorageBufferOffsetAlignment }),
	large("maxBufferSize", 256<<20, func(l *Limits) *uint64 { return &l.MaxBufferSize }),
	small("maxComputeWorkgroupStorageSize", 16<<10, func(l *Limits) *uint32 { return &l.MaxComputeWorkgroupStorageSize }),
	small("maxComputeInvocationsPerWorkgroup", 256, func(l *Limits) *uint32 { return &l.MaxComputeInvocationsPerWorkgroup }),
	small("maxComputeWorkgroupSizeX", 256, func(l *Limits) *uint32 { return &l.MaxComputeWorkgroupSizeX }),
	small("maxComputeWorkgroupSizeY", 256, func(l *Limits) *uint32 { return &l.MaxComputeWorkgroupSizeY }),
	small("maxComputeWorkgroupSizeZ", 64, func(l *Limits) *uint32 { return &l.MaxComputeWorkgroupSizeZ }),
	small("maxComputeWorkgroupsPerDimension", 65535, func(l *Limits) *uint32 { return &l.MaxComputeWorkgroupsPerDimension }),
}

// unset reports whether a field has the Go binding's value for "the default".
func (l limit) unset(in *Limits) bool {
	return l.small != nil && *l.small(in) == math.MaxUint32 || l.large != nil && *l.large(in) == math.MaxUint64
}

func (l limit) get(from *Limits) uint64 {
	if l.small != nil {
		return uint64(*l.small(from))
	}
	return *l.large(from)
}

func (l limit) set(in *Limits, value uint64) {
	if l.small != nil {
		*l.small(in) = uint32(min(value, math.MaxUint32-1))
	} else {
		*l.large(in) = value
	}
}

// better reports whether a value allows more than another.
func (l limit) better(value, than uint64) bool {
	if l.alignment {
		return value < than
	}
	return value > than
}

// allowedAlignment reports whether a value may be asked for as an alignment.
func (l limit) allowedAlignment(value uint64) bool {
	return !l.alignment || bits.OnesCount64(value) == 1
}

// Standard returns the limits of every adapter.
func Standard() Limits {
	var all Limits
	for _, l := range limits {
		l.set(&all, l.standard)
	}
	return all
}

// Named returns the limits by their names in WebGPU.
func (l Limits) Named() map[string]uint64 {
	named := map[string]uint64{}
	for _, known := range limits {
		named[known.name] = known.get(&l)
	}
	return named
}

// LimitsNamed returns limits to require, by their names in WebGPU, and the names that it doesn't
// have.
func LimitsNamed(required map[string]uint64) (*Limits, []string) {
	all, unknown := UndefinedLimits(), slices.Sorted(maps.Keys(required))
	for _, known := range limits {
		if n, given := required[known.name]; given {
			known.set(&all, n)
			unknown = slices.DeleteFunc(unknown, func(name string) bool { return name == known.name })
		}
	}
	return &all, unknown
}

// limitsOf returns an adapter's limits. An engine says only some; the others are WebGPU's defaults.
func limitsOf(a shader.Adapter) Limits {
	all := Standard()
	all.MaxBufferSize = a.Limits.BufferBytes
	all.MaxStorageBufferBindingSize = a.Limits.StorageBindingBytes
	all.MaxUniformBufferBindingSize = a.Limits.UniformBindingBytes
	all.MaxStorageBuffersPerShaderStage = a.Limits.StorageBuffersPerShader
	all.MaxComputeWorkgroupStorageSize = a.Limits.WorkgroupStorageBytes
	all.MaxComputeInvocationsPerWorkgroup = a.Limits.InvocationsPerWorkgroup
	all.MaxComputeWorkgroupSizeX = a.Limits.WorkgroupSize[0]
	all.MaxComputeWorkgroupSizeY = a.Limits.WorkgroupSize[1]
	all.MaxComputeWorkgroupSizeZ = a.Limits.WorkgroupSize[2]
	all.MaxComputeWorkgroupsPerDimension = a.Limits.WorkgroupsPerDimension
	return all
}

// UndefinedLimits returns limits that all have the Go binding's value for the default.
func UndefinedLimits() Limits {
	var all Limits
	fields := reflect.ValueOf(&all).Elem()
	for i := range fields.NumField() {
		switch field := fields.Field(i); field.Kind() {
		case reflect.Uint32:
			field.SetUint(math.MaxUint32)
		case reflect.Uint64:
			field.SetUint(math.MaxUint64)
		}
	}
	for i := range all.more {
		all.more[i] = math.MaxUint64
	}
	return all
}
