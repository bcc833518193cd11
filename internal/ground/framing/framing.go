// Package framing reads and writes the messages of editors' protocols. A message is a header with
// the length of the content, an empty line, and the content. The Language Server Protocol and the
// Debug Adapter Protocol share this form.
package framing

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// The limits of a message, in bytes. Without them a damaged header could take all memory.
const (
	mostLine    = 8 << 10
	mostContent = 64 << 20
)

// A MessageReader reads messages.
type MessageReader struct{ in *bufio.Reader }

// NewReader returns a MessageReader of the messages in an input.
func NewReader(in io.Reader) *MessageReader { return &MessageReader{bufio.NewReaderSize(in, mostLine)} }

// Next returns the content of the next message, or io.EOF after the last one.
//
// Only the length matters, so Next forgives the rest of a header: other fields, whatever they say
// of the content's type and charset, lines that are no field, names in lower case, spaces around a
// value or none, lines that end at LF alone, and empty lines above the header. Content in another
// charset than UTF-8 isn't JSON, and the protocols answer that.
func (r *MessageReader) Next() ([]byte, error) {
	length, err := r.header()
	if err != nil {
		return nil, err
	}
	var content bytes.Buffer // it grows with what arrives, not with what the header promises
	if _, err := io.CopyN(&content, r.in, length); err != nil {
		return nil, whole(err)
	}
	return content.Bytes(), nil
}

// header reads a header and returns the length of the content.
func (r *MessageReader) header() (int64, error) {
	length, begun := int64(-1), false
	for {
		line, err := r.in.ReadSlice('\n')
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			return 0, fmt.Errorf("a line of a message's header is longer than %d bytes", mostLine)
		case err == io.EOF && !begun && len(bytes.TrimSpace(line)) == 0:
			return 0, io.EOF
		case err != nil:
			return 0, whole(err)
		}
		text := strings.TrimSpace(string(line))
		switch {
		case text != "":
			begun = true
			if length, err = contentLength(text, length); err != nil {
				return 0, err
			}
		case begun && length < 0:
			return 0, errors.New("a message's header has no Content-Length")
		case begun:
			return length, nil
		}
	}
}

// contentLength returns the length in a line of a header, or the length before it if the line has
// none.
func contentLength(line string, before int64) (int64, error) {
	name, value, _ := strings.Cut(line, ":")
	if !strings.EqualFold(strings.TrimSpace(name), "Content-Length") {
		return before, nil
	}
	n, err := strconv.ParseInt(strings.TrimSpace(value), 10, 64)
	switch {
	case err != nil || n < 0:
		return 0, fmt.Errorf("a message's header has %q: write a number of bytes after Content-Length", line)
	case n > mostContent:
		return 0, fmt.Errorf("a message of %d bytes is larger than %d MiB", n, mostContent>>20)
	case before >= 0 && n != before:
		return 0, fmt.Errorf("a message's header has two lengths, %d and %d bytes", before, n)
	}
	return n, nil
}

// whole replaces the end of the input within a message by an error.
func whole(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// Write writes a message in one piece.
func Write(to io.Writer, content []byte) error {
	message := fmt.Appendf(nil, "Content-Length: %d\r\n\r\n", len(content))
	_, err := to.Write(append(message, content...))
	return err
}
