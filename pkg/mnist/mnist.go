// Package mnist gives handwritten digits: MNIST's test images, which ship with
// it, the training images, found or fetched, and a small set of digits drawn by
// this project's own stroke generator. MNIST's files are always verified.
//
// A digit is 28×28 bytes, row by row, 0 black to 255 white, the digit white.
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

// Test returns MNIST's 10,000 test images, which ship with this package. It is an
// error when the files that it came with are not MNIST's.
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

// shippedContents are the verified, uncompressed contents of a file that ships.
func shippedContents(f file) ([]byte, error) {
	compressed, err := shipped(f.name + ".gz")
	if err != nil {
		return nil, fmt.Errorf("reading what ships of MNIST: %w", err)
	}
	contents, err := unpack(bytes.NewReader(compressed), f)
	if err != nil {
		return nil, fmt.Errorf("pkg/mnist/t10k: %w", err)
	}
	return contents, nil
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
