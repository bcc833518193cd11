//go:build js && wasm

// Command webworker is the Go program of the course's site. It runs in a Web Worker of a browser.
// Without an argument it is the judge. With NOTEBOOK/CELL it is that cell of a notebook, which
// assets/cell.js starts.
//
// assets/worker.js starts the judge and passes messages. The page sends
//
//	{id, do, …}
//
// with the fields of backend.Request. It receives {id, ok: true, …} with the fields of the answer,
// or {id, error}. Each display of a check arrives separately as {id, display}, by MIME type, so
// that a verdict does not wait for later output. The displays of the answer then replace them.
// After the first display, {do: "enough"} asks for the answer without the reasons that are still
// sought.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"runtime/debug"
	"sync"
	"syscall/js"

	"github.com/wgslab/wgslab/internal/fronts/desk/protocol"
	"github.com/wgslab/wgslab/internal/fronts/page/backend"
	_ "github.com/wgslab/wgslab/internal/machine/sim/machinecode" // for the simulator's long dispatches
)

// gcPercent is the amount of garbage that starts a collection, in percent of the memory in use: at
// least 16 MB. There is only one thread, so a collection delays a check.
const gcPercent = 400

// memoryLimit is the amount of memory in bytes above which collections are more frequent than that.
// The memory of WebAssembly ends at 4 GiB, and judging the shaders of all exercises comes near it.
const memoryLimit = 1 << 30

// cells holds the notebooks' Go cells, each as a main, by NOTEBOOK/CELL. internal/fronts/page/cells
// generates the file that fills it when it builds the site.
var cells = map[string]func(){}

func main() {
	debug.SetGCPercent(gcPercent)
	debug.SetMemoryLimit(memoryLimit)
	if len(os.Args) > 1 {
		cells[os.Args[1]]()
		return
	}
	w := &webWorker{backend: backend.New(), enough: func() {}}
	js.Global().Call("wgslabAnswers", js.FuncOf(func(_ js.Value, arguments []js.Value) any {
		request, display, reply := arguments[0].String(), arguments[1], arguments[2]
		go func() { reply.Invoke(w.answer(request, display)) }()
		return nil
	}))
	select {} // the page ends the program
}

type webWorker struct {
	backend *backend.Responder
	busy    sync.Mutex // held by a request that is not quick
	enough  func()     // ends the search for reasons
}

// answer answers a request in JSON with an answer in JSON.
func (w *webWorker) answer(raw string, display js.Value) (reply string) {
	defer func() {
		if r := recover(); r != nil {
			reply = failure(fmt.Errorf("a bug in wgslab, not in your shader: %v", r))
		}
	}()
	request, err := backend.Read(raw)
	if err != nil {
		return failure(err)
	}
	if request.Do == backend.Enough {
		w.enough()
		return encode(struct{}{})
	}
	if !request.Quick() {
		w.busy.Lock()
		defer w.busy.Unlock()
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	answer, err := w.backend.Answer(ctx, request, func(view protocol.View) {
		w.enough = cancel
		display.Invoke(encode(view))
	})
	if err != nil {
		return failure(err)
	}
	return encode(answer)
}

func failure(err error) string { return encode(map[string]string{"error": err.Error()}) }

// encode returns an answer in JSON.
func encode(answer any) string {
	encoded, err := json.Marshal(answer)
	if err != nil {
		panic(fmt.Sprintf("encoding an answer as JSON: %v", err))
	}
	return string(encoded)
}
