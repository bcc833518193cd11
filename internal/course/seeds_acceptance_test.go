//go:build acceptance

package course_test

func init() { seeds, fewerSeeds = 50, 10 }
