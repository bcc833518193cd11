// Package labextension is what makes JupyterLab show WGSL as WGSL: a small extension that is installed as a folder,
// with no bundler and no package of others' code. extension.js is all of it but the language itself, which is
// internal/wgsl/codemirror's.
package labextension

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/wgslab/wgslab/internal/wgsl/codemirror"
)

// Name is the extension's, in JupyterLab and as a folder.
const Name = "wgslab"

//go:embed extension.js
var source []byte

// placeholder stands in extension.js for the language.
const placeholder = `"the language";`

// Files are the extension's files by their path in its folder, as JupyterLab wants them.
func Files() map[string][]byte {
	script := bytes.Replace(source, []byte(placeholder), codemirror.Script(), 1)
	// Browsers keep a script for long: another one has another name.
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

// Dir is the extension's folder in the clone at root.
func Dir(root string) string {
	return filepath.Join(root, ".venv", "share", "jupyter", "labextensions", Name)
}

// Install puts the extension into the .venv of the clone at root, in place of an older one. It returns its folder.
func Install(root string) (dir string, err error) {
	dir = Dir(root)
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

// Missing says why the extension of the clone at root is not this one; "" where it is.
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
