package firefox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/coder/websocket"
)

// A connection speaks WebDriver BiDi: commands with answers, and events between them.
type connection struct {
	socket *websocket.Conn
	take   func(event string, parameters json.RawMessage)

	mu      sync.Mutex
	last    int
	waiting map[int]chan message // the calls that wait for an answer; nil when no more answers will come
}

// A message is an answer or an event.
type message struct {
	Type    string
	ID      int
	Method  string          // of an event
	Params  json.RawMessage // of an event
	Result  json.RawMessage
	Error   string // a code
	Message string // the meaning of Error
}

func connect(ctx context.Context, address string, take func(string, json.RawMessage)) (*connection, error) {
	socket, _, err := websocket.Dial(ctx, address, nil)
	if err != nil {
		return nil, fmt.Errorf("connecting to the browser: %w", err)
	}
	socket.SetReadLimit(-1) // a screenshot is large
	c := &connection{socket: socket, take: take, waiting: map[int]chan message{}}
	go c.read(ctx)
	return c, nil
}

func (c *connection) close() { _ = c.socket.CloseNow() }

// read passes each message to the call or listener that waits for it, until the connection ends.
func (c *connection) read(ctx context.Context) {
	for {
		_, raw, err := c.socket.Read(ctx)
		if err != nil {
			break
		}
		var m message
		if json.Unmarshal(raw, &m) != nil {
			continue
		}
		if m.Type == "event" {
			c.take(m.Method, m.Params)
			continue
		}
		c.mu.Lock()
		asked := c.waiting[m.ID]
		delete(c.waiting, m.ID)
		c.mu.Unlock()
		if asked != nil {
			asked <- m
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, asked := range c.waiting {
		close(asked)
	}
	c.waiting = nil
}

var errGone = errors.New("the browser has ended")

// call sends a command and waits for its answer.
func (c *connection) call(ctx context.Context, method string, parameters, result any) error {
	answer := make(chan message, 1)
	c.mu.Lock()
	if c.waiting == nil {
		c.mu.Unlock()
		return errGone
	}
	c.last++
	id := c.last
	c.waiting[id] = answer
	c.mu.Unlock()
	raw, err := json.Marshal(map[string]any{"id": id, "method": method, "params": parameters})
	if err != nil {
		return err
	}
	if err := c.socket.Write(ctx, websocket.MessageText, raw); err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	select {
	case <-ctx.Done():
		return fmt.Errorf("%s: %w", method, ctx.Err())
	case m, ok := <-answer:
		switch {
		case !ok:
			return fmt.Errorf("%s: %w", method, errGone)
		case m.Type == "error":
			return fmt.Errorf("%s: %s: %s", method, m.Error, m.Message)
		case result != nil:
			return json.Unmarshal(m.Result, result)
		}
		return nil
	}
}
