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
func (r remembers) Save(context.Context) json.RawMessage                            { return r.what }

func TestTheNextKernelIsToldOnce(t *testing.T) {
	connection := filepath.Join(t.TempDir(), "kernel-1.json")
	f := &front{config: Config{ConnectionFile: connection}, debugger: remembers{json.RawMessage(`{"a":1}`)}}
	assert.Nil(t, takeSaved(connection), "the first kernel follows on none")
	f.save()
	assert.JSONEq(t, `{"a":1}`, string(takeSaved(connection)))
	assert.Nil(t, takeSaved(connection))
	left, err := os.ReadDir(filepath.Dir(connection))
	require.NoError(t, err)
	assert.Empty(t, left)

	f.debugger = remembers{}
	f.save()
	assert.Nil(t, takeSaved(connection), "with nothing to keep nothing is")
}
