package site

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/wgslab/wgslab/internal/site/straight"
	"github.com/wgslab/wgslab/internal/wgsl/codemirror"
)

// assets are what the pages load: scripts, styles, and the judge. They lie in a folder that is named for its contents,
// since browsers keep them.
type assets struct {
	dir   string // a/HASH
	files files  // by their path in the site
}

// judgeParts are what only a check needs: they load when the page is there already.
var judgeParts = []string{"judge.wasmgz", "worker.js", "files.js", "wasm_exec.js"}

func makeAssets(ctx context.Context, root string) (assets, error) {
	loaded, licences, err := bundle(root)
	if err != nil {
		return assets{}, err
	}
	judge, more, err := makeJudge(ctx, root)
	if err != nil {
		return assets{}, err
	}
	if err := loaded.add(judge); err != nil {
		return assets{}, err
	}
	made := assets{dir: "a/" + hashOf(loaded), files: files{}}
	for name, data := range loaded {
		made.files[made.dir+"/"+name] = data
	}
	made.files["LICENSE.txt"], err = os.ReadFile(filepath.Join(root, "LICENSE"))
	if err != nil {
		return assets{}, fmt.Errorf("reading the licence: %w", err)
	}
	maps.Copy(licences, more)
	made.files["licences.txt"] = notices(licences)
	return made, nil
}

// hashOf names a set of files by their names and contents.
func hashOf(f files) string {
	sum := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(f)) {
		fmt.Fprintf(sum, "%s %x\n", name, sha256.Sum256(f[name]))
	}
	return fmt.Sprintf("%x", sum.Sum(nil))[:16]
}

// bundle makes app.js, theme.js and site.css. The licences are those of the packages that went in, by their names.
func bundle(root string) (loaded files, licences files, err error) {
	language := api.Plugin{Name: "wgsl", Setup: func(build api.PluginBuild) {
		build.OnResolve(api.OnResolveOptions{Filter: "^wgsl$"}, func(api.OnResolveArgs) (api.OnResolveResult, error) {
			return api.OnResolveResult{Path: "wgsl", Namespace: "wgsl"}, nil
		})
		build.OnLoad(api.OnLoadOptions{Filter: ".*", Namespace: "wgsl"}, func(api.OnLoadArgs) (api.OnLoadResult, error) {
			script := string(codemirror.Script()) + "export { parser, fold };\n"
			return api.OnLoadResult{Contents: &script}, nil
		})
	}}
	entry := func(name string) string { return filepath.Join(assetsDir(root), name) }
	result := api.Build(api.BuildOptions{
		EntryPoints:   []string{entry("app.js"), entry("theme.js"), entry("site.css")},
		AbsWorkingDir: root, Outdir: "out", NodePaths: []string{npmDir(root)},
		Bundle: true, Format: api.FormatESModule, Target: api.ES2022,
		MinifyWhitespace: true, MinifyIdentifiers: true, MinifySyntax: true,
		LegalComments: api.LegalCommentsNone, Metafile: true, LogLevel: api.LogLevelSilent,
		Plugins: []api.Plugin{language},
	})
	if len(result.Errors) > 0 {
		said := api.FormatMessages(result.Errors, api.FormatMessagesOptions{Kind: api.ErrorMessage})
		return nil, nil, fmt.Errorf("bundling the page's scripts (make site fetches what they need): %s", strings.Join(said, ""))
	}
	loaded = files{}
	for _, f := range result.OutputFiles {
		loaded[filepath.Base(f.Path)] = f.Contents
	}
	licences, err = packageLicences(root, result.Metafile)
	return loaded, licences, err
}

// packageLicences are the licences of the npm packages that a bundle holds.
func packageLicences(root, metafile string) (files, error) {
	var meta struct{ Inputs map[string]any }
	if err := json.Unmarshal([]byte(metafile), &meta); err != nil {
		return nil, fmt.Errorf("reading what went into the bundle: %w", err)
	}
	found := files{}
	for input := range meta.Inputs {
		_, inside, ok := strings.Cut(filepath.ToSlash(input), "node_modules/")
		if !ok {
			continue
		}
		parts := strings.SplitN(inside, "/", 3)
		name := parts[0]
		if strings.HasPrefix(name, "@") {
			name = path.Join(parts[0], parts[1])
		}
		if _, known := found[name]; known {
			continue
		}
		licence, err := licenceIn(filepath.Join(npmDir(root), filepath.FromSlash(name)))
		if err != nil {
			return nil, err
		}
		found[name] = licence
	}
	return found, nil
}

// licenceIn is the licence in a package's folder. Without one nothing of it may ship.
func licenceIn(dir string) ([]byte, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("looking for a licence: %w", err)
	}
	for _, entry := range entries {
		if name := strings.ToLower(entry.Name()); !strings.HasPrefix(name, "license") && !strings.HasPrefix(name, "licence") && !strings.HasPrefix(name, "copying") {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, entry.Name()))
		if err != nil {
			return nil, fmt.Errorf("reading a licence: %w", err)
		}
		return data, nil
	}
	return nil, fmt.Errorf("the package in %s has no licence file", dir)
}

// notices is one text of all licences.
func notices(licences files) []byte {
	var out bytes.Buffer
	fmt.Fprintln(&out, "wgslab is under the Apache License 2.0: LICENSE.txt. The page holds work of others, under these licences.")
	for _, name := range slices.Sorted(maps.Keys(licences)) {
		fmt.Fprintf(&out, "\n%s\n%s\n\n%s\n", name, strings.Repeat("=", len(name)), bytes.TrimSpace(licences[name]))
	}
	return out.Bytes()
}

// makeJudge compiles the judge, and finds what starts it and under which licences it stands.
func makeJudge(ctx context.Context, root string) (judge files, licences files, err error) {
	const worker = "./internal/site/worker"
	folder, err := os.MkdirTemp("", "wgslab-judge-")
	if err != nil {
		return nil, nil, fmt.Errorf("compiling the judge: %w", err)
	}
	defer os.RemoveAll(folder)
	program := filepath.Join(folder, "judge.wasm")
	if _, err := goTool(ctx, root, "build", "-trimpath", "-ldflags=-s -w", "-o", program, worker); err != nil {
		return nil, nil, err
	}
	wasm, err := os.ReadFile(program)
	if err != nil {
		return nil, nil, fmt.Errorf("compiling the judge: %w", err)
	}
	if wasm, err = straight.Jumps(wasm); err != nil {
		return nil, nil, fmt.Errorf("making the judge faster: %w", err)
	}
	judge = files{"judge.wasmgz": compressed(wasm)}
	for _, name := range []string{"worker.js", "files.js"} {
		if judge[name], err = readAsset(root, name); err != nil {
			return nil, nil, err
		}
	}
	home, err := goTool(ctx, root, "env", "GOROOT")
	if err != nil {
		return nil, nil, err
	}
	goroot := strings.TrimSpace(string(home))
	if judge["wasm_exec.js"], err = os.ReadFile(filepath.Join(goroot, "lib", "wasm", "wasm_exec.js")); err != nil {
		return nil, nil, fmt.Errorf("reading what starts the judge: %w", err)
	}
	licences, err = moduleLicences(ctx, root, worker)
	if err == nil {
		licences["Go"], err = licenceIn(goroot)
	}
	return judge, licences, err
}

// moduleLicences are the licences of the modules that a program links, but for our own.
func moduleLicences(ctx context.Context, root, program string) (files, error) {
	list, err := goTool(ctx, root, "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}}\t{{.Dir}}{{end}}{{end}}", program)
	if err != nil {
		return nil, err
	}
	found := files{}
	for line := range strings.Lines(string(list)) {
		name, dir, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if !ok || found[name] != nil {
			continue
		}
		if found[name], err = licenceIn(dir); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// goTool runs the go command as for a browser.
func goTool(ctx context.Context, root string, args ...string) ([]byte, error) {
	command := exec.CommandContext(ctx, "go", args...)
	command.Dir = root
	command.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0", "GOFLAGS=-buildvcs=false", "GOWORK=")
	var said bytes.Buffer
	command.Stderr = &said
	out, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("compiling the judge: go %s: %w: %s", args[0], err, said.String())
	}
	return out, nil
}
