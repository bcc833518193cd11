//go:build js && wasm

// Command worker is the judge of the course's site, in a Web Worker of a browser.
// assets/worker.js starts it and passes messages: the page asks
//
//	{id, do, …}
//
// with the fields of answers.Request, and is told {id, ok: true, …}, with the fields
// of the answer, or {id, error}. While it works it may tell {id, progress}.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"syscall/js"

	"github.com/wgslab/wgslab/internal/site/answers"
)

func main() {
	w := &worker{desk: answers.New()}
	js.Global().Call("wgslabAnswers", js.FuncOf(func(_ js.Value, arguments []js.Value) any {
		request, reply := arguments[0].String(), arguments[1]
		go func() { reply.Invoke(w.answer(request)) }()
		return nil
	}))
	select {} // the page ends it
}

type worker struct {
	desk *answers.Desk
	busy sync.Mutex // held by a request that is not quick
}

// answer answers a request in JSON with an answer in JSON.
func (w *worker) answer(raw string) (reply string) {
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
	answer, err := w.desk.Answer(context.Background(), request)
	if err != nil {
		return failure(err)
	}
	encoded, err := json.Marshal(answer)
	if err != nil {
		return failure(err)
	}
	return string(encoded)
}

func failure(err error) string {
	encoded, _ := json.Marshal(map[string]string{"error": err.Error()}) // a string always encodes
	return string(encoded)
}
