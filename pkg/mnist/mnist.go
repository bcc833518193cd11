// Package mnist gives handwritten digits: MNIST's test images, which ship with
// it, the training images, found or fetched, and a small set of digits drawn by
// this project's own stroke generator. MNIST's files are always verified.
//
// A digit is 28×28 bytes, row by row, 0 black to 255 white, the digit white.
package mnist

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
)

// MNIST's test images as they came from a mirror; t10k/README.md says whose they
// are.
var (
	//go:embed t10k/t10k-images-idx3-ubyte.gz
	t10kImages []byte
	//go:embed t10k/t10k-labels-idx1-ubyte.gz
	t10kLabels []byte
)

// The shape of one digit.
const (
	Side   = 28
	Pixels = Side * Side
)

// What a Set holds, in the words that displays show.
const (
	TrainSource = "MNIST training images"
	TestSource  = "MNIST test images"
	DrawnSource = "drawn digits"
)

// Set is a row of digits with what each one is.
type Set struct {
	// Source names the digits; every display of them shows it. It is one of
	// TrainSource, TestSource and DrawnSource when this package loaded them.
	Source string
	Images []byte // Len()·784 bytes, digit after digit
	Labels []byte // Len() bytes, each 0 to 9
}

// Len returns the number of digits.
func (s Set) Len() int { return len(s.Labels) }

// Image returns the 784 bytes of digit i, which the Set still owns.
func (s Set) Image(i int) []byte { return s.Images[i*Pixels : (i+1)*Pixels : (i+1)*Pixels] }

// First is the first n digits, or all where there are fewer.
func (s Set) First(n int) Set {
	n = min(n, s.Len())
	return Set{Source: s.Source, Images: s.Images[: n*Pixels : n*Pixels], Labels: s.Labels[:n:n]}
}

// Options change how the training images are got. The zero value is ready to use.
type Options struct {
	// Progress, when set, is called while a file is fetched: bytes done so
	// far, and in all (-1 when the mirror does not say).
	Progress func(file string, done, total int64)
}

// Test returns MNIST's 10,000 test images, which ship with this package. It is an
// error when the files that it was built with are not MNIST's.
func Test() (Set, error) {
	images, err := unpack(bytes.NewReader(t10kImages), testFiles.images)
	if err != nil {
		return Set{}, fmt.Errorf("pkg/mnist/t10k: %w", err)
	}
	labels, err := unpack(bytes.NewReader(t10kLabels), testFiles.labels)
	if err != nil {
		return Set{}, fmt.Errorf("pkg/mnist/t10k: %w", err)
	}
	return testFiles.set(images, labels)
}

// Train returns MNIST's 60,000 training images. It looks in the folder that
// WGSLAB_MNIST names, or else in those of Folders, or else fetches them. It is an
// error when they can be neither found nor fetched, when WGSLAB_MNIST is set and
// its files are missing or wrong, or when ctx ends.
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

// set reads the contents of the pair's two files.
func (p pair) set(images, labels []byte) (Set, error) {
	set, err := read(bytes.NewReader(images), bytes.NewReader(labels))
	if err != nil {
		return Set{}, fmt.Errorf("reading the %s: %w", p.source, err)
	}
	set.Source = p.source
	return set, nil
}
