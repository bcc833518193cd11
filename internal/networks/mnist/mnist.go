// Package mnist provides handwritten digits: MNIST's test images, MNIST's training images, and a
// small set of digits from this project's own stroke generator. The test images ship with the
// package; it finds or downloads the training images. It always verifies MNIST's files.
//
// A digit is a white drawing of 28×28 bytes, row by row, from 0 for black to 255 for white.
package mnist

import (
	"bytes"
	"fmt"
)

// The shape of one digit.
const (
	Side   = 28
	Pixels = Side * Side
)

// The sources of a Set, as displays name them.
const (
	TrainSource = "MNIST training images"
	TestSource  = "MNIST test images"
	DrawnSource = "drawn digits"
)

// Set holds images of digits with their labels.
type Set struct {
	// Source names the origin of the digits; every display of them shows it. It is TrainSource,
	// TestSource or DrawnSource if this package loaded them.
	Source string
	Images []byte // Len()·784 bytes, digit after digit
	Labels []byte // Len() bytes, each 0 to 9, or 10 for a sign
}

// Len returns the number of digits.
func (s Set) Len() int { return len(s.Labels) }

// Image returns the 784 bytes of digit i. The Set still owns them.
func (s Set) Image(i int) []byte { return s.Images[i*Pixels : (i+1)*Pixels : (i+1)*Pixels] }

// First returns the first n digits, or all if there are fewer.
func (s Set) First(n int) Set {
	n = min(n, s.Len())
	return Set{Source: s.Source, Images: s.Images[: n*Pixels : n*Pixels], Labels: s.Labels[:n:n]}
}

// Test returns MNIST's 10,000 test images, which ship with this package. It returns an error if the
// shipped files are not MNIST's.
func Test() (Set, error) {
	images, err := shippedContents(testFiles.images)
	if err != nil {
		return Set{}, err
	}
	labels, err := shippedContents(testFiles.labels)
	if err != nil {
		return Set{}, err
	}
	return testFiles.set(images, labels)
}

// shippedContents returns the verified, uncompressed contents of a file that ships.
func shippedContents(f file) ([]byte, error) {
	compressed, err := shipped(f.name + ".gz")
	if err != nil {
		return nil, fmt.Errorf("reading the embedded MNIST files: %w", err)
	}
	contents, err := unpack(bytes.NewReader(compressed), f)
	if err != nil {
		return nil, fmt.Errorf("internal/networks/mnist/t10k: %w", err)
	}
	return contents, nil
}

// set makes a Set from the contents of the pair's two files.
func (p pair) set(images, labels []byte) (Set, error) {
	set, err := read(bytes.NewReader(images), bytes.NewReader(labels))
	if err != nil {
		return Set{}, fmt.Errorf("reading the %s: %w", p.source, err)
	}
	set.Source = p.source
	return set, nil
}
