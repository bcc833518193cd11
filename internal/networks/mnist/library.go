//go:build !js

package mnist

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// Options says how to get the training images. The zero value is ready to use.
type Options struct {
	// Progress, if set, is called during a download with the number of bytes so far, and the
	// total (-1 if the mirror does not say).
	Progress func(file string, done, total int64)
}

// Train returns MNIST's 60,000 training images. It looks in the folder that WGSLAB_MNIST names.
// Without that variable, it looks in Folders, and then downloads them. It returns an error if it
// can neither find nor download them, if WGSLAB_MNIST is set and its files are missing or wrong, or
// if ctx ends.
func Train(ctx context.Context, opts Options) (Set, error) {
	return newLibrary(opts).train(ctx)
}

func (l library) train(ctx context.Context) (Set, error) {
	images, err := l.contents(ctx, trainFiles.images)
	if err != nil {
		return Set{}, err
	}
	labels, err := l.contents(ctx, trainFiles.labels)
	if err != nil {
		return Set{}, err
	}
	return trainFiles.set(images, labels)
}

var trainFiles = pair{
	source: TrainSource,
	images: file{"train-images-idx3-ubyte", 47040016, "ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db"},
	labels: file{"train-labels-idx1-ubyte", 60008, "65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5"},
}

var errUnavailable = errors.New("MNIST's training images are missing, and the download failed")

// library lists the places of MNIST's training files and the mirrors to download them from.
type library struct {
	dir      string // WGSLAB_MNIST; "" if not set
	cache    string // "" if there is no cache; cacheErr says why
	cacheErr error
	shared   []string // folders where an administrator may have put them for all users
	mirrors  []string // base addresses, in the order to try
	client   *http.Client
	stall    time.Duration // a download that receives nothing for this long has failed
	progress func(file string, done, total int64)
}

func newLibrary(opts Options) library {
	l := library{
		dir:      os.Getenv("WGSLAB_MNIST"),
		mirrors:  publicMirrors,
		client:   quickClient(),
		stall:    10 * time.Second,
		progress: opts.Progress,
	}
	if l.progress == nil {
		l.progress = func(string, int64, int64) {}
	}
	l.shared = sharedFolders()
	base, err := os.UserCacheDir()
	if err != nil {
		l.cacheErr = err
		return l
	}
	l.cache = inFolder(base)
	return l
}

func inFolder(base string) string { return filepath.Join(base, "wgslab", "mnist") }

// sharedFolders returns the folders for data of all users, by the XDG Base Directory Specification.
func sharedFolders() []string {
	bases := os.Getenv("XDG_DATA_DIRS")
	if bases == "" {
		bases = "/usr/local/share:/usr/share"
	}
	var folders []string
	for _, base := range filepath.SplitList(bases) {
		if filepath.IsAbs(base) {
			folders = append(folders, inFolder(base))
		}
	}
	return folders
}

// Folders returns the folders to search for MNIST's training files, in order. If WGSLAB_MNIST is
// set, its folder is the only one. Otherwise the first folder is the cache, which holds the
// downloaded files.
func Folders() []string {
	l := newLibrary(Options{})
	if l.dir != "" {
		return []string{l.dir}
	}
	return l.folders()
}

// folders returns the cache, if there is one, and the folders for all users.
func (l library) folders() []string {
	if l.cache == "" {
		return l.shared
	}
	return append([]string{l.cache}, l.shared...)
}

// TrainFilesIn reports whether a folder holds MNIST's training files, compressed or not. It only
// looks at their names.
func TrainFilesIn(dir string) bool {
	return trainFiles.images.isIn(dir) && trainFiles.labels.isIn(dir)
}

func (f file) isIn(dir string) bool {
	return slices.ContainsFunc(f.names(), func(name string) bool {
		_, err := os.Stat(filepath.Join(dir, name))
		return err == nil
	})
}

// names returns the names that the file may have in a folder.
func (f file) names() []string { return []string{f.name, f.name + ".gz"} }

// contents returns the verified, uncompressed contents of f.
func (l library) contents(ctx context.Context, f file) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if l.dir != "" {
		data, err := readFrom(l.dir, f)
		if err != nil {
			return nil, fmt.Errorf("WGSLAB_MNIST=%s: %w", l.dir, err)
		}
		return data, nil
	}
	for _, dir := range l.folders() {
		if data, err := readFrom(dir, f); err == nil {
			return data, nil
		}
	}
	if l.cacheErr != nil {
		return nil, fmt.Errorf("%w: no folder to keep it in: %w", errUnavailable, l.cacheErr)
	}
	data, err := l.fetch(ctx, f)
	if err != nil {
		return nil, fmt.Errorf("%w (set WGSLAB_MNIST to a folder that holds %s.gz): %w", errUnavailable, f.name, err)
	}
	return data, nil
}

// readFrom reads f, compressed or not, from a folder.
func readFrom(dir string, f file) ([]byte, error) {
	for _, name := range f.names() {
		data, err := readVerified(filepath.Join(dir, name), f)
		if !errors.Is(err, fs.ErrNotExist) {
			return data, err
		}
	}
	return nil, fmt.Errorf("there is no %s and no %s.gz in that folder", f.name, f.name)
}

// readVerified returns the uncompressed contents of the file at path if they match f, to the byte.
func readVerified(path string, f file) ([]byte, error) {
	handle, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer handle.Close()
	data, err := unpack(handle, f)
	if err != nil {
		return nil, fmt.Errorf("%s %w", path, err)
	}
	return data, nil
}
