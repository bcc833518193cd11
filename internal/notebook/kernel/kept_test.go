package kernel

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// remembers is a debugger that has something to keep.
type remembers struct{ what json.RawMessage }

func (remembers) Request(context.Context, json.RawMessage) (json.RawMessage, error) { return nil, nil }
func (remembers) Ahead(context.Context, Cell, Output) error                         { return nil }
func (r remembers) Keep(context.Context) json.RawMessage                            { return r.what }

func TestTheNextKernelIsToldOnce(t *testing.T) {
	connection := filepath.Join(t.TempDir(), "kernel-1.json")
	f := &front{config: Config{ConnectionFile: connection}, debugger: remembers{json.RawMessage(`{"a":1}`)}}
	assert.Nil(t, takeKept(connection), "the first kernel follows on none")
	f.keep()
	assert.JSONEq(t, `{"a":1}`, string(takeKept(connection)))
	assert.Nil(t, takeKept(connection))
	left, err := os.ReadDir(filepath.Dir(connection))
	require.NoError(t, err)
	assert.Empty(t, left)

	f.debugger = remembers{}
	f.keep()
	assert.Nil(t, takeKept(connection), "with nothing to keep nothing is")
}
