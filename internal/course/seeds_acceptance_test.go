//go:build acceptance

package course_test

func init() { seeds = 20 }
