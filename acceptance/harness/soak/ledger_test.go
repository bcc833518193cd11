package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wgslab/wgslab/internal/fronts/notebook/jupyter"
)

// A conversation is a ledger with one open request, and what it finds fault with.
type conversation struct {
	t       *testing.T
	ledger  *ledger
	asked   jupyter.Message
	request *request
	faults  []string
}

func converse(t *testing.T) *conversation {
	c := &conversation{t: t}
	c.ledger = newLedger(7, func(format string, arguments ...any) { c.faults = append(c.faults, fmt.Sprintf(format, arguments...)) })
	var err error
	c.asked, err = jupyter.NewMessage("execute_request", "client", jupyter.Header{}, struct{}{})
	require.NoError(t, err)
	c.request = c.ledger.open(c.asked)
	return c
}

// answer makes an answer to the request.
func (c *conversation) answer(kind string, content any) jupyter.Message {
	m, err := jupyter.NewReply(kind, "kernel", c.asked, content)
	require.NoError(c.t, err)
	return m
}

func (c *conversation) reply() {
	c.ledger.take("shell", c.answer("execute_reply", object{"status": "ok"}))
}
func (c *conversation) idle() {
	c.ledger.take("iopub", c.answer("status", object{"execution_state": "idle"}))
}
func (c *conversation) print(text string) {
	c.ledger.take("iopub", c.answer("stream", object{"name": "stdout", "text": text}))
}

type object = map[string]any

func TestLedgerOfAGoodConversation(t *testing.T) {
	c := converse(t)
	require.Equal(t, []string{"execute_request"}, c.ledger.unanswered())
	c.ledger.take("iopub", c.answer("status", object{"execution_state": "busy"}))
	c.print("soak-7 works\n")
	c.idle()
	require.NotEmpty(t, c.ledger.unanswered(), "without a reply")
	c.reply()
	<-c.request.done
	require.Empty(t, c.ledger.unanswered())
	require.Equal(t, "soak-7 works\n", c.request.stream.String())
	require.False(t, c.request.shown.IsZero())
	require.Empty(t, c.faults)
}

func TestLedgerFinds(t *testing.T) {
	for what, c := range map[string]struct {
		do   func(c *conversation)
		want string
	}{
		"two replies":             {func(c *conversation) { c.reply(); c.reply() }, "a execute_request got two replies"},
		"two ends":                {func(c *conversation) { c.idle(); c.idle() }, "a execute_request became idle twice"},
		"an output after the end": {func(c *conversation) { c.reply(); c.idle(); c.print("late") }, "a message of type stream came after the end of its execute_request"},
		"a message twice": {func(c *conversation) {
			m := c.answer("stream", object{"text": "once"})
			c.ledger.take("iopub", m)
			c.ledger.take("iopub", m)
		}, "a message of type stream came twice"},
		"another learner's output": {func(c *conversation) { c.print("soak-7 and soak-71") }, "a message of type stream holds the output of learner 71"},
		"an answer to another": {func(c *conversation) {
			c.asked.Header.ID = "a stranger's"
			c.print("hello")
		}, "a message of type stream answers nothing that this notebook asked"},
	} {
		t.Run(what, func(t *testing.T) {
			now := converse(t)
			c.do(now)
			require.Equal(t, []string{c.want}, now.faults)
		})
	}
}

// After a restart nothing answers the old requests, and what still comes of them is no fault.
func TestLedgerForgives(t *testing.T) {
	c := converse(t)
	c.ledger.forgive()
	<-c.request.done
	require.Empty(t, c.ledger.unanswered())
	c.print("last words")
	c.reply()
	require.Empty(t, c.faults)
}

func TestPacking(t *testing.T) {
	m, err := jupyter.NewMessage("input_reply", "client", jupyter.Header{}, object{"value": "7"})
	require.NoError(t, err)
	packed, err := pack("stdin", m)
	require.NoError(t, err)
	header, err := json.Marshal(m.Header)
	require.NoError(t, err)
	number := func(n int) string { return string([]byte{byte(n), byte(n >> 8), 0, 0, 0, 0, 0, 0}) }
	at := 8 * 7
	want := number(6)
	for _, length := range []int{0, len("stdin"), len(header), len("{}"), len("{}"), len(`{"value":"7"}`)} {
		at += length
		want += number(at)
	}
	require.Equal(t, want+"stdin"+string(header)+`{}{}{"value":"7"}`, string(packed))

	channel, got, err := unpack(packed)
	require.NoError(t, err)
	require.Equal(t, "stdin", channel)
	require.Equal(t, m.Header, got.Header)
	require.JSONEq(t, `{"value":"7"}`, string(got.Content))
}

func FuzzUnpack(f *testing.F) {
	m, err := jupyter.NewMessage("input_reply", "client", jupyter.Header{}, object{"value": "7"})
	require.NoError(f, err)
	packed, err := pack("stdin", m)
	require.NoError(f, err)
	f.Add(packed)
	f.Add(packed[:20])
	f.Fuzz(func(_ *testing.T, data []byte) { _, _, _ = unpack(data) })
}

func TestOrdered(t *testing.T) {
	lines := func(from, to int) string {
		var b strings.Builder
		for i := from; i < to; i++ {
			fmt.Fprintf(&b, "soak-7 %08d x\n", i)
		}
		return b.String()
	}
	const notice = "IOPub data rate exceeded.\n"
	require.NoError(t, ordered(lines(0, floodLines), "soak-7"))
	require.NoError(t, ordered(lines(0, 1000)+notice+lines(5000, 6000), "soak-7"))
	require.EqualError(t, ordered(lines(0, 1000), "soak-7"), "of 10 MB, only 1000 of 100000 lines came")
	require.EqualError(t, ordered(lines(0, 1000)+lines(1001, floodLines), "soak-7"), "of 10 MB, line 1001 came where line 1000 should be")
	require.EqualError(t, ordered(lines(0, 1000)+notice+lines(999, floodLines), "soak-7"), "of 10 MB, line 999 came where line 1000 should be")
}
