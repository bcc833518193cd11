package syntax

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/wgsl/findings"
)

// TestTemplateLists has the specification's examples (§ 3.9) and similar ones; ⟨ and ⟩ mark the <
// and > that delimit a list.
func TestTemplateLists(t *testing.T) {
	for _, want := range []string{
		"A ( B ⟨ C, D ⟩ ( E ) )",
		"array⟨i32,select(2,3,a>b)⟩",
		"a[b<d]>()",
		"A⟨B<<C⟩",
		"A⟨B<=C⟩",
		"A⟨(B>=C)⟩",
		"A⟨(B!=C)⟩",
		"A⟨(B==C)⟩",
		"a<b || c>d",
		"a<b && c>d",
		"a⟨b,c⟩",
		"a<b;c>d",
		"a<b{c>d",
		"a<b:c>d",
		"a<b=c>d",
		"a⟨b==c⟩d",
		"vec4⟨vec2⟨f32⟩⟩=x",
		"1<2>3",
		"true<b>c",
		"var⟨storage,read_write⟩ x",
		"a⟨b⟨c,d⟩⟩e>",
		"(a<b)>c",
		"a /* c */ ⟨ // d\n b⟩",
		"_<a>b",
	} {
		text := strings.NewReplacer("⟨", "<", "⟩", ">").Replace(want)
		var reports []*findings.Finding
		tokens, _ := lex(text, &reports)
		require.Empty(t, reports)
		var got strings.Builder
		at := int32(0)
		for _, tok := range tokens {
			got.WriteString(text[at:tok.start])
			switch tok.kind {
			case tokTemplL:
				got.WriteString("⟨")
			case tokTemplR:
				got.WriteString("⟩")
			default:
				got.WriteString(text[tok.start:tok.end])
			}
			at = tok.end
		}
		assert.Equal(t, want, got.String())
	}
}

func TestNumbers(t *testing.T) {
	for text, want := range map[string]Literal{
		"0": {Kind: IntLit}, "9223372036854775807": {Kind: IntLit, Int: math.MaxInt64}, "0xffu": {Kind: U32Lit, Int: 255},
		"4294967295u": {Kind: U32Lit, Int: math.MaxUint32}, "2147483647i": {Kind: I32Lit, Int: math.MaxInt32},
		"1f": {Kind: F32Lit, Float: 1}, "01.": {Kind: FloatLit, Float: 1}, ".5": {Kind: FloatLit, Float: 0.5},
		"1e-3": {Kind: FloatLit, Float: 1e-3}, "0.1f": {Kind: F32Lit, Float: float64(float32(0.1))},
		"0x1.8": {Kind: FloatLit, Float: 1.5}, "0x1p-1f": {Kind: F32Lit, Float: 0.5}, "0X.8P1h": {Kind: F16Lit, Float: 1},
		"65504h": {Kind: F16Lit, Float: 65504}, "65503.9h": {Kind: F16Lit, Float: 65504}, "1e-8h": {Kind: F16Lit},
		"0x1f": {Kind: IntLit, Int: 31}, "3.4028234e38f": {Kind: F32Lit, Float: math.MaxFloat32},
		"340282346638528859811704183484516925440f": {Kind: F32Lit, Float: math.MaxFloat32}, "0x1.fffffep127f": {Kind: F32Lit, Float: math.MaxFloat32},
		"0x1.ffcp15h": {Kind: F16Lit, Float: 65504}, "1.7976931348623157e308": {Kind: FloatLit, Float: math.MaxFloat64},
	} {
		var lit Literal
		require.Nil(t, parseNumber(text, Span{}, &lit), text)
		want.Text = text
		assert.Equal(t, want, lit, text)
	}
	for _, text := range []string{"9223372036854775808", "4294967296u", "2147483648i", "0x100000000u", "012", "1.0u", "0x",
		"0x1.8f1h", "0x1.00000001p0f", "0x1p128f", "3.5e38f", "65520h", "1e400",
		"3.40282347e+38f", "3.4028235e38f", "340282350000000000000000000000000000000f", "0x1.ffffffp127f", "65504.1h", "65505h", "0x1.ffep15h", "1.8e308", "1e", "0x1p", "1_0", "0x1.p"} {
		var lit Literal
		assert.NotNil(t, parseNumber(text, Span{}, &lit), text)
	}
}

func TestNames(t *testing.T) {
	for _, name := range []string{"a", "_a", "Δέλτα", "réflexion", "朝焼け", "سلام", "검정", "शब्द", "a1_"} {
		_, diagnostics := Parse(NewSource("", "const "+name+" = 1;"))
		assert.Empty(t, diagnostics, name)
	}
	for _, name := range []string{"_", "__a", "1a", "a-b", "fn", "enum", "a⋅b", "😀"} {
		_, diagnostics := Parse(NewSource("", "const "+name+" = 1;"))
		assert.NotEmpty(t, diagnostics, name)
	}
}

func TestClosest(t *testing.T) {
	words := []string{"workgroup_size", "compute", "fn", "return"}
	assert.Equal(t, "workgroup_size", Closest("workgruop_size", words))
	assert.Equal(t, "return", Closest("Return", words))
	assert.Empty(t, Closest("x", words))
	assert.Empty(t, Closest("banana", words))
}
