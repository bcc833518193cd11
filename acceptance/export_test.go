package acceptance

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/acceptance/internal/browser"
)

// startBrowser starts a Chromium with some flags set.
func startBrowser(t *testing.T, flags ...string) *browser.Browser {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	t.Cleanup(cancel)
	chromium, err := browser.Start(ctx, flags...)
	require.NoError(t, err)
	t.Cleanup(chromium.Close)
	return chromium
}
