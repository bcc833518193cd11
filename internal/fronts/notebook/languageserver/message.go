package languageserver

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"

	"github.com/google/go-dap"
)

// message is a message of the Language Server Protocol: a request, its reply, or a notification.
type message struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   json.RawMessage `json:"error,omitempty"`
}

// read reads a message. The Debug Adapter Protocol frames its messages in the same way.
func read(from *bufio.Reader) (m message, err error) {
	text, err := dap.ReadBaseMessage(from)
	if err != nil {
		return m, err
	}
	if err := json.Unmarshal(text, &m); err != nil {
		return m, fmt.Errorf("reading a message: %w", err)
	}
	return m, nil
}

func write(to io.Writer, m message) error {
	m.Version = "2.0"
	text, err := json.Marshal(m)
	if err != nil {
		return fmt.Errorf("writing a message: %w", err)
	}
	return dap.WriteBaseMessage(to, text)
}

// ownID is the id of our requests. GoNB counts its own.
var ownID = json.RawMessage(`"wgslab"`)

func request(method string, params any) message {
	return message{ID: ownID, Method: method, Params: encoded(params)}
}

func notification(method string, params any) message {
	return message{Method: method, Params: encoded(params)}
}

// succeeded returns the reply to a request.
func (m message) succeeded(result any) message {
	return message{ID: m.ID, Result: encoded(result)}
}

// internalError is JSON-RPC's code for an error that has no other.
const internalError = -32603

// failed returns the reply to a request that failed.
func (m message) failed(err error) message {
	return message{ID: m.ID, Error: encoded(map[string]any{"code": internalError, "message": err.Error()})}
}

// encoded encodes maps, lists, texts and numbers, which cannot fail.
func encoded(content any) json.RawMessage {
	text, _ := json.Marshal(content)
	return text
}
