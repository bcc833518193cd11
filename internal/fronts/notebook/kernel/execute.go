package kernel

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/wgslab/wgslab/internal/fronts/desk/protocol"
	"github.com/wgslab/wgslab/internal/fronts/notebook/jupyter"
	"github.com/wgslab/wgslab/internal/ground/ipynb/cell"
)

// serveQueue answers the requests on shell, one after the other.
func (f *front) serveQueue() {
	for {
		m, ok := f.queue.next()
		if !ok {
			return
		}
		f.serve(m)
	}
}

// serve answers one request. It sends all messages about the request before its idle.
func (f *front) serve(m jupyter.Message) {
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	f.mu.Lock()
	f.running, f.cancel = m, cancel
	f.mu.Unlock()
	f.giveUpHelp()
	f.status(m, "busy")
	var aborted []jupyter.Message
	if m.Header.Type == "execute_request" {
		aborted = f.execute(ctx, m)
	} else if content, err := f.answerRequest(ctx, m); err != nil {
		f.reply(f.server.Shell, m, failed(err))
	} else if content != nil {
		f.reply(f.server.Shell, m, content)
	}
	f.mu.Lock()
	f.running, f.cancel, f.goCell = jupyter.Message{}, nil, false
	f.status(m, "idle")
	f.mu.Unlock()
	for _, m := range aborted {
		f.status(m, "busy")
		f.reply(f.server.Shell, m, map[string]string{"status": "aborted"})
		f.status(m, "idle")
	}
}

// answerRequest returns the content of the reply to a request other than a cell, or nil for an
// unknown request.
func (f *front) answerRequest(ctx context.Context, m jupyter.Message) (any, error) {
	switch m.Header.Type {
	case "kernel_info_request":
		return f.info(), nil
	case "is_complete_request":
		var content struct{ Code string }
		if err := decode(m, &content); err != nil {
			return nil, err
		}
		status, indent := f.completeness(cell.Read(content.Code))
		return map[string]string{"status": status, "indent": indent}, nil
	case "history_request":
		return f.history.reply(m)
	case "comm_info_request":
		return f.comms.reply(m)
	case "complete_request", "inspect_request":
		return f.assist(ctx, m)
	}
	return nil, nil
}

// completeness returns whether a cell is complete.
func (f *front) completeness(from *cell.CellSource) (status, indent string) {
	if knows, ok := f.answererOf(from).(Completeness); ok {
		return knows.IsComplete(from)
	}
	return completeness(from.Code)
}

// settle waits, after a failed cell and before the front empties the queue: a client that sends
// several cells at once may still be sending.
var settle = func(*queue) { time.Sleep(5 * time.Millisecond) }

// execute runs a cell. It returns the waiting cells that must not run because this one failed.
func (f *front) execute(ctx context.Context, m jupyter.Message) (aborted []jupyter.Message) {
	var r executeRequest
	if err := decode(m, &r); err != nil {
		f.reply(f.server.Shell, m, failed(err))
		return nil
	}
	if !r.Silent && orTrue(r.StoreHistory) {
		f.count++
		f.history.add(f.count, r.Code)
	}
	f.shown.begin(m, f.count)
	defer f.shown.end()
	if !r.Silent {
		f.publish("execute_input", m, map[string]any{"code": r.Code, "execution_count": f.count})
	}
	reply, ok := f.run(ctx, m, r)
	if !ok && orTrue(r.StopOnError) {
		settle(f.queue)
		aborted = f.queue.takeCells()
	}
	f.reply(f.server.Shell, m, reply)
	return aborted
}

// run answers a cell, and returns the content of its reply and whether the cell succeeded.
func (f *front) run(ctx context.Context, m jupyter.Message, r executeRequest) (reply any, ok bool) {
	c := Cell{CellSource: cell.Read(r.Code), Dir: f.gonb.workingDir(), Silent: r.Silent, Count: f.count}
	out := &output{front: f, request: m, cell: c}
	if f.debugger != nil && !r.Silent {
		if err := safely(ctx, f.debugger.Ahead, c, out); err != nil {
			return f.fail(m, r, err), false
		}
	}
	answerer := f.answererOf(c.CellSource)
	if answerer == nil {
		r.Code = f.tellFollowers(c.CellSource)
		passed, err := f.passOn(ctx, m, r)
		if err == nil {
			var status struct{ Status string }
			err = json.Unmarshal(passed, &status)
			reply, ok = passed, status.Status == "ok"
		}
		if err == nil {
			return reply, ok
		}
		return f.fail(m, r, err), false
	}
	if err := safely(ctx, answerer.Run, c, out); err != nil {
		return f.fail(m, r, err), false
	}
	return map[string]any{
		"status": "ok", "execution_count": f.count, "user_expressions": map[string]any{}, "payload": []any{},
	}, true
}

// tellFollowers tells the followers that GoNB runs a cell, and returns the code for GoNB.
func (f *front) tellFollowers(from *cell.CellSource) (code string) {
	for _, a := range f.config.Answerers {
		if follower, ok := a.(Follower); ok {
			from = cell.Read(follower.Passed(from))
		}
	}
	return from.Code
}

// fail shows an error, and returns the content of the error reply.
func (f *front) fail(m jupyter.Message, r executeRequest, err error) map[string]any {
	reply := failed(err)
	if !r.Silent {
		f.publish("error", m, map[string]any{"ename": reply["ename"], "evalue": reply["evalue"], "traceback": reply["traceback"]})
	}
	reply["execution_count"] = f.count
	return reply
}

// passOn has GoNB run a cell, and returns the content of its reply.
func (f *front) passOn(ctx context.Context, m jupyter.Message, r executeRequest) (json.RawMessage, error) {
	request, err := executeForGoNB(m, r)
	if err != nil {
		return nil, err
	}
	gonb, err := f.gonb.ready(ctx)
	if err != nil {
		return nil, notStarted(err)
	}
	if f.gonb.wasLost() && !r.Silent {
		// The text goes to stdout, not stderr: a check cell, which needs no other cell,
		// then loses no points.
		f.publish("stream", m, map[string]string{"name": "stdout", "text": lostText})
	}
	f.mu.Lock()
	f.goCell = true
	f.mu.Unlock()
	if !r.Silent && orTrue(r.StoreHistory) {
		gonb.count(f.count)
	}
	reply, said, err := gonb.execute(ctx, request)
	if err == nil {
		err = f.follow(ctx, m, gonb, r, reply, said)
	}
	if errors.As(err, new(*diedError)) {
		f.gonb.wasLost() // this message tells the learner
		if isClosed(f.end) {
			err = errInterrupted // GoNB ended because the kernel does
		}
	}
	if err != nil {
		return nil, err
	}
	content, err := said.inReply(reply.Content)
	if err != nil {
		return nil, err
	}
	return withCount(content, f.count)
}

const lostText = "GoNB, which runs the Go cells, had died and was restarted. " +
	"The definitions of earlier cells are gone: run those cells again.\n"

// notStarted returns an error that says what to do when GoNB does not start.
func notStarted(err error) error {
	switch {
	case errors.Is(err, errInterrupted):
		return err
	case errors.Is(err, errNoGoNB):
		return &protocol.Failure{Name: "GoMissing", Message: "This cell is Go, which this kernel can't run: shader cells and checks need no Go. " +
			"For Go cells, set up the whole course: git clone https://github.com/wgslab/wgslab && cd wgslab && make lab"}
	}
	return &protocol.Failure{Name: "GoNBMissing", Message: "GoNB, which runs the Go cells, did not start: " +
		withRemedy(err, "Run wgslab doctor to see what is missing, then run this cell again.")}
}

// answererOf returns the answerer of a cell; nil means GoNB.
func (f *front) answererOf(from *cell.CellSource) Answerer {
	for _, a := range f.config.Answerers {
		if a.Takes(from) {
			return a
		}
	}
	return nil
}

// isGo reports whether the cells of an answerer are Go, so that GoNB completes them.
func isGo(answerer Answerer) bool {
	_, follows := answerer.(Follower)
	return answerer == nil || follows
}

// assist returns the content of a complete_reply or an inspect_reply. GoNB answers for Go, and an
// answerer for its own cells.
func (f *front) assist(ctx context.Context, m jupyter.Message) (any, error) {
	var r helpRequest
	if err := decode(m, &r); err != nil {
		return nil, err
	}
	from := cell.Read(r.Code)
	answerer := f.answererOf(from)
	if isGo(answerer) && hasGoAt(r.Code, r.CursorPos) {
		reply, err := f.help(ctx, m, r)
		if !errors.Is(err, errNoHelp) {
			return reply, err
		}
	}
	assistant, _ := answerer.(Assistant)
	if m.Header.Type == "inspect_request" {
		return inspected(ctx, assistant, from, r)
	}
	return completed(ctx, assistant, from, r)
}

// completed returns the content of a complete_reply, empty without an assistant.
func completed(ctx context.Context, assistant Assistant, from *cell.CellSource, r helpRequest) (any, error) {
	c := Completion{Start: r.CursorPos, End: r.CursorPos}
	if assistant != nil {
		var err error
		if c, err = assistant.Complete(ctx, from, r.CursorPos); err != nil {
			return nil, err
		}
	}
	return map[string]any{
		"status": "ok", "matches": append([]string{}, c.Matches...),
		"cursor_start": c.Start, "cursor_end": c.End, "metadata": orEmpty(c.Metadata),
	}, nil
}

// inspected returns the content of an inspect_reply, empty without an assistant.
func inspected(ctx context.Context, assistant Assistant, from *cell.CellSource, r helpRequest) (any, error) {
	var i Inspection
	if assistant != nil {
		var err error
		if i, err = assistant.Inspect(ctx, from, r.CursorPos, r.DetailLevel); err != nil {
			return nil, err
		}
	}
	return map[string]any{"status": "ok", "found": i.Found, "data": orEmpty(i.Data), "metadata": struct{}{}}, nil
}

// helpPatience limits how long GoNB may take to help. GoNB gives up after about 20 s by itself, but
// sometimes waits forever for its language server.
var helpPatience = time.Minute

// errNoHelp reports that GoNB did not help in time.
var errNoHelp = errors.New("GoNB did not answer in time")

// help has GoNB answer a complete_request or an inspect_request.
func (f *front) help(ctx context.Context, m jupyter.Message, r helpRequest) (any, error) {
	request, err := helpForGoNB(m, r)
	if err != nil {
		return nil, err
	}
	gonb, err := f.gonb.ready(ctx)
	switch {
	case errors.Is(err, errNoGoNB):
		return nil, errNoHelp
	case err != nil:
		return nil, notStarted(err)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, helpPatience, errNoHelp)
	defer cancel()
	// On a busy machine GoNB gives up on its first question, after about 20 s in which gopls reads
	// the modules. It can answer the second one.
	var reply jupyter.Message
	for range 2 {
		if reply, err = gonb.ask(ctx, request); err != nil {
			return nil, err
		}
		var status struct{ Status string }
		if decode(reply, &status) == nil && status.Status == "ok" {
			break
		}
	}
	return reply.Content, nil
}

func orEmpty[V any](fields map[string]V) map[string]V {
	if fields == nil {
		return map[string]V{}
	}
	return fields
}

// output publishes what an answerer shows.
type output struct {
	front   *front
	request jupyter.Message
	cell    Cell
}

func (o *output) publish(kind string, content any) {
	if o.cell.Silent {
		return
	}
	o.front.server.IOPub.Room(context.Background())
	o.front.publish(kind, o.request, content)
}

// Stream implements Output.
func (o *output) Stream(name, text string) {
	o.publish("stream", map[string]string{"name": name, "text": text})
}

// Display implements Output.
func (o *output) Display(id string, v protocol.View) { o.publish("display_data", displayed(id, v)) }

// Update implements Output.
func (o *output) Update(id string, v protocol.View) {
	o.publish("update_display_data", displayed(id, v))
}

// Result implements Output.
func (o *output) Result(v protocol.View) {
	content := displayed("", v)
	content["execution_count"] = o.cell.Count
	o.publish("execute_result", content)
}

func displayed(id string, v protocol.View) map[string]any {
	transient := map[string]any{}
	if id != "" {
		transient["display_id"] = id
	}
	return map[string]any{"data": v, "metadata": struct{}{}, "transient": transient}
}
