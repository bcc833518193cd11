package page

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/wgslab/wgslab/internal/fronts/page/cells"
	"github.com/wgslab/wgslab/internal/networks/draw"
	"github.com/wgslab/wgslab/internal/wgsl/assist"
)

// assets are the files that the pages load: scripts, styles, and the judge. Their folder is named
// after a hash of their contents, because browsers cache them.
type assets struct {
	dir   string // a/HASH
	files files  // by their path in the site
}

// judgeParts are the files that only checks and Go cells need. They load after the page.
var judgeParts = append([]string{"judge.wasmgz", "wasm_exec.js", sheetScript}, slices.Concat(workerScripts, courseFiles())...)

func makeAssets(ctx context.Context, root string, goCells *cells.GoSource) (assets, error) {
	loaded, licences, err := bundle(root)
	if err != nil {
		return assets{}, err
	}
	program, more, err := makeProgram(ctx, root, goCells)
	if err != nil {
		return assets{}, err
	}
	program[sheetScript] = draw.SiteScript()
	if err := minify(program); err != nil {
		return assets{}, err
	}
	if err := loaded.add(program); err != nil {
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

// hashOf returns a name for a set of files, made from their names and contents.
func hashOf(f files) string {
	sum := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(f)) {
		fmt.Fprintf(sum, "%s %x\n", name, sha256.Sum256(f[name]))
	}
	return fmt.Sprintf("%x", sum.Sum(nil))[:16]
}

// bundle makes app.js, theme.js and site.css. It also returns the licences of the packages in them,
// by package name.
func bundle(root string) (loaded files, licences files, err error) {
	language := api.Plugin{Name: "wgsl", Setup: func(build api.PluginBuild) {
		build.OnResolve(api.OnResolveOptions{Filter: "^wgsl$"}, func(api.OnResolveArgs) (api.OnResolveResult, error) {
			return api.OnResolveResult{Path: "wgsl", Namespace: "wgsl"}, nil
		})
		build.OnLoad(api.OnLoadOptions{Filter: ".*", Namespace: "wgsl"}, func(api.OnLoadArgs) (api.OnLoadResult, error) {
			script := string(assist.Script()) + "export { parser, fold };\n"
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
		return nil, nil, fmt.Errorf("bundling the page's scripts (make site downloads what they need): %s", strings.Join(said, ""))
	}
	loaded = files{}
	for _, f := range result.OutputFiles {
		loaded[filepath.Base(f.Path)] = f.Contents
	}
	licences, err = packageLicences(root, result.Metafile)
	return loaded, licences, err
}

// minify shortens the scripts among files: they are no modules, and keep the names that others use.
func minify(all files) error {
	for name, text := range all {
		if path.Ext(name) != ".js" {
			continue
		}
		short := api.Transform(string(text), api.TransformOptions{
			Target: api.ES2022, MinifyWhitespace: true, MinifyIdentifiers: true, MinifySyntax: true, LegalComments: api.LegalCommentsNone, LogLevel: api.LogLevelSilent,
		})
		if len(short.Errors) > 0 {
			return fmt.Errorf("shortening the page's %s: %s", name, short.Errors[0].Text)
		}
		all[name] = short.Code
	}
	return nil
}

// packageLicences returns the licences of the npm packages in a bundle.
func packageLicences(root, metafile string) (files, error) {
	var meta struct{ Inputs map[string]any }
	if err := json.Unmarshal([]byte(metafile), &meta); err != nil {
		return nil, fmt.Errorf("reading the bundle's inputs: %w", err)
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

// licenceIn returns the licence in a package's folder, or all if there are several. A package
// without a licence may not ship.
func licenceIn(dir string) ([]byte, error) {
	var all []byte
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil || path == dir:
			return err
		case entry.IsDir():
			if !isLicence(entry.Name()) {
				return fs.SkipDir
			}
			return nil
		case filepath.Dir(path) == dir && !isLicence(entry.Name()):
			return nil
		}
		data, err := os.ReadFile(path)
		all = append(append(all, data...), '\n')
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("reading a licence: %w", err)
	}
	if all == nil {
		return nil, fmt.Errorf("the package in %s has no licence file", dir)
	}
	return all, nil
}

func isLicence(file string) bool {
	name := strings.ToLower(file)
	return strings.HasPrefix(name, "license") || strings.HasPrefix(name, "licence") || strings.HasPrefix(name, "copying")
}

// notices joins all licences into one text.
func notices(licences files) []byte {
	var out bytes.Buffer
	fmt.Fprintln(&out, "wgslab is under the Apache License 2.0: LICENSE.txt. The page contains third-party work under these licences.")
	for _, name := range slices.Sorted(maps.Keys(licences)) {
		fmt.Fprintf(&out, "\n%s\n%s\n\n%s\n", name, strings.Repeat("=", len(name)), bytes.TrimSpace(licences[name]))
	}
	return out.Bytes()
}
