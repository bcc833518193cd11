package course

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pelletier/go-toml/v2"
	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// filled returns what a fill draws for an array of n elements.
func filled(t *testing.T, arrayType, text string, n, columns int) (Buffer, error) {
	t.Helper()
	var f struct {
		Fill fill `toml:"fill"`
	}
	require.NoError(t, toml.Unmarshal([]byte("fill = "+text), &f), text)
	return drawer{f.Fill, sizes{"n": n}, rand.New(rand.NewPCG(1, 1))}.array(Binding{Name: "x", Type: arrayType}, n, columns)
}

func numbersOf(b Buffer) []float64 {
	var numbers []float64
	for i := range b.Len() {
		numbers = append(numbers, b.At(i))
	}
	return numbers
}

func TestWholeNumbers(t *testing.T) {
	for _, c := range []struct {
		arrayType, fill string
		least, most     float64
	}{
		{"array<u32>", "{from = 3, to = 5}", 3, 5},
		{"array<u32>", `{from = 0, to = "n / 25 - 1"}`, 0, 3},
		{"array<i32>", "{from = -2, to = 2}", -2, 2},
		{"array<atomic<u32>>", "{from = 4294967294, to = 4294967295}", 4294967294, math.MaxUint32},
		{"array<i32>", "{from = -2147483648, to = -2147483647}", math.MinInt32, math.MinInt32 + 1},
		{"array<vec2<i32>>", "{from = 7, to = 8}", 7, 8},
	} {
		b, err := filled(t, c.arrayType, c.fill, 100, 0)
		require.NoError(t, err, c.fill)
		require.Equal(t, c.least, slices.Min(numbersOf(b)), c.fill)
		require.Equal(t, c.most, slices.Max(numbersOf(b)), c.fill)
	}
}

func TestDifferentNumbers(t *testing.T) {
	permutation, err := filled(t, "array<u32>", `{from = 0, to = "n - 1", different = true}`, 100, 0)
	require.NoError(t, err)
	require.False(t, slices.IsSorted(permutation.Uints()))
	sorted := slices.Sorted(slices.Values(permutation.Uints()))
	for i, v := range sorted {
		require.EqualValues(t, i, v)
	}
	some, err := filled(t, "array<i32>", "{from = -2000000000, to = 2000000000, different = true}", 1000, 0)
	require.NoError(t, err)
	require.Len(t, slices.Compact(slices.Sorted(slices.Values(some.Ints()))), 1000)
}

func TestNumbersInTurn(t *testing.T) {
	b, err := filled(t, "array<atomic<u32>>", "{value = [4294967295, 0]}", 3, 0)
	require.NoError(t, err)
	require.Equal(t, []uint32{math.MaxUint32, 0, math.MaxUint32}, b.Uints())
	b, err = filled(t, "array<vec3<f32>>", "{value = [1, 2.5, 3]}", 2, 0)
	require.NoError(t, err)
	require.Equal(t, []float32{1, 2.5, 3, 0, 1, 2.5, 3, 0}, b.Floats())
	b, err = filled(t, "array<vec3<u32>>", `{old = "poison"}`, 1, 0)
	require.NoError(t, err)
	require.Equal(t, []uint32{PoisonU32, PoisonU32, PoisonU32, PoisonU32}, b.Uints())
	b, err = filled(t, "array<i32>", `{old = "poison"}`, 1, 0)
	require.NoError(t, err)
	require.Equal(t, []uint32{PoisonU32}, b.Uints())
}

// Ink is a rectangle of numbers above 0, and the rest of the image is 0.
func TestInk(t *testing.T) {
	const columns, rows = 20, 12
	for _, arrayType := range []string{"array<f32>", "array<u32>"} {
		b, err := filled(t, arrayType, "{ink = 1}", columns*rows, columns)
		require.NoError(t, err)
		left, top, right, bottom, count := columns, rows, 0, 0, 0
		for i, v := range numbersOf(b) {
			if v > 0 {
				x, y := i%columns, i/columns
				left, top, right, bottom, count = min(left, x), min(top, y), max(right, x), max(bottom, y), count+1
			}
		}
		require.Positive(t, count)
		require.Equal(t, (right-left+1)*(bottom-top+1), count)
		require.Less(t, right-left, columns/2)
		require.Less(t, bottom-top, rows/2)
	}
}

// What a fill cannot be is said with what to write instead.
func TestWrongFills(t *testing.T) {
	for _, c := range []struct{ arrayType, fill, want string }{
		{"array<u32>", "{floats = 3}", "whole numbers are filled with {from = 0, to = 9}"},
		{"array<u32>", "{from = -1, to = 3}", "from: it is -1: use a whole number from 0 to 4294967295"},
		{"array<u32>", "{from = 3, to = 2}", "to: it is 2: use a whole number from 3 to"},
		{"array<u32>", "{from = 0.5, to = 2}", "from: it is 0.5: use a whole number"},
		{"array<i32>", "{from = 0, to = 2147483648}", "to: it is 2.147483648e+09: use a whole number from 0 to 2147483647"},
		{"array<u32>", `{from = 0, to = "m"}`, "to: there is no size m"},
		{"array<u32>", "{from = 0, to = 8, different = true}", "there are only 9 whole numbers from 0 to 8, and 10 have to be different"},
		{"array<f32>", "{from = 0, to = 8, different = true}", "only whole numbers can be different"},
		{"array<u32>", "{value = 1.5}", "value: it is 1.5: use a whole number"},
		{"array<f32>", "{value = []}", "value: the list is empty"},
		{"array<f32>", "{value = true}", "value: it is true: write a number without quotes"},
		{"array<u32>", `{whole = true, sign = "negative"}`, "u32 has no sign"},
		{"array<f32>", "{ink = 1}", "ink needs an image"},
		{"array<f32>", "{ink = 1000000000}", "ink needs an image"},
		{"array<f32>", "{}", "it has no fill"},
	} {
		_, err := filled(t, c.arrayType, c.fill, 10, 0)
		require.ErrorContains(t, err, c.want, c.fill)
	}
	_, err := filled(t, "array<f32>", "{ink = 1000000000}", 10, 5)
	require.ErrorContains(t, err, "use 1 to 100 rectangles")
}

func TestBindingTypes(t *testing.T) {
	for _, c := range []struct{ access, arrayType, want string }{
		{"storage, read", "array<vec4<f32>>", ""},
		{"storage, read_write", "array<atomic<i32>>", ""},
		{"uniform", "P{a: i32, b: u32}", ""},
		{"storage, read", "array<atomic<u32>>", "its access has to be read_write"},
		{"storage, read", "array<atomic<f32>>", "use an array of f32, u32, i32, atomic<u32>"},
		{"storage, read", "array<vec5<f32>>", "use an array of"},
		{"uniform", "array<f32>", "uniforms are structs"},
		{"storage, read", "P{a: i32}", "all others are arrays"},
	} {
		err := Binding{Name: "x", Access: shader.Space(c.access), Type: c.arrayType}.validate()
		if c.want == "" {
			require.NoError(t, err)
			continue
		}
		require.ErrorContains(t, err, c.want)
	}
	v := Binding{Name: "v", Type: "array<vec3<i32>>"}
	x := Binding{Name: "x", Type: "array<u32>"}
	require.Equal(t, []any{"v[1].z", true, "x[3]", false}, []any{v.WordName(6), v.IsPadding(7), x.WordName(3), x.IsPadding(3)})
	require.Equal(t, []int{6, 3}, []int{v.Word(1, "z"), x.Word(3, "")})
}

func TestHalves(t *testing.T) {
	b, err := filled(t, "array<u32>", "{halves = 10}", 100, 0)
	require.NoError(t, err)
	for _, word := range b.Uints() {
		for _, half := range []uint16{uint16(word), uint16(word >> 16)} {
			exponent := int(half>>10&31) - 15
			require.True(t, exponent >= 0 && exponent <= 3, "%04x is between 1 and 9.5", half)
		}
	}
}
