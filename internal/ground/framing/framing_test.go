package framing_test

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wgslab/wgslab/internal/ground/framing"
)

// Headers of editors differ in what doesn't matter.
func TestHeadersThatAreRead(t *testing.T) {
	for name, header := range map[string]string{
		"usual":                   "Content-Length: 2\r\n\r\n",
		"with a type":             "Content-Length: 2\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n",
		"its old charset":         "Content-Type: application/vscode-jsonrpc; charset=utf8\r\nContent-Length: 2\r\n\r\n",
		"a type without charset":  "Content-Type: application/vscode-jsonrpc\r\nContent-Length: 2\r\n\r\n",
		"an empty type":           "Content-Type:\r\nContent-Length: 2\r\n\r\n",
		"another type":            "Content-Type: application/json;charset=\"UTF-8\"\r\nContent-Length: 2\r\n\r\n",
		"lower case":              "content-length: 2\r\n\r\n",
		"without spaces":          "Content-Length:2\r\n\r\n",
		"with many spaces":        "Content-Length :\t 2 \r\n\r\n",
		"lines end at LF":         "Content-Length: 2\n\n",
		"lines end at both":       "Content-Length: 2\r\nX: y\n\r\n",
		"another field":           "X-Editor: a:b\r\nContent-Length: 2\r\n\r\n",
		"a line that is no field": "hello\r\nContent-Length: 2\r\n\r\n",
		"empty lines above":       "\r\n\r\nContent-Length: 2\r\n\r\n",
		"the length twice":        "Content-Length: 2\r\nContent-Length: 2\r\n\r\n",
	} {
		r := framing.NewReader(strings.NewReader(header + "{}" + header + "[]"))
		for _, wanted := range []string{"{}", "[]"} {
			content, err := r.Next()
			require.NoError(t, err, name)
			require.Equal(t, wanted, string(content), name)
		}
		_, err := r.Next()
		require.Equal(t, io.EOF, err, name)
	}
}

// A header without a length leaves no way to find the next message.
func TestHeadersThatAreRefused(t *testing.T) {
	for sent, said := range map[string]string{
		"Content-Type: x\r\n\r\n{}":                           "has no Content-Length",
		"Content-Length: two\r\n\r\n{}":                       `has "Content-Length: two": write a number of bytes`,
		"Content-Length: -1\r\n\r\n{}":                        "write a number of bytes",
		"Content-Length:\r\n\r\n{}":                           "write a number of bytes",
		"Content-Length: 1000000000000\r\n\r\n{}":             "is larger than 64 MiB",
		"Content-Length: 99999999999999999999\r\n\r\n{}":      "write a number of bytes",
		"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{} ":   "two lengths, 2 and 3 bytes",
		"X: " + strings.Repeat("y", 9000) + "\r\n\r\n":        "longer than 8192 bytes",
		"Content-Length: 3\r\n\r\n{}":                         io.ErrUnexpectedEOF.Error(),
		"Content-Length: 2\r\n\r\n":                           io.ErrUnexpectedEOF.Error(),
		"Content-Length: 2\r\n":                               io.ErrUnexpectedEOF.Error(),
		"Content-Length: 2":                                   io.ErrUnexpectedEOF.Error(),
		"Content-Length: 67108864\r\n\r\nmuch less than that": io.ErrUnexpectedEOF.Error(),
	} {
		_, err := framing.NewReader(strings.NewReader(sent)).Next()
		require.ErrorContains(t, err, said, sent)
	}
}

func TestWhatIsWrittenIsRead(t *testing.T) {
	var sent bytes.Buffer
	require.NoError(t, framing.Write(&sent, []byte("{\"text\":\"é\r\n\"}")))
	require.NoError(t, framing.Write(&sent, nil))
	r := framing.NewReader(&sent)
	for _, wanted := range []string{"{\"text\":\"é\r\n\"}", ""} {
		content, err := r.Next()
		require.NoError(t, err)
		require.Equal(t, wanted, string(content))
	}
}
