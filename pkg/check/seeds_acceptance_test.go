//go:build acceptance

package check_test

func init() { seedsForRight, seedsForWrong = 50, 5 }
