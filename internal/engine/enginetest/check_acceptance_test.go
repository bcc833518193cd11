//go:build acceptance

package enginetest_test

func init() { compared = 1200 }
