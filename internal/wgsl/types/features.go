package types

// Feature is one thing beyond core WGSL: an extension that a shader must `enable`, or a language feature that an
// implementation has or has not (§ 4.1).
type Feature uint32

// Features is a set of them: what the implementation can do. The zero set is core WGSL.
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
)

// AllFeatures is everything that this package knows.
const AllFeatures Features = FeatureSwizzleAssignment<<1 - 1

// UsualFeatures are the two language features that the conformance suite of WebGPU takes for granted in tests that are
// not about them: storage textures that can be read, and dot products of packed bytes.
const UsualFeatures = FeatureStorageTextures | FeaturePackedDotProduct

// Has reports whether all of the other set are in f.
func (f Feature) Has(other Feature) bool { return f&other == other }

// enableNames and requireNames are the names that `enable` and `requires` know.
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
	}
)

// FeatureNamed is the feature that `enable` or `requires` calls by that name, or 0.
func FeatureNamed(name string) Feature { return enableNames[name] | requireNames[name] }

// Extensions are the names that `enable` knows (§ 4.1.1).
func Extensions() []string { return keysOf(enableNames) }

// LanguageFeatures are the names that `requires` knows (§ 4.1.2).
func LanguageFeatures() []string { return keysOf(requireNames) }

// String is the name of a single feature.
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
