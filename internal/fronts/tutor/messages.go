package tutor

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"
)

// mostLine limits a message. JSON may escape each byte of the longest arguments.
const mostLine = 2 << 20

// The codes of JSON-RPC 2.0, section 5.1.
const (
	parseError     = -32700
	invalidRequest = -32600
)

// A connection passes messages between a client and the protocol's library, one per line. The
// library ends the session at anything that is no message; here it costs the client an error, and
// the session goes on. At the end of the input, the library gives calls up; here they have a while.
type connection struct {
	in       io.Reader
	out, log io.Writer
	grace    time.Duration

	mu   sync.Mutex // of out and open
	open int        // calls without an answer
}

// messages returns the client's messages.
func (c *connection) messages() io.ReadCloser {
	from, to := io.Pipe()
	go func() { _ = to.CloseWithError(c.copy(to)) }()
	return from
}

func (c *connection) copy(to io.Writer) error {
	lines := bufio.NewReaderSize(c.in, 64<<10)
	for {
		line, err := readLine(lines)
		if problem := line.problem(); problem != nil {
			fmt.Fprintf(c.log, "wgslab mcp: a line of the input was left out: %v\n", problem)
			c.refuse(problem)
		} else if len(line.text) > 0 {
			c.count(line.text, 1)
			if _, err := to.Write(append(line.text, '\n')); err != nil {
				return err // the session is over
			}
		}
		if err != nil {
			c.wait()
			return err
		}
	}
}

// Write implements io.Writer for whole messages.
func (c *connection) Write(message []byte) (int, error) {
	defer c.count(message, -1)
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.out.Write(message)
}

// Close implements io.Closer. The process owns its output.
func (c *connection) Close() error { return nil }

// count counts a call of the client, or an answer to one.
func (c *connection) count(message []byte, by int) {
	var m struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
	}
	if json.Unmarshal(message, &m) == nil && m.ID != nil && (m.Method != "") == (by > 0) {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.open += by
	}
}

// wait waits until all calls are answered, or for the time of grace.
func (c *connection) wait() {
	for until := time.Now().Add(c.grace); time.Now().Before(until); time.Sleep(5 * time.Millisecond) {
		c.mu.Lock()
		idle := c.open <= 0
		c.mu.Unlock()
		if idle {
			return
		}
	}
}

// refuse answers a line that is no message.
func (c *connection) refuse(p *lineProblem) {
	answer, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": p.id, "error": map[string]any{"code": p.code, "message": p.message}})
	if err == nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		_, _ = c.out.Write(append(answer, '\n'))
	}
}

// A messageLine is a line of the input.
type messageLine struct {
	text []byte
	long bool // it was longer than mostLine
}

// readLine reads a line, and keeps no more of it than a message may have.
func readLine(from *bufio.Reader) (line messageLine, err error) {
	for {
		part, err := from.ReadSlice('\n')
		if line.long = line.long || len(line.text)+len(part) > mostLine; line.long {
			line.text = nil
		} else {
			line.text = append(line.text, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			line.text = trimmed(line.text)
			return line, err
		}
	}
}

func trimmed(line []byte) []byte {
	for len(line) > 0 && (line[len(line)-1] == '\n' || line[len(line)-1] == '\r' || line[len(line)-1] == ' ') {
		line = line[:len(line)-1]
	}
	return line
}

// A lineProblem says why a line is no message.
type lineProblem struct {
	code    int
	message string
	id      json.RawMessage
}

func (p *lineProblem) Error() string { return p.message }

// problem returns why a line is no message of JSON-RPC 2.0; nil if it is one, or empty.
func (l messageLine) problem() *lineProblem {
	null := json.RawMessage("null")
	if l.long {
		return &lineProblem{invalidRequest, fmt.Sprintf("the message is longer than %d KiB", mostLine>>10), null}
	}
	if len(l.text) == 0 {
		return nil
	}
	var message struct {
		Version string          `json:"jsonrpc"`
		Method  *string         `json:"method"`
		ID      json.RawMessage `json:"id"`
		Params  json.RawMessage `json:"params"`
		Result  json.RawMessage `json:"result"`
		Error   json.RawMessage `json:"error"`
	}
	if !json.Valid(l.text) {
		return &lineProblem{parseError, "the line is no JSON", null}
	}
	err := json.Unmarshal(l.text, &message)
	answers := len(message.ID) > 0 && (message.Result != nil || message.Error != nil)
	if err != nil || message.Version != "2.0" || message.Method == nil && !answers || !isID(message.ID) || !isStructure(message.Params) {
		if message.ID == nil || !isID(message.ID) {
			message.ID = null
		}
		return &lineProblem{invalidRequest, "the line is no message of JSON-RPC 2.0", message.ID}
	}
	return nil
}

// isID reports whether an id is a string, a number or not there.
func isID(id json.RawMessage) bool {
	return len(id) == 0 || id[0] == '"' || id[0] >= '0' && id[0] <= '9' || id[0] == '-'
}

// isStructure reports whether parameters are an object, a list or not there.
func isStructure(params json.RawMessage) bool {
	return len(params) == 0 || params[0] == '{' || params[0] == '['
}
