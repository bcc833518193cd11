// Command fakekernel is the fake kernel of package jupytertest. Its arguments are the name of its
// spec and the connection file.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"sync"
	"syscall"

	"github.com/go-zeromq/zmq4"
	"github.com/go-zeromq/zmq4/security/null"
	"github.com/wgslab/wgslab/internal/fronts/notebook/jupyter"
	"github.com/wgslab/wgslab/internal/fronts/notebook/jupyter/jupytertest"
)

func main() {
	mode, connectionFile := os.Args[1], os.Args[2]
	switch mode {
	case jupytertest.DiesAtOnce:
		fmt.Fprintln(os.Stderr, "no licence found")
		os.Exit(3)
	case jupytertest.NeverSpeaks:
		select {}
	case jupytertest.WillNotEnd:
		signal.Ignore(syscall.SIGTERM)
		stayer := exec.Command("sleep", "1000")
		stayer.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // like GoNB's language server
		must(stayer.Start())
	}
	c, err := jupyter.ReadConnection(connectionFile)
	must(err)
	k := listen(c)
	for r := range k.requests {
		k.serve(mode, r)
	}
}

// kernel is the kernel's end of a conversation. Unlike package jupyter, it can sign wrongly. It
// also knows that its messages have been sent before it continues, for example before it dies.
type kernel struct {
	key            []byte // verifies incoming messages
	signs          []byte // signs outgoing messages
	shell, control zmq4.Socket
	stdin          zmq4.Socket
	iopub          net.Listener
	requests       chan jupyter.Message

	mu          sync.Mutex
	subscribers []subscriber

	onInterrupt func()
}

// subscriber is a connection to iopub: the ZeroMQ connection, and the one under it.
type subscriber struct {
	*zmq4.Conn
	raw *net.UnixConn
}

// listen opens the sockets. It supports socket files, but no ports.
func listen(c jupyter.Connection) *kernel {
	k := &kernel{key: []byte(c.Key), signs: []byte(c.Key), requests: make(chan jupyter.Message)}
	path := func(port int) string { return c.IP + "-" + strconv.Itoa(port) }
	var err error
	k.iopub, err = net.Listen("unix", path(c.IOPubPort))
	must(err)
	go k.acceptSubscribers()
	k.shell = k.router(path(c.ShellPort))
	k.control = k.router(path(c.ControlPort))
	k.stdin = k.router(path(c.StdinPort))
	return k
}

// router opens a socket, and reads the requests on it.
func (k *kernel) router(path string) zmq4.Socket {
	socket := zmq4.NewRouter(context.Background())
	must(socket.Listen("ipc://" + path))
	go func() {
		for {
			received, err := socket.Recv()
			if err != nil {
				return // it has hung up, but still runs
			}
			m, err := jupyter.Decode(received.Frames, k.key)
			must(err)
			k.requests <- m
		}
	}()
	return socket
}

func (k *kernel) acceptSubscribers() {
	for {
		raw, err := k.iopub.Accept()
		if err != nil {
			return
		}
		conn, err := zmq4.Open(raw, null.Security(), zmq4.Pub, nil, true, nil)
		must(err)
		_, err = conn.RecvMsg() // the subscription to everything
		must(err)
		k.mu.Lock()
		k.subscribers = append(k.subscribers, subscriber{conn, raw.(*net.UnixConn)})
		k.mu.Unlock()
	}
}

func (k *kernel) hangUp() {
	k.shell.Close()
	k.control.Close()
	k.stdin.Close()
	k.iopub.Close()
	for _, s := range k.subscribers {
		s.Close()
	}
}

func (k *kernel) serve(mode string, r jupyter.Message) {
	switch r.Header.Type {
	case "kernel_info_request":
		if mode == jupytertest.ForgesInfo {
			k.signs = []byte("another key")
		}
		k.status(r, "busy")
		k.reply(r, "kernel_info_reply", map[string]any{"implementation": "fake", "language_info": map[string]any{"name": "fake"}})
		k.status(r, "idle")
	case "execute_request":
		var content struct{ Code string }
		must(json.Unmarshal(r.Content, &content))
		k.print(r, "before\n")
		k.execute(r, content.Code)
	case "interrupt_request":
		if k.onInterrupt != nil {
			k.onInterrupt()
			k.onInterrupt = nil
		}
	case "shutdown_request":
		if mode != jupytertest.WillNotEnd {
			os.Exit(0)
		}
	}
}

func (k *kernel) execute(r jupyter.Message, code string) {
	switch code {
	case jupytertest.Fine:
		k.finish(r)
	case jupytertest.Fails:
		k.fail(r)
	case jupytertest.NoReply:
		k.status(r, "idle")
	case jupytertest.NoIdle:
		k.reply(r, "execute_reply", ok)
	case jupytertest.Endless:
		k.onInterrupt = func() { k.fail(r) }
	case jupytertest.Deaf:
	case jupytertest.DiesOnCall:
		k.onInterrupt = func() {
			fmt.Fprintln(os.Stderr, "out of memory")
			os.Exit(137)
		}
	case jupytertest.HangsUp:
		k.onInterrupt = k.hangUp
	case jupytertest.Orphan:
		k.leaveOrphan()
		k.lastWords(r)
	case jupytertest.LastWords:
		k.lastWords(r)
	case jupytertest.DiesAfter:
		k.finish(r)
		os.Exit(1)
	case jupytertest.BadSignature:
		k.publish(k.answer(r, "stream", stdout("forged\n")), []byte("another key"))
		k.finish(r)
	case jupytertest.Garbage:
		m := k.answer(r, "stream", ok)
		m.Content = []byte("{not JSON")
		k.publish(m, k.signs)
		k.finish(r)
	case jupytertest.Unknown:
		k.publish(k.answer(r, "frobnicate", map[string]any{"x": 1}), k.signs)
		k.reply(r, "frobnicated", map[string]any{"x": 1})
		k.finish(r)
	case jupytertest.Strangers:
		other := jupyter.Message{Header: jupyter.Header{ID: "of another client"}, Identities: r.Identities}
		k.print(other, "not yours\n")
		k.fail(other)
		k.status(jupyter.Message{}, "idle")
		k.finish(r)
	case jupytertest.Flood:
		k.onInterrupt = func() { k.fail(r) }
		go k.flood(r)
	case jupytertest.OneLine:
		k.print(r, strings.Repeat("x", 30_000_000)+"\n")
		k.finish(r)
	default:
		panic("the fake kernel does not know the code " + code)
	}
}

// leaveOrphan starts a process that holds the sockets of iopub open.
func (k *kernel) leaveOrphan() {
	orphan := exec.Command("sleep", "1000")
	for _, s := range k.subscribers {
		file, err := s.raw.File()
		must(err)
		orphan.ExtraFiles = append(orphan.ExtraFiles, file)
	}
	must(orphan.Start())
}

// lastWords prints and then dies without a farewell.
func (k *kernel) lastWords(r jupyter.Message) {
	for i := range 1000 {
		k.print(r, fmt.Sprintf("%d %s\n", i, strings.Repeat("x", 1000)))
	}
	must(syscall.Kill(os.Getpid(), syscall.SIGKILL))
}

func (k *kernel) flood(r jupyter.Message) {
	line := strings.Repeat("x", 10_000) + "\n"
	for range 10_000 {
		k.print(r, line)
	}
}

var ok = map[string]any{"status": "ok"}

// finish ends a cell as a kernel should.
func (k *kernel) finish(r jupyter.Message) {
	k.reply(r, "execute_reply", ok)
	k.status(r, "idle")
}

// fail ends a cell with an error.
func (k *kernel) fail(r jupyter.Message) {
	k.reply(r, "execute_reply", map[string]any{
		"status": "error", "ename": "FakeError", "evalue": "as it was told", "traceback": []string{"FakeError: as it was told"},
	})
	k.status(r, "idle")
}

func (k *kernel) print(r jupyter.Message, text string) {
	k.publish(k.answer(r, "stream", stdout(text)), k.signs)
}

func (k *kernel) status(r jupyter.Message, state string) {
	k.publish(k.answer(r, "status", map[string]any{"execution_state": state}), k.signs)
}

func stdout(text string) map[string]any {
	return map[string]any{"name": "stdout", "text": text}
}

func (k *kernel) answer(r jupyter.Message, kind string, content any) jupyter.Message {
	answer, err := jupyter.NewMessage(kind, "fake", r.Header, content)
	must(err)
	return answer
}

func (k *kernel) reply(r jupyter.Message, kind string, content any) {
	answer := k.answer(r, kind, content)
	answer.Identities = r.Identities
	frames, err := answer.Encode(k.signs)
	must(err)
	must(k.shell.SendMulti(zmq4.NewMsgFrom(frames...)))
}

// publish returns after it has written to every subscriber. It skips a subscriber that is gone.
func (k *kernel) publish(m jupyter.Message, key []byte) {
	m.Identities = [][]byte{[]byte("kernel.fake." + m.Header.Type)}
	frames, err := m.Encode(key)
	must(err)
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, s := range k.subscribers {
		_ = s.SendMsg(zmq4.NewMsgFrom(frames...))
	}
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
