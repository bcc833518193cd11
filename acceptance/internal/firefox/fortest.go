package firefox

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// For starts a Firefox that ends with the test.
func For(t *testing.T) *Browser {
	t.Helper()
	// Not t.Context(), which ends before the browser is closed.
	ctx, cancel := context.WithTimeout(context.Background(), 15*time.Minute)
	t.Cleanup(cancel)
	fox, err := Start(ctx)
	require.NoError(t, err)
	t.Cleanup(fox.Close)
	return fox
}
