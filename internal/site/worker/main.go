//go:build js && wasm

// Command worker is the Go of the course's site, in a Web Worker of a browser. Without
// an argument it is the judge, with NOTEBOOK/CELL it is that cell of a notebook, for
// which assets/cell.js starts it.
//
// The judge assets/worker.js starts, and passes messages: the page asks
//
//	{id, do, …}
//
// with the fields of answers.Request, and is told {id, ok: true, …}, with the fields
// of the answer, or {id, error}. What a check displays is told as it comes, too, as
// {id, display} by MIME type, so that a verdict does not wait for what follows it; the
// displays of the answer then take their place.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"runtime/debug"
	"sync"
	"syscall/js"

	"github.com/wgslab/wgslab/internal/site/answers"
)

// garbage is how much of it there may be before it is collected, in hundredths of what is
// in use: 16 MB at least. There is one thread, and collecting stands in a check's way.
const garbage = 400

// cells are the notebooks' Go cells, each a main, by NOTEBOOK/CELL. They are in no file
// here: internal/site/cells makes them when the site is built.
var cells = map[string]func(){}

func main() {
	debug.SetGCPercent(garbage)
	if len(os.Args) > 1 {
		cells[os.Args[1]]()
		return
	}
	w := &worker{desk: answers.New()}
	js.Global().Call("wgslabAnswers", js.FuncOf(func(_ js.Value, arguments []js.Value) any {
		request, display, reply := arguments[0].String(), arguments[1], arguments[2]
		go func() { reply.Invoke(w.answer(request, display)) }()
		return nil
	}))
	select {} // the page ends it
}

type worker struct {
	desk *answers.Desk
	busy sync.Mutex // held by a request that is not quick
}

// answer answers a request in JSON with an answer in JSON.
func (w *worker) answer(raw string, display js.Value) (reply string) {
	defer func() {
		if r := recover(); r != nil {
			reply = failure(fmt.Errorf("a mistake of ours, not of your shader: %v", r))
		}
	}()
	request, err := answers.Read(raw)
	if err != nil {
		return failure(err)
	}
	if !request.Quick() {
		w.busy.Lock()
		defer w.busy.Unlock()
	}
	answer, err := w.desk.Answer(context.Background(), request, func(view map[string]string) { display.Invoke(encode(view)) })
	if err != nil {
		return failure(err)
	}
	return encode(answer)
}

func failure(err error) string { return encode(map[string]string{"error": err.Error()}) }

// encode is what an answer is in JSON.
func encode(answer any) string {
	encoded, err := json.Marshal(answer)
	if err != nil {
		panic(fmt.Sprintf("an answer that JSON cannot carry: %v", err))
	}
	return string(encoded)
}
