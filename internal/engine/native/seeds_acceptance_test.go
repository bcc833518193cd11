//go:build acceptance

package native_test

func init() { seedsForRight, seedsForWrong = 50, 5 }
