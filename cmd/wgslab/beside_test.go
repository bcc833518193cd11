package main

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"
)

// What panics beside a result costs a line on standard error, not the result.
func TestWhatIsBesideAResultFails(t *testing.T) {
	var out, errs bytes.Buffer
	cmd := &cobra.Command{}
	cmd.SetOut(&out)
	cmd.SetErr(&errs)
	beside(cmd, "The picture", func() { fmt.Fprintln(cmd.OutOrStdout(), "drawn") })
	require.Equal(t, "drawn\n", out.String())
	require.Empty(t, errs.String())
	beside(cmd, "The picture", func() { panic("boom") })
	require.Contains(t, errs.String(), "wgslab: The picture can't be shown. This is a fault in wgslab, not in your shader: please report it.\nboom\n")
}
