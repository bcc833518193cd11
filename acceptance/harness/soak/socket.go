package main

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/coder/websocket"

	"github.com/wgslab/wgslab/internal/fronts/notebook/jupyter"
)

// packing is JupyterLab's way to put a kernel's messages into a WebSocket:
// https://jupyter-server.readthedocs.io/en/latest/developers/websocket-protocols.html
const packing = "v1.kernel.websocket.jupyter.org"

// A socket carries a kernel's messages through a Jupyter server.
type socket struct{ conn *websocket.Conn }

// dial connects to a kernel as JupyterLab does. base is the server's address, session the client's.
// A later connection of the same session gets what came in between.
func dial(ctx context.Context, base, token, kernel, session string) (*socket, error) {
	address := strings.Replace(base, "http", "ws", 1) + "api/kernels/" + kernel + "/channels?" +
		url.Values{"session_id": {session}, "token": {token}}.Encode()
	conn, _, err := websocket.Dial(ctx, address, &websocket.DialOptions{Subprotocols: []string{packing}})
	if err != nil {
		return nil, fmt.Errorf("connecting to a kernel: %w", err)
	}
	if got := conn.Subprotocol(); got != packing {
		conn.CloseNow()
		return nil, fmt.Errorf("connecting to a kernel: the server chose the subprotocol %q", got)
	}
	conn.SetReadLimit(-1) // an output can be large
	return &socket{conn}, nil
}

func (s *socket) send(ctx context.Context, channel string, m jupyter.Message) error {
	data, err := pack(channel, m)
	if err == nil {
		err = s.conn.Write(ctx, websocket.MessageBinary, data)
	}
	if err != nil {
		return fmt.Errorf("sending a message of type %s: %w", m.Header.Type, err)
	}
	return nil
}

func (s *socket) receive(ctx context.Context) (channel string, m jupyter.Message, err error) {
	_, data, err := s.conn.Read(ctx)
	if err != nil {
		return "", jupyter.Message{}, fmt.Errorf("receiving a message: %w", err)
	}
	return unpack(data)
}

// drop closes the connection without a word, as a closed lid does.
func (s *socket) drop() { _ = s.conn.CloseNow() }

// signed is how many frames the kernel's own sockets have before the header: a delimiter and the
// signature, which the server makes.
const signed = 2

// pack returns the number of offsets, the offsets of all parts and of the end, and the parts: the
// channel and the message's frames. Numbers have 8 bytes, the lowest first.
func pack(channel string, m jupyter.Message) ([]byte, error) {
	frames, err := m.Encode(nil)
	if err != nil {
		return nil, err
	}
	parts := append([][]byte{[]byte(channel)}, frames[signed:]...)
	data := binary.LittleEndian.AppendUint64(nil, uint64(len(parts)+1))
	at := 8 * (len(parts) + 2)
	for _, part := range parts {
		data = binary.LittleEndian.AppendUint64(data, uint64(at))
		at += len(part)
	}
	data = binary.LittleEndian.AppendUint64(data, uint64(at))
	for _, part := range parts {
		data = append(data, part...)
	}
	return data, nil
}

var errPacking = errors.New("a message from the server is not packed as it should be")

func unpack(data []byte) (channel string, m jupyter.Message, err error) {
	size := uint64(len(data))
	if size < 8 {
		return "", m, errPacking
	}
	offsets := binary.LittleEndian.Uint64(data)
	if offsets < 2 || offsets > size/8-1 {
		return "", m, errPacking
	}
	offset := func(i uint64) uint64 { return binary.LittleEndian.Uint64(data[8*(i+1):]) }
	frames := [][]byte{[]byte("<IDS|MSG>"), nil} // what the server has removed: see signed
	for i := range offsets - 1 {
		from, to := offset(i), offset(i+1)
		if from > to || to > size {
			return "", m, errPacking
		}
		if i == 0 {
			channel = string(data[from:to])
		} else {
			frames = append(frames, data[from:to])
		}
	}
	m, err = jupyter.Decode(frames, nil)
	return channel, m, err
}
