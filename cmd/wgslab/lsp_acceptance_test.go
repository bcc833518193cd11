//go:build acceptance

package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// inNeovim is what a person does in Neovim: it reads the problem, mends it, renames a function and
// formats the file.
const inNeovim = `
local result = { version = tostring(vim.version().major) .. "." .. vim.version().minor .. "." .. vim.version().patch }
local function finish()
  local file = io.open(vim.env.RESULT, "w")
  file:write(vim.fn.json_encode(result))
  file:close()
  vim.cmd("qall!")
end
local ok, why = pcall(function()
  assert(vim.wait(20000, function() return #vim.diagnostic.get(0) > 0 end, 20), "no diagnostic arrived")
  result.problem = vim.diagnostic.get(0)[1].message
  result.line = vim.diagnostic.get(0)[1].lnum
  result.code = vim.diagnostic.get(0)[1].code or vim.diagnostic.get(0)[1].user_data.lsp.code
  vim.api.nvim_buf_set_lines(0, 0, 1, false, { "/* 𝄞 */ const  half = 0.5;" })
  assert(vim.wait(20000, function() return #vim.diagnostic.get(0) == 0 end, 20), "the diagnostic stayed")
  vim.api.nvim_win_set_cursor(0, { 3, 4 })
  vim.lsp.buf.rename("shrunk")
  assert(vim.wait(20000, function() return vim.fn.search("return shrunk(", "nw") > 0 end, 20), "nothing was renamed")
  if vim.lsp.buf.format then
    vim.lsp.buf.format({ timeout_ms = 20000 })
  else
    vim.lsp.buf.formatting_sync(nil, 20000)
  end
  result.text = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n") .. "\n"
end)
if not ok then
  result.failed = tostring(why)
end
finish()
`

// TestNeovim runs the settings of docs/editors.md in Neovim, without a window.
func TestNeovim(t *testing.T) {
	editor, err := exec.LookPath("nvim")
	if err != nil {
		t.Skip("left out: Neovim runs this test. Run: apt-get install neovim")
	}
	folder := t.TempDir()
	out, err := exec.Command("go", "build", "-o", filepath.Join(folder, "wgslab"), ".").CombinedOutput()
	require.NoError(t, err, string(out))
	document, err := os.ReadFile("../../docs/editors.md")
	require.NoError(t, err)
	_, settings, _ := strings.Cut(string(document), "```lua\n")
	settings, _, found := strings.Cut(settings, "```")
	require.True(t, found)
	write := func(name, text string) string {
		path := filepath.Join(folder, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		return path
	}
	shader := write("try.wgsl", "/* 𝄞 */ const half = 0.5\n\nfn smaller(x: f32) -> f32 {\nreturn x*half;\n}\n\nfn twice(x: f32) -> f32 { return smaller(smaller(x)); }\n")
	result := filepath.Join(folder, "result.json")
	command := exec.Command(editor, "--headless", "--clean", "-u", write("init.lua", settings), shader, "-c", "luafile "+write("script.lua", inNeovim))
	command.Dir = folder
	command.Env = append(os.Environ(), "PATH="+folder+":"+os.Getenv("PATH"), "RESULT="+result, "HOME="+folder, "XDG_STATE_HOME="+folder, "XDG_CACHE_HOME="+folder)
	out, err = command.CombinedOutput()
	require.NoError(t, err, string(out))
	text, err := os.ReadFile(result)
	require.NoError(t, err, string(out))
	var got struct {
		Version, Problem, Code, Text, Failed string
		Line                                 int
	}
	require.NoError(t, json.Unmarshal(text, &got), string(text))
	t.Logf("Neovim %s", got.Version)
	require.Empty(t, got.Failed, string(out))
	require.Equal(t, "missing-semicolon", got.Code)
	require.Equal(t, 0, got.Line)
	require.Equal(t, "/* 𝄞 */ const half = 0.5;\n\nfn shrunk(x: f32) -> f32 {\n    return x * half;\n}\n\nfn twice(x: f32) -> f32 { return shrunk(shrunk(x)); }\n", got.Text)
}
