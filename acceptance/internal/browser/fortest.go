package browser

import (
	"context"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// For starts a Chromium that ends with the test.
func For(t *testing.T, more ...chromedp.ExecAllocatorOption) *Browser {
	t.Helper()
	// Not t.Context(), which ends before the browser is closed.
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Minute)
	t.Cleanup(cancel)
	chromium, err := Start(ctx, more...)
	require.NoError(t, err)
	t.Cleanup(chromium.Close)
	return chromium
}
