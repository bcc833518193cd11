package jupyter

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"github.com/go-zeromq/zmq4"
	"github.com/go-zeromq/zmq4/security/null"
)

// link is one connection between two ZeroMQ sockets: whole messages, both ways.
//
// It consists of the library's Conn and this package's sockets of links. The library's own sockets
// (v0.17.0) do not suit a kernel, for four reasons. They shake hands with one peer at a time, so a
// silent peer keeps all others out. They send to all peers at the speed of the slowest. They do not
// tell who has subscribed. They trust a frame's length, and allocate memory for it before the frame
// arrives.
type link struct {
	zmtp *zmq4.Conn
	wire *wire

	mu      sync.Mutex
	changed *sync.Cond // of the fields below
	waiting [][][]byte // the messages to send
	size    int        // the bytes of messages that wait or are being sent
	closed  bool
}

const (
	// handshakePatience is how long a peer may take to identify itself.
	handshakePatience = 10 * time.Second
	// sendPatience is how long a peer may read nothing of a message before the link closes.
	sendPatience = time.Minute
	// largestMessage is the largest accepted message, in bytes.
	largestMessage = 1 << 30
)

var errClosed = errors.New("the connection is closed")

// shakeHands makes a link of a connection. If it fails, it closes the connection. The listening
// side is the server.
func shakeHands(conn net.Conn, kind zmq4.SocketType, identity string, server bool) (l *link, err error) {
	defer func() {
		// The library trusts the lengths in a greeting, and slices by them.
		if fault := recover(); fault != nil {
			err = fmt.Errorf("the peer's greeting is invalid: %v", fault)
		}
		if err != nil {
			conn.Close()
		}
	}()
	w := &wire{Conn: conn, in: bufio.NewReaderSize(conn, 64<<10), out: bufio.NewWriterSize(conn, 64<<10)}
	if err := conn.SetDeadline(time.Now().Add(handshakePatience)); err != nil {
		return nil, err
	}
	zmtp, err := zmq4.Open(w, null.Security(), kind, zmq4.SocketIdentity(identity), server, nil)
	if err != nil {
		return nil, err
	}
	if err := conn.SetDeadline(time.Time{}); err != nil {
		return nil, err
	}
	w.greeted = true
	l = &link{zmtp: zmtp, wire: w}
	l.changed = sync.NewCond(&l.mu)
	go l.write()
	return l, nil
}

// identity returns the peer's own name for itself, or "".
func (l *link) identity() string { return l.zmtp.Peer.Meta["Identity"] }

// receive waits for the next message. After an error the link has ended.
func (l *link) receive() ([][]byte, error) {
	m, err := l.zmtp.RecvMsg()
	return m.Frames, err
}

// send adds a message to the queue, and does not wait until it is sent.
func (l *link) send(frames [][]byte) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return errClosed
	}
	l.waiting = append(l.waiting, frames)
	l.size += sizeOf(frames)
	l.changed.Broadcast()
	return nil
}

// write sends the queue's messages until the link is closed.
func (l *link) write() {
	for {
		batch := l.next()
		if batch == nil {
			return
		}
		if err := l.wire.sendAll(l.zmtp, batch); err != nil {
			l.close()
			return
		}
		l.mu.Lock()
		for _, frames := range batch {
			l.size -= sizeOf(frames)
		}
		l.changed.Broadcast()
		l.mu.Unlock()
	}
}

// next waits for messages to send. It returns nil when the link is closed.
func (l *link) next() [][][]byte {
	l.mu.Lock()
	defer l.mu.Unlock()
	for len(l.waiting) == 0 && !l.closed {
		l.changed.Wait()
	}
	if l.closed {
		return nil
	}
	batch := l.waiting
	l.waiting = nil
	return batch
}

// waitBelow waits until at most limit bytes are left to send, the link is closed, or ctx is done.
func (l *link) waitBelow(ctx context.Context, limit int) {
	stop := context.AfterFunc(ctx, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.changed.Broadcast()
	})
	defer stop()
	l.mu.Lock()
	defer l.mu.Unlock()
	for l.size > limit && !l.closed && ctx.Err() == nil {
		l.changed.Wait()
	}
}

// close ends the link; unsent messages are lost.
func (l *link) close() {
	l.mu.Lock()
	l.closed = true
	l.changed.Broadcast()
	l.mu.Unlock()
	l.wire.Close()
}

func sizeOf(frames [][]byte) int {
	size := 0
	for _, frame := range frames {
		size += len(frame)
	}
	return size
}

// wire is the connection under the library. It joins the pieces that the library writes, and hides
// two things from the library: messages beyond largestMessage, and commands after the greeting.
// (The library would answer such commands, which we never need, perhaps while another message is
// half written.)
type wire struct {
	net.Conn
	in      *bufio.Reader
	out     *bufio.Writer
	greeted bool

	head    []byte // of the frame whose length comes next
	body    uint64 // the rest of the current frame
	message uint64 // the bytes of the current message so far
	hello   int    // the bytes of the greeting so far
}

// The transport protocol, https://rfc.zeromq.org/spec/23/: a greeting, then frames
// of flags, a length of 1 or 8 bytes, and a body.
const (
	greetingSize = 64

	flagMore    = 1
	flagLong    = 2
	flagCommand = 4
)

// sendAll writes messages.
func (w *wire) sendAll(zmtp *zmq4.Conn, batch [][][]byte) error {
	for _, frames := range batch {
		if err := w.SetWriteDeadline(time.Now().Add(sendPatience)); err != nil {
			return err
		}
		if err := zmtp.SendMsg(zmq4.NewMsgFrom(frames...)); err != nil {
			return err
		}
	}
	return w.out.Flush()
}

func (w *wire) Write(p []byte) (int, error) {
	n, err := w.out.Write(p)
	if err == nil && !w.greeted {
		err = w.out.Flush()
	}
	return n, err
}

func (w *wire) Read(p []byte) (int, error) {
	n, err := w.in.Read(p)
	if refused := w.follow(p[:n]); refused != nil {
		return 0, refused
	}
	return n, err
}

// follow tracks the lengths of the frames that pass.
func (w *wire) follow(p []byte) error {
	skipped := min(len(p), greetingSize-w.hello)
	w.hello += skipped
	for p = p[skipped:]; len(p) > 0; {
		if w.body > 0 {
			n := min(w.body, uint64(len(p)))
			w.body -= n
			p = p[n:]
			continue
		}
		w.head = append(w.head, p[0])
		p = p[1:]
		if err := w.measure(); err != nil {
			return err
		}
	}
	return nil
}

// measure reads the head of a frame once it is complete.
func (w *wire) measure() error {
	flags := w.head[0]
	switch {
	case flags&flagCommand != 0 && w.greeted:
		return errors.New("the peer sends a command where a message should be")
	case flags&flagLong == 0 && len(w.head) == 2:
		w.body = uint64(w.head[1])
	case flags&flagLong != 0 && len(w.head) == 9:
		w.body = binary.BigEndian.Uint64(w.head[1:])
	default:
		return nil
	}
	if w.body > largestMessage || w.message+w.body+uint64(len(w.head)) > largestMessage {
		return fmt.Errorf("the peer sends a message of more than %d bytes", largestMessage)
	}
	w.message += w.body + uint64(len(w.head))
	if flags&flagMore == 0 {
		w.message = 0
	}
	w.head = w.head[:0]
	return nil
}
