package types

import "sync"

// predeclared returns every name that WGSL declares itself (§ 5, § 6.10, § 17). All checks share
// the map; it is read-only.
var predeclared = sync.OnceValue(func() map[string]*Object {
	all := map[string]*Object{}
	add := func(kind ObjectKind, name string, t Type) {
		all[name] = &Object{Kind: kind, Name: name, Type: t, state: resolved}
	}
	for _, s := range []*Scalar{Bool, I32, U32, F32, F16} {
		add(TypeObject, s.String(), s)
	}
	add(TypeObject, "sampler", SamplerType)
	add(TypeObject, "sampler_comparison", ComparisonSampler)
	for _, dim := range []string{"2d", "2d_array", "cube", "cube_array"} {
		add(TypeObject, "texture_depth_"+dim, &Texture{Kind: DepthTexture, Dim: dim})
	}
	add(TypeObject, "texture_depth_multisampled_2d", &Texture{Kind: DepthMultisampledTexture, Dim: "2d"})
	add(TypeObject, "texture_external", &Texture{Kind: ExternalTexture})
	for n := 2; n <= 4; n++ {
		for _, s := range []*Scalar{I32, U32, F32, F16} {
			add(TypeObject, VectorOf(n, s).String(), VectorOf(n, s))
		}
		for r := 2; r <= 4; r++ {
			for _, s := range []*Scalar{F32, F16} {
				add(TypeObject, MatrixOf(n, r, s).String(), MatrixOf(n, r, s))
			}
		}
	}
	for _, name := range generatorNames {
		add(GeneratorObject, name, nil)
	}
	for _, b := range Builtins(FunctionBuiltin) {
		all[b.Name] = &Object{Kind: BuiltinObject, Name: b.Name, Builtin: b, state: resolved}
	}
	for _, space := range spaceNames[SpaceFunction:] {
		if space != SpaceHandle.String() {
			add(EnumerantObject, space, nil)
		}
	}
	for _, mode := range []AccessMode{Read, Write, ReadWrite} {
		add(EnumerantObject, mode.String(), nil)
	}
	for name := range texelFormats {
		add(EnumerantObject, name, nil)
	}
	return all
})

// Predeclared returns every name that WGSL declares itself, sorted by name: types, type generators,
// builtin functions, enumerants.
func Predeclared() []*Object {
	all := make([]*Object, 0, len(predeclared()))
	for _, name := range predeclaredNames() {
		all = append(all, predeclared()[name])
	}
	return all
}

// PredeclaredNamed returns the object that WGSL declares with the name, or nil. A shader may
// declare its own object with that name.
func PredeclaredNamed(name string) *Object { return predeclared()[name] }

// TexelFormatNamed returns the texel format with the name, or nil.
func TexelFormatNamed(name string) *TexelFormat { return texelFormats[name] }

// generatorNames are the type generators (§ 6.10).
var generatorNames = []string{
	"array", "atomic", "ptr", "vec2", "vec3", "vec4",
	"mat2x2", "mat2x3", "mat2x4", "mat3x2", "mat3x3", "mat3x4", "mat4x2", "mat4x3", "mat4x4",
	"texture_1d", "texture_2d", "texture_2d_array", "texture_3d", "texture_cube", "texture_cube_array",
	"texture_multisampled_2d",
	"texture_storage_1d", "texture_storage_2d", "texture_storage_2d_array", "texture_storage_3d",
}

// texelFormats are the formats of storage textures (§ 6.6.1).
var texelFormats = func() map[string]*TexelFormat {
	all := map[string]*TexelFormat{}
	for _, group := range []struct {
		channel *Scalar
		needs   Feature
		names   []string
	}{
		{F32, 0, []string{"rgba8unorm", "rgba8snorm", "rgba16float", "r32float", "rg32float", "rgba32float", "bgra8unorm"}},
		{U32, 0, []string{"rgba8uint", "rgba16uint", "r32uint", "rg32uint", "rgba32uint"}},
		{I32, 0, []string{"rgba8sint", "rgba16sint", "r32sint", "rg32sint", "rgba32sint"}},
		{F32, FeatureTextureFormatsTier1, []string{
			"rgba16unorm", "rgba16snorm", "rg8unorm", "rg8snorm", "rg16unorm", "rg16snorm", "rg16float", "r8unorm",
			"r8snorm", "r16unorm", "r16snorm", "r16float", "rgb10a2unorm", "rg11b10ufloat",
		}},
		{U32, FeatureTextureFormatsTier1, []string{"rg8uint", "rg16uint", "r8uint", "r16uint", "rgb10a2uint"}},
		{I32, FeatureTextureFormatsTier1, []string{"rg8sint", "rg16sint", "r8sint", "r16sint"}},
	} {
		for _, name := range group.names {
			all[name] = &TexelFormat{Name: name, Channel: group.channel, Needs: group.needs}
		}
	}
	return all
}()
