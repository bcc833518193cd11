package course

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/wgslab/wgslab/internal/machine/shader"
)

// A Binding is what the host binds at @group(0) @binding(its index).
type Binding struct {
	Name   string
	Access shader.Space
	Type   string // in WGSL, "array<f32>", or the struct, "Params{alpha: f32, n: u32}"
	Packed bool   // each word holds four signed bytes
}

// arrayType matches the types of storage buffers.
var arrayType = regexp.MustCompile(`^array<(?:(f32|u32|i32)|(atomic)<(u32|i32)>|vec([234])<(f32|u32|i32)>)>$`)

// structType matches the types of uniforms.
var structType = regexp.MustCompile(`^[A-Za-z]\w*\{\w+: (f32|u32|i32)(, \w+: (f32|u32|i32))*\}$`)

// validate returns an error if an exercise cannot have the binding.
func (b Binding) validate() error {
	parts := arrayType.FindStringSubmatch(b.Type)
	switch uniform := structType.MatchString(b.Type); {
	case parts == nil && !uniform:
		return fmt.Errorf("the binding %s has the type %q: use an array of f32, u32, i32, atomic<u32>, atomic<i32> or vectors, such as array<vec2<f32>>, or, for a uniform, Params{alpha: f32, n: u32}", b.Name, b.Type)
	case uniform != (b.Access == shader.Uniform):
		return fmt.Errorf("the binding %s has the type %q: uniforms are structs such as Params{n: u32}, and all others are arrays", b.Name, b.Type)
	case !uniform && parts[2] != "" && b.Access != shader.ReadWrite:
		return fmt.Errorf("the binding %s has atomics: its access has to be read_write", b.Name)
	}
	return nil
}

// Element returns the type of the numbers in an array.
func (b Binding) Element() shader.Element {
	parts := arrayType.FindStringSubmatch(b.Type)
	if parts == nil {
		return shader.Words
	}
	return shader.Element(parts[1] + parts[3] + parts[5])
}

// Components returns how many components each vector of an array has; 1 if there are no vectors.
func (b Binding) Components() int {
	parts := arrayType.FindStringSubmatch(b.Type)
	if parts == nil || parts[4] == "" {
		return 1
	}
	n, _ := strconv.Atoi(parts[4]) // a digit
	return n
}

// components names the components of a vector.
const components = "xyzw"

// stride returns how many words an array has from one element to the next (§ 14.4 of the WGSL
// specification).
func (b Binding) stride() int {
	if n := b.Components(); n != 3 {
		return n
	}
	return 4
}

// Place returns the element that a word of an array belongs to and, if that is a vector, the name
// of its component: x, y, z or w.
func (b Binding) Place(word int) (element int, component string) {
	stride := b.stride()
	if stride == 1 {
		return word, ""
	}
	return word / stride, components[word%stride : word%stride+1]
}

// A UniformMember is a member of a uniform.
type UniformMember struct{ Name, Type string }

// Members returns the members of a uniform.
func (b Binding) Members() []UniformMember { return membersOf(b.Type) }

// membersOf reads the type of a uniform: "Params{alpha: f32, n: u32}".
func membersOf(uniform string) (members []UniformMember) {
	_, list, _ := strings.Cut(strings.TrimSuffix(uniform, "}"), "{")
	for member := range strings.SplitSeq(list, ",") {
		name, kind, _ := strings.Cut(member, ":")
		members = append(members, UniformMember{strings.TrimSpace(name), strings.TrimSpace(kind)})
	}
	return members
}

// Word is the inverse of Place.
func (b Binding) Word(element int, component string) int {
	return element*b.stride() + max(0, strings.Index(components, component))
}

// IsPadding reports whether a word is only there to fill up a vector of three components.
func (b Binding) IsPadding(word int) bool { return b.Components() == 3 && word%4 == 3 }

// WordName returns the name of a word of an array, such as x[3] or v[1].y.
func (b Binding) WordName(word int) string {
	element, component := b.Place(word)
	if component == "" {
		return fmt.Sprintf("%s[%d]", b.Name, element)
	}
	return fmt.Sprintf("%s[%d].%s", b.Name, element, component)
}
