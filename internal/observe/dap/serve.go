package dap

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/google/go-dap"

	"github.com/wgslab/wgslab/internal/ground/framing"
)

// goodbye is the request that Serve adds when a client's messages end.
var goodbye = []byte(`{"seq":0,"type":"request","command":"disconnect"}`)

// Serve serves one client over a reader and a writer; load makes targets from launch requests. It
// returns when the client disconnects, its messages end or the context ends.
func Serve(ctx context.Context, from io.Reader, to io.Writer, load Loader) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var mu sync.Mutex
	a := New(Options{Load: load, Emit: func(m dap.Message) {
		mu.Lock()
		defer mu.Unlock()
		if err := dap.WriteProtocolMessage(to, m); err != nil {
			cancel(fmt.Errorf("writing to the client: %w", err))
		}
	}})
	go func() {
		for in := framing.NewReader(from); ; {
			message, err := in.Next()
			switch {
			case errors.Is(err, io.EOF):
				a.Send(goodbye)
				return
			case err != nil:
				cancel(fmt.Errorf("reading from the client: %w", err))
				return
			}
			a.Send(message)
		}
	}()
	err := a.Run(ctx)
	if cause := context.Cause(ctx); err != nil && cause != nil {
		err = cause
	}
	return err
}
