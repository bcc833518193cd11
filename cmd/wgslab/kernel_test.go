package main

import (
	"context"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestKernelIsAskedWrongly(t *testing.T) {
	for want, args := range map[string][]string{
		"connection-file":        {"kernel", "--", "gonb"},
		"open k.json":            {"kernel", "--connection-file", "k.json"},
		"reading the connection": {"kernel", "--connection-file", filepath.Join(t.TempDir(), "none.json"), "--", "gonb"},
	} {
		var said strings.Builder
		require.NotZero(t, run(context.Background(), args, io.Discard, &said))
		require.Contains(t, said.String(), want)
	}
}
