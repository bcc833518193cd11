package dap

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"sync"

	"github.com/google/go-dap"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/debug"
	"github.com/wgslab/wgslab/internal/debug/launch"
	"github.com/wgslab/wgslab/internal/framing"
	"github.com/wgslab/wgslab/internal/shader"
)

// goodbye is the request that Serve adds when a client's messages end.
var goodbye = []byte(`{"seq":0,"type":"request","command":"disconnect"}`)

// Serve serves one client over a reader and a writer. It returns when the client disconnects, its
// messages end or the context ends.
func Serve(ctx context.Context, from io.Reader, to io.Writer) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var mu sync.Mutex
	a := New(Options{Load: Load, Emit: func(m dap.Message) {
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

// Arguments are those of a launch request: a shader, and either an exercise that provides a case or
// buffers to bind.
type Arguments struct {
	Program    string   `json:"program"`    // the path of the shader
	Exercise   string   `json:"exercise"`   // an id; "" to bind buffers
	Seed       uint64   `json:"seed"`       // the seed that draws the cases
	Case       string   `json:"case"`       // a case's name; "" for the first failing case, else the first
	Entry      string   `json:"entry"`      // the entry point; "" for main
	Workgroups string   `json:"workgroups"` // X, X,Y or X,Y,Z, or @N for those in a buffer; "" for 1
	Pass       []string `json:"pass"`       // ENTRY=X,Y,Z each, in place of both: the last is debugged, after the others
	Bind       []string `json:"bind"`       // 0=f32[8], 1=u32:3,1,2 or 2=@data.bin
	Override   []string `json:"override"`   // SIZE=64, or 7=64 for an override with @id(7)
	Write      []string `json:"write"`      // data[63]: elements that stop the run when the shader writes them
}

// Load makes a target from a launch request's Arguments.
func Load(ctx context.Context, raw json.RawMessage) (*debug.Target, string, error) {
	asked := Arguments{Entry: shader.EntryPoint, Workgroups: "1"}
	if err := json.Unmarshal(raw, &asked); err != nil {
		return nil, "", fmt.Errorf("reading the launch arguments: %w", err)
	}
	if asked.Program == "" {
		return nil, "", errors.New("the launch arguments have no `program`, which is the path of a shader")
	}
	path, err := filepath.Abs(asked.Program)
	if err != nil {
		return nil, "", err
	}
	text, err := shader.ReadFile(path)
	if err != nil {
		return nil, "", fmt.Errorf("reading the shader: %w", err)
	}
	if asked.Exercise == "" {
		t, err := launch.File(ctx, path, text, launch.ShaderRun{
			Entry: asked.Entry, Workgroups: asked.Workgroups, Passes: asked.Pass, Binds: asked.Bind, Overrides: asked.Override, Writes: asked.Write,
		})
		return t, path, err
	}
	if len(asked.Bind)+len(asked.Override) > 0 {
		return nil, "", errors.New("the launch arguments have `exercise`, which gives the buffers: leave `bind` and `override` out")
	}
	e, err := course.Find(asked.Exercise)
	if err != nil {
		return nil, "", err
	}
	t, err := launch.Exercise(ctx, e, shader.Read(path, text), asked.Seed, asked.Case, asked.Write)
	return t, path, err
}
