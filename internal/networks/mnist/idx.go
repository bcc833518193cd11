package mnist

import (
	"bufio"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// The idx format starts with a magic number: its third byte is the element type (8 for bytes), and
// its fourth is the number of dimensions. Each dimension follows as a big-endian uint32, then the
// elements.
const (
	magicImages = 0x00000803
	magicLabels = 0x00000801

	// maxCount limits the count in a header, so that a broken file cannot use up the memory.
	// MNIST has 60,000 images.
	maxCount = 1 << 22
)

// read reads a file of images and its file of labels, both in idx format, each compressed with gzip
// or not. It is strict. It returns an error for wrong magic numbers, images that are not 28×28,
// labels that are not 0 to 9, files too short or too long, and counts that differ.
func read(images, labels io.Reader) (Set, error) {
	pixels, err := readIDX(images, magicImages, []uint32{Side, Side})
	if err != nil {
		return Set{}, fmt.Errorf("the images: %w", err)
	}
	names, err := readIDX(labels, magicLabels, nil)
	if err != nil {
		return Set{}, fmt.Errorf("the labels: %w", err)
	}
	if count := len(pixels) / Pixels; count != len(names) {
		return Set{}, fmt.Errorf("%d images but %d labels: the two files do not match", count, len(names))
	}
	for i, label := range names {
		if label > 9 {
			return Set{}, fmt.Errorf("label %d is %d, not a digit from 0 to 9", i, label)
		}
	}
	return Set{Images: pixels, Labels: names}, nil
}

// readIDX returns the elements of an idx file. The file's first dimension is the count, and the
// others must equal shape.
func readIDX(r io.Reader, magic uint32, shape []uint32) ([]byte, error) {
	r, err := plain(r)
	if err != nil {
		return nil, err
	}
	header := make([]uint32, 2+len(shape))
	if err := binary.Read(r, binary.BigEndian, header); err != nil {
		return nil, shortened(err, "the file ends within its header")
	}
	if header[0] != magic {
		return nil, fmt.Errorf("the file starts with %#08x, not %#08x: it is not the expected idx file", header[0], magic)
	}
	count, size := int64(header[1]), int64(1)
	if count > maxCount {
		return nil, fmt.Errorf("the header claims %d elements, but at most %d are plausible", count, maxCount)
	}
	for i, want := range shape {
		if header[2+i] != want {
			return nil, fmt.Errorf("the images are %d×%d, not %d×%d", header[2], header[3], Side, Side)
		}
		size *= int64(want)
	}
	data, err := io.ReadAll(io.LimitReader(r, count*size+1))
	if err != nil {
		return nil, shortened(err, fmt.Sprintf("the file is cut short: its compressed data ends after %d bytes", len(data)))
	}
	switch got := int64(len(data)); {
	case got < count*size:
		return nil, fmt.Errorf("the file is cut short: %d bytes of data where its header promises %d", got, count*size)
	case got > count*size:
		return nil, fmt.Errorf("the file continues after the %d bytes that its header promises", count*size)
	}
	return data, nil
}

// plain returns the contents of r, decompressed if they start like gzip. It looks at the contents
// because mirrors and unpackers often rename files.
func plain(r io.Reader) (io.Reader, error) {
	buffered := bufio.NewReader(r)
	start, err := buffered.Peek(2)
	if err != nil && err != io.EOF {
		return nil, err
	}
	if len(start) < 2 || start[0] != 0x1f || start[1] != 0x8b {
		return buffered, nil
	}
	unzipped, err := gzip.NewReader(buffered)
	if err != nil {
		return nil, shortened(err, "the file ends within its gzip header")
	}
	return unzipped, nil
}

func shortened(err error, words string) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New(words)
	}
	return err
}
