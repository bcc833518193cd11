package submission

import (
	"archive/zip"
	"compress/flate"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// A thing is an entry of a folder or zip, or was named by itself.
type thing struct {
	path  []string // its names from the folder or zip on
	shown []string // the same for people: includes the folders that unwrap removes
	kind  kind
	open  func() (io.ReadCloser, error) // of notebooks and archives; *os.File on a disk
	// trouble says why a thing of kind unread is not read; it follows the path in a sentence.
	trouble string
}

type kind int

const (
	folder kind = iota
	notebookFile
	archive  // a zip
	workFile // a shader, or a program in JavaScript, in a folder work, as the page's zip has them
	unread
	other // any other file: it only shows that its student exists
)

// The reasons why a thing is not read.
const (
	isLink    = "is a symbolic link, and links are not followed"
	isSpecial = "isn't a regular file"
	isSecret  = "is encrypted: hand it in without a password"
	isNested  = "is a zip in a zip: put the notebooks into a single zip"
)

// kindOf decides the kind of a file by its path.
func kindOf(path ...string) kind {
	name := path[len(path)-1]
	switch {
	case len(path) > 1 && path[len(path)-2] == "work" && workID(name) != "":
		return workFile
	case isNotebook(name):
		return notebookFile
	case isZip(name):
		return archive
	}
	return other
}

// worthKeeping reports whether a thing can be useful. Of the many files that are neither notebooks
// nor zips, only those whose names identify a student are.
func (t thing) worthKeeping() bool {
	switch t.kind {
	case folder:
		return len(t.path) <= 3 // the maximum depth of students' folders
	case other:
		_, _, ok := fileOf(t.path[len(t.path)-1])
		return ok
	}
	return true
}

// walk lists the contents of a folder on disk. It follows no links and opens no files.
func walk(root string) ([]thing, error) {
	var things []thing
	err := filepath.WalkDir(root, func(place string, entry fs.DirEntry, err error) error {
		if place == root {
			return err
		}
		relative, relErr := filepath.Rel(root, place)
		if relErr != nil {
			return relErr
		}
		t := thing{path: strings.Split(filepath.ToSlash(relative), "/")}
		t.shown = t.path
		switch {
		case skipped(t.path[len(t.path)-1:]):
			return skipEntry(entry)
		case err != nil:
			t.kind, t.trouble = unread, "cannot be read: "+reason(err)
		default:
			t.classify(place, entry.Type())
		}
		if t.worthKeeping() {
			things = append(things, t)
		}
		if entry.IsDir() && (err != nil || len(t.path) >= maxDepth) {
			return fs.SkipDir
		}
		return nil
	})
	return things, err
}

func skipEntry(entry fs.DirEntry) error {
	if entry.IsDir() {
		return fs.SkipDir
	}
	return nil
}

// classify sets the kind of a thing at a place on disk.
func (t *thing) classify(place string, mode fs.FileMode) {
	switch {
	case mode&fs.ModeSymlink != 0:
		t.kind, t.trouble = unread, isLink
	case mode.IsDir():
		t.kind = folder
		if len(t.path) >= maxDepth {
			t.kind, t.trouble = unread, "is in too many nested folders"
		}
	case mode.IsRegular():
		t.kind = kindOf(t.path...)
		t.open = func() (io.ReadCloser, error) { return openOrdinary(place) }
	case kindOf(t.path...) != other:
		t.kind, t.trouble = unread, isSpecial
	default:
		t.kind = other
	}
}

// openOrdinary opens a regular file. It opens no link, and no pipe, which could block until
// something writes to it.
func openOrdinary(place string) (io.ReadCloser, error) {
	file, err := os.OpenFile(place, os.O_RDONLY|neitherFollowNorWait, 0)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New(isSpecial)
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}

// listFile lists the contents of an open zip; see list.
func listFile(file io.ReadCloser, names *int64) ([]thing, error) {
	f := file.(*os.File) // the type that openOrdinary returns
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	return list(f, info.Size(), names)
}

// list lists the contents of a zip. names is the number of bytes that its list of names may have;
// list subtracts what it uses. Opening a thing reads from the reader again.
func list(r io.ReaderAt, size int64, names *int64) ([]thing, error) {
	limited := &limitedAt{ReaderAt: r, left: names}
	z, err := zip.NewReader(limited, size)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return nil, err
	}
	limited.listed = true
	var things []thing
	folders := map[string]bool{}
	for _, f := range z.File {
		t := fromZip(f)
		if len(t.path) == 0 || skipped(t.path) {
			continue
		}
		for depth := 1; depth < len(t.path) && depth <= 3; depth++ {
			things = addFolder(things, folders, t.path[:depth])
		}
		switch {
		case t.kind == folder && t.worthKeeping():
			things = addFolder(things, folders, t.path)
		case t.kind != folder && t.worthKeeping():
			things = append(things, t)
		}
	}
	return things, nil
}

// addFolder adds a folder once. Zips may leave their folders out.
func addFolder(things []thing, known map[string]bool, path []string) []thing {
	key := strings.Join(path, "/")
	if known[key] {
		return things
	}
	known[key] = true
	return append(things, thing{path: path, shown: path, kind: folder})
}

func fromZip(f *zip.File) thing {
	path, trouble := zipPath(f.Name)
	t := thing{path: path, shown: path, trouble: trouble}
	if len(path) == 0 {
		return t
	}
	mode := f.Mode()
	switch {
	case trouble != "":
		t.kind = unread
	case mode.IsDir() || strings.HasSuffix(f.Name, `\`):
		t.kind = folder
	case mode&fs.ModeSymlink != 0:
		t.kind, t.trouble = unread, isLink
	case kindOf(path...) == other:
		t.kind = other
	case !mode.IsRegular():
		t.kind, t.trouble = unread, isSpecial
	case f.Flags&1 != 0:
		t.kind, t.trouble = unread, isSecret
	default:
		t.kind = kindOf(path...)
		t.open = f.Open
	}
	return t
}

// limitedAt limits the bytes read from a zip's list of names, because Go's reader loads all of it
// into memory.
type limitedAt struct {
	io.ReaderAt
	left   *int64
	listed bool // the list is read; reads are of contents now
}

func (l *limitedAt) ReadAt(p []byte, offset int64) (int, error) {
	if !l.listed {
		if *l.left -= int64(len(p)); *l.left < 0 {
			return 0, fmt.Errorf("%w: there are more than %d MiB of names in zips", errTooMuch, maxDirectory>>20)
		}
	}
	return l.ReaderAt.ReadAt(p, offset)
}

// A limit bounds how much is read, and returns errTooMuch after that.
type limit struct {
	r    io.Reader
	left *int64 // may be shared among readers
	what string // names what is limited, for the error
	err  error  // the first read error except io.EOF
}

func (l *limit) Read(p []byte) (int, error) {
	n, err := l.r.Read(p[:min(int64(len(p)), *l.left+1)])
	if *l.left -= int64(n); *l.left < 0 {
		*l.left = 0
		n, err = 0, fmt.Errorf("%w: %s", errTooMuch, l.what)
	}
	if err != nil && err != io.EOF {
		l.err = err
	}
	return n, err
}

// reason describes an error of the disk or a zip in a few words.
func reason(err error) string {
	var (
		place   *fs.PathError
		corrupt flate.CorruptInputError
	)
	switch {
	case errors.As(err, &place):
		return place.Err.Error()
	case errors.Is(err, errTooMuch):
		return strings.TrimPrefix(err.Error(), errTooMuch.Error()+": ")
	case errors.Is(err, zip.ErrFormat):
		return "it isn't a zip"
	case errors.Is(err, zip.ErrAlgorithm):
		return "it has an unsupported compression method: zip it again with the usual one"
	case errors.Is(err, zip.ErrChecksum), errors.Is(err, io.ErrUnexpectedEOF), errors.As(err, &corrupt):
		return "the zip is damaged"
	}
	return err.Error()
}
