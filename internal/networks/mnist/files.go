package mnist

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
)

// file is one of MNIST's four files.
type file struct {
	name   string
	size   int64  // bytes, uncompressed
	sha256 string // of the uncompressed contents: the .gz differs between mirrors
}

// pair is a file of images with its file of labels.
type pair struct {
	source         string
	images, labels file
}

var testFiles = pair{
	source: TestSource,
	images: file{"t10k-images-idx3-ubyte", 7840016, "0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7"},
	labels: file{"t10k-labels-idx1-ubyte", 10008, "ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2"},
}

// unpack returns the uncompressed contents of a file if they match f, to the byte. Its errors
// continue a sentence that begins with the file's name.
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
