package jupyter

import (
	"context"
	"errors"
	"net"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A socket that is closed amid a flood leaves no goroutine behind that waits to
// hand over what nobody wants any more.
func TestCloseAmidAFlood(t *testing.T) {
	connection := newConnection(t.TempDir(), "test")
	kernel, err := Listen(connection)
	require.NoError(t, err)
	defer kernel.Close()
	client, err := Dial(t.Context(), connection, "me")
	require.NoError(t, err)

	m, err := NewMessage("stream", "kernel", Header{}, struct{}{})
	require.NoError(t, err)
	m.Identities = [][]byte{[]byte("topic")}
	const handingOver = "go-zeromq/zmq4.(*qreader).listen"
	require.Eventually(t, func() bool { // more than the socket holds ready
		require.NoError(t, kernel.IOPub.Send(t.Context(), m))
		return hasGoroutine(handingOver, "chan send")
	}, 5*time.Second, time.Millisecond)

	client.Close()
	for {
		if _, err = client.IOPub.Recv(); err != nil {
			break
		}
	}
	require.ErrorIs(t, err, context.Canceled)
	require.Eventually(t, func() bool { return !hasGoroutine(handingOver, "chan send") }, 5*time.Second, time.Millisecond)
}

// hasGoroutine says whether some goroutine is in a function and in a state.
func hasGoroutine(function, state string) bool {
	stacks := make([]byte, 1<<20)
	stacks = stacks[:runtime.Stack(stacks, true)]
	for goroutine := range strings.SplitSeq(string(stacks), "\n\n") {
		if strings.Contains(goroutine, function) && strings.Contains(goroutine, state) {
			return true
		}
	}
	return false
}

func TestDialGivesUp(t *testing.T) {
	reason := errors.New("long enough")
	ctx, cancel := context.WithTimeoutCause(t.Context(), 50*time.Millisecond, reason)
	defer cancel()
	_, err := Dial(ctx, newConnection(t.TempDir(), "nobody"), "me")
	require.ErrorIs(t, err, reason)
}

// The channels carry messages both ways, and over TCP too.
func TestChannelsOverTCP(t *testing.T) {
	connection := Connection{Transport: "tcp", IP: "127.0.0.1", Key: "secret"} // port 0: any that is free
	kernel, err := Listen(connection)
	require.NoError(t, err)
	defer kernel.Close()
	connection.ShellPort = port(t, kernel.Shell)
	connection.ControlPort = port(t, kernel.Control)
	connection.StdinPort = port(t, kernel.Stdin)
	connection.IOPubPort = port(t, kernel.IOPub)
	client, err := Dial(t.Context(), connection, "me")
	require.NoError(t, err)
	defer client.Close()

	question, err := NewMessage("kernel_info_request", "me", Header{}, struct{}{})
	require.NoError(t, err)
	require.NoError(t, client.Shell.Send(t.Context(), question))
	asked, err := kernel.Shell.Recv()
	require.NoError(t, err)
	require.Equal(t, question.Header, asked.Header)

	answer, err := NewMessage("kernel_info_reply", "kernel", asked.Header, struct{}{})
	require.NoError(t, err)
	answer.Identities = asked.Identities
	require.NoError(t, kernel.Shell.Send(t.Context(), answer))
	got, err := client.Shell.Recv()
	require.NoError(t, err)
	require.Equal(t, answer.Header, got.Header)
	require.Equal(t, question.Header.ID, got.Parent.ID)
}

func port(t *testing.T, c *Channel) int {
	t.Helper()
	address, ok := c.socket.(interface{ Addr() net.Addr }).Addr().(*net.TCPAddr)
	require.True(t, ok)
	return address.Port
}
