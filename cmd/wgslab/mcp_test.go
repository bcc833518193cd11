package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Each client gets a configuration that starts the server in the folder, and an unknown one a list.
func TestMcpConfigurations(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "my lessons")
	require.NoError(t, os.Mkdir(folder, 0o755))
	for client, contains := range map[string]string{
		"claude-code": "claude mcp add wgslab -- ", "codex": "codex mcp add wgslab -- ", "gemini": "gemini mcp add wgslab ", "vscode": `"servers"`, "cursor": `"mcpServers"`, "jupyter": `"mcp_servers"`, "emacs": "use claude-code, codex, cursor, gemini, jupyter, vscode",
	} {
		here, err := os.Getwd()
		require.NoError(t, err)
		t.Chdir(here) // --folder changes it
		var stdout, stderr strings.Builder
		code := run(t.Context(), []string{"mcp", "--folder", folder, "--print-config", client}, &stdout, &stderr)
		require.Equal(t, client == "emacs", code == exitAsked, stderr.String())
		said := stdout.String() + stderr.String()
		require.Contains(t, said, contains)
		if code == exitOK {
			require.Contains(t, said, "my lessons")
			require.NotEqual(t, strings.HasPrefix(said, contains), json.Valid([]byte(said)), "a line for a shell, or a file")
		}
	}
}
