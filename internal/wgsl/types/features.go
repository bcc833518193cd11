package types

// A Feature is one feature beyond core WGSL: an extension that a shader has to `enable`, or an
// optional language feature of the implementation (§ 4.1).
type Feature uint32

// Features is a set of features, such as those of the implementation. The empty set is core WGSL.
type Features = Feature

// The extensions to enable (§ 4.1.1).
const (
	FeatureF16 Feature = 1 << iota
	FeatureClipDistances
	FeatureDualSourceBlending
	FeatureSubgroups
	FeaturePrimitiveIndex
	FeatureSubgroupSizeControl
	FeatureAtomicVec2uMinMax

	// The language features (§ 4.1.2).
	FeatureStorageTextures // readonly_and_readwrite_storage_textures
	FeaturePackedDotProduct
	FeatureUnrestrictedPointers
	FeaturePointerCompositeAccess
	FeatureUniformStandardLayout
	FeatureSubgroupID
	FeatureSubgroupUniformity
	FeatureTextureAndSamplerLet
	FeatureTextureFormatsTier1
	FeatureLinearIndexing
	FeatureImmediates
	FeatureFragmentDepth
	FeatureSwizzleAssignment
	FeatureBufferView
)

// AllFeatures contains every feature that this package knows.
const AllFeatures Features = FeatureBufferView<<1 - 1

// AllExtensions contains every extension to enable. A shader that enables one says itself that its
// device has it.
const AllExtensions Features = FeatureAtomicVec2uMinMax<<1 - 1

// UsualFeatures are the two language features that WebGPU's conformance suite assumes in tests of
// other features: readable storage textures, and dot products of packed bytes.
const UsualFeatures = FeatureStorageTextures | FeaturePackedDotProduct

// Has reports whether f contains all features of other.
func (f Feature) Has(other Feature) bool { return f&other == other }

// enableNames and requireNames map the names in `enable` and `requires` to features.
var (
	enableNames = map[string]Feature{
		"f16": FeatureF16, "clip_distances": FeatureClipDistances, "dual_source_blending": FeatureDualSourceBlending,
		"subgroups": FeatureSubgroups, "primitive_index": FeaturePrimitiveIndex,
		"subgroup_size_control": FeatureSubgroupSizeControl, "atomic_vec2u_min_max": FeatureAtomicVec2uMinMax,
	}
	requireNames = map[string]Feature{
		"readonly_and_readwrite_storage_textures": FeatureStorageTextures,
		"packed_4x8_integer_dot_product":          FeaturePackedDotProduct,
		"unrestricted_pointer_parameters":         FeatureUnrestrictedPointers,
		"pointer_composite_access":                FeaturePointerCompositeAccess,
		"uniform_buffer_standard_layout":          FeatureUniformStandardLayout,
		"subgroup_id":                             FeatureSubgroupID,
		"subgroup_uniformity":                     FeatureSubgroupUniformity,
		"texture_and_sampler_let":                 FeatureTextureAndSamplerLet,
		"texture_formats_tier1":                   FeatureTextureFormatsTier1,
		"linear_indexing":                         FeatureLinearIndexing,
		"immediate_address_space":                 FeatureImmediates,
		"fragment_depth":                          FeatureFragmentDepth,
		"swizzle_assignment":                      FeatureSwizzleAssignment,
		"buffer_view":                             FeatureBufferView,
	}
)

// FeatureNamed returns the feature with the name in `enable` or `requires`, or 0.
func FeatureNamed(name string) Feature { return enableNames[name] | requireNames[name] }

// Extensions returns the names that `enable` accepts (§ 4.1.1).
func Extensions() []string { return keysOf(enableNames) }

// LanguageFeatures returns the names that `requires` accepts (§ 4.1.2).
func LanguageFeatures() []string { return keysOf(requireNames) }

// String returns the name of a single feature.
func (f Feature) String() string {
	for _, names := range []map[string]Feature{enableNames, requireNames} {
		for name, feature := range names {
			if feature == f {
				return name
			}
		}
	}
	return "several features"
}
