//go:build acceptance

package engine_test

func init() { seedsForRight, seedsForWrong = 50, 5 }
