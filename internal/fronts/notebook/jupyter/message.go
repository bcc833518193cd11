// Package jupyter implements the Jupyter messaging protocol: signed messages, the sockets that
// carry them, and a client that starts a kernel from its kernel spec, runs code in it and ends it
// with all its processes.
//
// Each layer knows only the ones before it: a [Message] is encoded and signed, a [Channel] is a
// socket that carries messages (the client's or the kernel's end), a client matches requests and
// replies, and a [Kernel] is a client with a process of its own.
//
// The protocol is described at
// https://jupyter-client.readthedocs.io/en/stable/messaging.html.
package jupyter

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
)

// protocolVersion is the version of the messaging protocol.
const protocolVersion = "5.4"

// delimiter separates a message's routing identities from its signature.
const delimiter = "<IDS|MSG>"

// Errors of messages from the wire.
var (
	// errSignature reports that a message was not signed with the connection's key: someone
	// changed it, or a stranger sent it.
	errSignature = errors.New("the signature of the message is wrong")
	// ErrFormat reports that frames are not a Jupyter message.
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
	// Identities route the message. For a kernel they name the client that asked, and for a
	// subscriber the topic.
	Identities [][]byte
	Header     Header
	Parent     Header // of the request that caused the message; zero if there was none
	Metadata   json.RawMessage
	Content    json.RawMessage
	Buffers    [][]byte

	// The headers in their received form, with the fields that Header lacks. The kernel sends
	// them on unchanged. They are nil in a message that was made here.
	header, parent json.RawMessage
}

// NewMessage makes a message of the given kind, and encodes its content as JSON. Session names the
// sender. With a parent, the message is an answer.
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

// NewReply makes an answer to a request, addressed to its sender.
func NewReply(kind, session string, request Message, content any) (Message, error) {
	m, err := NewMessage(kind, session, request.Header, content)
	return m.InReplyTo(request), err
}

// InReplyTo returns the message with a request's own header as its parent, addressed to the
// request's sender.
func (m Message) InReplyTo(request Message) Message {
	m.Identities = request.Identities
	m.Parent, m.parent = request.Header, request.header
	return m
}

// Encode returns the frames of the message, signed with key. If the key is empty, the signature is
// empty, as the protocol says.
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

// encodeHeader returns a header in its received form, if it has one.
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

// Decode reads the frames of one message and verifies its signature with key; an empty key verifies
// nothing. The message keeps using the frames' memory, because an output can be large. The error is
// ErrFormat or errSignature.
func Decode(frames [][]byte, key []byte) (Message, error) {
	start := slices.IndexFunc(frames, func(frame []byte) bool { return string(frame) == delimiter })
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

// sign returns the HMAC-SHA256 of the parts in hexadecimal digits.
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

// GoesOn reports whether more messages can follow after an error of [Channel.Recv]. Such an error
// concerns only one message.
func GoesOn(err error) bool {
	return errors.Is(err, errSignature) || errors.Is(err, ErrFormat)
}
