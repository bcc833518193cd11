//go:build acceptance

package enginetest_test

func init() { programs = 1200 }
