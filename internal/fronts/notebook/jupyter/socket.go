package jupyter

import (
	"context"
	"fmt"
	"net"
	"time"

	"github.com/go-zeromq/zmq4"
)

// Channel is one socket at the client's end of a connection. It carries signed messages.
type Channel struct {
	name string
	link *link
	key  []byte
}

// Sockets are the channels at the client's end of a connection.
type Sockets struct {
	Shell, Control, Stdin, IOPub *Channel
}

// redial is how long a client waits before it tries again to connect to a socket that the kernel
// has not opened yet.
const redial = 10 * time.Millisecond

// Dial opens the client's end of a connection. It waits for the kernel to open its end until ctx is
// done.
//
// Shell, control and stdin share one identity, the session, because some kernels answer a request
// from control on shell.
func Dial(ctx context.Context, c Connection, session string) (*Sockets, error) {
	s := &Sockets{}
	// iopub is first, so that the client misses no message that its first request causes.
	for _, d := range []struct {
		name    string
		channel **Channel
		kind    zmq4.SocketType
		port    int
	}{
		{"iopub", &s.IOPub, zmq4.Sub, c.IOPubPort},
		{"shell", &s.Shell, zmq4.Dealer, c.ShellPort},
		{"control", &s.Control, zmq4.Dealer, c.ControlPort},
		{"stdin", &s.Stdin, zmq4.Dealer, c.StdinPort},
	} {
		network, address := c.address(d.port)
		l, err := dialLink(ctx, network, address, d.kind, session)
		if err != nil {
			s.Close()
			return nil, fmt.Errorf("reaching the kernel's %s socket: %w", d.name, err)
		}
		*d.channel = &Channel{d.name, l, []byte(c.Key)}
	}
	const everything = "\x01" // a subscription with no topic
	if err := s.IOPub.link.send([][]byte{[]byte(everything)}); err != nil {
		s.Close()
		return nil, fmt.Errorf("subscribing to iopub: %w", err)
	}
	return s, nil
}

// dialLink tries until the kernel answers or ctx is done.
func dialLink(ctx context.Context, network, address string, kind zmq4.SocketType, identity string) (*link, error) {
	for {
		l, err := tryLink(ctx, network, address, kind, identity)
		if err == nil {
			return l, nil
		}
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-time.After(redial):
		}
	}
}

func tryLink(ctx context.Context, network, address string, kind zmq4.SocketType, identity string) (*link, error) {
	var dialer net.Dialer
	conn, err := dialer.DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() { conn.Close() })
	l, err := shakeHands(conn, kind, identity, false)
	if err == nil && !stop() {
		l.close()
		return nil, context.Cause(ctx)
	}
	return l, err
}

// Close closes every socket, which ends every Recv.
func (s *Sockets) Close() {
	for _, c := range []*Channel{s.Shell, s.Control, s.Stdin, s.IOPub} {
		if c != nil {
			c.link.close()
		}
	}
}

// Send sends a message. It does not wait until the peer reads it. An error means that the peer has
// gone.
func (c *Channel) Send(m Message) error {
	frames, err := m.Encode(c.key)
	if err == nil {
		err = c.link.send(frames)
	}
	if err != nil {
		return fmt.Errorf("sending %s on %s: %w", m.Header.Type, c.name, err)
	}
	return nil
}

// Recv waits for the next message. Only one goroutine may call it at a time. After errSignature or
// ErrFormat more messages can follow; after any other error the channel is closed.
func (c *Channel) Recv() (Message, error) {
	frames, err := c.link.receive()
	if err != nil {
		return Message{}, fmt.Errorf("receiving on %s: %w", c.name, err)
	}
	m, err := Decode(frames, c.key)
	if err != nil {
		return Message{}, fmt.Errorf("receiving on %s: %w", c.name, err)
	}
	return m, nil
}
