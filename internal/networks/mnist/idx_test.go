package mnist

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// idx builds an idx file from its header's numbers and its data.
func idx(data []byte, header ...uint32) []byte {
	var out []byte
	for _, number := range header {
		out = binary.BigEndian.AppendUint32(out, number)
	}
	return append(out, data...)
}

func zipped(t *testing.T, data []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, err := w.Write(data)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return out.Bytes()
}

// twoDigits returns the contents of a pair of files with two digits, 3 and 9.
func twoDigits() (images, labels []byte) {
	pixels := make([]byte, 2*Pixels)
	for i := range pixels {
		pixels[i] = byte(i * 7)
	}
	return idx(pixels, magicImages, 2, Side, Side), idx([]byte{3, 9}, magicLabels, 2)
}

func TestReadTakesPlainAndZippedFiles(t *testing.T) {
	images, labels := twoDigits()
	for _, zip := range []bool{false, true} {
		i, l := images, labels
		if zip {
			i, l = zipped(t, images), zipped(t, labels)
		}
		set, err := read(bytes.NewReader(i), bytes.NewReader(l))
		require.NoError(t, err)
		require.Equal(t, 2, set.Len())
		require.Equal(t, []byte{3, 9}, set.Labels)
		require.Equal(t, images[16+Pixels:], set.Image(1))
	}
}

func TestReadRefusesBrokenFiles(t *testing.T) {
	images, labels := twoDigits()
	zippedImages := zipped(t, images)
	for name, broken := range map[string]struct {
		images, labels []byte
		says           string
	}{
		"empty":                   {nil, labels, "the images: the file ends within its header"},
		"half a header":           {images[:10], labels, "the images: the file ends within its header"},
		"labels as images":        {labels, labels, "the file ends within its header"},
		"images as labels":        {images, images, "the labels: the file starts with 0x00000803, not 0x00000801"},
		"a web page":              {[]byte("<!doctype html><p>Please log in first"), labels, "not the expected idx file"},
		"other size":              {idx(make([]byte, 2*32*32), magicImages, 2, 32, 32), labels, "the images are 32×32, not 28×28"},
		"absurd count":            {idx(nil, magicImages, 1<<31, Side, Side), labels, "at most 4194304 are plausible"},
		"cut short":               {images[:len(images)-1], labels, "cut short: 1567 bytes of data where its header promises 1568"},
		"cut short, zipped":       {zippedImages[:len(zippedImages)-12], labels, "the images: "},
		"trailing byte":           {append(slices.Clone(images), 0), labels, "continues after the 1568 bytes"},
		"trailing byte in labels": {images, append(slices.Clone(labels), 0), "the labels: the file continues after the 2 bytes"},
		"fewer labels":            {images, idx([]byte{3}, magicLabels, 1), "2 images but 1 labels"},
		"not a digit":             {images, idx([]byte{3, 10}, magicLabels, 2), "label 1 is 10, not a digit"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := read(bytes.NewReader(broken.images), bytes.NewReader(broken.labels))
			require.ErrorContains(t, err, broken.says)
		})
	}
}

func FuzzReadNeverPanics(f *testing.F) {
	images, labels := twoDigits()
	f.Add(images, labels)
	f.Add(images[:20], labels[:4])
	f.Add([]byte{0x1f, 0x8b}, []byte{0x1f, 0x8b, 8, 0})
	f.Fuzz(func(t *testing.T, images, labels []byte) {
		set, err := read(bytes.NewReader(images), bytes.NewReader(labels))
		if err == nil && len(set.Images) != Pixels*set.Len() {
			t.Fatalf("%d bytes for %d digits", len(set.Images), set.Len())
		}
	})
}
