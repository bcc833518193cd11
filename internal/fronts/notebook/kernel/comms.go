package kernel

import (
	"sync"

	"github.com/wgslab/wgslab/internal/fronts/notebook/jupyter"
)

// gonbComm is the only target for which GoNB has comms.
const gonbComm = "gonb_comm"

// CommData is what a page asks for with the first message of a comm. The kernel answers it and
// closes the comm.
type CommData struct {
	Text     string `json:"text"`
	Exercise string `json:"exercise"`
	Hint     int    `json:"hint"`
}

// comms holds the open comms by their ids. They all belong to GoNB.
type comms struct {
	mu   sync.Mutex
	open map[string]string // the target of each
}

type commContent struct {
	ID     string   `json:"comm_id"`
	Target string   `json:"target_name"`
	Data   CommData `json:"data"`
}

// comm passes on a comm's message. It closes an unknown comm.
func (f *front) comm(m jupyter.Message) {
	f.status(m, "busy")
	defer f.stillBusy()
	defer f.status(m, "idle")
	var content commContent
	if decode(m, &content) != nil {
		return
	}
	if content.Target == runningComm && m.Header.Type == "comm_open" {
		f.shown.tell(func(so soFar) {
			f.publish("comm_msg", m, map[string]any{"comm_id": content.ID, "data": so})
		})
	}
	if m.Header.Type == "comm_open" && content.Target != gonbComm {
		if answer := f.commAnswer(content); answer != nil {
			f.publish("comm_msg", m, map[string]any{"comm_id": content.ID, "data": answer})
		}
		f.publish("comm_close", m, map[string]any{"comm_id": content.ID, "data": map[string]any{}})
		return
	}
	if !f.comms.take(m.Header.Type, content) {
		return
	}
	if passed, err := forGoNB(m, m.Content); err == nil {
		f.gonb.tell(passed)
	}
}

// commAnswer returns the answer of a comm that asks for one thing, or nil.
func (f *front) commAnswer(content commContent) any {
	ask, known := f.config.Asks[content.Target]
	if !known {
		return nil
	}
	answer, err := ask(content.Data)
	if err != nil {
		return map[string]string{"problem": err.Error()}
	}
	return answer
}

// take records a client's message about a comm, and reports whether the comm is known.
func (c *comms) take(kind string, content commContent) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if kind == "comm_open" {
		c.open[content.ID] = content.Target
	}
	_, known := c.open[content.ID]
	if kind == "comm_close" {
		delete(c.open, content.ID)
	}
	return known
}

// closedByKernel records that GoNB has closed a comm.
func (c *comms) closedByKernel(m jupyter.Message) {
	var content commContent
	if m.Header.Type != "comm_close" || decode(m, &content) != nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.open, content.ID)
}

// died closes the comms, because GoNB is gone.
func (f *front) died() {
	f.comms.mu.Lock()
	open := f.comms.open
	f.comms.open = make(map[string]string)
	f.comms.mu.Unlock()
	for id := range open {
		f.publish("comm_close", jupyter.Message{}, map[string]any{"comm_id": id, "data": map[string]any{}})
	}
}

// reply returns the content of a comm_info_reply.
func (c *comms) reply(m jupyter.Message) (any, error) {
	var content commContent
	if err := decode(m, &content); err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	list := map[string]any{}
	for id, target := range c.open {
		if content.Target == "" || content.Target == target {
			list[id] = map[string]string{"target_name": target}
		}
	}
	return map[string]any{"status": "ok", "comms": list}, nil
}
