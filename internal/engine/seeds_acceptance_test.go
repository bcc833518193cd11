//go:build acceptance

package engine_test

func init() { onDriver, inSimulator = seeds{50, 5}, seeds{10, 1} }
