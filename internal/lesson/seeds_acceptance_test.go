//go:build acceptance

package lesson_test

func init() { seeds, fewerSeeds = 50, 10 }
