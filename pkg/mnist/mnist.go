// Package mnist gives handwritten digits: the MNIST data set, found or fetched
// and always verified, and a small set of digits drawn by this project's own
// stroke generator, for a machine with neither files nor network.
//
// A digit is 28×28 bytes, row by row, 0 black to 255 white, the digit white.
package mnist

import (
	"bytes"
	"context"
	"errors"
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
	// Reason says why Test gave drawn digits instead of MNIST's. It is nil
	// when nothing went wrong.
	Reason error
	Images []byte // Len()·784 bytes, digit after digit
	Labels []byte // Len() bytes, each 0 to 9
}

// Len returns the number of digits.
func (s Set) Len() int { return len(s.Labels) }

// Image returns the 784 bytes of digit i, which the Set still owns.
func (s Set) Image(i int) []byte { return s.Images[i*Pixels : (i+1)*Pixels : (i+1)*Pixels] }

// Options change how the files are got. The zero value is ready to use.
type Options struct {
	// Progress, when set, is called while a file is fetched: bytes done so
	// far, and in all (-1 when the mirror does not say).
	Progress func(file string, done, total int64)
}

// Test returns MNIST's 10,000 test images. It looks in the folder that
// WGSLAB_MNIST names, or else in those of Folders, or else fetches them; it
// never asks for the training files. When they can be neither found nor
// fetched, it returns the drawn digits, with the reason. It is an error when
// WGSLAB_MNIST is set and its files are missing or wrong, or when ctx ends.
func Test(ctx context.Context, opts Options) (Set, error) {
	return newLibrary(opts).testOrDrawn(ctx)
}

// Train returns MNIST's 60,000 training images, looked for as Test does. Drawn
// digits are no replacement for training, so there is no falling back: it is an
// error when they can be neither found nor fetched.
func Train(ctx context.Context, opts Options) (Set, error) {
	return newLibrary(opts).load(ctx, trainFiles)
}

func (l library) testOrDrawn(ctx context.Context) (Set, error) {
	set, err := l.load(ctx, testFiles)
	if err == nil || ctx.Err() != nil || !errors.Is(err, errUnavailable) {
		return set, err
	}
	set = Drawn()
	set.Reason = err
	return set, nil
}

func (l library) load(ctx context.Context, files pair) (Set, error) {
	images, err := l.contents(ctx, files.images)
	if err != nil {
		return Set{}, err
	}
	labels, err := l.contents(ctx, files.labels)
	if err != nil {
		return Set{}, err
	}
	set, err := Read(bytes.NewReader(images), bytes.NewReader(labels))
	if err != nil {
		return Set{}, fmt.Errorf("reading the %s: %w", files.source, err)
	}
	set.Source = files.source
	return set, nil
}
