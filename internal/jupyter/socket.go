package jupyter

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"time"

	"github.com/go-zeromq/zmq4"
)

// Channel is one socket of a connection, carrying signed messages.
type Channel struct {
	name   string
	socket zmq4.Socket
	key    []byte
}

// Sockets are the channels of one connection, at the client's or at the
// kernel's end.
type Sockets struct {
	Shell, Control, Stdin, IOPub *Channel

	stop context.CancelFunc // ends what the sockets are doing
}

// redial is how long a client waits before it tries again to reach a socket
// that the kernel has not opened yet.
const redial = 20 * time.Millisecond

// Dial opens the client's end of a connection. It waits for the kernel to open
// its end until ctx is done.
//
// Shell, control and stdin share one identity, the session: some kernels
// answer on the shell what was asked on control.
func Dial(ctx context.Context, c Connection, session string) (*Sockets, error) {
	// The sockets outlive ctx, which bounds only the dialling.
	lifeline, stop := context.WithCancel(context.Background())
	options := []zmq4.Option{
		zmq4.WithID(zmq4.SocketIdentity(session)),
		zmq4.WithDialerRetry(redial),
		zmq4.WithDialerMaxRetries(-1),
		zmq4.WithLogger(log.New(io.Discard, "", 0)),
	}
	s := c.sockets(stop,
		zmq4.NewDealer(lifeline, options...),
		zmq4.NewDealer(lifeline, options...),
		zmq4.NewDealer(lifeline, options...),
		zmq4.NewSub(lifeline, options...),
	)
	if err := s.IOPub.socket.SetOption(zmq4.OptionSubscribe, ""); err != nil {
		s.Close()
		return nil, fmt.Errorf("subscribing to iopub: %w", err)
	}

	dialled := make(chan error, 1)
	go func() { dialled <- s.each(c, zmq4.Socket.Dial) }()
	select {
	case err := <-dialled:
		if err != nil {
			s.Close()
			return nil, err
		}
		return s, nil
	case <-ctx.Done():
		// Dial looks at the lifeline between two tries. One that hangs in the
		// handshake ends with the kernel's process.
		stop()
		go func() {
			<-dialled
			s.Close()
		}()
		return nil, fmt.Errorf("reaching the kernel's sockets: %w", context.Cause(ctx))
	}
}

// Listen opens the kernel's end of a connection.
func Listen(c Connection) (*Sockets, error) {
	quiet := zmq4.WithLogger(log.New(io.Discard, "", 0))
	lifeline, stop := context.WithCancel(context.Background())
	s := c.sockets(stop,
		zmq4.NewRouter(lifeline, quiet),
		zmq4.NewRouter(lifeline, quiet),
		zmq4.NewRouter(lifeline, quiet),
		zmq4.NewPub(lifeline, quiet),
	)
	if err := s.each(c, zmq4.Socket.Listen); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

func (c Connection) sockets(stop context.CancelFunc, shell, control, stdin, iopub zmq4.Socket) *Sockets {
	key := []byte(c.Key)
	return &Sockets{
		Shell:   &Channel{"shell", shell, key},
		Control: &Channel{"control", control, key},
		Stdin:   &Channel{"stdin", stdin, key},
		IOPub:   &Channel{"iopub", iopub, key},
		stop:    stop,
	}
}

// each opens every socket by the given method, iopub first: a client should
// miss nothing of what its first question causes.
func (s *Sockets) each(c Connection, open func(zmq4.Socket, string) error) error {
	order := []struct {
		channel *Channel
		port    int
	}{{s.IOPub, c.IOPubPort}, {s.Shell, c.ShellPort}, {s.Control, c.ControlPort}, {s.Stdin, c.StdinPort}}
	for _, o := range order {
		if err := open(o.channel.socket, c.endpoint(o.port)); err != nil {
			return fmt.Errorf("opening the %s socket: %w", o.channel.name, err)
		}
	}
	return nil
}

// Close closes every socket and with it ends every Recv.
func (s *Sockets) Close() {
	s.stop()
	for _, c := range []*Channel{s.Shell, s.Control, s.Stdin, s.IOPub} {
		c.socket.Close()
	}
}

// Send sends a message. A peer that takes nothing any more blocks it until ctx
// is done; what was being sent then is lost.
func (c *Channel) Send(ctx context.Context, m Message) error {
	frames, err := m.Encode(c.key)
	if err != nil {
		return err
	}
	sent := make(chan error, 1)
	go func() { sent <- c.socket.SendMulti(zmq4.NewMsgFrom(frames...)) }()
	select {
	case err = <-sent:
	case <-ctx.Done():
		err = context.Cause(ctx)
	}
	if err != nil {
		return fmt.Errorf("sending %s on %s: %w", m.Header.Type, c.name, err)
	}
	return nil
}

// Recv waits for the next message. It must be called from one goroutine at a
// time. After an error that is errSignature or ErrFormat more messages can
// follow; after any other the channel is closed.
func (c *Channel) Recv() (Message, error) {
	received, err := c.socket.Recv()
	if err != nil {
		if errors.Is(err, context.Canceled) {
			c.drain()
		}
		return Message{}, fmt.Errorf("receiving on %s: %w", c.name, err)
	}
	m, err := Decode(received.Frames, c.key)
	if err != nil {
		return Message{}, fmt.Errorf("receiving on %s: %w", c.name, err)
	}
	return m, nil
}

// drain frees a goroutine of the ZeroMQ library that waits to hand over one
// more message of a closed socket. One message taken is enough; on a closed
// socket Recv picks at random between a message and the end, hence the tries.
func (c *Channel) drain() {
	for range 64 {
		_, _ = c.socket.Recv()
	}
}
