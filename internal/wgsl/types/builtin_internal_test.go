package types

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// Exactly the entries marked const have code that computes them, and all such code belongs to an
// entry.
func TestTableOfBuiltins(t *testing.T) {
	functions, overloads := 0, 0
	for kind := range 4 {
		for _, b := range Builtins(BuiltinKind(kind)) {
			functions++
			overloads += len(b.Overloads())
			assert.NotEmpty(t, b.Doc, b.Name)
			assert.NotEmpty(t, b.Overloads(), b.Name)
			assert.Equal(t, b.Const, b.eval != nil, "%s can be computed when it is marked const", b.Name)
			if b.Needs != FeatureAtomicVec2uMinMax {
				assert.NotEmpty(t, b.Section, b.Name)
			}
		}
		for name := range constFuncs[BuiltinKind(kind)] {
			assert.NotNil(t, LookupBuiltin(BuiltinKind(kind), name), name)
		}
		for name := range partialChecks[BuiltinKind(kind)] {
			assert.NotNil(t, LookupBuiltin(BuiltinKind(kind), name), name)
		}
	}
	assert.Equal(t, 148+17+18+3+3, functions)
	assert.Greater(t, overloads, 450)
}

func TestConversionRanks(t *testing.T) {
	for _, c := range []struct {
		src, dest Type
		rank      int
	}{
		{F32, F32, 0}, {AbstractFloat, F32, 1}, {AbstractFloat, F16, 2}, {AbstractInt, I32, 3}, {AbstractInt, U32, 4},
		{AbstractInt, AbstractFloat, 5}, {AbstractInt, F32, 6}, {AbstractInt, F16, 7}, {I32, U32, never},
		{AbstractFloat, I32, never}, {F16, F32, never}, {Bool, I32, never},
		{VectorOf(3, AbstractInt), VectorOf(3, F32), 6}, {VectorOf(3, F32), VectorOf(4, F32), never},
		{&Array{Elem: AbstractInt, Count: 2}, &Array{Elem: U32, Count: 2}, 4},
		{&Array{Elem: AbstractInt, Count: 2}, &Array{Elem: U32, Count: 3}, never},
		{&Reference{SpacePrivate, F32, ReadWrite, false, false}, F32, 0},
		{builtinResult("frexp", AbstractFloat), builtinResult("frexp", F16), 2},
		{builtinResult("modf", VectorOf(2, AbstractFloat)), builtinResult("modf", VectorOf(2, F32)), 1},
		{builtinResult("modf", AbstractFloat), builtinResult("frexp", F32), never},
	} {
		assert.Equal(t, c.rank, conversionRank(c.src, c.dest), "%s to %s", c.src, c.dest)
	}
}

func TestNearestName(t *testing.T) {
	names := []string{"global_id", "total", "out", "column", "i", "x", "workgroupBarrier"}
	for written, meant := range map[string]string{
		"colum": "column", "cloumn": "column", "Total": "total", "totl": "total", "output": "out", "n": "", "I": "i",
		"workgroup_barrier": "workgroupBarrier", "something": "",
	} {
		assert.Equal(t, meant, nearest(written, names), written)
	}
}
