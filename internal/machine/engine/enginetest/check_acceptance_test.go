//go:build acceptance

package enginetest_test

import (
	"testing"

	"github.com/wgslab/wgslab/internal/course/coursetest"
	"github.com/wgslab/wgslab/internal/machine/engine/enginetest"
)

// TestManyCompiledRandomPrograms goes on where TestCompiledRandomPrograms ends.
func TestManyCompiledRandomPrograms(t *testing.T) {
	programs := 10_000
	if !coursetest.Whole(t) {
		programs = 100
	}
	enginetest.CheckCompiled(t, programs)
}

// TestManyRandomPrograms goes on where TestRandomPrograms ends.
func TestManyRandomPrograms(t *testing.T) {
	programs := 1200
	if !coursetest.Whole(t) {
		programs = 200
	}
	enginetest.Check(t, programs, openDriver(t), enginetest.Naga...)
}
