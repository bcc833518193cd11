// Package labextension is what makes JupyterLab show WGSL as WGSL: a small extension that is installed as a folder,
// with no bundler and no package of others' code. extension.js is all of it but the words of the language, which come
// from the front end.
package labextension

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// Name is the extension's, in JupyterLab and as a folder.
const Name = "wgslab"

//go:embed extension.js
var source []byte

// placeholder stands in extension.js for the words of the language.
const placeholder = `{"words":"of the language"}`

// words are the words that the extension colours.
type words struct {
	Keywords      []string `json:"keywords"`
	Reserved      []string `json:"reserved"`
	Types         []string `json:"types"`
	Functions     []string `json:"functions"`
	Enumerants    []string `json:"enumerants"`
	BuiltinValues []string `json:"builtinValues"`
}

func language() words {
	w := words{Keywords: syntax.Keywords(), Reserved: syntax.ReservedWords()}
	for _, o := range types.Predeclared() {
		switch o.Kind {
		case types.BuiltinObject:
			w.Functions = append(w.Functions, o.Name)
		case types.EnumerantObject:
			w.Enumerants = append(w.Enumerants, o.Name)
		default:
			w.Types = append(w.Types, o.Name)
		}
	}
	for _, v := range types.BuiltinValues() {
		w.BuiltinValues = append(w.BuiltinValues, v.Name)
	}
	w.BuiltinValues = slices.Compact(w.BuiltinValues)
	return w
}

// Files are the extension's files by their path in its folder, as JupyterLab wants them.
func Files() map[string][]byte {
	list, _ := json.Marshal(language()) // strings always can be
	script := bytes.Replace(source, []byte(placeholder), list, 1)
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
