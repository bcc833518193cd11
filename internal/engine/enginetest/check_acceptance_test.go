//go:build acceptance

package enginetest_test

import "github.com/wgslab/wgslab/internal/engine/enginetest"

func init() { programs, seed = 1200, enginetest.FreshSeed() }
