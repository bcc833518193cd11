//go:build acceptance

package server_test

func init() { edits = 10_000 }
