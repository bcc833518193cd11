//go:build acceptance

package machinecode_test

import (
	"math"
	"testing"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/coursetest"
)

// So does every wrong shader of the course.
func TestCompiledCodeOfWrongShaders(t *testing.T) {
	compareAll(t, coursetest.Exercises(t, course.All()), math.MaxInt)
}
