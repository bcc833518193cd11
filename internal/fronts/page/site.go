// Package page builds the course's page: static files, made from the notebooks, that any file
// server can serve. A visitor reads, writes shaders and has them judged in the browser; nothing is
// sent anywhere.
//
// The judge is internal/fronts/page/webworker, compiled to WebAssembly with the notebooks' Go
// cells. internal/fronts/page/cells generates their Go for each build. Third-party code, such as
// the editor, comes from .build/npm, where the set-up installs it.
package page

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

// Options are the settings of Build.
type Options struct {
	Root   string // the clone
	Out    string // the output folder; Build replaces an older one
	Source string // the address of the course's source
}

// files holds the site's files by their path in it.
type files map[string][]byte

// add adds files and returns an error if one already exists.
func (f files) add(more files) error {
	for name, data := range more {
		if _, there := f[name]; there {
			return fmt.Errorf("two files of the site are called %s", name)
		}
		f[name] = data
	}
	return nil
}

// tutorRules is the file with the rules for an AI tutor. A failed check offers them for copying.
const tutorRules = "TUTOR.md"

// Build makes the site and returns its sizes.
func Build(ctx context.Context, o Options) (Sizes, error) {
	goCells, err := readGoCells(o.Root)
	if err != nil {
		return Sizes{}, err
	}
	assets, err := makeAssets(ctx, o.Root, goCells)
	if err != nil {
		return Sizes{}, err
	}
	c := &maker{Options: o, Assets: assets.dir}
	pages, err := c.pages(ctx)
	if err != nil {
		return Sizes{}, err
	}
	all := files{}
	for _, more := range []files{assets.files, pages} {
		if err := all.add(more); err != nil {
			return Sizes{}, err
		}
	}
	if all[tutorRules], err = os.ReadFile(filepath.Join(o.Root, "notebooks", tutorRules)); err != nil {
		return Sizes{}, fmt.Errorf("reading the tutor's rules: %w", err)
	}
	if all["sw.js"], err = offline(o.Root, all); err != nil {
		return Sizes{}, err
	}
	if err := all.write(o.Out); err != nil {
		return Sizes{}, err
	}
	return measure(all, assets), nil
}

// write writes the files into a new folder, which then replaces out.
func (f files) write(out string) error {
	if err := os.MkdirAll(filepath.Dir(out), 0o755); err != nil {
		return fmt.Errorf("writing the site: %w", err)
	}
	fresh, err := os.MkdirTemp(filepath.Dir(out), "site-")
	if err != nil {
		return fmt.Errorf("writing the site: %w", err)
	}
	defer os.RemoveAll(fresh)
	for _, name := range slices.Sorted(maps.Keys(f)) {
		path := filepath.Join(fresh, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return fmt.Errorf("writing the site: %w", err)
		}
		if err := os.WriteFile(path, f[name], 0o644); err != nil {
			return fmt.Errorf("writing the site: %w", err)
		}
	}
	if err := os.Chmod(fresh, 0o755); err != nil { // only the owner can enter a temporary folder
		return fmt.Errorf("writing the site: %w", err)
	}
	if err := os.RemoveAll(out); err != nil {
		return fmt.Errorf("removing the older site: %w", err)
	}
	if err := os.Rename(fresh, out); err != nil {
		return fmt.Errorf("writing the site: %w", err)
	}
	return nil
}
