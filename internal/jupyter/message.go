// Package jupyter speaks the Jupyter messaging protocol: messages and their
// signatures, the sockets that carry them, and a client that starts a kernel
// from its kernel spec, runs code in it and ends it without a trace.
//
// The layers build on one another and know nothing upwards: [Message] is bytes
// and their meaning, [Channel] is a socket that carries messages (both the
// client's and the kernel's end of it), [Client] is the conversation, and
// [Kernel] is a conversation with a process of its own.
//
// The protocol is described at
// https://jupyter-client.readthedocs.io/en/stable/messaging.html.
package jupyter

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
)

// protocolVersion is the version of the messaging protocol that is spoken here.
const protocolVersion = "5.4"

// delimiter stands between a message's routing identities and its signature.
const delimiter = "<IDS|MSG>"

// What can be wrong with a message from the wire.
var (
	// errSignature says that a message was not signed with the connection's
	// key: it was changed on its way, or somebody else sent it.
	errSignature = errors.New("the signature of the message is wrong")
	// ErrFormat says that some frames are no Jupyter message.
	ErrFormat = errors.New("the frames are not a Jupyter message")
)

// Header names a message, its sender and its kind.
type Header struct {
	ID       string `json:"msg_id"`
	Session  string `json:"session"`
	Username string `json:"username"`
	Date     string `json:"date"` // ISO 8601
	Type     string `json:"msg_type"`
	Version  string `json:"version"` // of the protocol
}

// Message is one message of the protocol, on any channel.
type Message struct {
	// Identities route the message: a kernel finds the client that asked in
	// them, and a subscriber the topic.
	Identities [][]byte
	Header     Header
	Parent     Header // of the request that caused the message; zero when none did
	Metadata   json.RawMessage
	Content    json.RawMessage
	Buffers    [][]byte

	// The headers as they came over the wire, with what Header does not know. They
	// go out again unchanged; nil in a message that was made here.
	header, parent json.RawMessage
}

// NewMessage makes a message of the given kind, with content marshalled to
// JSON. Session names the sender; a parent makes the message an answer.
func NewMessage(kind, session string, parent Header, content any) (Message, error) {
	data, err := json.Marshal(content)
	if err != nil {
		return Message{}, fmt.Errorf("making a message of type %s: %w", kind, err)
	}
	header := Header{
		ID:       uuid.NewString(),
		Session:  session,
		Username: "wgslab",
		Date:     time.Now().UTC().Format(time.RFC3339Nano),
		Type:     kind,
		Version:  protocolVersion,
	}
	return Message{Header: header, Parent: parent, Content: data}, nil
}

// NewReply makes a message in answer to a request. It goes where the request came
// from.
func NewReply(kind, session string, request Message, content any) (Message, error) {
	m, err := NewMessage(kind, session, request.Header, content)
	return m.InReplyTo(request), err
}

// InReplyTo gives the message with a request's own header for its parent and the
// request's way back for its way.
func (m Message) InReplyTo(request Message) Message {
	m.Identities = request.Identities
	m.Parent, m.parent = request.Header, request.header
	return m
}

// Encode gives the frames of the message, signed with key. An empty key leaves
// the signature empty, as the protocol has it.
func (m Message) Encode(key []byte) ([][]byte, error) {
	header, err := encodeHeader(m.Header, m.header)
	if err != nil {
		return nil, err
	}
	parent, err := encodeHeader(m.Parent, m.parent)
	if err != nil {
		return nil, err
	}
	parts := [][]byte{header, parent, orEmptyObject(m.Metadata), orEmptyObject(m.Content)}

	frames := make([][]byte, 0, len(m.Identities)+2+len(parts)+len(m.Buffers))
	frames = append(frames, m.Identities...)
	frames = append(frames, []byte(delimiter), sign(key, parts))
	frames = append(frames, parts...)
	return append(frames, m.Buffers...), nil
}

// encodeHeader gives a header as it came over the wire, if it did.
func encodeHeader(h Header, wire json.RawMessage) ([]byte, error) {
	if wire != nil {
		return wire, nil
	}
	if h == (Header{}) {
		return []byte("{}"), nil
	}
	data, err := json.Marshal(h)
	if err != nil {
		return nil, fmt.Errorf("encoding a header: %w", err)
	}
	return data, nil
}

// Decode reads the frames of one message and verifies its signature with key;
// an empty key verifies nothing. The message goes on using the frames' memory:
// an output can be large. The error is ErrFormat or errSignature.
func Decode(frames [][]byte, key []byte) (Message, error) {
	start := delimiterIndex(frames)
	if start < 0 {
		return Message{}, fmt.Errorf("%w: no %s in %d frames", ErrFormat, delimiter, len(frames))
	}
	signed := frames[start+1:]
	if len(signed) < 5 {
		return Message{}, fmt.Errorf("%w: %d frames after %s, of at least 5", ErrFormat, len(signed), delimiter)
	}
	signature, parts := signed[0], signed[1:5]
	if len(key) > 0 && !hmac.Equal(signature, sign(key, parts)) {
		return Message{}, errSignature
	}

	m := Message{
		Identities: frames[:start], Metadata: parts[2], Content: parts[3], Buffers: signed[5:],
		header: parts[0], parent: parts[1],
	}
	for i, part := range []struct {
		name  string
		check func([]byte) error
	}{
		{"header", func(data []byte) error { return json.Unmarshal(data, &m.Header) }},
		{"parent header", func(data []byte) error { return json.Unmarshal(data, &m.Parent) }},
		{"metadata", validJSON},
		{"content", validJSON},
	} {
		if err := part.check(parts[i]); err != nil {
			return Message{}, fmt.Errorf("%w: its %s: %w", ErrFormat, part.name, err)
		}
	}
	return m, nil
}

func validJSON(data []byte) error {
	if !json.Valid(data) {
		return errors.New("it is not JSON")
	}
	return nil
}

func delimiterIndex(frames [][]byte) int {
	for i, frame := range frames {
		if bytes.Equal(frame, []byte(delimiter)) {
			return i
		}
	}
	return -1
}

// sign gives the HMAC-SHA256 of the parts in hexadecimal digits.
func sign(key []byte, parts [][]byte) []byte {
	if len(key) == 0 {
		return nil
	}
	mac := hmac.New(sha256.New, key)
	for _, part := range parts {
		mac.Write(part)
	}
	return hex.AppendEncode(nil, mac.Sum(nil))
}

func orEmptyObject(raw json.RawMessage) []byte {
	if len(raw) == 0 {
		return []byte("{}")
	}
	return raw
}

// GoesOn says of an error of [Channel.Recv] that more messages can follow: it was
// only this one that could not be read.
func GoesOn(err error) bool {
	return errors.Is(err, errSignature) || errors.Is(err, ErrFormat)
}
