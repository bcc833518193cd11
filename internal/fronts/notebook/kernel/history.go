package kernel

import (
	"regexp"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/fronts/notebook/jupyter"
)

// history is the code that this kernel has run. It ends with the kernel.
type history struct {
	entries []historyEntry
	size    int // of all code, in bytes
}

type historyEntry struct {
	line int
	code string
}

// largestHistory is how much code the history keeps, in bytes.
const largestHistory = 16 << 20

func (h *history) add(line int, code string) {
	h.entries = append(h.entries, historyEntry{line, code})
	h.size += len(code)
	for h.size > largestHistory {
		h.size -= len(h.entries[0].code)
		h.entries = h.entries[1:]
	}
}

type historyRequest struct {
	Output  bool   `json:"output"`
	Access  string `json:"hist_access_type"` // "range", "tail" or "search"
	Session int    `json:"session"`
	Start   int    `json:"start"`
	Stop    int    `json:"stop"` // 0: to the end
	N       int    `json:"n"`
	Pattern string `json:"pattern"`
	Unique  bool   `json:"unique"`
}

// reply returns the content of a history_reply. Each entry lists the session (this one, 0), the
// line and its code. If the client wants outputs, the entry holds the code with its output, which
// is always empty.
func (h *history) reply(m jupyter.Message) (any, error) {
	var r historyRequest
	if err := decode(m, &r); err != nil {
		return nil, err
	}
	list := [][3]any{}
	for _, e := range h.find(r) {
		var input any = e.code
		if r.Output {
			input = [2]any{e.code, nil}
		}
		list = append(list, [3]any{0, e.line, input})
	}
	return map[string]any{"status": "ok", "history": list}, nil
}

func (h *history) find(r historyRequest) []historyEntry {
	var found []historyEntry
	switch r.Access {
	case "range":
		for _, e := range h.entries {
			if r.Session == 0 && e.line >= r.Start && (r.Stop <= 0 || e.line < r.Stop) {
				found = append(found, e)
			}
		}
		return found
	case "search":
		pattern := glob(r.Pattern)
		for _, e := range h.entries {
			if pattern.MatchString(e.code) {
				found = append(found, e)
			}
		}
	default:
		found = slices.Clone(h.entries)
	}
	if r.Unique {
		found = lastOfEach(found)
	}
	if r.N > 0 && len(found) > r.N {
		found = found[len(found)-r.N:]
	}
	return found
}

// glob compiles a pattern in which * matches any text and ? matches one character.
func glob(pattern string) *regexp.Regexp {
	quoted := strings.NewReplacer(`\*`, `.*`, `\?`, `.`).Replace(regexp.QuoteMeta(pattern))
	return regexp.MustCompile(`(?s)^` + quoted + `$`)
}

// lastOfEach keeps the last entry for each code.
func lastOfEach(entries []historyEntry) []historyEntry {
	seen := make(map[string]bool)
	var kept []historyEntry
	for _, e := range slices.Backward(entries) {
		if !seen[e.code] {
			seen[e.code] = true
			kept = append(kept, e)
		}
	}
	slices.Reverse(kept)
	return kept
}
