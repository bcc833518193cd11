// Command bundle builds what the extension needs in a browser: the language server as WebAssembly,
// the worker that runs it, and the client, each one file.
//
//	go run ./editors/vscode/browser/bundle INSTALLED OUT   # INSTALLED has the npm packages
package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "bundle takes the folder of the installed packages, and one for the bundle")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "bundle:", err)
		os.Exit(1)
	}
}

func run(installed, out string) error {
	here := filepath.Join("editors", "vscode", "browser")
	server := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w -buildid=", "-o", filepath.Join(out, "server.wasm"), "./"+filepath.ToSlash(here)+"/server")
	server.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if said, err := server.CombinedOutput(); err != nil {
		return fmt.Errorf("building the language server: %w: %s", err, said)
	}
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return fmt.Errorf("asking go for its folder: %w", err)
	}
	runtime := filepath.Join(strings.TrimSpace(string(goroot)), "lib", "wasm", "wasm_exec.js")
	modules, err := filepath.Abs(filepath.Join(installed, "node_modules"))
	if err != nil {
		return err
	}
	result := api.Build(api.BuildOptions{
		EntryPoints: []string{filepath.Join(here, "client.js"), filepath.Join(here, "worker.js")},
		Outdir:      out, Write: true, Bundle: true, NodePaths: []string{modules},
		Alias: map[string]string{"go/wasm_exec.js": runtime}, External: []string{"vscode"},
		Platform: api.PlatformBrowser, Format: api.FormatCommonJS, Target: api.ES2022,
		MinifyWhitespace: true, MinifyIdentifiers: true, MinifySyntax: true, LegalComments: api.LegalCommentsNone, LogLevel: api.LogLevelSilent,
	})
	if len(result.Errors) > 0 {
		return errors.New(strings.Join(api.FormatMessages(result.Errors, api.FormatMessagesOptions{Kind: api.ErrorMessage}), ""))
	}
	return nil
}
