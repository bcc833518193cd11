//go:build acceptance

package judge_test

func init() { seedsOfReferences = 100 }
