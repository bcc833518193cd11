package jupyter

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The tests of this file drive a kernel that misbehaves. It is this test
// program, started again.

const (
	fakeMode  = "WGSLAB_TEST_FAKE_KERNEL"
	ownerMode = "WGSLAB_TEST_OWNER"
)

func TestMain(m *testing.M) {
	switch {
	case os.Getenv(ownerMode) != "":
		runOwner()
	case os.Getenv(fakeMode) != "":
		runFake(os.Getenv(fakeMode), os.Args[len(os.Args)-1])
	default:
		os.Exit(m.Run())
	}
}

// fake is the kernel spec of the fake kernel. The mode says how it starts and
// ends; what it does with a cell, the cell's code says.
func fake(mode string) Spec {
	return Spec{
		Name:          "fake",
		Dir:           os.TempDir(),
		Argv:          []string{os.Args[0], "{connection_file}"},
		InterruptMode: "message",
		Env: map[string]string{
			fakeMode: mode,
			"GORACE": "atexit_sleep_ms=0", // the race detector would keep it for 1 s
		},
	}
}

// fakeKernel is the kernel's end of a conversation.
type fakeKernel struct {
	*Sockets
	key []byte

	busy    Message // the request that an interrupt ends
	mortal  bool    // an interrupt ends the kernel
	hangsUp bool    // an interrupt makes it close its sockets
}

func runFake(mode, connectionFile string) {
	switch mode {
	case "dies at once":
		fmt.Fprintln(os.Stderr, "no licence found")
		os.Exit(3)
	case "never answers":
		select {}
	case "will not end":
		signal.Ignore(syscall.SIGTERM)
		stayer := exec.Command("sleep", "1000")
		stayer.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // like GoNB's language server
		must(stayer.Start())
	}
	c, err := ReadConnection(connectionFile)
	must(err)
	sockets, err := Listen(c)
	must(err)
	k := &fakeKernel{Sockets: sockets, key: []byte(c.Key)}

	requests := make(chan Message)
	for _, channel := range []*Channel{k.Shell, k.Control} {
		go func() {
			for {
				m, err := channel.Recv()
				if err != nil {
					return // it has hung up, and lives on
				}
				requests <- m
			}
		}()
	}
	for m := range requests {
		switch m.Header.Type {
		case "kernel_info_request":
			k.publish(m, "status", map[string]any{"execution_state": "busy"})
			k.reply(m, "kernel_info_reply", map[string]any{"implementation": "fake"})
			k.publish(m, "status", map[string]any{"execution_state": "idle"})
		case "execute_request":
			var content struct{ Code string }
			must(decodeContent(m, &content))
			k.publish(m, "stream", map[string]any{"name": "stdout", "text": "before\n"})
			k.execute(m, content.Code)
		case "interrupt_request":
			if k.mortal {
				fmt.Fprintln(os.Stderr, "out of memory")
				os.Exit(137)
			}
			if k.hangsUp {
				k.Close()
				continue
			}
			if k.busy.Header.ID != "" {
				k.finish(k.busy, "error")
				k.busy = Message{}
			}
		case "shutdown_request":
			if mode != "will not end" {
				os.Exit(0)
			}
		}
	}
}

func (k *fakeKernel) execute(m Message, code string) {
	switch code {
	case "fine":
		k.finish(m, "ok")
	case "no reply":
		k.publish(m, "status", map[string]any{"execution_state": "idle"})
	case "no idle":
		k.reply(m, "execute_reply", map[string]any{"status": "ok"})
	case "endless":
		k.busy = m
	case "deaf":
	case "dies":
		k.busy, k.mortal = m, true
	case "hangs up":
		k.hangsUp = true // not yet: a socket that is closed drops what it has not sent
	case "bad signature":
		answer := k.answer(m, "stream", map[string]any{"name": "stdout", "text": "forged"})
		must((&Channel{"iopub", k.IOPub.socket, []byte("another key")}).Send(context.Background(), answer))
		k.finish(m, "ok")
	case "garbage":
		broken := Message{Identities: [][]byte{[]byte("topic")}, Content: []byte("{not JSON")}
		must(k.IOPub.Send(context.Background(), broken))
		k.finish(m, "ok")
	case "unknown":
		k.publish(m, "frobnicate", map[string]any{"x": 1})
		k.reply(m, "frobnicated", map[string]any{"x": 1})
		k.finish(m, "ok")
	case "strangers":
		other := Message{Header: Header{ID: "of another client"}, Identities: m.Identities}
		k.publish(other, "stream", map[string]any{"name": "stdout", "text": "not yours\n"})
		k.finish(other, "error")
		k.publish(Message{}, "status", map[string]any{"execution_state": "idle"})
		k.finish(m, "ok")
	case "flood":
		k.busy = m
		go func() {
			text := strings.Repeat("x", 10_000) + "\n"
			for range 10_000 { // 100 MB
				k.publish(m, "stream", map[string]any{"name": "stdout", "text": text})
			}
		}()
	default:
		panic("the fake kernel does not know the code " + code)
	}
}

// finish ends a cell as a kernel should.
func (k *fakeKernel) finish(m Message, status string) {
	k.reply(m, "execute_reply", map[string]any{"status": status})
	k.publish(m, "status", map[string]any{"execution_state": "idle"})
}

func (k *fakeKernel) answer(m Message, kind string, content any) Message {
	answer, err := NewMessage(kind, "fake", m.Header, content)
	must(err)
	return answer
}

func (k *fakeKernel) reply(m Message, kind string, content any) {
	answer := k.answer(m, kind, content)
	answer.Identities = m.Identities
	must(k.Shell.Send(context.Background(), answer))
}

func (k *fakeKernel) publish(m Message, kind string, content any) {
	answer := k.answer(m, kind, content)
	answer.Identities = [][]byte{[]byte("kernel.fake." + kind)}
	must(k.IOPub.Send(context.Background(), answer))
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func TestMisbehavingKernel(t *testing.T) {
	t.Parallel()
	const deadline = 30 * time.Second // none of these may need it
	for code, check := range map[string]func(*testing.T, outcome){
		"fine": func(t *testing.T, o outcome) {
			require.NoError(t, o.err)
			require.Equal(t, "ok", o.reply.Status)
		},
		"no reply": func(t *testing.T, o outcome) {
			require.ErrorIs(t, o.err, ErrNoReply)
			require.ErrorContains(t, o.err, "sent no reply")
		},
		"no idle": func(t *testing.T, o outcome) {
			require.ErrorIs(t, o.err, ErrNoReply)
			require.ErrorContains(t, o.err, "did not become idle")
		},
		"bad signature": func(t *testing.T, o outcome) {
			require.ErrorIs(t, o.err, ErrSignature)
			require.NotContains(t, o.streams["stdout"], "forged")
		},
		"garbage": func(t *testing.T, o outcome) {
			require.ErrorIs(t, o.err, ErrFormat)
		},
		"unknown": func(t *testing.T, o outcome) {
			require.NoError(t, o.err)
			require.Len(t, o.of("frobnicate"), 1)
		},
		"strangers": func(t *testing.T, o outcome) {
			require.NoError(t, o.err)
			require.Equal(t, "ok", o.reply.Status)
			require.NotContains(t, o.streams["stdout"], "not yours")
		},
	} {
		t.Run(code, func(t *testing.T) {
			t.Parallel()
			k := start(t, fake("well"))
			begin := time.Now()
			got := executeFor(t, k, code, deadline)
			require.Less(t, time.Since(begin), deadline)
			require.Contains(t, got.streams["stdout"], "before\n", "the output up to then is kept")
			check(t, got)
		})
	}
}

func TestKernelThatHangsUp(t *testing.T) {
	t.Parallel()
	k := start(t, fake("well"))
	_, err := k.Execute(t.Context(), Request{Code: "hangs up", Output: func(Message) error {
		return k.Interrupt(t.Context())
	}})
	require.ErrorContains(t, err, "the fake kernel hung up")
}

func TestKernelThatDiesMidCell(t *testing.T) {
	t.Parallel()
	k := start(t, fake("well"))
	_, err := k.Execute(t.Context(), Request{Code: "dies", Output: func(Message) error {
		return k.Interrupt(t.Context())
	}})
	var dead *DeadError
	require.ErrorAs(t, err, &dead)
	require.Equal(t, "exit status 137", dead.State)
	require.Contains(t, dead.Log, "out of memory")
}

func TestDeadline(t *testing.T) {
	t.Parallel()
	var late *DeadlineError
	k := start(t, fake("well"))
	got := executeFor(t, k, "endless", 100*time.Millisecond)
	require.ErrorAs(t, got.err, &late)
	require.NotErrorIs(t, got.err, ErrStuck)
	require.Equal(t, "before\n", got.streams["stdout"])

	require.NoError(t, executeFor(t, k, "fine", time.Minute).err)

	got = executeFor(t, k, "deaf", 100*time.Millisecond)
	require.ErrorAs(t, got.err, &late)
	require.ErrorIs(t, got.err, ErrStuck)
}

// A flood must neither pile up here nor keep the kernel from being interrupted.
func TestFlood(t *testing.T) {
	t.Parallel()
	k := start(t, fake("well"))
	size, full := 0, errors.New("full")
	_, err := k.Execute(t.Context(), Request{Code: "flood", Output: func(m Message) error {
		if size += len(m.Content); size > 1_000_000 {
			return full
		}
		return nil
	}})
	require.ErrorIs(t, err, full)
	require.NotErrorIs(t, err, ErrStuck)
	require.Less(t, size, 1_100_000)
}

func TestCancelReturnsAtOnce(t *testing.T) {
	t.Parallel()
	k := start(t, fake("well"))
	ctx, cancel := context.WithCancelCause(t.Context())
	reason := errors.New("Ctrl-C")
	_, err := k.Execute(ctx, Request{Code: "endless", Output: func(Message) error {
		cancel(reason)
		return nil
	}})
	require.ErrorIs(t, err, reason)
}

func TestKernelThatWillNotEnd(t *testing.T) {
	t.Parallel()
	k := start(t, fake("will not end"))
	require.Len(t, processesOf(k), 2)
	begin := time.Now()
	require.NoError(t, k.Shutdown(t.Context()))
	require.Less(t, time.Since(begin), 2*shutdownPatience+2*time.Second)
	requireGone(t, k)
}

func TestKernelThatDoesNotStart(t *testing.T) {
	t.Run("it dies", func(t *testing.T) {
		_, err := Start(t.Context(), fake("dies at once"), t.TempDir())
		var dead *DeadError
		require.ErrorAs(t, err, &dead)
		require.ErrorContains(t, err, "exit status 3")
		require.ErrorContains(t, err, "no licence found")
	})
	t.Run("it never answers", func(t *testing.T) {
		reason := errors.New("long enough")
		ctx, cancel := context.WithTimeoutCause(t.Context(), time.Second, reason)
		defer cancel()
		_, err := Start(ctx, fake("never answers"), t.TempDir())
		require.ErrorIs(t, err, reason)
	})
	t.Run("its program is missing", func(t *testing.T) {
		spec := fake("well")
		spec.Argv[0] = "no-such-kernel-program"
		_, err := Start(t.Context(), spec, t.TempDir())
		require.ErrorContains(t, err, `"no-such-kernel-program": no such program is there`)
	})
	t.Run("its folder is missing", func(t *testing.T) {
		_, err := Start(t.Context(), fake("well"), filepath.Join(t.TempDir(), "gone"))
		require.ErrorContains(t, err, "no such file or directory")
	})
}

// runOwner starts a GoNB kernel with a daemon and an endless cell, says so, and waits to be
// killed.
func runOwner() {
	spec, err := FindSpec("gonb", os.Getenv(ownerMode))
	must(err)
	k, err := Start(context.Background(), spec, os.TempDir())
	must(err)
	_, err = k.Execute(context.Background(), Request{Code: daemon, Output: func(Message) error { return nil }})
	must(err)
	_, err = k.Execute(context.Background(), Request{Code: endlessCell, Output: whenPrinted(func(int) {
		fmt.Println(k.PID(), k.scratch)
	})})
	must(err)
}

// startOwner starts this program as the owner of a kernel.
func startOwner(t *testing.T) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	owner := exec.Command(os.Args[0])
	owner.Env = append(os.Environ(), ownerMode+"="+filepath.Join(root, ".venv"))
	owner.Stderr = os.Stderr
	out, err := owner.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, owner.Start())
	t.Cleanup(func() { _ = owner.Process.Kill() })
	return owner, bufio.NewScanner(out)
}

// readOwned reads which kernel the owner has started.
func readOwned(t *testing.T, lines *bufio.Scanner) (pid int, scratch string) {
	t.Helper()
	require.True(t, lines.Scan(), "the owner ended without a kernel")
	_, err := fmt.Sscan(lines.Text(), &pid, &scratch)
	require.NoError(t, err)
	return pid, scratch
}
