package jupyter

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// serve opens the kernel's end of a connection. Its channel receives what the kernel refuses.
func serve(t *testing.T, c Connection) (*Server, <-chan error) {
	t.Helper()
	refused := make(chan error, 100)
	welcome := func(topic string) Message {
		m, err := NewMessage("iopub_welcome", "kernel", Header{}, map[string]string{"subscription": topic})
		require.NoError(t, err)
		return m
	}
	server, err := Listen(c, welcome, func(err error) { refused <- err })
	require.NoError(t, err)
	t.Cleanup(server.Close)
	return server, refused
}

func dial(t *testing.T, c Connection, session string) *Sockets {
	t.Helper()
	client, err := Dial(t.Context(), c, session)
	require.NoError(t, err)
	t.Cleanup(client.Close)
	return client
}

func message(t *testing.T, kind, session string) Message {
	t.Helper()
	m, err := NewMessage(kind, session, Header{}, struct{}{})
	require.NoError(t, err)
	return m
}

// A socket that is closed in the middle of a flood leaves no goroutine that waits to deliver
// unwanted messages.
func TestCloseAmidAFlood(t *testing.T) {
	connection := newConnection(t.TempDir(), "test")
	kernel, _ := serve(t, connection)
	client := dial(t, connection, "me")
	welcomed, err := client.IOPub.Recv()
	require.NoError(t, err)
	require.Equal(t, "iopub_welcome", welcomed.Header.Type)

	m := message(t, "stream", "kernel")
	m.Identities = [][]byte{[]byte("topic")}
	for range 100_000 {
		require.NoError(t, kernel.IOPub.Publish(m))
	}
	client.Close()
	for err == nil {
		_, err = client.IOPub.Recv()
	}
	require.Eventually(t, func() bool { return !hasGoroutine("internal/fronts/notebook/jupyter.(*link)") }, 5*time.Second, time.Millisecond)
}

// hasGoroutine reports whether a goroutine is in a function.
func hasGoroutine(function string) bool {
	stacks := make([]byte, 1<<20)
	stacks = stacks[:runtime.Stack(stacks, true)]
	return strings.Contains(string(stacks), function)
}

func TestDialGivesUp(t *testing.T) {
	reason := errors.New("long enough")
	ctx, cancel := context.WithTimeoutCause(t.Context(), 50*time.Millisecond, reason)
	defer cancel()
	_, err := Dial(ctx, newConnection(t.TempDir(), "nobody"), "me")
	require.ErrorIs(t, err, reason)
}

// After a restart, the request of a client can come before its subscription.
func TestAnEarlyMessageWaitsForItsSubscriber(t *testing.T) {
	connection := newConnection(t.TempDir(), "test")
	kernel, _ := serve(t, connection)
	publish := func(kind string) {
		m := message(t, kind, "kernel")
		m.Identities = [][]byte{[]byte("topic")}
		require.NoError(t, kernel.IOPub.Publish(m))
	}
	next := func(client *Sockets) string {
		m, err := client.IOPub.Recv()
		require.NoError(t, err)
		return m.Header.Type
	}
	publish("busy")
	publish("idle")
	client := dial(t, connection, "me")
	require.Equal(t, "iopub_welcome", next(client))
	publish("later")
	require.Equal(t, []string{"busy", "idle", "later"}, []string{next(client), next(client), next(client)})

	kernel.IOPub.mu.Lock()
	kernel.IOPub.early.ends = time.Now()
	kernel.IOPub.mu.Unlock()
	late := dial(t, connection, "you")
	require.Equal(t, "iopub_welcome", next(late))
	publish("last")
	require.Equal(t, "last", next(late))
}

// The channels carry messages both ways, over TCP as well.
func TestChannelsOverTCP(t *testing.T) {
	kernel, _ := serve(t, Connection{Transport: "tcp", IP: "127.0.0.1", Key: "secret"}) // port 0: any that is free
	client := dial(t, kernel.Connection, "me")

	question := message(t, "kernel_info_request", "me")
	require.NoError(t, client.Shell.Send(question))
	asked, ok := kernel.Shell.Recv()
	require.True(t, ok)
	require.Equal(t, question.Header, asked.Header)

	answer, err := NewReply("kernel_info_reply", "kernel", asked, struct{}{})
	require.NoError(t, err)
	require.NoError(t, kernel.Shell.Send(answer))
	got, err := client.Shell.Recv()
	require.NoError(t, err)
	require.Equal(t, answer.Header, got.Header)
	require.Equal(t, question.Header.ID, got.Parent.ID)
}

// An answer's parent returns the fields of a header that this package does not know.
func TestHeadersGoOnUnchanged(t *testing.T) {
	key := []byte("secret")
	parts := [][]byte{[]byte(`{"msg_id": "1","subshell_id" :null}`), []byte("{}"), []byte("{}"), []byte("{}")}
	frames := append([][]byte{[]byte("client"), []byte(delimiter), sign(key, parts)}, parts...)
	request, err := Decode(frames, key)
	require.NoError(t, err)
	passed, err := request.Encode([]byte("another"))
	require.NoError(t, err)
	require.Equal(t, parts, passed[3:])
	require.Equal(t, sign([]byte("another"), parts), passed[2])

	reply, err := NewReply("reply", "kernel", request, struct{}{})
	require.NoError(t, err)
	answered, err := reply.Encode(key)
	require.NoError(t, err)
	require.Equal(t, "client", string(answered[0]))
	require.Equal(t, string(parts[0]), string(answered[4]))
}

// A hundred thousand messages that arrive faster than they are read all come through, in order.
// They do not pile up if the sender waits for room.
func TestNothingIsLost(t *testing.T) {
	connection := newConnection(t.TempDir(), "test")
	kernel, _ := serve(t, connection)
	client := dial(t, connection, "me")
	_, err := client.IOPub.Recv() // the welcome
	require.NoError(t, err)
	const count = 20_000 // 20 MB: more than the sockets hold
	padding := strings.Repeat("x", 1000)
	go func() {
		for i := range count {
			m, err := NewMessage("stream", "kernel", Header{}, fmt.Sprint(i, padding))
			if err != nil {
				return
			}
			m.Identities = [][]byte{[]byte("topic")}
			kernel.IOPub.Room(t.Context())
			_ = kernel.IOPub.Publish(m)
		}
	}()
	time.Sleep(200 * time.Millisecond) // the reader is late
	for i := range count {
		m, err := client.IOPub.Recv()
		if want := `"` + fmt.Sprint(i, padding) + `"`; err != nil || string(m.Content) != want {
			t.Fatalf("message %d: %v, %.20s…, want %.20s…", i, err, m.Content, want)
		}
	}
}

// Any input on one socket leaves the others working.
func TestStrangersAtTheDoor(t *testing.T) {
	kernel, refused := serve(t, Connection{Transport: "tcp", IP: "127.0.0.1", Key: "secret"})
	greeting := make([]byte, greetingSize)
	copy(greeting, "\xff\x00\x00\x00\x00\x00\x00\x00\x01\x7f\x03\x00NULL")
	ready := "\x04\x26\x05READY\x0bSocket-Type\x00\x00\x00\x06DEALER\x08Identity\x00\x00\x00\x00"
	ready = "\x04" + string(rune(len(ready)-2)) + ready[2:]
	long := binary.BigEndian.AppendUint64([]byte{flagLong}, 1<<62)
	for name, bytes := range map[string]string{
		"silence":                    "",
		"a browser":                  "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n" + strings.Repeat(" ", 64),
		"half a greeting":            string(greeting[:20]),
		"a property beyond the end":  string(greeting) + "\x04\x08\x05READY\xff\x41",
		"a command of nothing":       string(greeting) + "\x04\x00",
		"a greeting that never ends": string(greeting) + "\x06" + string(long[1:]),
		"a frame of 4 EiB":           string(greeting) + ready + string(long),
		"a message without an end":   string(greeting) + ready + strings.Repeat("\x01\x00", 1000),
		"a command":                  string(greeting) + ready + "\x04\x07\x04PING\x00\x00",
		"frames of no message":       string(greeting) + ready + "\x00\x01x",
	} {
		for _, port := range []int{kernel.Connection.ShellPort, kernel.Connection.IOPubPort, kernel.Connection.HeartbeatPort} {
			conn, err := net.Dial("tcp", fmt.Sprint("127.0.0.1:", port))
			require.NoError(t, err, name)
			t.Cleanup(func() { conn.Close() })
			_, err = conn.Write([]byte(bytes))
			require.NoError(t, err, name)
		}
	}
	client := dial(t, kernel.Connection, "me")
	forged := kernel.Connection
	forged.Key = "another"
	forger := dial(t, forged, "forger")
	for range 10 {
		require.NoError(t, forger.Shell.Send(message(t, "forged", "forger")))
	}
	require.NoError(t, client.Shell.Send(message(t, "honest", "me")))
	m, ok := kernel.Shell.Recv()
	require.True(t, ok)
	require.Equal(t, "honest", m.Header.Type)
	require.Eventually(t, func() bool { return len(refused) >= 10+5 }, 5*time.Second, time.Millisecond, "they were noticed")
}

// A client that reconnects under its name gets answers on its new connection.
func TestAClientComesBack(t *testing.T) {
	kernel, _ := serve(t, newConnection(t.TempDir(), "test"))
	for range 3 {
		client := dial(t, kernel.Connection, "me")
		require.NoError(t, client.Shell.Send(message(t, "question", "me")))
		asked, ok := kernel.Shell.Recv()
		require.True(t, ok)
		answer, err := NewReply("answer", "kernel", asked, struct{}{})
		require.NoError(t, err)
		require.NoError(t, kernel.Shell.Send(answer))
		got, err := client.Shell.Recv()
		require.NoError(t, err)
		require.Equal(t, asked.Header.ID, got.Parent.ID)
	}
}

// The heartbeat returns the bytes that it receives.
func TestHeartbeat(t *testing.T) {
	kernel, _ := serve(t, newConnection(t.TempDir(), "test"))
	network, address := kernel.Connection.address(kernel.Connection.HeartbeatPort)
	l, err := dialLink(t.Context(), network, address, "REQ", "me")
	require.NoError(t, err)
	defer l.close()
	for range 3 {
		require.NoError(t, l.send([][]byte{nil, []byte("ping")}))
		frames, err := l.receive()
		require.NoError(t, err)
		require.Equal(t, [][]byte{{}, []byte("ping")}, frames)
	}
}
