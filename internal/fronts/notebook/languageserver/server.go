package languageserver

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
)

// server is a connection to gopls.
type server struct {
	conn    net.Conn
	replies chan message
	gone    chan struct{} // closed when gopls has hung up
	closed  chan struct{} // closed when we have

	writing sync.Mutex
}

func newServer(conn net.Conn) *server {
	s := &server{conn: conn, replies: make(chan message), gone: make(chan struct{}), closed: make(chan struct{})}
	go s.read()
	return s
}

// read reads all that gopls sends, because gopls waits for a reader.
func (s *server) read() {
	defer close(s.gone)
	from := bufio.NewReader(s.conn)
	for {
		m, err := read(from)
		switch {
		case err != nil:
			_ = s.conn.Close()
			return
		case m.Method == "":
			select {
			case s.replies <- m:
			case <-s.closed:
			}
		case m.ID != nil:
			_ = s.send(m.succeeded(nil)) // GoNB answers no question of gopls
		}
	}
}

var errHungUp = errors.New("gopls has hung up")

// call sends a request and waits for the reply. After an error the server is unusable.
func (s *server) call(ctx context.Context, m message) (message, error) {
	if err := s.send(m); err != nil {
		return message{}, err
	}
	for {
		select {
		case reply := <-s.replies:
			if bytes.Equal(reply.ID, m.ID) {
				return reply, nil
			}
		case <-s.gone:
			return message{}, errHungUp
		case <-ctx.Done():
			return message{}, context.Cause(ctx)
		}
	}
}

// close hangs up. It must be called once.
func (s *server) close() {
	close(s.closed)
	_ = s.conn.Close()
}

func (s *server) send(m message) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	if err := write(s.conn, m); err != nil {
		return fmt.Errorf("telling gopls: %w", err)
	}
	return nil
}
