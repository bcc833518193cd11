// Package labextension installs the JupyterLab extension that colours, indents and folds WGSL,
// keeps the page still during a check, dims outdated verdicts, shows the costs of a right shader's
// lines, formats a cell's shader, copies the context for an AI tutor, shows the learner's journal,
// opens folded shaders, and adds a step-back button to the debugger. The extension is one folder,
// made without a bundler or third-party code. extension.js holds its code; the language comes from
// internal/wgsl/assist, and the reader of shader cells from internal/ground/ipynb/cell.
package labextension

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/wgslab/wgslab/internal/ground/ipynb/cell"
	"github.com/wgslab/wgslab/internal/wgsl/assist"
)

// Name names the extension in JupyterLab, and its folder.
const Name = "wgslab"

//go:embed extension.js
var source []byte

// The text in extension.js that installation replaces.
const (
	languagePlaceholder = `"the language";`
	cellPlaceholder     = `"the shader that a cell writes"`
)

// script returns extension.js with the language, and the reader of cells that write a shader.
func script() []byte {
	whole := bytes.Replace(source, []byte(languagePlaceholder), assist.Script(), 1)
	return bytes.Replace(whole, []byte(cellPlaceholder), []byte(cell.ShaderFile()), 1)
}

// Files returns the files of the extension by their path in its folder.
func Files() map[string][]byte {
	script := script()
	// Browsers cache a script for a long time, so a changed script needs a new name.
	entry := "static/remoteEntry." + fmt.Sprintf("%x", sha256.Sum256(script))[:16] + ".js"
	about, _ := json.MarshalIndent(map[string]any{
		"name": Name, "version": "1.0.0", "description": "WGSL in JupyterLab", "license": "Apache-2.0",
		"jupyterlab": map[string]any{
			"extension": true,
			"_build":    map[string]string{"load": entry, "extension": "./extension"},
		},
	}, "", "  ")
	return map[string][]byte{"package.json": append(about, '\n'), entry: script}
}

// Dir returns the extension's folder in the clone at root.
func Dir(root string) string {
	return filepath.Join(root, ".venv", "share", "jupyter", "labextensions", Name)
}

// Install installs the extension in the .venv of the clone at root, replacing an older one. It
// returns its folder.
func Install(root string) (dir string, err error) { return write(Dir(root)) }

// InstallIn does the same in a folder of Jupyter's data, such as share/jupyter of a virtual
// environment.
func InstallIn(data string) (dir string, err error) {
	return write(filepath.Join(data, "labextensions", Name))
}

func write(dir string) (string, error) {
	if err := os.RemoveAll(dir); err != nil {
		return "", fmt.Errorf("removing the older JupyterLab extension: %w", err)
	}
	for name, data := range Files() {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return "", fmt.Errorf("installing the JupyterLab extension: %w", err)
		}
		if err := os.WriteFile(path, data, 0o644); err != nil {
			return "", fmt.Errorf("installing the JupyterLab extension: %w", err)
		}
	}
	return dir, nil
}

// Missing returns why the clone at root does not have this version of the extension, or "".
func Missing(root string) string {
	for name, data := range Files() {
		found, err := os.ReadFile(filepath.Join(Dir(root), filepath.FromSlash(name)))
		switch {
		case os.IsNotExist(err):
			return "not installed, or an older one is"
		case err != nil:
			return err.Error()
		case !bytes.Equal(found, data):
			return "it was changed, or is an older one"
		}
	}
	return ""
}
