//go:build js

// Command server is the language server in a Web Worker, for VS Code in a browser.
package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"syscall/js"

	"github.com/wgslab/wgslab/internal/observe/editor"
)

func main() {
	requests, received := io.Pipe()
	answers, sent := io.Pipe()
	// A message is an object in the worker, and text with its length in the protocol.
	asked := make(chan string, 64)
	js.Global().Set("onmessage", js.FuncOf(func(_ js.Value, args []js.Value) any {
		asked <- js.Global().Get("JSON").Call("stringify", args[0].Get("data")).String()
		return nil
	}))
	go func() {
		for text := range asked {
			fmt.Fprintf(received, "Content-Length: %d\r\n\r\n%s", len(text), text)
		}
	}()
	go post(bufio.NewReader(answers))
	js.Global().Call("postMessage", "ready")
	if err := editor.Serve(context.Background(), requests, sent, editor.Options{Stderr: os.Stderr}); err != nil {
		fmt.Fprintln(os.Stderr, "wgslab:", err)
	}
}

// post passes on the server's messages.
func post(answers *bufio.Reader) {
	for {
		header, err := answers.ReadString('\n')
		if err != nil {
			return
		}
		length, found := strings.CutPrefix(strings.TrimSpace(header), "Content-Length: ")
		if !found {
			continue
		}
		n, err := strconv.Atoi(length)
		if err != nil {
			return
		}
		text := make([]byte, n)
		if _, err = answers.ReadString('\n'); err == nil {
			_, err = io.ReadFull(answers, text)
		}
		if err != nil {
			return
		}
		js.Global().Call("postMessage", js.Global().Get("JSON").Call("parse", string(text)))
	}
}
