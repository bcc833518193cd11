package kernel

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf16"

	"github.com/wgslab/wgslab/internal/fronts/notebook/jupyter"
)

// decode reads a message's content.
func decode(m jupyter.Message, into any) error {
	if err := json.Unmarshal(m.Content, into); err != nil {
		return fmt.Errorf("the content of the %s is invalid: %w", m.Header.Type, err)
	}
	return nil
}

// replyType returns the type of the reply to a request.
func replyType(request string) string {
	return strings.TrimSuffix(request, "_request") + "_reply"
}

// executeRequest is the content of an execute_request.
type executeRequest struct {
	Code            string         `json:"code"`
	Silent          bool           `json:"silent"`
	StoreHistory    *bool          `json:"store_history,omitempty"`
	UserExpressions map[string]any `json:"user_expressions"`
	AllowStdin      *bool          `json:"allow_stdin,omitempty"`
	StopOnError     *bool          `json:"stop_on_error,omitempty"`
}

// helpRequest is the content of a complete_request or inspect_request.
type helpRequest struct {
	Code        string `json:"code"`
	CursorPos   int    `json:"cursor_pos"`
	DetailLevel int    `json:"detail_level"`
}

// orTrue returns an optional flag, which is true by default.
func orTrue(flag *bool) bool { return flag == nil || *flag }

// forGoNB makes a request safe for GoNB, which panics if a field is missing or has another type,
// and exits if metadata is not an object. The header and the identities stay.
func forGoNB(m jupyter.Message, content any) (jupyter.Message, error) {
	data, err := json.Marshal(content)
	if err != nil {
		return jupyter.Message{}, fmt.Errorf("passing the %s on: %w", m.Header.Type, err)
	}
	m.Content = data
	var object map[string]json.RawMessage
	if json.Unmarshal(m.Metadata, &object) != nil || object == nil {
		m.Metadata = nil
	}
	return m, nil
}

// executeForGoNB fills in the fields that a client may omit.
func executeForGoNB(m jupyter.Message, r executeRequest) (jupyter.Message, error) {
	store := !r.Silent && orTrue(r.StoreHistory)
	allow := r.AllowStdin != nil && *r.AllowStdin
	stop := orTrue(r.StopOnError)
	r.StoreHistory, r.AllowStdin, r.StopOnError = &store, &allow, &stop
	if r.UserExpressions == nil {
		r.UserExpressions = map[string]any{}
	}
	return forGoNB(m, r)
}

// helpForGoNB keeps the cursor inside the cell. GoNB counts the cursor's position in UTF-16 units.
func helpForGoNB(m jupyter.Message, r helpRequest) (jupyter.Message, error) {
	r.CursorPos = min(max(r.CursorPos, 0), len(utf16.Encode([]rune(r.Code))))
	return forGoNB(m, r)
}

// withCount sets the execution count in a content.
func withCount(content json.RawMessage, count int) (json.RawMessage, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(content, &fields); err != nil || fields == nil {
		return nil, fmt.Errorf("GoNB's answer is invalid: %w", err)
	}
	fields["execution_count"], _ = json.Marshal(count) // an int never fails
	return json.Marshal(fields)
}
