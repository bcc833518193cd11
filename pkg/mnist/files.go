package mnist

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// file is one of the four that make up MNIST.
type file struct {
	name   string
	size   int64  // bytes, uncompressed
	sha256 string // of the uncompressed contents: the .gz differs between mirrors
}

// pair is a file of images and the labels that go with it.
type pair struct {
	source         string
	images, labels file
}

var (
	trainFiles = pair{
		source: TrainSource,
		images: file{"train-images-idx3-ubyte", 47040016, "ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db"},
		labels: file{"train-labels-idx1-ubyte", 60008, "65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5"},
	}
	testFiles = pair{
		source: TestSource,
		images: file{"t10k-images-idx3-ubyte", 7840016, "0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7"},
		labels: file{"t10k-labels-idx1-ubyte", 10008, "ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2"},
	}
)

var errUnavailable = errors.New("MNIST's training images are not here and could not be fetched")

// library knows where MNIST's training files are, and where to get them.
type library struct {
	dir      string // WGSLAB_MNIST; "" when not set
	cache    string // "" when there is no cache, for the reason in cacheErr
	cacheErr error
	shared   []string // folders in which somebody may have put them for all users
	mirrors  []string // base addresses, tried in order
	client   *http.Client
	stall    time.Duration // a download that brings nothing for so long is given up
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

// sharedFolders are where the machine keeps data for all users, by the XDG Base
// Directory Specification.
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

// Folders are where MNIST's training files are looked for, in this order. The first is
// the user's own choice: what WGSLAB_MNIST names, and then it is the only one,
// or the cache, into which they are fetched.
func Folders() []string {
	l := newLibrary(Options{})
	if l.dir != "" {
		return []string{l.dir}
	}
	return l.folders()
}

// folders are the cache, where there is one, and those for all users.
func (l library) folders() []string {
	if l.cache == "" {
		return l.shared
	}
	return append([]string{l.cache}, l.shared...)
}

// TrainFilesIn tells whether a folder holds MNIST's training files, compressed or
// not. It looks at their names alone.
func TrainFilesIn(dir string) bool {
	return trainFiles.images.isIn(dir) && trainFiles.labels.isIn(dir)
}

func (f file) isIn(dir string) bool {
	return slices.ContainsFunc(f.names(), func(name string) bool {
		_, err := os.Stat(filepath.Join(dir, name))
		return err == nil
	})
}

// names are those that the file may have in a folder.
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

// readFrom reads f from a folder, where it may be compressed or not.
func readFrom(dir string, f file) ([]byte, error) {
	for _, name := range f.names() {
		data, err := readVerified(filepath.Join(dir, name), f)
		if !errors.Is(err, fs.ErrNotExist) {
			return data, err
		}
	}
	return nil, fmt.Errorf("there is no %s and no %s.gz in that folder", f.name, f.name)
}

// readVerified returns the uncompressed contents of the file at path when they
// are those of f, to the byte.
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

// unpack returns the uncompressed contents of a file when they are those of f,
// to the byte. Its errors go on behind the file's name.
func unpack(compressed io.Reader, f file) ([]byte, error) {
	r, err := plain(compressed)
	if err != nil {
		return nil, fmt.Errorf("cannot be read: %w", err)
	}
	data := bytes.NewBuffer(make([]byte, 0, f.size+bytes.MinRead))
	if _, err := io.Copy(data, io.LimitReader(r, f.size+1)); err != nil {
		return nil, fmt.Errorf("cannot be unpacked: %w", err)
	}
	if sum := sha256.Sum256(data.Bytes()); hex.EncodeToString(sum[:]) != f.sha256 {
		return nil, fmt.Errorf("is not MNIST's %s: the SHA-256 of its contents is %x, not %s", f.name, sum, f.sha256)
	}
	return data.Bytes(), nil
}
