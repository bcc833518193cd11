package jupyter

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-zeromq/zmq4"
	"github.com/google/uuid"
)

// Server is the kernel's end of a connection: five sockets, each with any number of clients.
type Server struct {
	// Connection holds the addresses of the sockets, with actual ports in place of 0.
	Connection            Connection
	Shell, Control, Stdin *Router
	IOPub                 *Publisher

	refused   func(error)
	listeners []net.Listener
	serving   sync.WaitGroup
	done      chan struct{}

	mu    sync.Mutex
	links map[*link]bool
}

// Listen opens the kernel's end of a connection. A new subscriber to a topic of iopub first
// receives welcome(topic). Listen calls refused for each connection or message that it rejects and
// otherwise ignores. Several goroutines may call refused.
func Listen(c Connection, welcome func(topic string) Message, refused func(error)) (*Server, error) {
	s := &Server{Connection: c, refused: refused, done: make(chan struct{}), links: make(map[*link]bool)}
	key := []byte(c.Key)
	s.Shell, s.Control, s.Stdin = s.router(key), s.router(key), s.router(key)
	s.IOPub = &Publisher{key: key, welcome: welcome, subscribers: make(map[*link]map[string]bool), early: &opening{ends: time.Now().Add(openingTime)}}
	for _, o := range []struct {
		name  string
		port  *int
		kind  zmq4.SocketType
		serve func(*link)
	}{
		{"iopub", &s.Connection.IOPubPort, zmq4.XPub, s.IOPub.serve},
		{"shell", &s.Connection.ShellPort, zmq4.Router, s.Shell.serve},
		{"control", &s.Connection.ControlPort, zmq4.Router, s.Control.serve},
		{"stdin", &s.Connection.StdinPort, zmq4.Router, s.Stdin.serve},
		{"heartbeat", &s.Connection.HeartbeatPort, zmq4.Rep, echo},
	} {
		network, address := c.address(*o.port)
		listener, err := net.Listen(network, address)
		if err != nil {
			s.Close()
			return nil, fmt.Errorf("opening the %s socket: %w", o.name, err)
		}
		s.listeners = append(s.listeners, listener)
		if tcp, ok := listener.Addr().(*net.TCPAddr); ok {
			*o.port = tcp.Port
		}
		s.serving.Go(func() { s.accept(listener, o.kind, o.serve) })
	}
	return s, nil
}

func (s *Server) router(key []byte) *Router {
	return &Router{key: key, refused: s.refused, done: s.done, arrived: make(chan Message), links: make(map[string][]*link)}
}

// acceptAgain is the pause after a connection could not be accepted, for example because too many
// files are open.
const acceptAgain = 50 * time.Millisecond

// accept accepts connections until the listener is closed. Each has its own goroutine from the
// first byte.
func (s *Server) accept(listener net.Listener, kind zmq4.SocketType, serve func(*link)) {
	for {
		conn, err := listener.Accept()
		switch {
		case errors.Is(err, net.ErrClosed):
			return
		case err != nil:
			time.Sleep(acceptAgain)
		default:
			go s.meet(conn, kind, serve)
		}
	}
}

// meet serves one connection until it ends.
func (s *Server) meet(conn net.Conn, kind zmq4.SocketType, serve func(*link)) {
	l, err := shakeHands(conn, kind, "", true)
	if err != nil {
		s.refused(fmt.Errorf("a connection was refused: %w", err))
		return
	}
	defer l.close()
	s.mu.Lock()
	s.links[l] = true
	s.mu.Unlock()
	serve(l)
	s.mu.Lock()
	delete(s.links, l)
	s.mu.Unlock()
}

// echo answers the heartbeat.
func echo(l *link) {
	for {
		frames, err := l.receive()
		if err != nil || l.send(frames) != nil {
			return
		}
	}
}

// Flush waits until all messages have left the queues, or ctx is done.
func (s *Server) Flush(ctx context.Context) {
	s.mu.Lock()
	links := slices.Collect(maps.Keys(s.links))
	s.mu.Unlock()
	for _, l := range links {
		l.waitBelow(ctx, 0)
	}
}

// Close closes every socket. Unsent messages are lost.
func (s *Server) Close() {
	close(s.done)
	for _, listener := range s.listeners {
		listener.Close()
		if path, ok := strings.CutPrefix(listener.Addr().String(), "unix:"); ok {
			os.Remove(path)
		}
	}
	s.serving.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	for l := range s.links {
		l.close()
	}
}

// Router is the kernel's end of shell, control or stdin. It recognises its clients by the
// identities in their messages.
type Router struct {
	key     []byte
	refused func(error)
	done    chan struct{}
	arrived chan Message

	mu    sync.Mutex
	links map[string][]*link // by identity; the last one receives the answers
}

// serve reads the messages of one client.
func (r *Router) serve(l *link) {
	identity := l.identity()
	if identity == "" {
		identity = uuid.NewString()
	}
	r.add(identity, l)
	defer r.remove(identity, l)
	for {
		frames, err := l.receive()
		if err != nil {
			return
		}
		m, err := Decode(append([][]byte{[]byte(identity)}, frames...), r.key)
		if err != nil {
			r.refused(fmt.Errorf("a message was dropped: %w", err))
			continue
		}
		select {
		case r.arrived <- m:
		case <-r.done:
			return
		}
	}
}

func (r *Router) add(identity string, l *link) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.links[identity] = append(r.links[identity], l)
}

func (r *Router) remove(identity string, l *link) {
	r.mu.Lock()
	defer r.mu.Unlock()
	rest := slices.DeleteFunc(r.links[identity], func(other *link) bool { return other == l })
	if r.links[identity] = rest; len(rest) == 0 {
		delete(r.links, identity)
	}
}

// Recv waits for the next message. When the server is closed, ok is false.
func (r *Router) Recv() (m Message, ok bool) {
	select {
	case m = <-r.arrived:
		return m, true
	case <-r.done:
		return Message{}, false
	}
}

// Send sends a message to the client that its first identity names. A client that has gone misses
// it.
func (r *Router) Send(m Message) error {
	frames, err := m.Encode(r.key)
	if err != nil || len(m.Identities) == 0 {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if links := r.links[string(frames[0])]; len(links) > 0 {
		_ = links[len(links)-1].send(frames[1:]) // fails if it has just gone
	}
	return nil
}

// Publisher is the kernel's end of iopub.
type Publisher struct {
	key     []byte
	welcome func(topic string) Message

	mu          sync.Mutex
	subscribers map[*link]map[string]bool // the topics of each subscriber
	early       *opening                  // nil once it is over
}

// An opening holds what was published first. After a restart, a client's sockets connect again one
// by one, each after a pause of up to 200 ms. A request can arrive before the
// client subscribes. Without the opening, it would miss the idle message and wait forever.
type opening struct {
	ends     time.Time
	messages [][][]byte
	size     int
}

const (
	openingTime = 2 * time.Second
	openingSize = 1 << 20 // in bytes; the messages after that are not held
)

func (o *opening) add(frames [][]byte) {
	if size := sizeOf(frames); o.size+size <= openingSize {
		o.messages = append(o.messages, frames)
		o.size += size
	} else {
		o.size = openingSize // so that what a late subscriber gets has no gaps
	}
}

// serve reads one client's subscriptions: a byte that says whether the subscription begins or ends,
// and the topic.
func (p *Publisher) serve(l *link) {
	topics := make(map[string]bool)
	p.mu.Lock()
	p.subscribers[l] = topics
	p.mu.Unlock()
	defer func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.subscribers, l)
	}()
	for {
		frames, err := l.receive()
		if err != nil {
			return
		}
		if len(frames) == 1 && len(frames[0]) > 0 {
			p.subscribe(l, topics, frames[0][0] == 1, string(frames[0][1:]))
		}
	}
}

func (p *Publisher) subscribe(l *link, topics map[string]bool, begins bool, topic string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !begins {
		delete(topics, topic)
		return
	}
	if topics[topic] {
		return
	}
	m := p.welcome(topic)
	m.Identities = [][]byte{[]byte(topic)}
	if frames, err := m.Encode(p.key); err == nil {
		_ = l.send(frames) // fails if it has just gone
	}
	if p.opening() {
		for _, frames := range p.early.messages {
			if !wants(topics, frames) && strings.HasPrefix(string(frames[0]), topic) {
				_ = l.send(frames) // likewise
			}
		}
	}
	topics[topic] = true
}

// opening reports whether messages are still held for late subscribers.
func (p *Publisher) opening() bool {
	if p.early != nil && time.Now().After(p.early.ends) {
		p.early = nil
	}
	return p.early != nil
}

// wants reports whether a message belongs to one of a subscriber's topics.
func wants(topics map[string]bool, frames [][]byte) bool {
	for topic := range topics {
		if strings.HasPrefix(string(frames[0]), topic) {
			return true
		}
	}
	return false
}

// Publish sends a message to all subscribers of its topic, which is its first identity. It does not
// wait for them. Whoever subscribes within openingTime of Listen gets what was published before.
func (p *Publisher) Publish(m Message) error {
	frames, err := m.Encode(p.key)
	if err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.opening() {
		p.early.add(frames)
	}
	for l, topics := range p.subscribers {
		if wants(topics, frames) {
			_ = l.send(frames) // fails if it has just gone
		}
	}
	return nil
}

// roomFor is how many bytes may wait for a subscriber before Room blocks.
const roomFor = 32 << 20

// Room waits until every subscriber has received most of its messages, so that queues stay short
// and no message has to be dropped. A subscriber that reads nothing for a minute is disconnected.
func (p *Publisher) Room(ctx context.Context) {
	p.mu.Lock()
	links := slices.Collect(maps.Keys(p.subscribers))
	p.mu.Unlock()
	for _, l := range links {
		l.waitBelow(ctx, roomFor)
	}
}
