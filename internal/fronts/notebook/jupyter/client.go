package jupyter

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/google/uuid"
)

// client is the conversation with a kernel. It sends requests, and sorts the messages that come
// back by their request.
type client struct {
	sockets   *Sockets
	session   string
	interrupt func() error // in the way that this kernel needs

	lost     chan struct{} // closed when the kernel's end of a socket is gone
	loseOnce sync.Once
	ended    chan struct{} // closed when the last message has been delivered, and no more can come

	mu        sync.Mutex
	exchanges map[string]*exchange // by the id of the request

	failed   chan struct{} // closed when failure is set
	failOnce sync.Once
	failure  error
}

// exchange is a request with all messages in answer to it.
type exchange struct {
	arrivals chan arrival
	done     chan struct{} // closed when no one listens any more
}

type arrival struct {
	channel *Channel
	message Message
}

// dialClient opens a conversation over a connection.
func dialClient(ctx context.Context, c Connection) (*client, error) {
	session := uuid.NewString()
	sockets, err := Dial(ctx, c, session)
	if err != nil {
		return nil, err
	}
	k := &client{
		sockets:   sockets,
		session:   session,
		lost:      make(chan struct{}),
		ended:     make(chan struct{}),
		exchanges: make(map[string]*exchange),
		failed:    make(chan struct{}),
	}
	var readers sync.WaitGroup
	for _, channel := range []*Channel{sockets.Shell, sockets.Control, sockets.Stdin, sockets.IOPub} {
		readers.Go(func() { k.read(channel) })
	}
	go func() {
		readers.Wait()
		close(k.ended)
	}()
	return k, nil
}

// read reads every message on a channel, wanted or not, so that the kernel never has to wait for
// us.
func (k *client) read(channel *Channel) {
	for {
		message, err := channel.Recv()
		switch {
		case err == nil:
			k.deliver(arrival{channel, message})
		case GoesOn(err):
			k.fail(fmt.Errorf("%w; the connection cannot be trusted any more", err))
		default:
			k.loseOnce.Do(func() { close(k.lost) })
			return
		}
	}
}

// deliver returns after the message has been received. It drops messages that come after a failure.
func (k *client) deliver(a arrival) {
	k.mu.Lock()
	x := k.exchanges[a.message.Parent.ID]
	k.mu.Unlock()
	if x == nil || k.hasFailed() != nil {
		return
	}
	select {
	case x.arrivals <- a:
	case <-x.done:
	}
}

// fail ends every exchange, now and later, with the first error that it receives.
func (k *client) fail(err error) {
	k.failOnce.Do(func() {
		k.failure = err
		close(k.failed)
	})
}

// hasFailed returns the failure, if there was one.
func (k *client) hasFailed() error {
	select {
	case <-k.failed:
		return k.failure
	default:
		return nil
	}
}

// errShutDown reports that the kernel was shut down while it was needed.
var errShutDown = errors.New("the kernel was shut down")

// close ends the conversation.
func (k *client) close() {
	k.fail(errShutDown)
	k.sockets.Close()
	<-k.ended
}

func (k *client) open() *exchange {
	return &exchange{arrivals: make(chan arrival), done: make(chan struct{})}
}

// end forgets an exchange.
func (k *client) end(x *exchange) {
	close(x.done)
	k.mu.Lock()
	defer k.mu.Unlock()
	for id, other := range k.exchanges {
		if other == x {
			delete(k.exchanges, id)
		}
	}
}

// ask sends a request whose answers belong to x. A dying kernel may not receive it; the error then
// says how it died.
func (k *client) ask(ctx context.Context, x *exchange, channel *Channel, kind string, content any) error {
	message, err := NewMessage(kind, k.session, Header{}, content)
	if err != nil {
		return err
	}
	k.mu.Lock()
	k.exchanges[message.Header.ID] = x
	k.mu.Unlock()
	if err := channel.Send(message); err != nil {
		select {
		case <-k.failed:
			return k.failure
		case <-ctx.Done():
		case <-time.After(2 * lastWords): // enough time to notice the death
		}
		return err
	}
	return nil
}

// tell sends a request without waiting for an answer.
func (k *client) tell(channel *Channel, kind string, content any) error {
	message, err := NewMessage(kind, k.session, Header{}, content)
	if err != nil {
		return err
	}
	return channel.Send(message)
}

// KernelInfo is a kernel's description of itself.
type KernelInfo struct {
	ProtocolVersion string `json:"protocol_version"`
	Implementation  string `json:"implementation"`
	Version         string `json:"implementation_version"`
	// LanguageInfo is the part that notebooks keep in their metadata.
	LanguageInfo json.RawMessage `json:"language_info"`
}

// askAgain is how long a kernel may be silent before the client asks for its info again.
const askAgain = 500 * time.Millisecond

// kernelInfo asks for the kernel's info until a reply and a message on iopub have arrived. Before
// the subscription has reached the kernel, the messages that it publishes are lost.
func (k *client) kernelInfo(ctx context.Context) (KernelInfo, error) {
	x := k.open()
	defer k.end(x)
	var info KernelInfo
	again := time.NewTimer(0)
	defer again.Stop()
	for replied, published := false, false; !replied || !published; {
		select {
		case <-again.C:
			if err := k.ask(ctx, x, k.sockets.Shell, "kernel_info_request", struct{}{}); err != nil {
				return KernelInfo{}, err
			}
			again.Reset(askAgain)
		case a := <-x.arrivals:
			switch {
			case a.channel == k.sockets.IOPub:
				published = true
			case a.message.Header.Type == "kernel_info_reply":
				if err := json.Unmarshal(a.message.Content, &info); err != nil {
					return KernelInfo{}, fmt.Errorf("reading the kernel's info: %w", err)
				}
				replied = true
			}
		case <-k.failed:
			return KernelInfo{}, k.failure
		case <-ctx.Done():
			return KernelInfo{}, fmt.Errorf("waiting for the kernel's info: %w", context.Cause(ctx))
		}
	}
	return info, nil
}
