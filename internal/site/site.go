// Package site makes the course's page: static files, made of the notebooks, that any file server can serve. A visitor
// reads, writes shaders and has them judged in the browser; nothing is sent anywhere.
//
// The judge in there is internal/site/worker, compiled to WebAssembly with the notebooks' Go cells, of which
// internal/site/cells makes Go each time. What others wrote (the editor, say) comes from
// .build/npm, where the set-up puts it.
package site

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

// Options say what is made.
type Options struct {
	Root   string // the clone
	Out    string // the folder that is written, in place of an older one
	Source string // where the course's source can be read, an address
}

// files are the site's files, by their path in it.
type files map[string][]byte

// add adds files and returns an error where one is there already.
func (f files) add(more files) error {
	for name, data := range more {
		if _, there := f[name]; there {
			return fmt.Errorf("two files of the site are called %s", name)
		}
		f[name] = data
	}
	return nil
}

// Build makes the site and says how large it is.
func Build(ctx context.Context, o Options) (Sizes, error) {
	goCells, err := readGoCells(o.Root)
	if err != nil {
		return Sizes{}, err
	}
	assets, err := makeAssets(ctx, o.Root, goCells)
	if err != nil {
		return Sizes{}, err
	}
	c := &course{Options: o, Assets: assets.dir}
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
	if all["sw.js"], err = offline(o.Root, all); err != nil {
		return Sizes{}, err
	}
	if err := all.write(o.Out); err != nil {
		return Sizes{}, err
	}
	return measure(all, assets), nil
}

// write writes the files into a folder of their own, which then takes the place of out.
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
	if err := os.Chmod(fresh, 0o755); err != nil { // a temporary folder is its owner's alone
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
