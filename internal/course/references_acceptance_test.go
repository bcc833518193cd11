//go:build acceptance

package course_test

func init() { seedsOfReferences = 40 }
